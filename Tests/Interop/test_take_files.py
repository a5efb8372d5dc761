"""Files of what was played, asked for from a server that plays: read by programs that nobody here wrote."""

import http.client
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile

import mido
import numpy
import rpp
import soundfile

from patience import Patient
from peer import UDPPeer
from server import Server, run


class Player(UDPPeer):
    def __init__(self, server, name):
        super().__init__(server)
        self.say("/subscribe", self.port)
        self.say("/hello", name)
        self.welcome = self.wait("/welcome")
        self.until_pong()

    def stages(self, address):
        """Every stage that a file goes through, up to its last."""
        stages = []
        while not stages or stages[-1] in ("waiting", "making"):
            news = list(self.wait("/export/state"))
            if news[0] == address and (not stages or stages[-1] != news[1]):
                stages.append(news[1])
        return stages


class TakeFileTests(Patient, unittest.TestCase):
    asked = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self):
        return Server("--data", str(self.folder / "data"))

    def ask(self, server, path, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=60)
        try:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def take(self, server, ann, bob):
        """A take of four bars at 240 bpm: ann by steps and by hand, bob by hand."""
        # From a bar line on a whole frame: a tempo that is set between two lines may put all later ones in the middle of two frames.
        ann.say("/stop")
        ann.say("/tempo", 240.0)
        ann.say("/play")
        ann.say("/master/gain", -18.0)
        ann.say("/step/1/1", 0.8)
        for _ in range(12):
            bob.say("/pad/3", 0.9)
            ann.say("/pad/5", 0.9)
            time.sleep(0.45)
        ann.say("/take/keep", 4)
        return self.until(lambda: self.known(server), "the take is known")

    def known(self, server):
        takes = self.asked = json.loads(self.ask(server, "/takes")[1])["takes"]
        return next((take for take in takes if take["bars"] == 4 and not take["recording"]), None)

    def until(self, found, what):
        for _ in range(200):
            if value := found():
                return value
            time.sleep(0.25)
        self.fail(f"never: {what}: {self.asked}")

    def test_a_take_as_every_file_that_there_is(self):
        with self.serve() as server:
            ann, bob = Player(server, "ann"), Player(server, "bob")
            take = self.take(server, ann, bob)
            path, frames = f"/takes/{take['id']}", round(take["seconds"] * 48_000)

            def sound(form):
                status, body = self.ask(server, f"{path}.{form}")
                self.assertEqual(status, 200, body[:200])
                samples, rate = soundfile.read(io.BytesIO(body), always_2d=True)
                self.assertEqual(rate, 48_000)
                return samples

            mix = sound("wav?format=float")
            self.assertEqual(len(mix), frames)
            self.assertLess(numpy.abs(sound("wav") - mix).max(), 2 ** -23)
            self.assertLess(numpy.abs(sound("flac") - mix).max(), 2 ** -22)
            self.assertEqual(len(sound("wav?bars=2-3")), frames // 2)

            for query, names in (("", {"ann.wav", "bob.wav"}), ("by=hand&", {"ann, by hand.wav", "ann, loops.wav", "bob, by hand.wav"})):
                status, body = self.ask(server, f"{path}.stems.zip?{query}wet=1&format=float")
                self.assertEqual(status, 200)
                with zipfile.ZipFile(io.BytesIO(body)) as archive:
                    self.assertIsNone(archive.testzip())
                    self.assertEqual(set(archive.namelist()), names)
                    stems = [soundfile.read(io.BytesIO(archive.read(name)), always_2d=True)[0] for name in names]
                self.assertEqual({len(stem) for stem in stems}, {frames})
                self.assertTrue(all(numpy.abs(stem).max() > 0.01 for stem in stems))
                # -120 dBFS. What rang on from before the take is in both.
                self.assertLess(numpy.abs(sum(stems) - mix).max(), 1e-6)

            status, body = self.ask(server, f"{path}.mid")
            song = mido.MidiFile(file=io.BytesIO(body))
            self.assertEqual(song.type, 1)
            self.assertEqual({track.name for track in song.tracks[1:]}, {"ann", "bob"})
            status, body = self.ask(server, f"{path}.rpp.zip?by=pad")
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                project = rpp.loads(archive.read(f"{take['id']}.rpp").decode())
                for source in project.findall(".//SOURCE"):
                    if source.find("FILE") is not None:
                        self.assertIn(source.find("FILE")[1], archive.namelist())
            status, body = self.ask(server, f"{path}.dawproject")
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                self.assertIn("stems/bob.wav", archive.namelist())
            self.assertEqual(self.ask(server, f"{path}.labels.txt")[1].count(b"Bar "), 4)

            # What was made before has the new name as well.
            ann.say("/take/name", take["id"], "Harbour")
            self.until(lambda: self.known(server)["name"] == "Harbour", "the take has its name")
            self.assertEqual(mido.MidiFile(file=io.BytesIO(self.ask(server, f"{path}.mid")[1])).tracks[0].name, "Harbour")
            with zipfile.ZipFile(io.BytesIO(self.ask(server, f"{path}.rpp.zip?by=pad")[1])) as archive:
                self.assertIn("Harbour.rpp", archive.namelist())
            with zipfile.ZipFile(io.BytesIO(self.ask(server, f"{path}.dawproject")[1])) as archive:
                self.assertIn(b"<Title>Harbour</Title>", archive.read("metadata.xml"))
            self.assertIn(b"Harbour", self.ask(server, f"{path}.labels.txt")[1])

            for form, status in (("mp3", 404), ("wav?bars=0-1", 422), ("wav?bars=1-5", 422), ("stems.zip?by=x", 422)):
                self.assertEqual(self.ask(server, f"{path}.{form}")[0], status, form)
            self.assertEqual(self.ask(server, "/takes/none.wav")[0], 404)

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts a file system")
    def test_a_disk_that_is_full_ends_the_take_and_leaves_nothing_half(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(self.folder)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest(f"nothing can be mounted here: {mounted.stderr.decode()}")
        self.addCleanup(lambda: subprocess.run(["umount", str(self.folder)], check=True))
        server = self.serve()
        self.addCleanup(server.stop)
        ann = Player(server, "ann")

        def hit(times):
            """What ann is told of the takes meanwhile."""
            for _ in range(times):
                ann.say("/pad/1", 0.8)
                time.sleep(0.02)
                for address, arguments in ann.until_pong():
                    if address == "/take/state":
                        yield list(arguments)[0]

        ann.say("/take/start")
        while not list(ann.wait("/take/state"))[0]:
            pass
        list(hit(20))
        self.until(lambda: any((self.folder / "data" / "takes").glob("*.score")), "something is written")
        fill = self.folder / "fill"
        subprocess.run(["dd", "if=/dev/zero", f"of={fill}", "bs=1k"], capture_output=True)
        # More than what is left in a page of its file.
        self.assertIn("", hit(1_000))
        # Each of these begins a recording, which the disk does not take.
        for _ in range(3):
            list(hit(2))
            time.sleep(1.1)
        scores = sorted((self.folder / "data" / "takes").glob("*.score"))
        self.assertTrue(all(score.stat().st_size for score in scores), [(s.name, s.stat().st_size) for s in scores])
        # It was played, and is not kept: that is another thing than nothing.
        ann.say("/take/keep", 1)
        self.assertEqual(ann.wait("/error")[2], "take-not-kept")
        fill.unlink()
        takes = self.until(lambda: self.over(server), "the take is over")
        self.assertEqual(len(takes), 1)

    def over(self, server):
        takes = self.asked = json.loads(self.ask(server, "/takes")[1]).get("takes", [])
        return [take for take in takes if not take["recording"]]

    def test_by_osc_it_is_told_how_far_it_is_and_a_project_is_its_loops(self):
        with self.serve() as server:
            ann = Player(server, "ann")
            ann.say("/project/new", "Mon day", 2)
            ann.wait("/project/state")
            ann.say("/tempo", 240.0)
            ann.say("/step/1/1", 0.8)
            ann.say("/step/1/9", 0.8)
            time.sleep(2)
            ann.say("/project/save")
            while list(ann.wait("/project/state"))[4] != "save":
                pass
            ann.say("/project/export", "", "flac")
            address = "projects/Mon%20day/loops.flac"
            self.assertEqual(ann.stages(address)[-1], "ready")
            status, body = self.ask(server, f"/{address}")
            samples, _ = soundfile.read(io.BytesIO(body), always_2d=True)
            # Two bars of a second.
            self.assertEqual((status, len(samples) % 48_000), (200, 0))
            self.assertGreater(numpy.abs(samples).max(), 0.05)
            status, text = self.ask(server, "/projects/Mon%20day/loops.score")
            self.assertEqual((status, "only takes have scores" in text.decode()), (404, True), text)
            ann.say("/project/new", "empty", 2)
            while list(ann.wait("/project/state"))[0] != "empty":
                pass
            status, text = self.ask(server, "/projects/empty/loops.wav")
            self.assertEqual((status, "nothing goes round" in text.decode()), (422, True), text)
            ann.say("/project/export", "", "wav")
            self.assertEqual(ann.stages("projects/empty/loops.wav")[-1], "failed")
            ann.say("/project/export", "nothing like it", "wav")
            self.assertEqual(ann.wait("/error")[2], "no-such-project")
            ann.say("/take/export", "x", "wav?by=none")
            self.assertEqual(ann.wait("/error")[2], "bad-export-option")
            ann.say("/export/cancel", "x")
            self.assertEqual(ann.wait("/error")[2], "no-such-export")

    def test_the_servers_end_leaves_no_process_and_no_half_file(self):
        with self.serve() as server:
            ann, bob = Player(server, "ann"), Player(server, "bob")
            take = self.take(server, ann, bob)
            # Stopped while it is made: its making cannot end by itself.
            self.ask(server, f"/takes/{take['id']}.stems.zip?by=layer&wait=0")
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            self.until(lambda: not self.makers(), "whoever made it ended")
        made = self.folder / "data" / "takes" / "made"
        with self.serve() as server:
            self.assertEqual([path.name for path in made.iterdir() if ".part" in path.name], [])
            status, _ = self.ask(server, f"/takes/{take['id']}.stems.zip?by=layer")
            self.assertEqual(status, 200)

    def test_a_take_that_is_made_keeps_nobody_waiting(self):
        with self.serve() as server:
            ann, bob = Player(server, "ann"), Player(server, "bob")
            take = self.take(server, ann, bob)
            # What is made may be deleted, and is made again.
            shutil.rmtree(self.folder / "data" / "takes" / "made")
            for form in ("stems.zip?by=layer", "stems.zip?by=pad", "dawproject", "rpp.zip"):
                joint = "&" if "?" in form else "?"
                self.ask(server, f"/takes/{take['id']}.{form}{joint}wait=0")
                if maker := self.stopped_maker():
                    break
            self.assertTrue(maker, "whoever makes it was too fast each time")
            try:
                ann.say("/project/save")
                while list(ann.wait("/project/state"))[4] != "save":
                    pass
                self.assertEqual(self.ask(server, "/projects")[0], 200)
                ann.say("/kit", "dub")
                ann.wait("/kit/name")
            finally:
                os.kill(maker, signal.SIGCONT)
            self.assertEqual(self.ask(server, f"/takes/{take['id']}.{form}")[0], 200)

    def stopped_maker(self):
        """The process that makes a file for a server of this folder, which goes on with SIGCONT; None where it has ended."""
        for _ in range(2_000):
            for status in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    words = status.read_bytes().split(b"\0")
                    if words[1:2] == [b"make"] and str(self.folder).encode() in b" ".join(words):
                        os.kill(int(status.parent.name), signal.SIGSTOP)
                        return int(status.parent.name)
                except (FileNotFoundError, ProcessLookupError):
                    continue
        return None

    def makers(self):
        """Processes that make files for a server of this folder."""
        found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        return [line for line in found.splitlines() if "make" in line and str(self.folder) in line]

    def test_the_command_line_writes_a_folder_at_once(self):
        with self.serve() as server:
            ann, bob = Player(server, "ann"), Player(server, "bob")
            take = self.take(server, ann, bob)
        data, out = str(self.folder / "data"), self.folder / "out"
        done = run("export", take["id"], "--data", data, "-o", str(out), "--stems", "--midi", "--rpp", "--labels", "--dawproject")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
        name = take["id"]
        self.assertEqual(files, sorted([f"{name}.wav", f"{name}.mid", f"{name}.rpp", f"{name}.labels.txt", f"{name}.dawproject",
                                        "stems/ann.wav", "stems/bob.wav"]))
        self.assertEqual({soundfile.info(out / file).frames for file in files if file.endswith(".wav")}, {round(take["seconds"] * 48_000)})
        done = run("takes", "export", take["id"], "--data", data, "-o", str(self.folder / "one.flac"), "--bars", "2-2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(soundfile.info(self.folder / "one.flac").frames, 48_000)
        done = run("takes", "list", "--data", data, "--kits", str(self.folder))
        self.assertEqual((done.returncode, take["id"] in done.stdout), (0, True), done.stderr)
        self.assertEqual(run("export", "none", "--data", data, "-o", str(self.folder / "x.wav")).returncode, 65)
        self.assertEqual(run("export", "--data", data, "-o", str(self.folder / "x.wav")).returncode, 64)
        self.assertEqual(run("export", take["id"], "--data", data, "-o", "/proc/none/x.wav").returncode, 65)


if __name__ == "__main__":
    unittest.main()
