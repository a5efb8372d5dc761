"""Frames, long tasks and memory while much is played."""

import os
import unittest

from case import BrowserCase
from probes import FRAMES, HOUR, heap


class EnduranceTests(BrowserCase):
    # A browser in which nothing was before, and pages that draw as they do for people.
    draws_each_frame = True
    # CPU time and memory are measured: others on the two cores make each of them dearer.
    alone = True

    def test_an_hour_of_play_leaves_nothing_in_memory(self):
        # BANDSHELL_LONG=1 plays the whole hour; what leaks shows in a third of it.
        parts = 17 if os.environ.get("BANDSHELL_LONG") == "1" else 5
        page = self.connected()
        page.click('[data-action="mixer"]')
        tool = page.context.new_cdp_session(page)
        page.evaluate(HOUR, [0, 2_000])
        before = heap(tool)
        for part in range(parts):
            page.evaluate(HOUR, [2_000 * (part + 1), 2_000])
        after = heap(tool)
        print(f"heap: {before / 1e6:.2f} MB, after {parts * 2_000} hits {after / 1e6:.2f} MB", flush=True)
        self.assertLess(after - before, 300_000)

    def test_sixteen_pads_and_meters_are_drawn_in_little_time(self):
        page = self.connected()
        page.click('[data-action="mixer"]')
        page.wait_for_selector(".channel")
        page.wait_for_timeout(1_000)
        tool = page.context.new_cdp_session(page)
        # CPU time of the page's main thread, whatever else the machine does.
        tool.send("Performance.enable", {"timeDomain": "threadTicks"})
        used = lambda: next(each["value"] for each in tool.send("Performance.getMetrics")["metrics"]  # noqa: E731
                            if each["name"] == "TaskDuration")
        page.evaluate(FRAMES)
        before = used()
        for _ in range(10):
            for key in "1234qwerasdfzxcv":
                page.keyboard.press(key)
            page.wait_for_timeout(250)
        cpu = 1_000 * (used() - before)
        frames = sorted(page.evaluate("frames_"))
        print(f"{len(frames)} frames: {cpu / len(frames):.1f} ms of CPU each, median {frames[len(frames) // 2]:.1f} ms, "
              f"load {os.getloadavg()[0]:.1f}", flush=True)
        # All of it together fits into a sixtieth of a second; `bandshell bench page` measures frames on a quiet machine.
        self.assertGreater(len(frames), 10)
        self.assertLess(cpu / len(frames), 16)


if __name__ == "__main__":
    unittest.main()
