#!/usr/bin/env python3
"""Runs the tests with real clients (Interop) and those of the page in Chromium (Browser), several classes at a time.

    run.py                            all of them
    run.py Interop Browser.test_loops Browser.test_loops.LoopTests
    run.py Browser.test_loops.LoopTests.test_steps_are_set_by_mouse_and_keys

A class has a server of its own, so classes run side by side. Those that measure time (`alone = True`) come at the end,
one after the other, with those beside them that do little but wait. BANDSHELL names the server's binary; pictures go to
.build/pictures, or to BANDSHELL_PICTURES.

Up to three tests that fail are run again at the end, with nothing beside them: the machine may have been held up. One that
passes then is told as unsteady. Where more fail, or with --once, none is run again.
"""

import argparse
import collections
import os
import pathlib
import signal
import sys
import threading
import time

import record
from classes import PARTS
from pool import LIMIT, Class, Pool, Worker

BUDGET = record.ROOT / "Tests" / "Budgets" / "suite.csv"
# With CI=true a program that is missing is a failure, except for these, which not every machine can have.
MAY_BE_MISSING = ("not installed: firefox-esr",)
# So many tests may fail at first and pass when they are run again. More of them is a fault and no accident.
MOST_UNSTEADY = 3
# Classes that use less than this of a core hold nobody up who measures time, and so many of them run beside one who does.
LITTLE = 0.18
BESIDE = 2
# The tests that make pictures of the page.
PICTURES = ["Browser.test_looks.LooksTests.test_pictures",
            "Browser.test_install.Secure.test_the_page_about_trust_leads_to_the_certificate_and_to_the_secure_page"]

printing = threading.Lock()


def say(line=""):
    with printing:
        print(line, flush=True)


def known_classes() -> dict:
    """Every class there is, by its name."""
    found = {}
    for part in PARTS:
        with Worker(part, say) as worker:
            for name, facts in worker.known.items():
                found[name] = Class(name, facts["tests"], facts["alone"])
    return found


def chosen(known, wishes):
    """The classes that `wishes` name: by part, module, class or test. Ends the program where one names nothing."""
    if not wishes:
        return list(known.values())
    found = {}
    for wish in wishes:
        wish = wish.removeprefix("Tests.")
        of_class = [name for name in known if f"{name}.".startswith(f"{wish}.")]
        for name in of_class:
            found[name] = known[name]
            known[name].wished = []
        name, _, test = wish.rpartition(".")
        if name in known and test in known[name].tests:
            if name not in found:
                found[name] = known[name]
                known[name].wished.append(test)
            elif known[name].wished:
                known[name].wished.append(test)
        elif not of_class:
            near = sorted({part for each in known for part in (each, each.rpartition(".")[0]) if wish.lower() in each.lower()})
            sys.exit(f"There is no test {wish}. {'Is it one of these? ' + ', '.join(near) if near else 'run.py --list lists them.'}")
    return list(found.values())


def beside(classes, known):
    """Of `classes` those to run beside the ones that are alone: such as need little of the processor, by the record
    `known`, as long as there is somebody to run beside."""
    taken = {step: (float(row["seconds"]), float(row["cpu_seconds"])) for step, row in known.items()}
    classes = sorted((each for each in classes if each.name in taken), key=lambda each: taken[each.name], reverse=True)
    room = BESIDE * sum(taken[each.name][0] for each in classes if each.alone)
    chosen = []
    for each in classes:
        seconds, cpu = taken[each.name]
        if not each.alone and each.part != "Browser" and cpu < LITTLE * seconds and seconds <= room:
            room -= seconds
            chosen.append(each)
    return chosen


def run_again(classes):
    """Runs the tests that failed once more, alone and each with a new server. Who passes now is unsteady."""
    failed = [(each, outcome) for each in classes for outcome in each.outcomes if outcome.outcome == "FAILED"]
    # A class that could not begin has no test to run again.
    if len(failed) > MOST_UNSTEADY or not all(outcome.name in each.tests for each, outcome in failed):
        return
    for each, outcome in failed:
        say(f"\nonce more: {outcome.name} ({each.name})")
        second = Class(each.name, each.tests, each.alone, wished=[outcome.name])
        Pool(1, 1, {}, say).run([second])
        if [other.outcome for other in second.outcomes] == ["ok"]:
            outcome.outcome = "unsteady"
        else:
            outcome.text += "\nand when it was run again:\n" + "\n".join(other.text for other in second.outcomes)


def fails_in_ci(outcome) -> bool:
    return (os.environ.get("CI", "").lower() in ("1", "true", "yes") and outcome.text.startswith("not installed:")
            and not outcome.text.startswith(MAY_BE_MISSING))


def report(classes, seconds) -> bool:
    """The failures again, the steps, what was left out, and the sum. True where all is well."""
    outcomes = [(each, outcome) for each in classes for outcome in each.outcomes]
    failed = [(each, outcome) for each, outcome in outcomes if outcome.outcome == "FAILED"]
    unsteady = [(each, outcome) for each, outcome in outcomes if outcome.outcome == "unsteady"]
    skipped = [(each, outcome) for each, outcome in outcomes if outcome.outcome == "skipped"]
    missing = [pair for pair in skipped if fails_in_ci(pair[1])]
    skipped = [pair for pair in skipped if pair not in missing]
    for each, outcome in failed:
        say(f"\n═══ FAILED: {outcome.name} ({each.name})\n{outcome.text.rstrip()}")
    for each, outcome in missing:
        say(f"\n═══ FAILED: {outcome.name} ({each.name})\n{outcome.text}; with CI=true nothing may be missing")

    say(f"\n{'step':56} {'wall':>8} {'CPU':>8} {'tests':>6} {'assertions':>11}")
    for each in sorted(classes, key=lambda each: each.seconds, reverse=True):
        say(f"{each.name:56} {each.seconds:6.1f} s {each.cpu:6.1f} s {len(each.outcomes):6} {each.assertions:11}"
            f"{'  alone' if each.alone else ''}")
    for part in PARTS:
        of_part = [each for each in classes if each.part == part]
        if of_part:
            say(f"{part:56} {sum(each.seconds for each in of_part):6.1f} s {sum(each.cpu for each in of_part):6.1f} s "
                f"{sum(len(each.outcomes) for each in of_part):6} {sum(each.assertions for each in of_part):11}")
    # With what the workers took to load their modules.
    say(f"{'in all':56} {seconds:6.1f} s {Worker.cpu:6.1f} s {len(outcomes):6} "
        f"{sum(each.assertions for each in classes):11}   and {sum(each.waits for each in classes)} waits")

    reasons = collections.Counter(outcome.text for _, outcome in skipped)
    for reason, count in reasons.most_common():
        say(f"skipped: {count} × {reason}")
    bad = len(failed) + len(missing)
    passed = len(outcomes) - bad - len(skipped)
    if passed == 0 and bad == 0:
        say("No test was run.")
    say(f"{passed} passed{f', {len(unsteady)} of them unsteady' if unsteady else ''}, {bad} failed, {len(skipped)} skipped")
    # Once more and last: who reads the end of a log alone sees what to look for.
    for kind, pairs in (("unsteady", unsteady), ("FAILED", failed + missing)):
        for each, outcome in pairs:
            said = outcome.text.strip().splitlines()
            say(f"{kind}: {outcome.name} ({each.name}): {said[-1][:200] if said else ''}")
    return bad == 0 and passed > 0


def keep(path, classes, known):
    """Writes down what each whole class took."""
    figures = {each.name: (each.seconds, each.cpu) for each in classes
               if not each.wished and not each.has_failed and any(outcome.outcome == "ok" for outcome in each.outcomes)}
    record.write(path, figures, is_gone=lambda step: step.split(".")[0] in PARTS and step not in known)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", metavar="TEST", help="a part, module, class or test; all where none is named")
    parser.add_argument("--workers", type=int, metavar="N", help="classes side by side (two more than cores)")
    parser.add_argument("--browsers", type=int, metavar="N", help="of these with a browser at most (one for each core)")
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE.csv", help="write down what each class took")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="SECONDS", help=f"what a class may take ({LIMIT})")
    parser.add_argument("--once", action="store_true", help="run no test again that failed")
    parser.add_argument("--pictures", action="store_true", help="make the pictures in Tests/Browser/screenshots anew, and nothing else")
    parser.add_argument("--list", action="store_true", help="list the classes, and run none")
    options = parser.parse_args()
    binary = pathlib.Path(os.environ.get("BANDSHELL", record.ROOT / ".build" / "debug" / "bandshell"))
    if not options.list and not os.access(binary, os.X_OK):
        sys.exit(f"There is no server at {binary}: build it, or name another one by BANDSHELL.")
    if options.pictures:
        options.tests = PICTURES
        os.environ["BANDSHELL_PICTURES"] = str(record.ROOT / "Tests" / "Browser" / "screenshots")
    cores = len(os.sched_getaffinity(0))
    # Most tests wait most of the time. Two pages for two cores hold nobody up; those more are for clients without a page,
    # which need a seventh of a core each.
    workers = options.workers or cores + 2
    browsers = min(workers, options.browsers or cores)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    start = time.monotonic()
    try:
        known = known_classes()
        classes = chosen(known, options.tests)
        if options.list:
            for each in classes:
                say(f"{each.name:56} {len(each.tests):4} tests{', alone' if each.alone else ''}")
            return 0
        taken = record.read(BUDGET)
        expected = {step: float(row["seconds"]) for step, row in taken.items()}
        last = [each for each in classes if each.alone] + beside(classes, taken)
        Pool(workers, browsers, expected, say).run([each for each in classes if each not in last])
        # A quiet machine.
        Pool(1 + BESIDE, 1, expected, say).run(last)
        if not options.once:
            run_again(classes)
    except RuntimeError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted")
    finally:
        # Whoever interrupts twice leaves no server behind either.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        Worker.end_all()
    is_well = report(classes, time.monotonic() - start)
    if options.record:
        keep(options.record, classes, known)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
