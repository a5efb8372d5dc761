"""OSC programs that nobody here wrote: liblo's oscsend and oscdump, and python-osc over UDP and TCP."""

import subprocess
import threading
import time
import unittest

from case import RIM, ServerCase, needs
from peer import messages
from server import free_udp_pair

from pythonosc import osc_bundle_builder, osc_message_builder, udp_client
from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_message import OscMessage
from pythonosc.osc_server import BlockingOSCUDPServer
from pythonosc.tcp_client import SimpleTCPClient


class Inbox:
    """A python-osc server that keeps what comes, in the order in which it comes."""

    def __init__(self):
        self.messages = []
        self._news = threading.Condition()
        dispatcher = Dispatcher()
        dispatcher.set_default_handler(self._take)
        self.server = BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _take(self, address, *arguments):
        with self._news:
            self.messages.append((address, arguments))
            self._news.notify_all()

    def wait(self, address, seconds=30):
        """The first message to `address`, now or later."""
        end = time.monotonic() + seconds
        with self._news:
            while True:
                for message in self.messages:
                    if message[0] == address:
                        return message[1]
                if not self._news.wait(max(0.0, end - time.monotonic())):
                    raise AssertionError(f"no {address} within {seconds} s, but {[m[0] for m in self.messages][:40]}")

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class OSCSend(ServerCase):
    @needs("oscsend")
    def test_a_pad_hit_with_oscsend_is_in_the_mix(self):
        start = time.time()
        subprocess.run(["oscsend", "127.0.0.1", str(self.server.osc), RIM, "f", "0.9"], check=True, timeout=10)
        self.wait_until("the hit is in the mix", lambda: len(self.hits_since(start)) == 1)

    @needs("oscsend")
    def test_numbers_of_every_type_hit_a_pad(self):
        time.sleep(1)
        start = time.time()
        for types, value in (("i", "1"), ("d", "0.8"), ("h", "1"), ("T", None), ("f", "1")):
            arguments = ["oscsend", "127.0.0.1", str(self.server.osc), RIM, types] + ([value] if value else [])
            subprocess.run(arguments, check=True, timeout=10)
            time.sleep(0.3)
        self.wait_until("all five are in the mix", lambda: len(self.hits_since(start)) == 5)

    @needs("oscsend", "oscdump")
    def test_oscdump_gets_the_feedback_that_its_host_asked_for(self):
        port = free_udp_pair()
        dump = subprocess.Popen(["oscdump", "-L", str(port)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(dump.stdout.close)
        self.addCleanup(dump.wait)
        self.addCleanup(dump.kill)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(iter(dump.stdout.readline, "")), daemon=True)
        reader.start()
        time.sleep(0.3)
        send = ["oscsend", "127.0.0.1", str(self.server.osc)]
        subprocess.run(send + ["/subscribe", "i", str(port)], check=True, timeout=10)
        subprocess.run(send + [RIM, "f", "1"], check=True, timeout=10)
        self.wait_until("oscdump shows a beat, a position and the hit", lambda: all(
            any(f" {address} " in line for line in lines) for address in ("/beat", "/position", "/hit")))
        hit = next(line for line in lines if " /hit " in line)
        # Player, pad, velocity, bar, beat.
        self.assertIn("/hit sifif ", hit)


class PythonOSC(ServerCase):
    def setUp(self):
        self.inbox = Inbox()
        self.addCleanup(self.inbox.close)
        self.client = udp_client.SimpleUDPClient("127.0.0.1", self.server.osc)
        self.addCleanup(self.client._sock.close)

    def test_hello_is_welcomed_with_the_full_state(self):
        self.client.send_message("/subscribe", self.inbox.port)
        self.client.send_message("/hello", "python")
        welcome = self.inbox.wait("/welcome")
        self.assertEqual((welcome[0], welcome[1]), ("main", "python"))
        self.assertEqual(welcome[3:5], (120.0, 4))
        self.assertEqual(self.inbox.wait("/tempo"), (120.0,))
        self.assertEqual(self.inbox.wait("/kit/name"), ("Starter",))

    def test_a_timetagged_bundle_sounds_at_its_distance_from_the_next(self):
        # Two hits in one bundle each, tagged 0.3 s apart, sent at once; the second one first.
        self.client.send_message("/ping", 1)
        start = time.time()
        now = start + 0.5
        for at in (now + 0.3, now):
            builder = osc_bundle_builder.OscBundleBuilder(at)
            message = osc_message_builder.OscMessageBuilder(RIM)
            message.add_arg(1.0)
            builder.add_content(message.build())
            self.client.send(builder.build())
        found = []

        def both_sound():
            found[:] = self.hits_since(start)
            return len(found) == 2

        self.wait_until("both sound", both_sound)
        first, second = found
        # python-osc's own timetags are good to some microseconds.
        self.assertLess(abs(second - first - 0.3), 0.0005)

    def test_an_unknown_address_is_answered_with_what_would_be_right(self):
        self.client.send_message("/subscribe", self.inbox.port)
        self.client.send_message("/tempoo", 120.0)
        address, reason, code = self.inbox.wait("/error")
        self.assertEqual((address, code), ("/tempoo", "unknown-address"))
        self.assertIn("/tempo", reason)

    def test_a_refusal_has_a_code_that_programs_compare(self):
        self.client.send_message("/subscribe", self.inbox.port)
        self.client.send_message("/lane/8/play", 1.0)
        address, reason, code = self.inbox.wait("/error")
        self.assertEqual((address, code), ("/lane/8/play", "lane-empty"))
        self.assertIn("lane 8 is empty", reason)

    def test_a_pad_that_does_not_exist_is_answered(self):
        self.client.send_message("/subscribe", self.inbox.port)
        self.client.send_message("/pad/17", 1.0)
        address, reason, code = self.inbox.wait("/error")
        self.assertEqual((address, code), ("/pad/17", "pad-out-of-range"))
        self.assertIn("1–16", reason)

    def test_tempo_set_by_one_is_told_to_another(self):
        other = Inbox()
        self.addCleanup(other.close)
        self.client.send_message("/subscribe", other.port)
        self.client.send_message("/hello", "watcher")
        # The full state comes first, with the tempo as it is.
        other.wait("/tempo")
        stranger = udp_client.SimpleUDPClient("127.0.0.1", self.server.osc)
        self.addCleanup(stranger._sock.close)
        stranger.send_message("/tempo", 133.0)
        self.wait_until("it is told", lambda: ("/tempo", (133.0,)) in other.messages)

    def test_tcp_with_either_framing_hits_pads_and_is_answered(self):
        # OSC 1.0 is a length in front of each packet, 1.1 is SLIP.
        for mode in ("1.0", "1.1"):
            with self.subTest(mode=mode):
                time.sleep(0.6)
                start = time.time()
                client = SimpleTCPClient("127.0.0.1", self.server.osc, mode=mode)
                client.send_message("/hello", f"tcp{mode[-1]}")
                client.send_message(RIM, 1.0)
                self.wait_until("the hit is in the mix", lambda start=start: len(self.hits_since(start)) > 0)
                answers = []
                for _ in range(50):
                    answers += [address for packet in client.receive(1) for address, _ in messages(packet)]
                    if "/welcome" in answers:
                        break
                self.assertIn("/welcome", answers)
                client.close()

    def test_the_tcp_client_that_reads_no_bundles_gets_none_before_it_sends_one(self):
        for mode in ("1.0", "1.1"):
            with self.subTest(mode=mode):
                client = SimpleTCPClient("127.0.0.1", self.server.osc, mode=mode)
                self.addCleanup(client.close)
                client.send_message("/hello", f"plain{mode[-1]}")
                client.send_message(RIM, 1.0)
                addresses = []
                end = time.monotonic() + 30
                while not {"/welcome", "/tempo", "/receipt", "/position"} <= set(addresses):
                    self.assertLess(time.monotonic(), end, addresses[-40:])
                    # As `get_messages` reads them: a bundle is no message, and ends its generator with an error.
                    addresses += [OscMessage(packet).address for packet in client.receive(1) if packet]
                self.assertNotIn("/beat/next", addresses)
                client.send(osc_bundle_builder.OscBundleBuilder(osc_bundle_builder.IMMEDIATELY).build())
                end = time.monotonic() + 30
                while not any(packet.startswith(b"#bundle") for packet in client.receive(1)):
                    self.assertLess(time.monotonic(), end, "no bundle came")


if __name__ == "__main__":
    unittest.main()
