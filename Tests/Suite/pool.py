"""Worker processes, and which class each of them runs next."""

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
# What a class may take. No class takes a fifth of it on two cores.
LIMIT = 600
# How long a worker may take to load its modules.
LOADING = 120


@dataclasses.dataclass
class Outcome:
    """One test: `ok`, `FAILED`, `unsteady` where it passed when it was run again (with why it failed as the text), or
    `skipped` with its reason as the text."""

    name: str
    outcome: str
    text: str = ""
    seconds: float = 0.0


@dataclasses.dataclass
class Class:
    """One class of tests, and how it went."""

    name: str
    tests: list
    alone: bool = False
    # Those to run, where not all of them are.
    wished: list = dataclasses.field(default_factory=list)
    outcomes: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0
    assertions: int = 0
    waits: int = 0

    @property
    def part(self):
        return self.name.split(".")[0]

    @property
    def to_run(self):
        return self.wished or self.tests

    @property
    def has_failed(self):
        return any(each.outcome in ("FAILED", "unsteady") for each in self.outcomes)


class Worker:
    """A process that runs classes of one part. `with Worker(part, say) as worker:`"""

    alive = set()
    # Of all workers so far, with what they took to load.
    cpu = 0.0

    @classmethod
    def end_all(cls):
        """Ends those that are at work, with their servers and browsers, as where somebody interrupts."""
        for worker in list(cls.alive):
            worker._kill()

    def __init__(self, part, say):
        self._say, self._current = say, None
        reading, writing = os.pipe()
        # Its servers and browsers are in its process group, and end with it.
        self._process = subprocess.Popen(
            [sys.executable, "-u", str(HERE / "worker.py"), part, str(writing)], pass_fds=[writing], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        os.close(writing)
        Worker.alive.add(self)
        self._events = os.fdopen(reading)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.part = part
        self._watch(LOADING)
        event = self._next()
        self._at_ease()
        if event is None or event["kind"] != "ready":
            self.close()
            raise RuntimeError(f"the tests of {part} cannot be loaded:\n{(event or {}).get('text', 'the process ended')}")
        self.known, self._cpu = event["classes"], 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _listen(self):
        """Passes on what tests print."""
        for line in self._process.stdout:
            if line.strip():
                self._say(f"    {self._current.name if self._current else self.part}: {line.rstrip()}")

    def _next(self):
        line = self._events.readline()
        return json.loads(line) if line else None

    def _watch(self, seconds):
        self._watchdog = threading.Timer(seconds, self._kill)
        self._watchdog.daemon = True
        self._watchdog.start()

    def _at_ease(self):
        self._watchdog.cancel()

    def _kill(self):
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def run(self, each: Class, limit=LIMIT) -> bool:
        """Runs a class to its end, and says how each test went. False where the worker is gone afterwards."""
        self._current, start, at_work = each, time.monotonic(), None
        self._process.stdin.write(" ".join([each.name, str(limit), *each.wished]) + "\n")
        self._process.stdin.flush()
        # The worker ends itself, and says where it was. Where it cannot do so, it is ended.
        self._watch(limit + 20)
        reason = None
        while (event := self._next()) is not None and event["kind"] != "over":
            if event["kind"] == "start":
                at_work = event["test"]
            elif event["kind"] == "class skipped":
                reason = event["text"]
            else:
                self._tell(each, Outcome(event["test"], event["outcome"], event["text"], event["seconds"]))
        self._at_ease()
        each.seconds = time.monotonic() - start
        done = {outcome.name for outcome in each.outcomes}
        left = [test for test in each.to_run if test not in done]
        if event is not None:
            each.cpu, each.assertions, each.waits = event["cpu"], event["assertions"], event["waits"]
            Worker.cpu += event["all_cpu"] - self._cpu
            self._cpu = event["all_cpu"]
            for test in left:
                self._tell(each, Outcome(test, "skipped" if reason else "FAILED", reason or "it was not run\n"))
            self._current = None
            return True
        self._listener.join(5)
        for test in left:
            said = "in the midst of it" if test == at_work else "before it"
            self._tell(each, Outcome(
                test, "FAILED", f"the process of the tests ended {said}, after {each.seconds:.0f} s of at most {limit} s\n"))
        self.close()
        return False

    def _tell(self, each, outcome):
        each.outcomes.append(outcome)
        end = f": {outcome.text}" if outcome.outcome == "skipped" else f" ({outcome.seconds:.1f} s)"
        self._say(f"{outcome.name} ({each.name}) ... {outcome.outcome}{end}")
        if outcome.outcome == "FAILED":
            self._say(outcome.text.rstrip())

    def close(self):
        """Ends the worker, by its own end of the classes or by force, and whatever is left of what it started."""
        try:
            self._process.stdin.close()
            self._process.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self._kill()
        self._process.wait()
        Worker.alive.discard(self)
        self._listener.join(5)
        self._process.stdout.close()
        self._events.close()


class Pool:
    """Runs classes in `count` workers, longest first; of those that are to be alone one at a time."""

    def __init__(self, count, most_browsers, expected, say):
        self._count, self._most_browsers, self._say = count, most_browsers, say
        # Those that wait for each other first. Then unknown ones, those with many tests ahead: one that is long must not
        # be the last.
        self._expected = lambda each: (each.alone, expected.get(each.name, float("inf")), len(each.to_run))
        self._lock = threading.Lock()
        self._failures = []

    def run(self, classes):
        self._waiting = sorted(classes, key=self._expected, reverse=True)
        self._browsers = self._alone = 0
        # The first ones prefer a browser, so that both parts are at work from the beginning to the end.
        threads = [threading.Thread(target=self._work, args=["Browser" if number < self._most_browsers else "Interop"], daemon=True)
                   for number in range(min(self._count, len(classes)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._failures:
            raise self._failures[0]

    def _take(self, part):
        """The longest class that waits: one that is to be alone, or of the same part, so that the worker's process goes on."""
        with self._lock:
            ready = [each for each in self._waiting if (each.part != "Browser" or self._browsers < self._most_browsers)
                     and not (each.alone and self._alone)]
            # Where none is ready, what is left waits for one that is at work, whose worker goes on with it.
            chosen = next((each for each in ready if each.alone or each.part == part), ready[0] if ready else None)
            if chosen is not None:
                self._waiting.remove(chosen)
                self._browsers += chosen.part == "Browser"
                self._alone += chosen.alone
            return chosen

    def _put_away(self, each):
        with self._lock:
            self._browsers -= each.part == "Browser"
            self._alone -= each.alone

    def _work(self, part):
        worker = None
        try:
            while (each := self._take(part)) is not None:
                part = each.part
                if worker is not None and worker.part != part:
                    worker.close()
                    worker = None
                worker = worker or Worker(part, self._say)
                if not worker.run(each):
                    worker = None
                self._put_away(each)
        except Exception as error:  # It is raised where the pool was asked.
            self._failures.append(error)
        finally:
            if worker is not None:
                worker.close()
