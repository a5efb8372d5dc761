"""Pictures of the page at four sizes, and what can be measured of its looks."""

import unittest

from case import PICTURES, BrowserCase

SIZES = {"phone": (390, 844), "phone-on-its-side": (844, 390), "laptop": (1280, 800), "wall": (2560, 1440)}
PANELS = ("kits", "loops", "buildup", "mixer", "people", "settings")
SMALLEST = (320, 568)

# What is wider than its box, and is neither shortened with dots nor scrolled on purpose.
WIDER = """() => [...document.querySelectorAll('#panel-tabs, .note-hands, .keys-parts, .switch, .stepper output, .quick button, .extra button, .note-hands button, .lanename, .segments.many button')]
    .filter((element) => element.checkVisibility() && element.clientWidth > 0 && element.scrollWidth > element.clientWidth)
    .map((element) => `${element.className || element.id || element.tagName} “${element.textContent.trim().slice(0, 30)}” by ${element.scrollWidth - element.clientWidth}`)"""

CONTRAST = """([selector, name]) => {
  const element = document.querySelector(selector);
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const mixed = (...colours) => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
      .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const grounds = [];
  for (let each = name === 'color' ? element : element.parentElement; each; each = each.parentElement) grounds.unshift(getComputedStyle(each).backgroundColor);
  const facts = getComputedStyle(element);
  const first = name === 'color' && facts.backgroundImage.match(/(?:color|rgba?)\\([^)]*\\)/);
  const ground = first ? [first[0]] : grounds;
  const [low, high] = [light(mixed(...ground)), light(mixed(...ground, facts[name]))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


BESIDE_A_BUILD_UP = """() => {
  const box = (selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { x, y, width, height };
  };
  const beat = [...document.querySelectorAll('.time > *')].filter((each) => each.checkVisibility());
  return [box('#room-name'), box('#building'), box('#building-text'), box('#play'), beat.map((each) => each.getBoundingClientRect().right)];
}"""


class LooksTests(BrowserCase):
    def test_pictures(self):
        for name, size in SIZES.items():
            for theme in ("dark", "light"):
                with self.subTest(name=name, theme=theme):
                    page = self.connected(f"/?name={name}-{theme}", size, is_seen=True, color_scheme=theme)
                    page.click('[data-pad="6"]')
                    self.assert_fits(page)
                    page.screenshot(path=PICTURES / f"{name}-{theme}.png")
                    page.context.close()

    def test_nothing_sticks_out_of_the_smallest_phone_and_targets_are_large_enough(self):
        page = self.connected(None, SMALLEST, has_touch=True)
        self.assert_fits(page)
        self.assert_targets(page)
        for panel in PANELS:
            with self.subTest(panel=panel):
                page.click(f'[data-action="{panel}"]')
                page.wait_for_selector("#panel-body > :first-child > *")
                self.assert_fits(page)
                self.assert_targets(page)

    def test_in_every_language_words_fit_small_phones(self):
        for language in ("es", "de", "da", "ja"):
            page = self.connected(f"/?name={self.me}-{language}", SMALLEST, has_touch=True)
            self.in_language(page, language)
            # A note of one's own, for the hands of its editor.
            self.room(page, "room.send('/step/2/5', 1)")
            self.wait_until("a note", lambda page=page: page.evaluate("import('/loop-strip.js').then(({ own }) => own()?.notes.length ?? 0)") > 0)
            for panel in ("piano", "kits", "loops", "settings", "notes", "people"):
                page.evaluate("name => import('/panel.js').then(({ open }) => open(name))", panel)
                page.wait_for_selector("#panel-body > :first-child > *")
                tabs = page.locator("#panel-tabs button")
                for number in range(max(1, tabs.count())):
                    if tabs.count() and tabs.nth(number).get_attribute("aria-pressed") != "true":
                        tabs.nth(number).evaluate("tab => tab.click()")
                    page.wait_for_selector("#panel-body > :first-child > *")
                    page.evaluate("for (const each of document.querySelectorAll('#panel-body details')) each.open = true")
                    for size in (SMALLEST, (390, 844)):
                        with self.subTest(language=language, panel=panel, part=number, size=size):
                            page.set_viewport_size({"width": size[0], "height": size[1]})
                            self.assert_fits(page)
                            self.assert_comes_to([], lambda page=page: page.evaluate(WIDER), "nothing is wider than its place")
            page.context.close()

    def test_on_a_stage_borders_and_the_name_on_a_lit_key_are_seen(self):
        for theme in ("black", "clear"):
            with self.subTest(theme=theme):
                page = self.connected(f"/?name={self.me}-{theme}")
                page.evaluate("""theme => import('/memory.js').then(({ remember }) => {
                  remember('theme', theme);
                  dispatchEvent(new Event('themechoice'));
                })""", theme)
                page.wait_for_selector(f"html[data-look={theme}]", state="attached")
                page.click('[data-action="mixer"]')
                page.wait_for_selector(".channel")
                for selector, side in ((".channel", "Top"), (".tabs", "Left"), (".panel", "Left"), ('[data-pad="1"] .key', "Top")):
                    self.assertGreaterEqual(self.contrast(page, selector, f"border{side}Color"), 3, selector)
                page.click('[data-action="piano"]')
                page.wait_for_selector('.keyboard [data-note="60"]')
                box = self.still_box(page, '.keyboard [data-note="60"]')
                page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
                page.mouse.down()
                page.wait_for_selector('.lit[data-note="60"]')
                self.assertGreaterEqual(self.contrast(page, '.lit[data-note="60"]', "color"), 4.5, "a lit key's name")
                page.mouse.up()
                page.context.close()

    def contrast(self, page, selector, colour):
        """Of an element's colour to its ground: its gradient's first colour, or what is behind."""
        return page.evaluate(CONTRAST, [selector, colour])

    def test_beside_the_loops_buttons_show_their_names_and_sixteen_steps_fit(self):
        page = self.connected(None, (1280, 800))
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        page.wait_for_selector(".step")
        for size in ((900, 700), (1024, 768), (1100, 700), (1280, 800), (1440, 900)):
            with self.subTest(size=size):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                cut = """() => [...document.querySelectorAll('.quick button, .extra button')].filter((button) => {
                    const [box, word] = [button.getBoundingClientRect(), button.querySelector('span').getBoundingClientRect()];
                    return word.left < box.left || word.right > box.right;
                  }).map((button) => button.textContent)"""
                self.assert_comes_to([], lambda cut=cut: page.evaluate(cut), "no name is cut off")
                self.wait_until("no steps are out of sight", lambda: page.locator(".stepscroll").evaluate("box => box.scrollWidth - box.clientWidth") <= 0)

    def test_a_build_up_moves_no_pad_and_leaves_the_rooms_name_and_stop_alone(self):
        for size in (SMALLEST, (390, 844), (568, 320), (844, 390), (768, 1024), (900, 700), (1024, 768), (1100, 700), (1280, 800), (1440, 900), (1920, 1080)):
            with self.subTest(size=size):
                page = self.connected(None, size)
                box = lambda selector: page.locator(selector).bounding_box()  # noqa: E731
                before = self.still_box(page, '[data-pad="1"]')
                there = self.still_box(page, "#play")
                self.room(page, "room.send('/buildup')")
                page.wait_for_selector("#building:not([hidden])")
                # Its words are drawn a frame later.
                self.wait_text(page, "#building-text", lambda text: text != "")
                self.assertEqual(box('[data-pad="1"]'), before)
                # All at one moment: its words change with the beat.
                name, building, words, there_now, ends = page.evaluate(BESIDE_A_BUILD_UP)
                self.assertTrue(building["y"] >= name["y"] + name["height"] or building["x"] >= name["x"] + name["width"] + 12, (name, building))
                self.assert_targets(page, "#play, #building-cancel, .building .drop")
                self.assertLessEqual(words["height"], building["height"], "the words overflow")
                self.assertGreater(words["width"], 80)
                self.assertEqual(there_now, there, "Stop jumps")
                self.assertLessEqual(max(ends), words["x"], "the words cover the beat")
                self.room(page, "room.send('/buildup/cancel')")
                page.wait_for_selector("#building", state="hidden")
                page.context.close()

    def test_the_strips_buttons_are_wide_enough(self):
        page = self.connected(None, (1024, 768))
        page.wait_for_selector(".latch")
        self.assert_targets(page, ".latch")

    def test_a_long_name_and_a_long_word_stay_where_they_belong(self):
        long = self.listener("W" * 32)
        for size in (SMALLEST, (1280, 800)):
            with self.subTest(size=size):
                page = self.connected(None, size)
                page.click('[data-action="mixer"]')
                head = page.locator(f'.channel .head:has(b:text-is("{"W" * 32}"))')
                head.wait_for()
                # All at one moment: whoever comes meanwhile pushes them.
                card, light, name = head.evaluate("head => [head.parentElement, head.querySelector('.clip'), head.querySelector('b')].map((each) => each.getBoundingClientRect().toJSON())")
                self.assertLessEqual(name["x"] + name["width"], light["x"] + 1, "the name runs into its light")
                self.assertLessEqual(light["x"] + light["width"], card["x"] + card["width"] + 1, "the light lies outside its card")
                self.assertLess(abs(light["y"] + light["height"] / 2 - name["y"] - name["height"] / 2), 4, "they are in one line")
                self.assert_fits(page)
                long.send("/chat", "a" * 480)
                page.wait_for_selector("#toast.shown")
                toast = page.locator("#toast").evaluate("line => [line.scrollWidth - line.clientWidth, line.getBoundingClientRect().right - innerWidth, line.clientHeight]")
                self.assertLessEqual(max(toast[:2]), 0, "the message runs out of its toast")
                self.assertLess(toast[2], 110, "it covers more than some lines")
                page.context.close()

    def test_a_message_covers_no_control_and_is_closed_by_hand(self):
        for size in (SMALLEST, (390, 844), (820, 1180), (844, 390), (568, 320), (1024, 768), (1440, 900)):
            page = self.connected(f"/?name={self.me}-{size[0]}-{size[1]}", size, has_touch=True)
            for panel in (None, "loops", "mixer"):
                with self.subTest(size=size, panel=panel):
                    if panel:
                        page.evaluate("name => import('/panel.js').then(({ open }) => open(name))", panel)
                        page.wait_for_selector("#panel-body > :first-child > *")
                    page.evaluate("import('/dom.js').then(({ toast }) => toast('A message '.repeat(12), 60, [['Yes', () => {}], ['No', () => {}]]))")
                    page.wait_for_selector("#toast.shown")
                    self.toast_stands(page)
                    self.assertEqual(self.under(page, "#toast"), [])
                    self.assert_targets(page, "#toast button")
                    page.click('#toast [aria-label="Close"]')
                    self.wait_until("it is closed", lambda page=page: page.locator("#toast.shown").count() == 0)
            page.context.close()

    def test_a_message_that_is_cut_is_shown_whole_by_a_tap(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.evaluate("import('/dom.js').then(({ toast }) => toast('A long message. '.repeat(20), 60))")
        cut = "() => { const text = document.querySelector('.toast-text'); return text.scrollHeight - text.clientHeight > 2; }"
        self.wait_until("it is cut", lambda: page.evaluate(cut))
        page.tap(".toast-text")
        self.wait_until("all of it is there", lambda: not page.evaluate(cut))

    def test_the_wall_shows_as_many_names_as_fit_and_counts_the_rest(self):
        for number in range(24):
            self.listener(f"{self.me}-Somebody-{number}")
        self.listener(f"{self.me}-" + "W" * (31 - len(self.me)))
        for size in ((1080, 1920), (2560, 1440), (1280, 720)):
            with self.subTest(size=size):
                page = self.connected(f"/?name={self.me}#wall", size)
                page.wait_for_selector(".wall-join[hidden]", state="attached")
                # This server is alone on its machine; elsewhere the way to join takes room, too.
                page.evaluate("""() => Promise.all(['join-address', 'room'].map((name) => import(`/${name}.js`))).then(([{ joinCode }, { room }]) => {
                  const join = document.querySelector('.wall-join');
                  join.hidden = false;
                  join.firstChild.replaceChildren(joinCode(join.lastChild.textContent = 'http://192.168.178.20:8080/rooms/kitchen/'));
                  room.tell('connected', [room.name, room.player]);
                })""")
                self.wait_until("everybody is counted", lambda: self.counted(page) == len(self.health()["players"]))
                outside = """() => [...document.querySelectorAll('.wall, .wall *')]
                    .filter((element) => element.checkVisibility() && !element.closest('svg'))
                    .map((element) => [element.className || element.tagName, element.getBoundingClientRect()])
                    .filter(([, box]) => box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
                    .map(([name, box]) => `${name} ${Math.round(box.right)} × ${Math.round(box.bottom)}`)"""
                self.assert_comes_to([], lambda page=page, outside=outside: page.evaluate(outside), "nothing sticks out")
                self.wait_until("no name is cut", lambda: self.cut(page) <= 1)
                page.evaluate("document.querySelector('.wall h2').textContent = 'A room with a long name '.repeat(4)")
                self.wait_until("no name is cut beside a longer line", lambda: self.cut(page) <= 1)
                page.context.close()

    def test_the_wall_shows_loops_with_their_players_each_hit_and_the_chord(self):
        ann, bob = self.listener(f"{self.me}-ann"), self.listener(f"{self.me}-bob")
        for step in (1, 5, 9, 13):
            ann.send(f"/step/1/{step}", 1.0)
        page = self.connected(f"/?name={self.me}#wall", (1280, 720))
        page.wait_for_selector("dialog.wall[open]")
        drawn = """index => {
          const canvas = document.querySelectorAll('.wall-picture canvas')[index];
          return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value, at) => at % 4 === 3 && value > 0);
        }"""
        # Loops of those who were here before may go round beside them.
        rows = lambda: [name for name in page.locator(".wall-rows span").all_text_contents() if name.startswith(f"{self.me}-")]  # noqa: E731
        self.wait_until("the loop has a row with its player's name", lambda: rows() == [f"{self.me}-ann"])
        passing, notes, sparks = range(3)
        self.assertTrue(page.evaluate(drawn, notes), "the notes are drawn")
        for note in (60, 64):
            ann.send(f"/key/{note}", 0.8)
        bob.send("/key/57", 0.8)
        self.wait_text(page, ".wall-chord", lambda text: text == "Am")
        self.wait_until("who has no loop has a row, too", lambda: rows() == [f"{self.me}-ann", f"{self.me}-bob"])

        def seen():
            bob.send("/pad/8", 1.0)
            return page.evaluate(drawn, sparks)

        self.wait_until("a hit is drawn", seen)
        # What no loop keeps stays for a round, as the hits of a groove do.
        self.wait_until("its light is over", lambda: not page.evaluate(drawn, sparks))
        self.assertTrue(page.evaluate(drawn, passing), "the hit is still there")

        def reacted():
            bob.send("/react", "love")
            return page.is_visible(".wall-picture .float")

        self.wait_until("a reaction is seen", reacted)
        for note in (60, 64):
            ann.send(f"/key/{note}", 0.0)
        bob.send("/key/57", 0.0)
        self.wait_text(page, ".wall-chord", lambda text: text == "")
        ann.send("/loop/clear")
        # A long chord fits, also beside the code to join.
        beside = """() => {
          const line = document.querySelector('.wall-tempo').cloneNode(true);
          line.querySelector('.wall-chord').textContent = 'Cmaj7/G';
          document.querySelector('.wall-main').append(line);
          const over = line.querySelector('.wall-chord').getBoundingClientRect().right - document.querySelector('.wall-main').getBoundingClientRect().right;
          line.remove();
          return over <= 3;
        }"""
        page.evaluate("""() => {
          const join = document.querySelector('.wall-join');
          join.hidden = false;
          join.firstChild.style.height = '34vmin';
        }""")
        for size in ((820, 1180), (1024, 768), (1180, 820), (1280, 720)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            self.wait_until(f"the chord fits at {size}", lambda: page.evaluate(beside))

    def cut(self, page):
        return page.locator(".wall-people").evaluate("list => list.scrollHeight - list.clientHeight")

    def counted(self, page):
        # All at once: one that is looked at by itself may be hidden by then.
        names = page.locator(".wall-people li:not([hidden])").all_text_contents()
        more = sum(int(name[1:-5]) for name in names if name.startswith("+"))
        return more + len([name for name in names if not name.startswith("+")])

    def assert_fits(self, page):
        # A busy machine may show a panel before it is laid out; what sticks out for good fails.
        self.wait_until("nothing sticks out", lambda: self.fits(page))

    def fits(self, page):
        wide = page.evaluate("[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight,"
                             " document.getElementById('panel-body').scrollWidth - document.getElementById('panel-body').clientWidth]")
        return max(wide) <= 0

    def assert_targets(self, page, selector="button, select, input:not(.offscreen), [role=slider]"):
        # A busy machine may show what its style has not come for; what is small for good fails.
        small = """selector => [...document.querySelectorAll(selector)]
            .filter((element) => element.checkVisibility() && !element.matches('[role=switch]'))
            .map((element) => [element.textContent || element.ariaLabel || element.type, element.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
            .map(([name, box]) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`)"""
        self.assert_comes_to([], lambda: page.evaluate(small, selector), "nothing is smaller than 44 pixels")


if __name__ == "__main__":
    unittest.main()
