"""A player among floods from other addresses: each hit is heard, within 5 ms of its time."""

import socket
import subprocess
import time
import unittest

import osc
from case import RIM, ServerCase
from peer import messages
from server import BENCH
from sound import Sound

DELAY = 0.005
BOUND = 0.005
INTERVAL = 0.25
HITS = 12
# So many of them may be held up by this machine.
HELD_UP = 3


class Siege(ServerCase):
    """Short floods of one kind each; `bandshell bench siege` has the whole ones.

    A debug build takes ten times as long for each packet as what people run: it is sent a tenth.
    """

    # The floods take a core, and hits are looked at to some milliseconds.
    alone = True

    def setUp(self):
        self.wait_for_silence()
        self.player = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(self.player.close)
        self.player.bind(("127.0.0.1", 0))
        self.player.connect(("127.0.0.1", self.server.osc))
        self.player.settimeout(0.1)
        # The visitors of a flood before fill the room until they have been away for some seconds.
        self.wait_until("the player is in the room", self.is_let_in, seconds=60)
        self.player.settimeout(None)
        self.player.send(osc.message("/unsubscribe"))
        self.player.send(osc.message("/ping", 1))

    def is_let_in(self):
        self.player.send(osc.message("/hello", "player"))
        try:
            while not any(address == "/welcome" for address, _ in messages(self.player.recv(65_536))):
                pass
        except TimeoutError:
            return False
        return True

    def hits_in_time(self, weapon, *options):
        # Its frame is known by its timetag: it says which moment the file's frames are.
        reference = time.time() + 0.3
        self.player.send(osc.bundle(osc.message(RIM, 1.0), tag=osc.timetag(reference)))
        time.sleep(0.6)
        seconds = HITS * INTERVAL + 0.5
        flood = subprocess.Popen(
            [BENCH, "siege-load", weapon, str(self.server.osc), "--seconds", str(seconds), *options],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(flood.wait)
        self.addCleanup(flood.stdout.close)
        time.sleep(0.3)
        sent = []
        for i in range(HITS):
            time.sleep(INTERVAL)
            # Stamped on both sides: a sender that is held up between the two does not know when it sent.
            before = time.time()
            self.player.send(osc.message(RIM, 1.0))
            sent.append((before, time.time()))
        perSecond = float(flood.communicate(timeout=60)[0])
        self.assertGreater(perSecond, 0, "nothing was sent")
        time.sleep(0.2)
        length = time.time() - reference + 0.5
        onsets = Sound.from_wav(self.server.get(f"/last.wav?seconds={length:.2f}")[2]).onsets(rest=0.04)
        self.assertEqual(len(onsets), HITS + 1, f"{weapon}: {onsets} in {length:.2f} s")
        heard = [reference + onset - onsets[0] for onset in onsets[1:]]
        # A server that does not withstand a flood is late with each hit; a machine that holds one of them up, with that one.
        in_time = [before + DELAY - BOUND < onset < after + DELAY + BOUND for (before, after), onset in zip(sent, heard)]
        self.assertGreaterEqual(sum(in_time), HITS - HELD_UP, f"{weapon}: {sent} {heard}")
        for (before, _), onset in zip(sent, heard):
            self.assertGreater(onset, before + DELAY - BOUND, f"{weapon}: a hit before it was sent: {sent} {heard}")

    def test_garbage(self):
        self.hits_in_time("garbage", "--share", "0.1")

    def test_settings(self):
        self.hits_in_time("settings", "--share", "0.2")
        # What its share did not reach for was replaced or dropped, and counted.
        self.assertGreater(self.server.figure("osc_replaced_total") + self.server.figure("osc_flooded_total"), 0)

    def test_joins(self):
        self.hits_in_time("joins", "--share", "0.2")

    def test_unknown_addresses(self):
        self.hits_in_time("unknown")


if __name__ == "__main__":
    unittest.main()
