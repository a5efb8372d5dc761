"""A page on which nothing changes draws nothing; the playhead moves all the same."""

from case import BrowserCase

# Counts the frames that the page asks for.
COUNT = """(() => {
  const ask = requestAnimationFrame.bind(window);
  window.asked = 0;
  window.requestAnimationFrame = (call) => {
    window.asked += 1;
    return ask(call);
  };
})();"""

# The playhead's motion: whether it runs, and by how many milliseconds it is off the beat.
HEAD = """async () => {
  const [{ position, beatMilliseconds }, { room }] = await Promise.all([import('/beat.js'), import('/room.js')]);
  const head = document.querySelector('#loopview i');
  const [motion] = head.getAnimations();
  if (!motion) return { runs: false, isHidden: head.hidden };
  const { duration } = motion.effect.getTiming();
  // Nobody has a loop: the strip shows the bars that one would have.
  const beats = room.get('/loop/bars', 4) * 4;
  const now = position();
  const at = document.timeline.currentTime === null ? 0 : performance.now() - document.timeline.currentTime;
  const done = now && ((now.beats % beats) * beatMilliseconds());
  const off = now && (((motion.currentTime + at - done) % duration) + 1.5 * duration) % duration - duration / 2;
  return { runs: motion.playState === 'running', isHidden: head.hidden, off, duration, whole: beats * beatMilliseconds() };
}"""


class FrameTests(BrowserCase):
    draws_each_frame = True

    def test_a_page_that_rests_asks_for_a_few_frames_a_beat(self):
        page = self.open()
        page.add_init_script(COUNT)
        page.reload()
        self.wait_connected(page)
        self.still("what was loaded is drawn", lambda: page.evaluate("document.querySelectorAll('script, link').length"))
        self.wait_until("the playhead runs", lambda: page.evaluate(HEAD)["runs"])
        self.beats_later(page, 4)
        before = page.evaluate("asked")
        start = self.room(page, "import('/beat.js').then(({ position }) => position().beats)")
        self.beats_later(page, 8)
        end, after = self.room(page, "import('/beat.js').then(({ position }) => position().beats)"), page.evaluate("asked")
        # A frame each would be thirty a beat, at 120 bpm.
        self.assertLess((after - before) / (end - start), 10)

    def test_the_playhead_follows_the_beat_another_tempo_and_the_stop(self):
        page = self.connected()
        self.wait_until("the playhead runs", lambda: page.evaluate(HEAD)["runs"])
        for tempo in (120, 90):
            self.room(page, "room.send('/tempo', value)", tempo)
            self.wait_until(f"it takes as long as the bars at {tempo}", lambda: (
                (head := page.evaluate(HEAD))["runs"] and abs(head["duration"] - 16 * 60_000 / tempo) < 1 and abs(head["off"]) < 40))
        page.click("#play")
        self.wait_until("it is gone", lambda: page.evaluate(HEAD) == {"runs": False, "isHidden": True})
        page.click("#play")
        self.wait_until("it is back", lambda: page.evaluate(HEAD)["runs"])
