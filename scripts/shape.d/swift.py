"""The types, properties and functions that a Swift file declares, read from its text.

This knows as much of the language as the figures need. Bodies of functions are not looked into.
"""

import dataclasses
import pathlib
import re

import lexing

_WORD = re.compile(r"(?<![`.\w])(struct|class|actor|enum|extension|protocol|func|init|subscript|var|let)\b|[{(\[]")
_TYPES = ("struct", "class", "actor", "enum", "extension", "protocol")
_MODIFIERS = re.compile(
    r"(?:(?:@\w+(?:\([^()]*\))?|(?:public|package|internal|private|fileprivate|open|unowned|nonisolated)(?:\(\w+\))?"
    r"|static|class|lazy|weak|final|override|mutating|nonmutating|required|convenience)\s+)*$")
_OBSERVERS = re.compile(r"\s*(?:willSet|didSet)\b")


@dataclasses.dataclass
class Function:
    """`name` is `init` or `subscript` for those. `labels` are pairs: empty for `_`, and whether a call may lack it."""

    name: str
    labels: list
    modifiers: set
    file: pathlib.Path
    line: int
    last_line: int
    header: str
    body: str

    @property
    def lines(self) -> int:
        return self.last_line - self.line + 1

    @property
    def title(self) -> str:
        return f"{self.name}({''.join((label or '_') + ':' for label, _ in self.labels)})"


@dataclasses.dataclass
class Property:
    """`declared` is the type and the first value as they are written, such as `: Int = 1`. `accessors` is the code
    between the braces of a computed property, or of one that is observed; None where there are no braces.
    """

    name: str
    modifiers: set
    file: pathlib.Path
    line: int
    declared: str
    accessors: str | None

    @property
    def is_stored(self) -> bool:
        """Whether each value of the type has memory for it. A property that is observed has."""
        is_computed = self.accessors is not None and not _OBSERVERS.match(self.accessors)
        return not is_computed and not self.modifiers & {"static", "class"}

    @property
    def is_mutating(self) -> bool:
        """Whether reading it changes the value that it is a property of."""
        return bool(re.match(r"\s*mutating\s+get\b", self.accessors or ""))


@dataclasses.dataclass
class Type:
    """A type or an extension, with what it declares itself. `name` has the types that it lies in, joined by dots."""

    kind: str
    name: str
    file: pathlib.Path
    line: int
    properties: list = dataclasses.field(default_factory=list)
    functions: list = dataclasses.field(default_factory=list)

    @property
    def stored(self):
        return [each for each in self.properties if each.is_stored]


class Source:
    """One file. `types` are its types and extensions, also those within others; `functions` are those of no type."""

    def __init__(self, file, text):
        self.file, self.code, self.types, self.functions = file, lexing.code(text), [], []
        self._ends = lexing.closings(self.code)
        self._read(0, len(self.code), None)

    @property
    def lines(self) -> int:
        return self.code.count("\n")

    def line_of(self, place) -> int:
        return self.code.count("\n", 0, place) + 1

    def _read(self, place, end, owner):
        """Reads the declarations between two places that lie in no other brackets."""
        while match := _WORD.search(self.code, place, end):
            if match[1] is None:
                place = self._ends[match.start()] + 1
            elif match[1] in _TYPES:
                place = self._type(match, end, owner)
            elif match[1] in ("var", "let"):
                place = self._properties(match, end, owner)
            else:
                place = self._function(match, end, owner)

    def _modifiers(self, place):
        return set(re.findall(r"\w+", _MODIFIERS.search(self.code[max(0, place - 300):place])[0]))

    def _type(self, match, end, owner):
        name = re.compile(r"\s+([\w.]+)").match(self.code, match.end())
        brace = self.code.find("{", match.end(), end)
        # `class func` and `import struct A.B` declare no type.
        is_imported = self.code[:match.start()].endswith("import ")
        if not name or name[1] in ("func", "var", "let", "subscript") or is_imported or brace < 0:
            return match.end()
        found = Type(match[1], f"{owner.name}.{name[1]}" if owner else name[1], self.file, self.line_of(match.start()))
        self.types.append(found)
        # Functions of a protocol have no bodies, and its properties no memory.
        if found.kind != "protocol":
            self._read(brace + 1, self._ends[brace], found)
        return self._ends[brace] + 1

    def _function(self, match, end, owner):
        named = re.compile(r"\s+(\w+|`\w+`|[^\s\w(]+)").match(self.code, match.end())
        opening = self.code.find("(", match.end(), end)
        brace = self.code.find("{", self._ends[opening], end)
        last = self._ends[brace]
        (owner or self).functions.append(Function(
            name=named[1] if match[1] == "func" else match[1],
            labels=[_label(part) for part in lexing.parts(self.code[opening + 1:self._ends[opening]])],
            modifiers=self._modifiers(match.start()), file=self.file,
            line=self.line_of(match.start()), last_line=self.line_of(last),
            header=self.code[match.start():brace], body=self.code[brace + 1:last]))
        return last + 1

    def _properties(self, match, end, owner):
        """Reads `var a = 1, b: Int { … }`. Returns where that ends."""
        modifiers, place, goes_on = self._modifiers(match.start()), match.end(), True
        while goes_on:
            name = re.compile(r"\s*(\(|`?\w+`?)").match(self.code, place)
            names, line = [name[1]], self.line_of(name.end())
            start = name.end()
            if name[1] == "(":
                names = re.findall(r"\w+", self.code[start:self._ends[name.start(1)]])
                start = self._ends[name.start(1)] + 1
            stop, place, goes_on = self._behind_name(start, end)
            declared, accessors = self.code[start:stop].strip(), None
            if self.code[stop:stop + 1] == "{":
                accessors = self.code[stop + 1:self._ends[stop]]
            if owner:
                owner.properties += [
                    Property(each, modifiers, self.file, line, declared, accessors) for each in names]
        return place

    def _behind_name(self, place, end):
        """Where a property's type and value end, where its accessors end, and whether another property follows."""
        has_value, mark = False, re.compile(r"[=,;\n{(\[]|(?<=\w)<(?=\w)")
        while match := mark.search(self.code, place, end):
            start, place = match.start(), match.end()
            if match[0] in "([":
                place = self._ends[start] + 1
            elif match[0] == "<":
                # Commas between the types of a generic one part nothing.
                place = self.code.index(">", place)
            elif match[0] == "=":
                has_value = True
            elif match[0] == "{":
                place = self._ends[start] + 1
                # A value may have closures. Behind it come observers, if anything.
                if not has_value or _OBSERVERS.match(self.code, start + 1):
                    return start, place, False
            elif match[0] == ",":
                return start, place, True
            elif match[0] == ";" or not self._goes_on(start):
                return start, place, False
        return end, end, False

    def _goes_on(self, place):
        """Whether a declaration goes on behind this end of a line."""
        before, behind = self.code[max(0, place - 200):place].rstrip(), self.code[place:place + 200].lstrip()
        awaits = before.endswith(("=", ":", "->", "&", "|", "+", "-", "*", "/"))
        return awaits or behind.startswith(tuple(".?:=&|+*/{-"))


def _label(parameter):
    word = re.match(r"\s*(?:@\w+\s+)*(\w+)", parameter)
    return word[1] if word and word[1] != "_" else "", "=" in parameter


def bare(kind):
    """The type without `inout`, `any`, `?` and the like."""
    return re.sub(r"^\s*(?:(?:inout|some|any|borrowing|consuming|sending)\s+|@\w+\s+)*", "", kind).strip().rstrip("?!")


def element(kind):
    """What an array holds, or the values of a dictionary; None of any other type."""
    inner = re.fullmatch(r"\[(.*)\]", kind or "", re.DOTALL)
    return inner and bare(inner[1].rsplit(":", 1)[-1])


def type_of(declared):
    """The type of a property of `: T`, `= T(…)`, `= T.x` or `= [T](…)`; None where the text does not say."""
    if declared.startswith(":"):
        return bare(re.split(r"\s=\s", declared[1:])[0])
    value = re.match(r"=\s*(\[\w+\]|[A-Z]\w*)", declared)
    return value and value[1]
