"""Kits made from sound files that another program wrote."""

import pathlib
import subprocess
import tempfile
import unittest

import osc
from case import needs
from server import run
from sound import Sound


@needs("ffmpeg")
class Importing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "sounds").mkdir()
        (self.path / "kits").mkdir()

    def make(self, name, *options):
        """A second of a 440 Hz sine, as ffmpeg writes it."""
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=1,afade=t=out:st=0.9:d=0.1", *options,
             str(self.path / "sounds" / name)], check=True, timeout=30)

    def test_files_of_any_format_become_pads_in_name_order_and_play_at_their_pitch(self):
        self.make("1 mono 44100.wav", "-ar", "44100", "-ac", "1")
        self.make("2 stereo 96000.flac", "-ar", "96000", "-ac", "2")
        self.make("3 vorbis.ogg", "-c:a", "libvorbis", "-ar", "32000", "-ac", "2")
        self.make("4 mpeg.mp3", "-ar", "22050")
        self.make("5 aiff.aiff", "-ar", "48000")
        result = run("kits", "import", str(self.path / "sounds"), "-o", str(self.path / "kits" / "mine"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(run("kits", "check", str(self.path / "kits")).returncode, 0)
        moments = [(i * 1.5, [osc.message(f"/pad/{i + 1}", 1.0)]) for i in range(5)]
        (self.path / "s").write_bytes(osc.score(*moments))
        result = run("render", str(self.path / "s"), "-o", str(self.path / "mix.wav"), "--kits", str(self.path / "kits"))
        self.assertEqual(result.returncode, 0, result.stderr)
        mix = Sound.from_file(self.path / "mix.wav")
        self.assertEqual(len(mix.onsets(rest=0.3)), 5)
        for i in range(5):
            with self.subTest(pad=i + 1):
                # Rising zero crossings over half a second from the middle of the sound.
                start = int((i * 1.5 + 0.25) * 48_000)
                for side in (mix.left, mix.right):
                    part = side[start:start + 24_000]
                    crossings = sum(1 for a, b in zip(part, part[1:]) if a < 0 <= b)
                    self.assertLessEqual(abs(crossings - 220), 1)

    def test_a_drum_kit_that_tar_packed_becomes_a_kit(self):
        for name in ("kick.wav", "snare.flac"):
            self.make(name, *(["-af", "volume=0.5,afade=t=out:st=0.9:d=0.1"] if name == "snare.flac" else []))
        instruments = "".join(
            f"<instrument><name>{name}</name><layer><filename>{name}</filename></layer></instrument>"
            for name in ("kick.wav", "snare.flac"))
        (self.path / "sounds" / "drumkit.xml").write_text(
            f"<drumkit_info><name>Packed</name><instrumentList>{instruments}</instrumentList></drumkit_info>")
        for form in ("ustar", "gnu", "pax"):
            with self.subTest(form=form):
                subprocess.run(
                    ["tar", "-C", str(self.path), f"--format={form}", "-czf", str(self.path / "kit.h2drumkit"), "sounds"],
                    check=True, timeout=30)
                kit = self.path / "kits" / form
                result = run("kits", "import", str(self.path / "kit.h2drumkit"), "-o", str(kit))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(list(kit.glob("*.flac"))), 2)
                self.assertEqual(run("kits", "check", str(kit)).returncode, 0)

    def test_an_archive_with_a_link_is_65(self):
        (self.path / "sounds" / "drumkit.xml").symlink_to("/etc/passwd")
        subprocess.run(
            ["tar", "-C", str(self.path), "-czf", str(self.path / "kit.h2drumkit"), "sounds"], check=True, timeout=30)
        result = run("kits", "import", str(self.path / "kit.h2drumkit"), "-o", str(self.path / "kits" / "none"))
        self.assertEqual(result.returncode, 65, result.stderr)
        self.assertIn("is a link", result.stderr)
        self.assertFalse((self.path / "kits" / "none").exists())

    def test_a_folder_without_sounds_is_65(self):
        result = run("kits", "import", str(self.path / "sounds"), "-o", str(self.path / "kits" / "none"))
        self.assertEqual(result.returncode, 65, result.stderr)


if __name__ == "__main__":
    unittest.main()
