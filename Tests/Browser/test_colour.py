"""Colours of sounds: the same on pads, steps, the strip and patterns; patterns as rhythms that a tap plays; names on the
strip; the dark look."""

import unittest

from case import BrowserCase
from test_loop_strip import PAINTED

# What a kind's shade is in the style sheets: a colour as `rgb(…)`.
SHADE = """tone => {
  const probe = document.createElement('i');
  document.body.append(probe);
  probe.style.color = tone;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}"""

KINDS = """() => Object.fromEntries([...document.querySelectorAll('.pad')].map((pad) => [pad.dataset.pad, pad.dataset.kind]))"""

# The corners of the strip's notes, and its names, of which something is not within the strip: its round corners cut.
CUT = """() => {
  const strip = document.getElementById('loopview');
  const canvas = document.getElementById('loopcanvas');
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const box = canvas.getBoundingClientRect();
  const ratio = width / box.width;
  const isIn = (x, y) => strip.contains(document.elementFromPoint(x, y));
  const out = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isCorner = (x < 16 * ratio || x > width - 16 * ratio) && (y < 16 * ratio || y > height - 16 * ratio);
      if (!isCorner || data[4 * (y * width + x) + 3] < 240) continue;
      if (!isIn(box.x + (x + 0.5) / ratio, box.y + (y + 0.5) / ratio)) out.push([x, y]);
    }
  }
  const edge = strip.getBoundingClientRect();
  for (const name of document.querySelectorAll('.loopnames b')) {
    const { top, bottom } = name.getBoundingClientRect();
    if (name.textContent && (bottom - top < 12 || bottom > edge.bottom || top < edge.top)) out.push([name.textContent, top - edge.top, bottom - edge.bottom]);
  }
  return out;
}"""

SIZES = ((320, 568), (390, 844), (820, 1180), (1024, 768), (1440, 900), (844, 390))


class ColourTests(BrowserCase):
    def send(self, page, *message):
        self.room(page, "room.send(...value)", list(message))

    def shade(self, page, kind, number):
        return page.evaluate(SHADE, f"var(--{kind}-{number % 2})")

    def test_a_pad_has_the_colour_of_its_kind_of_sound_and_gets_another_with_another_sound(self):
        page = self.connected()
        wanted = {"1": "drums", "4": "cymbals", "9": "percussion", "11": "bass", "12": "chords", "13": "lead", "14": "voice", "15": "effects"}
        self.wait_until("all kinds are told", lambda: wanted.items() <= page.evaluate(KINDS).items())
        edges = page.evaluate("[...document.querySelectorAll('.pad')].map((pad) => getComputedStyle(pad).boxShadow.match(/rgb\\([^)]*\\)/)[0])")
        self.assertEqual(len(set(edges[:4])), 3, "kick and clap are two shades of one kind, or neighbours are of two kinds")
        self.send(page, "/pad/1/sample", "starter/11")
        self.wait_until("it is a bass", lambda: page.evaluate(KINDS)["1"] == "bass")

    def test_neighbours_of_one_kind_have_two_shades_however_the_pads_lie(self):
        page = self.connected()
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            self.drawn(page)
            found = page.evaluate("""() => {
              const pads = [...document.querySelectorAll('.pad')].filter((pad) => pad.checkVisibility());
              const columns = Number(document.getElementById('pads').style.getPropertyValue('--columns'));
              const tone = (pad) => pad?.style.getPropertyValue('--tone');
              return pads.filter((pad, index) => (index % columns && tone(pad) === tone(pads[index - 1])) || tone(pad) === tone(pads[index - columns])).map((pad) => pad.dataset.pad);
            }""")
            self.assertEqual(found, [], size)

    def test_a_note_has_the_colour_of_its_sound_on_the_strip_in_the_steps_and_in_the_editor(self):
        page = self.connected()
        for pad in (1, 11):
            self.room(page, "room.set(`/step/${value}/3`, 1)", pad)
        wanted = {self.shade(page, kind, pad) for kind, pad in (("drums", 1), ("bass", 11))}
        self.wait_until("both are on the strip", lambda: wanted <= set(page.evaluate(PAINTED)))
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        # The steps come a frame after their tab.
        edge = lambda pad: page.evaluate("""pad => {
          const step = document.querySelector(`.step[data-row="${pad}"][data-step="3"]`);
          return step ? getComputedStyle(step, '::before').boxShadow : '';
        }""", pad)  # noqa: E731
        for kind, pad in (("drums", 1), ("bass", 11)):
            self.wait_until(f"{kind} among the steps", lambda kind=kind, pad=pad: self.shade(page, kind, pad) in edge(pad))
        # The layer keeps the sound that it was played with, whatever the pad has now.
        self.send(page, "/pad/1/sample", "starter/14")
        self.wait_until("the pad is a voice", lambda: page.evaluate(KINDS)["1"] == "voice")
        self.send(page, "/loop/notes")
        self.drawn(page)
        self.assertTrue(wanted <= set(page.evaluate(PAINTED)))
        # It would go round beside those of the next tests.
        self.send(page, "/loop/clear")
        page.wait_for_selector("body[data-loop=empty]")

    def test_another_kind_of_colours_is_chosen_in_the_settings_and_kept(self):
        page = self.connected()
        before = self.shade(page, "drums", 0)
        page.click('[data-action="settings"]')
        page.click('#panel-tabs button:text-is("This page")')
        self.assertEqual(page.locator(".kinds li").count(), 8, "which colour is which kind")
        page.click('button:text-is("For every eye")')
        self.wait_until("other colours", lambda: self.shade(page, "drums", 0) != before)
        after = self.shade(page, "drums", 0)
        page.reload()
        self.wait_connected(page)
        self.assertEqual(self.shade(page, "drums", 0), after)

    def test_kits_show_their_sixteen_sounds_and_sounds_their_kind(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        spots = """() => [...document.querySelectorAll('[data-kit="starter"] .swatch i')].map((spot) => spot.style.backgroundColor)"""
        self.wait_until("sixteen", lambda: len(page.evaluate(spots)) == 16)
        colours = page.evaluate(spots)
        self.assertIn("drums", colours[0])
        self.assertIn("bass", colours[10])
        page.click("#panel-tabs >> text=Sounds")
        page.wait_for_selector('[data-sound="starter/11"] .spot')
        self.assertIn("bass", page.evaluate("document.querySelector('[data-sound=\"starter/11\"] .spot').style.backgroundColor"))

    # ---- Names on the strip.

    def test_the_strip_names_whose_row_it_is_once_somebody_else_plays(self):
        page = self.connected()
        bob = self.listener()
        self.assertTrue(page.locator(".loopnames").is_hidden(), "nobody plays")
        self.send(page, "/step/1/1", 1.0)
        bob.send("/step/2/5", 1.0)
        names = lambda: page.locator(".loopnames b").all_text_contents()  # noqa: E731
        for size in SIZES:
            with self.subTest(size=size):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                self.wait_until("both are named", lambda: names() == [self.me, self.other])
                marks = page.evaluate("[...document.querySelectorAll('.loopnames b')].map((name) => getComputedStyle(name).borderInlineStartColor)")
                self.assertGreaterEqual(len(set(marks)), 2, "everybody's colour")
                boxes = page.evaluate("""() => [document.getElementById('loopcanvas'), document.querySelector('.loopnames')].map((each) => {
                  const { x, width, right } = each.getBoundingClientRect();
                  return [x, width, right];
                })""")
                self.assertLessEqual(boxes[1][2], boxes[0][0] + 0.5, "no name covers a note")
        for sender in (bob.send, lambda *message: self.send(page, *message)):
            sender("/loop/clear")
        self.wait_until("nobody plays any more", lambda: page.locator(".loopnames").is_hidden())

    def test_what_hands_and_lanes_play_is_seen_until_the_playhead_comes_back(self):
        page = self.connected()
        bob = self.listener()
        bob.send("/play")
        self.wait_until("it plays", lambda: self.room(page, "room.get('/play')") > 0)
        self.beats_later(page, 1)
        bob.send("/pad/11", 1.0)
        bass = self.shade(page, "bass", 11)
        self.wait_until("a hand's hit", lambda: bass in page.evaluate(PAINTED))
        self.assertIn(self.other, page.locator(".loopnames b").all_text_contents())
        self.assertEqual(page.text_content("#looptext"), "Play, then Catch; or New loop", "no loop goes round")
        self.room(page, "room.set('/tempo', 240)")
        self.wait_until("it is gone after a round", lambda: bass not in page.evaluate(PAINTED))
        self.room(page, "room.set('/tempo', 120)")

    def test_chords_of_keys_are_on_the_strip_with_their_player_s_name(self):
        page = self.connected()
        bob = self.listener()
        bob.send("/play")
        self.wait_until("it plays", lambda: self.room(page, "room.get('/play')") > 0)
        is_known = "import('/beat.js').then(({ position }) => position() !== null)"
        self.wait_until("the beat is known", lambda: page.evaluate(is_known))
        for note in (60, 64, 67):
            bob.send("/key", note, 1.0)
        wanted = {self.shade(page, "chords", note + 17) for note in (60, 64, 67)}
        self.wait_until("a chord", lambda: wanted <= set(page.evaluate(PAINTED)))
        self.assertIn(self.other, page.locator(".loopnames b").all_text_contents())
        for note in (60, 64, 67):
            bob.send("/key", note, 0.0)

    def test_what_who_has_left_plays_on_keeps_its_colours_and_its_name_for_who_comes_later(self):
        bob = self.listener()
        # Its parts are on lanes: no loop tells their sounds.
        bob.send("/groove")
        self.assertIsNotNone(bob.wait_for("/hit", lambda player, *_: player == self.other))
        bob.send("/bye")
        page = self.connected()
        for kind in ("drums", "bass", "chords"):
            shades = {self.shade(page, kind, number) for number in (0, 1)}
            self.wait_until(f"{kind} have their colour", lambda shades=shades: shades & set(page.evaluate(PAINTED)))
        self.assertIn(self.other, page.locator(".loopnames b").all_text_contents())
        colour = page.evaluate("name => import('/people.js').then(({ colourOf }) => colourOf(name))", self.other)
        self.assertNotEqual(colour, page.evaluate("import('/people.js').then(({ colourOf }) => colourOf('nobody at all'))"))
        self.send(page, "/kick", self.other)

    def test_the_strip_cuts_no_note_and_no_name(self):
        page = self.connected()
        others = [self.listener(f"{self.other}{each}") for each in "xy"]
        # The lowest and the highest pad, at both ends of the bar.
        for send in (lambda *message: self.send(page, *message), *(other.send for other in others)):
            for pad, step in ((1, 1), (1, 16), (16, 1), (16, 16)):
                send(f"/step/{pad}/{step}", 1.0)
        names = lambda: page.locator(".loopnames b").all_text_contents()  # noqa: E731
        self.wait_until("three are named", lambda: len([name for name in names() if name]) == 3)
        self.send(page, "/loop/stop")
        for size in SIZES:
            # A lower page has a lower strip.
            has_names = size[1] >= 640
            for text in ("Stopped", ""):
                with self.subTest(size=size, text=text):
                    page.set_viewport_size({"width": size[0], "height": size[1]})
                    self.send(page, "/loop/stop" if text else "/loop/play")
                    self.wait_text(page, "#looptext", lambda found, text=text: found == text)
                    self.drawn(page)
                    if has_names:
                        self.wait_until("all are named", lambda: len([name for name in names() if name]) == 3)
                    cut = page.evaluate(CUT)
                    self.assertEqual(cut, [], "cut by the strip's edge")
        for send in (lambda *message: self.send(page, *message), *(other.send for other in others)):
            send("/loop/clear")

    # ---- Patterns.

    def patterns(self, size=(1280, 800), **options):
        page = self.connected(None, size, **options)
        page.evaluate("import('/panel.js').then(({ open }) => open('loops'))")
        page.click("#panel-tabs >> text=Patterns")
        page.wait_for_selector('.block-list [data-block="rock push"] svg path', state="attached")
        return page

    def test_a_pattern_is_drawn_as_its_rhythm_in_the_colours_of_its_sounds(self):
        page = self.patterns()
        self.wait_until("all are drawn", lambda: page.evaluate(
            "[...document.querySelectorAll('.block-list .block')].every((block) => block.querySelector('svg path'))"))
        drawn = page.evaluate("""() => [...document.querySelectorAll('.block-list [data-block="rock straight"] path')]
          .map((path) => [path.style.fill, path.getAttribute('d').match(/M[\\d.]+/g).map((start) => Number(start.slice(1)))])""")
        hats = next(starts for fill, starts in drawn if "cymbals" in fill)
        self.assertEqual(hats, [0, 25, 50, 75, 100, 125, 150, 175], "eighths of one bar")
        self.assertEqual(sum(len(starts) for fill, starts in drawn if "drums" in fill), 4, "two kicks, two snares")

    def test_all_patterns_fit_the_shelf(self):
        for size in SIZES:
            page = self.patterns(size)
            far = page.evaluate("""() => {
              const body = document.getElementById('panel-body');
              const edge = body.getBoundingClientRect();
              const out = [...document.querySelectorAll('.block-list .block')].filter((block) => {
                const box = block.getBoundingClientRect();
                return box.left < edge.left || box.right > edge.right + 0.5 || box.height < 44;
              });
              return [body.scrollWidth - body.clientWidth, out.length, document.querySelectorAll('.block-list .block').length > 20];
            }""")
            self.assertEqual(far, [0, 0, True], size)
            page.context.close()

    def test_a_tap_plays_a_pattern_for_everybody_from_the_next_bar_and_another_takes_its_place(self):
        page = self.patterns()
        bob = self.listener()
        page.click('.block-list [data-block="rock straight"]')
        page.wait_for_selector('.lane[data-state=looping] [data-block="rock straight"]')
        _, pad, _, _, beat = self.heard(bob)
        self.assertEqual((pad, round(beat, 2) % 1), (1, 0), "the kick, on a bar line")
        self.wait_text(page, '.block-list [data-block="rock straight"] small', lambda text: text == "Goes round")
        page.click('.block-list [data-block="rock push"]')
        page.wait_for_selector('.lane[data-state=looping] [data-block="rock push"]')
        page.wait_for_selector('.block-list [data-block="rock straight"]:not(.sounding)')
        page.focus('.block-list [data-block="rock push"]')
        page.keyboard.press(" ")
        page.wait_for_selector('.block-list [data-block="rock push"]:not(.sounding)')
        self.assertEqual(page.locator(".lane[data-state=looping]").count(), 0)

    # ---- Dark and light.

    def test_the_page_is_dark_where_the_system_is_until_somebody_chooses(self):
        for path in (None, "/trust.html"):
            page = self.open(path, color_scheme="dark")
            ground = "getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"
            bars = "[...document.querySelectorAll('meta[name=theme-color]')].map((meta) => meta.content)"
            self.assertEqual(page.evaluate(ground), "#151412")
            page.emulate_media(color_scheme="light")
            self.wait_until("light", lambda page=page: page.evaluate(ground) == "#f6f4f0")
            page.emulate_media(color_scheme="dark")
            page.evaluate("localStorage.setItem('bandshell theme', JSON.stringify('light')); dispatchEvent(new Event('themechoice'))")
            self.assertEqual(page.evaluate(ground), "#f6f4f0")
            self.assertEqual(page.evaluate(bars), ["#f6f4f0"] * 2, "the browser's own bars follow the page")


if __name__ == "__main__":
    unittest.main()
