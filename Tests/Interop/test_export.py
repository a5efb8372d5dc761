"""What `bandshell render` writes for other programs, read by readers that nobody here wrote."""

import pathlib
import subprocess
import tempfile
import unittest
import zipfile
from xml.etree import ElementTree

import mido
import numpy
import rpp
import soundfile

from case import needs
from server import run

KITS = pathlib.Path(__file__).parents[2] / "Kits"

# Far below the limiter, with a build-up, so that the tempo is never the same for long.
SONG = """
0    /player/ann/master/gain -15
0    /player/ann/tempo 96
0    /player/ann/step/1/1 0.8
0    /player/ann/step/1/9 0.8
0    /player/bob/kit dub
1:1  /player/bob/pad/2 0.9
2:1  /player/bob/pad/3 0.9
3:1  /player/ann/buildup 140 4
8:3  /player/bob/pad/2 0.9
9:1  end
"""

CHORDS = """
0    /player/ann/progression "Am7 F C G7"
0    /player/ann/progression/play 1
6:3  /player/ann/progression/play 0
7:3  /player/ann/progression/press 3 1.0
8:1  /player/ann/progression/press 3 0.0
9:1  end
"""


def render(kind, song, *more):
    """Renders a live session into every file that both classes read, in a folder of the class's own."""
    folder = tempfile.TemporaryDirectory(prefix="bandshell-export-")
    kind.addClassCleanup(folder.cleanup)
    kind.folder = pathlib.Path(folder.name)
    (kind.folder / "song.txt").write_text(song)

    def named(word):
        return word if word.startswith("--") else str(kind.folder / word)

    kind.done = run("render", "--kits", str(KITS), *map(named, (
        "--live", "song.txt", "--output", "mix.wav", "--stems", "stems", "--midi", "song.mid",
        "--dawproject", "song.dawproject", "--labels", "labels.txt", *more)))


class ChordTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        render(cls, CHORDS)

    def test_each_chord_is_a_marker_of_the_midi_file_at_its_notes(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        song = mido.MidiFile(self.folder / "song.mid")
        chords = [(at, m.text) for at, m in self.timed(song.tracks[0])
                  if m.type == "marker" and not m.text.startswith("Bar ")]
        self.assertEqual([name for _, name in chords[:4]], ["Am7", "F", "C", "G7"])
        keys = next(track for track in song.tracks if track.name == "ann keys")
        notes = {at for at, m in self.timed(keys) if m.type == "note_on" and m.velocity > 0}
        for at, name in chords:
            self.assertIn(at, notes, name)
        # One more that a hand has pressed, after the progression was stopped.
        self.assertEqual(chords[-1][1], "C")

    def test_they_are_in_the_labels_and_in_dawproject(self):
        labels = (self.folder / "labels.txt").read_text(encoding="utf-8")
        for name in ("Am7", "F", "C", "G7"):
            self.assertRegex(labels, rf"(?m)\t{name}$")
        with zipfile.ZipFile(self.folder / "song.dawproject") as project:
            markers = {m.get("name") for m in ElementTree.fromstring(project.read("project.xml")).iter("Marker")}
        self.assertLessEqual({"Am7", "F", "C", "G7"}, markers)

    @staticmethod
    def timed(track):
        """Each message with its tick."""
        tick = 0
        for message in track:
            tick += message.time
            yield tick, message


class ExportTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        render(cls, SONG, "--wet", "--rpp", "song.rpp")

    def sound(self, name):
        samples, rate = soundfile.read(self.folder / name, always_2d=True)
        self.assertEqual((rate, samples.shape[1]), (48_000, 2))
        return samples

    def notes(self, track):
        """Frames of the notes that begin on a track."""
        song = mido.MidiFile(self.folder / "song.mid")
        # `mido` itself turns ticks into seconds, by the tempo track.
        found, seconds = [], 0.0
        only = mido.MidiFile(type=1, ticks_per_beat=song.ticks_per_beat)
        only.tracks.extend([song.tracks[0], next(t for t in song.tracks if t.name == track)])
        for message in only:
            seconds += message.time
            if message.type == "note_on" and message.velocity > 0:
                found.append(seconds * 48_000)
        return found

    def onsets(self, name):
        """Frames at which sound begins after a quarter of a second of silence."""
        loud = numpy.flatnonzero(numpy.abs(self.sound(name)).max(axis=1) > 1e-4)
        return loud[numpy.insert(numpy.diff(loud) > 12_000, 0, True)]

    def test_it_goes_well(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_stems_are_as_long_as_the_mix_and_summed_they_are_the_mix(self):
        mix, ann, bob = (self.sound(name) for name in ("mix.wav", "stems/ann.wav", "stems/bob.wav"))
        self.assertEqual(len(ann), len(mix))
        self.assertEqual(len(bob), len(mix))
        self.assertGreater(numpy.abs(mix).max(), 0.1)
        # -120 dBFS.
        self.assertLess(numpy.abs(ann + bob - mix).max(), 1e-6)

    def test_midi_notes_stand_where_the_sound_begins(self):
        for player in ("ann", "bob"):
            notes = self.notes(player)
            onsets = self.onsets(f"stems/{player}.wav")
            self.assertGreater(len(onsets), 2)
            # A sound may begin while another still rings: then no silence tells it.
            for onset in onsets:
                self.assertLess(min(abs(onset - note) for note in notes), 48, f"{player}: no note within 1 ms of frame {onset}")

    def test_midi_is_of_type_1_with_a_tempo_map_and_general_midis_drums(self):
        song = mido.MidiFile(self.folder / "song.mid")
        self.assertEqual(song.type, 1)
        self.assertEqual(len([m for m in song.tracks[0] if m.type == "time_signature"]), 1)
        self.assertGreater(len([m for m in song.tracks[0] if m.type == "set_tempo"]), 16)
        self.assertEqual({track.name for track in song.tracks[1:]}, {"ann", "bob"})
        kicks = [m for track in song.tracks for m in track if m.type == "note_on" and m.note in (35, 36)]
        self.assertTrue(kicks)
        self.assertEqual({m.channel for track in song.tracks for m in track if m.type == "note_on"}, {9})
        words = [m.text for track in song.tracks for m in track if m.type == "marker"]
        self.assertEqual([word for word in words if "Bar" not in word], ["Build-up", "Drop"])

    def test_reapers_project_has_each_players_sound_and_notes(self):
        project = rpp.loads((self.folder / "song.rpp").read_text())
        tracks = project.findall(".//TRACK")
        self.assertEqual([track.find("NAME")[1] for track in tracks], ["ann", "ann (notes)", "bob", "bob (notes)"])
        sounds = [source.find("FILE")[1] for source in project.findall(".//SOURCE") if source.find("FILE") is not None]
        self.assertEqual(sounds, ["stems/ann.wav", "stems/bob.wav"])
        for sound in sounds:
            self.assertTrue((self.folder / sound).is_file(), sound)

    def test_dawproject_holds_its_sounds_and_the_tempo(self):
        with zipfile.ZipFile(self.folder / "song.dawproject") as archive:
            self.assertIsNone(archive.testzip())
            project = ElementTree.fromstring(archive.read("project.xml"))
            files = [file.get("path") for file in project.iter("File")]
            self.assertEqual(files, ["stems/ann.wav", "stems/bob.wav"])
            self.assertEqual(archive.read(files[0]), (self.folder / files[0]).read_bytes())
        tempo = project.find("Arrangement/TempoAutomation")
        self.assertEqual(tempo.find("Target").get("parameter"), project.find("Transport/Tempo").get("id"))
        self.assertGreater(len(tempo.findall("RealPoint")), 16)
        self.assertGreater(len(list(project.iter("Note"))), 20)

    def test_labels_have_the_bars_in_seconds(self):
        rows = [line.split("\t") for line in (self.folder / "labels.txt").read_text().splitlines()]
        self.assertEqual(rows[:2], [["0.000000", "0.000000", "Bar 1"], ["2.500000", "2.500000", "Bar 2"]])
        self.assertEqual([row[2] for row in rows if "Bar" not in row[2]], ["Build-up", "Drop"])

    @needs("ffprobe")
    def test_ffprobe_reads_each_wav(self):
        for name in ("mix.wav", "stems/ann.wav", "stems/bob.wav"):
            told = subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0",
                 str(self.folder / name)], capture_output=True, text=True, timeout=60)
            self.assertEqual((told.stdout.strip(), told.stderr), ("pcm_f32le,48000,2", ""))


if __name__ == "__main__":
    unittest.main()
