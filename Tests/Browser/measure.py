"""Measures the page in real Chromium against a server that runs. `bandshell bench page` calls it:

    measure.py http://127.0.0.1:PORT http://127.0.0.1:PORT

The second server loses WebRTC's datagrams on purpose.
Prints one line for each figure: its word and its values, with tabs between.
"""

import json
import statistics
import sys
import threading
import time
import types
import urllib.request

from case import ARGUMENTS, CHROMIUM, HEARS_HITS_IN_THE_STREAM, Sender, sync_playwright
from frames import Frames
from probes import BY_EAR, EAR, FRAMES, HOUR, INBOUND, PEERS, TRACK, apart, heap
from relay import Relay

# A rim shot: loud at once.
PAD = 9

WATCH = """() => addEventListener("pointerdown", () => {
  const start = performance.now();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    if (window.peak(0) > 0.01) window.heardAfter = performance.now() - start;
    else channel.port2.postMessage(0);
  };
  channel.port2.postMessage(0);
}, { capture: true, once: true })"""


class Bench:
    def __init__(self, browser, address, lossy):
        self.browser, self.address, self.lossy = browser, address, lossy
        self.count = 0

    def open(self, size=(1280, 800), address=None, script=None, relay=None):
        """A page in a profile of its own, whose cache is empty, and the moment at which it was asked for."""
        self.count += 1
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]})
        page = context.new_page()
        page.set_default_timeout(20_000)
        # The figures are of the stream.
        page.add_init_script(HEARS_HITS_IN_THE_STREAM)
        if script:
            page.add_init_script(script)
        if relay:
            relay.stand_before(page)
        start = time.monotonic()
        page.goto(f"{address or self.address}/?name=bench{self.count}", wait_until="commit")
        return page, start

    def playing(self, script=None):
        page, _ = self.open(script=script)
        page.wait_for_selector("body[data-audio=ready]")
        page.click(f'[data-pad="{PAD}"]')
        page.wait_for_selector("body[data-audio=playing]")
        return page

    def first_loads(self, times=5):
        loads, interactive, connected, tapped, heard = [], [], [], [], []
        for _ in range(times):
            page, start = self.open()
            page.wait_for_selector("body[data-state=connected]")
            connected.append((time.monotonic() - start) * 1_000)
            page.wait_for_selector("body[data-audio=ready]")
            # Modules have run before this event: from then on what is seen can be touched.
            interactive.append(page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
            loads.append(page.evaluate("performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)") / 1_000)
            page.evaluate(EAR)
            page.evaluate(WATCH)
            page.click(f'[data-pad="{PAD}"]')
            # Playwright's own waiting evaluates text as code, which the page forbids.
            while not page.evaluate("window.heardAfter > 0"):
                page.wait_for_timeout(5)
            heard.append((time.monotonic() - start) * 1_000)
            tapped.append(page.evaluate("heardAfter"))
            page.context.close()
        say("first-load", loads)
        say("interactive", interactive)
        say("connected", connected)
        say("first-tap-to-sound", tapped)
        say("open-to-sound", heard)

    def taps(self, times=40):
        """From a tap to the page's own received audio, once the browser's buffer has settled."""
        page = self.playing(script=PEERS)
        page.evaluate(EAR)
        page.evaluate(TRACK)
        page.wait_for_timeout(6_000)
        heard, decoded, before = [], [], page.evaluate(INBOUND)
        for i in range(times):
            heard.append(page.evaluate(f"tapToEar({PAD})"))
            decoded.append(page.evaluate("decodedAfter"))
            # No whole number of frames or of beats, so that taps fall anywhere in them.
            page.wait_for_timeout(431 + 3 * i)
        after = page.evaluate(INBOUND)
        waited, emitted = (after[key] - before[key] for key in ("jitterBufferDelay", "jitterBufferEmittedCount"))
        say("tap-to-ear", heard)
        say("tap-to-track", decoded)
        say("jitter-buffer", [1_000 * waited / emitted])
        page.context.close()

    def by_ear(self, taps=32):
        """A tap for each click as it is decoded, taken down as a loop: how far the loop's hits are from the click, in the decoded mix."""
        found = []
        for delay in (20, 100, 200, 300):
            relay = Relay()
            relay.delay = delay / 1_000
            page, _ = self.open(script=PEERS, relay=relay)
            page.wait_for_selector("body[data-audio=ready]")
            page.click('[data-action="more"]')
            page.click('[data-action="metronome"]')
            page.wait_for_selector('[data-action="metronome"][aria-pressed=true]')
            page.wait_for_selector("body[data-audio=playing]")
            for _ in range(4):
                heard = page.evaluate(BY_EAR, taps)
                # What this machine holds up says nothing about the page.
                if heard["held"] <= taps // 8:
                    break
            found.append(statistics.median(abs(off) for off in heard["off"]))
            page.context.close()
            relay.close()
        say("by-ear", found)

    def osc(self):
        """The server's OSC port."""
        with urllib.request.urlopen(f"{self.address}/health", timeout=10) as answer:
            return json.load(answer)["osc"]["port"]

    def crowd(self, count=8):
        """Players whose loops of sixteen hits on four pads go round; they end with the list."""
        server = types.SimpleNamespace(osc=self.osc())
        players = [Sender(server, f"loop{number}") for number in range(count)]
        for number, player in enumerate(players):
            for step in range(16):
                player.send(f"/step/{1 + (step + number) % 4}/{step + 1}", 1)
            # What the room says is read, as clients do.
            threading.Thread(target=lambda player=player: list(player.messages(600)), daemon=True).start()
        return players

    def frames(self, seconds=10):
        """Sixteen pads four times a second, with the mixer's meters and the loops of eight players."""
        players = self.crowd()
        page = self.playing()
        page.click('[data-action="mixer"]')
        page.wait_for_selector(".channel")
        page.wait_for_timeout(2_000)
        page.evaluate(FRAMES)
        for _ in range(seconds * 4):
            for key in "1234qwerasdfzxcv":
                page.keyboard.press(key)
            page.wait_for_timeout(200)
        frames, long = sorted(page.evaluate("frames_")), page.evaluate("long")
        say("frames", [1_000 / statistics.mean(frames)])
        say("slow-frame", [frames[int(len(frames) * 0.99)]])
        say("long-tasks", [sum(duration > 50 for duration in long)])
        say("longest-task", [max(long, default=0)])
        page.context.close()
        for player in players:
            player.send("/loop/clear")
            player.send("/bye")

    def traces(self, times=3, seconds=5):
        """A phone's page that rests, and one whose room has thirty players: what a trace says of its main thread, and of its
        frames with the CPU slowed four times."""
        for scene in ("idle", "crowd"):
            looks = [Frames(self.browser).look(self.address, self.osc(), scene, (390, 844), (1, 4), seconds) for _ in range(times)]
            say(f"{scene}-main", [look["main"] for look, _ in looks])
            say(f"{scene}-frame", [look["a frame"] for look, _ in looks])
            say(f"{scene}-slow", [look["frames"] for _, look in looks])

    def hour(self):
        """36,000 hits, ten a second, as fast as the page takes them, once a first part has made what is made once."""
        page = self.playing()
        page.click('[data-action="mixer"]')
        tool = page.context.new_cdp_session(page)
        page.evaluate(HOUR, [0, 2_000])
        before = heap(tool)
        for part in range(18):
            page.evaluate(HOUR, [2_000 * (part + 1), 2_000])
        say("heap-growth", [(heap(tool) - before) / 1_000])
        page.context.close()

    def loss(self, times=10, seconds=15):
        """How long a connection takes that loses much, and what is heard of one that loses some."""
        for word, address in (("dialled", self.address), ("dialled-lossy", self.lossy)):
            found = []
            for _ in range(times):
                page, _ = self.open(address=address, script=PEERS)
                # Ready it may be sooner, by the far stream.
                while page.evaluate("dialled") is None:
                    page.wait_for_timeout(20)
                found.append(page.evaluate("dialled"))
                page.context.close()
            say(word, found)
        page, _ = self.open(address=self.lossy, script=PEERS)
        page.wait_for_selector("body[data-audio=ready]")
        page.click(f'[data-pad="{PAD}"]')
        page.wait_for_selector("body[data-audio=playing]")
        before = page.evaluate(INBOUND)
        for _ in range(2 * seconds):
            page.click(f'[data-pad="{PAD}"]')
            page.wait_for_timeout(500)
        after = page.evaluate(INBOUND)
        came, lost, made_up, samples = (
            after[key] - before[key] for key in ("packetsReceived", "packetsLost", "concealedSamples", "totalSamplesReceived"))
        say("lost", [100 * lost / (came + lost)])
        say("made-up", [100 * made_up / samples])
        page.context.close()

    def phase(self):
        pages = [self.open((390, 844))[0] for _ in range(8)]
        for page in pages:
            page.wait_for_selector("body[data-state=connected]")
            while not page.evaluate("bandshellBeat() !== null"):
                page.wait_for_timeout(20)
        pages[0].wait_for_timeout(4_000)
        say("phase", apart(pages, times=20))
        for page in pages:
            page.context.close()


def say(name, values):
    print(name, *(f"{value:.3f}" for value in values), sep="\t", flush=True)


def main():
    if sync_playwright is None or not CHROMIUM:
        sys.exit("Chromium or Playwright is missing: make bench installs them")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        bench = Bench(browser, *sys.argv[1:3])
        for measure in (bench.first_loads, bench.taps, bench.by_ear, bench.frames, bench.traces, bench.loss, bench.phase, bench.hour):
            measure()
        browser.close()


if __name__ == "__main__":
    main()
