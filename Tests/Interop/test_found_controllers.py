"""A controller that announces itself is offered to players, and shows a player's lights after one order.

The controller is python-zeroconf and a UDP socket, in a network namespace of the test's own.
"""

import os
import unittest

from zeroconf import ServiceInfo, Zeroconf

from case import needs
from patience import Patient
from peer import UDPPeer, WebSocketPeer
from server import Server, run
from test_bonjour import Namespace

OSC = "_osc._udp.local."
NAME = "Ann's iPad"


@unittest.skipUnless(os.geteuid() == 0, "only root makes a network namespace")
@needs("ip")
class FoundControllerTests(Patient, unittest.TestCase):
    def setUp(self):
        namespace = Namespace()
        self.addCleanup(namespace.close)
        self.enterContext(namespace)
        self.zeroconf = Zeroconf(interfaces=["127.0.0.1"])
        self.addCleanup(self.zeroconf.close)
        self.server = self.serve()

    def serve(self, *arguments):
        server = Server("--mdns", "own", *arguments)
        self.addCleanup(server.stop)
        return server

    def peer(self, way=UDPPeer, name=None):
        peer = way(self.server)
        self.addCleanup(peer.close)
        if name is not None:
            peer.hello(name)
            peer.until_pong()
        return peer

    def announce(self, peer, name=NAME):
        """The peer's port is a controller's from now on."""
        info = ServiceInfo(
            OSC, f"{name}.{OSC}", port=peer.port, parsed_addresses=["127.0.0.1"], server="tablet.local.",
            properties={"txtvers": "1"})
        self.zeroconf.register_service(info)
        return info

    def listed(self, peer):
        """The list as the peer was told it last: the state and the player of each name."""
        peer.say("/controllers")
        items = {}
        for address, values in peer.all_until("/controllers/end"):
            if address == "/controllers/item":
                items[values[0]] = values[3:]
        return items

    def test_one_order_brings_lights_and_plays(self):
        pad, anna = self.peer(), self.peer(WebSocketPeer, "anna")
        self.announce(pad)
        self.wait_until("the controller is offered", lambda: self.listed(anna) == {NAME: ("off", "")})
        anna.say("/controller/lights", NAME, 1)
        # The full state, though it has sent nothing.
        pad.wait("/pad/16/name")
        self.wait_until("the list says so", lambda: self.listed(anna) == {NAME: ("on", "anna")})
        anna.say("/pad/3/gain", -6.0)
        while pad.wait("/pad/3/gain") != (-6.0,):
            pass
        # What it sends is anna's.
        pad.say("/pad/2", 1.0)
        hit = anna.wait("/hit")
        self.assertEqual(hit[:2], ("anna", 2))
        while pad.wait("/pad/2/lit") != (1,):
            pass
        # Nobody else takes it.
        bob = self.peer(WebSocketPeer, "bob")
        bob.say("/controller/lights", NAME, 1)
        self.assertEqual(bob.wait("/error")[2], "controller-taken")
        anna.say("/controller/lights", NAME, 0)
        self.wait_until("it is free", lambda: self.listed(bob) == {NAME: ("off", "")})

    def test_a_connection_is_told_when_the_list_changes(self):
        pad, anna = self.peer(), self.peer(WebSocketPeer, "anna")
        self.assertEqual(self.listed(anna), {})
        info = self.announce(pad)
        self.assertEqual(anna.wait("/controllers/end"), (1,))
        self.zeroconf.unregister_service(info)
        self.assertEqual(anna.wait("/controllers/end"), (0,))

    def test_other_servers_are_no_controllers(self):
        self.serve()
        pad, anna = self.peer(), self.peer(WebSocketPeer, "anna")
        self.announce(pad)
        self.wait_until("the controller is offered", lambda: NAME in self.listed(anna))
        self.assertEqual(set(self.listed(anna)), {NAME})

    def test_the_doctor_lists_it(self):
        pad = self.peer()
        self.announce(pad)
        said = run(
            "doctor", "--osc", f"127.0.0.1:{self.server.osc}", "--http", f"127.0.0.1:{self.server.http}", "--media",
            f"127.0.0.1:{self.server.media}").stdout
        self.assertIn(f"controller: {NAME} (127.0.0.1:{pad.port})", said)
        self.assertIn(f'/controller/lights "{NAME}"', said)


class UnaskedLightTests(Patient, unittest.TestCase):
    """Who plays and asks for nothing has its lights at the port that it sends from."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)

    def test_lights_without_a_subscription(self):
        with UDPPeer(self.server) as pad:
            pad.say("/pad/1", 1.0)
            while pad.wait("/pad/1/lit") != (1,):
                pass
            pad.say("/loop/record")
            while pad.wait("/loop/record") not in ((0.5,), (1.0,)):
                pass
            # Lights alone.
            told = {address for address, _ in pad.until_pong()}
            self.assertFalse(told & {"/beat", "/position", "/hit", "/receipt"}, told)

    def test_lights_that_are_on_already_come_at_once(self):
        with UDPPeer(self.server) as pad:
            pad.say("/pad/1", 1.0)
            while pad.wait("/kit/starter") != (1,):
                pass
            self.assertEqual(pad.wait("/play"), (1,))

    def test_settings_and_a_loop_bring_lights_and_no_monitor(self):
        with UDPPeer(self.server) as pad:
            pad.say("/pad/1", 1.0)
            pad.wait("/pad/1/lit")
            pad.say("/tempo", 101.0)
            told = pad.until_pong()
            pad.say("/n/loop/record", 1)
            light = None
            while light not in ((0.5,), (1.0,)):
                self.wait_until("a light", lambda: pad._take(0.3))
                while pad.inbox:
                    told.append(pad.inbox.pop(0))
                    if told[-1][0] in ("/loop/record", "/n/loop/record"):
                        light = told[-1][1]
            told += pad.until_pong()
            self.assertEqual([each for each in told if each[0].startswith(("/monitor", "/beat", "/position"))], [])
            self.assertTrue(self.server.is_alive, self.server.said())

    def test_a_refusal_ends_it(self):
        with UDPPeer(self.server) as pad:
            pad.say("/pad/1", 1.0)
            pad.wait("/pad/1/lit")
            pad.say("/unsubscribe")
            pad.until_pong()
            pad.say("/pad/2", 1.0)
            self.wait_until("nothing more comes", lambda: not pad._take(0.3))
            self.assertNotIn("/pad/2/lit", {address for address, _ in pad.inbox})


if __name__ == "__main__":
    unittest.main()
