"""Seats: a mixer whose faders are mapped by numbers before anybody is there.

It knows `/seat/1/gain` and no name. Whoever sits there is on its label, and the number stays, also when the server begins anew.
"""

import pathlib
import tempfile
import time
import unittest

from patience import Patient
from peer import TCPPeer, UDPPeer, WebSocketPeer
from server import Server

WORD = "sesame"


class SeatCase(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.server = self.serve()

    def serve(self):
        server = Server("--data", str(self.data), "--host-word", WORD)
        self.addCleanup(server.stop)
        return server

    def player(self, name, way=UDPPeer, token=None):
        """A player with its token."""
        peer = way(self.server)
        self.addCleanup(peer.close)
        peer.say("/hello", name, *(["", "", token] if token else []))
        peer.token = peer.wait("/welcome")[5]
        peer.until_pong()
        return peer

    def mixer(self, way=TCPPeer, token=None):
        """A host that asks for seats and nothing else."""
        peer = self.player("desk", way, token)
        peer.say("/host", WORD)
        peer.say("/subscribe", "seats")
        peer.until_pong()
        return peer

    def until(self, peer, address, *values):
        """Until the peer is told these values at the address."""
        end = time.monotonic() + 30
        while (told := peer.wait(address)) != values:
            self.assertLess(time.monotonic(), end, f"{address} is {told}, and not {values}")


class Seats(SeatCase):
    def test_a_fader_is_mapped_before_anybody_is_there(self):
        for way, seat in ((TCPPeer, 1), (UDPPeer, 2), (WebSocketPeer, 3)):
            with self.subTest(way=way.__name__):
                mixer, name = self.mixer(way), f"ann{seat}"
                mixer.say(f"/seat/{seat}/gain")
                self.assertEqual(mixer.wait(f"/seat/{seat}/gain"), (0.0,))
                mixer.say(f"/seat/{seat}/gain", -6.0)
                self.assertEqual(mixer.wait("/error")[::2], (f"/seat/{seat}/gain", "seat-empty"))
                ann = self.player(name)
                self.until(mixer, f"/seat/{seat}/name", name)
                self.until(mixer, f"/seat/{seat}/taken", 1)
                mixer.until_pong()
                # The fader works.
                mixer.say(f"/seat/{seat}/gain", -6.0)
                self.until(ann, f"/player/{name}/gain", -6.0)
                # It is moved by what another host does.
                ann.say("/host", WORD)
                ann.say(f"/player/{name}/gain", -3.0)
                self.until(mixer, f"/seat/{seat}/gain", -3.0)
                ann.say(f"/player/{name}/mute", 1)
                self.until(mixer, f"/seat/{seat}/mute", 1)
                self.assertFalse([a for a, _ in ann.until_pong() if a.startswith("/seat/")], "ann asked for no seats")
                mixer.say("/bye")
                mixer.until_pong()

    def test_the_number_stays_when_the_server_begins_anew(self):
        mixer = self.mixer()
        ann, bob = self.player("ann"), self.player("bob")
        ann.say("/bye")
        self.until(mixer, "/seat/1/name", "")
        cleo = self.player("cleo")
        self.until(mixer, "/seat/3/name", "cleo")
        # Within 20 ms, where the machine has the time for it.
        time.sleep(0.5)
        self.wait_until("nothing waits to be written", lambda: self.server.figure("journal_waiting_seconds") == 0)
        tokens = mixer.token, bob.token, cleo.token
        self.server.process.kill()
        self.server.process.wait()
        self.server.stop()
        self.server = self.serve()
        mixer = self.mixer(token=tokens[0])
        mixer.say("/sync")
        told = dict(mixer.all_until("/seat/64/taken"))
        labels = {seat: told[f"/seat/{seat}/name"][0] for seat in range(1, 65)}
        self.assertEqual({seat: name for seat, name in labels.items() if name}, {2: "bob", 3: "cleo", 64: "desk"})
        mixer.until_pong()
        for name, token in (("bob", tokens[1]), ("cleo", tokens[2]), ("ann", None), ("dora", None)):
            self.player(name, token=token)
        for seat, name in ((1, "ann"), (2, "bob"), (3, "cleo"), (4, "dora")):
            mixer.say(f"/seat/{seat}/name")
            self.until(mixer, f"/seat/{seat}/name", name)

    def test_who_moves_a_fader_of_a_seat_is_told_of_seats_and_nobody_else_is(self):
        panel, other = self.player("panel"), self.player("other")
        panel.say("/seat/5/mute", 1)
        self.assertEqual(panel.wait("/error")[0], "/seat/5/mute")
        self.player("ann")
        told = [a for a, _ in other.until_pong()]
        # The panel and the other player keep the seats that they had.
        self.until(panel, "/seat/3/name", "ann")
        self.assertFalse([a for a in told + [a for a, _ in other.until_pong()] if a.startswith("/seat/")])


if __name__ == "__main__":
    unittest.main()
