"""Icecast itself as a relay of `/listen.opus`: who joins late hears the mix, headers first."""

import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest
import urllib.request

from case import RIM, needs
import osc
from patience import Patient
from server import ROOT, Server, free_udp_pair

CONFIGURATION = """
<icecast>
  <limits><clients>16</clients><sources>2</sources><source-timeout>10</source-timeout></limits>
  <authentication>
    <source-password>{secret}</source-password><relay-password>{secret}</relay-password>
    <admin-user>admin</admin-user><admin-password>{secret}</admin-password>
  </authentication>
  <hostname>127.0.0.1</hostname>
  <listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  {relay}
  <paths>
    <basedir>/usr/share/icecast2</basedir><logdir>{logs}</logdir>
    <webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>-</accesslog><errorlog>-</errorlog><loglevel>3</loglevel></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
"""
# Icecast refuses to run as root.
OWNER = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>"


def documented_relay(http: int) -> str:
    """What Protocol/streams.md tells people to write, for a server on this machine."""
    text = (ROOT / "Protocol" / "streams.md").read_text()
    relay = re.search(r"### Icecast as a relay\n.*?```xml\n(.*?)```", text, re.DOTALL)[1]
    place = "<server>host</server><port>8088</port>"
    assert place in relay, relay
    return relay.replace(place, f"<server>127.0.0.1</server><port>{http}</port>")


@needs("icecast2", "opusinfo")
class IcecastTests(Patient, unittest.TestCase):
    def setUp(self):
        self.server = Server()
        # Whichever is there in the end.
        self.addCleanup(lambda: self.server.stop())
        folder = tempfile.TemporaryDirectory(prefix="bandshell-icecast-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.path.chmod(0o777)
        self.port = free_udp_pair()
        (self.path / "icecast.xml").write_text(CONFIGURATION.format(
            port=self.port, relay=documented_relay(self.server.http), logs=self.path, secret=os.urandom(8).hex(),
            owner=OWNER if os.getuid() == 0 else ""))
        (self.path / "icecast.xml").chmod(0o644)
        self.log = open(self.path / "log", "w+b")
        self.addCleanup(self.log.close)
        self.icecast = subprocess.Popen(
            ["icecast2", "-c", str(self.path / "icecast.xml")], stdout=self.log, stderr=self.log, cwd=self.path)
        self.addCleanup(self.icecast.wait)
        self.addCleanup(self.icecast.kill)

    def relayed(self, seconds=20):
        """The relayed stream's connection, once Icecast has it."""
        def get():
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/jam.opus", timeout=10)
            except OSError:
                return None
        self.wait_until("icecast relays", lambda: self.answer(get), seconds=seconds)
        return self._answer

    def answer(self, get):
        self._answer = get()
        return self._answer

    def take(self, stream, name, enough=48_000):
        """So many bytes of a stream as a file."""
        path = self.path / name
        with open(path, "wb") as file:
            while file.tell() < enough:
                piece = stream.read1(8_192)
                self.assertTrue(piece, f"the relay ended after {file.tell()} bytes:\n{self.said()}")
                file.write(piece)
        return path

    def read_to_the_end(self, stream):
        """The rest of a relayed stream, which ends with its source."""
        while stream.read1(65_536):
            pass

    def test_a_relay_is_back_soon_after_the_server_was_restarted(self):
        with self.relayed() as stream:
            self.take(stream, "before.opus")
            http = self.server.http
            self.server.stop()
            self.read_to_the_end(stream)
        self.server = Server("--http", f"127.0.0.1:{http}")
        began = time.monotonic()
        # Icecast's own standard is 120 s; the documented interval is 5 s.
        with self.relayed(seconds=40) as stream:
            self.assertLess(time.monotonic() - began, 40)
            path = self.take(stream, "after.opus")
        self.assertEqual(path.read_bytes()[28:36], b"OpusHead")

    def said(self):
        return (self.path / "log").read_text(errors="replace")[-3_000:]

    def test_a_relay_knows_the_stream_and_who_joins_late_gets_its_headers(self):
        early = self.relayed()
        self.addCleanup(early.close)
        self.assertEqual(early.headers["Content-Type"], "audio/ogg")
        self.server.send(osc.message(RIM, 1.0))
        self.take(early, "early.opus")
        # The stream has gone on for some pages now: its own headers have gone by.
        with self.relayed() as late:
            path = self.take(late, "late.opus")
        self.assertEqual(path.read_bytes()[28:36], b"OpusHead")
        result = subprocess.run(["opusinfo", str(path)], capture_output=True, text=True, timeout=20)
        words = result.stdout + result.stderr
        self.assertIn("Encoded with", words)
        self.assertIn("Playback length", words)
        self.assertIn("Channels: 2", words)
        for complaint in ("no Opus data", "Could not find", "Hole", "Invalid", "corrupt"):
            self.assertNotIn(complaint, words)


if __name__ == "__main__":
    unittest.main()
