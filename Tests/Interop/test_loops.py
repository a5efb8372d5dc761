"""Steps, loops, blocks and lanes over OSC, heard in the room's mix."""

import pathlib
import tempfile
import unittest

from case import RIM, ServerCase
from server import Server
from sound import Sound
from test_own_sounds import Player

# Fast, so that little time passes; a sixteenth is a whole number of frames.
TEMPO = 240.0
BEAT = 60 / TEMPO
FRAME = 1 / 48_000


def onsets(server, seconds):
    return Sound.from_wav(server.get(f"/last.wav?seconds={seconds}")[2]).onsets(threshold=-20, rest=0.05, is_excerpt=True)


class LoopCase(ServerCase):
    """A server for each test: what loops would be heard in the next one."""

    @classmethod
    def setUpClass(cls):
        pass

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)

    def player(self, name, server=None):
        player = Player(server or self.server, name)
        self.addCleanup(player.close)
        return player

    def ask(self, player, address):
        """What a setting is: whoever sets one is not told, who asks is."""
        before = player.count(address)
        player.send(address)
        self.wait_until(f"{address} is answered", lambda: player.count(address) > before)
        return player.last(address)

    def at_tempo(self, name):
        """A player in a room that is fast."""
        player = self.player(name)
        player.send("/tempo", TEMPO)
        self.wait_until("the tempo is known", lambda: self.ask(player, "/tempo") == (TEMPO,))
        return player

    def hear(self, player, beats):
        """Until the room has gone on for so many beats, by its own clock."""
        before = player.count("/beat")
        self.wait_until(f"{beats} beats", lambda: player.count("/beat") >= before + beats)

    def items(self, player):
        with player.inbox._news:
            return {m[1][0]: m[1] for m in player.inbox.messages if m[0] == "/blocks/item"}

    def silence(self, player):
        """Takes the loop away, and waits until nothing of it sounds."""
        player.send("/loop/clear")
        self.wait_until("the loop is empty", lambda: player.last("/loop/state") == ("empty",))
        self.wait_for_silence()


class Loops(LoopCase):
    def test_steps_sound_at_their_places(self):
        anna = self.at_tempo("anna")
        for step in (1, 5, 11):
            anna.send(f"/step/9/{step}", 1.0)
        self.hear(anna, 14)
        heard = onsets(self.server, 12 * BEAT)
        self.assertGreaterEqual(len(heard), 7)
        # Four sixteenths, six, and six to the next round.
        self.assert_round(heard, [BEAT, 1.5 * BEAT, 1.5 * BEAT], 1.5 * FRAME)

    def test_steps_of_another_length_go_round_by_themselves(self):
        anna = self.at_tempo("anna")
        anna.send("/steps/9", 5)
        anna.send("/step/9/1", 1.0)
        self.hear(anna, 14)
        heard = onsets(self.server, 12 * BEAT)
        self.assertGreaterEqual(len(heard), 7)
        self.assert_round(heard, [5 * BEAT / 4], 1.5 * FRAME)

    def test_a_recorded_loop_shows_in_the_grid(self):
        anna = self.at_tempo("anna")
        anna.send("/loop/bars", 1)
        anna.send("/quantize", "1/16")
        anna.send("/loop/record")
        self.wait_until("the pass begins", lambda: anna.last("/loop/state") == ("recording",))
        anna.send(RIM, 1.0)
        self.wait_until("the loop plays", lambda: anna.last("/loop/state") == ("playing",))

        def shown():
            with anna.inbox._news:
                return [m for m in anna.inbox.messages if m[0].startswith("/step/9/") and m[1][0] > 0]

        self.wait_until("the hit shows as a step", lambda: len(shown()) == 1)
        self.assertEqual(shown()[0][1], (1.0,))
        self.wait_until("its layer is told", lambda: anna.last("/loop/layers") == (1,))

    def test_a_block_plays_on_a_lane_once_and_looped(self):
        anna, bert = self.at_tempo("anna"), self.player("bert")
        anna.send("/step/9/1", 1.0)
        anna.send("/block/save", "mine", 0)
        self.wait_until("the block is there", lambda: "mine" in self.items(anna))
        self.silence(anna)
        anna.send("/blocks")
        self.wait_until("all are listed", lambda: "rock straight" in self.items(anna))
        self.assertEqual(self.items(anna)["mine"][1:], ("", 4.0, "anna", 0))
        # Nobody else has it before it is shared.
        bert.send("/blocks")
        self.wait_until("all are listed", lambda: "rock straight" in self.items(bert))
        self.assertNotIn("mine", self.items(bert))
        bert.send("/lane/1/1", "mine")
        self.wait_until("it is refused", lambda: bert.last("/error") is not None)
        self.assertIn("/blocks lists them", bert.last("/error")[1])
        anna.send("/block/share", "mine")
        self.wait_until("bert has it", lambda: "mine" in self.items(bert))
        self.assertEqual(self.items(bert)["mine"][3:], ("anna", 1))
        bert.send("/lane/1/1", "mine")
        self.assertEqual(self.ask(bert, "/lane/1/1"), ("mine",))
        bert.send("/lane/1/play")
        self.wait_until("it plays", lambda: bert.last("/lane/1/state") == ("playing",))
        self.wait_until("it is over", lambda: bert.last("/lane/1/state") == ("stopped",))
        self.assertEqual(len(onsets(self.server, 8 * BEAT)), 1)
        self.wait_for_silence()
        bert.send("/lane/1/loop")
        self.wait_until("it goes round", lambda: bert.last("/lane/1/state") == ("looping",))
        self.hear(bert, 15)
        heard = onsets(self.server, 15 * BEAT)
        self.assertGreaterEqual(len(heard), 3)
        self.assert_round(heard, [4 * BEAT], 1.5 * FRAME)
        bert.send("/lane/1/stop")
        self.wait_until("it stops", lambda: bert.last("/lane/1/state") == ("stopped",))


class Kept(LoopCase):
    def test_a_block_is_there_after_a_restart(self):
        with tempfile.TemporaryDirectory(prefix="bandshell-") as data:
            with Server("--data", data) as server:
                anna = self.player("anna", server)
                anna.send("/step/9/1", 1.0)
                anna.send("/block/save", "kept", 0)
                anna.send("/block/share", "kept")
                self.wait_until("it is shared", lambda: self.items(anna).get("kept", (0,) * 5)[4] == 1)
                # It is written in the background.
                self.wait_until("it is on the disk", lambda: any(pathlib.Path(data).rglob("kept*")))
            with Server("--data", data) as server:
                cleo = self.player("cleo", server)

                def listed():
                    cleo.send("/blocks")
                    return "kept" in self.items(cleo)

                self.wait_until("it is listed again", listed)
                cleo.send("/lane/1/1", "kept")
                cleo.send("/lane/1/play")
                self.wait_until("it is heard", lambda: len(onsets(server, 3)) == 1)


class Refusals(LoopCase):
    def test_what_makes_no_sense_is_told_what_would_be_right_and_changes_nothing(self):
        anna = self.player("anna")
        before = [self.ask(anna, address) for address in ("/tempo", "/loop/bars", "/steps", "/loop/state")]
        for address, arguments, right in (
                ("/lane/1/17", ("rock straight",), "16"), ("/lane/9/1", ("rock straight",), "8"),
                ("/step/9/17", (1.0,), "/steps/9 17"), ("/step/9/65", (1.0,), "64"), ("/loop/bars", (65,), "64"),
                ("/steps", (3,), "4"), ("/undo", (), "/redo"), ("/tempo", (0.0,), "20"), ("/tempo", (1e9,), "300"),
                ("/buildup", (140.0, 0), "1"), ("/loop/clear", (), "/loop/record")):
            with self.subTest(address=address, arguments=arguments):
                count = anna.count("/error")
                anna.send(address, *arguments)
                self.wait_until("an /error", lambda: anna.count("/error") > count)
                told, reason, _ = anna.last("/error")
                self.assertEqual(told, address)
                self.assertIn(right, reason)
        after = [self.ask(anna, address) for address in ("/tempo", "/loop/bars", "/steps", "/loop/state")]
        self.assertEqual(after, before)
        self.assertEqual(onsets(self.server, 3), [])


if __name__ == "__main__":
    unittest.main()
