"""Swift as text: what is code, and which brackets belong together. Literals of regular expressions are not known."""

import re

_MARK = re.compile(r'//[^\n]*|/\*|(#*)("""|")|[()]')
_BRACKET = re.compile(r"[{}()\[\]]")


def code(text):
    """The text with spaces in place of comments and of the words in strings. Code within `\\( )` of a string stays."""
    return "".join(_code(text, 0, False)[0])


def closing(text, opening):
    """Where the bracket at `opening` is closed; the end of the text where it is not."""
    depth = 0
    for match in _BRACKET.finditer(text, opening):
        depth += 1 if match[0] in "{([" else -1
        if depth == 0:
            return match.start()
    return len(text)


def closings(text):
    """Where each bracket is closed, by where it is opened."""
    opened, ends = [], {}
    for match in _BRACKET.finditer(text):
        if match[0] in "{([":
            opened.append(match.start())
        elif opened:
            ends[opened.pop()] = match.start()
    return ends


def parts(text):
    """What stands between the commas that lie in no brackets."""
    found, depth, start = [], 0, 0
    for match in re.finditer(r"[{(\[\])},]", text):
        if match[0] != ",":
            depth += 1 if match[0] in "{([" else -1
        elif depth == 0:
            found.append(text[start:match.start()])
            start = match.end()
    return [part for part in [*found, text[start:]] if part.strip()]


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def _code(text, place, is_within_string):
    """The code from `place` to the end, or to the parenthesis that ends an interpolation; and where it ends."""
    kept, depth = [], 0
    while match := _MARK.search(text, place):
        kept.append(text[place:match.start()])
        place, mark = match.end(), match[0]
        if mark.startswith("//"):
            kept.append(_blank(mark))
        elif mark == "/*":
            place = _end_of_comment(text, place)
            kept.append(_blank(text[match.start():place]))
        elif match[2]:
            inner, place = _string(text, place, match[1], match[2])
            kept += [_blank(match[1]), match[2], *inner]
        else:
            depth += 1 if mark == "(" else -1
            kept.append(mark)
            if depth < 0 and is_within_string:
                return kept, place
    return [*kept, text[place:]], len(text)


def _end_of_comment(text, place):
    """Comments between `/*` and `*/` may lie in one another."""
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, place):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _string(text, place, hashes, quotes):
    """The string from behind its first quotes to its last, blanked; and where it ends."""
    kept, end, escape = [], quotes + hashes, re.escape("\\" + hashes)
    mark = re.compile(rf"{re.escape(end)}|{escape}(?:\(|.)", re.DOTALL)
    while match := mark.search(text, place):
        kept.append(_blank(text[place:match.start()]))
        place = match.end()
        if match[0] == end:
            return [*kept, quotes, _blank(hashes)], place
        kept.append(_blank(match[0][:-1]))
        if match[0].endswith("("):
            inner, place = _code(text, place, True)
            kept += ["(", *inner]
        else:
            kept.append(_blank(match[0][-1]))
    return kept, len(text)
