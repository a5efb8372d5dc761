"""A mix of one's own: streams without the hits that one's own program sounds, and how loud the others are in one's streams."""

import pathlib
import tempfile
import time
import unittest

from case import RIM, FileListener, needs
from patience import Patient
from server import BINARY, Server, free_udp_pair
from sound import Sound
from test_cue import CueCase, Player, ffmpeg_on_ogg
from test_journal import Guest
from test_listeners import ffmpeg_on

# Opus makes of silence a silence of its own.
SILENT = -80


class OwnHits(CueCase):
    def loudest(self, sound):
        return max(sound.peak("left"), sound.peak("right"))

    def rim(self, player, *own, count=4):
        """`count` rim shots of the player, half a second apart."""
        first = time.time() + 0.5
        player.send("/ping", 1)
        for i in range(count):
            player.send(RIM, 1.0, *own, at=first + i * 0.5)

    def settle(self, player):
        """Until the server has carried out all that the player sent."""
        def answered():
            player.send("/ping", 1)
            return player.wait("/pong", seconds=2) is not None
        self.wait_until("the player is answered", answered)

    @needs("ffmpeg")
    def test_own_hits_are_left_out_of_streams_without_me_and_of_nothing_else(self):
        ann, bob = Player(self, "ann"), Player(self, "bob")
        listeners = [
            ffmpeg_on_ogg(self.server, f"?{ann.cue}&without=me"),
            ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{ann.cue}&without=me")),
            ffmpeg_on_ogg(self.server, f"?{ann.cue}"), ffmpeg_on_ogg(self.server, f"?{bob.cue}&without=me"),
            ffmpeg_on_ogg(self.server)]
        *without, cue, others, mix = self.hear(listeners, lambda: self.rim(ann, 7), 3)
        for sound in without:
            self.assertLess(self.loudest(sound), SILENT)
        for sound in (cue, others, mix):
            self.assert_rim_shots(sound, count=4)

    @needs("ffmpeg")
    def test_hits_without_a_number_and_hits_of_others_are_in_streams_without_me(self):
        ann, bob = Player(self, "ann"), Player(self, "bob")
        for player, own in ((ann, ()), (ann, (0,)), (bob, (7,))):
            with self.subTest(player=player.name, own=own):
                self.wait_for_silence()
                sound, = self.hear(
                    [ffmpeg_on_ogg(self.server, f"?{ann.cue}&without=me")], lambda: self.rim(player, *own), 3)
                self.assert_rim_shots(sound, count=4)

    @needs("ffmpeg")
    def test_a_player_with_a_stream_without_me_is_told_the_levellers_gain(self):
        ann = Player(self, "ann")
        listener = ffmpeg_on_ogg(self.server, f"?{ann.cue}&without=me")
        self.wait_until("the listener receives", lambda: listener.seconds > 0, seconds=20)

        def told():
            ann.send("/sync")
            return ann.wait("/master/leveller/gain", seconds=2)

        # Nobody has played for 4 s: nothing is turned down.
        self.wait_until("the gain is told", lambda: told() == [0.0], seconds=20)
        listener.finish()

    def test_without_me_wants_a_player_with_a_token(self):
        ann = Player(self, "ann")
        for path in ("/listen.opus?", "/listen.sdp?port=5004&"):
            for query, status, word in (
                    ("without=me", 400, "player="), (f"{ann.cue}&without=ann", 400, "without=me"),
                    ("player=ann&token=x&without=me", 403, "/welcome"),
                    (f"player=nobody&token={ann.token}&without=me", 404, "nobody")):
                answer = self.server.get(path + query)
                self.assertEqual((answer[0], word in answer[2].decode()), (status, True), answer[2])

    @needs("ffmpeg")
    def test_a_gain_takes_somebody_out_of_ones_own_streams_alone(self):
        ann, bob = Player(self, "ann"), Player(self, "bob")
        ann.send("/mix/bob/gain", -60.0)
        self.settle(ann)
        ogg, rtp, others, mix = self.hear(
            [
                ffmpeg_on_ogg(self.server, f"?{ann.cue}"), ffmpeg_on(self.server.sdp(free_udp_pair(), f"&{ann.cue}&without=me")),
                ffmpeg_on_ogg(self.server, f"?{bob.cue}"), ffmpeg_on_ogg(self.server)],
            lambda: self.rim(bob), 3)
        for sound in (ogg, rtp):
            self.assertLess(self.loudest(sound), SILENT)
        for sound in (others, mix):
            self.assert_rim_shots(sound, count=4)
        # A stream that is open follows.
        self.wait_for_silence()

        def play():
            ann.send("/mix/level")
            self.settle(ann)
            self.rim(bob)

        sound, = self.hear([ffmpeg_on_ogg(self.server, f"?{ann.cue}")], play, 3)
        self.assert_rim_shots(sound, count=4)

    def ask(self, player, address, wanted):
        """Until the value at `address` is `wanted`, as the player reads it."""
        def answered():
            player.send(address)
            return player.wait(address, seconds=2) == [wanted]
        self.wait_until(f"{address} is {wanted} for {player.name}", answered)

    def test_a_mix_is_its_players_own_and_answers(self):
        ann, bob = Player(self, "ann"), Player(self, "bob")
        ann.send("/mix/bob/gain", -12.0)
        self.ask(ann, "/mix/bob/gain", -12.0)
        self.ask(bob, "/mix/bob/gain", 0.0)
        # A name that nobody has here is kept.
        ann.send("/mix/carl/gain", -3.0)
        self.ask(ann, "/mix/carl/gain", -3.0)
        ann.send("/mix/level")
        self.ask(ann, "/mix/bob/gain", 0.0)
        self.ask(ann, "/mix/carl/gain", 0.0)
        ann.send("/mix/bob/gain", 13.0)
        where, reason, _ = ann.wait("/error")
        self.assertEqual(where, "/mix/bob/gain")
        self.assertIn("12", reason)

    @needs("ffmpeg")
    def test_the_command_line_hears_a_player_without_its_own_hits(self):
        ann = Player(self, "ann")
        for more, count in ((("--without-me",), 0), ((), 4)):
            with self.subTest(more=more):
                self.wait_for_silence()
                output = self.server.path / f"heard{count}.wav"
                listener = FileListener(
                    [BINARY, "listen", self.server.url("/"), "--player", "ann", "--token", ann.token, *more,
                     "--out", str(output)], output, lambda path: path.stat().st_size / (6 * 48_000), Sound.from_file)
                sound, = self.hear([listener], lambda: self.rim(ann, 7), 3)
                self.assertEqual(listener.code, 0, listener.said)
                if count:
                    self.assert_rim_shots(sound, count=count)
                else:
                    self.assertLess(self.loudest(sound), SILENT)


class KeptMix(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-mix-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"

    def serve(self):
        server = Server("--data", str(self.data))
        self.addCleanup(server.stop)
        return server

    def mix(self, guest):
        """The values of the guest's mix that are not as everybody hears them, as its full state has them."""
        return {a: v for a, v in guest.values().items() if a.startswith("/mix/") and v[0] != 0}

    def test_a_mix_is_kept_over_a_restart(self):
        wanted = {"/mix/bob/gain": (-12.0,), "/mix/nobody/mute": (1,)}
        server = self.serve()
        ann = Guest(server, "ann")
        self.addCleanup(ann.close)
        ann.say("/mix/bob/gain", -12.0)
        ann.say("/mix/nobody/mute", 1)
        self.wait_until("it is set", lambda: self.mix(ann) == wanted)
        server.stop()
        server = self.serve()
        again = Guest(server, "ann", ann.token)
        self.addCleanup(again.close)
        self.assertEqual(again.token, ann.token)
        self.wait_until("it has come back", lambda: self.mix(again) == wanted)
        self.assertNotIn("journal.problem", server.said())


if __name__ == "__main__":
    unittest.main()
