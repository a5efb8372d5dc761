"""The page in Firefox, without a driver: what the server sees of it."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

from case import Server
from patience import Patient

FIREFOX = os.environ.get("FIREFOX", shutil.which("firefox-esr") or shutil.which("firefox") or "")

PREFERENCES = """
user_pref("media.autoplay.default", 0);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""


@unittest.skipIf(not FIREFOX, "not installed: firefox-esr (apt-get install firefox-esr)")
class FirefoxTests(Patient, unittest.TestCase):
    def test_it_joins_listens_and_reports_what_it_hears(self):
        # Firefox looks for no way over loopback: the sound goes by an address of the network.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))
            except OSError:
                self.skipTest("this machine has no network")
        server = Server("--media", "0.0.0.0:0")
        self.addCleanup(server.stop)
        folder = tempfile.TemporaryDirectory(prefix="firefox-")
        self.addCleanup(folder.cleanup)
        (pathlib.Path(folder.name) / "user.js").write_text(PREFERENCES)
        browser = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", folder.name, server.url("/?name=fox")],
            env={**os.environ, "HOME": folder.name}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(browser.wait)
        self.addCleanup(browser.terminate)
        self.wait_until("it is in the room", lambda: b'"name":"fox"' in server.get("/health")[2], seconds=60)
        self.wait_until("it listens", lambda: server.figure('listeners{kind="webrtc"}') == 1, seconds=60)
        self.assertEqual(server.figure('webrtc_sessions_total{srtp="aes-gcm"}'), 1)
        self.wait_until("it reports", lambda: server.figure("webrtc_reports_total") >= 1, seconds=60)
        self.assertEqual(server.figure("webrtc_worst_loss_ratio"), 0)
        self.assertEqual(server.figure("webrtc_failed_handshakes_total"), 0)


if __name__ == "__main__":
    unittest.main()
