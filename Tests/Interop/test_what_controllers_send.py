"""Forms that controllers, bridges and old programs send, beside those of the table: each is taken for what it must mean, or told what to do.

docs/guide/what-controllers-send.md lists them.
"""

import socket
import struct
import time
import unittest

import osc
from peer import TCPPeer, UDPPeer, WebSocketPeer
from server import run
from test_controllers import ControllerCase, by_each_way


def typed(address, types, data=b""):
    """A message whose types no library would write."""
    return osc.string(address) + osc.string(types) + data


class FormCase(ControllerCase):
    def read(self, peer, address):
        """The value at the address. A switch that is sent without a value would toggle."""
        peer.say("/sync", address)
        return peer.wait(address)[0]


class Forms(FormCase):
    def value(self, peer, address, packet):
        """What is at the address after the packet, which must bring no error."""
        peer.until_pong()
        peer.send(packet)
        told = peer.until_pong()
        self.assertEqual([m for m in told if m[0] == "/error"], [], packet)
        return self.read(peer, address)

    def error(self, peer, packet):
        peer.until_pong()
        peer.send(packet)
        return peer.wait("/error")

    @by_each_way("texts")
    def test_numbers_and_switches_as_texts(self, peer):
        self.assertEqual(self.value(peer, "/gain", osc.message("/gain", "-6")), -6.0)
        self.assertEqual(self.value(peer, "/loop/bars", osc.message("/loop/bars", "8")), 8)
        self.assertEqual(self.value(peer, "/pad/1/mode", osc.message("/pad/1/mode", "1")), "gate")
        for word, value in (("on", 1), ("off", 0), ("TRUE", 1), ("no", 0)):
            self.assertEqual(self.value(peer, "/arp/latch", osc.message("/arp/latch", word)), value)
        self.assertAlmostEqual(self.velocity(peer, osc.message("/pad/1", "0.8")), 0.8, places=6)
        self.assertEqual(self.velocity(peer, osc.message("/pad/1", "bang")), 1.0)
        for text in ("0,8", "loud", "nan", "0x1", ""):
            self.assertEqual(self.error(peer, osc.message("/gain", text))[2], "wrong-type")

    @by_each_way("arrays")
    def test_arrays_midi_messages_and_no_type_tags(self, peer):
        half = struct.pack(">f", 0.5)
        self.assertAlmostEqual(self.velocity(peer, typed("/pad/1", ",[f]", half)), 0.5, places=6)
        self.assertAlmostEqual(
            self.velocity(peer, typed("/pad/1", ",m", bytes([0, 0x90, 36, 64]))), 64 / 127, places=6)
        self.assertAlmostEqual(self.velocity(peer, osc.string("/pad/1") + half), 0.5, places=6)
        self.assertEqual(self.error(peer, typed("/pad/1", ",[f", half))[2], "bad-packet")
        self.assertEqual(self.error(peer, typed("/gain", ",m", bytes([0, 0xB0, 7, 64])))[2], "wrong-type")

    @by_each_way("knob")
    def test_a_knob_of_midi_at_a_fader_of_shares(self, peer):
        peer.say("/macro/1", 1)
        peer.say("/macro/1")
        self.assertEqual(peer.wait("/macro/1"), (1.0,))
        peer.until_pong()
        peer.say("/macro/1", 64)
        self.assertEqual(peer.wait("/notice")[2], "values-are-midi")
        for number in (127, 3, 2, 1, 0):
            self.assertAlmostEqual(
                self.value(peer, "/macro/1", osc.message("/macro/1", number)), number / 127, places=6)
        self.assertEqual(self.value(peer, "/pad/2/pan", osc.message("/pad/2/pan", 64)), 0.0)
        self.assertEqual(self.value(peer, "/gain", osc.message("/n/gain", 127)), 12.0)
        # Another fader, and a fraction.
        self.assertEqual(self.value(peer, "/macro/2", osc.message("/macro/2", 1)), 1.0)
        self.assertEqual(self.value(peer, "/macro/1", osc.message("/macro/1", 0.25)), 0.25)
        self.assertEqual(self.value(peer, "/macro/1", osc.message("/macro/1", 1)), 1.0)
        self.assertEqual(self.error(peer, osc.message("/gain", 64))[2], "out-of-range")

    @by_each_way("square")
    def test_an_xy_pad(self, peer):
        self.assertEqual(self.value(peer, "/macro/1", osc.message("/macro/{1,2}", 0.25, 0.75)), 0.25)
        peer.say("/macro/2")
        self.assertEqual(peer.wait("/macro/2"), (0.75,))
        self.assertEqual(self.value(peer, "/macro/1", osc.message("/macro/{2,1}", 0.25, 0.5)), 0.5)
        for address in ("/xy", "/1/xy1", "/gain"):
            self.assertIn("/macro/{1,2}", self.error(peer, osc.message(address, 0.1, 0.2))[1])

    @by_each_way("touch")
    def test_touches_bring_no_errors(self, peer):
        before = self.server.figure("osc_touches_total")
        peer.until_pong()
        for value in (1.0, 0.0) * 20:
            for address in ("/1/fader1/z", "/pad/1/gain/z"):
                peer.say(address, value)
        self.assertEqual([m for m in peer.until_pong() if m[0] == "/error"], [])
        self.assertEqual(self.server.figure("osc_touches_total") - before, 80)

    @by_each_way("bridge")
    def test_notes_of_a_bridge_are_keys(self, peer):
        peer.until_pong()
        peer.say("/note", 60, 100)
        note = peer.wait("/note")
        self.assertEqual(note[1], 60)
        self.assertAlmostEqual(note[2], 100 / 127, places=6)
        peer.say("/note", 60, 0)
        self.assertEqual(peer.wait("/note/off")[1], 60)


class AtTheStart(FormCase):
    """A controller that sends the values of all its controls as it begins."""

    TRIGGERS = ("/play", "/stop", "/undo", "/redo", "/loop/record", "/loop/play", "/loop/clear", "/buildup", "/scene/1",
                "/lane/1/loop", "/kit/next", "/take/start", "/panic", "/tempo/tap", "/scene/1/keep", "/pad/1/preview",
                "/pad/1/reset", *(f"/pad/{n}" for n in range(1, 17)), *(f"/key/{n}" for n in range(48, 72)))

    def test_buttons_that_are_up_trigger_nothing(self):
        for way in (UDPPeer, TCPPeer, WebSocketPeer):
            with self.subTest(way=way.__name__):
                peer = self.peer(way, "up")
                # A kit's light may still be on its way.
                peer.until_pong()
                peer.send(osc.bundle(*(osc.message(address, 0.0) for address in self.TRIGGERS)))
                told = [m for m in peer.until_pong()
                        if m[0] in ("/hit", "/note", "/receipt", "/error", "/undone", "/take/state", "/buildup/state")]
                self.assertEqual(told, [])

    def test_five_hundred_settings_at_once_are_all_set(self):
        values = [(f"/pad/{n}/{name}", value) for n in range(1, 17)
                  for name, value in (("gain", -n / 2), ("pan", n / 32), ("mute", n % 2), ("mode", "gate"))]
        values += [(f"/step/{pad}/{step}", 0.5) for pad in range(1, 17) for step in range(1, 17)]
        messages = [osc.message(*each) for each in values * 2][:500]
        for way, packets in (
                (UDPPeer, messages), (TCPPeer, [osc.bundle(*messages)]), (WebSocketPeer, [osc.bundle(*messages)])):
            with self.subTest(way=way.__name__):
                peer = self.peer(way, "all")
                flooded = self.server.figure("osc_flooded_total")
                peer.until_pong()
                for packet in packets:
                    peer.send(packet)
                self.assertEqual([m for m in peer.until_pong() if m[0] == "/error"], [])
                for address, value in values[::37]:
                    got = self.read(peer, address)
                    if isinstance(value, str):
                        self.assertEqual(got, value, address)
                    else:
                        self.assertAlmostEqual(got, value, places=4, msg=address)
                self.assertEqual(self.server.figure("osc_flooded_total"), flooded)


class Ports(ControllerCase):
    def test_osc_at_the_pages_port_is_told_the_right_one(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
            phone.settimeout(20)
            phone.sendto(osc.message("/pad/1", 1.0), ("127.0.0.1", self.server.http))
            answer = phone.recv(1_000)
        self.assertIn(b"wrong-port", answer)
        self.assertIn(f"port {self.server.osc}".encode(), answer)
        # The log is written on a thread of its own.
        self.wait_until("it is in the log", lambda: "osc.misdirected" in self.server.said())
        self.assertEqual(self.server.figure("osc_wrong_port_total"), 1)
        ports = ("--osc", f"127.0.0.1:{self.server.osc}", "--http", f"127.0.0.1:{self.server.http}",
                 "--media", f"127.0.0.1:{self.server.media}")
        self.assertIn("OSC came to the page's port", run("doctor", *ports).stdout)

    def test_feedback_to_the_servers_own_port_is_refused(self):
        peer = self.peer(name="swapped")
        peer.say("/subscribe", self.server.osc)
        self.assertEqual(peer.wait("/error")[2], "own-port")
        before = self.server.figure("osc_packets_total")
        time.sleep(1)
        self.assertLess(self.server.figure("osc_packets_total") - before, 10)


if __name__ == "__main__":
    unittest.main()
