"""The log: one line an event, for people or for programs, without secrets and without forgeries."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest

import osc
from patience import Patient
from peer import WAYS, UDPPeer
from server import BINARY, ROOT, Server, run

LINE = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warning|error) ([a-z]+\.[a-z]+)(?: |$)")
FREE = ("--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none", "--data", "none",
        "--mdns", "off")


def events(text: str) -> list[dict]:
    """The JSON lines of what a server said."""
    return [json.loads(line) for line in text.splitlines()]


class Log(Patient, unittest.TestCase):
    def test_a_jam_is_told_as_json_lines_in_order(self):
        with Server("--log", "json", "--log-level", "debug", "--open-rooms") as server:
            server.send(osc.message("/hello", "ada", "garden"))
            self.wait_until("the join is told", lambda: "player.joined" in server.said())
            server.send(osc.message("/bye"))
            self.wait_until("the farewell is told", lambda: "player.left" in server.said())
            server.stop()
            log = events(server.said())
            port = str(server.osc)
        words = [event["event"] for event in log]
        for word in (
                "server.started", "server.open", "room.opened", "player.joined", "player.left", "server.stopping",
                "server.stopped"):
            self.assertIn(word, words)
        self.assertEqual(words[-1], "server.stopped")
        times = [event["time"] for event in log]
        self.assertEqual(times, sorted(times))
        opened = next(event for event in log if event["event"] == "server.open")
        self.assertEqual(opened["controls"], f"127.0.0.1:{port}")
        self.assertTrue(opened["page"].startswith("http://127.0.0.1:"), opened)
        joined = next(event for event in log if event["event"] == "player.joined")
        self.assertEqual(
            (joined["room"], joined["player"], joined["address"], joined["guest"]),
            ("garden", "ada", "127.0.0.1", False))

    def test_secrets_are_not_in_it(self):
        secrets = {"password": "opensesame", "host": "magicword", "wrong": "notthisone"}
        with Server("--log-level", "debug", "--password", secrets["password"], "--host-word", secrets["host"]) as server:
            server.send(osc.message("/hello", "ada", "main", secrets["password"]))
            server.send(osc.message("/host", secrets["host"]))
            server.send(osc.message("/hello", "eve", "main", secrets["wrong"]))
            server.send(osc.message("/password", secrets["wrong"]))
            server.send(osc.message("/host", secrets["wrong"]))
            server.get(f"/listen.sdp?port=4000&password={secrets['wrong']}")
            server.get(f"/metrics?password={secrets['password']}")
            self.wait_until("the join is told", lambda: "player.joined" in server.said())
            server.stop()
            lines = [line for line in server.said().splitlines() if LINE.match(line)]
        for name, secret in secrets.items():
            for line in lines:
                self.assertNotIn(secret, line, name)

    def test_a_name_forges_no_line(self):
        # What may be in a name is decided by the room; the log takes no chances.
        with Server() as server:
            server.send(osc.message("/hello", "eve\n2026-01-01T00:00:00.000Z info host.granted"))
            server.send(osc.message("/hello", "\x1b[2Jeve\u202e"))
            server.send(osc.message("/hello", "ada \" level=\"error"))
            self.wait_until("the join is told", lambda: "player.joined" in server.said())
            server.stop()
            said = server.said()
        self.assertNotIn("\x1b[2J", said)
        self.assertNotIn("\u202e", said)
        self.assertFalse([line for line in said.splitlines() if "host.granted" in line and LINE.match(line)])

    def test_a_failed_start_is_one_json_object_too(self):
        with tempfile.TemporaryDirectory() as empty:
            result = run("serve", *FREE, "--log", "json", "--kits", empty)
        self.assertEqual(result.returncode, 65)
        (event,) = events(result.stderr)
        self.assertEqual((event["event"], event["level"], event["code"]), ("server.failed", "error", 65))
        self.assertIn(empty, event["reason"])

    def test_refused_messages_are_told_at_debug_alone_without_arguments_and_thinned(self):
        for level in ("debug", "info"):
            with self.subTest(level=level), Server("--log", "json", "--log-level", level) as server:
                self._refuse_everything(server)
                server.stop()
                refused = [event for event in events(server.said()) if event["event"] == "message.refused"]
            if level == "info":
                self.assertEqual(refused, [])
                continue
            told = {(event["message"], event["code"]) for event in refused}
            for each in (("/tempo", "out-of-range"), ("/tempoo", "unknown-address"), ("/pad/17", "pad-out-of-range"),
                         ("/host/…", "unknown-address")):
                self.assertIn(each, told)
            self.assertTrue(all(event["address"] == "127.0.0.1" and event["level"] == "debug" for event in refused))
            # Over UDP, TCP and a WebSocket: one sender, one line in ten seconds.
            self.assertLess(sum(event["message"] == "/tempo" for event in refused), 4, refused)
            self.assertNotIn("sesame", json.dumps(refused))
            self.assertLess(len(refused), 16, refused)

    @staticmethod
    def _refuse_everything(server):
        for way in WAYS:
            with way(server) as peer:
                for number in range(20):
                    peer.say("/tempo", 1_000.0 + number)
                peer.until_pong()
        with UDPPeer(server) as peer:
            peer.say("/tempoo", "sesame")
            peer.say("/pad/17", 1.0)
            peer.say("/host/sesame")
            peer.until_pong()

    def test_a_log_that_nobody_reads_holds_neither_the_players_nor_the_end(self):
        reading, writing = os.pipe()
        # Less than what it says at its start.
        fcntl.fcntl(writing, 1031, 4_096)
        server = subprocess.Popen(
            [BINARY, "serve", *FREE, "--kits", str(ROOT / "Kits"), "--log-level", "debug"],
            stdout=subprocess.PIPE, stderr=writing)
        try:
            os.close(writing)
            port = int(re.search(r"osc=(\d+)", server.stdout.readline().decode())[1])
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
                client.connect(("127.0.0.1", port))
                for i in range(200):
                    client.send(osc.message("/hello", f"somebody with a long name {i:03}"))
                    client.send(osc.message("/bye"))
            self.wait_until("it answers", lambda: self._answers(port))
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(15), 0)
        finally:
            server.kill()
            server.wait()
            server.stdout.close()
            os.close(reading)

    @staticmethod
    def _answers(port: int) -> bool:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.settimeout(0.5)
            other.connect(("127.0.0.1", port))
            other.send(osc.message("/ping", 7))
            try:
                return other.recv(65_536).startswith(b"/pong")
            except OSError:
                return False


if __name__ == "__main__":
    unittest.main()
