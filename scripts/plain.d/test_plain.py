"""Tests of scripts/plain."""

import pathlib
import unittest

import main
import patterns
import texts


class Patterns(unittest.TestCase):
    def test_riddles_are_found(self):
        for text in (
                "What plays is no edit.", "Whose line it is.", "Of whom the event tells.", "Where it lies is for the server.",
                "Whoever asked is away.", "By which part it differs.", "It is to be freed.", "A setting, be it loud or soft.",
                "The state is as it became.", "Told once. What is told later waits.", "- What it costs", "**Who leaves** is away.",
                "Takes: what remains. Of those, the last one.", "That of the last moment."):
            self.assertTrue(patterns.hard_sentences(text), text)

    def test_plain_sentences_are_not(self):
        for text in (
                "What is it?", "The line that plays.", "Records whether the loop plays.", "Whether a hit waits.",
                "Where the sound begins, in frames.", "That is fine.", "How many hits wait.", "Undo restores what it took."):
            self.assertEqual(patterns.hard_sentences(text), [], text)


class Texts(unittest.TestCase):
    def test_lines_that_follow_one_another_are_one_comment(self):
        source = "/// A.\n///\n/// B.\nlet a = 1  // C.\n\n// D\n/* E\n * F */\nlet b = \"https://g // h\"\n"
        self.assertEqual(list(texts.comments(source)), [(1, "A.  B."), (4, "C."), (6, "D"), (7, "E F")])

    def test_paragraphs_items_and_cells_are_apart_and_code_is_none(self):
        text = "# A\nb\nc\n\n- d\n  e\n- f\n```\ng h\n```\n| i j | k |\n|---|---|\n"
        self.assertEqual(list(texts.paragraphs(text)), [(2, "b c"), (5, "- d e"), (7, "- f"), (11, "i j")])

    def test_tables_fences_and_what_cannot_be_broken_may_be_long(self):
        long = "a " * 60
        self.assertEqual(texts.long_prose(f"{long}\n| {long} |\n```\n{long}\n```\n- {'x' * 130}\n", 100), 1)


class Counting(unittest.TestCase):
    def test_a_count_may_fall_and_not_rise(self):
        budget = {"Sources": {"A": {"hard": 2}, "B": {"hard": 2}}}
        risen, fallen = main.differences({"Sources": {"A": {"hard": 3}, "B": {"hard": 1}, "C": {"hard": 1}}}, budget)
        self.assertEqual(([words[0] for words in risen], [words[0] for words in fallen]), (["A", "C"], ["B"]))

    def test_documents_are_counted_by_folder_and_the_page_apart(self):
        self.assertEqual(main.group_of(pathlib.Path("README.md")), "README.md")
        self.assertEqual(main.group_of(pathlib.Path("docs/guide/a.md")), "docs/guide/")
        self.assertEqual(main.module_of(pathlib.Path("Sources/JamWeb/Page/a.js")), "JamWeb/Page")
        self.assertEqual(main.module_of(pathlib.Path("Sources/JamWeb/A.swift")), "JamWeb")


if __name__ == "__main__":
    unittest.main()
