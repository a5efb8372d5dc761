"""Recorded sounds on keys: from an SFZ file to what ffmpeg hears of them."""

import json
import os
import pathlib
import tempfile
import unittest
import wave

import numpy

from case import ServerCase, needs
from server import free_udp_pair, run
from test_keys import Pianist, strongest
from test_listeners import ffmpeg_on


def write_tone(path, hertz, seconds=0.25, rate=44_100):
    """A sine that ends in full sound."""
    values = 0.4 * numpy.sin(2 * numpy.pi * hertz * numpy.arange(int(seconds * rate)) / rate)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((values * 32_767).astype("<i2").tobytes())


class InstrumentTests(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="bandshell-sounds-")
        cls.addClassCleanup(cls.folder.cleanup)
        path = pathlib.Path(cls.folder.name)
        (path / "made").mkdir()
        for name, hertz in (("a3", 220), ("a4", 440)):
            write_tone(path / f"{name}.wav", hertz)
        (path / "tones.sfz").write_text("""
            <global> loop_mode=loop_continuous loop_start=4410 loop_end=11024 ampeg_release=0.3
            <region> sample=a3.wav lokey=45 hikey=62 pitch_keycenter=57
            <region> sample=a4.wav lokey=63 hikey=80 pitch_keycenter=69
            """)
        cls.imported = run("instruments", "import", str(path / "tones.sfz"), "--into", str(path / "made" / "tones"))
        (path / "made" / "broken").mkdir()
        (path / "made" / "broken" / "instrument.json").write_text(json.dumps(
            {"format": 1, "name": "Broken", "zones": [{"root": 60, "file": "gone.wav"}]}))
        cls.arguments = ("--kits", str(path / "made"))
        super().setUpClass()

    def test_an_import_is_told_listed_and_fine(self):
        self.assertEqual(self.imported.returncode, 0, self.imported.stderr)
        self.assertEqual(self.imported.stderr, "")
        self.assertEqual(
            self.imported.stdout.splitlines(), ["45–62  root 57, from keys 45–62", "63–80  root 69, from keys 63–80"])
        made = os.path.join(self.folder.name, "made")
        listed = run("instruments", "list", made)
        self.assertIn("2 zones", listed.stdout)
        self.assertEqual(run("instruments", "check", os.path.join(made, "tones")).returncode, 0)
        broken = run("instruments", "check", os.path.join(made, "broken"))
        self.assertEqual(broken.returncode, 65)
        self.assertIn("gone.wav: zones[0], layers[0], files[0]: no such file", broken.stderr)

    @needs("ffmpeg")
    def test_a_recorded_note_is_heard_at_its_pitch_as_long_as_its_key_is_held(self):
        player = Pianist(self, "piano")
        player.send("/instrument", "tones")
        player.send("/instrument/bend/range", 3.0)
        self.wait_until("the value is told", lambda: player.wait("/instrument") == ["tones"])
        listener = ffmpeg_on(self.server.sdp(free_udp_pair()))
        self.wait_until("the stream is heard", lambda: listener.seconds > 0.5)
        # C5: three semitones above the recorded A4, which lasts a quarter of a second.
        player.send("/key", 72, 1.0)
        self.assertEqual(player.wait("/note")[1], 72)
        # What comes a second late, as on a busy machine, is in time for what is looked at.
        begin = listener.seconds
        self.wait_until("enough is heard", lambda: listener.seconds > begin + 2.2)
        player.send("/bend", -1.0)
        bent = listener.seconds
        self.wait_until("enough is heard", lambda: listener.seconds > bent + 2.2)
        player.send("/key/72", 0.0)
        self.assertEqual(player.wait("/note/off")[1], 72)
        end = listener.seconds
        self.wait_until("enough is heard", lambda: listener.seconds > end + 2.2)
        sound = listener.finish()
        self.assertAlmostEqual(strongest(sound, begin + 1, begin + 2), 523.25, delta=1)
        self.assertAlmostEqual(strongest(sound, bent + 1, bent + 2), 440, delta=1)
        left = numpy.abs(numpy.asarray(sound.left, dtype=float))
        loud = left[int((begin + 1) * 48_000):int((begin + 2) * 48_000)].max()
        self.assertLess(left[int((end + 1.6) * 48_000):int((end + 2) * 48_000)].max(), loud / 1_000)

    def test_one_whose_sounds_are_gone_is_refused_and_what_plays_stays(self):
        player = Pianist(self, "hopeful")
        player.send("/instrument", "organ")
        player.send("/instrument", "broken")
        error = player.wait("/error")
        self.assertEqual(error[-1], "kit-unreadable")
        self.assertIn("gone.wav", " ".join(str(part) for part in error))
        player.send("/instrument/filter/cutoff", 500.0)
        player.send("/key", 60, 1.0)
        self.assertEqual(player.wait("/note")[1], 60)
        player.send("/key", 60, 0.0)

    def test_a_synthesisers_setting_is_refused_of_recorded_sounds(self):
        player = Pianist(self, "curious")
        player.send("/instrument", "tones")
        player.send("/instrument/filter/cutoff", 500.0)
        error = player.wait("/error")
        self.assertEqual(error[-1], "not-of-samples")
        player.send("/instruments")
        kinds = {}
        while (item := player.wait("/instruments/item", 1)) is not None:
            kinds[item[0]] = item[3]
        self.assertEqual((kinds["tones"], kinds["organ"]), ("samples", "synth"))


if __name__ == "__main__":
    unittest.main()
