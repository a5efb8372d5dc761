"""The door: what a newcomer plays is on its own cue alone, until a host lets it in."""

import http.client
import time
import unittest

from case import RIM, ServerCase, needs
from test_cue import Player, ffmpeg_on_ogg
from test_library import wav

WORD = "sesame"


class Door(ServerCase):
    arguments = ("--host-word", WORD)

    def setUp(self):
        self.wait_for_silence()
        self.host = Player(self, "host")
        self.host.send("/host", WORD)
        # The state that came with /hello says 0.
        self.wait_until("the host is one", lambda: self.host.wait("/host") == [1])
        self.host.send("/room/door", 1)
        self.settle()
        self.addCleanup(self.host.send, "/room/door", 0)

    def settle(self):
        """Until the server has carried out all that the host sent."""
        def answered():
            # Where nobody has read for a while, the socket is full, and an answer is lost.
            self.host.send("/ping", 1)
            return self.host.wait("/pong", seconds=2) is not None
        self.wait_until("the host is answered", answered)

    def play(self, player, listeners):
        """What each listener hears of four rim shots of the player."""
        for listener in listeners:
            self.wait_until("the listener receives", lambda: listener.seconds > 0, seconds=20)
        first = time.time() + 0.5
        player.send("/ping", 1)
        for i in range(4):
            player.send(RIM, 1.0, at=first + i * 0.5)
        for listener in listeners:
            enough = listener.seconds + 5
            self.wait_until("the listener has it all", lambda: listener.seconds > enough or listener.is_over, seconds=30)
        return [listener.finish() for listener in listeners]

    @needs("ffmpeg")
    def test_a_newcomers_hits_are_on_its_cue_alone_until_a_host_lets_it_in(self):
        new = Player(self, "new")
        cue, mix = self.play(new, [ffmpeg_on_ogg(self.server, f"?{new.cue}"), ffmpeg_on_ogg(self.server)])
        self.assert_rim_shots(cue, count=4)
        # Opus makes of silence a silence of its own.
        self.assertLess(max(mix.peak("left"), mix.peak("right")), -80)
        self.host.send("/player/new/admit", 1)
        self.settle()
        mix, = self.play(new, [ffmpeg_on_ogg(self.server)])
        self.assert_rim_shots(mix, count=4)

    def test_a_newcomer_without_a_stream_is_told_that_nobody_hears_it(self):
        new = Player(self, "mute")
        new.send(RIM, 1.0)
        where, reason, code = new.wait("/error")
        self.assertEqual((where, code), (RIM, "unheard-at-door"))
        self.assertIn("player=mute", reason)

    def test_what_others_hear_is_refused_at_the_door(self):
        new = Player(self, "hasty")
        for address, arguments in (("/tempo", (99.0,)), ("/play", ()), ("/loop/record", ()), ("/buildup", (200.0, 4))):
            new.send(address, *arguments)
            where, reason, code = new.wait("/error")
            self.assertEqual((where, code), (address, "at-the-door"))
            self.assertIn("a host lets you in", reason)

    def test_files_come_only_from_those_who_are_in(self):
        new = Player(self, "caller")
        sound = wav()

        def put(path, query):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=30)
            try:
                connection.request("PUT", f"{path}?{query}", sound)
                answer = connection.getresponse()
                answer.read()
                return answer.status, answer.getheader("Bandshell-Error")
            finally:
                connection.close()

        for path in ("/samples/bark", "/kits/bark", "/blocks/bark", "/projects/bark"):
            for query in ("", new.cue):
                self.assertEqual(put(path, query), (423, "at-the-door"), f"{path} {query}")
            # It is no kit, block or project, and is read before that is said.
            self.assertNotEqual(put(path, self.host.cue)[0], 423, path)
        self.host.send("/room/door", 0)
        self.settle()
        self.assertEqual(put("/samples/bark", "")[0], 201)

    def test_a_host_takes_back_all_of_a_player_and_brings_it_back(self):
        self.host.send("/room/door", 0)
        bob = Player(self, "bob")
        bob.send("/pitch", 3.0)
        bob.send("/swing", 0.5)
        bob.send("/pitch")
        self.wait_until("the pitch is bob's", lambda: bob.wait("/pitch") == [3.0])

        def show(*wanted):
            for address, value in zip(("/pitch", "/swing"), wanted):
                # What was told before lies before the answer.
                self.host.send(address)
                self.wait_until(f"{address} is {value}", lambda: self.host.wait(address) == [value])

        show(3.0, 0.5)
        self.host.send("/player/bob/takeback")
        show(0.0, 0.0)
        self.host.send("/room/undo")
        show(3.0, 0.5)
        self.host.send("/room/redo")
        show(0.0, 0.0)
        bob.send("/player/host/takeback")
        self.assertEqual(bob.wait("/error")[2], "host-only")

    def test_a_name_that_nobody_had_is_told_so_while_somebody_is_kept_out(self):
        self.host.send("/room/door", 0)
        Player(self, "rude")
        self.host.send("/player/rude/kick", 60)
        self.settle()
        self.host.send("/player/nobody-at-all/admit")
        where, _, code = self.host.wait("/error")
        self.assertEqual((where, code), ("/player/nobody-at-all/admit", "no-such-player"))
        self.host.send("/player/rude/admit")
        self.settle()


if __name__ == "__main__":
    unittest.main()
