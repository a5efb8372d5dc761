"""Grooves that the room makes, and the bot that plays along, over OSC."""

import json
import os
import signal
import subprocess
import unittest

from server import BINARY, ROOT, run
from sound import Sound
from test_loops import LoopCase


def loudness(server):
    """The peak of the last second, in dBFS."""
    return Sound.from_wav(server.get("/last.wav?seconds=1")[2]).peak()


class Grooves(LoopCase):
    def test_one_message_and_the_room_plays(self):
        anna = self.player("anna")
        anna.send("/groove", "happy")
        self.wait_until("the transport runs", lambda: anna.last("/play") == (1,))
        self.wait_until("three parts are told", lambda: anna.last("/groove/parts") == ("drums bass chords",))
        self.wait_until("the light is on", lambda: anna.last("/groove") == (1.0,))
        self.hear(anna, 4)
        self.assertGreater(loudness(self.server), -30)
        self.assertTrue(anna.last("/groove/name")[0])

    def test_a_part_rests_and_comes_back_and_one_undo_ends_it_all(self):
        anna = self.player("anna")
        anna.send("/groove")
        self.wait_until("it plays", lambda: anna.last("/groove") == (1.0,))
        anna.send("/groove/drums", 0)
        self.wait_until("the drums rest", lambda: anna.last("/lane/1/state") == ("stopped",))
        anna.send("/groove/drums", 1)
        self.wait_until("the drums sound", lambda: anna.last("/lane/1/state") == ("looping",))
        # The rest and its end are an edit each.
        for _ in range(3):
            anna.send("/undo")
        self.wait_until("nothing of it is left", lambda: anna.last("/groove/parts") == ("",))
        self.wait_for_silence()

    def test_an_undo_names_the_groove(self):
        anna = self.player("anna")
        anna.send("/groove")
        self.wait_until("it plays", lambda: anna.last("/groove") == (1.0,))
        anna.send("/groove/replace", "drums")
        self.wait_until("it waits", lambda: anna.last("/groove/drums") == (0,))
        anna.send("/undo")
        self.wait_until("it is named", lambda: anna.last("/undone") == ("drums of the groove",))
        self.wait_until("the drums sound", lambda: anna.last("/groove/drums") == (1,))
        anna.send("/undo")
        self.wait_until("it is named", lambda: anna.last("/undone") == ("the groove",))
        self.wait_for_silence()

    def test_the_groove_of_a_player_who_has_left_is_steered_by_everybody(self):
        anna = self.player("anna")
        anna.send("/groove")
        self.wait_until("it plays", lambda: anna.last("/groove") == (1.0,))
        self.wait_until("its lanes go round", lambda: anna.last("/lane/1/state") == ("looping",))
        bob = self.player("bob")
        self.wait_until("it is anna's", lambda: bob.last("/groove/player") == ("anna",))
        self.assertEqual(bob.last("/groove/parts"), ("",))
        anna.send("/bye")
        self.wait_until("it is everybody's", lambda: bob.last("/groove/parts") == ("drums bass chords",))
        bob.send("/groove/bass", 0)
        self.wait_until("the bass rests", lambda: bob.last("/groove/bass") == (0,))
        bob.send("/undo")
        self.wait_until("the bass sounds", lambda: bob.last("/groove/bass") == (1,))
        bob.send("/groove")
        self.wait_until("it is bob's", lambda: bob.last("/groove/player") == ("bob",))
        bob.send("/undo")
        self.wait_until("it is anna's again", lambda: bob.last("/groove/player") == ("anna",))
        bob.send("/player/anna/kick")
        self.wait_until("nothing of it is left", lambda: bob.last("/groove/player") == ("",))
        self.wait_for_silence()

    def test_a_button_that_comes_up_asks_for_nothing(self):
        anna = self.player("anna")
        anna.send("/groove", 0.0)
        anna.send("/groove/drums", 1)
        self.wait_until("it is refused", lambda: anna.last("/error") is not None)
        self.assertEqual(anna.last("/error")[2], "no-groove-part")

    def test_a_mood_that_there_is_not_is_refused_with_those_that_there_are(self):
        anna = self.player("anna")
        anna.send("/groove", "angry")
        self.wait_until("it is refused", lambda: anna.last("/error") is not None)
        self.assertIn("dreamy", anna.last("/error")[1])


class Bot(LoopCase):
    """`bandshell jam`."""

    def start(self, *arguments):
        process = subprocess.Popen(
            [BINARY, "jam", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=dict(os.environ))
        self.addCleanup(self.close, process)
        return process

    def close(self, process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def names(self):
        return [player["name"] for player in json.loads(self.server.get("/health")[2])["players"]]

    def was_told(self, player, address, name):
        with player.inbox._news:
            return any(where == address and values[0] == name for where, values, *_ in player.inbox.messages)

    def test_it_comes_in_plays_and_leaves_nothing_behind(self):
        anna = self.player("anna")
        process = self.start(f"127.0.0.1:{self.server.osc}", "--name", "robin", "--mood", "dark")
        self.wait_until("it is in", lambda: "robin" in self.names())
        self.wait_until("it plays", lambda: anna.last("/play") == (1,))
        self.hear(anna, 4)
        self.assertGreater(loudness(self.server), -30)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(30), 0)
        self.wait_until("it has left", lambda: "robin" not in self.names())
        self.wait_for_silence()

    def test_it_finds_the_osc_port_by_the_page_and_leaves_after_its_bars(self):
        anna = self.player("anna")
        anna.send("/tempo", 240.0)
        anna.send("/play")
        process = self.start(self.server.url("").rstrip("/"), "--bars", "1")
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, output + errors)
        # It may have been in for a second: others were told of it.
        self.wait_until("it was in", lambda: self.was_told(anna, "/player/loop", "jam"))
        self.wait_until("it has left", lambda: "jam" not in self.names())

    def test_what_it_cannot_reach_or_understand_it_says(self):
        for arguments, status, words in (
                (("nowhere",), 64, "is no server"), (("127.0.0.1:1",), 69, "no server answers"),
                (("127.0.0.1:8000", "--mood", "angry"), 64, "dreamy"), (("127.0.0.1:8000", "--bars", "0"), 64, "above 0")):
            result = run("jam", *arguments)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
