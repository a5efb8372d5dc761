"""A process that runs test classes of one part of the suite, one after the other.

    worker.py PART FD

Reads a class a line from standard input, with a limit in seconds and the tests that are wished for, or nothing for all.
Writes what happens as lines of JSON to the descriptor FD. Standard output and error are the tests' own.
"""

import faulthandler
import functools
import importlib
import json
import os
import sys
import time
import traceback
import unittest

import classes
import cpu


class Events(unittest.TestResult):
    """Tells of each test as it ends."""

    def __init__(self, tell):
        super().__init__()
        self._tell = tell
        self.assertions = self.waits = 0

    def startTest(self, test):
        super().startTest(test)
        self._start, self._outcome, self._text = time.monotonic(), "ok", ""
        self._tell(kind="start", test=name_of(test))

    def stopTest(self, test):
        super().stopTest(test)
        self._end(test, time.monotonic() - self._start)

    def _end(self, test, seconds):
        self._tell(kind="test", test=name_of(test), outcome=self._outcome, text=self._text, seconds=seconds)

    def _fail(self, test, error):
        text = "".join(traceback.format_exception(*error))
        if isinstance(test, unittest.case._SubTest):
            text = f"{test._subDescription()}\n{text}"
        if not isinstance(test, unittest.TestCase):
            # setUpClass or tearDownClass, which no startTest precedes.
            self._outcome, self._text = "FAILED", text
            self._end(test, 0)
            return
        self._outcome, self._text = "FAILED", f"{self._text}{text}"

    def addError(self, test, error):
        super().addError(test, error)
        self._fail(test, error)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._fail(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._fail(subtest, error)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if not isinstance(test, unittest.TestCase):
            # By setUpClass: no test of the class begins.
            self._tell(kind="class skipped", text=reason)
        elif self._outcome == "ok":
            self._outcome, self._text = "skipped", reason

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._outcome, self._text = "FAILED", "it was expected to fail, and did not\n"


def name_of(test) -> str:
    return test._testMethodName if isinstance(test, unittest.TestCase) else str(test).split(" ")[0]


def count_checks(result_of):
    """Counts the assertions that a test makes, one for each line of it: those within another one are its own business."""
    depth = 0

    def counted(call, what):
        @functools.wraps(call)
        def count(self, *arguments, **options):
            nonlocal depth
            if depth == 0:
                result = result_of()
                setattr(result, what, getattr(result, what) + 1)
            depth += 1
            try:
                return call(self, *arguments, **options)
            finally:
                depth -= 1
        return count

    for name, call in list(vars(unittest.TestCase).items()):
        if name.startswith("assert") and callable(call):
            setattr(unittest.TestCase, name, counted(call, "assertions"))
    # What a condition asserts while somebody waits for it depends on how long that takes.
    patience = importlib.import_module("patience")
    patience.Patient.wait_until = counted(patience.Patient.wait_until, "waits")


def main():
    part, events = sys.argv[1], os.fdopen(int(sys.argv[2]), "w")
    # Servers and browsers have no business with it.
    os.set_inheritable(events.fileno(), False)

    def tell(**event):
        events.write(json.dumps(event) + "\n")
        events.flush()

    meter = cpu.Meter()
    classes.enter(part)
    try:
        known = classes.all_of(part)
    except Exception:
        tell(kind="broken", text=traceback.format_exc())
        return
    result = None
    count_checks(lambda: result)
    tell(kind="ready", classes={
        name: {"tests": classes.tests_of(kind), "alone": bool(getattr(kind, "alone", False))} for name, kind in known.items()})
    for line in sys.stdin:
        name, limit, *wished = line.split()
        kind = known[name]
        result = Events(tell)
        suite = unittest.TestSuite(kind(test) for test in wished or classes.tests_of(kind))
        start, before = time.monotonic(), meter.seconds()
        # A class that does not end says where it is, and ends with its process.
        faulthandler.dump_traceback_later(float(limit), exit=True)
        suite.run(result)
        faulthandler.cancel_dump_traceback_later()
        sys.stdout.flush()
        used = meter.seconds()
        tell(kind="over", seconds=time.monotonic() - start, cpu=used - before, all_cpu=used, assertions=result.assertions,
             waits=result.waits)


if __name__ == "__main__":
    main()
