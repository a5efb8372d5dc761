"""Who may do what to the room: roles, votes, the room's undo, and a MIDI clock as python-osc sends it."""

import json
import time
import unittest

from case import ServerCase
from test_own_sounds import Player

from pythonosc import osc_bundle_builder, osc_message_builder


def midi(tag, *message):
    """A bundle with one MIDI message of OSC type m."""
    builder = osc_message_builder.OscMessageBuilder("/midi")
    builder.add_arg((0, *message), "m")
    bundle = osc_bundle_builder.OscBundleBuilder(tag)
    bundle.add_content(builder.build())
    return bundle.build()


class Room(ServerCase):
    arguments = ("--host-word", "sesame")

    def player(self, name):
        player = Player(self.server, name)
        self.addCleanup(player.close)
        self.addCleanup(player.send, "/bye")
        return player

    def host(self, name):
        player = self.player(name)
        player.send("/host", "sesame")
        self.wait_until(f"{name} is a host", lambda: player.last("/host") == (1,))
        return player

    def wait_for(self, player, address, *arguments):
        self.wait_until(f"{address} {arguments}, not {player.last(address)}", lambda: player.last(address) == arguments)

    def test_a_listener_is_told_how_to_play_and_everybody_who_is_one(self):
        anna, bert = self.host("anna"), self.player("bert")
        anna.send("/player/bert/role", "listener")
        self.wait_for(bert, "/player/bert/role", "listener")
        bert.send("/pad/1", 1.0)
        self.wait_until("bert is refused", lambda: "/player/bert/role player" in str(bert.last("/error")))
        self.wait_until("health tells it", lambda: {"listener", "host"} <= {
            p["role"] for p in json.loads(self.server.get("/health")[2])["players"]})
        anna.send("/player/bert/role", "player")
        self.wait_for(bert, "/role", "player")

    def test_the_room_votes_and_a_host_takes_it_back(self):
        anna, bert, carl = self.host("anna"), self.player("bert"), self.player("carl")
        anna.send("/tempo/mode", "vote")
        self.wait_for(bert, "/tempo/mode", "vote")
        bert.send("/tempo", 100.0)
        carl.send("/tempo/vote", 140.0)
        self.wait_for(anna, "/tempo/votes", 2, 3, 120.0)
        carl.send("/tempo/vote", 160.0)
        self.wait_for(anna, "/tempo", 130.0)
        carl.send("/bye")
        self.wait_for(anna, "/tempo", 100.0)
        bert.send("/room/undo")
        self.wait_until("bert is refused", lambda: "only a host" in str(bert.last("/error")))
        # A bar line may have come between two votes: so many edits at most.
        for _ in range(6):
            anna.send("/room/undo")
            time.sleep(0.01)
        self.wait_for(bert, "/tempo/mode", "free")
        self.wait_for(bert, "/tempo", 120.0)

    def test_the_tempo_follows_a_midi_clock(self):
        anna, bert = self.host("anna"), self.player("bert")
        start = time.time() + 0.2
        for i in range(24 * 8):
            bert.client.send(midi(start + i * 60 / 150 / 24, 0xF8, 0, 0))
            time.sleep(max(0, start + i * 60 / 150 / 24 - time.time() - 0.1))
        self.wait_for(anna, "/tempo/source", "bert")
        self.wait_for(anna, "/tempo", 150.0)
        self.wait_for(anna, "/tempo/source", "")
        bert.client.send(midi(1, 0x90, 60, 100))
        self.wait_until("a note is refused", lambda: "0xf8" in str(bert.last("/error")))
        anna.send("/tempo", 120.0)


if __name__ == "__main__":
    unittest.main()
