"""What hostile, broken and slow peers do to the server, seen from outside: it lives, and others still hear."""

import os
import random
import socket
import struct
import threading
import time
import unittest

import osc
from case import RIM, Drummer, ServerCase
from sound import Sound


class Witness:
    """Somebody else who plays and listens all the while: what he hears must stay as it is."""

    def __init__(self, case):
        self.case, self.server = case, case.server

    def hears(self):
        """Eight rim shots at a steady pace are all in the mix, on their beats."""
        # Nothing else is in what is fetched below, however late a busy machine answers.
        time.sleep(0.8)
        start = time.monotonic()
        with Drummer(self.server, 0.25, count=8) as drummer:
            drummer.finish()
        time.sleep(0.4)
        seconds = time.monotonic() - start + 0.6
        onsets = Sound.from_wav(self.server.get(f"/last.wav?seconds={seconds:.2f}")[2]).onsets(rest=0.02)
        self.case.assertGreaterEqual(len(onsets), 8, f"the witness hears {onsets}")


class BadPackets(ServerCase):
    def tearDown(self):
        super().tearDown()
        Witness(self).hears()

    def test_truncated_packets_cost_only_their_sender(self):
        whole = osc.bundle(osc.message(RIM, 0.5), osc.message("/tempo", 120.0))
        for length in range(len(whole)):
            self.server.send(whole[:length])

    def test_random_bytes_cost_only_their_sender(self):
        random.seed(7)
        for _ in range(2_000):
            self.server.send(random.randbytes(random.randrange(0, 300)))

    def test_bundles_that_lie_about_their_sizes_or_nest_without_end(self):
        deep = osc.message(RIM, 1.0)
        for _ in range(60):
            deep = osc.bundle(deep)
        for size in (-1, 0, 3, 1 << 20, 0x7FFFFFFF):
            self.server.send(b"#bundle\0" + struct.pack(">Q", 1) + struct.pack(">i", size) + osc.message(RIM, 1.0))
        self.server.send(deep)
        self.server.send(b"#bundle\0")

    def test_wrong_types_and_impossible_numbers(self):
        for value in (float("nan"), float("inf"), float("-inf"), -1.0, 1e30, "loud", 2**31 - 1):
            for address in (RIM, "/tempo", "/master/gain", "/pad/1/gain", "/tempo/nudge", "/gain"):
                self.server.send(osc.message(address, value))
        for address in ("/pad/0", "/pad/17", "/pad/99999999999999999999", "/pad/-1", "/pad/", "//", "/", "/pad/1/", "/é"):
            self.server.send(osc.message(address, 1.0))
        self.server.send(osc.string(RIM) + osc.string("f") + struct.pack(">f", 1))
        self.server.send(osc.string(RIM))
        self.server.send(osc.string("/tempo") + osc.string(",f"))
        # The tempo may have been set to something allowed: back, for the others.
        self.server.send(osc.message("/tempo", 120.0))

    def test_packets_of_the_largest_size(self):
        for size in (8_192, 8_193, 65_000):
            self.server.send(osc.message("/chat", "x" * (size - 24)))


class Floods(ServerCase):
    def test_a_hundred_thousand_messages_in_a_second_leave_others_unharmed(self):
        # From a socket, and so a source, of its own.
        flood = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        packet = osc.message("/pad/4", 0.1)
        for _ in range(100_000):
            try:
                flood.sendto(packet, ("127.0.0.1", self.server.osc))
            except BlockingIOError:
                pass
        flood.close()
        self.wait_until("the server answers again", lambda: self.server.get("/health", timeout=20)[0] == 200)
        time.sleep(1)
        Witness(self).hears()

    def test_a_thousand_short_tcp_connections(self):
        for _ in range(1_000):
            with socket.create_connection(("127.0.0.1", self.server.osc), timeout=10) as connection:
                connection.sendall(b"\0\0\0\x10")
        Witness(self).hears()


class SlowPeers(ServerCase):
    def test_tcp_clients_that_send_half_a_frame_and_stop(self):
        idle = []
        for half in (b"\0\0\0", b"\0\0\0\x40/pad", b"\xc0/pad/9", b"\0\1\0\0", b"\xff\xff\xff\xff", b"#bun", b"\xc0"):
            connection = socket.create_connection(("127.0.0.1", self.server.osc), timeout=10)
            connection.sendall(half)
            idle.append(connection)
        Witness(self).hears()
        for connection in idle:
            connection.close()

    def test_http_clients_that_never_read(self):
        idle = []
        for path in ("/listen.opus", "/last.wav?seconds=60", "/") * 20:
            connection = socket.create_connection(("127.0.0.1", self.server.http), timeout=10)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            idle.append(connection)
        Witness(self).hears()
        # They are still connected, or were dropped: both are right. New listeners are served.
        with Drummer(self.server, 0.2):
            with socket.create_connection(("127.0.0.1", self.server.http), timeout=10) as listener:
                listener.sendall(b"GET /listen.opus HTTP/1.1\r\nHost: x\r\n\r\n")
                received = b""
                while len(received) < 20_000:
                    received += listener.recv(65_536)
        self.assertIn(b"OggS", received)
        for connection in idle:
            connection.close()

    def test_http_requests_that_never_end_or_make_no_sense(self):
        requests = (b"GET /health HTTP/1.1\r\nHost: x\r\n", b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"\0" * 1_000, b"G" * 100_000,
                    b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
                    b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /%00%ff HTTP/1.1\r\nHost: x\r\n\r\n")
        for request in requests:
            with socket.create_connection(("127.0.0.1", self.server.http), timeout=10) as connection:
                connection.settimeout(1)
                try:
                    connection.sendall(request)
                    answer = connection.recv(65_536)
                except OSError:
                    answer = b""
                self.assertNotIn(b"root:", answer)
        self.assertEqual(self.server.get("/health")[0], 200)

    def test_listeners_that_vanish(self):
        for _ in range(200):
            connection = socket.create_connection(("127.0.0.1", self.server.http), timeout=10)
            connection.sendall(b"GET /listen.opus HTTP/1.1\r\nHost: x\r\n\r\n")
            # A reset, not a goodbye.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        for port in range(40_000, 40_050):
            self.server.get(f"/listen.sdp?port={port}")
        Witness(self).hears()


class SpoofedSubscribers(ServerCase):
    def test_feedback_goes_to_the_host_that_asked_and_to_nobody_else(self):
        # A subscription names a port, never a host: a third party cannot be flooded on somebody's word.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as victim:
            victim.bind(("127.0.0.2", 0))
            victim.settimeout(1)
            self.server.send(osc.message("/subscribe", victim.getsockname()[1]))
            with Drummer(self.server, 0.1):
                with self.assertRaises(TimeoutError):
                    victim.recv(2_048)


if __name__ == "__main__":
    unittest.main()
