"""What the interop tests share."""

import shutil
import threading
import time
import unittest

import osc
from server import Server

# A rim shot: loud at once, silent after a fifth of a second.
RIM = "/pad/9"


def needs(*programs):
    """Skips a test, and says why, where a program is missing. `make test` installs them all."""
    missing = [program for program in programs if shutil.which(program) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)} (scripts/packages test)")


class ServerCase(unittest.TestCase):
    """One server for the tests of a class."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.arguments)
        cls.addClassCleanup(cls.server.stop)

    def tearDown(self):
        self.assertTrue(self.server.is_alive, f"the server died:\n{self.server.said()[-4000:]}")

    def wait_until(self, what, condition, seconds=10):
        """Until `condition()` is true; the time is a bound, not a measure."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        self.fail(f"not within {seconds} s: {what}")

    def assert_rim_shots(self, sound, count, interval, missing=1):
        """`count` rim shots, `interval` seconds apart, on both channels, as loud as the kit has them."""
        # A listener may come in the middle of a shot.
        onsets = [at for at in sound.onsets() if at > 0.05]
        self.assertGreaterEqual(len(onsets), count - missing, f"onsets at {onsets} in {sound.seconds:.2f} s")
        self.assertLessEqual(len(onsets), count, f"onsets at {onsets}")
        for gap in (b - a for a, b in zip(onsets, onsets[1:])):
            # A multiple, where the listener missed one at its start.
            self.assertLess(abs(gap - round(gap / interval) * interval), 0.05, f"onsets at {onsets}")
        for channel in ("left", "right"):
            self.assertGreater(sound.peak(channel), -20, f"the {channel} channel is too quiet")
            self.assertLessEqual(sound.peak(channel), 0.0)


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
