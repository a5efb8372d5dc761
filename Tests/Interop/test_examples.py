"""The templates in examples/ play in a room: the Pure Data patch is run, and QLC+'s profile is checked against the server.

The module for Companion is tested in Tests/Page/companion.test.js. examples/README.md says what was run, and what not.
"""

import contextlib
import os
import pathlib
import select
import subprocess
import time
import unittest
import xml.etree.ElementTree as XML

import osc
from case import needs
from server import ROOT
from test_controllers import ControllerCase

EXAMPLES = ROOT / "examples"


@contextlib.contextmanager
def pure_data(patch: pathlib.Path, *messages):
    """Pure Data without a window, with the patch open; it gets the messages once that is loaded."""
    sends = [word for message in messages for word in ("-send", message)]
    program = subprocess.Popen(
        ["pd", "-nogui", "-noaudio", "-nomidi", "-noprefs", "-stderr", "-open", str(patch), *sends],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        yield program
    finally:
        program.terminate()
        program.wait(20)
        program.stderr.close()


def qlc_channel(path: str) -> int:
    """The channel that QLC+ gives an OSC address: Qt's qChecksum, which is the CRC-16 of X.25."""
    crc = 0xFFFF
    for byte in path.encode():
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return ~crc & 0xFFFF


class PureData(ControllerCase):
    @needs("pd")
    def test_the_patch_plays_and_hears(self):
        witness = self.peer(name="witness")
        messages = (f"bandshell connect 127.0.0.1 {self.server.osc}", "pad1 0.5", "xy 0.25 0.75", "macro3 64", "key 60 100",
                    "pad1 0", "key 60 0", "loop bang")
        with pure_data(EXAMPLES / "puredata" / "bandshell.pd", *messages) as program:
            self.assertEqual(witness.wait("/hit")[:3], ("pd", 1, 0.5))
            note = witness.wait("/note")
            self.assertEqual(note[:2], ("pd", 60))
            self.assertAlmostEqual(note[2], 100 / 127, places=5)
            # Its console tells the hit, and later that the record button is lit.
            text = ""
            end = time.monotonic() + 30
            while "light: 1" not in text and time.monotonic() < end:
                if select.select([program.stderr], [], [], 1)[0]:
                    text += os.read(program.stderr.fileno(), 65_536).decode()
        self.assertIn("hit: pd 1 0.5", text)
        self.assertIn("light: 1", text)
        for fault in ("couldn't create", "no such", "no method", "error"):
            self.assertNotIn(fault, text)


class QLC(ControllerCase):
    def channels(self):
        space = "{http://www.qlcplus.org/InputProfile}"
        for channel in XML.parse(EXAMPLES / "qlcplus" / "Bandshell-Room.qxi").getroot().iter(f"{space}Channel"):
            yield int(channel.get("Number")), channel.find(f"{space}Name").text, channel.find(f"{space}Type").text

    def test_the_profile_has_the_channels_that_qlc_computes(self):
        channels = list(self.channels())
        self.assertGreater(len(channels), 50)
        self.assertEqual(len({number for number, _, _ in channels}), len(channels))
        for number, path, _ in channels:
            self.assertEqual(number, qlc_channel(path), path)
        # Two of those that QLC+ itself ships, in TouchOSC-Automat5.qxi.
        self.assertEqual(qlc_channel("/1/rotaryD"), 6124)
        self.assertEqual(qlc_channel("/3/multipushM/1/4"), 77)

    def test_the_server_knows_every_address(self):
        for _, path, kind in self.channels():
            with self.subTest(path=path):
                # A sender of its own, so that no error is left out.
                peer = self.peer(name="lights")
                values = (0.5, 1.0) if kind == "Slider" else (0.0,)
                for value in values:
                    peer.send(osc.message(path, value))
                codes = [arguments[2] for address, arguments in peer.until_pong() if address == "/error"]
                # A light cannot be set: QLC+ hears it.
                self.assertEqual(codes, ["read-only"] if path.endswith("/lit") else [], path)
                peer.say("/bye")


if __name__ == "__main__":
    unittest.main()
