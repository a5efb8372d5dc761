"""Panels as sheets over half of a phone, the countdown over the whole screen, and what Undo says: by touch."""

import unittest

from case import BrowserCase

PHONE = {"size": (390, 844), "has_touch": True}


class SheetTests(BrowserCase):
    def test_on_a_phone_pads_play_beside_a_panel_and_back_closes_it(self):
        page = self.open("/icon.svg", **PHONE)
        page.goto(self.url(f"/?name={self.me}"))
        self.wait_connected(page)
        bob = self.listener()
        for panel in ("loops", "mixer", "people", "settings", "kits", "buildup"):
            with self.subTest(panel=panel):
                page.tap(f'[data-action="{panel}"]')
                page.wait_for_selector(f"body[data-panel={panel}]")
                sheet, pad = self.still_box(page, "#panel"), self.still_box(page, '[data-pad="4"]')
                self.assertLessEqual(pad["y"] + pad["height"], sheet["y"])
                self.assertGreaterEqual(pad["height"], 44)
                self.assertGreaterEqual(sheet["height"], 844 * 0.33)
                page.tap('[data-pad="4"]')
                self.heard(bob, 4)
                page.go_back()
                page.wait_for_selector("#panel", state="hidden")
        self.assertIn(self.me, page.url)

    def test_the_grip_makes_a_sheet_tall(self):
        page = self.connected(None, **PHONE)
        page.tap('[data-action="loops"]')
        page.wait_for_selector("#panel-body .group")
        half = self.still_box(page, "#panel")["height"]
        page.tap("#panel-grip")
        self.assertGreater(page.locator("#panel").bounding_box()["height"], half * 1.4)
        self.assertFalse(page.is_visible('[data-pad="4"]'))
        page.tap("#panel-grip")
        self.assertTrue(page.is_visible('[data-pad="4"]'))

    def test_choosing_a_kit_leads_back_to_the_pads(self):
        page = self.connected(None, **PHONE)
        page.tap('[data-action="kits"]')
        page.tap('[data-kit="house"]')
        page.wait_for_selector("#panel", state="hidden")
        self.wait_until("the kit is on", lambda: self.room(page, "room.get('/kit')") == "house")


class CountdownTests(BrowserCase):
    def test_everybody_sees_the_countdown_over_the_whole_screen_and_the_drop(self):
        page, other = self.connected(None, **PHONE), self.connected(f"/?name={self.other}")
        bob = self.listener(f"{self.other}-hears")
        self.room(page, "room.set('/tempo', 120)")
        # The drop lasts for less than a second: what was seen is kept.
        for each in (page, other):
            self.keep_texts(each, ".dropscreen:not([hidden])")
        self.room(page, "room.send('/buildup', 150, 4)")
        self.wait_until("the bars are counted", lambda: any("to 150 bpm" in text for text in self.kept_texts(page)))
        # A hand reaches through it.
        page.tap('[data-pad="6"]')
        self.heard(bob, 6)
        for each in (page, other):
            self.wait_until("the drop was seen", lambda: "Drop" in self.kept_texts(each), seconds=60)
            seen = self.kept_texts(each)
            self.assertTrue({"4→ 120 bpm", "3→ 120 bpm", "2→ 120 bpm", "1→ 120 bpm"} & set(seen), seen)
            each.wait_for_selector(".dropscreen", state="hidden")

    def test_a_build_up_that_is_called_off_shows_no_drop(self):
        page = self.connected(None, **PHONE)
        self.room(page, "room.send('/buildup', 150, 8)")
        page.wait_for_selector(".dropscreen:not([hidden]) b")
        page.tap("#building-cancel")
        page.wait_for_selector("#building", state="hidden")
        page.wait_for_selector(".dropscreen", state="hidden")
        self.assertNotEqual(page.text_content(".dropscreen b"), "Drop")


class UndoTests(BrowserCase):
    def test_undo_says_what_it_took_back_and_its_message_brings_it_back(self):
        page = self.connected(None, **PHONE)
        self.room(page, "room.set('/step/1/1', 1)")
        page.wait_for_selector("body[data-loop=playing]")
        page.tap('[data-action="undo"]')
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: steps."))
        page.wait_for_selector("body[data-loop=empty]")
        page.tap('#toast button:text-is("Redo")')
        page.wait_for_selector("body[data-loop=playing]")
        # What is not seen cannot be pressed.
        page.wait_for_selector("#toast button", state="detached")


if __name__ == "__main__":
    unittest.main()
