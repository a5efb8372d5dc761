"""The server is found without a typed address: by python-zeroconf and by Avahi, in a network namespace of the test's own."""

import ctypes
import json
import os
import pathlib
import random
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

from case import needs
from patience import Patient
from peer import UDPPeer
from server import Server

OSC, PAGE = "_osc._udp.local.", "_http._tcp.local."
ALL = {OSC: "osc", "_osc._tcp.local.": "osc", "_oscjson._tcp.local.": "osc", PAGE: "http"}
NEW_NETWORK = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/>
    <allow send_type="method_call"/><allow send_type="signal"/>
    <allow send_type="method_return"/><allow send_type="error"/>
    <allow receive_type="method_call"/><allow receive_type="signal"/>
    <allow receive_type="method_return"/><allow receive_type="error"/>
  </policy>
</busconfig>
"""

AVAHI = """[server]
host-name=avahi-box
use-ipv4=yes
use-ipv6=no
[publish]
[wide-area]
enable-wide-area=no
"""


class Namespace:
    """A network with `lo` alone. What a thread starts inside is inside, too.

    It has no name: it ends with its last process and this object's file, also where a test is killed.
    """

    def __init__(self):
        self._file = None
        self._outside = []
        maker = threading.Thread(target=self._make)
        maker.start()
        maker.join()
        if self._file is None:
            raise unittest.SkipTest("no network namespace can be made here")
        self._ip("link", "set", "lo", "up")

    def _make(self):
        # Only this thread is moved, and it ends at once.
        if LIBC.unshare(NEW_NETWORK) == 0:
            self._file = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)

    def __enter__(self):
        self._outside.append(os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC))
        self._enter(self._file)

    def __exit__(self, *_):
        outside = self._outside.pop()
        self._enter(outside)
        os.close(outside)

    @staticmethod
    def _enter(descriptor):
        if LIBC.setns(descriptor, NEW_NETWORK) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def _ip(self, *arguments):
        with self:
            subprocess.run(["ip", *arguments], check=True, capture_output=True)

    def close(self):
        os.close(self._file)

    def join(self, other, own, others):
        """A cable to another namespace, with an address for each end."""
        try:
            self._ip("link", "add", "cable", "type", "veth", "peer", "name", "cable",
                     "netns", f"/proc/{os.getpid()}/fd/{other._file}")
        except subprocess.CalledProcessError as error:
            raise unittest.SkipTest(f"two networks cannot be joined here: {error.stderr.decode().strip()}") from error
        for end, address in ((self, own), (other, others)):
            end._ip("address", "add", f"{address}/24", "dev", "cable")
            end._ip("link", "set", "cable", "up")


class Seen(ServiceListener):
    """The names of services that are there, by their type."""

    def __init__(self, zeroconf):
        self.names = {kind: set() for kind in ALL}
        self.browser = ServiceBrowser(zeroconf, list(ALL), self)

    def add_service(self, zeroconf, kind, name):
        self.names[kind].add(name.removesuffix("." + kind))

    def remove_service(self, zeroconf, kind, name):
        self.names[kind].discard(name.removesuffix("." + kind))

    def update_service(self, zeroconf, kind, name):
        pass


@unittest.skipUnless(os.geteuid() == 0, "only root makes a network namespace")
@needs("ip")
class BonjourCase(Patient, unittest.TestCase):
    def setUp(self):
        self.here = self.namespace()
        self.enterContext(self.here)

    def namespace(self):
        namespace = Namespace()
        self.addCleanup(namespace.close)
        return namespace

    def serve(self, *arguments, **options):
        server = Server(*arguments, **options)
        self.addCleanup(server.stop)
        return server

    def browse(self, address="127.0.0.1"):
        zeroconf = Zeroconf(interfaces=[address])
        self.addCleanup(zeroconf.close)
        return zeroconf, Seen(zeroconf)

    def timed(self, what, condition):
        """Waits, and prints how long it took: the figure is for people, and bounds nothing."""
        start = time.monotonic()
        self.wait_until(what, condition)
        print(f"    {what}: {time.monotonic() - start:.2f} s", flush=True)

    def only_name(self, seen):
        names = seen.names[OSC]
        self.assertEqual(len(names), 1, names)
        return next(iter(names))


class OwnResponderTests(BonjourCase):
    def test_seen_and_lost(self):
        zeroconf, seen = self.browse()
        server = self.serve("--mdns", "own")
        self.timed("zeroconf sees the server", lambda: all(seen.names.values()))
        name = self.only_name(seen)
        self.assertTrue(name.startswith("Bandshell on "), name)
        for kind, port in ALL.items():
            self.assertEqual(seen.names[kind], {name})
            info = zeroconf.get_service_info(kind, f"{name}.{kind}")
            self.assertEqual(info.parsed_addresses(), ["127.0.0.1"])
            self.assertEqual(info.port, getattr(server, port))
            self.assertEqual(info.properties, {b"txtvers": b"1", b"room": b"main", b"path": b"/"})
        # The log is written by another thread.
        self.wait_until("the log says so", lambda: "server.announced" in server.said())
        before = time.monotonic()
        server.stop()
        stopped = time.monotonic() - before
        self.timed(f"zeroconf loses it, after an end of {stopped:.2f} s", lambda: not any(seen.names.values()))

    def test_other_rooms_are_told_to_nobody(self):
        zeroconf, seen = self.browse()
        self.serve("--mdns", "own", "--room", "secret")
        self.wait_until("the server is seen", lambda: all(seen.names.values()))
        info = zeroconf.get_service_info(OSC, f"{self.only_name(seen)}.{OSC}")
        self.assertNotIn(b"secret", info.text)

    def test_off(self):
        zeroconf, seen = self.browse()
        quiet = self.serve("--mdns", "off")
        loud = self.serve("--mdns", "own")
        self.wait_until("the other server is seen", lambda: all(seen.names.values()))
        info = zeroconf.get_service_info(OSC, f"{self.only_name(seen)}.{OSC}")
        self.assertEqual(info.port, loud.osc)
        self.assertIsNone(quiet.figure("mdns_messages_total"))

    def test_one_name_for_two(self):
        zeroconf, seen = self.browse()
        first = self.serve("--mdns", "own")
        self.wait_until("the first is seen", lambda: all(seen.names.values()))
        name = self.only_name(seen)
        second = self.serve("--mdns", "own")
        self.timed("the second is seen under another name", lambda: seen.names[OSC] == {name, f"{name} (2)"})
        for server, kept in ((first, name), (second, f"{name} (2)")):
            self.assertEqual(zeroconf.get_service_info(OSC, f"{kept}.{OSC}").port, server.osc)
            self.wait_until("OSCQuery has the same name", lambda server=server, kept=kept: self.host_name(server) == kept)
        second.stop()
        self.wait_until("the second is gone", lambda: seen.names[OSC] == {name})

    @staticmethod
    def host_name(server):
        with urllib.request.urlopen(f"http://127.0.0.1:{server.osc}/?HOST_INFO", timeout=30) as answer:
            return json.load(answer)["NAME"]

    def test_nothing_typed(self):
        """What a controller's owner types otherwise comes from the announcement: the host and both ports."""
        zeroconf, seen = self.browse()
        self.serve("--mdns", "own")
        self.wait_until("the server is seen", lambda: all(seen.names.values()))
        info = zeroconf.get_service_info(OSC, f"{self.only_name(seen)}.{OSC}")

        class Found:
            osc = info.port

        with UDPPeer(Found, host=info.parsed_addresses()[0]) as pads:
            pads.say("/subscribe")
            pads.say("/pad/1", 1.0)
            pads.say("/pad/1", 0.0)
            self.assertEqual(pads.wait("/hit")[1], 1)
            while pads.wait("/pad/1/lit") != (1,):
                pass
            # The transport runs from the beginning.
            pads.say("/stop", 1.0)
            while pads.wait("/play") != (0,):
                pass

    def test_any_bytes(self):
        zeroconf, seen = self.browse()
        server = self.serve("--mdns", "own")
        self.wait_until("the server is seen", lambda: all(seen.names.values()))
        numbers = random.Random(47)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            sender.bind(("127.0.0.1", 0))
            for _ in range(2_000):
                size = numbers.choice((0, 1, 11, 12, 40, 300, 1_400, 9_000, 20_000))
                # Some begin as a question does, so that the rest is read.
                head = numbers.choice((b"", b"\0\0\0\0\0\1\0\0\0\0\0\0", b"\0\0\x84\0\0\0\0\2\0\0\0\0"))
                sender.sendto((head + numbers.randbytes(size))[:max(size, 1)], ("224.0.0.251", 5353))
            self.wait_until("some were counted", lambda: (server.figure("mdns_malformed_total") or 0) > 0)
            # A plain question is still answered, with a message no longer than a plain resolver takes.
            question = b"\0\7\0\0\0\1\0\0\0\0\0\0\4_osc\4_udp\5local\0\0\x0c\0\1"
            sender.settimeout(0.2)
            answers = []

            def answered():
                sender.sendto(question, ("224.0.0.251", 5353))
                try:
                    answers.append(sender.recv(65_536))
                except TimeoutError:
                    return False
                return answers[-1][:2] == b"\0\7"

            self.wait_until("a question is answered", answered)
            self.assertLessEqual(len(answers[-1]), 512)
        self.assertTrue(server.is_alive, server.said())


class TwoMachineTests(BonjourCase):
    """Two networks with a cable between them; both machines have the same name."""

    HERE, THERE = "10.77.0.1", "10.77.0.2"
    EVERYWHERE = ("--osc", "*:0", "--http", "*:0", "--mdns", "own")

    def setUp(self):
        super().setUp()
        self.there = self.namespace()
        self.here.join(self.there, self.HERE, self.THERE)

    def test_seen_from_the_other_one(self):
        zeroconf, seen = self.browse(self.HERE)
        with self.there:
            far = self.serve(*self.EVERYWHERE)
        self.wait_until("the far server is seen", lambda: all(seen.names.values()))
        name = self.only_name(seen)
        near = self.serve(*self.EVERYWHERE)
        self.wait_until("the near server has another name", lambda: seen.names[OSC] == {name, f"{name} (2)"})
        hosts = set()
        for server, kept, address in ((far, name, self.THERE), (near, f"{name} (2)", self.HERE)):
            info = zeroconf.get_service_info(OSC, f"{kept}.{OSC}")
            self.assertEqual(info.port, server.osc)
            self.assertIn(address, info.parsed_addresses())
            hosts.add(info.server)
        self.assertEqual(len(hosts), 2, "each machine has its addresses under a name of its own")
        far.stop()
        self.wait_until("the far server is gone", lambda: seen.names[OSC] == {f"{name} (2)"})

    def test_without_ipv6(self):
        """A network by IPv4 alone, as in many containers: the server starts with its usual addresses, and is found."""
        zeroconf, seen = self.browse(self.HERE)
        with self.there:
            pathlib.Path("/proc/sys/net/ipv6/conf/cable/disable_ipv6").write_text("1")
            server = self.serve(*self.EVERYWHERE)
        self.wait_until("the server is seen", lambda: all(seen.names.values()))
        info = zeroconf.get_service_info(OSC, f"{self.only_name(seen)}.{OSC}")
        self.assertEqual((info.parsed_addresses(), info.port), ([self.THERE], server.osc))
        for port in (server.osc, server.http):
            socket.create_connection((self.THERE, port), timeout=30).close()

    def test_a_server_on_loopback_is_not_announced(self):
        zeroconf, seen = self.browse(self.HERE)
        with self.there:
            self.serve("--mdns", "own")
            open_to_all = self.serve(*self.EVERYWHERE)
        self.wait_until("the other server is seen", lambda: all(seen.names.values()))
        info = zeroconf.get_service_info(OSC, f"{self.only_name(seen)}.{OSC}")
        self.assertEqual(info.port, open_to_all.osc)


@needs("avahi-daemon", "avahi-browse", "dbus-daemon", "unshare")
class AvahiTests(BonjourCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="bandshell-bus-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.words = self.folder / "words"
        (self.folder / "bus.conf").write_text(BUS.format(folder=folder.name))
        (self.folder / "avahi.conf").write_text(AVAHI)
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder.name}/bus"}
        self.start("dbus-daemon", "--nofork", "--nopidfile", f"--config-file={folder.name}/bus.conf")
        self.wait_until("the bus is there", (self.folder / "bus").exists)

    def start(self, *command):
        with self.words.open("a") as words:
            process = subprocess.Popen(
                command, env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL, stderr=words)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.terminate()
        process.wait(30)

    def avahi(self):
        # Of all daemons that share /run one may run: a second ends at the sight of the first one's number.
        daemon = self.start(
            "unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /run && exec "$@"', "sh",
            "avahi-daemon", "--file", str(self.folder / "avahi.conf"), "--no-drop-root", "--no-chroot", "--no-rlimits")

        def answers():
            self.assertIsNone(daemon.poll(), f"Avahi has ended: {self.words.read_text()}")
            return self.look("_none._udp").returncode == 0

        self.wait_until("Avahi answers", answers)
        return daemon

    def look(self, kind):
        # It waits for ever, now and then, for a service that goes while it is resolved. The next look tells.
        return subprocess.run(
            ["timeout", "5", "avahi-browse", "--parsable", "--resolve", "--terminate", kind],
            env={**os.environ, **self.environment}, capture_output=True, text=True)

    def seen(self, kind="_osc._udp"):
        """Port and texts by name, of what avahi-browse resolves."""
        lines = [line.split(";") for line in self.look(kind).stdout.splitlines() if line.startswith("=")]
        return {line[3].replace("\\032", " ").replace("\\035", "#"): (int(line[8]), line[9]) for line in lines}

    def ports(self, kind="_osc._udp"):
        return {port for port, _ in self.seen(kind).values()}

    def test_seen_restarted_and_lost(self):
        daemon = self.avahi()
        server = self.serve("--mdns", "auto", environment=self.environment)
        self.timed("avahi-browse sees the server", lambda: self.ports() == {server.osc})
        (name, (_, text)), = self.seen().items()
        for pair in ('"txtvers=1"', '"room=main"', '"path=/"'):
            self.assertIn(pair, text)
        self.assertEqual(self.ports("_http._tcp"), {server.http})
        self.wait_until("the log says so", lambda: 'by="avahi"' in server.said())

        second = self.serve("--mdns", "auto", environment=self.environment)
        self.wait_until("the second has another name", lambda: self.ports() == {server.osc, second.osc})
        self.assertEqual(set(self.seen()), {name, f"{name} #2"})
        second.stop()
        self.wait_until("the second is gone", lambda: self.ports() == {server.osc})

        self.end(daemon)
        daemon = self.avahi()
        self.timed("Avahi has the server again after its restart", lambda: self.ports() == {server.osc})

        gone = threading.Event()
        watch = subprocess.Popen(
            ["avahi-browse", "--parsable", "_osc._udp"], env={**os.environ, **self.environment},
            stdout=subprocess.PIPE, text=True)

        def read():
            for line in watch.stdout:
                if line.startswith("-"):
                    gone.set()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        self.addCleanup(watch.stdout.close)
        self.addCleanup(reader.join)
        self.addCleanup(self.end, watch)
        self.wait_until("the watcher's daemon knows it", lambda: self.ports() == {server.osc})
        server.stop()
        self.timed("avahi-browse loses the server, after its end", lambda: gone.is_set() or not self.ports())

    def test_handed_over(self):
        """Without Avahi our own responder speaks; it makes way for a daemon that starts later."""
        zeroconf, seen = self.browse()
        server = self.serve("--mdns", "auto", environment=self.environment)
        self.wait_until("our own responder speaks", lambda: 'by="own"' in server.said())
        self.wait_until("zeroconf sees it", lambda: all(seen.names.values()))
        daemon = self.avahi()
        self.wait_until("Avahi has taken over", lambda: 'by="avahi"' in server.said())
        self.wait_until("Avahi tells of it", lambda: self.ports() == {server.osc})
        self.wait_until("zeroconf sees it still", lambda: all(seen.names.values()))
        self.end(daemon)
        self.wait_until("our own responder speaks again", lambda: server.said().count('by="own"') == 2)
        self.wait_until("zeroconf sees that", lambda: all(seen.names.values()))
        info = zeroconf.get_service_info(OSC, f"{self.only_name(seen)}.{OSC}", 30_000)
        self.assertEqual(info.port, server.osc)

