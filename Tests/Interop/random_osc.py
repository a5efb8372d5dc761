"""Random valid messages over the whole protocol, as Protocol/osc describes it."""

import pathlib
import random
import re

import osc

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "Protocol" / "osc"
# An entry up to the backslash behind its arguments.
ENTRY = re.compile(r"^- \*\*`(/[^`]*)`\*\* \((?:trigger|switch|setter|read only|query|call), \w+\)([^\\]*)\\$", re.MULTILINE)
ARGUMENT = re.compile(r"^`([a-z…][^:`]*?)([?*]*):([^`]*)`\s*(.*)$")
RANGE = re.compile(r"^(−?[\d.]+)…(−?[\d.]+)")
# What would write to other programs' ports, or end this test's own connections.
LEFT_OUT = {"/subscribe", "/unsubscribe", "/cookie", "/bye", "/password", "/host", "/ping"}

NAMES = ["ann", "bob", "cleo", "dora", "emil", "🇩🇪" * 16, "a" + "\u0301" * 63, "a-name-of-thirty-two-characters-x"[:32]]
BLOCKS = ["a", "b", "rock straight", "rock fill", "funk one"]
KITS = ["starter", "no-such-kit"]
PLACES = {"<n>": 16, "<pad>": 16, "<step>": 64, "<slot>": 16}


class Argument:
    def __init__(self, text):
        kind, flags, self.name, rest = ARGUMENT.match(text).groups()
        self.kind, self.is_optional, self.repeats = kind, "?" in flags, "*" in flags
        self.words = re.findall(r"`([^`]+)`", rest)
        found = RANGE.match(rest)
        self.range = tuple(float(end.replace("−", "-")) for end in found.groups()) if found else None

    def value(self, dice):
        if self.kind in ("f", "i", "h"):
            if self.words:
                return dice.choice([True, False])
            low, high = self.range or (0.0, 1.0)
            # The edges, small values, anything.
            value = dice.choice([low, high, low + (high - low) * dice.random() ** 4, dice.uniform(low, high)])
            return value if self.kind == "f" else round(value)
        if self.words:
            return dice.choice(self.words)
        if self.name == "address":
            return dice.choice(["", "/tempo", "/loop/record", "/kit/starter", "/buildup/state", "/n/gain", "/kits/item"])
        if self.name in ("kit", "id"):
            return dice.choice(KITS)
        if self.name in ("sample", "sound"):
            return f"{dice.choice(KITS)}/{dice.randint(1, 16)}"
        if self.name in ("block", "copy", "name"):
            return dice.choice(BLOCKS if dice.random() < 0.8 else NAMES)
        return dice.choice(NAMES + BLOCKS + ["", "kick", "own"])


class Row:
    def __init__(self, address, arguments):
        self.address = address
        self.arguments = [Argument(text.strip()) for text in arguments.split(" · ") if text.strip()]

    def message(self, dice):
        def place(match):
            if match[0] not in PLACES:
                return dice.choice(KITS if match[0] == "<id>" else [name.replace(" ", "_") for name in NAMES])
            most = 8 if match[0] == "<n>" and not self.address.startswith("/pad") else PLACES[match[0]]
            # Of few, so that they meet.
            return str(dice.randint(1, most if dice.random() < 0.2 else 4))

        values = []
        for argument in self.arguments:
            if argument.is_optional and dice.random() < 0.25:
                break
            values.append(argument.value(dice))
        return osc.message(re.sub(r"<[a-z]+>", place, self.address), *values)


class RandomMessages:
    """The same messages for the same seed."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        entries = [found for page in sorted(DOCUMENTS.glob("*.md")) for found in ENTRY.findall(page.read_text())]
        self.rows = [
            Row(address, " ".join(arguments.split())) for address, arguments in entries
            if address not in LEFT_OUT and "…" not in arguments.split(":")[0]]

    def message(self):
        roll = self.dice.random()
        if roll < 0.2:
            return osc.message(f"/pad/{self.dice.randint(1, 4)}", self.dice.choice([0.0, self.dice.random()]))
        if roll < 0.23:
            return osc.message("/midi", self.dice.choice([0xF8, 0xF8, 0xF8, 0xFA, 0xFB, 0xFC]))
        return self.dice.choice(self.rows).message(self.dice)

    def packet(self, now):
        """One or several messages, tagged up to 1.5 s before or after `now`, or not at all."""
        messages = [self.message() for _ in range(self.dice.choice([1, 1, 4, 16]))]
        if len(messages) == 1 and self.dice.random() < 0.5:
            return messages[0], 1
        tag = 1 if self.dice.random() < 0.4 else osc.timetag(now + self.dice.uniform(-1.5, 1.5))
        return osc.bundle(*messages, tag=tag), len(messages)
