"""The tables: their definitions in docs/bench/tables.json, and their lines from the records."""

import json
import math
import pathlib
import re

from records import Failure, newest

DEFINITIONS = pathlib.Path("docs/bench/tables.json")
MISSED = "**missed**"


class Row:
    """What one row of a table shows: the figures of one or more rows of a bench."""

    def __init__(self, content, where):
        allowed = {"id", "what", "bench", "keys", "covers", "unit", "goal", "before", "told"}
        wrong = set(content) - allowed
        if wrong or not {"id", "what", "bench", "keys"} <= set(content):
            raise Failure(f"{where}: a row has id, what, bench and keys, and no {sorted(wrong)}")
        self.id = content["id"]
        self.what = content["what"]
        self.bench = content["bench"]
        self.keys = content["keys"]
        # Patterns of other rows of the bench that this one stands for; * is any text.
        self.covers = content.get("covers", [])
        # Instead of the unit that the bench says.
        self.unit = content.get("unit")
        # Words for a goal that the bench itself does not know.
        self.goal = content.get("goal", "")
        self.before = content.get("before", "")
        # What a document told before there were records: measured, goal, date, commit.
        self.told = content.get("told")

    def shows(self, bench, key):
        """Whether the row shows a row of a bench, or stands for it."""
        if bench != self.bench:
            return False
        return key in self.keys or any(matches(pattern, key) for pattern in self.covers)

    def records(self, records):
        """For each key the newest record that holds it, or None."""
        return [newest(records, self.bench, key) for key in self.keys]

    def cells(self, records):
        """What was measured, the goal, and when it was taken."""
        found = self.records(records)
        if None not in found:
            return self._recorded(found)
        if self.told:
            return (self.told["measured"], self.told["goal"],
                    f"told {self.told['date']}, `{self.told['commit']}`")
        return "–", self.goal, "not yet"

    def _recorded(self, found):
        rows = [record.rows[key] for record, key in zip(found, self.keys)]
        units = [row["unit"] if self.unit is None else self.unit for row in rows]
        measured = joined([measure(row) for row in rows], units)
        taken = list(dict.fromkeys(record.taken for record in found))
        return measured, self._goal(rows, units, found), "; ".join(taken)

    def _goal(self, rows, units, found):
        goals = [target(row.get("target")) for row in rows]
        missed = [row.get("met") is False for row in rows]
        if not any(goals):
            text = self.goal
        elif len(set(goals)) == 1 and len(set(units)) == 1:
            text = with_unit(goals[0], units[0])
            if any(missed):
                text += f": {MISSED}"
                text += "" if all(missed) else f" by {sum(missed)} of {len(missed)}"
        else:
            text = "; ".join(
                (with_unit(goal, unit) + (f" {MISSED}" if is_missed else "")) if goal else "–"
                for goal, unit, is_missed in zip(goals, units, missed))
        hidden = [key for key, row in found[0].rows.items()
                  if key not in self.keys and self.shows(self.bench, key) and row.get("met") is False]
        return text + (f"; {MISSED} by {len(hidden)} more: {', '.join(hidden)}" if hidden else "")


class Table:
    """One table of a document, between its markers."""

    def __init__(self, name, file, rows, has_before):
        self.name = name
        self.file = pathlib.Path(file)
        # Pairs of what the row is called here, and the row.
        self.rows = rows
        self.has_before = has_before

    def lines(self, records):
        """The lines of the table, in Markdown."""
        head = ["what", "measured", *(["before"] if self.has_before else []), "goal", "taken"]
        lines = [line(head), "|" + "---|" * len(head)]
        for what, row in self.rows:
            measured, goal, taken = row.cells(records)
            lines.append(line([what, measured, *([row.before] if self.has_before else []), goal, taken]))
        return lines


def line(cells):
    """One line of a table; an empty cell is one space wide."""
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def matches(pattern, key):
    """Whether a key is what a pattern says, in which * is any text."""
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), key) is not None


def number(value):
    """Three digits that matter, two below 1, all of a whole number; None is what could not be measured."""
    if value is None:
        return "–"
    size = abs(value)
    if size == int(size) or size >= 99.95:
        text = f"{round(size):,}"
    elif size >= 0.995:
        text = f"{size:.1f}" if size >= 9.995 else f"{size:.2f}"
    elif size < 0.0001:
        return "< 0.0001" if value > 0 else "> −0.0001"
    else:
        text = f"{size:.{1 - math.floor(math.log10(size))}f}"
    return ("−" if value < 0 else "") + text


def measure(row):
    """The median, and the spread where there is one."""
    low, middle, high = (number(row[field]) for field in ("min", "median", "max"))
    if low == middle == high:
        return middle
    signed = any(text.startswith(("−", "<", ">")) for text in (low, high))
    return f"{middle} ({low}{'…' if signed else '–'}{high})"


def target(bound):
    """A goal in signs; an empty text where there is none."""
    if not bound:
        return ""
    (kind, value), = bound.items()
    if (kind, value) == ("atMost", 0):
        return "0"
    return {"atLeast": lambda: f"≥ {number(value)}", "atMost": lambda: f"≤ {number(value)}",
            "allAtLeast": lambda: f"each ≥ {number(value)}", "allAtMost": lambda: f"each ≤ {number(value)}",
            "allWithin": lambda: f"each {number(value[0])}…{number(value[1])}"}[kind]()


def with_unit(text, unit):
    """A figure with its unit."""
    return f"{text} {unit}" if unit else text


def joined(figures, units):
    """Figures beside each other; a unit that all have is said once. A comma stands in numbers already."""
    if len(set(units)) == 1:
        return with_unit("; ".join(figures), units[0])
    return "; ".join(with_unit(figure, unit) for figure, unit in zip(figures, units))


def read(path=DEFINITIONS):
    """All tables, in the order of the file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}") from None
    by_id, tables = {}, []
    for name, table in content.items():
        for entry in table["rows"]:
            if "id" in entry:
                row = Row(entry, f"{path}, table {name}, row {entry['id']}")
                if row.id in by_id:
                    raise Failure(f"{path}: two rows have the id {row.id}")
                by_id[row.id] = row
    for name, table in content.items():
        rows = []
        for entry in table["rows"]:
            # A row of another table stands here again, by its id.
            reference = entry.get("id") or entry.get("same")
            if reference not in by_id:
                raise Failure(f"{path}, table {name}: there is no row {reference}")
            rows.append((entry.get("what") or by_id[reference].what, by_id[reference]))
        if len({what for what, _ in rows}) < len(rows):
            raise Failure(f"{path}, table {name}: two rows are called the same")
        tables.append(Table(name, table["file"], rows, table.get("before", False)))
    return tables
