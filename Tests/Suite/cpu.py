"""How much processor time a process and all that it started have used, those that have ended included."""

import os
import pathlib

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
