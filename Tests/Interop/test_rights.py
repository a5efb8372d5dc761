"""Who is who, with sockets: seats, kicks that last, and places by address."""

import json
import socket
import unittest

import osc
from case import ServerCase
from test_own_sounds import Player


class Rights(ServerCase):
    arguments = ("--host-word", "sesame")

    def player(self, name):
        player = Player(self.server, name)
        self.addCleanup(player.close)
        self.addCleanup(player.send, "/bye")
        return player

    def names(self):
        return {player["name"]: player["role"] for player in json.loads(self.server.get("/health")[2])["players"]}

    def datagrams(self, host, packets):
        """Each from a port of its own."""
        for packet in packets:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as each:
                each.bind((host, 0))
                each.sendto(packet, ("127.0.0.1", self.server.osc))

    def test_a_name_is_no_seat_and_a_kick_lasts(self):
        anna = self.player("anna")
        anna.send("/host", "sesame")
        self.wait_until("anna is a host", lambda: anna.last("/host") == (1,))
        thief = self.player("anna")
        self.assertNotEqual(thief.token, anna.token)
        self.wait_until("they are two", lambda: self.names().get("anna-2") == "player")
        thief.send("/player/anna/kick")
        self.wait_until("the thief is refused", lambda: "only a host" in str(thief.last("/error")))
        anna.send("/player/anna-2/kick", 60)
        self.wait_until("the thief is told", lambda: thief.last("/kicked") == ("anna", 60))
        thief.send("/hello", "somebody else")
        self.wait_until("it stays out", lambda: "/player/anna-2/admit" in str(thief.last("/error")))
        self.wait_until("anna is alone", lambda: self.names() == {"anna": "host"})
        anna.send("/player/anna-2/admit")

        def asks():
            thief.send("/hello", "repentant")
            return "repentant" in self.names()
        self.wait_until("it is let in", asks)

    def test_datagrams_of_one_address_leave_places_for_others(self):
        self.datagrams("127.0.0.7", [osc.message("/hello", f"eve{i}") for i in range(64)])
        self.wait_until("eve has what one address may have", lambda: len(self.names()) == 32)
        self.player("bob")
        self.wait_until("bob is in", lambda: "bob" in self.names())
        # A full room: whoever is silent makes room for whoever comes, in the end.
        self.datagrams("127.0.0.8", [osc.message("/hello", f"eva{i}") for i in range(64)])
        self.wait_until("the room is full", lambda: len(self.names()) == 64)

        def asks():
            self.datagrams("127.0.0.9", [osc.message("/hello", "carl")])
            return "carl" in self.names()
        self.wait_until("carl is in", asks, seconds=60)


if __name__ == "__main__":
    unittest.main()
