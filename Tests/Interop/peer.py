"""A controller by hand, over UDP, TCP or a WebSocket: raw packets out, and everything that comes back."""

import socket
import struct
import time

from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from websockets.sync.client import connect as connect_web_socket

import osc


def messages(packet: bytes):
    """Address and arguments of each message in a packet."""
    if packet.startswith(b"#bundle"):
        for content in OscBundle(packet):
            yield from messages(content.dgram)
    else:
        message = OscMessage(packet)
        yield message.address, tuple(message.params)


class Peer:
    """What each way in has: `send` takes raw packets, `wait` looks for an answer, `until_pong` for all up to now."""

    def __init__(self):
        self.inbox = []
        self._pings = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def say(self, address, *arguments):
        self._make_room()
        self.send(osc.message(address, *arguments))

    def wait(self, address, seconds=30):
        """The arguments of the next message to `address`; what came before it is over."""
        end = time.monotonic() + seconds
        while True:
            for place, (name, arguments) in enumerate(self.inbox):
                if name == address:
                    del self.inbox[:place + 1]
                    return arguments
            if time.monotonic() > end or not self._take(max(0.01, end - time.monotonic())):
                raise AssertionError(f"no {address} within {seconds} s, but {self.telling[-20:]}")

    @property
    def telling(self):
        """What has come, without what comes all the time."""
        return [each for each in self.inbox if not each[0].startswith(("/position", "/beat", "/loop/position"))]

    def all_until(self, address, times=1):
        """All that comes until so many messages to `address` have."""
        end = time.monotonic() + 30
        while sum(name == address for name, _ in self.inbox) < times:
            if time.monotonic() > end:
                raise AssertionError(f"no {times} {address}, but {self.inbox[-20:]}")
            self._take(max(0.01, end - time.monotonic()))
        told, self.inbox = self.inbox, []
        return told

    def until_pong(self):
        """All that was answered before a `/ping` that is sent now."""
        self._pings += 1
        self.say("/ping", self._pings)
        end = time.monotonic() + 30
        while not any(name == "/pong" and arguments[0] == self._pings for name, arguments in self.inbox):
            if time.monotonic() > end:
                raise AssertionError(f"no /pong, but {self.inbox[-20:]}")
            self._take(max(0.01, end - time.monotonic()))
        place = next(i for i, m in enumerate(self.inbox) if m[0] == "/pong" and m[1][0] == self._pings)
        before, self.inbox = self.inbox[:place], self.inbox[place + 1:]
        return before

    def until_quiet(self):
        """Forgets what has come, where nobody sends any more."""
        while self._take(0.05):
            pass
        self.inbox = []

    def hello(self, name):
        self.say("/hello", name)
        return self.wait("/welcome")[1]

    def _make_room(self):
        """An answer finds room, however long nothing was read."""


class UDPPeer(Peer):
    def __init__(self, server, host="127.0.0.1"):
        super().__init__()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((host, 0))
        self._server = ("127.0.0.1", server.osc)
        self.port = self._socket.getsockname()[1]

    def send(self, packet):
        self._socket.sendto(packet, self._server)

    def _take(self, seconds):
        self._socket.settimeout(seconds)
        try:
            self.inbox += messages(self._socket.recv(65_536))
        except TimeoutError:
            return False
        return True

    def _make_room(self):
        # What finds a full buffer is lost.
        self._socket.setblocking(False)
        try:
            while True:
                self.inbox += messages(self._socket.recv(65_536))
        except BlockingIOError:
            pass
        finally:
            self._socket.setblocking(True)

    def close(self):
        self._socket.close()


class TCPPeer(Peer):
    """With a length in front of each packet."""

    def __init__(self, server):
        super().__init__()
        self._socket = socket.create_connection(("127.0.0.1", server.osc))
        self._bytes = b""

    def send(self, packet):
        self._socket.sendall(struct.pack(">i", len(packet)) + packet)

    def _take(self, seconds):
        self._socket.settimeout(seconds)
        try:
            came = self._socket.recv(65_536)
        except TimeoutError:
            return False
        if not came:
            raise AssertionError("the server has closed the connection")
        self._bytes += came
        self._take_whole()
        return True

    def _take_whole(self):
        """Moves whole packets from the bytes that came into the inbox."""
        while len(self._bytes) >= 4 and len(self._bytes) >= 4 + (size := struct.unpack(">i", self._bytes[:4])[0]):
            self.inbox += messages(self._bytes[4:4 + size])
            self._bytes = self._bytes[4 + size:]

    def close(self):
        self._socket.close()


class SLIPPeer(TCPPeer):
    """With an END on both sides of each packet."""

    def send(self, packet):
        packet = packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
        self._socket.sendall(b"\xc0" + packet + b"\xc0")

    def _take_whole(self):
        *whole, self._bytes = self._bytes.split(b"\xc0")
        for packet in filter(None, whole):
            self.inbox += messages(packet.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb"))


class WebSocketPeer(Peer):
    def __init__(self, server):
        super().__init__()
        self._socket = connect_web_socket(f"ws://127.0.0.1:{server.http}/osc", compression=None)

    def send(self, packet):
        self._socket.send(packet)

    def _take(self, seconds):
        try:
            self.inbox += messages(self._socket.recv(timeout=seconds))
        except TimeoutError:
            return False
        return True

    def close(self):
        self._socket.close()


WAYS = (UDPPeer, TCPPeer, SLIPPeer, WebSocketPeer)
