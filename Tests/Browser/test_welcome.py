"""A room in which nothing plays greets: one tap plays a groove, whose parts rest and are replaced."""

import unittest

from case import BrowserCase
from server import Server

SIZES = ((320, 568), (390, 844), (820, 1180), (844, 390), (1440, 900))


class WelcomeTests(BrowserCase):
    def setUp(self):
        super().setUp()
        # A groove that somebody left goes round for the next one: each test has a server of its own.
        type(self).server.stop()
        type(self).server = Server(*self.arguments)

    def greeted(self, size=(390, 844)):
        page = self.connected(size=size, fresh=True)
        self.greets(page)
        return page

    def greets(self, page):
        # On a low page a hint may take its place for a while.
        page.wait_for_selector("#welcome:not([hidden])", state="attached")

    def overlaps(self, page, selector):
        """Whether an element lies over a pad, or out of the page."""
        return page.evaluate("""selector => {
          const box = document.querySelector(selector).getBoundingClientRect();
          const isOver = [...document.querySelectorAll("[data-pad]")].some((pad) => {
            const other = pad.getBoundingClientRect();
            return box.left < other.right && other.left < box.right && box.top < other.bottom - 1 && other.top < box.bottom - 1;
          });
          return isOver || box.left < 0 || box.right > innerWidth + 1 || box.top < 0 || box.bottom > innerHeight;
        }""", selector)

    def test_one_tap_and_a_groove_goes_round(self):
        page = self.greeted()
        self.assertIn("Play me something", page.text_content("#welcome [data-action=groove]"))
        page.click("#welcome [data-action=groove]")
        page.wait_for_selector("#groove:not([hidden]) [data-part=drums][aria-pressed=true]")
        self.assertFalse(page.is_visible("#welcome"))
        self.wait_until("the room plays", lambda: self.room(page, "room.get('/play')") == 1)
        self.assertEqual(page.locator("#groove [data-part]:visible").count(), 3)
        page.click("[data-action=undo]")
        self.greets(page)

    def test_parts_rest_and_sound_and_are_replaced_by_ones_own(self):
        page = self.greeted()
        page.click("#welcome [data-action=groove]")
        page.click("#groove [data-part=bass][aria-pressed=true]")
        page.wait_for_selector("#groove [data-part=bass][aria-pressed=false]")
        page.click("#groove [data-part=bass]")
        page.wait_for_selector("#groove [data-part=bass][aria-pressed=true]")
        page.click("#groove [data-replace=drums]")
        page.wait_for_selector("#groove [data-part=drums][aria-pressed=false]")
        page.wait_for_selector("body[data-loop=recording]")

    def test_one_undo_brings_back_a_part_that_was_replaced(self):
        page = self.greeted()
        self.room(page, "room.set('/loop/bars', 1)")
        page.click("#welcome [data-action=groove]")
        page.click("#groove [data-replace=drums]")
        page.wait_for_selector("body[data-loop=recording]")
        page.click('[data-pad="1"]')
        page.wait_for_selector("body[data-loop=playing]")
        page.wait_for_selector("#groove [data-part=drums][aria-pressed=false]")
        page.click("[data-action=undo]")
        page.wait_for_selector("#groove [data-part=drums][aria-pressed=true]")
        page.wait_for_selector("body[data-loop=empty]")
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: drums of the groove."))
        page.click("[data-action=undo]")
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: the groove."))

    def test_the_parts_of_a_groove_are_drawn_as_their_rhythm(self):
        page = self.connected()
        page.click("#welcome [data-action=groove]")
        page.wait_for_selector("#groove [data-part=drums][aria-pressed=true]")
        page.click('[data-action="loops"]')
        page.click("text=Patterns")
        picture = ".lane [data-block='groove %s'] .rhythm path"
        for part in ("drums", "bass", "chords"):
            page.wait_for_selector(picture % part, state="attached")
        first = page.get_attribute(picture % "chords", "d")
        # Another groove has parts of the same names.
        for _ in range(4):
            self.room(page, "room.send('/groove')")
        self.wait_until("the new rhythm is drawn", lambda: page.get_attribute(picture % "chords", "d") != first)

    def test_the_groove_of_one_who_has_left_is_everybodys(self):
        bob = self.listener()
        bob.send("/groove")
        self.assertIsNotNone(bob.wait_for("/lane/1/state", lambda state: state == "looping"))
        page = self.connected(size=(390, 844), fresh=True)
        # While bob is here, it is his.
        self.wait_text(page, "#groove .whose", lambda text: text == f"{self.other}’s groove plays")
        self.assertEqual(page.locator("#groove [data-part]:visible").count(), 0)
        self.assertFalse(page.is_visible("#welcome"))
        self.assertFalse(self.overlaps(page, "#groove"))
        bob.send("/bye")
        page.click("#groove [data-part=bass][aria-pressed=true]")
        page.wait_for_selector("#groove [data-part=bass][aria-pressed=false]")
        self.assertEqual(page.get_attribute("#groove", "aria-label"), f"Groove of {self.other}")
        # A wider page says whose it is beside its parts.
        self.assertFalse(page.is_visible("#groove .whose"))
        page.set_viewport_size({"width": 820, "height": 1180})
        self.wait_until("it says whose it is", lambda: page.is_visible("#groove .whose"))
        self.assertEqual(page.text_content("#groove .whose"), f"Groove of {self.other}")
        self.assertFalse(self.overlaps(page, "#groove"))
        page.set_viewport_size({"width": 390, "height": 844})
        page.click("[data-action=undo]")
        page.wait_for_selector("#groove [data-part=bass][aria-pressed=true]")
        page.click("#groove [data-action=another]")
        self.wait_until("it is this player's", lambda: self.room(page, "room.get('/groove/player') === room.player"))
        page.click("[data-action=undo]")
        self.wait_until("it is as it was", lambda: self.room(page, "room.get('/groove/player')") == self.other)
        page.wait_for_selector("#groove [data-part=drums][aria-pressed=true]")

    def test_who_comes_plays_along_with_somebodys_groove(self):
        bob = self.listener()
        bob.send("/groove")
        self.assertIsNotNone(bob.wait_for("/lane/1/state", lambda state: state == "looping"))
        for size in SIZES:
            with self.subTest(size):
                page = self.connected(size=size, fresh=True)
                page.click("#groove [data-action=groove]")
                page.wait_for_selector("#groove [data-part=chords][aria-pressed=true]")
                self.assertFalse(page.is_visible("#groove .whose"))
                page.click("[data-action=undo]")
                page.wait_for_selector("#groove .whose")
                self.assertFalse(self.overlaps(page, "#groove"))
                self.room(page, "room.send('/bye')")
                page.close()

    def test_a_part_alone_has_its_words_and_the_mood_has_them(self):
        page = self.connected(f"/?name={self.me}-alone", (390, 844), fresh=True, has_touch=True)
        for language in ("en", "de"):
            self.in_language(page, language)
            for part in ("drums", "bass", "chords"):
                self.room(page, "{ room.apply('/groove/player', [room.player]); room.apply('/groove/parts', [value]); }", part)
                page.wait_for_selector(f"#groove [data-part={part}]")
                self.drawn(page)
                with self.subTest(language=language, part=part):
                    self.assertEqual(page.evaluate("""() => [...document.querySelectorAll('#groove > :is(.split > .part, button, select), #groove .part')]
                      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth).map(({ textContent }) => textContent)"""), [])
                    # A list tells by its width alone whether its word is cut.
                    self.assertTrue(page.evaluate("""() => {
                      const list = document.querySelector('#groove > select');
                      const copy = list.cloneNode(true);
                      copy.style.cssText = 'position: absolute; width: max-content; visibility: hidden';
                      document.body.append(copy);
                      const wanted = copy.getBoundingClientRect().width;
                      copy.remove();
                      return list.getBoundingClientRect().width >= wanted - 1;
                    }"""))

    def test_another_one_has_other_chords_and_a_mood_is_chosen(self):
        page = self.greeted()
        page.click("#welcome [data-action=groove]")
        page.wait_for_selector("#groove:not([hidden])")
        name = lambda: self.room(page, "room.get('/groove/name')")  # noqa: E731
        self.wait_until("it has a name", name)
        first = name()
        page.click("#groove [data-action=another]")
        self.wait_until("another one plays", lambda: name() not in ("", first))
        second = name()
        page.select_option("#groove [data-action=mood]", "dark")
        self.wait_until("a dark one plays", lambda: name() not in ("", second))

    def test_it_covers_no_pad_at_any_size(self):
        for size in SIZES:
            with self.subTest(size):
                page = self.greeted(size)
                self.assertFalse(self.overlaps(page, "#welcome"))
                pads = self.still_box(page, "#pads")
                page.click("#welcome [data-action=groove]")
                page.wait_for_selector("#groove:not([hidden])")
                self.assertFalse(self.overlaps(page, "#groove"))
                self.assertGreater(self.still_box(page, "#pads")["height"], 0.6 * pads["height"])
                page.click("[data-action=undo]")
                self.greets(page)
                page.close()


if __name__ == "__main__":
    unittest.main()
