"""How much processor time a process and all that it started have used."""

import os
import pathlib
import threading

TICKS = os.sysconf("SC_CLK_TCK")


def tree_seconds(root: int) -> float:
    """CPU seconds of process `root`, of its descendants, and of the ended ones that a parent has waited for."""
    children, ticks = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name is in parentheses, and may hold anything.
            fields = (entry / "stat").read_text(errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue  # It has ended meanwhile.
        pid, parent = int(entry.name), int(fields[1])
        # utime, stime, cutime and cstime (proc(5)).
        ticks[pid] = sum(int(field) for field in fields[11:15])
        children.setdefault(parent, []).append(pid)
    found, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        found += ticks.get(pid, 0)
        waiting += children.get(pid, [])
    return found / TICKS


class Meter:
    """The CPU seconds of this process and of all that it starts, from now on.

    Nobody waits for all the processes of a browser that ends, so it looks every other second, and adds what has gone.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._gone = self._last = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def seconds(self) -> float:
        with self._lock:
            now = tree_seconds(os.getpid())
            self._gone += max(0.0, self._last - now)
            self._last = now
            return self._gone + now

    def _watch(self):
        pause = threading.Event()
        while not pause.wait(2):
            self.seconds()
