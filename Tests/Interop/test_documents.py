"""README.md and docs/guide: each command in a fence tagged `sh` ends well, and the server answers nothing with /error.

What installs, builds, plays on a sound card, runs without an end, or needs another machine stands in fences tagged
`console`. Those are counted, and not run.
"""

import json
import math
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import wave

from case import needs
from documents import all_documents, document
from patience import Patient
from peer import TCPPeer, UDPPeer
from server import BINARY, ROOT, Server
from sound import Sound

# How long a command may take, in seconds.
LIMIT = 60
# A bar is a second long where a document sets no tempo.
TEMPO = ("--bpm", "240")
# Only one of these is on its way at a time: the next command comes once the room has begun the project.
SLOW = ("/project/new", "/project/open")
# The take that the documents name.
TAKE = "2026-11-23-213000"
# Fences of other things than commands.
OTHER_TAGS = {"text", "nginx", "json", "xml"}


def write_sound(path, hits=4):
    """Two seconds of so many decaying sines, as a WAV file."""
    frames = bytearray()
    for i in range(96_000):
        since = i % (96_000 // hits) / 48_000
        frames += struct.pack("<h", int(20_000 * math.exp(-12 * since) * math.sin(2 * math.pi * 220 * since)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(bytes(frames))


def prepared(path):
    """A data folder with a pattern, a project and a take, as ann made them; returns the take's name."""
    with Server("--data", str(path), *TEMPO) as server, TCPPeer(server) as ann:
        ann.hello("ann")
        ann.say("/loop/bars", 1)
        ann.say("/step/1/1", 0.8)
        ann.say("/block/save", "my beat", 1)
        ann.say("/block/share", "my beat")
        ann.say("/project/save", "first")
        ann.say("/project/name", "Harbour")
        ann.say("/take/start")
        ann.say("/pad/2", 1.0)
        # Three bars.
        time.sleep(3.5)
        ann.say("/take/stop")
        ann.until_pong()

        def take():
            # The loop goes on in another one, which is listed before it.
            return json.loads(server.get("/takes")[2])["takes"][-1]

        # Its bars are known some seconds after its end.
        Patient().wait_until("the take's bars are known", lambda: take()["bars"] > 0)
        return take()["id"]


class Desk:
    """A server, and a folder with the files that the documents name; `run` runs one of their commands there."""

    def __init__(self, case):
        self.path = pathlib.Path(case.folder) / "desk"
        for name in ("bin", "my-sounds", "state"):
            (self.path / name).mkdir(parents=True)
        # One copy for the server, one for what the documents do "where no server runs".
        for copy in (self.path / "state" / "bandshell", pathlib.Path(case.folder) / "data"):
            shutil.copytree(case.prepared, copy)
        self.take = case.take
        self.server = Server("--data", str(pathlib.Path(case.folder) / "data"), "--host-word", "WORD", *TEMPO)
        case.addCleanup(self.server.stop)
        (self.path / "bin" / "bandshell").symlink_to(pathlib.Path(BINARY).resolve())
        # curl ends well where the server refuses; here it does not.
        (self.path / ".curlrc").write_text("fail\nsilent\nshow-error\n")
        for name in ("bark.wav", "amen.wav", "c4.wav", "my-sounds/kick.wav", "my-sounds/snare.wav"):
            write_sound(self.path / name)
        (self.path / "Piano.sfz").write_text("<region> sample=c4.wav key=60\n")
        (self.path / "song.txt").write_text(document("docs/guide/composing.md").text("text"))
        # Somebody listens, and hears the click.
        listener = subprocess.Popen(["curl", "-so", os.devnull, self.server.url("/listen.opus?click=1")])
        case.addCleanup(listener.wait)
        case.addCleanup(listener.terminate)
        # All senders of datagrams without a name are one guest on this machine: its answers come here, too.
        self.guest = UDPPeer(self.server)
        case.addCleanup(self.guest.close)
        self.guest.say("/subscribe", self.guest.port, "state")
        # Ann's loop goes on as she comes back, and is played for a bar.
        for name in ("ann", "bob"):
            player = TCPPeer(self.server)
            case.addCleanup(player.close)
            player.hello(name)
        case.wait_until("ann's loop has been played for a bar", lambda: not math.isinf(
            Sound.from_wav(self.server.get("/last.wav?seconds=60")[2]).peak()))
        self.wait_for_a_bar()

    def here(self, command):
        """The command with this server's ports."""
        command = re.sub(r"\blocalhost 8000\b", f"127.0.0.1 {self.server.osc}", command)
        command = re.sub(r"\blocalhost:8088\b", f"127.0.0.1:{self.server.http}", command)
        command = command.replace(TAKE, self.take)
        return re.sub(r"(/subscribe i) 9000\b", rf"\1 {self.guest.port}", command)

    def run(self, command):
        environment = {
            **os.environ, "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}", "HOME": str(self.path),
            "XDG_STATE_HOME": str(self.path / "state"), "BANDSHELL_KITS": str(ROOT / "Kits")}
        return subprocess.run(
            ["bash", "-c", self.here(command)], cwd=self.path, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", timeout=LIMIT)

    def wait_for_a_bar(self):
        """Until what waits for its bar line has begun, or was refused there."""
        self.guest.say("/tempo")
        time.sleep(4 * 60 / self.guest.wait("/tempo")[0] + 0.3)

    def errors(self):
        """The reasons of each /error that has come."""
        return [arguments for address, arguments in self.guest.until_pong() if address == "/error"]


class DocumentCase(Patient, unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-documents-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name


@needs("oscsend", "curl", "ffmpeg")
class Commands(DocumentCase):
    """One test for each document. They are made below."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-documents-")
        cls.addClassCleanup(folder.cleanup)
        cls.prepared = pathlib.Path(folder.name) / "data"
        cls.take = prepared(cls.prepared)

    def check(self, each):
        commands = each.commands("sh")
        print(f"{each.name}: {len(commands)} commands are run, {len(each.commands('console'))} are not", flush=True)
        if not commands:
            return
        desk = Desk(self)
        for line, command in commands:
            with self.subTest(document=each.name, line=line, command=command):
                result = desk.run(command)
                self.assertEqual(result.returncode, 0, f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
                self.assertEqual(desk.errors(), [])
                if any(word in command for word in SLOW):
                    desk.wait_for_a_bar()
        desk.wait_for_a_bar()
        self.assertEqual(desk.errors(), [], f"of {each.name}, behind its last command")

    def test_an_error_and_a_failure_are_noticed(self):
        desk = Desk(self)
        self.assertEqual(desk.run("oscsend localhost 8000 /pad/17 f 1").returncode, 0)
        self.assertEqual(len(desk.errors()), 1)
        self.assertNotEqual(desk.run("curl http://localhost:8088/nothing").returncode, 0)


def test_of(each):
    def test(self):
        self.check(each)
    return test


for _each in all_documents():
    setattr(Commands, "test_" + re.sub(r"\W", "_", _each.name.removesuffix(".md")).lower(), test_of(_each))


class Fences(unittest.TestCase):
    def test_each_fence_says_what_it_holds(self):
        for each in all_documents():
            for fence in each.fences:
                self.assertIn(fence.tag, {"sh", "console"} | OTHER_TAGS, f"{each.name}:{fence.line}")

    def test_the_number_of_commands_that_nobody_runs_is_told(self):
        run, others = (sum(len(each.commands(tag)) for each in all_documents()) for tag in ("sh", "console"))
        print(f"README.md and docs/guide: {run} commands are run, {others} are not", flush=True)
        self.assertGreater(run, others)


@needs("nginx", "openssl", "curl")
class Nginx(DocumentCase):
    def test_the_configuration_of_the_guide_serves_the_page_over_tls(self):
        server = Server("--behind", "127.0.0.1")
        self.addCleanup(server.stop)
        path = pathlib.Path(self.folder)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=jam.example.org", "-addext", "subjectAltName=DNS:jam.example.org",
             "-keyout", str(path / "key.pem"), "-out", str(path / "certificate.pem")], check=True, capture_output=True, timeout=LIMIT)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        site = document("docs/guide/nginx.md").text("nginx")
        for old, new in ((r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), (r"(ssl_certificate) \S+;", rf"\1 {path}/certificate.pem;"),
                         (r"(ssl_certificate_key) \S+;", rf"\1 {path}/key.pem;"), (r"127\.0\.0\.1:8088", f"127.0.0.1:{server.http}")):
            site, count = re.subn(old, new, site)
            self.assertEqual(count, 1, old)
        user = "user root;" if os.getuid() == 0 else ""
        temporary = " ".join(f"{word}_temp_path {path}/{word};" for word in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (path / "nginx.conf").write_text(
            f"daemon off; pid {path}/pid; error_log stderr; worker_processes 1; {user}\n"
            f"events {{ worker_connections 64; }}\nhttp {{ access_log off; {temporary}\n{site}}}\n")
        nginx = subprocess.Popen([shutil.which("nginx"), "-p", str(path), "-c", str(path / "nginx.conf")], stderr=subprocess.DEVNULL)
        self.addCleanup(nginx.wait)
        self.addCleanup(nginx.terminate)

        def get(way, *options):
            """Status and body, by the name that the guide uses."""
            result = subprocess.run(
                ["curl", "-sS", "--cacert", str(path / "certificate.pem"), "--resolve", f"jam.example.org:{port}:127.0.0.1",
                 "-w", "\n%{http_code}", "--max-time", "10", *options, f"https://jam.example.org:{port}{way}"],
                capture_output=True, timeout=LIMIT)
            body, _, status = result.stdout.rpartition(b"\n")
            return status.decode(), body

        self.wait_until("nginx hands on the page", lambda: get("/")[0] == "200")
        self.assertIn(b"<!doctype html>", get("/")[1].lower())
        self.assertEqual(get("/listen.opus", "--range", "0-3", "--max-time", "2")[1][:4], b"OggS")
        # A WebSocket opens for the page's own origin, and for no other.
        upgrade = ("--http1.1", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13",
                   "-H", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "--max-time", "2")
        self.assertEqual(get("/osc", *upgrade, "-H", f"Origin: https://jam.example.org:{port}")[0], "101")
        self.assertEqual(get("/osc", *upgrade, "-H", "Origin: https://evil.example")[0], "403")
        # More than nginx takes where nothing is said.
        sound = path / "long.wav"
        with wave.open(str(sound), "wb") as file:
            file.setparams((1, 2, 48_000, 0, "NONE", ""))
            file.writeframes(struct.pack("<h", 9_000) * 24_000 + struct.pack("<h", -9_000) * 600_000)
        self.assertEqual(get("/samples/long", "-T", str(sound))[0], "201")


if __name__ == "__main__":
    unittest.main()
