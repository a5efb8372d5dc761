"""Pads as pictures: their sounds, who hits them, fingers that slide, and the row beside them."""

import unittest

from case import BrowserCase

# How many pixels of a pad's canvas are painted, in all or where `x` parts of its width lie.
PAINTED = """([number, from, to]) => {
  const canvas = document.querySelector(`[data-pad="${number}"] canvas`);
  const { width, height } = canvas;
  const [left, wide] = [Math.floor(from * width), Math.max(1, Math.floor((to - from) * width))];
  const { data } = canvas.getContext('2d').getImageData(left, 0, wide, height);
  let count = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 20) count += 1;
  return count / (wide * height);
}"""

APART = """async () => {
  const { apart, playersColour } = await import('/palette.js');
  const hexes = HEXES;
  const found = [];
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event('themechange'));
    const twenty = hexes.slice(0, 20).map(playersColour);
    let nearest = 9;
    for (const [index, a] of twenty.entries()) for (const b of twenty.slice(index + 1)) nearest = Math.min(nearest, apart(a, b));
    found.push([theme, nearest]);
  }
  return found;
}"""


# A hit of a second, drawn piece by piece and then at once: how many pixels are painted, and the share of them that differs.
IN_PIECES = """async () => {
  const { pads } = await import('/pads.js');
  const pad = pads[0];
  const { width, height } = pad.canvas;
  const look = () => pad.canvas.getContext('2d').getImageData(0, 0, width, height).data;
  pad.ring('#ff0000', 0, 1000);
  pad.ring('#0000ff', 1, 1500);
  const start = pad.rings[0].start;
  return [250, 500, 980].map((until) => {
    for (let passed = 0; passed <= until; passed += 10) pad.draw(start + passed);
    const pieces = look();
    pad.renew();
    pad.draw(start + until);
    const whole = look();
    let [painted, off] = [0, 0];
    for (let at = 3; at < whole.length; at += 4) {
      if (whole[at] > 20 || pieces[at] > 20) painted += 1;
      if (Math.abs(whole[at] - pieces[at]) > 80 || Math.abs(whole[at - 3] - pieces[at - 3]) > 80) off += 1;
    }
    return [painted, off / painted];
  });
}"""


class PadPictureTests(BrowserCase):
    def painted(self, page, number, begin=0, end=1):
        return page.evaluate(PAINTED, [number, begin, end])

    def touch(self, page, kind, x, y, finger=1):
        page.evaluate("""([kind, x, y, finger]) => {
          const target = document.elementFromPoint(x, y);
          target.dispatchEvent(new PointerEvent(kind, { pointerId: finger, pointerType: 'touch', clientX: x, clientY: y, bubbles: true, cancelable: true, isPrimary: true, button: kind === 'pointermove' ? -1 : 0, buttons: kind === 'pointerup' ? 0 : 1 }));
        }""", [kind, x, y, finger])

    def middle(self, page, number):
        box = page.locator(f'[data-pad="{number}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def test_each_pad_shows_its_sound_and_how_far_it_has_come(self):
        page = self.connected()
        self.wait_until("waveforms are drawn", lambda: all(self.painted(page, number) > 0.02 for number in (1, 2, 3)))
        asked = page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.includes('/waveforms/')).length")
        self.assertEqual(asked, 1, "one answer for all sixteen pads")
        still = self.still("the picture", lambda: self.painted(page, 1))
        # A long sound, so that there is time to look.
        self.room(page, "room.send('/pad/1/stretch', 4)")
        self.wait_until("it is longer", lambda: self.room(page, "room.get('/pad/1/seconds') > 0.6"))
        # By the page itself: a look from here may come when it is over.
        page.evaluate("() => { window.most = 0; const painted = %s; (function look() { most = Math.max(most, painted([1, 0, 1])); requestAnimationFrame(look); })(); }" % PAINTED)
        page.click('[data-pad="1"]')
        self.wait_until("it plays", lambda: page.evaluate("most") > still)
        # A hit on an empty place leaves what was drawn.
        self.wait_until("it rests", lambda: abs(self.painted(page, 1) - still) < 0.02)

    def test_what_is_drawn_piece_by_piece_is_the_picture_that_is_drawn_at_once(self):
        for size in ((390, 844), (1280, 800), (844, 390)):
            with self.subTest(size=size):
                page = self.connected(f"/?name={self.me}-{size[0]}", size=size)
                self.wait_until("waveforms are drawn", lambda: self.painted(page, 1) > 0.02)
                for painted, off in page.evaluate(IN_PIECES):
                    self.assertGreater(painted, 100)
                    self.assertLess(off, 0.02)

    def test_another_sound_draws_another_picture(self):
        page = self.connected()
        self.wait_until("it is drawn", lambda: self.painted(page, 2) > 0.02)
        before = page.evaluate("document.querySelector('[data-pad=\"2\"] canvas').toDataURL()")
        self.room(page, "room.send('/pad/2/sample/next')")
        self.wait_until("another picture", lambda: page.evaluate("document.querySelector('[data-pad=\"2\"] canvas').toDataURL()") != before)

    def test_a_pad_that_is_emptied_has_no_picture_and_its_settings_have_none(self):
        page = self.connected()
        page.click('[data-pad="8"]', button="right")
        page.wait_for_selector(".wave:not([hidden])")
        self.wait_until("it is drawn", lambda: self.painted(page, 8) > 0.02)
        page.click("#panel-body >> text=Empty it")
        self.wait_until("the pad is blank", lambda: self.painted(page, 8) == 0)
        page.wait_for_selector(".wave", state="hidden")
        self.wait_text(page, "#panel-body .head", lambda text: text == "8 · Empty")

    def test_who_hit_a_pad_is_told_by_name_and_colour(self):
        page = self.connected()
        bob = self.listener()
        bob.send("/pad/5", 1.0)
        page.wait_for_selector('[data-pad="5"] .who:not([hidden])')
        self.assertEqual(page.text_content('[data-pad="5"] .who'), self.other)
        page.wait_for_selector('[data-pad="5"] .who', state="hidden")
        page.click('[data-pad="5"]')
        page.wait_for_timeout(100)
        self.assertTrue(page.locator('[data-pad="5"] .who').is_hidden(), "one's own name is known")

    def test_a_hit_pad_lights_up_in_the_colour_of_its_sound(self):
        page = self.connected()
        bob = self.listener()
        for pad, kind in ((1, "drums"), (11, "bass")):
            bob.send(f"/pad/{pad}", 1.0)
            page.wait_for_selector(f'[data-pad="{pad}"] .who:not([hidden])')
            lit, wanted = page.evaluate("""([pad, kind]) => Promise.all([import('/kind.js'), import('/pads.js')]).then(([{ shadeOf }, { pads }]) => {
              const light = getComputedStyle(document.querySelector(`[data-pad="${pad}"] .hitlight`)).backgroundColor;
              const hex = shadeOf(kind, pads[pad - 1].shade);
              return [light.match(/\\d+/g).slice(0, 3).map(Number), [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))];
            })""", [pad, kind])
            self.assertEqual(lit, wanted)

    def test_the_name_of_who_hits_covers_neither_the_pad_s_number_nor_its_key(self):
        for size in ((1440, 900), (1024, 768), (1024, 520), (1280, 640)):
            with self.subTest(size=size):
                self.setUp()
                page = self.connected(size=size)
                bob = self.listener(f"{self.other} the bassist")
                for pad in (1, 8):
                    bob.send(f"/pad/{pad}", 1.0)
                    page.wait_for_selector(f'[data-pad="{pad}"] .who:not([hidden])')
                    found = page.evaluate("""pad => {
                      const part = (selector) => document.querySelector(`[data-pad="${pad}"] ${selector}`).getBoundingClientRect();
                      const who = part('.who');
                      const covers = ['.key', '.number', '.name'].filter((selector) => {
                        const box = part(selector);
                        const right = selector === '.number' ? box.left + 18 : box.right;
                        return box.width && who.left < right && box.left < who.right && who.top < box.bottom && box.top < who.bottom;
                      });
                      return [part('.key').width > 0, who.width >= 30, covers];
                    }""", pad)
                    self.assertEqual(found, [True, True, []], pad)
                page.context.close()

    def test_twenty_players_are_told_apart(self):
        page = self.connected()
        hexes = ("a83634 119c82 8c3f91 848f0a 385db8 c9690c 0f7079 c95a8b 107823 8e71d6 7e5e01 0891c9 d15c56 017460 b263b7 626a09"
                 " 5981e0 964c04 1697a3 a13567 409d48 6b4cae a97f05 006c97").split()
        found = page.evaluate(APART.replace("HEXES", str([f"#{each}" for each in hexes])))
        for theme, nearest in found:
            with self.subTest(theme=theme):
                self.assertGreater(nearest, 0.04)
        # These are the server's.
        self.assertIn(self.health()["players"][-1]["colour"].lstrip("#"), hexes)

    def test_a_finger_that_slides_plays_each_pad_on_its_way_once(self):
        page = self.connected(None, (390, 844), has_touch=True)
        bob = self.listener()
        self.touch(page, "pointerdown", *self.middle(page, 1))
        self.assertEqual(self.heard(bob)[1], 1)
        for number in (2, 4):
            x, y = self.middle(page, number)
            self.touch(page, "pointermove", x, y)
            self.touch(page, "pointermove", x + 2, y)
            self.assertEqual(self.heard(bob)[1], number)
        self.assertEqual(page.locator(".pad.pressed").count(), 1)
        self.touch(page, "pointerup", *self.middle(page, 4))
        self.assertEqual(page.locator(".pad.pressed").count(), 0)
        # Without a finger down nothing plays.
        self.touch(page, "pointermove", *self.middle(page, 1))
        page.click('[data-pad="6"]')
        self.assertEqual(self.heard(bob)[1], 6)

    def test_a_mouse_slides_too(self):
        page = self.connected()
        bob = self.listener()
        page.mouse.move(*self.middle(page, 1))
        page.mouse.down()
        page.mouse.move(*self.middle(page, 2), steps=4)
        page.mouse.up()
        self.assertEqual([self.heard(bob)[1] for _ in range(2)], [1, 2])

    def test_where_a_pad_is_touched_says_how_loud_by_one_tap(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-action="touch"]')
        box = page.locator('[data-pad="1"]').bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9)
        self.assertLess(self.heard(bob)[2], 0.35)
        page.click('[data-action="touch"]')
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9)
        self.assertEqual(self.heard(bob)[2], 1)

    def test_a_rate_makes_every_held_pad_repeat_and_a_second_tap_ends_it(self):
        page = self.connected()
        bob = self.listener()
        bob.send("/play")
        page.click('[data-rate="1/16"]')
        page.wait_for_selector('[data-rate="1/16"][aria-pressed=true]')
        page.mouse.move(*self.middle(page, 3))
        page.mouse.down()
        beats = [self.heard(bob, 3)[4] for _ in range(4)]
        page.mouse.up()
        self.assertEqual({round(beat * 4) / 4 == round(beat, 3) for beat in beats}, {True}, beats)
        page.click('[data-rate="1/16"]')
        page.wait_for_selector('[data-rate="1/16"][aria-pressed=false]')
        self.assertEqual(self.room(page, "room.get('/repeat/all')"), 0)

    def test_choke_takes_touches_instead_of_playing_them(self):
        page = self.connected()
        page.click('[data-action="choke"]')
        for number in (2, 3):
            page.click(f'[data-pad="{number}"]')
        page.wait_for_selector('[data-pad="3"].chokes')
        self.wait_until("they are a group", lambda: self.room(page, "[2, 3].every((pad) => room.get(`/pad/${pad}/choke`) > 0)"))
        self.assertEqual(page.locator(".pad.pressed").count(), 0)
        page.keyboard.press("Escape")
        page.wait_for_selector('[data-action="choke"][aria-pressed=false]')
        bob = self.listener()
        page.click('[data-pad="2"]')
        self.assertEqual(self.heard(bob)[1], 2)


if __name__ == "__main__":
    unittest.main()
