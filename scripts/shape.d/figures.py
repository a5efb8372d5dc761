"""The figures of scripts/shape: what each counts, and where."""

import collections
import dataclasses
import re

import calls
import lexing
import swift

# Some settings whose case no other enum has: a new setting touches about as many files as name one of these.
SETTINGS = ("metronomeGain", "swing", "quantizeStrength", "loopQuantize")
# Words that tell of a rule in the wrong place, or of a second way to do the same (docs/internals/shape.md).
WORDS = {
    "isDecided": r"\bisDecided\b",
    "isReplayed": r"\bisReplayed\b",
    "try? set": r"\btry\?\s+(?:\w+\.)*set(?:[A-Z]\w*)?\(",
    "lock = .none": r"\block\s*=\s*\.none\b",
    "isHost: true": r"\bisHost:\s*true\b",
    "Decision": r"\bDecision\b",
    "RoomChange": r"\bRoomChange\b",
}
# Where the ways of a hit and of a new tempo begin: the type, and its function.
WAYS = {"hit": ("RoomState", "play(_:_:_:by:at:)"), "new tempo": ("RoomState", "setTempo(_:by:at:run:joins:)")}


@dataclasses.dataclass
class Place:
    """Where some of a figure lies, and how much of it."""

    file: object
    line: int
    size: int
    name: str = ""

    def __str__(self):
        return f"{self.file}:{self.line}: {self.size:,}{' ' + self.name if self.name else ''}"


@dataclasses.dataclass
class Figure:
    """A count that should not grow. `worst` is the name of what it is about, where the count itself chooses that."""

    name: str
    value: int
    places: list
    worst: str = ""

    def __post_init__(self):
        self.places = sorted(self.places, key=lambda place: (-place.size, str(place.file), place.line))


class Shape:
    """All figures of the sources.

    - Parameter texts: of Swift files, by their paths.
    """

    def __init__(self, texts):
        self.room = [swift.Source(path, text) for path, text in texts.items() if path.parts[1] == "JamRoom"]
        self.codes = {source.file: source.code for source in self.room}
        self.codes |= {path: lexing.code(text) for path, text in texts.items() if path not in self.codes}
        self.types = [each for source in self.room for each in source.types]

    def figures(self):
        return [
            *(self.stored(name) for name in ("RoomState", "Player", "PadState", "Library")), self.most_stored(),
            *self.state(),
            self.count("roster[", "roster[", r"\broster\["),
            self.count("hands[, channels[, loopers[, desks[", "[", r"\b(?:hands|channels|loopers|desks)\["),
            self.count("parameters _ effects: inout [Effect]", "effects", r"\b_\s+effects:\s*inout\s*\[Effect\]"),
            self.count("arguments &effects", "&effects", r"&effects\b"),
            self.count("try? in JamRoom", "try?", r"\btry\?"),
            *(self.count(f"{name} in Sources", re.match(r"\w+", name)[0], pattern, everywhere=True)
              for name, pattern in WORDS.items()),
            *self.functions(), self.lines(),
            *(self.setting(name) for name in SETTINGS),
            *self.ways(),
        ]

    def stored(self, name):
        """Of a type that is not there (any more): 0."""
        found = [each for each in self.types if each.kind != "extension" and each.name == name]
        places = [Place(each.file, each.line, len(each.stored), "properties") for each in found]
        return Figure(f"stored properties of {name}", sum(place.size for place in places), places)

    def most_stored(self):
        found = [each for each in self.types if each.kind in ("struct", "class", "actor")]
        most = max(found, key=lambda each: len(each.stored))
        places = [Place(each.file, each.line, len(each.stored), each.name) for each in found if each.stored]
        return Figure("stored properties of the largest type", len(most.stored), places, most.name)

    def state(self):
        """The files that extend `RoomState`, and how many functions and accessors in them may change everything."""
        extending = [source for source in self.room
                     if any(each.kind == "extension" and each.name == "RoomState" for each in source.types)]
        files = [Place(source.file, 1, source.lines, "lines") for source in extending]
        changing = collections.defaultdict(list)
        for each in self.types:
            if each.name == "RoomState":
                changing[each.file] += [what.line for what in each.functions if "mutating" in what.modifiers]
                changing[each.file] += [what.line for what in each.properties if what.is_mutating]
        places = [Place(file, min(lines), len(lines), "functions") for file, lines in changing.items() if lines]
        return [Figure("files that extend RoomState", len(files), files),
                Figure("lines of these files", sum(place.size for place in files), files),
                Figure("functions that may change all of RoomState", sum(place.size for place in places), places)]

    def count(self, name, word, pattern, everywhere=False):
        """How often the pattern, which needs the word, stands in the code of JamRoom, or of all modules.

        Each file is one place, with the line where the pattern stands first.
        """
        places = []
        for file, code in self.codes.items():
            if word in code and (everywhere or file.parts[1] == "JamRoom"):
                found = list(re.finditer(pattern, code))
                if found:
                    places.append(Place(file, code.count("\n", 0, found[0].start()) + 1, len(found), "here"))
        return Figure(name, sum(place.size for place in places), places)

    def functions(self):
        all_functions = [each for source in self.room for owner in [source, *source.types] for each in owner.functions]
        places = [Place(each.file, each.line, each.lines, f"lines of {each.title}") for each in all_functions]
        setting = [Place(each.file, each.line, each.lines, f"lines of {each.title}")
                   for owner in self.types if owner.name == "RoomState" for each in owner.functions
                   if each.name == "set" and re.match(r"func set\(\s*_ setting:", each.header)]
        longest = max(all_functions, key=lambda each: each.lines)
        return [Figure("lines of RoomState.set(_ setting:", max((place.size for place in setting), default=0), setting),
                Figure("lines of the longest function", longest.lines, places, longest.title)]

    def lines(self):
        files = [Place(source.file, 1, source.lines, "lines") for source in self.room]
        return Figure("lines of JamRoom", sum(place.size for place in files), files)

    def setting(self, name):
        """The files of all modules that name the setting's case. What has a dot and a word before it is a property."""
        pattern = rf"(?<![\w)\]?!>\\])\.{name}\b|\bSetting\.{name}\b|\bcase (?:\w+(?:\([^)]*\))?, )*{name}\b"
        places = self.count("", name, pattern, everywhere=True).places
        return Figure(f"files that name Setting.{name}", len(places), places)

    def ways(self):
        """How many files of JamRoom a hit and a new tempo may come through: those of all calls that may follow."""
        graph = calls.Calls(self.room)
        for what, (owner, title) in WAYS.items():
            reached = graph.reached(owner, title)
            if not reached:
                raise LookupError(f"{owner} has no function {title} any more: WAYS in scripts/shape.d/figures.py has to "
                                  f"name the function where the way of a {what} begins")
            counts = collections.Counter(each.file for each in reached)
            first = {file: min(each.line for each in reached if each.file == file) for file in counts}
            yield Figure(f"files that a {what} may visit", len(counts), [
                Place(file, first[file], count, "functions on the way") for file, count in counts.items()])
