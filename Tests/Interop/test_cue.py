"""What a player hears alone: previews and the own click, on streams for which ffmpeg and curl ask with player= and token=."""

import http.client
import socket
import time
import unittest

import osc
from case import RIM, PipeListener, ServerCase, needs
from peer import messages
from server import free_udp_pair
from sound import rhythm
from test_listeners import FFMPEG_RAW, ffmpeg_on


class Player:
    """A player that says its name, and keeps what it is told."""

    def __init__(self, case, name):
        self.name = name
        self._told = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._server = ("127.0.0.1", case.server.osc)
        case.addCleanup(self._leave)
        self.send("/hello", name)
        self.token = self.wait("/welcome")[-1]

    def _leave(self):
        with self._socket:
            self.send("/bye")

    def send(self, address, *arguments, at=None):
        packet = osc.message(address, *arguments)
        self._socket.sendto(packet if at is None else osc.bundle(packet, tag=osc.timetag(at)), self._server)

    def wait(self, address, seconds=20):
        """The arguments of the next message to `address`; None where there is none in time."""
        end = time.monotonic() + seconds
        while True:
            while self._told:
                # The rest of a packet stays for the next time.
                where, arguments = self._told.pop(0)
                if where == address:
                    return list(arguments)
            if (left := end - time.monotonic()) <= 0:
                return None
            self._socket.settimeout(left)
            try:
                self._told += messages(self._socket.recv(65_536))
            except TimeoutError:
                return None

    @property
    def cue(self):
        return f"player={self.name}&token={self.token}"


def ffmpeg_on_ogg(server, query=""):
    return PipeListener("ffmpeg", "-v", "error", "-i", server.url(f"/listen.opus{query}"), *FFMPEG_RAW)


class CueCase(ServerCase):
    """A room that is silent at first, and listeners."""

    def setUp(self):
        self.wait_for_silence()

    def hear(self, listeners, play, seconds):
        """What each of `listeners` hears of the `seconds` that begin with `play`."""
        for listener in listeners:
            self.wait_until("the listener receives", lambda: listener.seconds > 0, seconds=20)
        play()
        for listener in listeners:
            enough = listener.seconds + seconds + 2
            self.wait_until(
                f"the listener has {enough:.1f} s", lambda: listener.seconds > enough or listener.is_over, seconds=seconds + 20)
        return [listener.finish() for listener in listeners]


class Cue(CueCase):
    @needs("ffmpeg")
    def test_previews_are_on_the_players_cue_and_nowhere_else(self):
        ann, bob = Player(self, "ann"), Player(self, "bob")
        listeners = [
            ffmpeg_on_ogg(self.server, f"?{ann.cue}"), ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{ann.cue}")),
            ffmpeg_on_ogg(self.server), ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{bob.cue}"))]

        def play():
            first = time.time() + 0.5
            ann.send("/ping", 1)
            for i in range(4):
                ann.send(f"{RIM}/preview", at=first + i * 0.5)
            # Any sound, whether its kit is in memory or not.
            ann.send("/sample/preview", "starter/9", at=first + 2.0)

        by_ogg, by_rtp, plain, others = self.hear(listeners, play, 3)
        self.assert_rim_shots(by_ogg, count=5)
        self.assert_rim_shots(by_rtp, count=5)
        for silent in (plain, others):
            # Opus makes of silence a silence of its own.
            self.assertLess(max(silent.peak("left"), silent.peak("right")), -80)

    @needs("ffmpeg")
    def test_hits_and_previews_lie_on_their_frames_of_one_cue(self):
        ann = Player(self, "ann")
        listeners = [ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{ann.cue}")), ffmpeg_on(self.server.sdp(free_udp_pair()))]

        def play():
            first = time.time() + 0.5
            ann.send("/ping", 1)
            for i in range(8):
                address, arguments = (RIM, (1.0,)) if i % 2 == 0 else (f"{RIM}/preview", ())
                ann.send(address, *arguments, at=first + i * 0.4)

        cue, mix = self.hear(listeners, play, 4)
        self.assert_rim_shots(cue, count=8, interval=0.4)
        self.assert_rim_shots(mix, count=4, interval=0.8)

    @needs("ffmpeg")
    def test_the_click_is_on_the_cue_at_the_players_own_gain(self):
        ann, bob = Player(self, "ann"), Player(self, "bob")
        # The loudest metronome of the room is not the one that ann hears.
        bob.send("/metronome/gain", 6.0)
        bob.send("/metronome", 1)
        self.assertIn("player=bob", bob.wait("/error")[1])
        ann.send("/metronome/gain", -20.0)
        listeners = [ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{ann.cue}&click=1")), ffmpeg_on(self.server.sdp(free_udp_pair()))]
        cue, mix = self.hear(listeners, lambda: ann.send("/metronome", 1), 3)
        self.assertLess(max(mix.peak("left"), mix.peak("right")), -80)
        clicks = cue.onsets(threshold=-50)
        self.assertGreater(len(clicks), 4)
        gaps = sorted(rhythm(clicks))
        # A packet that this machine lost on the way makes one of them 5 ms shorter; the click itself is in time.
        self.assertAlmostEqual(gaps[len(gaps) // 2], 0.5, delta=0.003)
        self.assertGreater(gaps[0], 0.48)
        self.assertLess(gaps[-1], 0.52)
        # The bar's first beat is 0.7 at full level.
        self.assertAlmostEqual(cue.peak(), -23.5, delta=1.5)
        self.assertIsNone(ann.wait("/error", seconds=0.2))
        for player in (ann, bob):
            player.send("/metronome", 0)

    def test_who_previews_unheard_is_told_how_to_hear_it(self):
        ann = Player(self, "ann")
        for address, arguments in ((f"{RIM}/preview", ()), ("/sample/preview", ("starter/3",)), ("/metronome", (1,))):
            ann.send(address, *arguments)
            where, reason, _ = ann.wait("/error")
            self.assertEqual(where, address)
            self.assertIn("/listen.opus?player=ann&token=", reason)
            self.assertIn("/welcome", reason)

    def test_a_cue_wants_its_players_token(self):
        ann = Player(self, "ann")
        for path in ("/listen.opus?", "/listen.sdp?port=5004&"):
            for query, status, word in (
                    ("player=ann", 403, "/welcome"), ("player=ann&token=x", 403, "/welcome"),
                    (f"player=nobody&token={ann.token}", 404, "nobody")):
                answer = self.server.get(path + query)
                self.assertEqual((answer[0], word in answer[2].decode()), (status, True), answer[2])


class ManyCues(ServerCase):
    """On a server of its own: leases of RTP go on for half a minute."""

    @needs("ffmpeg")
    def test_a_seventeenth_cue_is_refused_and_a_player_who_leaves_hears_the_mix(self):
        players = [Player(self, f"p{i}") for i in range(17)]
        listener = ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{players[0].cue}"))
        for player in players[1:16]:
            self.server.sdp(free_udp_pair(), f"&{player.cue}")
        # A stream would have no end.
        connection = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=30)
        self.addCleanup(connection.close)
        connection.request("GET", f"/listen.opus?{players[16].cue}")
        answer = connection.getresponse()
        body = answer.read(4_096)
        self.assertEqual((answer.status, answer.getheader("retry-after")), (503, "5"), body)
        self.assertIn(b"16 streams", body)
        players[0].send("/bye")
        sound = self.play_to(listener, count=3)
        self.assert_rim_shots(sound, count=3)


if __name__ == "__main__":
    unittest.main()
