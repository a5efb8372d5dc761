"""The records of docs/bench/records: what each bench measured, on which commit."""

import json
import pathlib
import re
import subprocess

FOLDER = pathlib.Path("docs/bench/records")

# The files that decide a figure, beside Sources and Package.swift.
MORE_FILES = {"kits": ["Kits"], "memory": ["Kits"], "rooms": ["Kits"], "sound": ["Kits"],
              "page": ["Tests/Browser"]}

# What a record and a row of it must have, with the types that JSON gives.
FIELDS = {"bench": str, "options": list, "date": str, "time": str, "commit": (str, type(None)),
          "machine": str, "rows": list}
NUMBER = (int, float, type(None))
ROW_FIELDS = {"key": str, "unit": str, "median": NUMBER, "min": NUMBER, "max": NUMBER}


class Failure(Exception):
    """A record, a definition or a document that cannot be used; the text says why."""


class Record:
    """One run of one bench: a file of docs/bench/records."""

    def __init__(self, path, content):
        self.path = path
        self.bench = content["bench"]
        self.options = tuple(content["options"])
        self.date = content["date"]
        self.moment = (content["date"], content["time"])
        self.commit = content["commit"]
        self.is_dirty = bool(content.get("dirty"))
        self.rows = {row["key"]: row for row in content["rows"]}

    @property
    def taken(self):
        """The date and the commit, as a table shows them; a + stands for changes beyond the commit."""
        if self.commit is None:
            return f"{self.date}, commit unknown"
        return f"{self.date}, `{self.commit}`" + ("+" if self.is_dirty else "")


def _require(fields, content, where):
    if not isinstance(content, dict):
        raise Failure(f"{where}: an object is wanted")
    for field, kind in fields.items():
        if field not in content:
            raise Failure(f"{where}: \"{field}\" is missing")
        if not isinstance(content[field], kind) or isinstance(content[field], bool):
            raise Failure(f"{where}: \"{field}\" has the wrong type")


def read(path):
    """The record in a file; raises Failure where it is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}") from None
    _require(FIELDS, content, path)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", content["date"]):
        raise Failure(f"{path}: \"date\" is no day, as in 2026-11-28")
    keys = set()
    for number, row in enumerate(content["rows"], 1):
        _require(ROW_FIELDS, row, f"{path}, row {number}")
        if row["key"] in keys:
            raise Failure(f"{path}: two rows have the key \"{row['key']}\"")
        keys.add(row["key"])
    return Record(path, content)


def read_all(folder=FOLDER):
    """All records, the newest first. Commits of branches may be measured in any order: the clock decides."""
    records = [read(path) for path in sorted(folder.glob("*.json"))]
    return sorted(records, key=lambda record: (record.moment, record.path.name), reverse=True)


def newest(records, bench, key):
    """The newest record that holds a row; None where there is none."""
    return next((r for r in records if r.bench == bench and key in r.rows), None)


def newest_runs(records):
    """The newest record of each bench, for each choice of options: other options give other rows."""
    runs = {}
    for record in records:
        runs.setdefault((record.bench, record.options), record)
    return list(runs.values())


def _git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False)


def staleness(record):
    """What follows "records of COMMIT" where the figures may not be this tree's any more, or None."""
    if record.commit is None:
        return "cannot be judged"
    if record.is_dirty:
        return "were measured with changes that no commit holds"
    try:
        known = _git("cat-file", "-e", f"{record.commit}^{{commit}}").returncode == 0
    except OSError:
        return "cannot be judged, as there is no git"
    if not known:
        return "cannot be judged, as this clone does not have the commit"
    files = ["Sources", "Package.swift", *MORE_FILES.get(record.bench, [])]
    changed = _git("diff", "--name-only", record.commit, "HEAD", "--", *files, ":(exclude)*.md")
    count = len(changed.stdout.splitlines())
    if changed.returncode != 0:
        return "cannot be judged, as git diff fails"
    return f"are stale, as {count} files that decide the figures differ in HEAD" if count else None
