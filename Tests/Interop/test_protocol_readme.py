"""Protocol/README.md: its program runs as it stands, and prints what the page shows."""

import re
import subprocess
import sys
import unittest

from documents import document
from server import Server

# How long the program may take, in seconds.
LIMIT = 60
PLACE = '"localhost", 8000'
# A token is another one each time, and so are moments.
TOKEN = re.compile(r"\b[a-z0-9]{26}\b")
NUMBER = re.compile(r"\b\d+\.\d+\b|\b\d+\b")


def shape(text):
    """The lines without the numbers and tokens that differ from run to run. Addresses and sentences stay."""
    def part(word):
        return word if word.startswith("/") else NUMBER.sub("0", TOKEN.sub("TOKEN", word))

    return [" ".join(part(word) for word in line.split()) for line in text.splitlines()]


class ProtocolReadme(unittest.TestCase):
    def test_its_program_prints_what_the_page_shows(self):
        page = document("Protocol/README.md")
        program = page.text("python")
        self.assertEqual(program.count(PLACE), 1)
        self.assertLessEqual(len(program.splitlines()), 20, "the page says twenty lines")
        with Server() as server:
            result = subprocess.run(
                [sys.executable, "-c", program.replace(PLACE, f'"127.0.0.1", {server.osc}')],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        self.assertEqual(shape(result.stdout), shape(page.text("text")))


class Shape(unittest.TestCase):
    def test_numbers_and_tokens_may_differ_and_nothing_else(self):
        told = "answered /welcome main ann 1 120.0 4 64kes2tmradfr7igire4xmujyz"
        self.assertEqual(shape(told), ["answered /welcome main ann 0 0 0 TOKEN"])
        self.assertEqual(shape("sent     /pad/17 1.0"), ["sent /pad/17 0"])
        self.assertNotEqual(shape(told), shape(told.replace("ann", "bob")))


if __name__ == "__main__":
    unittest.main()
