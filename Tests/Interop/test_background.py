"""What takes long runs beside the music: its threads are ordinary, whoever ordered it."""

import os
import pathlib
import time
import unittest

from case import ServerCase
from test_own_sounds import Player

SCHED_OTHER, SCHED_FIFO, SCHED_RESET_ON_FORK = 0, 1, 0x40000000
# The only threads that may run in real time.
REALTIME = ("bandshell-room", "bandshell-enc", "bandshell-rtp", "bandshell-tell", "render", "alsa out")


class Background(ServerCase):
    def scheduling(self):
        """Each thread's name with its policy."""
        threads = []
        for task in pathlib.Path(f"/proc/{self.server.process.pid}/task").iterdir():
            try:
                name = (task / "comm").read_text().strip()
                threads.append((name, os.sched_getscheduler(int(task.name)) & ~SCHED_RESET_ON_FORK))
            except (FileNotFoundError, ProcessLookupError):
                continue
        return threads

    def test_stretching_and_grabbing_leave_every_other_thread_ordinary(self):
        anna = Player(self.server, "anna")
        self.addCleanup(anna.close)
        self.wait_until("two bars are over", lambda: anna.count("/beat") > 9)
        for number in range(40):
            anna.send("/pad/1/stretch", 1.0 + number / 40)
            anna.send("/pad/2/stretch", 2.0 - number / 50)
            time.sleep(0.025)
        anna.send("/sample/grab", 3, 1)
        anna.send("/sample/grab", 4, 1, "anna")
        self.wait_until("the last stretch is there", lambda: round((anna.asked("/pad/1/stretch") or (0,))[0], 3) == 1.975)
        self.wait_until("the grab is over", lambda: anna.last("/pad/3/name") or anna.count("/error"))
        threads = self.scheduling()
        if ("bandshell-room", SCHED_FIFO) not in threads:
            self.skipTest("no thread runs in real time here: the right to it is missing")
        others = [name for name, policy in threads if policy != SCHED_OTHER and not name.startswith(REALTIME)]
        self.assertEqual(others, [])
        self.assertIn(("bandshell-work", SCHED_OTHER), threads)


if __name__ == "__main__":
    unittest.main()
