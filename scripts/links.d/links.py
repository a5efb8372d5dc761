"""Links and headings of Markdown, as GitHub reads them."""

import dataclasses
import re
import urllib.parse

FENCE = re.compile(r"^\s*(?:>\s*)*(`{3,}|~{3,})")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
# The target ends at the first space or parenthesis that is not in parentheses of its own.
LINK = re.compile(r"\]\(\s*<?((?:[^()\s<>]|\([^()\s]*\))*)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)")
HTML = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"", re.IGNORECASE)
ANCHOR = re.compile(r"<\w+\b[^>]*?\b(?:id|name)=\"([^\"]*)\"", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Link:
    line: int
    target: str

    @property
    def is_elsewhere(self) -> bool:
        """Whether it leads to another site."""
        return bool(urllib.parse.urlsplit(self.target).scheme) or self.target.startswith("//")

    @property
    def path(self) -> str:
        return urllib.parse.unquote(self.target.partition("#")[0].partition("?")[0])

    @property
    def anchor(self) -> str:
        return urllib.parse.unquote(self.target.partition("#")[2])


def text_lines(text):
    """Number and text of each line outside fences."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = FENCE.match(line)
        if fence is not None:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = None
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def links(text):
    """Every link of a document. A link may go on in the next line."""
    lines = [(number, INLINE_CODE.sub("", line)) for number, line in text_lines(text)]
    for number, line in lines:
        for pattern in (LINK, DEFINITION, HTML):
            for match in pattern.finditer(line):
                yield Link(number, match[1])
    # "](" at the end of one line, and the target in the next.
    for (number, line), (_, following) in zip(lines, lines[1:]):
        if line.endswith("]("):
            match = LINK.match("](" + following.strip())
            if match:
                yield Link(number, match[1])


def slug(heading):
    """The anchor that GitHub gives a heading: lower case, spaces to hyphens, no other signs."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"<[^>]+>", "", heading) if "`" not in heading else heading
    kept = (c for c in heading.strip().lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def anchors(text):
    """Every anchor of a document: its headings, with -1, -2 … where one comes again, and what HTML names."""
    found, counts = set(), {}
    for _, line in text_lines(text):
        found.update(ANCHOR.findall(line))
        match = HEADING.match(line)
        if match:
            name = slug(match[2].replace("*", "") if "`" not in match[2] else match[2])
            count = counts.get(name, 0)
            counts[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
    return found
