"""scripts/figures: makes the tables of the documents from the records, or compares them."""

import argparse
import collections
import io
import pathlib
import sys
import unittest

import documents
import records
import tables


def make(all_tables, all_records, files):
    """Writes the tables into the documents; returns the paths of those that changed."""
    changed = []
    for path, document in files.items():
        before = list(document.lines)
        for table in all_tables:
            if table.file == path:
                document.replace(table.name, table.lines(all_records))
        if document.lines != before:
            document.write()
            changed.append(path)
    return changed


def problems(all_tables, all_records, files):
    """Everything in which the documents, the definitions and the records differ."""
    for table in all_tables:
        stands, wanted = files[table.file].table(table.name), table.lines(all_records)
        for name, old, new in documents.differences(stands, wanted):
            yield (f"{table.file}, table {table.name}, row \"{name}\"\n"
                   f"    stands:       {old}\n    should stand: {new}")
    for path, document in files.items():
        for name in document.tables():
            if not any(table.file == path and table.name == name for table in all_tables):
                yield f"{path}: no table {name} is defined in {tables.DEFINITIONS}"
    rows = [row for table in all_tables for _, row in table.rows]
    for record in records.newest_runs(all_records):
        for key, row in record.rows.items():
            if row.get("target") and not any(shown.shows(record.bench, key) for shown in rows):
                yield (f"{record.path}: \"{key}\" has a goal, and no table shows it: "
                       f"add it to a row of {tables.DEFINITIONS}")


def notices(all_tables, all_records):
    """What a reader should know and that is no error: stale records, and rows that no record holds."""
    rows = {row.id: row for table in all_tables for _, row in table.rows}.values()
    shown = {record for row in rows for record in row.records(all_records) if record}
    reasons = collections.defaultdict(set)
    for record in shown:
        reason = records.staleness(record)
        if reason:
            reasons[record.commit, reason].add(record.bench)
    for (commit, reason), benches in sorted(reasons.items(), key=str):
        yield f"records of {commit or 'an unknown commit'} {reason}: {', '.join(sorted(benches))}"
    unrecorded = [row for row in rows if None in row.records(all_records)]
    if unrecorded:
        yield f"{len(unrecorded)} of {len(rows)} rows have no record yet"
    # A key that is written wrong would never be found: its bench has records, and the row has none.
    recorded = {record.bench for record in records.newest_runs(all_records) if "--part" not in record.options}
    for row in unrecorded:
        if row.bench in recorded:
            missing = [key for key, record in zip(row.keys, row.records(all_records)) if record is None]
            yield f"row {row.id}: the records of {row.bench} have no \"{missing[0]}\""


def self_test():
    """The text of what failed; empty where nothing did."""
    output = io.StringIO()
    suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
    result = unittest.TextTestRunner(stream=output, verbosity=0).run(suite)
    return "" if result.wasSuccessful() and result.testsRun else output.getvalue()


def main():
    parser = argparse.ArgumentParser(prog="scripts/figures", description=__doc__)
    parser.add_argument(
        "--check", action="store_true",
        help="write nothing; exit with 1 where a table differs from the records; run the script's own tests")
    check = parser.parse_args().check
    try:
        all_records, all_tables = records.read_all(), tables.read()
        files = {table.file: None for table in all_tables}
        files = {path: documents.Document(path) for path in files}
        if not check:
            for path in make(all_tables, all_records, files):
                print(f"{path}: written")
        found = list(problems(all_tables, all_records, files))
    except records.Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    for text in found:
        print(text, file=sys.stderr)
    if check:
        for text in notices(all_tables, all_records):
            print(f"note: {text}")
        failed = self_test()
        if failed:
            found.append(failed)
            print(f"the tests of scripts/figures fail:\n{failed}", file=sys.stderr)
        if found:
            print("scripts/figures makes the tables anew", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
