"""The documents, and the places in them that hold a table."""

import re

from records import Failure

BEGIN = re.compile(r"<!-- figures: (.+?) -->")
END = "<!-- end of figures -->"


class Document:
    """A Markdown file with tables between markers."""

    def __init__(self, path):
        self.path = path
        try:
            self.lines = path.read_text(encoding="utf-8").split("\n")
        except OSError as error:
            raise Failure(f"{path}: {error}") from None

    def tables(self):
        """For each table's name the numbers of its first line and of the line behind its last."""
        found, name, begin = {}, None, 0
        for index, text in enumerate(self.lines):
            mark = BEGIN.fullmatch(text.strip())
            if mark:
                if name is not None:
                    raise Failure(f"{self.path}:{index + 1}: the table {name} has no end: {END}")
                name, begin = mark[1], index + 1
                if name in found:
                    raise Failure(f"{self.path}:{index + 1}: the table {name} is there twice")
            elif text.strip() == END:
                if name is None:
                    raise Failure(f"{self.path}:{index + 1}: an end of figures without a beginning")
                found[name] = (begin, index)
                name = None
        if name is not None:
            raise Failure(f"{self.path}: the table {name} has no end: {END}")
        return found

    def table(self, name):
        """The lines of one table."""
        if name not in self.tables():
            raise Failure(f"{self.path}: there is no table {name}: <!-- figures: {name} --> … {END}")
        begin, end = self.tables()[name]
        return self.lines[begin:end]

    def replace(self, name, lines):
        """Puts other lines in the place of a table."""
        self.table(name)
        begin, end = self.tables()[name]
        self.lines[begin:end] = lines

    def write(self):
        self.path.write_text("\n".join(self.lines), encoding="utf-8")


def first_cell(text):
    """What a line of a table is about."""
    return text.strip().strip("|").split("|")[0].strip()


def differences(stands, wanted):
    """Of two tables' lines, each row that differs: its name, what stands, and what should stand."""
    old, new = ({first_cell(text): text for text in lines} for lines in (stands, wanted))
    for name in dict.fromkeys([*new, *old]):
        if old.get(name) != new.get(name):
            yield name, old.get(name, "nothing"), new.get(name, "nothing")
    if set(old.items()) == set(new.items()) and stands != wanted:
        yield "all", "the rows in another order, or twice", "the rows in the order of the definitions"
