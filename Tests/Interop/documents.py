"""The commands of README.md and docs/guide: what stands in their fences."""

import dataclasses
import pathlib
import re

from server import ROOT

FENCE = re.compile(r"^(\s*)```(\w*)\s*$")


@dataclasses.dataclass
class Fence:
    tag: str
    line: int
    lines: list

    @property
    def commands(self):
        """Line and text of each command: a backslash at a line's end joins the next line, a comment alone is none."""
        joined, start = "", None
        for number, line in enumerate(self.lines, self.line + 1):
            start = start or number
            joined += line.removesuffix("\\")
            if line.endswith("\\"):
                continue
            if joined.strip() and not joined.lstrip().startswith("#"):
                yield start, joined.strip()
            joined, start = "", None


class Document:
    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.fences = []
        fence = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            mark = FENCE.match(line)
            if fence is not None and mark and not mark[2]:
                self.fences.append(fence)
                fence = None
            elif fence is not None:
                fence.lines.append(line)
            elif mark:
                fence = Fence(mark[2], number, [])

    def commands(self, tag):
        return [each for fence in self.fences if fence.tag == tag for each in fence.commands]

    def text(self, tag):
        """The first fence with that tag, as it stands."""
        return next("\n".join(fence.lines) + "\n" for fence in self.fences if fence.tag == tag)


def all_documents():
    return [Document(path) for path in [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]]


def document(name: str) -> Document:
    return Document(ROOT / pathlib.Path(name))
