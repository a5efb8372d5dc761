"""Asks two libraries what our 29 chords are made of and what they are called, and prints Tests/JamCoreTests/ChordComparison.swift.

Not part of the tests: the libraries change, the answers of these versions are kept.
    pip install music21==10.5.1 pychord==1.4.1
    python3 Tests/Interop/compare_chords.py > Tests/JamCoreTests/ChordComparison.swift
"""

import re
import warnings

warnings.simplefilter("ignore")

import pychord  # noqa: E402
from music21 import chord, harmony  # noqa: E402
from music21 import pitch as pitches21  # noqa: E402

# Each type as we write it, with its notes above the root, what pychord and music21 call it, and its notes' letters.
# Both libraries spell: 3 semitones above C are Eb in C minor and D# in C7#9.
TYPES = [
    ("", "", "", "1 3 5"),
    ("m", "m", "m", "1 b3 5"),
    ("dim", "dim", "dim", "1 b3 b5"),
    ("aug", "aug", "aug", "1 3 #5"),
    ("sus4", "sus4", "sus4", "1 4 5"),
    ("sus2", "sus2", "sus2", "1 2 5"),
    ("maj7", "maj7", "maj7", "1 3 5 7"),
    ("7", "7", "7", "1 3 5 b7"),
    ("m7", "m7", "m7", "1 b3 5 b7"),
    ("dim7", "dim7", "dim7", "1 b3 b5 bb7"),
    ("m7b5", "m7b5", "m7b5", "1 b3 b5 b7"),
    ("5", "5", "power", "1 5"),
    ("6", "6", "6", "1 3 5 6"),
    ("m6", "m6", "m6", "1 b3 5 6"),
    ("add9", "add9", "add9", "1 3 5 9"),
    ("m(add9)", "madd9", "madd9", "1 b3 5 9"),
    ("m(maj7)", "mM7", "mM7", "1 b3 5 7"),
    ("7sus4", "7sus4", "7sus4", "1 4 5 b7"),
    ("7#5", "7#5", "aug7", "1 3 #5 b7"),
    ("9", "9", "9", "1 3 5 b7 9"),
    ("maj9", "maj9", "M9", "1 3 5 7 9"),
    ("m9", "m9", "m9", "1 b3 5 b7 9"),
    ("6/9", "69", "6add9", "1 3 5 6 9"),
    ("7b9", "7b9", "7addb9", "1 3 5 b7 b9"),
    ("7#9", "7#9", "7add#9", "1 3 5 b7 #9"),
    ("11", "11", "11", "1 3 5 b7 9 11"),
    ("m11", "m11", "m11", "1 b3 5 b7 9 11"),
    ("13", "13", "13", "1 3 5 b7 9 13"),
    ("maj13", "maj13", "M13", "1 3 5 7 9 13"),
]
ROOTS = ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
LETTERS = "CDEFGAB"
NATURALS = [0, 2, 4, 5, 7, 9, 11]


def note(root, degree):
    """The note's name, and its distance from the root in semitones."""
    number = int(degree.lstrip("#b"))
    shift = degree.count("#") - degree.count("b")
    letter = LETTERS[(LETTERS.index(root[0]) + number - 1) % 7]
    above = NATURALS[(number - 1) % 7] + shift
    sign = (pitch(root) + above - NATURALS[LETTERS.index(letter)] + 6) % 12 - 6
    return letter + ("#" * sign if sign > 0 else "b" * -sign), above


def pitch(name):
    return (NATURALS[LETTERS.index(name[0])] + name.count("#") - name.count("b") - name.count("-")) % 12


def relative(name, root):
    """A chord's name with all its notes as semitones above `root`: `Am7/C` above C is `9 m7/0`."""
    if not name:
        return "-"
    head = re.match("[A-G][#b-]*", name).group()
    # Notes that were added come in no certain order.
    rest = re.sub("(?<=[/dt,])[A-G][#b-]*", lambda n: str((pitch(n.group()) - pitch(root)) % 12), name[len(head):])
    rest = re.sub("(?<=add)[0-9,]*[0-9]", lambda n: ",".join(sorted(n.group().split(","), key=int)), rest)
    return f"{(pitch(head) - pitch(root)) % 12} {rest}".rstrip()


def same_for_all(answers, what):
    """What the libraries say about all twelve roots, which should be one thing."""
    found = list(dict.fromkeys(answers))
    return found[0] if len(found) == 1 else "varies: " + " | ".join(found)


def notes_of_pychord(root, kind):
    try:
        return sorted((pitch(n) - pitch(root)) % 12 for n in pychord.Chord(root + kind).components())
    except Exception:
        return None


def notes_of_music21(root, kind):
    try:
        symbol = harmony.ChordSymbol(root.replace("b", "-") + kind)
        return sorted({(p.pitchClass - pitch(root)) % 12 for p in symbol.pitches})
    except Exception:
        return None


def name_by_pychord(names):
    found = pychord.find_chords_from_notes(names)
    return [str(c) for c in found]


def name_by_music21(names):
    pitches = []
    for n in names:
        # The lowest octave above the note before.
        octaves = (pitches21.Pitch(n.replace("b", "-") + str(octave)) for octave in range(2, 9))
        pitches.append(next(p for p in octaves if not pitches or p.midi > pitches[-1].midi))
    figure = harmony.chordSymbolFigureFromChord(chord.Chord(pitches))
    return None if "Cannot" in figure else figure


def row(*fields):
    print("    " + " ; ".join(str(f) for f in fields))


def text(notes):
    return "-" if notes is None else " ".join(map(str, notes))


print("/// What pychord 1.4.1 and music21 10.5.1 say about our 29 chords. Made by Tests/Interop/compare_chords.py; see Protocol/chords.md.")
print("enum ChordComparison {")
print("  /// Type; semitones above the root by pychord, and by music21. The same for all twelve roots.")
print('  static let formulas = """')
for ours, py, m21, _ in TYPES:
    row(ours or "major", same_for_all((text(notes_of_pychord(r, py)) for r in ROOTS), ours),
        same_for_all((text(notes_of_music21(r, m21)) for r in ROOTS), ours))
print('    """')
print()
print("  /// Type; inversion; the notes from the bass as semitones above the root; the names by pychord, and by music21. Roots and basses of")
print("  /// names are semitones above the root, too. The same for all twelve roots.")
print('  static let names = """')
for ours, _, _, formula in TYPES:
    # In thirds, as pychord wants it.
    degrees = formula.split()
    for inversion in range(len(degrees)):
        turned = degrees[inversion:] + degrees[:inversion]
        above, low = [], -1
        for d in turned:
            value = note("C", d)[1] % 12
            while value <= low:
                value += 12
            low = value
            above.append(value)
        by_pychord, by_music21 = [], []
        for root in ROOTS:
            names = [note(root, d)[0] for d in turned]
            try:
                by_pychord.append(", ".join(relative(n, root) for n in name_by_pychord(names)) or "-")
            except Exception:
                by_pychord.append("-")
            try:
                by_music21.append(relative(name_by_music21(names), root))
            except Exception:
                by_music21.append("-")
        row(ours or "major", inversion, text(above), same_for_all(by_pychord, ours), same_for_all(by_music21, ours))
print('    """')
print("}")
