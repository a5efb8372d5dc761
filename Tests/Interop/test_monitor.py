"""The OSC monitor: what came from whom, what was understood, and what was refused; and who may see that."""

import json
import os
import select
import signal
import socket
import subprocess
import time
import unittest

import osc
from case import ServerCase
from peer import TCPPeer, UDPPeer
from server import BINARY, ROOT, Server, run

WORD, PASSWORD = "sesame open", "p4ssw0rd"
FIELDS = ("frame", "sender", "player", "transport", "address", "arguments", "verdict", "reason", "code")


class MonitorCase(ServerCase):
    arguments = ("--host-word", WORD, "--password", PASSWORD, "--room", "attic")

    def peer(self, host, name=None, room=""):
        peer = UDPPeer(self.server, host)
        self.addCleanup(peer.close)
        if name:
            peer.say("/hello", name, room, PASSWORD)
            self.token = peer.wait("/welcome")[5]
            self.addCleanup(peer.say, "/bye")
        else:
            peer.say("/password", PASSWORD)
        return peer

    def watcher(self, host, name, word=None, room=""):
        peer = self.peer(host, name, room)
        if word:
            peer.say("/host", word)
        peer.say("/subscribe", "monitor")
        self.assertEqual(peer.wait("/monitor/scope"), ("all" if word else "own",))
        return peer

    def lines(self, watcher):
        """What the watcher was told up to now."""
        return [dict(zip(FIELDS, arguments)) for address, arguments in watcher.until_pong() if address == "/monitor"]


class Watching(MonitorCase):
    def test_a_host_sees_what_a_controller_sends_and_what_becomes_of_it(self):
        host = self.watcher("127.0.0.9", "hanna", WORD)
        pads = self.peer("127.0.0.2", "ann")
        self.lines(host)
        for message in (("/pad/3", 0.75), ("/pad/3/gain", -6), ("/pad/17", 1.0), ("/temppo", 100.0), ("/lock", "tempo")):
            pads.say(*message)
        pads.send(b"Nonsense")
        pads.until_pong()
        told = self.lines(host)
        self.assertEqual(
            [(line["address"], line["arguments"], line["verdict"], line["code"]) for line in told], [
                ("/pad/3", "0.75", "understood", ""), ("/pad/3/gain", "-6", "understood", ""),
                ("/pad/17", "1.0", "refused", "pad-out-of-range"), ("/temppo", "100.0", "refused", "unknown-address"),
                ("/lock", '"tempo"', "refused", "host-only"), ("", "", "refused", "bad-packet")])
        self.assertEqual(told[0]["reason"], "/pad/3: velocity 0.75")
        self.assertEqual(told[1]["reason"], "/pad/3/gain: −6 dB")
        self.assertIn("did you mean /tempo?", told[3]["reason"])
        for line in told:
            self.assertEqual((line["sender"], line["player"], line["transport"]), (f"127.0.0.2:{pads.port}", "ann", "udp"))
        self.assertGreater(told[0]["frame"], 0)
        with TCPPeer(self.server) as stream:
            stream.say("/password", PASSWORD)
            stream.say("/nowhere")
            stream.until_pong()
        self.assertEqual([line["transport"] for line in self.lines(host)], ["tcp", "tcp"])

    def test_somebody_else_sees_the_own_controllers_and_nothing_of_others(self):
        page = self.watcher("127.0.0.3", "bob")
        other, own = self.peer("127.0.0.4", "carl"), self.peer("127.0.0.3")
        # What the page sends itself is no line for it. It comes first: what is told later is looked at below.
        for sender in (page, other, own):
            sender.say("/pad/1", 1.0)
            sender.say("/nowhere")
            sender.until_pong()
        told = self.lines(page)
        self.assertEqual({line["sender"] for line in told}, {f"127.0.0.3:{own.port}"})
        self.assertEqual([line["address"] for line in told][-2:], ["/pad/1", "/nowhere"])
        # Once it has said the word, it sees everybody.
        page.say("/host", WORD)
        self.assertEqual(page.wait("/monitor/scope"), ("all",))
        other.say("/pad/2", 1.0)
        other.until_pong()
        self.assertEqual([line["player"] for line in self.lines(page)], ["carl"])

    def test_nothing_of_another_room_is_told(self):
        host = self.watcher("127.0.0.9", "hilda", WORD)
        elsewhere = self.peer("127.0.0.5", "eve", "attic")
        elsewhere.say("/pad/1", 1.0)
        elsewhere.say("/nowhere")
        elsewhere.until_pong()
        self.assertEqual(self.lines(host), [])
        there = self.watcher("127.0.0.6", "ada", WORD, "attic")
        elsewhere.say("/nowhere/either")
        elsewhere.until_pong()
        self.assertEqual([line["address"] for line in self.lines(there)], ["/nowhere/either"])
        self.assertEqual(self.lines(host), [])

    def test_no_word_and_no_token_is_ever_in_a_line(self):
        host = self.watcher("127.0.0.9", "heidi", WORD)
        other = self.peer("127.0.0.2", "otto")
        token = self.token
        for message in (
                ("/hello", "otto", "main", PASSWORD, token), ("/helo", "otto", "main", PASSWORD, token),
                ("/hello", "otto", "main", PASSWORD, token, 5), ("/password", PASSWORD), ("/pasword", PASSWORD),
                ("/password", 987654), (f"/password/{PASSWORD}",), ("/host", WORD), ("/host", WORD, WORD),
                (f"/token/{token}",), ("/sync", f"/token/{token}"), ("/chat", PASSWORD), ("/ping", token),
                ("/cookie", token), ("/room/attic/password", PASSWORD), ("/n/password", PASSWORD)):
            other.say(*message)
        other.until_pong()
        told = self.lines(host)
        self.assertGreater(len(told), 9)
        text = json.dumps(told, ensure_ascii=False)
        for secret in (PASSWORD, token, WORD, "987654"):
            self.assertNotIn(secret, text)

    def test_a_flood_is_thinned_and_counted_and_plays_all_the_same(self):
        host = self.watcher("127.0.0.9", "helga", WORD)
        # Over TCP, where the kernel drops nothing.
        flood = TCPPeer(self.server)
        self.addCleanup(flood.close)
        flood.say("/hello", "fred", "", PASSWORD)
        flood.wait("/welcome")
        self.lines(host)
        for number in range(600):
            flood.send(osc.message(f"/pad/{number % 16 + 1}", 1.0))
        flood.until_pong()
        told, more = 0, 0
        end = time.monotonic() + 30
        while told + more < 600 and time.monotonic() < end:
            for address, arguments in host.until_pong():
                told += address == "/monitor"
                more += arguments[0] if address == "/monitor/more" else 0
        self.assertEqual(told + more, 600)
        self.assertGreater(more, 0)


class Terminal(MonitorCase):
    """`bandshell monitor`."""

    def setUp(self):
        super().setUp()
        # What came of a line that is not whole yet, by its pipe.
        self.kept = {}

    def start(self, *arguments, port=None, **environment):
        process = subprocess.Popen(
            [BINARY, "monitor", "--server", f"127.0.0.1:{port or self.server.osc}", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
            env={**os.environ, "BANDSHELL_PASSWORD": PASSWORD, **environment})
        self.addCleanup(self.close, process)
        return process

    def close(self, process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def line(self, pipe, seconds=30):
        """The next line, without its end."""
        kept = self.kept.setdefault(pipe, bytearray())
        end = time.monotonic() + seconds
        while b"\n" not in kept:
            readable, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            data = os.read(pipe.fileno(), 65_536) if readable else b""
            self.assertTrue(data, f"no line within {seconds} s, but {bytes(kept)}")
            kept += data
        line, _, rest = bytes(kept).partition(b"\n")
        kept[:] = rest
        return line.decode()


    def end(self, process):
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(30), 0)

    def test_with_the_host_word_it_shows_everybody_and_leaves_as_it_ends(self):
        process = self.start("--name", "watch", BANDSHELL_HOST_WORD=WORD)
        self.assertIn("Everybody in the room is shown", self.line(process.stderr))
        pads = self.peer("127.0.0.2", "ann")
        pads.say("/pad/3", 0.75)
        pads.say("/temppo", 1.0)
        lines = [self.line(process.stdout) for _ in range(3)]
        self.assertIn("/hello", lines[0])
        self.assertRegex(
            lines[1], rf"^\d\d:\d\d:\d\d\.\d{{3}}  ann 127\.0\.0\.2:{pads.port} udp  /pad/3 0\.75  ✓ /pad/3: velocity 0\.75$")
        self.assertIn("✗ there is no such address: did you mean /tempo? (/temppo) [unknown-address]", lines[2])
        self.assertNotIn(PASSWORD, "".join(lines))
        names = lambda: [player["name"] for player in json.loads(self.server.get(f"/health?password={PASSWORD}")[2])["players"]]  # noqa: E731
        self.assertIn("watch", names())
        self.end(process)
        self.wait_until("it has left", lambda: "watch" not in names())

    def test_it_filters_and_speaks_json(self):
        process = self.start("--refused", "--filter", "/PADD", "--json", BANDSHELL_HOST_WORD=WORD)
        self.assertEqual(json.loads(self.line(process.stdout)), {"scope": "all"})
        pads = self.peer("127.0.0.2", "ann")
        for address in ("/pad/1", "/elsewhere", "/padd/1"):
            pads.say(address, 1.0)
        told = json.loads(self.line(process.stdout))
        self.assertEqual(
            (told["address"], told["verdict"], told["code"], told["player"]), ("/padd/1", "refused", "unknown-address", "ann"))
        self.assertAlmostEqual(told["time"], time.time(), delta=60)
        self.end(process)

    def test_without_a_word_it_shows_its_own_address_and_says_how_to_see_more(self):
        process = self.start()
        self.assertIn("--host-word-file", self.line(process.stderr))
        self.peer("127.0.0.2", "ann").say("/pad/1", 1.0)
        own = self.peer("127.0.0.1")
        own.until_pong()
        own.say("/pad/2", 1.0)
        lines = [self.line(process.stdout), self.line(process.stdout)]
        self.assertTrue(all("127.0.0.1:" in line for line in lines), lines)
        self.assertIn("/pad/2 1.0", lines[1])
        self.end(process)

    def test_it_ends_with_whoever_reads_it(self):
        process = self.start(BANDSHELL_HOST_WORD=WORD)
        self.line(process.stderr)
        process.stdout.close()
        self.assertEqual(process.wait(30), 0)

    def test_what_is_in_its_way_is_said(self):
        place = ("monitor", "--server", f"127.0.0.1:{self.server.osc}")
        environment = {**os.environ, "BANDSHELL_PASSWORD": PASSWORD}
        wrong = run(*place, env={**environment, "BANDSHELL_HOST_WORD": "wrong word"})
        self.assertEqual((wrong.returncode, wrong.stderr.count("\n")), (69, 1), wrong.stderr)
        self.assertIn("word", wrong.stderr)
        locked = run(*place, env={**os.environ, "BANDSHELL_PASSWORD": "wrong"})
        self.assertEqual(locked.returncode, 69, locked.stderr)
        room = run(*place, "--room", "cellar", env=environment)
        self.assertEqual(room.returncode, 69, room.stderr)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            absent = run("monitor", "--server", f"127.0.0.1:{free.getsockname()[1]}")
        self.assertEqual(absent.returncode, 69, absent.stderr)
        self.assertIn("--server", absent.stderr)
        self.assertEqual(run("monitor", "--server", "nowhere").returncode, 64)

    def test_it_says_that_the_server_has_ended(self):
        with Server("--host-word", WORD) as server:
            process = self.start(port=server.osc)
            self.line(process.stderr)
            server.stop()
            self.assertEqual(process.wait(30), 69)
            self.assertIn("has ended the connection", self.line(process.stderr))


if __name__ == "__main__":
    unittest.main()
