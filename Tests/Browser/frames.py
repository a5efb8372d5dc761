"""Measures by traces of Chromium what the page's frames cost, for one page or for several by turns in one run:

    frames.py [NAME=FOLDER ...] [--rounds 3] [--seconds 5] [--slow 1 4] [--scenes idle crowd] [--sizes 390x844 1280x800]

Each FOLDER is a page, such as `Sources/JamWeb/Page` of two trees; a debug build serves it from the disk. Without one the
page that is built in is measured. The turns alternate, so that whatever else the machine does meets all pages alike.
"""

import argparse
import collections
import json
import os
import statistics
import threading
import time
import types

from case import ARGUMENTS, SHELL, Sender, Server, sync_playwright
from profiles import HEARS_HITS_IN_THE_STREAM, KNOWS_THE_OFFER, KNOWS_THE_PAGE

CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "devtools.timeline.frame",
              "disabled-by-default-devtools.timeline.frame"]
# The parts of a main thread's work, by the names of a trace. They do not overlap.
PARTS = {"style": ("UpdateLayoutTree", "RecalculateStyles"), "layout": ("Layout",), "prepaint": ("PrePaint", "UpdateLayerTree"),
         "paint": ("Paint", "RasterTask"), "layerize": ("Layerize",), "commit": ("Commit",)}
# What a page that somebody sees is told of: a room of its own, and its time to settle, in seconds.
SETTLES = 6
# A scene of players who play by hand, and the hits of each one a second.
CROWD, HITS = 30, 4


class Crowd:
    """Players whose loops go round, and who hit pads by hand until they leave."""

    def __init__(self, osc, count=CROWD, hits=HITS):
        self._over = threading.Event()
        self._players = [Sender(types.SimpleNamespace(osc=osc), f"crowd{number}") for number in range(count)]
        for number, player in enumerate(self._players):
            for step in range(0, 16, 4):
                player.send(f"/step/{1 + (step + number) % 8}/{step + 1}", 1)
            # Whatever the room says is read, as clients do.
            threading.Thread(target=lambda player=player: self._read(player), daemon=True).start()
        self._hand = threading.Thread(target=self._play, args=(1 / (count * hits),), daemon=True)
        self._hand.start()

    def _read(self, player):
        try:
            for _ in player.messages(3_600):
                if self._over.is_set():
                    return
        except OSError:
            pass

    def _play(self, every):
        due, turn = time.monotonic(), 0
        while not self._over.is_set():
            self._players[turn % len(self._players)].send(f"/pad/{1 + (turn * 7) % 16}", 0.8)
            turn, due = turn + 1, due + every
            time.sleep(max(0, due - time.monotonic()))

    def leave(self):
        self._over.set()
        self._hand.join()
        for player in self._players:
            player.send("/loop/clear")
            player.send("/bye")
            player.close()


def family(pid):
    """All processes below one, with itself."""
    children = collections.defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                children[int(file.read().rsplit(")", 1)[1].split()[1])].append(int(name))
        except OSError:
            continue
    found, unread = [], [pid]
    while unread:
        found.append(unread.pop())
        unread += children[found[-1]]
    return found


def cpu(pids):
    """Seconds of CPU that processes have used."""
    ticks = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as file:
                ticks += sum(int(field) for field in file.read().rsplit(")", 1)[1].split()[11:13])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def read_trace(data, seconds):
    """What a trace says of its page: the main thread's share of a core, and its milliseconds a frame that was drawn."""
    events = json.loads(data)["traceEvents"]
    mains = {event["pid"]: event["tid"] for event in events
             if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    compositors = {(event["pid"], event["tid"]) for event in events
                   if event.get("name") == "thread_name" and event["args"]["name"] == "Compositor"}
    busy = collections.Counter()
    for event in events:
        if event.get("ph") == "X" and event["name"].endswith("RunTask") and mains.get(event["pid"]) == event["tid"]:
            busy[event["pid"]] += event.get("tdur", event["dur"])
    pid = busy.most_common(1)[0][0]
    own = [event for event in events if event["pid"] == pid]
    main = [event for event in own if event["tid"] == mains[pid]]
    # With both categories each task is told twice, one in the other.
    names = collections.Counter()
    for event in main:
        if event.get("ph") == "X" and event["name"].endswith("RunTask"):
            names[event["name"]] += event.get("tdur", event["dur"])
    spent = max(names.values()) / 1_000
    drawn = sum(event["name"] == "DrawFrame" and (pid, event["tid"]) in compositors for event in own)
    begun = sum(event["name"] == "BeginMainThreadFrame" for event in main)
    parts = {part: sum(event.get("dur", 0) for event in main if event.get("ph") == "X" and event["name"] in wanted) / 1_000
             for part, wanted in PARTS.items()}
    end = -1
    parts["script"] = 0
    for event in sorted((each for each in main if each.get("ph") == "X" and each["name"] in (
            "FunctionCall", "FireAnimationFrame", "TimerFire", "EventDispatch", "RunMicrotasks")), key=lambda each: each["ts"]):
        if event["ts"] >= end:
            end = event["ts"] + event["dur"]
            parts["script"] += event["dur"] / 1_000
    return {"frames": drawn / seconds, "main frames": begun / seconds, "main": spent / 10 / seconds,
            "a frame": spent / max(1, drawn), **{part: value / max(1, drawn) for part, value in parts.items()}}


class Frames:
    def __init__(self, browser, pid=None):
        """`pid`: the browser's first process, where the CPU of all of them is wanted, too."""
        self.browser, self.pid = browser, pid

    def trace(self, page, seconds, slow=1):
        """Traces a page for so long, with its CPU so many times slower."""
        tool = page.context.new_cdp_session(page)
        tool.send("Emulation.setCPUThrottlingRate", {"rate": slow})
        page.wait_for_timeout(1_000)
        self.browser.start_tracing(page=page, categories=CATEGORIES)
        pids = family(self.pid) if self.pid else []
        used, start = cpu(pids), time.monotonic()
        page.wait_for_timeout(1_000 * seconds)
        used, passed = cpu(pids) - used, time.monotonic() - start
        found = read_trace(self.browser.stop_tracing(), passed)
        tool.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        return {**found, "browser": 100 * used / passed}

    def look(self, address, osc, scene, size, slows, seconds):
        """One page in a scene: what a trace says, for each slowness."""
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, device_scale_factor=2 if size[0] < 600 else 1)
        page = context.new_page()
        for script in (KNOWS_THE_PAGE, KNOWS_THE_OFFER, HEARS_HITS_IN_THE_STREAM):
            page.add_init_script(script)
        crowd = Crowd(osc) if scene == "crowd" else None
        try:
            page.goto(f"{address}/?name=frames")
            page.wait_for_selector("body[data-state=connected]")
            page.wait_for_timeout(1_000 * SETTLES)
            return [self.trace(page, seconds, slow) for slow in slows]
        finally:
            if crowd:
                crowd.leave()
            context.close()


def browser_process(playwright):
    """A Chromium, and the process that all its others are below."""
    before = set(family(os.getpid()))
    browser = playwright.chromium.launch(executable_path=SHELL, args=ARGUMENTS)
    return browser, min(set(family(os.getpid())) - before)


def served(folder):
    return Server(environment={"BANDSHELL_PAGE": os.path.abspath(folder)} if folder else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", default=["built in="])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--slow", nargs="+", type=float, default=[1, 4])
    parser.add_argument("--scenes", nargs="+", default=["idle", "crowd"])
    parser.add_argument("--sizes", nargs="+", default=["390x844", "1280x800"])
    wanted = parser.parse_args()
    pages = dict(page.split("=", 1) for page in wanted.pages)
    found = collections.defaultdict(list)
    with sync_playwright() as playwright:
        browser, pid = browser_process(playwright)
        for _ in range(wanted.rounds):
            for size in wanted.sizes:
                for scene in wanted.scenes:
                    for name, folder in pages.items():
                        server = served(folder)
                        try:
                            looks = Frames(browser, pid).look(
                                server.url("").rstrip("/"), server.osc, scene, [int(part) for part in size.split("x")], wanted.slow, wanted.seconds)
                        finally:
                            server.stop()
                        for slow, look in zip(wanted.slow, looks):
                            found[(scene, size, slow, name)].append(look)
        browser.close()
    columns = list(next(iter(found.values()))[0])
    print("scene", "size", "slow", "page", *columns, sep="\t")
    for (scene, size, slow, name), looks in sorted(found.items()):
        print(scene, size, f"{slow:g}", name, *(f"{statistics.median(look[column] for look in looks):.2f}" for column in columns), sep="\t")


if __name__ == "__main__":
    main()
