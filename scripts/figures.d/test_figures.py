"""Tests of scripts/figures, which `scripts/figures --check` runs."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import documents
import main
import records
import tables
from records import Failure


def content(rows, **more):
    """A record as the bench writes it."""
    return {"bench": "osc", "options": [], "date": "2026-11-28", "time": "04:12:33", "commit": "1a2b3c4d",
            "dirty": False, "machine": "a test", "rows": rows, **more}


def row(key, median, low=None, high=None, **more):
    low, high = (median if low is None else low), (median if high is None else high)
    return {"key": key, "unit": "µs", "median": median, "min": low, "max": high, **more}


def record(rows, **more):
    return records.Record(pathlib.Path("test.json"), content(rows, **more))


def shown(more, *all_records):
    """The cells of a row of the bench of OSC."""
    definition = {"id": "a", "what": "A", "bench": "osc", "keys": ["a"], **more}
    return tables.Row(definition, "test").cells(list(all_records))


class Figures(unittest.TestCase):
    def test_numbers_have_the_digits_that_matter(self):
        for value, text in [(None, "–"), (0, "0"), (4.0, "4"), (5150.4, "5,150"), (1234567.0, "1,234,567"),
                            (99.97, "100"), (12.34, "12.3"), (9.996, "10.0"), (2.345, "2.35"), (0.998, "1.00"),
                            (0.0704, "0.070"), (0.00777, "0.0078"), (0.00001, "< 0.0001"), (-16.12, "−16.1"),
                            (-0.00001, "> −0.0001")]:
            self.assertEqual(tables.number(value), text)

    def test_a_spread_is_shown_where_there_is_one(self):
        self.assertEqual(tables.measure(row("a", 2.7, 2.6, 2.8)), "2.70 (2.60–2.80)")
        self.assertEqual(tables.measure(row("a", 2.7)), "2.70")
        self.assertEqual(tables.measure(row("a", -16.1, -16.9, 15.5)), "−16.1 (−16.9…15.5)")

    def test_goals_have_signs(self):
        for bound, text in [(None, ""), ({"atLeast": 100}, "≥ 100"), ({"atMost": 0}, "0"), ({"atMost": 5.5}, "≤ 5.50"),
                            ({"allAtMost": -80}, "each ≤ −80"), ({"allAtLeast": 1}, "each ≥ 1"),
                            ({"allWithin": [-17, -15]}, "each −17…−15")]:
            self.assertEqual(tables.target(bound), text)

    def test_a_star_is_any_text_and_a_point_is_itself(self):
        self.assertTrue(tables.matches("beat on *", "beat on dub"))
        self.assertFalse(tables.matches("beat on *", "a beat on dub"))
        self.assertFalse(tables.matches("2.5 ms", "295 ms"))


class Rows(unittest.TestCase):
    def test_a_row_has_its_figure_its_goal_and_when_it_was_taken(self):
        found = record([row("a", 2.7, 2.6, 2.8, target={"atMost": 5}, met=True)])
        self.assertEqual(shown({}, found), ("2.70 (2.60–2.80) µs", "≤ 5 µs", "2026-11-28, `1a2b3c4d`"))

    def test_a_goal_that_is_missed_says_so(self):
        found = record([row("a", 8.5, target={"atMost": 5}, met=False)])
        self.assertEqual(shown({}, found)[1], "≤ 5 µs: **missed**")

    def test_of_several_figures_the_missed_ones_are_named_or_counted(self):
        bound = {"target": {"atMost": 5}}
        found = record([row("a", 4, **bound, met=True), row("b", 8, **bound, met=False)])
        self.assertEqual(shown({"keys": ["a", "b"]}, found)[:2], ("4; 8 µs", "≤ 5 µs: **missed** by 1 of 2"))
        found = record([row("a", 4, **bound, met=True), row("b", 8, target={"atMost": 7}, met=False), row("c", 1)])
        self.assertEqual(shown({"keys": ["a", "b", "c"]}, found)[1], "≤ 5 µs; ≤ 7 µs **missed**; –")

    def test_a_row_that_stands_for_others_tells_which_of_them_are_missed(self):
        bound = {"target": {"atMost": 5}}
        found = record([row("a", 4, **bound, met=True), row("on x", 6, **bound, met=False), row("on y", 4, **bound)])
        self.assertEqual(shown({"covers": ["on *"]}, found)[1], "≤ 5 µs; **missed** by 1 more: on x")

    def test_a_figure_that_could_not_be_measured_is_a_dash_and_missed(self):
        found = record([row("a", None, target={"atMost": 5}, met=False)])
        self.assertEqual(shown({}, found)[:2], ("– µs", "≤ 5 µs: **missed**"))

    def test_the_definition_may_have_another_unit_and_words_for_a_goal(self):
        found = record([row("a", 2)])
        self.assertEqual(shown({"unit": "times", "goal": "none by it"}, found)[:2], ("2 times", "none by it"))

    def test_a_row_without_a_record_tells_what_was_told_or_nothing(self):
        told = {"measured": "8.3–8.9 µs", "goal": "≤ 2.5 µs", "date": "2026-11-27", "commit": "50c1b598"}
        self.assertEqual(shown({"told": told}), ("8.3–8.9 µs", "≤ 2.5 µs", "told 2026-11-27, `50c1b598`"))
        self.assertEqual(shown({}), ("–", "", "not yet"))
        # A record of one of two figures is no record of the row.
        self.assertEqual(shown({"keys": ["a", "b"], "told": told}, record([row("a", 1)]))[0], "8.3–8.9 µs")

    def test_a_row_that_is_not_taken_anew_keeps_its_date(self):
        old = record([row("a", 1), row("b", 2)], date="2026-11-27", commit="0a0b0c0d")
        new = record([row("a", 3)])
        self.assertEqual(shown({}, new, old)[2], "2026-11-28, `1a2b3c4d`")
        self.assertEqual(shown({"keys": ["b"]}, new, old)[2], "2026-11-27, `0a0b0c0d`")
        self.assertEqual(shown({"keys": ["a", "b"]}, new, old)[2], "2026-11-28, `1a2b3c4d`; 2026-11-27, `0a0b0c0d`")

    def test_changes_beyond_a_commit_and_no_commit_are_told(self):
        self.assertEqual(shown({}, record([row("a", 1)], dirty=True))[2], "2026-11-28, `1a2b3c4d`+")
        self.assertEqual(shown({}, record([row("a", 1)], commit=None))[2], "2026-11-28, commit unknown")


class Files(unittest.TestCase):
    """The whole way, in a folder of its own that git knows."""

    def setUp(self):
        # Where a hook of git runs the tests, these would name the project's own repository.
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            del os.environ[name]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        records.FOLDER.mkdir(parents=True)
        self.write("Sources/A.swift", "let a = 1")
        self.write("README.md", "# A\n\n<!-- figures: osc -->\n<!-- end of figures -->\n\nB\n")
        self.define({"id": "a", "what": "A", "bench": "osc", "keys": ["a"]})
        self.git("init", "--quiet")
        self.commit()

    def write(self, path, text):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text(text, encoding="utf-8")

    def define(self, *rows):
        self.write("docs/bench/tables.json", json.dumps({"osc": {"file": "README.md", "rows": rows}}))

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *words],
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", "A")
        return self.git("rev-parse", "--short=8", "HEAD")

    def record(self, name, rows, **more):
        self.write(records.FOLDER / f"{name}.json", json.dumps(content(rows, **more)))

    def state(self):
        all_records, all_tables = records.read_all(), tables.read()
        files = {table.file: documents.Document(table.file) for table in all_tables}
        return all_tables, all_records, files

    def problems(self):
        return list(main.problems(*self.state()))

    def notices(self):
        return list(main.notices(*self.state()[:2]))

    def test_tables_are_made_and_the_rest_of_a_document_stays(self):
        self.record("1", [row("a", 2, target={"atMost": 5}, met=True)])
        self.assertEqual(main.make(*self.state()), [pathlib.Path("README.md")])
        self.assertEqual(
            pathlib.Path("README.md").read_text(encoding="utf-8"),
            "# A\n\n<!-- figures: osc -->\n| what | measured | goal | taken |\n|---|---|---|---|\n"
            "| A | 2 µs | ≤ 5 µs | 2026-11-28, `1a2b3c4d` |\n<!-- end of figures -->\n\nB\n")
        self.assertEqual(self.problems(), [])
        self.assertEqual(main.make(*self.state()), [])

    def test_a_table_that_differs_is_named_with_what_stands_and_what_should(self):
        self.record("1", [row("a", 2)])
        main.make(*self.state())
        self.record("2", [row("a", 3)], time="05:00:00")
        found = self.problems()
        self.assertEqual(len(found), 1)
        for text in ["README.md, table osc, row \"A\"", "stands:       | A | 2 µs", "should stand: | A | 3 µs"]:
            self.assertIn(text, found[0])

    def test_a_record_with_a_goal_that_no_table_shows_is_named(self):
        self.record("1", [row("a", 2), row("b", 2), row("c", 2, target={"atMost": 5}, met=True)])
        main.make(*self.state())
        self.assertEqual(len(self.problems()), 1)
        self.assertIn("\"c\" has a goal, and no table shows it", self.problems()[0])

    def test_a_row_that_a_newer_run_has_no_more_is_no_problem(self):
        self.record("1", [row("a", 2), row("c", 2, target={"atMost": 5}, met=True)], date="2026-11-27")
        self.record("2", [row("a", 2)])
        main.make(*self.state())
        self.assertEqual(self.problems(), [])

    def test_a_key_that_its_bench_does_not_record_is_told(self):
        self.define({"id": "a", "what": "A", "bench": "osc", "keys": ["b"]})
        self.record("1", [row("a", 2)])
        self.assertIn("row a: the records of osc have no \"b\"", self.notices())
        # A part of a bench may leave a row out.
        self.record("1", [row("a", 2)], options=["--part", "mix"])
        self.assertNotIn("row a: ", "".join(self.notices()))

    def test_documents_do_not_make_a_record_stale_and_sources_do(self):
        self.record("1", [row("a", 2)], commit=self.commit())
        self.write("Sources/A.md", "A")
        self.commit()
        self.assertEqual(self.notices(), [])
        self.write("Sources/A.swift", "let a = 2")
        self.commit()
        self.assertIn("are stale, as 1 files that decide the figures differ in HEAD: osc", self.notices()[0])

    def test_records_of_unknown_commits_are_told_and_are_no_problem(self):
        for commit, dirty, text in [("ffffffff", False, "this clone does not have the commit"),
                                    (None, False, "an unknown commit cannot be judged"),
                                    ("ffffffff", True, "were measured with changes")]:
            self.record("1", [row("a", 2)], commit=commit, dirty=dirty)
            main.make(*self.state())
            self.assertIn(text, self.notices()[0])
            self.assertEqual(self.problems(), [])

    def test_a_file_that_is_no_record_is_named(self):
        for text in ["", "[]", "{}", json.dumps(content([{"key": "a"}])), json.dumps(content([], date="today")),
                     json.dumps(content([row("a", 1), row("a", 2)])), json.dumps(content([row("a", "2")]))]:
            self.write(records.FOLDER / "1.json", text)
            with self.assertRaisesRegex(Failure, "1.json"):
                records.read_all()

    def test_definitions_that_cannot_be_are_named(self):
        good = {"id": "a", "what": "A", "bench": "osc", "keys": ["a"]}
        for rows in [[good, good], [good, {"same": "b"}], [{**good, "id": "b"}, good], [{**good, "key": "a"}]]:
            self.define(*rows)
            with self.assertRaisesRegex(Failure, "tables.json"):
                tables.read()

    def test_markers_that_do_not_fit_are_named(self):
        for text in ["", "<!-- figures: osc -->\n", "<!-- end of figures -->\n",
                     "<!-- figures: osc -->\n<!-- figures: b -->\n<!-- end of figures -->\n",
                     "<!-- figures: osc -->\n<!-- end of figures -->\n" * 2]:
            self.write("README.md", text)
            with self.assertRaisesRegex(Failure, "README.md"):
                self.problems()
        self.write("README.md", "<!-- figures: osc -->\n<!-- end of figures -->\n<!-- figures: b -->\n<!-- end of figures -->\n")
        self.assertIn("no table b is defined", "".join(self.problems()))
