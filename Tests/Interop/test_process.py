"""The process: its limits, its signals, and its end."""

import contextlib
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import osc
from patience import Patient
from server import BINARY, ROOT, Server, run

ARGUMENTS = [BINARY, "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none",
             "--midi", "none", "--input", "none", "--data", "none", "--mdns", "off", "--kits", str(ROOT / "Kits")]
MIB = 1 << 20


def cpu_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


class Limits(Patient, unittest.TestCase):
    """A limit that is too low is told in a sentence; it never ends in a trap."""

    def start(self, **limits):
        """The ready line, or the exit code and what was said; ends the server."""
        def limit():
            for name, value in limits.items():
                resource.setrlimit(getattr(resource, name), (value, value))
        with tempfile.TemporaryFile() as said:
            server = subprocess.Popen(ARGUMENTS, stdout=subprocess.PIPE, stderr=said, preexec_fn=limit)
            # One that says nothing at all is a failure, and must not hold up the others.
            watchdog = threading.Timer(30, server.kill)
            watchdog.start()
            try:
                ready = server.stdout.readline().decode()
                if ready.startswith("ready"):
                    server.send_signal(signal.SIGTERM)
                code = server.wait(30)
            finally:
                watchdog.cancel()
                server.kill()
                server.wait()
                server.stdout.close()
            said.seek(0)
            return ready, code, said.read().decode(errors="replace")

    def assert_sentence_or_server(self, word, **limits):
        ready, code, said = self.start(**limits)
        if ready:
            self.assertEqual(code, 0, said)
            return True
        # 127 is the loader's, before a line of ours has run; it says what is missing, too.
        self.assertIn(code, (69, 127), said)
        self.assertIn(word if code == 69 else "error", said)
        return False

    def test_any_number_of_descriptors(self):
        started = [n for n in [*range(3, 72, 3), 64, 80, 100, 128, 256]
                   if self.assert_sentence_or_server("ulimit -n", RLIMIT_NOFILE=n)]
        self.assertIn(128, started)
        self.assertNotIn(30, started)

    def test_any_amount_of_memory(self):
        # Not 64: within the mebibyte above what the loader needs, Swift's runtime traps in front of main, and no line of ours can help.
        started = [mib for mib in (48, 80, 128, 256, 512, 768, 1_024, 1_536, 2_048, 4_096)
                   if self.assert_sentence_or_server("ulimit -v", RLIMIT_AS=mib * MIB)]
        self.assertIn(4_096, started)
        self.assertNotIn(256, started)

    def test_any_size_of_stacks(self):
        started = [kib for kib in (64, 128, 256, 1_024, 8_192)
                   if self.assert_sentence_or_server("ulimit -s", RLIMIT_STACK=kib << 10)]
        self.assertIn(8_192, started)

    @unittest.skipIf(os.getuid() != 0, "only root can become somebody else")
    def test_any_number_of_threads(self):
        # Limits on processes bind nobody who is root: as somebody who has no other process.
        user = 64_321
        for count in (1, 2, 4, 8, 12, 16, 20, 24, 28, 40, 64):
            with self.subTest(count=count), tempfile.TemporaryFile() as said:
                def become():
                    resource.setrlimit(resource.RLIMIT_NPROC, (count, count))
                    os.setgroups([])
                    os.setgid(user)
                    os.setuid(user)
                server = subprocess.Popen(ARGUMENTS, stdout=subprocess.PIPE, stderr=said, preexec_fn=become)
                # One that says nothing at all is a failure, and must not hold up the others.
                watchdog = threading.Timer(30, server.kill)
                watchdog.start()
                ready = server.stdout.readline().decode()
                if ready.startswith("ready"):
                    server.send_signal(signal.SIGTERM)
                code = server.wait(30)
                watchdog.cancel()
                server.stdout.close()
                said.seek(0)
                text = said.read().decode(errors="replace")
                if ready:
                    self.assertEqual(code, 0, text)
                elif code == 126 or "Permission denied" in text:
                    self.skipTest("the binary is not for everybody")
                else:
                    self.assertEqual(code, 69, text)
                    self.assertIn("ulimit -u", text)

    def test_connections_beyond_the_descriptors_cost_no_core_and_players_go_on(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (120, 120))
        with tempfile.TemporaryFile() as said, contextlib.ExitStack() as stack:
            server = subprocess.Popen(ARGUMENTS, stdout=subprocess.PIPE, stderr=said, preexec_fn=limit)
            stack.callback(server.stdout.close)
            stack.callback(server.wait)
            stack.callback(server.kill)
            ports = {k: int(v) for k, v in re.findall(r"(osc|http)=(\d+)", server.stdout.readline().decode())}
            crowd = []
            for port in (ports["osc"], ports["http"]):
                for _ in range(200):
                    stranger = stack.enter_context(socket.socket())
                    stranger.setblocking(False)
                    stranger.connect_ex(("127.0.0.1", port))
                    crowd.append(stranger)
            # Connections of OSC and of HTTP together take every descriptor.
            before, start = cpu_seconds(server.pid), time.monotonic()
            time.sleep(2)
            share = (cpu_seconds(server.pid) - before) / (time.monotonic() - start)
            # Of a core, in CPU time: less than any other process leaves to one that spins.
            self.assertLess(share, 0.1, "an event loop spins")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as player:
                player.settimeout(5)
                player.connect(("127.0.0.1", ports["osc"]))
                player.send(osc.message("/ping", 7))
                self.assertTrue(player.recv(4_096).startswith(b"/pong"))
            for stranger in crowd:
                stranger.close()

            def answers():
                with socket.socket() as visitor:
                    visitor.settimeout(2)
                    try:
                        visitor.connect(("127.0.0.1", ports["http"]))
                        visitor.send(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                        return visitor.recv(64).startswith(b"HTTP/1.1 200")
                    except OSError:
                        return False
            self.wait_until("it answers again", answers, 20)
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(15), 0)


class Signals(Patient, unittest.TestCase):
    def jam(self, server, name="ada"):
        """Somebody joins and hits; returns when the room has taken it."""
        server.send(osc.message("/hello", name))
        server.send(osc.message("/pad/1", 0.8))
        self.wait_until("the hit came", lambda: (server.figure('hits_total{room="main"}') or 0) > 0)

    def score(self, folder) -> bytes:
        (score,) = [path for path in (pathlib.Path(folder) / "takes").iterdir() if path.suffix == ".score"]
        return score.read_bytes()

    def test_each_of_them_ends_it_with_the_whole_score_on_the_disk(self):
        # Whoever runs these tests by nohup would have the server inherit that.
        self.addCleanup(signal.signal, signal.SIGHUP, signal.signal(signal.SIGHUP, signal.SIG_DFL))
        for number in (
                signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            with self.subTest(number=number), tempfile.TemporaryDirectory() as folder:
                with Server("--data", folder) as server:
                    self.jam(server)
                    server.process.send_signal(number)
                    self.assertEqual(server.process.wait(10), 0)
                    self.assertIn(b"/pad/1", self.score(folder))

    def test_nohup_keeps_it(self):
        previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            with Server() as server:
                server.process.send_signal(signal.SIGHUP)
                self.jam(server)
                self.assertTrue(server.is_alive)
        finally:
            signal.signal(signal.SIGHUP, previous)

    def test_a_trap_says_one_line_and_ends_at_once(self):
        for number in (signal.SIGILL, signal.SIGTRAP, signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(number=number), Server() as server:
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(30), -number)
                # The runtime's own handler takes three seconds, and says so.
                self.assertRegex(server.said(), rf'error server.trapped signal="{number.name}" place="0x[0-9a-f]+"')
                self.assertNotIn("Backtrace took", server.said())

    def test_the_end_is_bounded_even_where_something_is_stuck(self):
        with tempfile.TemporaryDirectory() as folder, Server("--data", folder, "--hang-at-end") as server:
            self.jam(server)
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(25), 70)
            self.assertIn("ended at once", server.said())
            self.assertIn(b"/pad/1", self.score(folder))

    def test_a_second_control_c_ends_it_at_once(self):
        with Server("--hang-at-end") as server:
            server.process.send_signal(signal.SIGINT)
            self.wait_until("it ends", lambda: "server.stopping" in server.said())
            server.process.send_signal(signal.SIGINT)
            # Where it waits for its end instead, it is 70.
            self.assertEqual(server.process.wait(25), 130)


class Rooms(Patient, unittest.TestCase):
    def test_strangers_open_a_few_rooms_each_and_no_threads(self):
        with Server("--open-rooms") as server, contextlib.ExitStack() as stack:
            before = threads(server.process.pid)
            for last in range(1, 9):
                stranger = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                stranger.bind((f"127.0.1.{last}", 0))
                for room in range(16):
                    # By name and by a bare hit alike.
                    if room % 2 == 0:
                        stranger.sendto(osc.message("/hello", f"p{last}", f"room-{last}-{room}"), ("127.0.0.1", server.osc))
                    else:
                        stranger.sendto(osc.message(f"/room/room-{last}-{room}/pad/1", 1.0), ("127.0.0.1", server.osc))
            self.wait_until(
                "the rooms are open",
                lambda: server.get("/metrics")[2].decode().count("bandshell_players{") >= 33)
            rooms = re.findall(r'bandshell_players\{room="room-(\d)', server.get("/metrics")[2].decode())
            self.assertEqual(sorted(rooms), sorted(str(last) for last in range(1, 9) for _ in range(4)))
            self.assertEqual(threads(server.process.pid), before)
            # The log is written behind what happens.
            self.wait_until("the log has the rooms that were refused", lambda: "room.refused" in server.said())


if __name__ == "__main__":
    unittest.main()
