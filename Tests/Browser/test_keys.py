"""Keys on the page: in the room's key by default, by mouse and letters, with names of chords, arpeggios and progressions."""

import unittest

from case import BrowserCase

NOTES = "() => [...document.querySelectorAll('.keyboard [data-note]')].map((key) => Number(key.dataset.note))"


class KeysTests(BrowserCase):
    def panel(self, **options):
        page = self.connected(**options)
        page.click('[data-action="piano"]')
        page.wait_for_selector(".keyboard [data-note]")
        return page

    def place(self, page, selector, height=0.5):
        box = page.query_selector(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - height)

    def test_a_key_is_played_let_go_of_and_seen_by_everybody(self):
        page, other = self.panel(), self.listener()
        page.mouse.move(*self.place(page, '[data-note="64"]'))
        page.mouse.down()
        heard = other.wait_for("/note", lambda player, note, *_: player == self.me and note == 64)
        self.assertIsNotNone(heard)
        self.wait_until("the key is lit", lambda: page.is_visible('.keyboard .lit[data-note="64"]'))
        page.mouse.move(*self.place(page, '[data-note="64"]', 0.9))
        page.mouse.up()
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 64))
        self.wait_until("the key is dark", lambda: not page.is_visible('.keyboard .lit'))

    def test_in_key_by_default_and_all_notes_by_one_tap(self):
        page = self.panel()
        self.assertTrue(all(note % 12 in (0, 2, 4, 5, 7, 9, 11) for note in page.evaluate(NOTES)))
        page.evaluate("import('/room.js').then(({ room }) => { room.set('/key/root', 'Eb'); room.set('/scale', 'minor'); })")
        self.wait_until("another key", lambda: page.evaluate(NOTES)[0] % 12 == 3)
        self.wait_until("its notes are written in it", lambda: page.is_visible('.keyboard [aria-label="Gb4"]'))
        page.evaluate("import('/room.js').then(({ room }) => { room.set('/key/root', 'C'); room.set('/scale', 'major'); })")
        self.wait_until("the key of the others' tests", lambda: page.evaluate(NOTES)[0] % 12 == 0)
        page.click('.keys-head button:has-text("All")')
        notes = page.evaluate(NOTES)
        self.assertEqual(notes, list(range(notes[0], notes[0] + len(notes))))

    def test_a_finger_that_slides_plays_what_it_comes_to(self):
        page, other = self.panel(), self.listener()
        page.mouse.move(*self.place(page, '[data-note="60"]'))
        page.mouse.down()
        page.mouse.move(*self.place(page, '[data-note="62"]'))
        page.mouse.move(*self.place(page, '[data-note="64"]'))
        page.mouse.up()
        for note in (60, 62, 64):
            self.assertIsNotNone(other.wait_for("/note", lambda player, played, *_: player == self.me and played == note))

    def test_letters_play_keys_while_the_panel_is_open_and_pads_again_behind_it(self):
        page, other = self.panel(), self.listener()
        page.keyboard.down("a")
        self.assertIsNotNone(other.wait_for("/note", lambda player, note, *_: player == self.me and note == 60))
        page.keyboard.up("a")
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 60))
        page.click("#panel-close")
        page.keyboard.press("q")
        self.heard(other)

    def test_pads_become_chords_and_are_named(self):
        page, other = self.panel(), self.listener()
        page.click('[aria-label="The pads are"] button:has-text("chords")')
        self.wait_text(page, '.pad[data-pad="6"] .name', lambda text: text == "Am")
        page.mouse.move(*self.place(page, '.pad[data-pad="6"]'))
        page.mouse.down()
        self.wait_text(page, ".chord", lambda text: text == "Am")
        page.mouse.up()
        self.wait_text(page, ".chord", lambda text: text == "")
        page.click('[aria-label="The pads are"] button:has-text("drums")')
        self.wait_text(page, '.pad[data-pad="6"] .name', lambda text: text != "Am")

    def test_instruments_are_chosen_and_shaped(self):
        page = self.panel()
        page.select_option('[aria-label="Instrument"]', "acid-bass")
        self.wait_until("chosen", lambda: page.evaluate("import('/room.js').then(({ room }) => room.get('/instrument'))") == "acid-bass")
        page.click('[aria-label="Next instrument"]')
        self.wait_until("the next", lambda: page.input_value('[aria-label="Instrument"]') == "reese")
        page.click("text=Shape the sound")
        before = page.evaluate("import('/room.js').then(({ room }) => room.get('/instrument/filter/cutoff'))")
        page.focus('.sound [aria-label="cutoff"]')
        page.keyboard.press("ArrowLeft")
        self.wait_until("moved", lambda: page.evaluate("import('/room.js').then(({ room }) => room.get('/instrument/filter/cutoff'))") < before)

    def test_a_progression_is_typed_and_played(self):
        page, other = self.panel(), self.listener()
        page.fill('[aria-label="Chords of the progression"]', "Am F")
        page.keyboard.press("Enter")
        page.click("text=Play the chords")
        self.assertIsNotNone(other.wait_for("/note", lambda player, *_: player == self.me))
        page.click("text=Stop the chords")
        self.wait_text(page, "button[aria-pressed=false].primary", lambda text: text == "Play the chords")

    def test_a_progression_gets_a_name_that_everybody_finds(self):
        page, other = self.panel(), self.panel()
        page.fill('[aria-label="Chords of the progression"]', "vi IV I")
        page.keyboard.press("Enter")
        page.fill('[aria-label="A name for these chords"]', "Rain")
        page.click("text=Save for all")
        option = '[aria-label="Progressions to choose from"] option[value="Rain"]'
        self.wait_until("the other's list has it", lambda: other.locator(option).count() == 1)
        other.select_option('[aria-label="Progressions to choose from"]', "Rain")
        line = '[aria-label="Chords of the progression"]'
        self.wait_until("its chords", lambda: other.input_value(line) == "vi IV I")
        other.click("text=Stop the chords")
        page.evaluate("import('/room.js').then(({ room }) => room.send('/progression/delete', 'rain'))")
        self.wait_until("it is gone", lambda: other.locator(option).count() == 0)

    def test_nothing_moves_as_a_chord_is_named(self):
        for size in ((390, 844), (320, 640), (1280, 800)):
            page = self.panel(size=size)
            top = page.query_selector(".keyboard").bounding_box()["y"]
            page.evaluate("document.querySelector('.chord').textContent = 'F#m7b5/A'")
            self.assertEqual(page.query_selector(".keyboard").bounding_box()["y"], top, size)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])


if __name__ == "__main__":
    unittest.main()
