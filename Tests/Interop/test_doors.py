"""The doors of the server, as a stranger finds them: by another site's name, and without the password."""

import socket
import unittest

import osc
from case import ServerCase
from patience import Patient
from server import run
from test_web_socket import Player

UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
# Every door of HTTP: a method and an address.
DOORS = (
    ("GET", "/"), ("GET", "/page.js"), ("GET", "/health"), ("GET", "/osc"), ("GET", "/authority.crt"), ("GET", "/qr.svg?text=http://a.b/"),
    ("GET", "/kits"), ("GET", "/waveforms/house"), ("GET", "/metrics"), ("GET", "/listen.opus"), ("GET", "/listen.sdp?port=5004"),
    ("GET", "/last.wav"), ("POST", "/whep"), ("DELETE", "/whep/y"), ("PUT", "/samples/y"), ("GET", "/projects"), ("GET", "/projects/y"),
    ("PUT", "/projects/y"), ("DELETE", "/projects/y/loops.wav"), ("GET", "/takes"), ("GET", "/takes/y.wav"), ("DELETE", "/takes/y.wav"),
    ("GET", "/take/y"), ("GET", "/take/y.json"), ("GET", "/take/y.png"), ("GET", "/search?q=y"), ("GET", "/kits/y"), ("PUT", "/kits/y"),
    ("GET", "/blocks/y"), ("PUT", "/blocks/y"), ("GET", "/play"), ("GET", "/play/y.opus"), ("GET", "/nothing"), ("OPTIONS", "/health"), ("POST", "/health"),
)


class DoorCase(ServerCase):
    def ask(self, method, target, *headers, host="localhost"):
        """The answer without its date; of an opened WebSocket the head."""
        with socket.create_connection(("127.0.0.1", self.server.http), timeout=20) as connection:
            lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host}"] if host is not None else []), *headers, "Connection: close"]
            if method in ("PUT", "POST") and not headers:
                lines.append("Content-Length: 1")
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n" + ("x" if lines[-1] == "Content-Length: 1" else "")).encode())
            answer = b""
            while not (answer.startswith(b"HTTP/1.1 101") and b"\r\n\r\n" in answer):
                more = connection.recv(65_536)
                if not more:
                    break
                answer += more
        lines = answer.decode(errors="replace").split("\r\n")
        return "\r\n".join(line for line in lines if not line.startswith("Date:"))

    def status(self, *request, **options):
        return int(self.ask(*request, **options).split(" ", 2)[1])


class Rebinding(DoorCase):
    """A page of another site gives its own name the address of the server."""

    arguments = ("--public", "jam.example.org", "--public", "203.0.113.7")

    def test_by_another_site_s_name_every_door_answers_421_and_names_the_addresses(self):
        for method, target in DOORS:
            for headers in ((), ("Origin: http://evil.example",), UPGRADE):
                with self.subTest(f"{method} {target}", headers=headers):
                    answer = self.ask(method, target, *headers, host=f"evil.example:{self.server.http}")
                    self.assertTrue(answer.startswith("HTTP/1.1 421 "), answer)
                    self.assertIn("Content-Type: text/plain", answer)
                    self.assertIn(f"http://127.0.0.1:{self.server.http}/", answer)
                    self.assertIn("--public NAME", answer)
                    self.assertNotIn("<", answer)

    def test_names_that_are_known_are_answered(self):
        for host in ("127.0.0.1", f"localhost:{self.server.http}", "LOCALHOST.", "[::1]", "192.0.2.7:80", "stage.local", "jam.lan",
                     "jam.home.arpa", socket.gethostname(), "jam.example.org", "JAM.example.org.:8088"):
            self.assertEqual(self.status("GET", "/health", host=host), 200, host)
        for host in ("example.org", "jam.example.org.evil.example", "evil.example", "127.0.0.1.evil.example", ""):
            self.assertEqual(self.status("GET", "/health", host=host), 421, host)
        self.assertEqual(self.status("GET", "/health", host=None), 400)
        self.assertEqual(self.status("GET", "http://evil.example/health"), 421)

    def test_an_origin_is_compared_with_its_scheme(self):
        host = f"jam.example.org:{self.server.http}"
        self.assertEqual(self.status("GET", "/osc", *UPGRADE, f"Origin: http://{host}", host=host), 101)
        self.assertEqual(self.status("GET", "/osc", *UPGRADE, f"Origin: https://{host}", host=host), 403)


class Hidden(DoorCase):
    """Somebody without the password asks which rooms are there. `attic` is, and `vault` is not."""

    arguments = ("--password", "sesame", "--room", "attic", "--tls", "auto")

    def alike(self, ask):
        there, not_there = (ask(room).replace(room, "ROOM") for room in ("attic", "vault"))
        self.assertEqual(there, not_there)
        self.assertTrue(there)

    def test_every_door_answers_alike(self):
        for method, target in DOORS:
            for headers in ((), UPGRADE):
                with self.subTest(f"{method} {target}", headers=headers):
                    self.alike(lambda room: self.ask(method, f"/rooms/{room}{target}", *headers))

    def test_every_address_of_osc_answers_alike(self):
        # One connection for both rooms, which is in neither.
        messages = [("/hello", "eve", "ROOM"), ("/room/ROOM/pad/1", 1.0), ("/room/ROOM/kit", "house"), ("/room/ROOM/tempo",),
                    ("/room/ROOM/pad/*/gain", 0.5), ("/room/ROOM/player/ann/kick",), ("/hello", "eve", "ROOM", "guess")]
        with Player(self.server) as player:
            for address, *arguments in messages:
                with self.subTest(address):
                    def error(room):
                        player.send(address.replace("ROOM", room), *(
                            each.replace("ROOM", room) if isinstance(each, str) else each for each in arguments))
                        return " ".join(map(str, player.wait("/error")))
                    self.alike(error)

    def test_a_web_socket_of_a_room_answers_alike(self):
        for address, *arguments in (("/pad/1", 1.0), ("/hello", "eve"), ("/password", "guess"), ("/subscribe",)):
            with self.subTest(address):
                def error(room):
                    with Player(self.server, f"/rooms/{room}/osc") as player:
                        player.send(address, *arguments)
                        return " ".join(map(str, player.wait("/error")))
                self.alike(error)

    def test_with_the_password_it_is_told(self):
        self.assertEqual(self.status("GET", "/rooms/attic/health?password=sesame"), 200)
        self.assertEqual(self.status("GET", "/rooms/vault/health?password=sesame"), 404)
        # A monitor without the password sees that the server is well.
        self.assertIn('{"status":"ok","password":true', self.ask("GET", "/health"))


class PublicNames(Patient, unittest.TestCase):
    def test_what_is_no_name_is_wrong_usage(self):
        for value in ("https://jam.example.org", "jam.example.org:8088", "a b"):
            result = run("serve", "--public", value)
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertIn("neither a name nor an address", result.stderr)


if __name__ == "__main__":
    unittest.main()
