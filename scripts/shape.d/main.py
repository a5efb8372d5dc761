"""scripts/shape: the shape of Sources/JamRoom, in figures that may fall and not rise."""

import argparse
import io
import json
import pathlib
import subprocess
import sys
import unittest

import figures

BOUNDS = pathlib.Path("Tests/Budgets/shape.json")
# So many of the worst places are told of a figure that has risen.
WORST = 5


def texts():
    """The texts of all Swift files in Sources that git knows or would take, by their paths."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "Sources/*.swift"],
        capture_output=True, check=True).stdout.decode()
    paths = sorted(path for name in set(listed.split("\0")) if name and (path := pathlib.Path(name)).is_file())
    return {path: path.read_text(encoding="utf-8") for path in paths}


def read_bounds():
    return json.loads(BOUNDS.read_text(encoding="utf-8"))


def bound(figure):
    """What a figure may be: as it is. Lines may be some more, up to the next hundred."""
    return -(-figure.value // 100) * 100 if figure.name.startswith("lines of") and figure.value >= 1_000 else figure.value


def table(found, bounds):
    yield f"{'figure':46} {'now':>7} {'bound':>7}"
    for figure in found:
        most = bounds.get(figure.name)
        told = f"{most:,}" if most is not None else "none"
        yield f"{figure.name:46} {figure.value:7,} {told:>7}  {figure.worst}".rstrip()


def differences(found, bounds):
    """What is worse than its bound, with where that is, and what is better, as lines of text."""
    worse, better = [], []
    for figure in found:
        most = bounds.get(figure.name)
        if most is None:
            worse.append(f"{figure.name}: {figure.value:,}, and there is no bound")
        elif figure.value > most:
            worse.append(f"{figure.name}: {figure.value:,}, {most:,} are allowed; the worst places:")
            worse += [f"    {place}" for place in figure.places[:WORST]]
        elif figure.value < most - (99 if figure.name.startswith("lines of") else 0):
            better.append(f"{figure.name}: {figure.value:,}, {most:,} are allowed")
    names = {figure.name for figure in found}
    better += [f"{name}: no figure has that name" for name in bounds if name not in names]
    return worse, better


def self_test():
    """The text of what failed; empty where nothing did."""
    output = io.StringIO()
    suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
    result = unittest.TextTestRunner(stream=output, verbosity=0).run(suite)
    return "" if result.wasSuccessful() and result.testsRun else output.getvalue()


def check(found):
    try:
        bounds = read_bounds()
    except (OSError, ValueError) as error:
        print(f"{BOUNDS}: {error}; scripts/shape --write makes it", file=sys.stderr)
        return 1
    worse, better = differences(found, bounds)
    for line in worse:
        print(line, file=sys.stderr)
    if worse:
        print("scripts/shape --show FIGURE shows all places; docs/internals/shape.md says what the figures mean, "
              "and when a bound may rise", file=sys.stderr)
    for line in better:
        print(f"note: {line}")
    if better:
        print("note: scripts/shape --write makes these the bounds")
    failed = self_test()
    if failed:
        print(f"the tests of scripts/shape fail:\n{failed}", file=sys.stderr)
    return 1 if worse or failed else 0


def show(found, part):
    shown = [figure for figure in found if part in figure.name]
    if not shown:
        print(f"there is no figure {part}: {', '.join(figure.name for figure in found)}", file=sys.stderr)
        return 64
    for figure in shown:
        print(f"{figure.name}: {figure.value:,}")
        for place in figure.places:
            print(f"    {place}")
    return 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/shape", description=__doc__)
    parser.add_argument("--check", action="store_true", help=f"fail where a figure is above its bound in {BOUNDS}")
    parser.add_argument("--write", action="store_true", help=f"write the figures to {BOUNDS}")
    parser.add_argument("--show", metavar="FIGURE", help="print where a figure comes from")
    options = parser.parse_args()
    try:
        found = figures.Shape(texts()).figures()
    except LookupError as error:
        print(error, file=sys.stderr)
        return 1
    if options.show:
        return show(found, options.show)
    if options.write:
        kept = {figure.name: bound(figure) for figure in found}
        BOUNDS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    if options.check:
        return check(found)
    for line in table(found, read_bounds() if BOUNDS.exists() else {}):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
