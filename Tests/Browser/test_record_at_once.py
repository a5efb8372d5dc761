"""A beginner who taps at once: nothing of it is lost, with Record and without it."""

import unittest

from case import BrowserCase

NOTES = """() => import('/loop-strip.js').then(({ own }) => (own()?.notes ?? []).map(({ pad, beat }) => [pad, beat]))"""

# Eight taps of one pad, from this moment on.
TAP = """async (every) => {
  const pad = document.querySelector('[data-pad="1"]');
  const begin = performance.now();
  const times = [];
  for (let number = 0; number < 8; number += 1) {
    while (performance.now() < begin + number * every) await new Promise((go) => setTimeout(go, 4));
    times.push(performance.now() - begin);
    for (const type of ['pointerdown', 'pointerup']) {
      pad.dispatchEvent(new PointerEvent(type, { pointerId: 9, bubbles: true, button: 0 }));
    }
  }
  return times;
}"""


class RecordAtOnceTests(BrowserCase):
    def tearDown(self):
        # A loop outlasts its player: the next test begins in silence.
        self.listener().send("/stop")
        super().tearDown()

    def state(self, page, state):
        self.wait_until(f"the loop is {state}", lambda: page.evaluate("document.body.dataset.loop") == state)

    def says(self, page, text):
        self.wait_text(page, '[data-action="record"] span', lambda shown: shown.replace("\u00ad", "") == text)

    def notes(self, page, count):
        self.wait_until(f"{count} notes", lambda: len(page.evaluate(NOTES)) == count)

    def beginner(self):
        page = self.connected(size=(390, 844), fresh=True, has_touch=True)
        page.wait_for_selector('[data-action="tidy"][aria-pressed=true]', state="attached")
        self.says(page, "New loop")
        self.room(page, "room.send('/loop/bars', 2)")
        return page

    def counts_on_record(self, page):
        return page.evaluate("""() => {
            const { display, content } = getComputedStyle(document.querySelector('[data-action="record"]'), "::after");
            return display === "none" ? "" : content.replaceAll('"', "");
        }""")

    def test_where_the_strip_is_hidden_record_has_the_count(self):
        page = self.connected(size=(844, 390))
        page.click('[data-action="record"]')
        self.state(page, "waiting")
        self.wait_text(page, ".countin", lambda text: text == "1")
        # No message may be over the strip.
        page.wait_for_selector("body:not([data-said])", timeout=30_000)
        self.assertEqual(self.counts_on_record(page), "")
        page.click('[data-action="mixer"]')
        page.wait_for_selector("#looprow", state="hidden")
        self.wait_until("Record has it", lambda: self.counts_on_record(page) == "1")
        dot = '[data-action="record"] .icon'
        self.assertFalse(page.locator(dot).is_visible(), "they lie on each other")

    def test_eight_taps_from_the_first_moment_on_are_all_in_the_loop(self):
        page = self.beginner()
        page.tap('[data-action="record"]')
        self.state(page, "waiting")
        self.says(page, "Waiting")
        self.wait_text(page, ".countin", lambda text: text == "1")
        self.wait_text(page, "#looptext", lambda text: text == "Tap a pad: that is beat 1")
        tapped = page.evaluate(TAP, 300)
        self.state(page, "playing")
        self.says(page, "Add a layer")
        self.notes(page, 8)
        # The first one is the first beat, and the others lie as they were tapped, nearer to the sixteenths.
        beats = sorted(beat for _, beat in page.evaluate(NOTES))
        self.assertLess(beats[0], 0.01)
        # At 120 bpm; a busy machine taps late.
        for time, beat in zip(tapped, beats):
            self.assertLess(abs(beat - (time - tapped[0]) / 500), 0.3, beats)
        self.assertTrue(page.locator(".countin").is_hidden())

    def test_what_was_just_played_is_caught_with_one_tap_and_taken_back_with_another(self):
        page = self.beginner()
        page.wait_for_selector('[data-action="catch"][aria-disabled=true]')
        page.evaluate(TAP, 300)
        page.wait_for_selector('[data-action="catch"][aria-disabled=false]')
        page.tap('[data-action="catch"]')
        self.state(page, "playing")
        self.notes(page, 8)
        self.says(page, "Add a layer")
        page.wait_for_selector('[data-action="catch"][aria-disabled=true]')
        self.room(page, "room.send('/undo')")
        self.state(page, "empty")
        self.says(page, "New loop")

    def test_nothing_to_catch_is_said_and_a_wait_for_a_tap_is_given_up(self):
        page = self.beginner()
        page.tap('[data-action="catch"]', force=True)
        self.wait_text(page, "#toast", lambda text: "There is nothing to catch yet. Play something first." in text)
        page.tap('[data-action="record"]')
        self.state(page, "waiting")
        page.tap('[data-action="record"]')
        self.state(page, "empty")
        self.says(page, "New loop")

    def test_a_recording_counts_its_first_bar_from_the_first_beat_on(self):
        page = self.beginner()
        # By the page itself: a look from here may come a beat late.
        page.evaluate("""() => {
            const place = document.querySelector(".countin");
            window.counts = [];
            const note = () => { if (place.textContent && window.counts.at(-1) !== place.textContent) window.counts.push(place.textContent); };
            new MutationObserver(note).observe(place, { childList: true, characterData: true, subtree: true });
        }""")
        self.room(page, "room.send('/tempo', 60)")
        page.tap('[data-action="record"]')
        self.state(page, "waiting")
        page.tap('[data-pad="1"]')
        self.state(page, "recording")
        self.says(page, "Finish")
        self.wait_until("the bar is counted", lambda: page.evaluate("window.counts.at(-1)") == "4")
        self.assertEqual(page.evaluate("window.counts"), ["1", "2", "3", "4"])
        self.wait_until("it is counted once", lambda: page.locator(".countin").is_hidden())
        page.tap('[data-action="record"]')
        self.room(page, "room.send('/tempo', 120)")
        self.state(page, "playing")


if __name__ == "__main__":
    unittest.main()
