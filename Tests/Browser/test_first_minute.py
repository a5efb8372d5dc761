"""The first minute: hints that come once, the sheet of keys and gestures, and the themes for a stage."""

import unittest

from case import BrowserCase

SHOWN = ".hint:not([hidden])"


class HintTests(BrowserCase):
    def hint(self, page, text):
        page.wait_for_selector(SHOWN)
        self.wait_text(page, ".hint", lambda shown: text in shown)

    def test_three_hints_come_one_behind_the_other_and_never_again(self):
        page = self.connected(size=(390, 844), fresh=True, has_touch=True)
        self.hint(page, "Tap a pad")
        self.assertEqual(self.under(page, SHOWN), [], "a hint covers nothing")
        page.tap('[data-pad="1"]')
        self.wait_until("the tap was a hit", lambda: not page.is_visible(SHOWN))
        for number in (1, 2, 3, 4, 5, 6, 7, 8):
            page.tap(f'[data-pad="{number}"]')
        self.hint(page, "New loop")
        self.assertEqual(self.under(page, SHOWN), [])
        self.assertEqual(page.locator(".hinted").get_attribute("data-action"), "record", "what it speaks of is marked")
        page.tap("[data-action=record]")
        self.wait_until("it was followed", lambda: not page.is_visible(SHOWN))
        page.reload()
        self.wait_connected(page)
        page.tap('[data-pad="1"]')
        self.assertEqual(page.evaluate("JSON.parse(localStorage.getItem('bandshell hints seen'))"), ["tap", "record"])

    def test_a_key_is_a_tap_too_and_an_open_panel_has_the_word(self):
        page = self.connected(size=(390, 844), fresh=True, has_touch=True)
        self.hint(page, "Tap a pad")
        page.tap('[data-action="piano"]')
        page.wait_for_selector(".keyboard [data-note='60']")
        self.assertEqual(self.under(page, SHOWN), [], "it would lie on the keyboard")
        page.tap(".keyboard [data-note='60']")
        self.wait_until("the key was a tap", lambda: page.locator(SHOWN).count() == 0)

    def test_a_hint_is_closed_by_hand_and_covers_nothing_at_any_size(self):
        for size in ((320, 568), (390, 844), (820, 1180), (844, 390), (1440, 900)):
            with self.subTest(size=size):
                page = self.connected(f"/?name={self.me}-{size[0]}-{size[1]}", size=size, fresh=True, has_touch=True)
                self.hint(page, "Tap a pad")
                self.assertEqual(self.under(page, SHOWN), [])
                page.click('.hint [aria-label="Close"]')
                self.wait_until("it is closed", lambda page=page: not page.is_visible(SHOWN))
                self.assertTrue(page.is_visible("#loopview"), "what it took the place of is back")
                page.context.close()

    def test_whoever_knows_them_loads_nothing_of_them(self):
        page = self.connected()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        self.wait_connected(page)
        page.click('[data-pad="1"]')
        self.assertFalse([url for url in asked if "hints" in url])


class CountTests(BrowserCase):
    def test_a_count_in_is_heard_by_whoever_has_sound(self):
        page = self.connected(size=(390, 844), fresh=True, has_touch=True)
        self.room(page, "room.set('/loop/countin', 1)")
        page.wait_for_selector("body[data-audio=ready]")
        page.tap('[data-pad="1"]')
        page.wait_for_selector("body[data-audio=playing]")
        self.room(page, "{ window.told = []; room.on('refused', ([where, , code]) => told.push(`${where} ${code}`)); }")
        with page.expect_response(lambda answer: "/whep?click=1" in answer.url) as answer:
            page.tap("[data-action=record]")
        self.assertEqual(answer.value.status, 201)
        page.wait_for_selector("body[data-loop=recording]")
        self.assertEqual(page.evaluate("told"), [])


class SheetTests(BrowserCase):
    def test_a_phone_reads_the_gestures_and_a_laptop_the_keys_too(self):
        for size, touch in (((390, 844), True), ((1280, 800), False)):
            page = self.connected(size=size, has_touch=touch, is_mobile=touch)
            page.click('[data-action="settings"]')
            page.click('#panel-tabs button:text-is("This page")')
            page.click('button:text-is("Keys and gestures")')
            page.wait_for_selector("dialog.sheet")
            self.assertTrue(page.is_visible("dialog.sheet h2:text-is('Gestures')"))
            self.assertEqual(page.is_visible("dialog.sheet h2:text-is('Keyboard shortcuts')"), not touch)


class ThemeTests(BrowserCase):
    def colour(self, page, what):
        return page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{what}').trim()")

    def test_black_gives_no_light_and_clear_has_colours_that_every_eye_tells_apart(self):
        page = self.connected()
        page.click('[data-action="settings"]')
        page.click('#panel-tabs button:text-is("This page")')
        page.click('button:text-is("Black, for a stage")')
        self.assert_comes_to("#000", lambda: self.colour(page, "ground"), "the ground is black")
        page.click('button:text-is("Clear for every eye")')
        clear = "import('/kind.js').then(({ shadeOf }) => [document.documentElement.dataset.colours, shadeOf('drums')])"
        self.wait_until("the colours of sounds are clear, too", lambda: page.evaluate(clear) == ["clear", self.colour(page, "drums-0")])
        page.reload()
        self.wait_connected(page)
        self.assertEqual(page.evaluate("document.documentElement.dataset.look"), "clear")
        page.evaluate("localStorage.setItem('bandshell theme', JSON.stringify('light')); dispatchEvent(new Event('themechoice'))")
        self.assertNotEqual(self.colour(page, "ground"), "#000")


if __name__ == "__main__":
    unittest.main()
