"""scripts/plain: counts comments and documents that are hard to read, and long lines."""

import argparse
import dataclasses
import io
import json
import pathlib
import subprocess
import sys
import unittest

import patterns
import texts

BUDGET = pathlib.Path("Tests/Budgets/plain.json")
SOURCES = (".swift", ".js", ".mjs", ".c", ".h", ".css")
# The page is no Swift, which swift-format keeps short, so it is a row of its own.
PAGE = "Sources/JamWeb/Page/"
# Tables that scripts/words makes: one text a line, in other languages.
GENERATED = "Sources/JamWeb/Page/language-"
# The aim for each module but JamRoom: this share of its comments, and no line beyond so many columns but in the page.
SHARE, COLUMNS = 0.05, 120
FREE = "JamRoom"


@dataclasses.dataclass
class Count:
    """Of a module or a group of documents: comments (paragraphs), hard ones, and lines beyond 100 and 120 columns."""

    all: int = 0
    hard: int = 0
    beyond100: int = 0
    beyond120: int = 0
    found: list = dataclasses.field(default_factory=list)

    @property
    def share(self) -> float:
        return self.hard / self.all if self.all else 0.0

    @property
    def kept(self) -> dict:
        return {"hard": self.hard, "beyond 100": self.beyond100, "beyond 120": self.beyond120}

    def add(self, path, parts):
        for line, text in parts:
            self.all += 1
            hard = patterns.hard_sentences(text)
            if hard:
                self.hard += 1
                self.found.append(f"{path}:{line}: {hard[0]}")


def files():
    """Every source file and document that git knows or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "Sources", "*.md"],
        capture_output=True, check=True).stdout.decode()
    return sorted(path for name in set(listed.split("\0")) if name and (path := pathlib.Path(name)).is_file())


def group_of(document):
    """Documents of one folder are counted together; those at the root each alone."""
    return str(document.parent) + "/" if len(document.parts) > 1 else document.name


def module_of(path):
    return "JamWeb/Page" if str(path).startswith(PAGE) else path.parts[1]


def count(paths):
    modules, documents = {}, {}
    for path in paths:
        if path.suffix == ".md":
            of = documents.setdefault(group_of(path), Count())
            text = path.read_text(encoding="utf-8")
            of.add(path, texts.paragraphs(text))
            of.beyond100 += texts.long_prose(text, 100)
            of.beyond120 += texts.long_prose(text, 120)
        elif path.suffix in SOURCES and path.parts[0] == "Sources" and not str(path).startswith(GENERATED):
            of = modules.setdefault(module_of(path), Count())
            text = path.read_text(encoding="utf-8")
            of.add(path, texts.comments(text))
            for line in text.split("\n"):
                of.beyond100 += len(line) > 100
                of.beyond120 += len(line) > COLUMNS
    return modules, documents


def table(title, counts, unit):
    yield f"{title:28} {unit:>11} {'hard':>6} {'share':>7} {'> 100':>6} {'> 120':>6}"
    for name, each in [*sorted(counts.items()), ("in all", total(counts.values()))]:
        yield f"{name:28} {each.all:11,} {each.hard:6,} {each.share:7.1%} {each.beyond100:6,} {each.beyond120:6,}"


def total(counts):
    result = Count()
    for each in counts:
        for name in ("all", "hard", "beyond100", "beyond120"):
            setattr(result, name, getattr(result, name) + getattr(each, name))
    return result


def kept(modules, documents):
    return {"Sources": {name: each.kept for name, each in sorted(modules.items())},
            "documents": {name: each.kept for name, each in sorted(documents.items())}}


def differences(now, budget):
    """What has risen, and what has fallen, each as a sentence. A new module or folder may have nothing."""
    risen, fallen = [], []
    for part, counts in now.items():
        for name, values in counts.items():
            allowed = budget.get(part, {}).get(name, {})
            for what, value in values.items():
                limit = allowed.get(what, 0)
                if value != limit:
                    words = f"{name}: {value} {'hard to read' if what == 'hard' else what + ' columns'}, {limit} are allowed"
                    (risen if value > limit else fallen).append(words)
    return risen, fallen


def self_test():
    """The text of what failed; empty where nothing did."""
    output = io.StringIO()
    suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
    result = unittest.TextTestRunner(stream=output, verbosity=0).run(suite)
    return "" if result.wasSuccessful() and result.testsRun else output.getvalue()


def check(now):
    try:
        budget = json.loads(BUDGET.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"{BUDGET}: {error}; scripts/plain --write makes it", file=sys.stderr)
        return 1
    risen, fallen = differences(now, budget)
    for words in risen:
        print(words, file=sys.stderr)
    if risen:
        print("scripts/plain --show NAME shows what was found; STYLE: subject first, one idea a sentence, "
              "the thing's own name", file=sys.stderr)
    elif fallen:
        print(f"note: {len(fallen)} counts have fallen: scripts/plain --write keeps them there")
    failed = self_test()
    if failed:
        print(f"the tests of scripts/plain fail:\n{failed}", file=sys.stderr)
    return 1 if risen or failed else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/plain", description=__doc__)
    parser.add_argument("--check", action="store_true", help=f"fail where a count is higher than in {BUDGET}")
    parser.add_argument("--write", action="store_true", help=f"write the counts to {BUDGET}")
    parser.add_argument("--show", metavar="NAME", help="print what was found in a module, a folder or a document")
    options = parser.parse_args()
    modules, documents = count(files())
    if options.show:
        found = {**modules, **documents}.get(options.show)
        if found is None:
            print(f"there is no {options.show}: {', '.join([*sorted(modules), *sorted(documents)])}", file=sys.stderr)
            return 64
        print("\n".join(found.found))
        return 0
    if options.write:
        BUDGET.write_text(json.dumps(kept(modules, documents), indent=2) + "\n", encoding="utf-8")
    if options.check:
        return check(kept(modules, documents))
    for line in table("Sources", modules, "comments"):
        print(line)
    bound = {name: each for name, each in modules.items() if name != FREE}
    harder = [name for name, each in bound.items() if each.share > SHARE]
    longer = sum(each.beyond120 for name, each in bound.items() if name != "JamWeb/Page")
    print(f"aim, but for {FREE}: {SHARE:.0%} of each module's comments, which {len(harder)} of {len(bound)} modules miss; "
          f"no line beyond {COLUMNS} columns but in the page, which {longer} lines miss\n")
    for line in table("Documents", documents, "paragraphs"):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
