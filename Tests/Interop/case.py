"""What the interop tests share."""

import math
import shutil
import signal
import subprocess
import threading
import time
import unittest

import osc
from patience import Patient
from server import Server
from sound import Sound

# A rim shot: loud at once, silent after a fifth of a second.
RIM = "/pad/9"
# What a busy machine makes sound late is counted by the server: commands that came to the engine after their frame,
# and hits that came after the moment that they were meant for.
LATE = ('late_commands_total{room="main"}', 'late_hits_total{room="main"}')


def needs(*programs):
    """Skips a test, and says why, where a program is missing. `make test` installs them all."""
    missing = [program for program in programs if shutil.which(program) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)} (scripts/packages test)")


class ServerCase(Patient, unittest.TestCase):
    """One server for the tests of a class."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.arguments)
        cls.addClassCleanup(cls.server.stop)

    def tearDown(self):
        # What was late in this test excuses nothing in the next one.
        self.server.late_before = getattr(self.server, "late_known", 0)
        self.assertTrue(self.server.is_alive, f"the server died:\n{self.server.said()[-4000:]}")

    def newly_late(self, server=None) -> int:
        """How much the server says has sounded late in this test: as many sounds may lie astray, and no more.

        So what is looked at to the frame is right on a busy machine, too, and exact on a quiet one.
        """
        server = server or self.server
        server.late_known = sum(int(server.figure(name) or 0) for name in LATE)
        return server.late_known - getattr(server, "late_before", 0)

    def assert_round(self, onsets, wanted, tolerance, server=None):
        """Onsets in seconds lie where the gaps `wanted`, round and round, have them, each of them once.

        What the server says was late may lie elsewhere.
        """
        late = self.newly_late(server)
        length = sum(wanted)
        places = [sum(wanted[:i]) for i in range(len(wanted))]

        def fitting(first, place):
            """The number of each place, counted on through all rounds, that has an onset, if `first` lies at `place`."""
            found = set()
            for onset in onsets:
                for index, each in enumerate(places):
                    turn = (onset - first + place - each) / length
                    if abs(turn - round(turn)) * length < tolerance:
                        found.add(round(turn) * len(places) + index)
            return found

        best = max((fitting(first, place) for first in onsets for place in places), key=len, default=set())
        said = f"onsets at {onsets}, gaps {wanted}, {late} of them late as the server says"
        self.assertGreaterEqual(len(best), max(2, len(onsets) - late), said)
        self.assertLessEqual(max(best) - min(best) + 1 - len(best), late, f"one is missing: {said}")

    def wait_for_silence(self, seconds=1):
        """Until the hits of the test before have died away: a second, longer than any drummer's interval."""
        self.wait_until(f"{seconds} s of silence", lambda: Sound.from_wav(
            self.server.get(f"/last.wav?seconds={seconds}")[2]).peak() == -math.inf)

    def hits_since(self, start, rest=0.05):
        """Where hits lie in the mix from shortly before `start` on: what a halt delays is in it, too."""
        seconds = time.time() - start + 0.3
        return Sound.from_wav(self.server.get(f"/last.wav?seconds={seconds:.2f}")[2]).onsets(rest=rest)

    def play(self, count, interval):
        """Hits the rim `count` times, `interval` seconds apart in the mix to the frame, however busy this machine is.

        Returns at once, with the time of the first hit, half a second ahead.
        """
        first = time.time() + 0.5
        # Only who asks for the server's clock is believed more than two seconds ahead.
        self.server.send(osc.message("/ping", 1))
        for i in range(count):
            self.server.send(osc.bundle(osc.message(RIM, 1.0), tag=osc.timetag(first + i * interval)))
        return first

    def play_to(self, listener, count=8, interval=0.5):
        """Plays once `listener` receives, and returns what it has heard when all must have come."""
        self.wait_until("the listener receives", lambda: listener.seconds > 0, seconds=60)
        self.play(count, interval)
        # Half a second passes before the first; what a listener holds back is less than the two seconds.
        enough = listener.seconds + 0.5 + count * interval + 2
        self.wait_until(
            f"the listener has {enough:.1f} s", lambda: listener.seconds > enough or listener.is_over, seconds=enough + 60)
        return listener.finish()

    def assert_rim_shots(self, sound, count=8, interval=0.5):
        """`count` rim shots and nothing else, `interval` seconds apart, on both channels, as loud as the kit has them."""
        everything = sound.onsets()
        self.assertEqual(len(everything), count, f"onsets at {everything} in {sound.seconds:.2f} s")
        # Each of them is loud.
        self.assertEqual(len(sound.onsets(threshold=-20)), count)
        # Half of the shortest packet: one that is lost or doubled is a fault.
        self.assert_round([sound.place(onset) for onset in everything], [interval], 0.00125)
        for channel in ("left", "right"):
            self.assertGreater(sound.peak(channel), -10, f"the {channel} channel is too quiet")
            self.assertLessEqual(sound.peak(channel), 0.0)


class PipeListener:
    """A program that puts raw 16-bit stereo at 48 kHz out on its standard output."""

    def __init__(self, *arguments):
        self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._heard, self._said = bytearray(), bytearray()
        self._readers = [threading.Thread(target=self._read, args=pair, daemon=True) for pair in (
            (self._process.stdout, self._heard), (self._process.stderr, self._said))]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(pipe, into):
        with pipe:
            while data := pipe.read1(65_536):
                into += data

    @property
    def seconds(self) -> float:
        return len(self._heard) / (4 * 48_000)

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    @property
    def said(self) -> str:
        return self._said.decode(errors="replace")

    def finish(self) -> Sound:
        self._process.terminate()
        self._process.wait(60)
        for reader in self._readers:
            reader.join()
        return Sound.from_s16(bytes(self._heard))


class FileListener:
    """A program that writes what it hears into a file; `measure` tells the file's seconds, `read` its sound."""

    def __init__(self, arguments, path, measure, read, end=signal.SIGTERM):
        self._path, self._measure, self._read, self._end = path, measure, read, end
        self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    @property
    def seconds(self) -> float:
        return self._measure(self._path) if self._path.exists() else 0.0

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def finish(self) -> Sound:
        self._process.send_signal(self._end)
        self.said = self._process.communicate(timeout=60)[0].decode(errors="replace")
        self.code = self._process.returncode
        return self._read(self._path)


class Drummer:
    """Hits the rim at a steady pace from a thread until left."""

    def __init__(self, server, interval=0.4, count=None):
        self._server, self._interval, self._count = server, interval, count
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self.hits = 0

    def _play(self):
        packet = osc.message(RIM, 1.0)
        start = time.monotonic()
        while not self._stop.is_set() and (self._count is None or self.hits < self._count):
            self._server.send(packet)
            self.hits += 1
            self._stop.wait(max(0.0, start + self.hits * self._interval - time.monotonic()))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def finish(self):
        self._thread.join()
