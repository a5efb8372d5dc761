"""Effects: macros by thumb and keys, throws that spring back, faders of their own addresses, at every size."""

import unittest

from case import BrowserCase
from test_loops import Finger
from test_reach import TAKEN

WORD = "geheim"
# What the server says: what the page knows is forgotten, and asked for.
ASK = "{ room.apply(value, [-9]); room.send(value); }"


class EffectsTests(BrowserCase):
    arguments = ("--host-word", WORD)

    def effects(self, size=(1280, 800), **options):
        page = self.connected(None, size, **options)
        page.click('[data-action="mixer"]')
        page.click('#panel-tabs >> text="Effects"')
        page.wait_for_selector(".effects")
        # On a phone the strips are higher than half of it.
        if page.is_visible("#panel-grip"):
            page.click("#panel-grip")
        return page

    def watcher(self):
        bob = self.listener()
        bob.send("/subscribe", "state")
        return bob

    def said(self, page, address):
        """The server's value."""
        self.room(page, ASK, address)
        self.wait_until(f"{address} is told", lambda: self.room(page, "room.get(value)", address) != -9)
        return self.room(page, "room.get(value)", address)

    def assert_said(self, page, address, value):
        self.wait_until(f"{address} is {value}", lambda: abs(self.said(page, address) - value) < 1e-4)

    # ---- One thumb.

    def test_a_macro_follows_the_thumb_and_the_keys(self):
        page = self.effects((390, 844), has_touch=True)
        finger = Finger(page)
        finger.touch('[aria-label="Space"]')
        finger.move(0, -30)
        finger.lift()
        shown = float(page.get_attribute('[aria-label="Space"]', "aria-valuenow"))
        self.assertGreater(shown, 0.6)
        self.assert_said(page, "/macro/3", shown)
        page.focus('.effects [aria-label="Filter"]')
        page.keyboard.press("ArrowDown")
        self.assertEqual(page.get_attribute('.effects [aria-label="Filter"]', "aria-valuetext"), "Dark 8 %")
        self.assert_said(page, "/macro/1", 0.5 - 1 / 24)
        page.keyboard.press("Backspace")
        self.assertEqual(page.get_attribute('.effects [aria-label="Filter"]', "aria-valuetext"), "Neutral")
        self.assert_said(page, "/macro/1", 0.5)

    def test_two_taps_set_a_macro_back_and_a_slow_second_one_does_not(self):
        page = self.effects((390, 844), has_touch=True)
        finger = Finger(page)
        drive = '.effects [aria-label="Drive"]'
        for _ in range(2):
            finger.tap(drive)
            self.assert_said(page, "/macro/2", 0.5)
            page.wait_for_timeout(500)
        finger.tap(drive, 2)
        self.assert_said(page, "/macro/2", 0)

    def test_a_drag_that_begins_at_once_behind_a_drag_or_a_tap_is_followed(self):
        page = self.effects()
        box = page.locator('.effects [aria-label="Drive"]').bounding_box()
        x, y = box["x"] + 20, box["y"] + 80
        # A drag behind a drag, however short; a long one behind a tap.
        for before, behind in ((40, 90), (80, 120)):
            for to in (before, behind):
                page.mouse.move(x, y)
                page.mouse.down()
                page.mouse.move(x, box["y"] + to, steps=3)
                page.mouse.up()
            there = 1 - (behind - 22) / (box["height"] - 44)
            self.wait_until(f"it is at {there}", lambda there=there: abs(self.said(page, "/macro/2") - there) <= 0.03)
            page.wait_for_timeout(500)

    def test_a_throw_springs_back_by_thumb_and_by_key_and_stays_where_it_is_told_to(self):
        page, bob = self.effects((390, 844), has_touch=True), self.watcher()
        finger, throw = Finger(page), '[aria-label="Throw"]'
        finger.touch(throw)
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value > 0.4))
        finger.lift()
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value == 0))
        page.focus(throw)
        page.keyboard.down("End")
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value == 1))
        page.keyboard.up("End")
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value == 0))
        page.click('[aria-label^="Throw snaps back"]')
        finger.touch(throw)
        finger.lift()
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value > 0.4))
        page.wait_for_timeout(200)
        self.assertGreater(self.said(page, "/room/macro/throw"), 0.4)
        page.click('[aria-label^="Throw stays"]')
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value == 0))

    def hold(self, page, name):
        box = page.locator(f'[aria-label="{name}"]').bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
        page.mouse.down()

    def test_a_throw_ends_when_its_page_goes(self):
        page, bob = self.effects(), self.watcher()
        self.hold(page, "Throw")
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value > 0.6))
        page.goto("about:blank")
        self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value == 0))

    def test_a_throw_ends_when_its_panel_is_closed_under_the_thumb(self):
        page, bob = self.effects((390, 844), has_touch=True), self.watcher()
        finger = Finger(page)
        for leave in (page.go_back, lambda: page.evaluate("import('/panel.js').then(({ open }) => open('kits'))"),
                      lambda: page.evaluate("""document.querySelector('#panel-tabs button').click()""")):
            finger.touch('[aria-label="Throw"]')
            self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value > 0.4))
            leave()
            self.assertIsNotNone(bob.wait_for("/room/macro/throw", lambda value: value == 0))
            finger.lift()
            page.evaluate("import('/panel.js').then(({ open }) => open('mixer'))")
            page.click('#panel-tabs >> text="Effects"')
            page.wait_for_selector(".effects")

    def test_what_somebody_else_holds_is_seen_and_not_let_go_of_by_passing(self):
        page, bob = self.effects(), self.watcher()
        bob.send("/room/macro/wash", 0.7)
        self.wait_until("seen", lambda: page.get_attribute('[aria-label="Wash"]', "aria-valuetext") == "70 %")
        page.focus('[aria-label="Wash"]')
        page.keyboard.press("Tab")
        self.assertAlmostEqual(self.said(page, "/room/macro/wash"), 0.7, places=5)
        bob.send("/room/macro/wash", 0.0)
        self.wait_until("over", lambda: page.get_attribute('[aria-label="Wash"]', "aria-valuetext") == "Off")

    def test_undo_takes_back_one_drag(self):
        page = self.effects()
        box = page.locator('.effects [aria-label="Space"]').bounding_box()
        for top, bottom in ((60, 30), (30, 80)):
            page.mouse.move(box["x"] + 20, box["y"] + top)
            page.mouse.down()
            page.mouse.move(box["x"] + 20, box["y"] + bottom, steps=12)
            page.mouse.up()
            # Moves within a second are one.
            page.wait_for_timeout(1300)
            if bottom == 30:
                first = self.said(page, "/macro/3")
        self.assertNotEqual(self.said(page, "/macro/3"), first)
        page.click('[data-action="undo"]')
        self.assert_said(page, "/macro/3", first)
        page.click('[data-action="undo"]')
        self.assert_said(page, "/macro/3", 0)

    # ---- All of them.

    def test_a_fader_of_a_folded_group_sets_its_address_and_is_set_back(self):
        page = self.effects()
        gain = '[aria-label="Bass"] [aria-label="Gain"]'
        self.assertFalse(page.is_visible(gain))
        page.click("summary:has-text('Equaliser')")
        page.focus(gain)
        page.keyboard.press("End")
        self.assert_said(page, "/fx/eq/low/gain", 18)
        self.wait_text(page, "summary:has-text('Equaliser') small", lambda text: text == "Changed")
        page.click('[aria-label="Reset: Equaliser"]')
        self.assert_said(page, "/fx/eq/low/gain", 0)
        self.wait_text(page, "summary:has-text('Equaliser') small", lambda text: text == "")
        page.wait_for_selector('[aria-label="Reset: Equaliser"]:disabled')

    def test_frequencies_go_by_ear_and_reach_their_ends(self):
        page = self.effects()
        page.click("summary:has-text('Filters') >> nth=0")
        cut = page.locator("details:has-text('Filters') >> nth=0").locator("label:has-text('Cut above')")
        cut.locator("input").focus()
        for key, value, text in (("ArrowLeft", 19_600, "19.6 kHz"), ("Home", 100, "100 Hz"), ("ArrowRight", 102, "102 Hz"), ("End", 20_000, "Off"),
                                 ("ArrowLeft", 19_600, "19.6 kHz"), ("Backspace", 20_000, "Off")):
            page.keyboard.press(key)
            self.assertEqual(cut.locator("output").text_content(), text)
            self.assert_said(page, "/fx/filter/lowpass", value)

    def test_echoes_come_in_lengths_of_notes(self):
        page, bob = self.effects(), self.watcher()
        page.click("summary:has-text('Delay')")
        echo = page.locator("label:has-text('From echo to echo')")
        self.assertEqual(echo.locator("output").text_content(), "1/8D")
        echo.locator("input").focus()
        page.keyboard.press("ArrowRight")
        self.assert_said(page, "/room/fx/delay/beats", 1)
        self.assertEqual(echo.locator("output").text_content(), "1/4")
        bob.send("/room/fx/delay/beats", 0.9)
        self.wait_until("another's is shown as it is", lambda: echo.locator("output").text_content() == "0.90 beats")
        page.click('[aria-label="Reset: Delay"]')
        self.assert_said(page, "/room/fx/delay/beats", 0.75)

    def test_what_others_set_moves_the_faders(self):
        page, bob = self.effects(), self.host(WORD)
        page.click("summary:has-text('Reverb')")
        length = page.locator("label:has-text('Length')")
        before = float(length.locator("input").input_value())
        bob.send("/room/fx/reverb/decay", 6.0)
        self.wait_until("told", lambda: length.locator("output").text_content() == "6.0 s")
        self.assertGreater(float(length.locator("input").input_value()), before)
        bob.send("/room/fx/reverb/decay", 1.8)
        bob.send(f"/player/{self.me}/send/reverb", 0.4)
        sent = page.locator("[aria-label=Sends] label:has-text('Reverb')")
        self.wait_until("the host's", lambda: sent.locator("output").text_content() == "40 %")
        self.assertEqual(float(sent.locator("input").input_value()), 0.4)

    def test_ducking_asks_for_a_pad_only_where_a_pad_ducks(self):
        page = self.effects()
        pad = page.locator("label:has-text('Which pad') select")
        for source, asks in (("The beat", False), ("A pad", True), ("Kicks", False), ("My pad", True)):
            page.click(f'[aria-label="Make room for"] >> text="{source}"')
            self.assertEqual(pad.is_visible(), asks, source)
        self.assertEqual(pad.locator("option >> nth=1").text_content(), "2 · " + page.text_content('[data-pad="2"] .name'))
        pad.select_option("2")
        self.assert_said(page, "/duck/pad", 2)
        page.click('[aria-label="Reset: Ducking"]')
        self.wait_until("off", lambda: not pad.is_visible())
        self.assert_said(page, "/duck/pad", 1)

    def test_one_players_hits_alone_duck(self):
        page = self.effects()
        self.listener()
        players = page.locator("label:has-text('Played by') select")
        for source, asks in (("My pad", False), ("A pad", True), ("The beat", False), ("Kicks", True)):
            page.click(f'[aria-label="Make room for"] >> text="{source}"')
            self.assertEqual(players.is_visible(), asks, source)
        self.wait_until("bob can be chosen", lambda: self.other in players.evaluate("(list) => [...list.options].map((one) => one.value)"))
        players.select_option(self.other)
        # An answer comes behind what was set before it was asked for.
        self.said(page, "/macro/1")
        # What the server has is there again on a page that is loaded anew.
        for chosen in (self.other, ""):
            page.reload()
            self.wait_connected(page)
            page.click('[data-action="mixer"]')
            page.click('#panel-tabs >> text="Effects"')
            self.wait_until(f"it is “{chosen}”", lambda: players.input_value() == chosen)
            if chosen:
                page.click('[aria-label="Reset: Ducking"]')
                self.said(page, "/macro/1")

    def test_every_effect_has_one_control(self):
        page = self.effects()
        controls = page.locator(".effects .track, .effects input, .effects select, .effects .choice").count()
        self.assertEqual(controls, page.evaluate("import('/effect-facts.js').then(({ effects }) => effects('/').length)"))

    # ---- Where it lies.

    def test_two_taps_lead_there_and_nothing_of_it_comes_before(self):
        page = self.open(None, (320, 568), has_touch=True)
        fetched = []
        page.on("request", lambda request: fetched.append(request.url.split("/")[-1]))
        self.wait_connected(page)
        page.tap('[data-action="mixer"]')
        page.wait_for_selector(".mixer .channel")
        self.assertFalse({"effects.js", "effect-groups.js", "effect-facts.js"} & set(fetched), fetched)
        page.tap('#panel-tabs >> text="Effects"')
        page.wait_for_selector(".effects")
        # The levels go on only while they are seen.
        page.tap('#panel-tabs >> text="Levels"')
        page.wait_for_selector(".mixer .channel")
        page.tap('#panel-tabs >> text="Effects"')
        page.wait_for_selector(".effects")
        page.go_back()
        page.wait_for_selector("#panel", state="hidden")
        self.assertEqual(page.get_attribute("body", "data-state"), "connected")

    def test_every_control_can_be_reached_and_nothing_sticks_out(self):
        for width, height in ((320, 568), (390, 844), (568, 320), (844, 390), (820, 1180), (1280, 800), (2560, 1080)):
            with self.subTest(size=(width, height)):
                page = self.connected(f"/?name={self.me}-{width}", (width, height), has_touch=width < 1200)
                page.click('[data-action="mixer"]')
                page.click('#panel-tabs >> text="Effects"')
                page.wait_for_selector(".effects")
                page.evaluate("() => { for (const group of document.querySelectorAll('.effect')) group.open = true; }")
                self.room(page, "{ room.set('/duck/source', 'pad'); room.set('/macro/1', 0); }")
                page.wait_for_selector("label:has-text('Which pad')")
                self.assertEqual(page.evaluate(TAKEN), [])
                wide = page.evaluate("""[document.documentElement, document.getElementById('panel-body'), ...document.querySelectorAll('.effects .group, .effects .strip output')]
                    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => `${box.tagName} ${box.className} ${box.textContent.slice(0, 20)}`)""")
                self.assertEqual(wide, [], "something sticks out")
                small = page.evaluate("""[...document.querySelectorAll('.effects :is(button, select, input:not([role=switch]), summary, .track)')]
                    .filter((each) => each.checkVisibility()).map((each) => [each.ariaLabel || each.textContent, each.getBoundingClientRect()]).filter(([, box]) => box.width < 43.5 || box.height < 43.5)
                    .map(([name, box]) => `${name} ${Math.round(box.width)} × ${Math.round(box.height)}`)""")
                self.assertEqual(small, [], "smaller than 44 pixels")
                page.context.close()


if __name__ == "__main__":
    unittest.main()
