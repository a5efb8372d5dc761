"""OSC over WebSocket with the `websockets` package, and by hand what it would not send."""

import socket
import struct
import time
import unittest

import osc
from case import RIM, ServerCase
from peer import messages

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

HANDSHAKE = ("GET /osc HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()


class Player:
    """A program at a WebSocket."""

    def __init__(self, server, path="/osc", scheme="ws", **options):
        self.socket = connect(f"{scheme}://127.0.0.1:{server.http}{path}", compression=None, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, address, *arguments):
        self.socket.send(osc.message(address, *arguments))

    def wait(self, address, seconds=30):
        end = time.monotonic() + seconds
        while True:
            packet = self.socket.recv(timeout=max(0.01, end - time.monotonic()))
            for name, arguments in messages(packet):
                if name == address:
                    return arguments


class WebSocket(ServerCase):
    def test_hello_is_welcomed_and_a_hit_is_in_the_mix_and_told(self):
        with Player(self.server) as player:
            player.send("/hello", "page")
            welcome = player.wait("/welcome")
            self.assertEqual(welcome[:2], ("main", "page"))
            # From the server's own machine, and no host for that.
            self.assertFalse(player.wait("/host")[0])
            self.wait_for_silence()
            start = time.time()
            player.send(RIM, 1.0)
            self.assertEqual(player.wait("/receipt")[0], 9)
            self.wait_until("the hit is in the mix", lambda: len(self.hits_since(start)) == 1)
            self.assertGreater(player.wait("/beat")[0], 0)

    def test_a_named_player_resumes_by_its_token(self):
        with Player(self.server) as player:
            player.send("/hello", "resumed")
            token = player.wait("/welcome")[5]
        with Player(self.server) as player:
            player.send("/hello", "resumed", "main", "", token)
            self.assertEqual(player.wait("/welcome")[1], "resumed")

    def test_fragments_are_put_together_and_pings_answered(self):
        with Player(self.server) as player:
            packet = osc.message("/ping", 5)
            player.socket.send([packet[:3], packet[3:7], packet[7:]])
            self.assertEqual(player.wait("/pong")[0], 5)
            self.assertTrue(player.socket.ping(b"there").wait(30))

    def test_text_and_too_long_packets_are_closed_with_their_reason(self):
        for what, code in (("hello", 1003), (b"/" + b"x" * 70_000, 1009)):
            with Player(self.server) as player:
                player.socket.send(what)
                with self.assertRaises(ConnectionClosed) as closed:
                    player.wait("/nothing")
                self.assertEqual(closed.exception.rcvd.code, code)
                self.assertTrue(closed.exception.rcvd.reason)

    def test_a_packet_of_the_largest_size_is_read(self):
        with Player(self.server) as player:
            packet = osc.message("/nothing", "x" * (65_536 - 17))
            self.assertEqual(len(packet), 65_536)
            player.socket.send(packet)
            self.assertEqual(player.wait("/error")[0], "/nothing")

    def test_a_foreign_page_is_refused_and_the_own_one_is_not(self):
        with self.assertRaises(InvalidStatus) as refused:
            Player(self.server, origin="http://evil.example")
        self.assertEqual(refused.exception.response.status_code, 403)
        Player(self.server, origin=f"http://127.0.0.1:{self.server.http}").socket.close()

    def test_a_reader_that_takes_nothing_costs_only_itself(self):
        with socket.create_connection(("127.0.0.1", self.server.http), timeout=10) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            slow.sendall(HANDSHAKE)
            ask = osc.message("/sync")
            frame = bytes([0x82, 0x80 | len(ask), 0, 0, 0, 0]) + ask
            with Player(self.server) as player:
                player.send("/hello", "quick")
                player.wait("/welcome")
                for _ in range(200):
                    try:
                        slow.sendall(frame * 8)
                    except OSError:
                        break
                player.send("/ping", 1)
                self.assertEqual(player.wait("/pong")[0], 1)

    def test_bytes_that_make_no_sense_cost_only_their_sender(self):
        for junk in (b"\x82", b"\x82\xfe", b"\xff" * 100, b"\x01\x80\0\0\0\0", b"\x88\x80\0\0\0\0", b"\0" * 50,
                     b"\x82\xff" + struct.pack(">Q", 1 << 63) + b"\0" * 4, osc.message(RIM, 1.0)):
            with socket.create_connection(("127.0.0.1", self.server.http), timeout=10) as connection:
                connection.sendall(HANDSHAKE)
                self.assertIn(b" 101 ", connection.recv(4_096))
                connection.sendall(junk)
        with Player(self.server) as player:
            player.send("/ping", 1)
            self.assertEqual(player.wait("/pong")[0], 1)

    def test_the_server_ends_with_a_word(self):
        from server import Server
        with Server() as server:
            player = Player(server)
            player.send("/ping", 1)
            player.wait("/pong")
            self.assertLess(server.stop(), 2)
            with self.assertRaises(ConnectionClosed) as closed:
                player.wait("/nothing")
            self.assertEqual(closed.exception.rcvd.code, 1001)


class WithPassword(ServerCase):
    arguments = ("--password", "sesame", "--room", "cellar")

    def test_the_word_comes_with_the_address_or_by_osc(self):
        with Player(self.server, "/rooms/cellar/osc?password=sesame") as player:
            player.send("/hello", "ann")
            self.assertEqual(player.wait("/welcome")[0], "cellar")
        with Player(self.server, "/rooms/cellar/osc") as player:
            player.send("/hello", "bob")
            self.assertIn("password", player.wait("/error")[1])
            player.send("/password", "sesame")
            # Another name: the same packet again within two milliseconds would be a controller's double send.
            player.send("/hello", "rob")
            self.assertEqual(player.wait("/welcome")[:2], ("cellar", "rob"))
        with self.assertRaises(InvalidStatus) as refused:
            Player(self.server, "/osc?password=wrong")
        self.assertEqual(refused.exception.response.status_code, 401)


if __name__ == "__main__":
    unittest.main()
