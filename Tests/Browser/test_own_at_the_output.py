"""From a tap to the end of the browser's output, with own hits at once and without, in one run.

A null sink of PulseAudio is recorded. It and the page's clock both go by CLOCK_MONOTONIC.
"""

import statistics
import unittest

from case import BrowserCase
from output import MISSING, Output
from profiles import profiles

# Taps pad 9 so often, so many milliseconds apart; the moments, as the page's clock says.
TAP = """async ([taps, apart]) => {
  const element = document.querySelector('[data-pad="9"]');
  const times = [];
  for (let i = 0; i < taps; i += 1) {
    // No whole number of the output's blocks, so that taps fall anywhere in them.
    await new Promise((go) => setTimeout(go, apart + 3.7 * i));
    times.push(performance.now());
    for (const type of ["pointerdown", "pointerup"]) element.dispatchEvent(new PointerEvent(type, { pointerId: 77, bubbles: true, button: 0 }));
  }
  return times;
}"""

# Milliseconds that the sound card's buffer holds. Of itself Chromium asks PulseAudio for 32, where other
# systems give it 3 to 10.
CARD = 10

STATE = "import('/listen.js').then(({ ownState }) => ownState())"
CHOOSE = "choice => import('/listen.js').then(({ chooseOwn }) => chooseOwn(choice))"


@unittest.skipIf(MISSING, f"not installed: {MISSING} (scripts/packages test)")
class OwnAtTheOutputTests(BrowserCase):
    # What is heard is timed.
    alone = True
    plays_own_hits = True

    def listens(self):
        self.output = Output()
        self.addCleanup(self.output.close)
        self.browser = profiles.browser(environment={**self.output.environment, "PULSE_LATENCY_MSEC": str(CARD)})
        page = self.open()
        page.evaluate("localStorage.setItem('bandshell own hits', '\"off\"')")
        self.reload(page)
        self.wait_connected(page)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="9"]')
        page.wait_for_selector("body[data-audio=playing]")
        # Short: a sound that came a second time would be apart from the first one.
        self.room(page, "{ room.set('/pad/9/decay', 20); room.set('/pad/9/pan', 0); }")
        tool = page.context.new_cdp_session(page)
        tool.send("Performance.enable", {"timeDomain": "timeTicks"})
        metrics = {each["name"]: each["value"] for each in tool.send("Performance.getMetrics")["metrics"]}
        # Chromium's ticks are CLOCK_MONOTONIC, and the page's clock counts from here.
        self.origin = metrics["NavigationStart"]
        return page

    def taps(self, page, count=24, apart=400):
        """Milliseconds from each tap to its sound at the output, and how many sounds came."""
        page.wait_for_timeout(500)
        self.output.forget()
        times = page.evaluate(TAP, [count, apart])
        page.wait_for_timeout(1_200)
        onsets = [(at - self.origin) * 1_000 for at in self.output.onsets(rest=0.02)]
        found = []
        for time in times:
            heard = [at - time for at in onsets if 0 <= at - time < apart]
            found += heard[:1]
        return found, len(onsets)

    def show(self, name, found):
        found = sorted(found)
        print(f"\n{self._testMethodName}, {name}: {len(found)} taps, {statistics.median(found):.1f} ms in the middle, "
              f"nine tenths within {found[len(found) // 20]:.1f} … {found[-1 - len(found) // 20]:.1f}", flush=True)

    def is_own(self, page):
        """Whether a tap starts a sound in the page."""
        return page.evaluate("""async () => {
          const { playAt } = await import("/pads.js");
          let started = 0;
          const start = AudioBufferSourceNode.prototype.start;
          AudioBufferSourceNode.prototype.start = function (...all) { started += 1; return start.apply(this, all); };
          playAt(performance.now(), "/pad/9", 1);
          AudioBufferSourceNode.prototype.start = start;
          return started > 0;
        }""")

    def test_an_own_hit_leaves_the_output_in_less_than_a_third_of_the_stream_s_time_and_once(self):
        page = self.listens()
        self.wait_until("the way is known", lambda: self.delay(page)[0] > 0)
        # The browser's buffer takes some seconds to become short.
        page.wait_for_timeout(6_000)
        stream, _ = self.taps(page)
        self.show("by the stream", stream)
        page.evaluate(CHOOSE, "on")
        self.assert_comes_to("on", lambda: page.evaluate(STATE), "own hits")
        self.wait_until("hits are own", lambda: self.is_own(page))
        page.wait_for_timeout(1_000)
        own, count = self.taps(page)
        self.show("at once", own)
        page.evaluate(CHOOSE, "off")
        self.wait_until("hits are not own", lambda: not self.is_own(page))
        page.wait_for_timeout(3_000)
        again, _ = self.taps(page)
        self.show("by the stream again", again)
        for found in (stream, own, again):
            self.assertGreaterEqual(len(found), 20)
        # Each tap would. A card that is late now and then cuts one sound in two.
        self.assertLess(count, 24 + 6, "taps sound twice")
        self.assertLess(statistics.median(own), statistics.median(stream) / 3)
        self.assertLess(statistics.median(own), statistics.median(again) / 3)


if __name__ == "__main__":
    unittest.main()
