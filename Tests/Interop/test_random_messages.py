"""Random valid messages, by many players at random moments: the server lives, answers, and a good player is heard.

BANDSHELL_FUZZ_MESSAGES says how many (`make fuzz` sends a million), BANDSHELL_FUZZ_SEED which ones.
"""

import contextlib
import math
import os
import re
import select
import socket
import struct
import time

import osc
from case import RIM, ServerCase
from random_osc import RandomMessages
from sound import Sound, rhythm

MESSAGES = int(os.environ.get("BANDSHELL_FUZZ_MESSAGES", "60000"))
SEED = int(os.environ.get("BANDSHELL_FUZZ_SEED", "1"))
DATAGRAM = 8_192


class Voice:
    """One player over UDP or TCP, who reads what comes and looks at none of it but the answers to `/ping`."""

    def __init__(self, server, name, kind):
        self.name, self.kind, self.answered, self._waiting, self.is_closed = name, kind, 0, b"", False
        self._socket = socket.socket(socket.AF_INET, kind)
        self._socket.connect(("127.0.0.1", server.osc))
        self._socket.setblocking(False)
        self.send(osc.message("/hello", name))

    def send(self, packet):
        if self.kind == socket.SOCK_DGRAM:
            with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
                self._socket.send(packet)
            return
        data = memoryview(struct.pack(">i", len(packet)) + packet)
        while data:
            self.read()
            try:
                data = data[self._socket.send(data):]
            except BlockingIOError:
                select.select([], [self._socket], [], 1)

    def read(self):
        with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
            while data := self._socket.recv(1 << 16):
                # An answer may be cut in two.
                data = self._waiting + data
                self.answered += data.count(b"/pong\0")
                self._waiting = data[-5:]
            self.is_closed = self.kind == socket.SOCK_STREAM

    def close(self):
        self._socket.close()


# A mix without effects, and echoes that end at once.
PLAIN_EFFECTS = {
    "macro/throw": 0.0, "macro/wash": 0.0, "macro/cut": 0.0, "macro/crush": 0.0, "fx/crush/amount": 0.0,
    "fx/glue/amount": 0.0, "fx/filter/lowpass": 20_000.0, "fx/filter/highpass": 20.0, "fx/delay/send": 0.0,
    "fx/reverb/send": 0.0, "fx/delay/feedback": 0.0, "fx/delay/beats": 0.25, "fx/reverb/decay": 0.2,
}


class RandomJam(ServerCase):
    def test_random_messages_end_nothing(self):
        source = RandomMessages(SEED)
        kinds = [socket.SOCK_DGRAM] * 5 + [socket.SOCK_STREAM] * 3
        voices = [Voice(self.server, f"random-{number}", kind) for number, kind in enumerate(kinds)]
        self.addCleanup(lambda: [voice.close() for voice in voices])
        sent = packets = 0
        while sent < MESSAGES:
            packet, count = source.packet(time.time())
            voice = source.dice.choice(voices)
            if voice.kind == socket.SOCK_DGRAM and len(packet) > DATAGRAM:
                continue
            voice.send(packet)
            # Others' messages are told to all, and a reader that is too slow is closed.
            for each in voices:
                each.read()
            sent, packets = sent + count, packets + 1
            # As fast as the server goes: an answer on a stream says that it has read what came before.
            if packets % 64 == 0:
                self.ask(voices, f"seed {SEED}: after {sent} messages")
        self.ask(voices, f"seed {SEED}: after all messages")
        # What is tagged takes effect up to 1.5 s later; what came of that ends, too.
        time.sleep(1.6)
        for voice in voices:
            self.end(voice)
        self.ask(voices, f"seed {SEED}: at the end")
        self.assert_heard(voices)

    def ask(self, voices, when):
        """Every stream answers `/ping`, and everybody's feedback is read."""
        streams = [voice for voice in voices if voice.kind == socket.SOCK_STREAM]
        before = {voice: voice.answered for voice in streams}
        asked = {voice: -math.inf for voice in streams}

        def has_answered():
            for voice in voices:
                voice.read()
            self.assertTrue(self.server.is_alive, f"the server died {when}:\n{self.server.said()[-4000:]}")
            silent = [voice for voice in streams if voice.answered == before[voice]]
            for voice in silent:
                # Of what comes too fast the server drops some, a `/ping` like anything else.
                if time.monotonic() - asked[voice] > 1:
                    asked[voice] = time.monotonic()
                    voice.send(osc.message("/ping", 1))
            return not silent

        try:
            self.wait_until(f"/ping is answered {when}", has_answered, seconds=30)
        except (AssertionError, ConnectionError) as problem:
            silent = [
                voice.name + (", closed" if voice.is_closed else "")
                for voice in streams if voice.answered == before[voice]]
            figures = [
                line for line in self.server.get("/metrics")[2].decode().splitlines()
                if re.match(r"bandshell_(osc|room)_\S+ [^0]", line)]
            raise AssertionError(f"{problem}; silent: {silent}; {figures}") from None

    def end(self, voice):
        """What a player began goes on without it, so it ends that itself."""
        for address in ("/undo", "/panic", "/loop/clear", "/buildup/cancel", *(f"/lane/{n}/clear" for n in range(1, 9))):
            voice.send(osc.message(address))
        for pad in range(1, 17):
            voice.send(osc.message(f"/pad/{pad}", 0.0))

    def assert_heard(self, voices):
        good = Voice(self.server, "good", socket.SOCK_STREAM)
        self.addCleanup(good.close)

        def make_plain():
            # The transport stands: nobody's loop plays on. The mix is as it was, and what rings in the room's effects ends soon.
            for message in (
                    osc.message("/stop"), osc.message("/master/gain", 0.0), osc.message("/pitch", 0.0),
                    osc.message("/modulation", 0.0), osc.message("/buildup/cancel"), *(
                        osc.message(f"/room/{address}", value) for address, value in PLAIN_EFFECTS.items())):
                good.send(message)

        make_plain()
        # The room is turned down for who was loud until they have been silent for four seconds.
        again = time.monotonic() + 20

        def is_silent():
            nonlocal again
            if Sound.from_wav(self.server.get("/last.wav?seconds=4")[2]).peak() == -math.inf:
                return True
            if time.monotonic() > again:
                # A datagram may be lost where the machine is busy. Their undo brings the room's effects back.
                for voice in voices:
                    self.end(voice)
                self.ask([*voices, good], "once more")
                make_plain()
                again = time.monotonic() + 20
            return False

        self.wait_until("four seconds of silence", is_silent, seconds=120)
        self.ask([good], "by the good player")
        first = time.time() + 0.5
        for i in range(8):
            good.send(osc.bundle(osc.message(RIM, 1.0), tag=osc.timetag(first + i * 0.5)))
        time.sleep(5.2)
        onsets = Sound.from_wav(self.server.get("/last.wav?seconds=5")[2]).onsets(rest=0.02)
        self.assertEqual(len(onsets), 8, f"onsets at {onsets}")
        for gap in rhythm(onsets):
            self.assertLess(abs(gap - 0.5), 0.005, f"onsets at {onsets}")
