"""The page's own notes of synthesisers, beside the engine's: each instrument that comes along, at three keys and two touches."""

import base64
import json
import pathlib
import tempfile
import unittest

from case import BrowserCase
import osc
from server import ROOT, run

KITS = ROOT / "Kits"
KEYS, TOUCHES = (40, 57, 74), (0.45, 0.9)
# Seconds: a key is held, what is measured of it, and from one key to the next.
HOLD, LENGTH, APART = 1.2, 2.4, 3.0


def instruments():
    """The synthesisers that come along, and their settings."""
    for path in sorted(KITS.glob("*/instrument.json")):
        description = json.loads(path.read_text())
        if "zones" not in description:
            yield path.parent.name, description["patch"]


def notes():
    """One row of notes. Their numbers are those of a score, from which the phases of oscillators come."""
    touches = [(note, velocity) for note in KEYS for velocity in TOUCHES]
    return [{"note": note, "velocity": velocity, "own": 1000 + 7919 * place, "at": 0.1 + APART * place, "hold": HOLD}
            for place, (note, velocity) in enumerate(touches)]


def score(names):
    """Each instrument is played by a player of its name; nobody turns the mix down."""
    moments = []
    for name in names:
        moments.append((0, [osc.message(f"/player/{name}/instrument", name)]))
        for note in notes():
            address = f"/player/{name}/key/{note['note']}"
            moments.append((note["at"], [osc.message("/seq", note["own"]), osc.message(address, note["velocity"])]))
            moments.append((note["at"] + note["hold"], [osc.message(address, 0.0)]))
    return osc.score((0, [osc.message("/player/host/master/leveller", 0)]), *sorted(moments, key=lambda moment: moment[0]))


class OwnKeysTests(BrowserCase):
    def test_the_pages_notes_are_near_to_the_engines(self):
        found = dict(instruments())
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            (here / "notes.score").write_bytes(score(found))
            rendered = run("render", str(here / "notes.score"), "-o", str(here / "mix.wav"), "--kits", str(KITS), "--stems", str(here / "stems"),
                           timeout=300)
            self.assertEqual(rendered.returncode, 0, rendered.stderr)
            stems = {name: next(path for path in (here / "stems").iterdir() if path.stem.endswith(name)).read_bytes() for name in found}
        page = self.open("/manifest.webmanifest")
        page.evaluate((pathlib.Path(__file__).parent / "own_keys.js").read_text())
        left = set(page.evaluate("import('/own-keys.js').then(({ LEFT_TO_STREAM }) => [...LEFT_TO_STREAM])"))
        self.assertLessEqual(left, set(found), "the page leaves something to the stream that is not here")
        seconds = 1 + APART * len(notes())
        for name, settings in found.items():
            measured = page.evaluate(
                "([wav, ...rest]) => compare(wav, ...rest)", [base64.b64encode(stems[name]).decode(), settings, notes(), seconds, LENGTH])
            for each in measured:
                if name in left:
                    continue
                with self.subTest(name, note=each["note"], velocity=each["velocity"]):
                    self.assertLess(abs(each["cents"]), 5, each)
                    self.assertLess(abs(each["attack"]), 5, each)
                    self.assertLess(abs(each["loudness"]), 2, each)
                    self.assertLess(abs(each["centroid"]), 0.25, each)


if __name__ == "__main__":
    unittest.main()
