"""Programs that keep no token, as TouchOSC or Pure Data: their places and subscriptions outlive a restart of the server."""

import pathlib
import tempfile
import unittest

from patience import Patient
from peer import UDPPeer
from server import Server, free_udp_pair


class PlaceTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.port = free_udp_pair()

    def serve(self):
        server = Server("--data", str(self.data), "--osc", f"127.0.0.1:{self.port}")
        self.addCleanup(server.stop)
        self.assertEqual(server.osc, self.port)
        return server

    def peer(self, server):
        peer = UDPPeer(server)
        self.addCleanup(peer.close)
        return peer

    def kill(self, server):
        server.process.kill()
        server.process.wait()
        server.stop()

    def hello(self, peer):
        peer.say("/hello", "ann")
        name = peer.wait("/welcome")[1]
        # The full state comes with it.
        peer.until_pong()
        return name

    def gain(self, peer):
        peer.say("/pad/3/gain")
        return peer.wait("/pad/3/gain")[0]

    def keep(self, server, ann):
        """Until the server has written down who is there."""
        ann.say("/pad/3/gain", -7.5)
        self.assertEqual(self.gain(ann), -7.5)
        self.wait_until("the senders are kept", lambda: (self.data / "senders").exists()
                        and f":{ann.port}" in (self.data / "senders").read_text())
        self.wait_until("nothing waits to be written", lambda: server.figure("journal_waiting_seconds") == 0)

    def test_a_program_that_says_nothing_plays_on_as_who_it_was_and_is_told_as_before(self):
        server = self.serve()
        ann = self.peer(server)
        self.assertEqual(self.hello(ann), "ann")
        self.keep(server, ann)
        self.kill(server)
        server = self.serve()
        ann.until_pong()
        ann.wait("/beat")
        self.assertEqual(self.gain(ann), -7.5)
        self.assertEqual(self.hello(ann), "ann")

    def test_who_says_its_name_again_from_another_port_has_its_place(self):
        server = self.serve()
        ann = self.peer(server)
        self.assertEqual(self.hello(ann), "ann")
        self.keep(server, ann)
        self.kill(server)
        # Nothing is known of its port.
        (self.data / "senders").unlink()
        server = self.serve()
        again = self.peer(server)
        self.assertEqual(self.hello(again), "ann")
        self.assertEqual(self.gain(again), -7.5)
        again.say("/host")
        self.assertEqual(again.wait("/host")[0], 0)

    def test_a_subscription_to_another_port_outlives_the_server(self):
        server = self.serve()
        hand, panel = self.peer(server), self.peer(server)
        hand.say("/subscribe", panel.port)
        self.wait_until("the senders are kept", lambda: (self.data / "senders").exists()
                        and f":{panel.port}" in (self.data / "senders").read_text())
        self.kill(server)
        # What the killed one said is over.
        panel.until_quiet()
        server = self.serve()
        panel.wait("/beat")


if __name__ == "__main__":
    unittest.main()
