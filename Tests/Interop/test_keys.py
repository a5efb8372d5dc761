"""Keys by OSC clients: what is heard of a note, a chord and a wrong one, by ffmpeg."""

import unittest

import numpy

from case import ServerCase, needs
from server import free_udp_pair
from test_cue import Player
from test_listeners import ffmpeg_on


def strongest(sound, first, last):
    """The frequency of the strongest partial between two seconds, in Hz."""
    part = numpy.asarray(sound.left[int(first * 48_000):int(last * 48_000)], dtype=float)
    spectrum = numpy.abs(numpy.fft.rfft(part * numpy.hanning(len(part))))
    return numpy.argmax(spectrum) * 48_000 / len(part)


class Pianist(Player):
    """A player who hears of everything."""

    def __init__(self, case, name):
        super().__init__(case, name)
        self.send("/subscribe", self._socket.getsockname()[1])


class KeysTests(ServerCase):
    @needs("ffmpeg")
    def test_a_key_is_heard_at_its_pitch_and_ends_with_its_release(self):
        player = Pianist(self, "piano")
        player.send("/instrument", "sine-square-triangle")
        # Whoever subscribes is told of all that there is, first; and nobody of the very value that it has sent.
        self.wait_until("the value is told", lambda: player.wait("/instrument/height/mix") == [1.0])
        listener = ffmpeg_on(self.server.sdp(free_udp_pair()))
        self.wait_until("the stream is heard", lambda: listener.seconds > 0.5)
        player.send("/key", 69, 1.0)
        self.assertEqual(player.wait("/note")[1], 69)
        # What comes a second late, as on a busy machine, is in time for what is looked at.
        begin = listener.seconds
        self.wait_until("enough is heard", lambda: listener.seconds > begin + 2.2)
        player.send("/key/69", 0.0)
        self.assertEqual(player.wait("/note/off")[1], 69)
        end = listener.seconds
        self.wait_until("enough is heard", lambda: listener.seconds > end + 3.2)
        sound = listener.finish()
        self.assertAlmostEqual(strongest(sound, begin + 1, begin + 2), 440, delta=2)
        rest = numpy.abs(numpy.asarray(sound.left[int((end + 2.7) * 48_000):int((end + 3.1) * 48_000)], dtype=float))
        loud = numpy.abs(numpy.asarray(sound.left[int((begin + 1) * 48_000):int((begin + 2) * 48_000)], dtype=float))
        self.assertGreater(loud.max(), 2_000)
        # Of 32,768: the codec's own noise is some 6, whatever the note was.
        self.assertLess(rest.max(), 16)

    def test_what_cannot_be_is_refused_with_its_code(self):
        player = Player(self, "wrong")
        for address, arguments, code in [
            ("/key", (128, 1.0), "out-of-range"), ("/key/200", (1.0,), "out-of-range"),
            ("/instrument", ("theremin",), "no-such-instrument"), ("/scale", ("nowhere",), "unknown-word"),
            ("/progression", ("I xi",), "bad-progression"), ("/progression/play", (1,), "no-progression"),
            ("/instrument/filter/resonance", (1.5,), "out-of-range"), ("/arp/mode", ("sideways",), "unknown-word"),
        ]:
            player.send(address, *arguments)
            error = player.wait("/error")
            self.assertIsNotNone(error, address)
            self.assertEqual(error[-1], code, address)


if __name__ == "__main__":
    unittest.main()
