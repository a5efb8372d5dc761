"""Comments of source files, and paragraphs of documents."""

import re

_LINE_COMMENT = re.compile(r"^\s*//[/!]?\s?(.*)$")
# Behind code. An address as https:// has no space in front.
_TRAILING = re.compile(r"^(?=\s*[^\s/]).*?\s//\s(.*)$")
_FENCE = re.compile(r"^\s*(?:>\s*)*(`{3,}|~{3,})")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s")


def comments(text):
    """Line and text of each comment. Lines of comments that follow one another are one comment."""
    held, start, block = [], 0, False
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if block:
            block = "*/" not in stripped
            held.append(re.sub(r"^\*+\s?|\*+/.*$", "", stripped))
            if not block:
                yield start, " ".join(held).strip()
                held = []
            continue
        match = _LINE_COMMENT.match(line)
        if match:
            start = start if held else number
            held.append(match[1])
            continue
        if held:
            yield start, " ".join(held).strip()
            held = []
        if stripped.startswith("/*"):
            start, block = number, "*/" not in stripped
            held = [re.sub(r"^/\*+\s?|\*+/.*$", "", stripped)]
            if not block:
                yield start, held[0].strip()
                held = []
            continue
        match = _TRAILING.match(line)
        if match and match[0].count('"', 0, match.start(1)) % 2 == 0:
            yield number, match[1].strip()
    if held:
        yield start, " ".join(held).strip()


def paragraphs(text):
    """Line and text of each paragraph, list item and table cell outside fences. A heading may be a clause."""
    held, start, fence = [], 0, None
    for number, line in enumerate(text.split("\n") + [""], 1):
        mark = _FENCE.match(line)
        stops = fence is not None or mark or not line.strip() or line.lstrip().startswith(("|", "#", "<!--"))
        if held and (stops or _ITEM.match(line)):
            yield start, " ".join(held)
            held = []
        if fence is not None:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = None
        elif mark:
            fence = mark[1]
        elif line.lstrip().startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                if " " in cell.strip() and not set(cell) <= set("-: "):
                    yield number, cell.strip()
        elif line.strip() and not stops:
            start = start if held else number
            held.append(line.strip())


def long_prose(text, columns):
    """How many lines of prose are longer. Tables, fences, and lines that cannot be broken have their own length."""
    count, fence = 0, None
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence is not None:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = None
        elif mark:
            fence = mark[1]
        elif len(line) > columns and not line.lstrip().startswith("|") and " " in line.strip()[:columns].removeprefix("- "):
            count += 1
    return count
