"""Kits, instruments and sounds that are away at one start: what names them stays, silent, and sounds when they are back."""

import io
import json
import pathlib
import tempfile
import unittest

import numpy
import soundfile

from patience import Patient
from server import Server
from test_journal import Guest
from test_uploads import put


def sound():
    """Half a second of a tone, as a WAV file."""
    file = io.BytesIO()
    soundfile.write(file, 0.5 * numpy.sin(numpy.arange(24_000) * 0.07), 48_000, format="WAV", subtype="PCM_16")
    return file.getvalue()


class AwayTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.stick = pathlib.Path(folder.name) / "stick"
        self.stick.mkdir()

    def serve(self):
        server = Server("--data", str(self.data))
        self.addCleanup(server.stop)
        return server

    def take_away(self):
        """The kit's folder, and the files of all own sounds."""
        self.moved = [self.data / "kits" / "mine", *(path for path in (self.data / "sounds").iterdir() if path.suffix in (".wav", ".flac"))]
        self.assertGreater(len(self.moved), 1)
        for path in self.moved:
            path.rename(self.stick / path.name)

    def bring_back(self):
        for path in self.moved:
            (self.stick / path.name).rename(path)

    def play(self, server):
        """Ann plays the kit, with much set, a pad with a sound of her own, steps, and a block of the kit's pads."""
        kit = server.get("/kits/starter")[2]
        self.assertEqual(server.put("/kits/mine", kit), 201)
        ann = Guest(server, "ann")
        self.addCleanup(ann.close)
        ann.say("/kit", "mine")
        self.wait_until("the kit is there", lambda: ann.say("/kit") or ann.wait("/kit")[0] == "mine")
        status, body = put(server, "hum", sound(), f"?player=ann&token={ann.token}&pad=5")
        self.assertEqual(status, 201, body)
        ann.say("/pad/3/gain", -7.5)
        ann.say("/pad/3/stretch", 1.5)
        ann.say("/pad/5/pan", 0.5)
        ann.say("/pad/6/sample", "starter/2")
        ann.say("/duck/player", "bob")
        for step in (1, 5, 9):
            ann.say(f"/step/1/{step}", 0.8)
            ann.say(f"/step/5/{step}", 0.6)
        ann.say("/lane/1/1", "Four on the floor")
        self.wait_until("the stretch is there", lambda: ann.say("/pad/3/stretch") or ann.wait("/pad/3/stretch") == (1.5,))
        return ann

    def kept(self, ann):
        """What is kept of her, by address: not how long a sound is, or what its kit says of it."""
        told = ("/error", "/name", "/seconds", "/category", "/plays", "/kit/")
        return {address: value for address, value in ann.values().items() if not any(word in address for word in told)}

    def test_a_room_that_starts_once_without_a_kit_and_sounds_is_what_it_was_when_they_are_back(self):
        server = self.serve()
        ann = self.play(server)
        before = self.kept(ann)
        self.assertEqual(before["/kit"], ("mine",))
        server.stop()
        self.take_away()
        for _ in range(2):
            # What is written of the room without them is read by the second.
            server = self.serve()
            self.assertIn("journal.problem", server.said())
            away = Guest(server, "ann", ann.token)
            self.addCleanup(away.close)
            self.assertEqual(self.kept(away), before)
            errors = [value for address, value in self.state(away) if address == "/error"]
            said = " ".join(str(value) for value in errors)
            self.assertIn("kit-away", said)
            self.assertIn("mine", said)
            self.assertIn("sounds-away", said)
            # A pad of it is silent, and may be set as ever.
            away.say("/pad/3/gain", -9.0)
            away.say("/pad/1", 1.0)
            away.until_pong()
            away.say("/pad/3/gain", -7.5)
            away.until_pong()
            server.stop()
        self.bring_back()
        server = self.serve()
        self.assertNotIn("journal.problem", server.said())
        back = Guest(server, "ann", ann.token)
        self.addCleanup(back.close)
        self.assertEqual(self.kept(back), before)
        self.assertEqual([value for address, value in self.state(back) if address == "/error"], [])

    def test_a_sound_that_is_damaged_is_told_at_the_start_whether_anybody_plays_it_or_not(self):
        server = self.serve()
        ann = Guest(server, "ann")
        self.addCleanup(ann.close)
        status, body = put(server, "hum", sound(), f"?player=ann&token={ann.token}&pad=1")
        self.assertEqual(status, 201, body)
        server.stop()
        file = next((self.data / "sounds").glob("*.flac"))
        file.write_bytes(file.read_bytes()[::-1])
        server = self.serve()
        self.wait_until("it is told", lambda: f"kit.problem reason=\"{file}" in server.said())

    def state(self, ann):
        ann.until_pong()
        ann.say("/sync")
        return ann.until_pong()


if __name__ == "__main__":
    unittest.main()
