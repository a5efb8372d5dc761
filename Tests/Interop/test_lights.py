"""A controller that knows addresses and numbers alone: its buttons are lit rightly through a jam, a restart of the
server and a lost network."""

import collections
import pathlib
import tempfile
import unittest

from patience import Patient
from peer import UDPPeer
from server import Server, free_udp_pair

# Fast, so that little time passes: a bar is a second.
TEMPO = 240.0
OFF, WAITING, ON = 0, 0.5, 1


class Panel(UDPPeer):
    """Buttons that press with 1 and release with 0, and show the last number that came at their address."""

    def __init__(self, server):
        super().__init__(server)
        self.lights = {}
        # All numbers in order, and how many of them a test has looked at.
        self.history = collections.defaultdict(list)
        self.seen = collections.Counter()
        self.is_lost = False

    def press(self, address):
        self.say(address, 1.0)
        self.say(address, 0.0)

    def send(self, packet):
        if not self.is_lost:
            super().send(packet)

    def light(self, address):
        self.look()
        return self.lights.get(address)

    def shows(self, address, number):
        """Whether the number has come since the last one that was looked for, however short it was shown."""
        self.look()
        told = self.history[address]
        for place in range(self.seen[address], len(told)):
            if told[place] == number:
                self.seen[address] = place + 1
                return True
        return False

    def look(self):
        """Takes in what has come. Words are not understood, and so are messages of several values."""
        while self._take(0.01):
            pass
        came, self.inbox = self.inbox, []
        if self.is_lost:
            return
        for address, values in came:
            if len(values) == 1 and isinstance(values[0], (int, float)):
                self.lights[address] = values[0]
                self.history[address].append(values[0])

    def lose_network(self):
        self.look()
        self.is_lost = True

    def find_network(self):
        """What was sent meanwhile never comes."""
        self.look()
        self.is_lost = False


class LightTests(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.port = free_udp_pair()
        self.server = self.serve()

    def serve(self):
        server = Server("--data", str(self.data), "--osc", f"127.0.0.1:{self.port}")
        self.addCleanup(server.stop)
        return server

    def panel(self, name=None):
        panel = Panel(self.server)
        self.addCleanup(panel.close)
        if name is not None:
            panel.hello(name)
        panel.say("/subscribe")
        panel.say("/tempo", TEMPO)
        panel.say("/loop/bars", 1)
        self.see(panel, "/loop/record", OFF)
        panel.press("/play")
        self.see(panel, "/play", 1)
        return panel

    def see(self, panel, address, number):
        self.wait_until(f"{address} shows {number}", lambda: panel.shows(address, number))

    def await_middle(self, panel):
        """Until the bar line is some beats away, so that what waits for it is seen to wait."""
        panel.look()
        panel.seen["/position/beat"] = len(panel.history["/position/beat"])
        self.see(panel, "/position/beat", 2)

    def assert_true(self, panel, *addresses):
        """The lights are what the server says of each of them, asked singly. Nothing is triggered by asking."""
        for address in addresses:
            panel.look()
            shown = panel.lights[address]
            panel.say("/sync", address)
            self.assertEqual(panel.wait(address), (shown,), address)

    def record(self, panel):
        """A loop of one bar with a hit goes round."""
        # With a count-in it waits for a bar at least.
        panel.say("/loop/countin", 1)
        panel.press("/loop/record")
        self.see(panel, "/loop/record", WAITING)
        self.see(panel, "/loop/record", ON)
        panel.press("/pad/1")
        self.see(panel, "/loop/record", OFF)
        self.see(panel, "/loop/play", ON)

    def keep_scene(self, panel):
        """A lane that goes round is kept as scene 1, and stops."""
        panel.say("/lane/2/1", "rock straight")
        self.await_middle(panel)
        panel.press("/lane/2/loop")
        self.see(panel, "/lane/2/loop", WAITING)
        self.see(panel, "/lane/2/loop", ON)
        panel.press("/scene/1/keep")
        self.await_middle(panel)
        panel.press("/lane/2/stop")
        self.see(panel, "/lane/2/stop", WAITING)
        self.see(panel, "/lane/2/loop", OFF)
        self.see(panel, "/lane/2/stop", OFF)

    def test_a_jam(self):
        panel = self.panel()
        self.record(panel)
        panel.press("/loop/overdub")
        self.see(panel, "/loop/overdub", WAITING)
        self.see(panel, "/loop/overdub", ON)
        self.await_middle(panel)
        # It ends the overdub on the bar line; the loop plays all the while.
        panel.press("/loop/play")
        self.see(panel, "/loop/overdub", OFF)
        self.assertEqual(panel.light("/loop/play"), ON)
        self.keep_scene(panel)
        self.await_middle(panel)
        panel.press("/scene/1")
        self.see(panel, "/scene/1", WAITING)
        self.see(panel, "/scene/1", ON)
        self.see(panel, "/lane/2/loop", ON)
        # Launched again, it goes on: it does not wait to begin.
        self.await_middle(panel)
        panel.press("/scene/1")
        self.await_middle(panel)
        self.assertEqual(panel.light("/scene/1"), ON)
        self.assertEqual(panel.history["/scene/1"][-1], ON)
        # A kit: its own button is lit, and that of the kit before is not.
        buttons = {a for a in panel.lights if a.startswith("/kit/") and a != "/kit/follow"}
        [old] = [address for address in buttons if panel.lights[address] == ON]
        new = min(buttons - {old})
        panel.press(new)
        self.see(panel, new, ON)
        self.see(panel, old, OFF)
        # A build-up.
        self.await_middle(panel)
        panel.press("/buildup")
        self.see(panel, "/buildup", WAITING)
        self.see(panel, "/buildup", ON)
        self.wait_until("the tempo rises", lambda: TEMPO < panel.light("/bpm") < 300)
        self.assertIn(panel.light("/buildup/bars"), range(1, 9))
        self.await_middle(panel)
        panel.press("/buildup/drop")
        self.see(panel, "/buildup/drop", WAITING)
        self.see(panel, "/buildup", OFF)
        self.see(panel, "/buildup/drop", OFF)
        self.see(panel, "/bpm", TEMPO)
        self.see(panel, "/buildup/bars", 0)
        panel.press("/take/start")
        self.see(panel, "/take/start", ON)
        panel.press("/take/stop")
        self.see(panel, "/take/start", OFF)
        # Nothing was told twice in a row: lights are told as they change.
        panel.look()
        for address in ("/loop/record", "/lane/2/loop", "/scene/1", "/buildup"):
            told = panel.history[address][1:]
            self.assertTrue(all(a != b for a, b in zip(told, told[1:])), f"{address} {told}")
        self.assert_true(panel, "/loop/record", "/loop/play", "/loop/overdub", "/lane/2/loop", "/lane/1/play",
                         "/scene/1", "/scene/2", "/buildup", "/buildup/bars", "/bpm", "/take/start", old, new)

    def test_a_restart(self):
        panel = self.panel("ann")
        self.record(panel)
        self.keep_scene(panel)
        panel.press("/buildup")
        self.see(panel, "/buildup", ON)
        self.wait_until("the senders are kept", lambda: (self.data / "senders").exists()
                        and f":{panel.port}" in (self.data / "senders").read_text())
        self.wait_until("nothing waits to be written",
                        lambda: self.server.figure("journal_waiting_seconds") == 0)
        self.server.process.kill()
        self.server.process.wait()
        self.server.stop()
        panel.look()
        self.server = self.serve()
        # It plays on, and knows of no restart.
        panel.press("/pad/1")
        self.see(panel, "/buildup", OFF)
        self.see(panel, "/loop/play", ON)
        self.await_middle(panel)
        panel.press("/scene/1")
        self.see(panel, "/scene/1", WAITING)
        self.see(panel, "/scene/1", ON)
        self.see(panel, "/lane/2/loop", ON)
        self.assert_true(panel, "/loop/record", "/loop/play", "/lane/2/loop", "/scene/1", "/buildup")

    def test_a_lost_network(self):
        panel = self.panel("ann")
        self.record(panel)
        self.keep_scene(panel)
        bob = Panel(self.server)
        self.addCleanup(bob.close)
        bob.hello("bob")
        bob.say("/subscribe")
        panel.press("/loop/overdub")
        self.see(panel, "/loop/overdub", WAITING)
        panel.lose_network()
        # Nobody hears it.
        panel.press("/loop/stop")
        bob.press("/scene/1")
        self.see(bob, "/scene/1", ON)
        bob.press("/buildup")
        self.see(bob, "/buildup", ON)
        panel.find_network()
        self.assertEqual((panel.lights["/loop/overdub"], panel.lights["/scene/1"]), (WAITING, OFF))
        panel.say("/subscribe")
        self.see(panel, "/scene/1", ON)
        self.see(panel, "/lane/2/loop", ON)
        self.see(panel, "/loop/overdub", ON)
        self.see(panel, "/buildup", ON)
        self.assert_true(panel, "/loop/record", "/loop/overdub", "/loop/stop", "/lane/2/loop", "/scene/1", "/buildup")

    def test_faders_that_know_nothing_but_0_to_1(self):
        panel = self.panel("ann")
        bob = Panel(self.server)
        self.addCleanup(bob.close)
        bob.hello("bob")
        panel.say("/n/master/gain", 1.0)
        self.see(bob, "/master/gain", 12)
        bob.say("/master/gain", -24.0)
        self.see(panel, "/n/master/gain", 0.5)
        self.assertNotIn(1, panel.history["/n/master/gain"], "a fader is not moved by its own hand")
        panel.say("/n/quantize")
        self.see(panel, "/n/quantize", 0)
        # A whole number from 2 on is MIDI's: test_what_controllers_send.py.
        panel.say("/n/master/gain", 2.5)
        address, reason, code = panel.wait("/error")
        self.assertEqual((address, code), ("/n/master/gain", "out-of-range"))
        self.assertIn("0…1", reason)

    def test_buttons_that_know_nothing_but_0_to_1(self):
        panel = self.panel("ann")
        panel.say("/loop/countin", 1)
        panel.press("/n/loop/record")
        self.see(panel, "/n/loop/record", WAITING)
        self.see(panel, "/n/loop/record", ON)
        # The share is the velocity.
        panel.say("/n/pad/1", 0.5)
        panel.say("/n/pad/1", 0.0)
        self.see(panel, "/n/loop/record", OFF)
        self.see(panel, "/loop/play", ON)
        kit = min(a for a in panel.lights if a.startswith("/kit/") and panel.lights[a] == OFF and a != "/kit/follow")
        panel.press("/n" + kit)
        self.see(panel, "/n" + kit, ON)
        self.see(panel, kit, ON)
        # A whole number from 2 on is MIDI's: a press.
        panel.say("/n/loop/record", 2.5)
        self.assertEqual(panel.wait("/error")[::2], ("/n/loop/record", "out-of-range"))


if __name__ == "__main__":
    unittest.main()
