"""The first screen: what is there, whose it is, and what one tap on More brings."""

import unittest

from case import BrowserCase
from test_ten_tasks import IN_SIGHT

FIRST = ("record", "catch", "undo", "redo", "build", "more")
TABS = ("kits", "piano", "loops", "buildup", "mixer", "people", "settings")
BEHIND = ("stop", "mute", "overdub", "tidy", "metronome", "pads", "sample", "history", "leave", "react")
# Upright, on its side, and what is left of a laptop, a tablet and a desk at 200 %.
SIZES = ((320, 568), (390, 844), (820, 1180), (1024, 768), (1440, 900), (844, 390), (568, 320), (683, 384), (410, 590), (640, 400), (960, 540))
# Eight pads, the strip, the greeting over it with Invite, the four of the head, Record, Undo, Build, More and the seven
# tabs. Catch comes beside them where somebody has played, and the × of a hint.
MOST = 28

# What a finger can touch, as things lie.
TOUCHABLE = """() => [...document.querySelectorAll('button, a[href], input, select, [role=slider]')].filter((each) =>
  each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.ariaDisabled !== 'true' && each.getClientRects().length
  && !each.matches('.offscreen')).map((each) => each.dataset.action || each.dataset.pad || each.id || each.textContent)"""

WIDER = """() => [...document.querySelectorAll('.quick button, .extra button, .tabs button, #play')].filter((each) => each.checkVisibility())
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map((each) => `${each.textContent} by ${each.scrollWidth - each.clientWidth} × ${each.scrollHeight - each.clientHeight}`)"""


class CalmTests(BrowserCase):
    def beginner(self, size, **options):
        """A page of somebody who has not been here before."""
        page = self.connected(None, size, fresh=True, has_touch=size[0] < 1024, **options)
        page.wait_for_selector("#more", state="hidden")
        return page

    def in_sight(self, page, selector):
        return page.locator(selector).first.evaluate(IN_SIGHT)

    def test_a_phones_first_screen_has_few_things_to_touch(self):
        page = self.beginner((390, 844))
        things = page.evaluate(TOUCHABLE)
        self.assertLessEqual(len(things), MOST, things)
        for name in BEHIND:
            self.assertNotIn(name, things)

    def test_at_every_size_it_has_all_of_them_whole_and_large_enough(self):
        for size in SIZES:
            with self.subTest(size=size):
                page = self.beginner(size)
                for name in (*FIRST, *TABS, "project", "listen", "beat"):
                    selector = f'[data-action="{name}"]'
                    self.assertTrue(self.in_sight(page, selector), name)
                    box = page.locator(selector).bounding_box()
                    self.assertGreaterEqual(min(box["width"], box["height"]), 43.5, name)
                # In a silent room the greeting lies over the strip.
                strip = "#welcome [data-action=groove]" if page.is_visible("#welcome") else "#loopview"
                for selector in ("#play", strip, *(f'[data-pad="{number}"]' for number in range(1, 9))):
                    self.assertTrue(self.in_sight(page, selector), selector)
                page.context.close()

    def test_one_tap_on_more_brings_the_rest_and_this_device_remembers_it(self):
        for size in SIZES:
            with self.subTest(size=size):
                page = self.beginner(size)
                there = page.locator('[data-action="more"]').bounding_box()
                page.click('[data-action="more"]')
                page.wait_for_selector('[data-action="more"][aria-expanded=true]')
                for selector in ("#playrow [data-rate='1/16']", "[data-action=touch]", "[data-action=choke]", "#perform .scene:visible",
                                 *(f'[data-action="{name}"]' for name in BEHIND)):
                    element = page.locator(selector).first
                    element.wait_for()
                    # The lowest screens have it behind a scroll.
                    if not element.evaluate(IN_SIGHT):
                        element.scroll_into_view_if_needed()
                        self.assertTrue(element.evaluate(IN_SIGHT), selector)
                    box = element.bounding_box()
                    self.assertGreaterEqual(min(box["width"], box["height"]), 43.5, selector)
                # Pitch and filter, and mutes, by themselves or behind a button.
                self.assertTrue(page.is_visible("#strips") or page.is_visible('#perform [data-action="strips"]'))
                self.assertTrue(page.is_visible(".mutes") or page.is_visible('#perform [data-action="mutes"]'))
                self.assertEqual(page.locator('[data-action="more"]').bounding_box(), there, "More stays under the finger")
                for number in range(1, 9):
                    pad = f'[data-pad="{number}"]'
                    # What lies around the pads comes by and by.
                    self.wait_until(f"pad {number} is large enough", lambda page=page, pad=pad: (
                        (box := page.locator(pad).bounding_box()) and min(box["width"], box["height"]) >= 40))
                    self.assertTrue(self.in_sight(page, pad), number)
                page.reload()
                self.wait_connected(page)
                page.wait_for_selector("#more")
                page.click('[data-action="more"]')
                page.wait_for_selector("#more", state="hidden")
                self.assertEqual(page.evaluate("localStorage.getItem('bandshell more')"), "false")
                page.context.close()

    def test_more_moves_no_pad_to_another_row(self):
        rows = "() => { const grid = document.getElementById('pads'); return [grid.style.getPropertyValue('--columns'), grid.style.getPropertyValue('--rows')]; }"
        letters = "() => [...document.querySelectorAll('#pads kbd')].map((each) => each.textContent)"
        for size in ((1024, 768), (1180, 820), (1280, 800), (390, 844)):
            with self.subTest(size=size):
                page = self.beginner(size)
                before, keys = page.evaluate(rows), page.evaluate(letters)
                page.click('[data-action="more"]')
                page.wait_for_selector("#more")
                shape = page.locator("#pads [data-pad]").first.bounding_box()
                self.assertEqual((page.evaluate(rows), page.evaluate(letters)), (before, keys))
                self.assertGreaterEqual(min(shape["width"], shape["height"]), 44)
                page.context.close()

    def test_on_a_phone_more_comes_back_from_under_a_panel(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.tap('[data-action="loops"]')
        page.wait_for_selector("#more", state="hidden")
        page.tap('[data-action="more"]')
        page.wait_for_selector("#more")
        self.assertTrue(page.is_hidden("#panel"))

    def test_on_a_phone_on_its_side_what_is_said_lies_in_the_strip_also_when_more_opens(self):
        page = self.beginner((844, 390))
        page.tap("#welcome [data-action=groove]")
        page.wait_for_selector("#groove:not([hidden])")
        # A hint that comes later would lay everything anew.
        page.wait_for_selector(".hint:not([hidden])")
        page.evaluate("import('/dom.js').then(({ toast }) => toast('It stays.', 60))")
        for on in ("true", "false"):
            page.tap('[data-action="more"]')
            page.wait_for_selector(f'[data-action="more"][aria-expanded={on}]')
            # At once: a wait would see the hint go.
            self.drawn(page)
            self.assertEqual(self.under(page, ".said"), [])
        # The groove would go round for the next test.
        self.room(page, "room.send('/undo')")
        page.wait_for_selector("#groove", state="hidden")

    def test_a_long_button_leaves_a_message_its_words(self):
        page = self.beginner((390, 844))
        page.evaluate("""import('/dom.js').then(({ t, toast }) =>
          toast(t("It records the room: the microphone needs a secure address."), 60, [[t("How to make this address secure"), () => {}]]))""")
        words = page.locator("#toast .toast-text")
        words.wait_for()
        self.assertTrue(words.evaluate("(words) => words.scrollHeight <= words.clientHeight"), "it is cut")

    def test_more_is_marked_while_something_behind_it_is_on(self):
        page = self.beginner((390, 844))
        for address in ("/metronome", "/mute", "/repeat/all"):
            self.room(page, "room.set(value, 1)", address)
            page.wait_for_selector('[data-action="more"].some')
            self.room(page, "room.set(value, 0)", address)
            page.wait_for_selector('[data-action="more"]:not(.some)')

    def test_redo_is_dark_until_there_is_something_to_redo(self):
        page = self.beginner((390, 844))
        dark, bright = '[data-action="redo"][aria-disabled=true]', '[data-action="redo"][aria-disabled=false]'
        page.wait_for_selector(dark)
        undo, redo = (page.locator(f'[data-action="{name}"]').bounding_box() for name in ("undo", "redo"))
        self.assertLess(abs(undo["x"] + undo["width"] - redo["x"]), 10, "Redo lies beside Undo")
        self.room(page, "room.set('/step/1/1', 1)")
        page.wait_for_selector("body[data-loop=playing]")
        page.tap('[data-action="undo"]')
        page.wait_for_selector(bright)
        page.tap('[data-action="redo"]')
        page.wait_for_selector(dark)
        page.wait_for_selector("body[data-loop=playing]")
        page.tap('[data-action="undo"]')
        page.wait_for_selector(bright)
        # Another edit leaves nothing to redo.
        self.room(page, "room.set('/pad/3/gain', -3)")
        page.wait_for_selector(dark)
        # It was undone before this page came.
        page.tap('[data-action="undo"]')
        page.wait_for_selector(bright)
        page.reload()
        self.wait_connected(page)
        page.wait_for_selector(bright)

    def test_undo_is_dark_until_there_is_something_to_undo(self):
        page = self.beginner((390, 844))
        dark, bright = '[data-action="undo"][aria-disabled=true]', '[data-action="undo"][aria-disabled=false]'
        page.wait_for_selector(dark)
        # It answers all the same.
        page.tap('[data-action="undo"]', force=True)
        self.wait_text(page, "#toast", lambda text: text.startswith("There is nothing to undo"))
        self.room(page, "room.set('/pad/3/gain', -3)")
        page.wait_for_selector(bright)
        page.tap('[data-action="undo"]')
        page.wait_for_selector(dark)
        page.tap('[data-action="redo"]')
        page.wait_for_selector(bright)
        page.tap('[data-action="undo"]')
        page.wait_for_selector(dark)
        # A recording is taken back, too.
        self.room(page, "room.send('/loop/record')")
        page.wait_for_selector(bright)
        page.tap('[data-action="undo"]')
        page.wait_for_selector(dark)

    def test_stop_and_mute_say_whose(self):
        page = self.connected()
        self.room(page, "room.send('/play')")
        self.wait_text(page, "#play", lambda text: text == "Stop everybody")
        self.assertEqual([page.text_content(f'[data-action="{name}"]') for name in ("stop", "mute")], ["Stop my loop", "Mute me"])

    def test_one_word_is_for_one_thing(self):
        page = self.connected()
        self.assertEqual(page.text_content('[data-action="tidy"]'), "Quantize")
        # To wait for the grid while one plays is something else.
        self.assertEqual(page.text_content("label:has(#quantize) span"), "Hit grid")
        self.assertNotIn("Tidy", page.text_content("body"))

    def test_the_projects_name_and_takes_look_like_something_to_press(self):
        page = self.connected(None, (390, 844), has_touch=True)
        edge = "element => [getComputedStyle(element).borderTopWidth, getComputedStyle(element).boxShadow]"
        self.assertEqual(page.locator(".brand").evaluate(edge)[0], "1px")
        page.tap(".brand")
        takes = page.locator('#panel-tabs button:text-is("Takes")')
        takes.wait_for()
        self.assertNotEqual(takes.evaluate(edge)[1], "none")

    def test_in_every_language_its_words_fit(self):
        for language in ("en", "de", "da", "es", "ja"):
            page = self.connected(f"/?name={self.me}-{language}", (390, 844), has_touch=True)
            self.in_language(page, language)
            for size in ((320, 568), (390, 844), (844, 390), (568, 320), (820, 1180), (1024, 768), (1440, 900)):
                with self.subTest(language=language, size=size):
                    page.set_viewport_size({"width": size[0], "height": size[1]})
                    self.assert_comes_to([], lambda page=page: page.evaluate(WIDER), "nothing is wider than its place")
            page.context.close()


if __name__ == "__main__":
    unittest.main()
