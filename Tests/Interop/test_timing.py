"""A player far away, who listens by RTP and says with each hit what it was hearing."""

import random
import select
import socket
import struct
import threading
import time
import unittest

import osc
from case import RIM, ServerCase
from server import free_udp_pair
from sound import Sound

from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage

RATE = 48_000
BAR = 4 * 24_000  # 4/4 at 120 bpm
NTP = 2_208_988_800


class FarPlayer:
    """Hears the room's RTP stream behind a buffer, and answers over UDP some time later."""

    buffer = 0.15

    def __init__(self, server, name):
        self._osc = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._osc.connect(("127.0.0.1", server.osc))
        port = free_udp_pair()
        self._media = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for offset, each in enumerate(self._media):
            each.bind(("127.0.0.1", port + offset))
        self.told, self._news = [], threading.Condition()
        self._start = self._report = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        server.sdp(port)
        self.send(osc.message("/hello", name))

    def send(self, packet):
        self._osc.send(packet)

    def _read(self):
        while not self._stop.is_set():
            for each in select.select([self._osc, *self._media], [], [], 0.1)[0]:
                data = each.recv(65_536)
                with self._news:
                    self._take(data, each is self._osc)
                    self._news.notify_all()

    def _take(self, data, is_osc):
        if is_osc and data.startswith(b"#bundle\0"):
            bundle = OscBundle(data)
            self.told += [(each.address, each.params, bundle.timestamp) for each in bundle]
        elif is_osc:
            message = OscMessage(data)
            self.told.append((message.address, message.params, None))
        elif data[1] == 200:
            # A sender report: which moment of the server's clock a timestamp is (RFC 3550 §6.4.1).
            seconds, fraction, timestamp = struct.unpack_from(">III", data, 8)
            self._report = (seconds - NTP + fraction / 2**32, timestamp)
        elif data[1] & 0x7F == 96 and self._start is None:
            self._start = (time.monotonic(), struct.unpack_from(">I", data, 4)[0])

    def wait(self, what, found, seconds=20):
        """What `found` makes of all that came, once it is something."""
        end = time.monotonic() + seconds
        with self._news:
            while (result := found()) is None:
                if not self._news.wait(max(0.0, end - time.monotonic())):
                    raise AssertionError(f"no {what} within {seconds} s, but {self.told[-20:]}")
            return result

    def wait_for(self, address, *parameters):
        return self.wait(f"{address} {parameters}", lambda: next(
            (each for each in self.told if each[0] == address and list(parameters) == each[1][:len(parameters)]), None))

    def all(self, address):
        with self._news:
            return [each[1] for each in self.told if each[0] == address]

    @property
    def hears(self) -> float:
        """The RTP timestamp that its ear is at."""
        moment, timestamp = self._start
        return timestamp + (time.monotonic() - moment - self.buffer) * RATE

    def bar_line(self) -> int:
        """The timestamp of a bar line, by the server's clock."""
        self.wait("RTP packet and sender report", lambda: self._start and self._report)
        moment = self.wait("/beat/next of a bar line", lambda: next(
            (each[2] for each in reversed(self.told) if each[0] == "/beat/next" and each[1][1] == 1), None))
        clock, timestamp = self._report
        return timestamp + round((moment - clock) * RATE)

    def play(self, timestamp):
        """Hits as it hears that timestamp; the hit is on its way for up to 60 ms."""
        while self.hears < timestamp:
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.06))
        self.send(osc.bundle(osc.message("/heard", timestamp & 0xFFFF_FFFF), osc.message(RIM, 1.0)))

    def close(self):
        self._stop.set()
        self._thread.join()
        for each in (self._osc, *self._media):
            each.close()


class Timing(ServerCase):
    def setUp(self):
        random.seed(7)
        self.player = FarPlayer(self.server, "far")
        self.addCleanup(self.player.close)
        self.player.wait_for("/welcome")

    def be_in_time(self, word):
        self.player.send(osc.message("/timing", word))
        # Whoever sets something is not told; who asks is.
        self.player.send(osc.message("/timing"))
        self.player.wait_for("/timing", word)

    def onsets(self, seconds):
        return Sound.from_wav(self.server.get(f"/last.wav?seconds={seconds}")[2]).onsets(threshold=-20, is_excerpt=True)

    def test_a_hit_at_the_moment_of_a_beat_is_told_on_that_beat(self):
        player = self.player
        player.send(osc.message("/ping", 1))
        # A beat is 21,654.135 frames: most beats lie between two frames.
        player.send(osc.message("/tempo", 133.0))
        self.addCleanup(player.send, osc.message("/tempo", 120.0))
        player.send(osc.message("/tempo"))
        player.wait_for("/tempo", 133.0)
        for _ in range(4):
            seen = {address: len(player.all(address)) for address in ("/beat/next", "/receipt")}

            def newest(address, seen=seen):
                return next((each for each in reversed(player.told) if each[0] == address), None) \
                    if len(player.all(address)) > seen[address] else None

            _, (bar, beat, *_), moment = player.wait("/beat/next", lambda: newest("/beat/next"))
            player.send(osc.bundle(osc.message(RIM, 1.0), tag=osc.timetag(moment)))
            receipt = player.wait("/receipt", lambda: newest("/receipt"))[1]
            self.assertEqual(receipt[1:3], [bar, float(beat)])

    def test_an_overdub_is_where_the_player_heard_the_beat(self):
        self.be_in_time("heard")
        self.player.send(osc.message("/loop/bars", 1))
        bar = self.player.bar_line()
        self.player.send(osc.message("/loop/record"))
        self.player.wait_for("/loop/state", "recording")
        # The bar that it will hear the beginning of, which the room has just begun.
        bar += round((self.player.hears + self.player.buffer * RATE - bar) / BAR) * BAR
        places = (1.0, 2.0, 3.0, 3.75)
        for place in places:
            # The last arrives when the pass is over.
            self.player.play(bar + round(place * 24_000))
        self.player.wait_for("/loop/state", "playing")
        receipts = self.player.wait("a receipt for each", lambda: (
            found if len(found := [each[1] for each in self.player.told if each[0] == "/receipt"]) == 4 else None))
        for (_, _, beat, shift), place in zip(receipts, places):
            self.assertAlmostEqual(beat, place + 1, delta=0.001)
            self.assertLess(shift, -self.player.buffer * 1_000)
        # Only the loop, twice around.
        start = len(self.player.told)
        self.player.wait("three bar lines", lambda: sum(
            each[0] == "/beat" and each[1][1] == 1 for each in self.player.told[start:]) >= 3 or None)
        onsets = self.onsets(4)
        self.assertIn(len(onsets), (7, 8, 9), onsets)
        self.assert_round(onsets, [0.5, 0.5, 0.375, 0.625], 1.5 / RATE)
        self.player.send(osc.message("/loop/clear"))
        self.player.wait("an empty loop", lambda: self.player.told[-1] if any(
            each[0] == "/loop/state" and each[1] == ["empty"] for each in self.player.told[-20:]) else None)

    def test_what_cannot_have_been_heard_is_refused_by_name(self):
        self.be_in_time("heard")
        self.player.bar_line()
        future = int(self.player.hears) + 5 * RATE
        self.player.send(osc.bundle(osc.message("/heard", future), osc.message(RIM, 1.0)))
        address, reason, _ = self.player.wait_for("/error")[1]
        self.assertEqual(address, RIM)
        self.assertIn("in the future: send the RTP timestamp that you were hearing", reason)


if __name__ == "__main__":
    unittest.main()
