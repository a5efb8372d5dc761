"""A server that is killed at any moment while much is set, played and uploaded. BANDSHELL_KILLS says how often; `make soak` kills it 1,000 times."""

import http.client
import io
import json
import os
import pathlib
import random
import tempfile
import time
import unittest

import numpy
import soundfile

from patience import Patient
from server import Server
from slow_disk import SlowDisk
from test_journal import Guest
from test_uploads import put


def noise(dice):
    """A WAV file that nobody else has."""
    file = io.BytesIO()
    soundfile.write(file, numpy.array([dice.uniform(-0.5, 0.5) for _ in range(2_400)]), 48_000, format="WAV", subtype="PCM_16")
    return file.getvalue()


class Said:
    """All that was said of each address, with its moment."""

    def __init__(self):
        self.values = {}

    def say(self, peer, address, value):
        peer.say(address, value)
        self.note(address, value)

    def note(self, address, value):
        self.values.setdefault(address, []).append((value, time.monotonic()))

    def differing(self, found, written):
        """What is found otherwise than it may be: the last value before the moment `written`, or a later one."""
        wrong = {}
        for address, said in self.values.items():
            old = [index for index, (_, moment) in enumerate(said) if moment < written]
            if not old:
                continue
            allowed = [value for value, _ in said[old[-1]:]]
            value = found.get(address, (None,))[0]
            if not any(value == one if isinstance(one, str) else value is not None and abs(value - one) < 1e-3 for one in allowed):
                wrong[address] = (value, allowed)
        return wrong

    def settle(self, found):
        """The next round begins with what was found."""
        self.values = {address: [(found[address][0], 0.0)] for address in self.values if address in found}


class KillTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"

    def serve(self, environment=None):
        server = Server("--data", str(self.data), environment=environment)
        self.addCleanup(server.stop)
        return server

    def kill(self, server):
        server.process.kill()
        server.process.wait()
        server.stop()

    def write(self, ann, number):
        """Until what was said up to now is written; returns the moment up to which it was said.

        How soon that is depends on the machine, so it is looked at in the journal itself: a room's state is written as
        a whole, and this name with it.
        """
        moment, mark = time.monotonic(), f"mark-{number}"
        ann.say("/scene/1/name", mark)
        self.wait_until("what was said is written", lambda: any(
            mark.encode() in path.read_bytes() for path in self.data.glob("rooms/*/*.journal")))
        return moment

    def get(self, server, path):
        connection = http.client.HTTPConnection("127.0.0.1", server.http, timeout=60)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def test_kills_while_everything_is_changed(self):
        """50 commands a second, a sound brought along each half second, and a hit on every tenth command."""
        kills = int(os.environ.get("BANDSHELL_KILLS", "12"))
        seed = int(os.environ.get("BANDSHELL_SEED", "16"))
        print(f"kills with BANDSHELL_SEED={seed}", flush=True)
        dice = random.Random(seed)
        said, token, written, number = Said(), None, 0.0, 0
        for round_ in range(kills):
            server = self.serve()
            self.assertNotIn("journal.damaged", server.said(), f"kill {round_}")
            ann = Guest(server, "ann", token)
            if token:
                self.assertEqual(ann.token, token, f"kill {round_}")
                found = ann.values()
                self.assertEqual(said.differing(found, written), {}, f"kill {round_}")
                said.settle(found)
            token = ann.token
            # In steps of 20 ms and more. What is said behind the last look at the journal may be there or not.
            count, upload = dice.randrange(5, 75), dice.randrange(25)
            look = count - dice.randrange(1, min(count, 6))
            for step in range(count):
                number += 1
                if step == look:
                    written = self.write(ann, number)
                pad = dice.randrange(1, 17)
                choice = dice.randrange(8)
                if choice < 3:
                    said.say(ann, f"/pad/{pad}/gain", -float(dice.randrange(400)) / 10)
                elif choice < 5:
                    said.say(ann, f"/pad/{pad}/pan", dice.randrange(-100, 100) / 100)
                elif choice == 5:
                    said.say(ann, f"/step/{dice.randrange(1, 5)}/{pad}", dice.randrange(1, 100) / 100)
                elif choice == 6:
                    said.say(ann, "/tempo", 60.0 + dice.randrange(900) / 10)
                else:
                    said.say(ann, "/master/gain", -dice.randrange(200) / 10)
                if number % 10 == 0:
                    ann.say(f"/pad/{pad}", 0.7)
                if step % 25 == upload:
                    place = 9 + number % 8
                    status, body = put(server, f"n{number}", noise(dice), f"?player=ann&token={token}&pad={place}")
                    self.assertEqual(status, 201, body)
                    said.note(f"/pad/{place}/sample", json.loads(body)["id"])
                    # The sound's own settings begin anew.
                    for what in ("gain", "pan"):
                        said.values.pop(f"/pad/{place}/{what}", None)
                time.sleep(0.02)
            self.kill(server)
            ann.close()

    def test_what_was_acknowledged_outlives_a_kill_however_long_the_disk_takes_to_sync(self):
        """An edit whose player was answered 0.3 s before the kill is there. The document promises 0.1 s."""
        kills = int(os.environ.get("BANDSHELL_KILLS", "8"))
        seed = int(os.environ.get("BANDSHELL_SEED", "5"))
        print(f"kills with BANDSHELL_SEED={seed}", flush=True)
        dice, disk = random.Random(seed), SlowDisk(self)
        said, token, acknowledged = Said(), None, 0.0
        for round_ in range(kills):
            milliseconds = (1_000, 10, 1_000, 0)[round_ % 4]
            disk.be(sync=milliseconds)
            server = self.serve(disk.environment)
            ann = Guest(server, "ann", token)
            found = ann.values()
            self.assertEqual(said.differing(found, acknowledged), {}, f"kill {round_}, a sync before it takes {milliseconds} ms")
            said.settle(found)
            token, answers = ann.token, []
            # A sync of a second begins with the first edits, and ends behind the kill.
            for _ in range(dice.randrange(20, 70)):
                said.say(ann, f"/pad/{dice.randrange(1, 17)}/gain", -float(dice.randrange(400)) / 10)
                asked = time.monotonic()
                ann.until_pong()
                answers.append((asked, time.monotonic()))
                time.sleep(0.02)
            time.sleep(dice.uniform(0, 0.3))
            killed = time.monotonic()
            self.kill(server)
            ann.close()
            acknowledged = max((asked for asked, answered in answers if answered < killed - 0.3), default=acknowledged)

    def test_a_disk_that_takes_long_to_write_is_told_and_what_was_played_is_there_afterwards(self):
        disk = SlowDisk(self)
        server = self.serve(disk.environment)
        ann = Guest(server, "ann")
        self.addCleanup(ann.close)
        self.write(ann, 1)
        ann.until_pong()
        disk.be(write=1_500)
        ann.say("/pad/3/gain", -7.5)
        self.assertEqual(ann.wait("/journal/state")[0], "late")
        self.wait_until("its health says so", lambda: b'"journal":"late"' in self.get(server, "/health")[1])
        disk.be(write=0)
        self.assertEqual(ann.wait("/journal/state")[0], "kept")
        self.kill(server)
        again = self.serve()
        self.assertEqual(Guest(again, "ann", ann.token).values()["/pad/3/gain"], (-7.5,))

    def test_the_take_of_a_killed_server_is_what_was_heard(self):
        for round_ in range(1 + int(os.environ.get("BANDSHELL_KILLS", "0")) // 100):
            server = self.serve()
            ann = Guest(server, "ann")
            ann.say("/tempo", 150.0)
            ann.say("/step/1/1", 0.9)
            ann.say("/step/2/5", 0.7)
            for hit in range(30):
                ann.say(f"/pad/{1 + hit % 16}", 0.8)
                time.sleep(0.2)
            status, body = self.get(server, "/last.wav?seconds=60")
            self.assertEqual(status, 200)
            heard, _ = soundfile.read(io.BytesIO(body), dtype="int32")
            self.kill(server)
            ann.close()
            server = self.serve()
            takes = []

            def known():
                takes[:] = json.loads(self.get(server, "/takes")[1])["takes"]
                return bool(takes and not takes[0]["recording"] and takes[0]["bars"])

            self.wait_until("the take is known", known, seconds=60)
            status, body = self.get(server, f"/takes/{takes[0]['id']}.wav")
            self.assertEqual(status, 200)
            take, _ = soundfile.read(io.BytesIO(body), dtype="int32")
            # Behind the last entry of the score a second rings on.
            length = len(take) - 48_000
            self.assertGreater(length, 2 * 48_000, f"kill {round_}")
            self.assertTrue(numpy.abs(take[:length]).max() > 1 << 24)
            # From its first sound on, wherever a busy machine had it begin: two seconds are nowhere else.
            first = int(numpy.argmax(numpy.abs(take[:length]).max(axis=1) > 1 << 24))
            place = self.find(take[first:min(length, first + 96_000)], heard) - first
            self.assertGreaterEqual(place, 0)
            numpy.testing.assert_array_equal(take[:length], heard[place:place + length], f"kill {round_}")
            server.stop()

    @staticmethod
    def find(part, whole):
        """Where the part lies, by correlation."""
        part, whole = part[:, 0].astype(float), whole[:, 0].astype(float)
        size = 1 << (len(part) + len(whole)).bit_length()
        spectrum = numpy.fft.rfft(whole, size) * numpy.conj(numpy.fft.rfft(part, size))
        return int(numpy.argmax(numpy.fft.irfft(spectrum, size)[:len(whole)]))


if __name__ == "__main__":
    unittest.main()
