"""Effects by OSC clients: what is heard of an echo, a macro and a kick that ducks, by ffmpeg."""

import unittest

import numpy

from case import ServerCase, needs
from server import free_udp_pair
from sound import Sound
from test_cue import Player
from test_keys import Pianist
from test_listeners import ffmpeg_on


class EffectsTests(ServerCase):
    def level(self, sound, first, last):
        part = numpy.asarray(sound.left[int(first * 48_000):int(last * 48_000)], dtype=float)
        return numpy.sqrt((part ** 2).mean())

    def listen(self):
        listener = ffmpeg_on(self.server.sdp(free_udp_pair()))
        self.wait_until("the stream is heard", lambda: listener.seconds > 0.5)
        return listener

    def test_an_echo_comes_on_its_beat(self):
        player = Pianist(self, "echo")
        player.send("/tempo", 120.0)
        player.send("/kit", "starter")
        player.send("/pad/1/decay", 60.0)
        player.send("/send/delay", 1.0)
        player.send("/room/fx/delay/beats", 2.0)
        player.send("/room/fx/delay/pingpong", 0)
        self.wait_until("the room has told its state", lambda: player.wait("/pad/1/lit") is not None)
        # As much as is looked at below: the end of a test before would be the first that is loud.
        self.wait_for_silence(seconds=3)
        player.send("/pad/1", 1.0)
        found = []

        def is_heard_again():
            # From the server's tape: a stream may have a gap where the machine is busy.
            tape = Sound.from_wav(self.server.get("/last.wav?seconds=3")[2])
            sound = numpy.abs(numpy.asarray(tape.left, dtype=float)) / tape.scale
            loud = numpy.flatnonzero(sound > max(sound.max() * 0.1, 0.01))
            found[:] = loud[loud > loud[0] + 24_000] - loud[0] if len(loud) else []
            return len(found) > 0

        self.wait_until("an echo", is_heard_again)
        # Two beats of 120 bpm are a second.
        self.assertAlmostEqual(found[0] / 48_000, 1, delta=0.004)

    @needs("ffmpeg")
    def test_a_kick_of_another_ducks(self):
        pad, drummer = Pianist(self, "pads"), Pianist(self, "drums")
        drummer.send("/kit", "starter")
        drummer.send("/gain", -60.0)
        pad.send("/instrument", "sine-square-triangle")
        # What is ducked is the channel, not the echoes that the instrument brings along.
        pad.send("/send/delay", 0.0)
        pad.send("/send/reverb", 0.0)
        pad.send("/duck/source", "kick")
        pad.send("/duck/depth", 24.0)
        pad.send("/duck/release", 400.0)
        self.wait_until("the value is told", lambda: pad.wait("/instrument/height/mix") == [1.0])
        listener = self.listen()
        pad.send("/key", 69, 1.0)
        begin = listener.seconds
        self.wait_until("enough is heard", lambda: listener.seconds > begin + 1)
        drummer.send("/pad/1", 1.0)
        self.wait_until("enough is heard", lambda: listener.seconds > begin + 2.5)
        sound = listener.finish()
        levels = [self.level(sound, begin + at, begin + at + 0.04) for at in numpy.arange(0.4, 2.2, 0.02)]
        before = levels[0]
        self.assertLess(min(levels), before / 6)
        self.assertAlmostEqual(levels[-1] / before, 1, delta=0.1)

    def test_what_cannot_be_is_refused_with_its_code(self):
        player = Player(self, "wrong")
        for address, arguments, code in [
            ("/room/fx/delay/feedback", (1.0,), "out-of-range"), ("/send/reverb", (1.5,), "out-of-range"),
            ("/duck/source", ("snare",), "unknown-word"), ("/fx/compressor/detector", ("loudest",), "unknown-word"),
            ("/duck/pad", (17,), "out-of-range"), ("/macro/4", (0.5,), "unknown-address"),
            ("/fx/drive/amount", ("much",), "wrong-type"),
        ]:
            player.send(address, *arguments)
            error = player.wait("/error")
            self.assertIsNotNone(error, address)
            self.assertEqual(error[-1], code, address)


if __name__ == "__main__":
    unittest.main()
