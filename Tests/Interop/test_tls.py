"""The page's port over TLS: by Python's OpenSSL, which is nobody's of ours, by curl, and by a WebSocket client."""

import errno
import hashlib
import json
import pathlib
import re
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from case import needs
from patience import Patient
from server import Server, run
from test_web_socket import Player


class TLS(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"

    def trusting(self, server):
        """A context that trusts what a device takes from the server, and nothing else."""
        status, _, der = server.get("/authority.crt")
        self.assertEqual(status, 200)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=der)
        return context, der

    def ask(self, server, context, path="/health", name="127.0.0.1"):
        """The answer's head and what has come of its body by then, and the connection."""
        raw = socket.create_connection(("127.0.0.1", server.http), timeout=10)
        connection = context.wrap_socket(raw, server_hostname=name)
        self.addCleanup(connection.close)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = connection.recv(65_536)
            self.assertTrue(part, answer)
            answer += part
        head, body = answer.split(b"\r\n\r\n", 1)
        return head.decode(), body, connection

    def listeners(self, server):
        return json.loads(server.get("/health")[2])["listeners"]

    def test_one_port_answers_http_and_https_with_a_certificate_for_every_name(self):
        with Server("--tls", "auto", "--data", str(self.data)) as server:
            context, der = self.trusting(server)
            for name in ("127.0.0.1", "localhost", socket.gethostname()):
                self.assertTrue(self.ask(server, context, name=name)[0].startswith("HTTP/1.1 200"))
            with self.assertRaises(ssl.SSLCertVerificationError):
                self.ask(server, context, name="example.com")
            with self.assertRaises(ssl.SSLCertVerificationError):
                self.ask(server, ssl.create_default_context())
            self.assertEqual(server.get("/health")[0], 200)
            # People compare what the server shows with what their device shows.
            shown = re.search(r"fingerprint \(SHA-256\): ([0-9A-F:]+)", server.said())[1]
            self.assertEqual(shown.replace(":", "").lower(), hashlib.sha256(der).hexdigest())
            self.assertIn(f"https://127.0.0.1:{server.http}/", server.said())

    def test_a_player_and_a_listener_are_served_as_over_http(self):
        with Server("--tls", "auto", "--data", str(self.data)) as server:
            context, _ = self.trusting(server)
            with Player(server, scheme="wss", ssl=context, origin=f"https://127.0.0.1:{server.http}") as player:
                player.send("/hello", "anna")
                self.assertEqual(player.wait("/welcome")[:2], ("main", "anna"))
                player.send("/pad/1", 1.0)
                self.assertEqual(player.wait("/receipt")[0], 1)
            head, body, connection = self.ask(server, context, "/listen.opus")
            self.assertIn("audio/ogg", head)
            end = time.monotonic() + 15
            # Some seconds of the stream: longer than what any buffer on the way holds at its beginning.
            while body.count(b"OggS") < 40:
                self.assertLess(time.monotonic(), end, "the stream goes on")
                part = connection.recv(65_536)
                self.assertTrue(part, "the stream goes on")
                body += part
            self.assertTrue(body.startswith(b"OggS"))
            self.assertIn(b"OpusHead", body)
            self.assertEqual(self.listeners(server), 1)
            connection.close()
            self.wait_until("the listener is gone", lambda: self.listeners(server) == 0)

    def test_a_listener_that_takes_nothing_is_dropped(self):
        with Server("--tls", "auto", "--data", str(self.data)) as server:
            context, _ = self.trusting(server)
            with socket.socket() as raw:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                raw.connect(("127.0.0.1", server.http))
                stuck = context.wrap_socket(raw, server_hostname="127.0.0.1")
                self.addCleanup(stuck.close)
                stuck.sendall(b"GET /listen.opus HTTP/1.1\r\nHost: x\r\n\r\n")
                self.wait_until("it listens", lambda: self.listeners(server) == 1)
                # What the kernel takes for it comes first.
                self.wait_until("it is dropped", lambda: self.listeners(server) == 0, seconds=90)

    def test_what_is_no_handshake_ends_its_own_connection_alone(self):
        with Server("--tls", "auto", "--data", str(self.data)) as server:
            for rubbish in (b"\x16", b"\x16\x03\x01\x00\x05hello", b"\x16" + bytes(70_000), b"\x15\x03\x03\x00\x02\x02\x28"):
                with socket.create_connection(("127.0.0.1", server.http), timeout=10) as raw:
                    try:
                        raw.sendall(rubbish)
                        raw.shutdown(socket.SHUT_WR)
                        while raw.recv(65_536):
                            pass
                    except OSError as problem:
                        # The server may have ended the connection before all of it was sent.
                        self.assertIn(problem.errno, (errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN))
            context, _ = self.trusting(server)
            self.assertTrue(self.ask(server, context)[0].startswith("HTTP/1.1 200"))
            old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
            old.maximum_version = ssl.TLSVersion.TLSv1_1
            with self.assertRaises((ssl.SSLError, OSError)):
                self.ask(server, old)

    def test_trust_lasts_over_restarts_where_there_is_a_data_folder(self):
        with Server("--tls", "auto", "--data", str(self.data)) as server:
            context, first = self.trusting(server)
        with Server("--tls", "auto", "--data", str(self.data)) as server:
            self.assertEqual(server.get("/authority.crt")[2], first)
            self.assertTrue(self.ask(server, context)[0].startswith("HTTP/1.1 200"))
        with Server("--tls", "auto") as server:
            self.assertNotEqual(server.get("/authority.crt")[2], first)

    @needs("openssl")
    def test_a_certificate_that_is_there_is_taken(self):
        certificate, key = self.data.parent / "cert.pem", self.data.parent / "key.pem"
        both = self.data.parent / "both.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(certificate),
             "-days", "2", "-subj", "/CN=jam.example.org", "-addext", "subjectAltName=DNS:jam.example.org"],
            check=True, capture_output=True)
        both.write_text(certificate.read_text() + key.read_text())
        for arguments in (("--tls", str(certificate), "--tls-key", str(key)), ("--tls", str(both))):
            with Server(*arguments) as server:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.load_verify_locations(str(certificate))
                self.assertTrue(self.ask(server, context, name="jam.example.org")[0].startswith("HTTP/1.1 200"))
                status, _, words = server.get("/authority.crt")
                self.assertEqual(status, 404)
                self.assertIn(b"--tls auto", words)

    @needs("openssl")
    def test_what_cannot_be_used_is_told_at_the_start(self):
        folder = self.data.parent
        for name in ("one", "two"):
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(folder / f"{name}.key"),
                 "-out", str(folder / f"{name}.pem"), "-days", "2", "-subj", "/CN=x"], check=True, capture_output=True)
        (folder / "text").write_text("hello")
        (folder / "bytes").write_bytes(bytes(range(256)))
        where = ("--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--data", "none", "--alsa", "none")
        for arguments, code, words in (
                (("--tls", "/nowhere.pem"), 65, "No such file"),
                (("--tls", str(folder / "bytes")), 65, "no PEM file"),
                (("--tls", str(folder / "text")), 65, "no certificate"),
                (("--tls", str(folder / "one.pem")), 65, "no key"),
                (("--tls", str(folder / "one.pem"), "--tls-key", str(folder / "two.key")), 65, "does not belong"),
                (("--tls", "auto", "--tls-key", str(folder / "one.key")), 64, "--tls FILE"),
                (("--tls-key", str(folder / "one.key")), 64, "--tls FILE"),
                (("--tls", ""), 64, "auto")):
            result = run("serve", *where, *arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)

    def test_without_tls_a_handshake_is_refused_and_http_served(self):
        with Server() as server:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            with self.assertRaises((ssl.SSLError, OSError)):
                self.ask(server, context)
            self.assertEqual(server.get("/health")[0], 200)


if __name__ == "__main__":
    unittest.main()
