"""Keeps what each step of `make test` takes, in a CSV file: one row for each step, the last one that was recorded.

    record.py FILE STEP SECONDS CPU_SECONDS

git keeps the rows of before.
"""

import csv
import datetime
import os
import pathlib
import subprocess
import sys

COLUMNS = ("date", "commit", "step", "seconds", "cpu_seconds")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def commit() -> str:
    """The commit that was measured; with a plus where the files differ from it."""
    answer = subprocess.run(
        ["git", "describe", "--always", "--abbrev=8", "--exclude=*", "--dirty=+"], cwd=ROOT, capture_output=True, text=True)
    return answer.stdout.strip() or "unknown"


def read(path) -> dict:
    """The rows of a record by their steps; none where there is no record."""
    try:
        with open(path, newline="") as file:
            return {row["step"]: row for row in csv.DictReader(file)}
    except FileNotFoundError:
        return {}


def write(path, figures, is_gone=lambda step: False):
    """Puts `figures` (step: (seconds, CPU seconds)) into the record, and takes out the steps that are gone."""
    rows = {step: row for step, row in read(path).items() if not is_gone(step)}
    day, measured = datetime.date.today().isoformat(), commit()
    for step, (seconds, cpu) in figures.items():
        rows[step] = dict(zip(COLUMNS, (day, measured, step, f"{seconds:.1f}", f"{cpu:.1f}")))
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # As a whole or not at all.
    draft = path.with_name(path.name + ".new")
    with open(draft, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows[step] for step in sorted(rows))
    os.replace(draft, path)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    write(sys.argv[1], {sys.argv[2]: (float(sys.argv[3]), float(sys.argv[4]))})
