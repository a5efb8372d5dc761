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

# Counts the notes that are drawn on pictures of the strip's size, apart by whether the page shows that picture.
DRAWN = """() => {
  const draw = CanvasRenderingContext2D.prototype.fillRect;
  const strip = document.getElementById('loopcanvas');
  window.drawn = { loops: 0, hits: 0 };
  CanvasRenderingContext2D.prototype.fillRect = function (...box) {
    const { canvas } = this;
    if (canvas.width === strip.width && canvas.height === strip.height) drawn[canvas === strip ? 'hits' : 'loops'] += 1;
    return draw.apply(this, box);
  };
}"""

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

    def test_hits_of_hands_draw_no_loop_anew(self):
        page, bob = self.connected(), self.listener()
        self.room(page, "{ room.set('/loop/bars', 4); room.set('/tempo', 60); }")
        for step in range(1, 17):
            self.room(page, "room.set(`/step/1/${value}`, 1)", step)
        page.wait_for_selector("body[data-loop=playing]")
        page.evaluate(DRAWN)
        # Who plays for the first time gets a row, which lays all rows anew.
        bob.send("/pad/2", 1.0)
        self.wait_until("the rows are laid and its hit is drawn", lambda: page.evaluate("drawn.hits > 0 && drawn.loops > 16"))
        self.still("the rows", lambda: page.evaluate("drawn.loops"))
        before = page.evaluate("drawn")
        for _ in range(20):
            bob.send("/pad/2", 1.0)
            self.drawn(page)
        self.wait_until("they are drawn", lambda: page.evaluate("drawn.hits") > before["hits"] + 20)
        # Each hit would draw all sixteen notes. The view comes round meanwhile, which does so once.
        self.assertLess(page.evaluate("drawn.loops") - before["loops"], 20 * 16 // 2)
