"""The schema of instrument.json against the instruments that are shipped, and against what the program itself refuses."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema

from server import run

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "Protocol" / "instrument.schema.json").read_text())
GOOD = {"format": 1, "name": "Bass", "patch": {"osc1/shape": "saw"}}
ZONE = {"root": 60, "file": "a.wav"}


def patch(**settings):
    return {**GOOD, "patch": {name.replace("_", "/"): value for name, value in settings.items()}}


def zones(*items, **fields):
    return {"format": 1, "name": "Piano", "zones": list(items), **fields}


class InstrumentSchema(unittest.TestCase):
    def setUp(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def test_every_shipped_instrument_is_valid(self):
        instruments = sorted((ROOT / "Kits").glob("*/instrument.json"))
        self.assertGreater(len(instruments), 11)
        for instrument in instruments:
            with self.subTest(instrument=instrument.parent.name):
                self.assertEqual([e.message for e in self.validator.iter_errors(json.loads(instrument.read_text()))], [])

    def test_schema_and_program_agree_on_what_is_wrong(self):
        wrong = [
            {**GOOD, "format": 2}, {**GOOD, "name": ""}, {**GOOD, "name": "n" * 33}, {**GOOD, "order": 1001}, {**GOOD, "moood": 1},
            {**GOOD, "sends": {"delay": 2}}, {"format": 1, "name": "N"}, {"name": "N", "patch": {}}, {**GOOD, "patch": []},
            patch(osc1_shape="cubic"), patch(filter_cutoff=-1), patch(amp_attack="slow"), patch(osc1_shpae="saw"), patch(mode=2),
            zones(), zones({"root": 60}), zones({"file": "a.wav"}), zones({**ZONE, "root": 128}), zones({**ZONE, "tune": 101}),
            zones({**ZONE, "gain": 13}), zones({**ZONE, "file": "../a.wav"}), zones({**ZONE, "loop": [1]}),
            zones({**ZONE, "loop": [0.5, 3]}), zones({**ZONE, "layers": [{"files": ["a.wav"]}]}),
            zones({"root": 60, "layers": [{"files": []}]}),
        ]
        good = [
            GOOD, {**GOOD, "category": "bass", "order": -1.5, "author": "a", "license": "CC0-1.0", "credits": "c", "sends": {"reverb": 1}},
            patch(filter_cutoff=330, mode="legato"), zones(ZONE), zones({**ZONE, "low": 50, "high": 70, "tune": -4, "gain": 1.5, "loop": [0, 4800]}),
            zones({"root": 60, "layers": [{"upTo": 0.5, "files": ["a.wav"]}, {"gain": -3, "files": ["a.wav"], "loops": [None]}]},
                  patch={"gain": -4}),
        ]
        with tempfile.TemporaryDirectory(prefix="bandshell-") as folder:
            place = pathlib.Path(folder) / "piano"
            place.mkdir()
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.2:sample_rate=48000,afade=t=out:st=0.1:d=0.1",
                 str(place / "a.wav")], check=True, timeout=30)
            for expected, instruments in ((True, good), (False, wrong)):
                for instrument in instruments:
                    with self.subTest(instrument=instrument):
                        (place / "instrument.json").write_text(json.dumps(instrument))
                        result = run("instruments", "check", str(place))
                        self.assertEqual(result.returncode == 0, expected, result.stdout + result.stderr)
                        self.assertEqual(self.validator.is_valid(instrument), expected)


if __name__ == "__main__":
    unittest.main()
