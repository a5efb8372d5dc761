"""Rooms outlive the process, however it ends: killed, ended, with a journal that was cut."""

import os
import pathlib
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

from patience import Patient
from peer import UDPPeer
from server import Server, run

# What goes by by itself, or is of the connection.
VOLATILE = ("/beat", "/position", "/meter", "/clip", "/pong", "/loop/position", "/loop/state", "/welcome", "/tempo/votes",
            "/player/", "/chat", "/buildup/state", "/hit", "/lit", "/pending", "/playing", "/state")


class Guest(UDPPeer):
    """A player with a token, over UDP."""

    def __init__(self, server, name, token=None, room=""):
        super().__init__(server)
        self.say("/subscribe", self.port)
        self.say("/hello", name, room, *(["", token] if token else []))
        self.welcome = self.wait("/welcome")
        self.name, self.token = self.welcome[1], self.welcome[5]

    def values(self):
        """All that can be read, by address."""
        self.until_pong()
        self.say("/sync")
        told = self.until_pong()
        return {a: v for a, v in told if not any(word in a for word in VOLATILE)}


class JournalTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"

    def serve(self, *arguments):
        server = Server("--data", str(self.data), *arguments)
        self.addCleanup(server.stop)
        return server

    def kill(self, server):
        server.process.kill()
        server.process.wait()
        server.stop()

    @property
    def journals(self):
        return sorted(self.data.glob("rooms/*/*.journal"))

    def jam(self, server):
        """Two players who have set a lot; returns them."""
        ann, bob = Guest(server, "ann"), Guest(server, "bob")
        for peer in (ann, bob):
            self.addCleanup(peer.close)
        ann.say("/tempo", 133.0)
        ann.say("/signature", 7, 8)
        ann.say("/swing", 0.3)
        ann.say("/master/gain", -3.0)
        ann.say("/pitch", 2.0)
        ann.say("/loop/bars", 2)
        for step in (1, 5, 9, 13):
            ann.say(f"/step/1/{step}", 0.8)
        ann.say("/steps/2", 12)
        ann.say("/step/2/3", 0.5)
        ann.say("/layer/1/gain", -4.0)
        ann.say("/lane/1/1", "Four on the floor")
        bob.say("/kit", "kit-808" if (pathlib.Path(__file__).parents[2] / "Kits/kit-808").exists() else 2)
        bob.until_pong()
        bob.say("/pad/3/gain", -7.5)
        bob.say("/pad/4/transpose", 5.0)
        bob.say("/pad/5/sample", "starter/3")
        bob.say("/pad/6/stretch", 1.5)
        bob.say("/gain", -2.0)
        bob.say("/quantize", "1/16")
        bob.say("/metronome", 1)
        for peer in (ann, bob):
            peer.until_pong()
        # It is stretched in the background, and set when that is done.
        self.wait_until("the stretch is there", lambda: bob.say("/pad/6/stretch") or bob.wait("/pad/6/stretch") == (1.5,))
        self.write(server)
        return ann, bob

    def write(self, server):
        """Until what was said is written: within 20 ms, where the machine has the time for it."""
        time.sleep(0.5)
        self.wait_until("nothing waits to be written", lambda: server.figure("journal_waiting_seconds") == 0)

    def test_a_room_that_was_killed_comes_back(self):
        server = self.serve()
        ann, bob = self.jam(server)
        before = [ann.values(), bob.values()]
        undos = self.undo_all(ann)
        for _ in range(undos):
            ann.say("/redo")
        ann.until_pong()
        self.write(server)
        self.kill(server)
        server = self.serve()
        self.assertNotIn("journal.problem", server.said())
        again = [Guest(server, peer.name, peer.token) for peer in (ann, bob)]
        for peer in again:
            self.addCleanup(peer.close)
        self.assertEqual([p.token for p in again], [ann.token, bob.token])
        # Sounds are stretched anew, in the background.
        for was, peer in zip(before, again):
            seen = []

            def is_as_it_was(was=was, peer=peer, seen=seen):
                now = peer.values()
                seen.append({a: (was.get(a), now.get(a)) for a in was.keys() | now.keys() if was.get(a) != now.get(a)})
                return not seen[-1]

            try:
                self.wait_until(f"{peer.name}'s values are as they were", is_as_it_was)
            except AssertionError as error:
                raise AssertionError(f"{error}: {seen[-1]}") from None
        self.assertEqual(self.undo_all(again[0]), undos)

    def undo_all(self, peer):
        """How many edits could be taken back."""
        for count in range(1_000):
            peer.say("/undo")
            if any(address == "/error" for address, _ in peer.until_pong()):
                return count
        self.fail("there is no end to it")

    def test_loops_go_on_when_somebody_is_there_again(self):
        server = self.serve()
        ann, _ = self.jam(server)
        ann.say("/loop/play")
        self.wait_until("the loop goes round", lambda: ann.say("/loop/state") or ann.wait("/loop/state") == ("playing",))
        self.write(server)
        for end in (self.kill, Server.stop):
            end(server)
            server = self.serve()
            back = Guest(server, "ann", ann.token)
            self.addCleanup(back.close)
            back.say("/subscribe/hits", 1)
            self.wait_until("the loop goes round again", lambda: back.say("/loop/state") or back.wait("/loop/state") == ("playing",))
            self.wait_until("it is heard", lambda: server.figure('hits_total{room="main"}') > 4)
            self.write(server)

    def test_sounds_blocks_roles_and_other_rooms_come_back(self):
        server = self.serve("--open-rooms", "--host-word", "word")
        sound = self.data / "bark.wav"
        frames = b"".join(struct.pack("<h", 9_000 if i // 60 % 2 else -9_000) for i in range(12_000))
        sound.write_bytes(b"RIFF" + struct.pack("<I", 36 + len(frames)) + b"WAVEfmt " + struct.pack(
            "<IHHIIHH", 16, 1, 1, 48_000, 96_000, 2, 16) + b"data" + struct.pack("<I", len(frames)) + frames)
        subprocess.run(["curl", "-sfT", str(sound), server.url("/samples/bark")], check=True, capture_output=True)
        ann, bob, cleo = Guest(server, "ann"), Guest(server, "bob", room="cellar"), Guest(server, "cleo")
        for peer in (ann, bob, cleo):
            self.addCleanup(peer.close)
        ann.say("/pad/2/sample", "bark")
        self.wait_until("the sound is on the pad", lambda: ann.say("/pad/2/name") or ann.wait("/pad/2/name") == ("bark",))
        ann.say("/step/2/1", 1.0)
        ann.say("/block/save", "mine", 1)
        ann.until_pong()
        ann.say("/lane/1/1", "mine")
        ann.say("/lane/1/2", "house shuffle")
        ann.say("/host", "word")
        ann.until_pong()
        ann.say("/lock", "kits")
        ann.say("/player/cleo/gain", -9.0)
        ann.say("/player/cleo/role", "listener")
        bob.say("/tempo", 99.0)
        bob.say("/step/1/1", 1.0)
        people = (ann, bob, cleo)
        # The tempo as it sounds is told by the room's lights, which are looked at 30 times a second.
        self.wait_until("the tempo sounds", lambda: bob.wait("/bpm") == (99.0,))
        before = [peer.values() for peer in people]
        self.write(server)
        self.kill(server)
        server = self.serve("--open-rooms", "--host-word", "word")
        for peer, was, room in zip(people, before, ("main", "cellar", "main")):
            again = Guest(server, peer.name, peer.token, room)
            self.addCleanup(again.close)
            self.assertEqual(again.welcome[:2], (room, peer.name))
            now = again.values()
            self.assertEqual({a: (was.get(a), now.get(a)) for a in was.keys() | now.keys() if was.get(a) != now.get(a)}, {})

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts a file system")
    def test_a_full_disk_is_told_and_nothing_is_missing_when_there_is_room_again(self):
        self.data.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(self.data)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest(f"nothing can be mounted here: {mounted.stderr.decode()}")
        self.addCleanup(lambda: subprocess.run(["umount", str(self.data)], check=True))

        def serve():
            server = Server("--data", str(self.data / "data"))
            self.addCleanup(server.stop)
            return server

        def told(peer, state):
            self.wait_until(f"it is told: {state}", lambda: peer.wait("/journal/state")[0] == state)

        server = serve()
        ann = Guest(server, "ann")
        told(ann, "kept")
        fill = self.data / "fill"
        subprocess.run(["dd", "if=/dev/zero", f"of={fill}", "bs=1k"], capture_output=True)

        def fails():
            # Until what is left in a page of its file is full: what comes at once is written at once.
            ann.say("/chat", "x" * 200)
            ann.say("/tempo", 141.0 if ann.bpm == 140.0 else 140.0)
            ann.bpm = 281.0 - ann.bpm
            return any(address == "/journal/state" and list(values)[0] == "failing" for address, values in ann.until_pong())

        ann.bpm = 140.0
        self.wait_until("it is told: failing", fails)
        ann.say("/tempo", 141.0)
        self.wait_until("it is counted", lambda: server.figure('journal_failing{room="main"}') == 1)
        ann.say("/pad/3/gain", -11.0)
        fill.unlink()
        told(ann, "kept")
        self.assertEqual(server.said().count("journal.failed room=\"main\" reason=\"cannot write"), 1)
        self.kill(server)
        server = serve()
        again = Guest(server, "ann", ann.token)
        values = again.values()
        self.assertEqual((values["/tempo"][0], values["/pad/3/gain"][0]), (141.0, -11.0))
        for peer in (ann, again):
            peer.close()

    def test_the_second_server_on_a_folder_says_so(self):
        self.serve()
        second = run("serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none",
                     "--data", str(self.data))
        self.assertEqual(second.returncode, 69, second.stderr)
        self.assertIn("another server uses it", second.stderr)

    def test_a_journal_that_was_cut_or_overwritten_opens(self):
        server = self.serve()
        ann, _ = self.jam(server)
        # The last thing that is written, alone.
        ann.say("/chat", "this is the end, and it is longer than what is cut off")
        ann.until_pong()
        self.write(server)
        self.kill(server)
        whole = self.journals[-1].read_bytes()
        for name, harmed in (("cut", whole[:-37]), ("zeros", whole + bytes(5_000)), ("flipped", whole[:-50] + b"\xff" + whole[-49:])):
            for file in self.journals:
                file.unlink()
            (self.journals[-1] if self.journals else next(self.data.glob("rooms/*")) / "7.journal").write_bytes(harmed)
            server = self.serve()
            # A change that was cut off is one that a kill met while it was written: no damage.
            (self.assertNotIn if name == "cut" else self.assertIn)("journal.damaged", server.said(), name)
            peer = Guest(server, "eve")
            values = peer.values()
            self.assertEqual(values["/swing"], (values["/swing"][0],))
            self.assertAlmostEqual(values["/tempo"][0], 133.0, places=3)
            peer.close()
            self.kill(server)

    def test_a_journal_of_a_newer_program_is_left_alone(self):
        server = self.serve()
        self.jam(server)
        self.kill(server)
        file = self.journals[-1]
        payload = b"#bundle\0" + bytes(7) + b"\1"
        message = b"/journal\0\0\0\0,is\0" + struct.pack(">i", 99) + b"main\0\0\0\0"
        payload += struct.pack(">i", len(message)) + message
        bytes_ = struct.pack(">II", len(payload), zlib.crc32(payload)) + payload
        file.write_bytes(bytes_)
        server = self.serve()
        self.assertIn("newer program", server.said())
        server.stop()
        self.assertEqual(file.read_bytes(), bytes_)
