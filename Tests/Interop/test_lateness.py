"""Players' lights: who is late, and why, from a client's own words and from receiver reports."""

import http.client
import re
import socket
import struct
import subprocess
import time
import unittest

import osc
from case import ServerCase
from peer import TCPPeer, UDPPeer
from server import BINARY, Server, free_udp_pair

GOOD = (0.0, 0.0, 12.0, 2.0, 40.0, 20.0, 0.0)
GREEN, OFF = (1.0, "", ""), (-1.0, "", "")


class Lights(ServerCase):
    arguments = ("--host-word", "word")

    def peer(self, name, way=TCPPeer, *arguments):
        peer = way(self.server, *arguments)
        self.addCleanup(peer.close)
        peer.hello(name)
        return peer

    def comes_to(self, peer, of, wanted, say=lambda: None, seconds=40):
        """Waits until `peer` is told that light of a player. `say` reports meanwhile, as clients do.

        On a busy machine the server may be too late in between, and the light says that first.
        """
        told, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            say()
            try:
                name, *light = peer.wait("/player/light", 2)
            except AssertionError:
                continue
            told.append((name, *light))
            if told[-1] == (of, *wanted):
                return
        self.fail(f"{of} never has {wanted}, but {told}")

    def metrics(self):
        return self.server.get("/metrics")[2].decode()

    def test_a_report_makes_a_light_for_its_player_and_for_hosts_alone(self):
        ann, bob, host = self.peer("ann"), self.peer("bob"), self.peer("boss")
        host.say("/host", "word")
        host.wait("/host")
        self.comes_to(ann, "ann", GREEN, lambda: ann.say("/hearing", *GOOD))
        # Made-up sound is never green.
        self.comes_to(ann, "ann", (0.5, "computer", "programs"), lambda: ann.say("/hearing", 0.001, *GOOD[1:]))
        red = (0.0, "network", "cable")
        self.comes_to(ann, "ann", red, lambda: ann.say("/hearing", 0.3, 0.1, *GOOD[2:]))
        self.comes_to(host, "ann", red)
        self.assertNotIn("/player/light", [name for name, _ in bob.until_pong()])
        # Whoever becomes a host later is told it then.
        later = self.peer("later")
        later.say("/host", "word")
        self.comes_to(later, "ann", red, lambda: ann.say("/hearing", 0.3, 0.1, *GOOD[2:]))
        ann.say("/hearing")
        self.comes_to(ann, "ann", OFF)

    def test_metrics_have_a_light_for_each_player_by_number_and_no_name(self):
        ann = self.peer("very-secret-name")
        self.comes_to(ann, "very-secret-name", (0.0, "output", "wire"), lambda: ann.say("/hearing", *GOOD[:5], 220.0, 0.0))
        self.wait_until("the light is there", lambda: re.search(
            r'^bandshell_player_light\{room="main",player="\d+"\} 0$', self.metrics(), re.MULTILINE))
        text = self.metrics()
        causes = dict(re.findall(r'^bandshell_player_late\{room="main",player="\d+",cause="(\w+)"\} (\d)$', text, re.MULTILINE))
        self.assertEqual(causes, {**dict.fromkeys(("network", "buffer", "computer", "server", "silence", "delay"), "0"), "output": "1"})
        self.assertNotIn("very-secret-name", text)
        ann.say("/hearing")
        self.comes_to(ann, "very-secret-name", OFF)
        self.wait_until("it is out", lambda: "bandshell_player_light" not in self.metrics())

    def test_a_client_that_falls_silent_is_not_green(self):
        anton = self.peer("anton")
        self.comes_to(anton, "anton", GREEN, lambda: anton.say("/hearing", *GOOD))
        self.comes_to(anton, "anton", (0.5, "silence", "look"))

    def test_hits_that_say_what_was_heard_make_a_light_and_never_a_green_one(self):
        ann = self.peer("late-ann")

        def ask():
            """How long the answer took, the frame in it, and when it came."""
            before = time.monotonic()
            ann.say("/frame")
            frame, now = ann.wait("/frame/at")[0], time.monotonic()
            return now - before, frame, now

        # An answer that was held up on a busy machine would make each hit late.
        _, frame, start = min(ask() for _ in range(20))

        def hit(milliseconds):
            def play():
                heard = frame + round((time.monotonic() - start) * 48_000) - milliseconds * 48
                ann.send(osc.bundle(osc.message("/heard", heard & 0xFFFF_FFFF), osc.message("/pad/1", 1.0)))
            return play

        self.comes_to(ann, "late-ann", (0.0, "delay", "shorten"), hit(400))
        # Some hits later its ear is in time: nothing tells that this is well, so it is out.
        self.comes_to(ann, "late-ann", OFF, hit(20))

    def test_what_listens_for_a_player_needs_no_session(self):
        with Server() as server:
            ann = TCPPeer(server)
            self.addCleanup(ann.close)
            ann.hello("ann")
            listener = subprocess.Popen(
                [BINARY, "listen", f"http://127.0.0.1:{server.http}", "--out", str(server.path / "heard.wav")],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(listener.wait)
            self.addCleanup(listener.kill)
            # Reports come each five seconds. A busy machine may lose packets first.
            self.comes_to(ann, "ann", GREEN, seconds=60)

    def test_a_receiver_report_of_losses_makes_the_light_of_the_one_player_at_that_address(self):
        host = "127.0.0.7"
        ann = self.peer("far-ann", UDPPeer, host)
        self.addCleanup(ann.say, "/bye")
        port = free_udp_pair(host)
        media = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(media.close)
        media.bind((host, port))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=10, source_address=(host, 0))
        self.addCleanup(connection.close)
        connection.request("GET", f"/listen.sdp?port={port}")
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200, answer.read())
        media.settimeout(10)
        while (packet := media.recv(2_048))[1] & 0x7F != 96:
            pass
        # A report with one block (RFC 3550 §6.4.2): 26 of 256 packets lost, a jitter of 5 ms.
        block = packet[8:12] + bytes((26, 0, 0, 9)) + struct.pack("!IIII", 900, 240, 0, 0)
        report = struct.pack("!BBHI", 0x81, 201, 7, 0x1234) + block
        self.comes_to(ann, "far-ann", (0.0, "network", "cable"), lambda: media.sendto(report, ("127.0.0.1", self.server.media)))


if __name__ == "__main__":
    unittest.main()
