"""A Bandshell server of the built binary, on free ports, for one test class."""

import contextlib
import http.client
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("BANDSHELL", str(ROOT / ".build" / "debug" / "bandshell"))
# Its benches, which lie beside it.
BENCH = os.environ.get("BANDSHELL_BENCH", str(pathlib.Path(BINARY).with_name("bandshell-bench")))
READY = re.compile(r"^ready osc=(\d+) http=(\d+) media=(\d+)$")


def run(*arguments, timeout=60, **options):
    """Runs the binary to its end."""
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=timeout, cwd=ROOT, **options)


def free_udp_pair(*hosts) -> int:
    """An even UDP port that is free together with the next one on each of `hosts`, as RTP receivers want it."""
    for _ in range(100):
        with contextlib.ExitStack() as taken:
            first = taken.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            if port % 2 == 1 or port > 65_000:
                continue
            try:
                for host in {"127.0.0.1", *hosts}:
                    for number in (port, port + 1):
                        if (host, number) != ("127.0.0.1", port):
                            taken.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)).bind((host, number))
                return port
            except OSError:
                continue
    raise RuntimeError("no free pair of UDP ports")


class Server:
    """Starts on loopback with free ports; `with Server() as server:`."""

    def __init__(self, *arguments, environment=None):
        self.folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.path = pathlib.Path(self.folder.name)
        self.log = open(self.path / "log", "w+b")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0",
             "--kits", str(ROOT / "Kits"), *(() if "--alsa" in arguments else ("--alsa", "none")),
             *(() if "--mdns" in arguments else ("--mdns", "off")),
             *(() if "--data" in arguments else ("--data", "none")), *arguments],
            stdout=subprocess.PIPE, stderr=self.log, cwd=self.path, env={**os.environ, **(environment or {})})
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.osc, self.http, self.media = self._ports()

    def _ports(self):
        readable, _, _ = select.select([self.process.stdout], [], [], 60)
        line = self.process.stdout.readline().decode().strip() if readable else ""
        match = READY.match(line)
        if not match:
            self.stop()
            raise AssertionError(f"no ready line within 60 s, but {line!r}; the server said:\n{self.said()}")
        return tuple(int(port) for port in match.groups())

    def said(self) -> str:
        if self.log.closed:
            return self._last_words
        return (self.path / "log").read_text(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self) -> float:
        """Ends the server as a user does; returns the seconds that it took."""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self._socket.close()
        seconds = time.monotonic() - start
        if not self.log.closed:
            self.log.close()
            self._last_words = (self.path / "log").read_text(errors="replace")
            self.folder.cleanup()
        return seconds

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.http}{path}"

    def get(self, path: str, timeout=30):
        """Status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=timeout)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def put(self, path: str, data: bytes, timeout=60) -> int:
        """The status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=timeout)
        try:
            connection.request("PUT", path, data)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def figure(self, name: str):
        """One of `/metrics`, with its labels; None where it is not there."""
        found = re.search(rf"^(?:bandshell_)?{re.escape(name)} (\S+)$", self.get("/metrics")[2].decode(), re.MULTILINE)
        return float(found[1]) if found else None

    def send(self, packet: bytes):
        """One datagram to the OSC port."""
        self._socket.sendto(packet, ("127.0.0.1", self.osc))

    def sdp(self, port: int, options: str = "") -> pathlib.Path:
        """Asks for RTP at `port` and keeps the SDP file."""
        status, headers, body = self.get(f"/listen.sdp?port={port}{options}")
        assert status == 200, f"/listen.sdp answers {status}: {body!r}"
        assert headers["content-type"].startswith("application/sdp"), headers
        path = self.path / f"{port}.sdp"
        path.write_bytes(body)
        return path
