"""What players do to and with each other: effects off, who holds what, reactions, borrowed layers."""

import unittest

from case import ServerCase
from test_own_sounds import Player


class Together(ServerCase):
    arguments = ("--host-word", "sesame")

    def player(self, name):
        player = Player(self.server, name)
        self.addCleanup(player.close)
        self.addCleanup(player.send, "/bye")
        return player

    def host(self, name):
        player = self.player(name)
        player.send("/host", "sesame")
        self.wait_for(player, "/host", 1)
        return player

    def wait_for(self, player, address, *arguments):
        self.wait_until(f"{address} {arguments}, not {player.last(address)}", lambda: player.last(address) == arguments)

    def test_all_effects_go_off_and_one_undo_brings_them_back(self):
        anna = self.player("anna")
        anna.send("/send/delay", 0.5)
        anna.send("/macro/1", 0.25)
        anna.send("/duck/source", "kick")
        anna.send("/effects/off")
        for address, value in (("/send/delay", 0.0), ("/macro/1", 0.5), ("/duck/source", "off")):
            self.wait_for(anna, address, value)
        anna.send("/undo")
        for address, value in (("/send/delay", 0.5), ("/macro/1", 0.25), ("/duck/source", "kick")):
            self.wait_for(anna, address, value)

    def test_the_rooms_effects_go_off_for_everybody(self):
        anna, bert = self.player("anna"), self.player("bert")
        anna.send("/pitch", 3.0)
        anna.send("/room/fx/crush/amount", 0.5)
        self.wait_for(bert, "/pitch", 3.0)
        self.wait_for(bert, "/room/fx/crush/amount", 0.5)
        bert.send("/room/effects/off")
        self.wait_for(anna, "/pitch", 0.0)
        self.wait_for(anna, "/room/fx/crush/amount", 0.0)

    def test_what_somebody_left_closed_opens_a_bar_later_and_a_host_pins_it(self):
        anna, bert = self.host("anna"), self.player("bert")
        anna.send("/tempo", 240.0)
        bert.send("/modulation", 0.5)
        self.wait_for(anna, "/modulation/holder", "bert")
        bert.send("/bye")
        self.wait_for(anna, "/modulation", 0.0)
        self.wait_for(anna, "/modulation/holder", "")
        anna.send("/room/pin", 1)
        carl = self.player("carl")
        self.wait_for(carl, "/room/pin", 1)
        carl.send("/pitch", 2.0)
        self.wait_for(anna, "/pitch/holder", "carl")
        carl.send("/bye")
        self.wait_for(anna, "/pitch/holder", "")
        self.assertEqual(anna.last("/pitch"), (2.0,))
        anna.send("/pitch", 0.0)
        anna.send("/room/pin", 0)

    def test_reactions_are_told_to_everybody_at_a_pace(self):
        anna, bert = self.player("anna"), self.player("bert")
        anna.send("/react", "turn", "bert")
        self.wait_for(bert, "/reacted", "anna", "turn", "bert")
        bert.send("/react/love", 1.0)
        self.wait_for(anna, "/reacted", "bert", "love", "")
        for _ in range(8):
            bert.send("/react", "more")
        self.wait_until("bert is refused", lambda: "reactions-too-fast" in str(bert.last("/error")))

    def test_a_layer_is_borrowed_credited_and_given_back(self):
        anna, bert = self.player("anna"), self.player("bert")
        bert.send("/step/1/1", 1.0)
        self.wait_until("bert's loop has a layer", lambda: bert.last("/loop/layers") == (1,))
        anna.send("/borrow", "bert", 1)
        self.wait_for(bert, "/layer/1/mute", 1)
        anna.send("/loop/notes")
        self.wait_until("the copy names its owner", lambda: (anna.last("/loop/layer") or ())[-2:] == ("bert", ""))
        anna.send("/loop/notes", "bert")
        self.wait_until("the layer names its borrower", lambda: (anna.last("/loop/layer") or ())[-2:] == ("", "anna"))
        anna.send("/borrow/return", 1)
        self.wait_for(bert, "/layer/1/mute", 0)
        anna.send("/borrow", "bert", 7)
        self.wait_until("anna is refused", lambda: "no-such-layer-of" in str(anna.last("/error")))


if __name__ == "__main__":
    unittest.main()
