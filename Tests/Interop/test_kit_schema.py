"""The schema of kit.json against the kits that are shipped, and against what the server itself refuses."""

import copy
import json
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema

from server import run

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "Protocol" / "kit.schema.json").read_text())
GOOD = {"format": 1, "name": "Kit", "pads": [{"pad": 1, "name": "A", "file": "a.wav"}]}


def pad(**fields):
    kit = copy.deepcopy(GOOD)
    kit["pads"][0].update(fields)
    return kit


def layers(*items):
    kit = pad(layers=list(items))
    del kit["pads"][0]["file"]
    return kit


class Schema(unittest.TestCase):
    def setUp(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def test_every_shipped_kit_is_valid(self):
        kits = sorted((ROOT / "Kits").glob("*/kit.json"))
        self.assertTrue(kits)
        for kit in kits:
            with self.subTest(kit=kit.parent.name):
                self.assertEqual([e.message for e in self.validator.iter_errors(json.loads(kit.read_text()))], [])

    def test_schema_and_server_agree_on_what_is_wrong(self):
        wrong = [
            {**GOOD, "format": 2}, {**GOOD, "name": ""}, {**GOOD, "name": "n" * 33}, {**GOOD, "name": "a\nb"},
            {**GOOD, "order": "first"}, {**GOOD, "order": 1001}, {**GOOD, "colours": ["#000000"]},
            {**GOOD, "colours": ["red", "#000000"]}, {**GOOD, "credits": "c" * 1001}, {**GOOD, "pads": []},
            {**GOOD, "moood": 1}, pad(pad=0), pad(pad=17), pad(pad=1.5), pad(file="/etc/passwd"), pad(file="a/../../b"),
            pad(file=""), pad(category="drum"), pad(key="k" * 17), pad(gain=13), pad(pan=2), pad(gainRandom=13), pad(panRandom=-1),
            pad(start=-1), pad(decay=60001), pad(transpose=25), pad(transposeRandom=13), pad(choke=9), pad(voices=0),
            pad(mode="hold"), pad(gian=1), pad(layers=[{"files": ["a.wav"]}]), layers(), layers({}), layers({"files": []}),
            layers({"files": [1]}), layers({"files": ["../a.wav"]}), layers({"upTo": 2, "files": ["a.wav"]}),
            layers({"gain": 41, "files": ["a.wav"]}), layers({"files": ["a.wav"], "pan": 1}),
        ]
        good = [
            GOOD, {**GOOD, "order": -1.5, "category": "c", "description": "d", "colours": ["#00ffAA", "#123456"], "credits": "x"},
            pad(pad=16, category="bass", key="A", gain=-60, gainRandom=12, pan=1, panRandom=1, start=10, decay=10, transpose=-24,
                transposeRandom=12, choke=8, voices=8, mode="repeat"),
            layers({"upTo": 0.5, "gain": -3, "files": ["a.wav"]}, {"files": ["a.wav", "b/..c.wav"]}),
        ]
        with tempfile.TemporaryDirectory(prefix="bandshell-") as folder:
            place = pathlib.Path(folder) / "kit"
            (place / "b").mkdir(parents=True)
            for name in ("a.wav", "b/..c.wav"):
                subprocess.run(
                    ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.2,afade=t=out:st=0.1:d=0.1",
                     str(place / name)], check=True, timeout=30)
            for expected, kits in ((True, good), (False, wrong)):
                for kit in kits:
                    with self.subTest(kit=kit):
                        (place / "kit.json").write_text(json.dumps(kit))
                        result = run("kits", "check", str(place))
                        # No schema knows how loud sounds are.
                        faults = [line for line in result.stderr.splitlines() if str(place) in line and "demo beat:" not in line]
                        self.assertEqual(not faults, expected, result.stderr)
                        self.assertEqual(self.validator.is_valid(kit), expected)


if __name__ == "__main__":
    unittest.main()
