"""Nothing that was played is thrown away: `/loop/catch`, and `/loop/record` with `now`, over OSC."""

import time
import unittest

from case import RIM
from test_loops import LoopCase


class Catching(LoopCase):
    def notes(self, player):
        """The notes of the player's loop, as (beat, velocity), by beat."""
        before = player.count("/loop/notes/end")
        with player.inbox._news:
            first = len(player.inbox.messages)
        player.send("/loop/notes")
        self.wait_until("all notes are told", lambda: player.count("/loop/notes/end") > before)
        with player.inbox._news:
            told = [values for where, values, *_ in player.inbox.messages[first:] if where == "/loop/note"]
        return sorted((values[4], values[5]) for values in told)

    def tap(self, player, count=8, every=0.15):
        """Taps with a gap between them, as far as this machine keeps it: when each was sent."""
        times = []
        for number in range(count):
            times.append(time.monotonic())
            player.send(RIM, 0.5 + number / 20)
            time.sleep(every)
        return times

    def is_as_tapped(self, player, times, beat=0.25):
        """Every tap is in the loop, the first one on the first beat, and the others as they were tapped."""
        self.wait_until("all taps are in the loop", lambda: len(self.notes(player)) == len(times))
        places = [place for place, _ in sorted(self.notes(player), key=lambda note: note[1])]
        self.assertAlmostEqual(places[0], 0, places=3)
        length = 4 * self.ask(player, "/loop/bars")[0]
        # A last tap up to a sixteenth behind the loop's end is on its first beat.
        if places[-1] <= 0.26:
            places[-1] += length
        for place, when in zip(places, times):
            self.assertLess(abs(place - (when - times[0]) / beat), 0.4)

    def test_what_was_tapped_in_silence_becomes_a_loop(self):
        anna = self.at_tempo("anna")
        anna.send("/loop/catch")
        self.wait_until("there is nothing yet", lambda: (anna.last("/error") or ("", "", ""))[2] == "nothing-to-catch")
        times = self.tap(anna)
        self.wait_until("its light is on", lambda: self.ask_light(anna) == (1.0,))
        anna.send("/loop/catch")
        self.wait_until("it goes round", lambda: anna.last("/loop/state") == ("playing",))
        self.is_as_tapped(anna, times)
        self.wait_until("its light is off", lambda: self.ask_light(anna) == (0.0,))
        anna.send("/undo")
        self.wait_until("it is taken back", lambda: anna.last("/loop/state") == ("empty",))
        anna.send("/redo")
        self.wait_until("it is there again", lambda: anna.last("/loop/layers") == (1,))

    def ask_light(self, player):
        before = player.count("/loop/catch")
        player.send("/sync", "/loop/catch")
        self.wait_until("the light is told", lambda: player.count("/loop/catch") > before)
        return player.last("/loop/catch")

    def test_recording_in_silence_begins_with_the_first_tap(self):
        anna = self.at_tempo("anna")
        anna.send("/loop/bars", 2)
        anna.send("/loop/record", 1, "now")
        self.wait_until("it waits", lambda: anna.last("/loop/state") == ("waiting",))
        times = self.tap(anna)
        self.wait_until("it goes round", lambda: anna.last("/loop/state") == ("playing",))
        self.is_as_tapped(anna, times)

    def test_in_a_beat_recording_keeps_what_was_hit_since_the_line(self):
        anna, bert = self.at_tempo("anna"), self.player("bert")
        # Slow: the hit and the order come within one bar on any machine.
        anna.send("/tempo", 30.0)
        bert.send("/step/1/1", 1.0)
        self.wait_until("a beat goes on", lambda: bert.last("/loop/state") == ("playing",))
        anna.send("/loop/bars", 1)
        before = anna.count("/beat")
        self.wait_until("a bar begins", lambda: anna.count("/beat") > before and anna.last("/beat")[1] == 1)
        anna.send(RIM, 1.0)
        anna.send("/loop/record", 1, "now")
        self.wait_until("it records", lambda: anna.last("/loop/state") == ("recording",))
        anna.send("/tempo", 240.0)
        self.wait_until("it goes round", lambda: anna.last("/loop/state") == ("playing",))
        self.wait_until("the hit is in it", lambda: len(self.notes(anna)) == 1)

    def test_a_word_that_is_none_is_refused(self):
        anna = self.player("anna")
        anna.send("/loop/record", 1, "later")
        self.wait_until("it is refused", lambda: anna.last("/error") is not None)
        self.assertEqual(anna.last("/error")[0], "/loop/record")


if __name__ == "__main__":
    unittest.main()
