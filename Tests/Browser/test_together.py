"""Together: effects that go off by one tap, who holds what, reactions, and layers that are borrowed."""

import unittest

from case import BrowserCase

WORD = "geheim"


class TogetherTests(BrowserCase):
    arguments = ("--host-word", WORD)

    def effects(self, size=(1280, 800), **options):
        page = self.connected(None, size, **options)
        page.click('[data-action="mixer"]')
        page.click('#panel-tabs >> text="Effects"')
        page.wait_for_selector(".effects")
        if page.is_visible("#panel-grip"):
            page.click("#panel-grip")
        return page

    def test_a_button_switches_all_effects_off_and_is_there_only_while_one_is_on(self):
        for size in ((320, 568), (1280, 800)):
            with self.subTest(size=size):
                page = self.effects(size)
                off = '[data-off="/effects/off"]'
                self.room(page, "room.send('/effects/off')")
                page.wait_for_selector(off, state="hidden")
                before = self.still_box(page, '.effects [aria-label="Drive"]')
                self.room(page, "room.set('/macro/2', 0.5)")
                page.wait_for_selector(off)
                # Nothing moves as it comes.
                self.assertEqual(self.still_box(page, '.effects [aria-label="Drive"]'), before)
                page.click(off)
                self.assert_comes_to(0, lambda: self.room(page, "room.get('/macro/2')"), "the macro is at rest")
                page.wait_for_selector(off, state="hidden")
                self.room(page, "room.send('/undo')")
                self.assert_comes_to(0.5, lambda: self.room(page, "room.get('/macro/2')"), "the macro is back")

    def test_the_rooms_effects_go_off_for_everybody(self):
        page, bob = self.effects(), self.listener()
        bob.send("/subscribe", "state")
        bob.send("/room/fx/crush/amount", 0.5)
        page.click('[data-off="/room/effects/off"]')
        self.assertIsNotNone(bob.wait_for("/room/fx/crush/amount", lambda value: value == 0))

    def test_who_moved_it_is_said_at_the_control_and_in_the_mixer(self):
        page, bob = self.effects(), self.listener()
        bob.send("/room/macro/wash", 0.5)
        self.wait_text(page, '.macros .strip:has([aria-label="Wash"]) .holder', lambda text: text == self.other)
        page.click('#panel-tabs >> text="Levels"')
        holds = f'.channel:has([aria-label="{self.other}: volume"]) .holds'
        self.wait_text(page, holds, lambda text: "Wash" in text)
        # One's own hand is not named.
        self.room(page, "room.set('/room/macro/wash', 0.25)")
        self.wait_until("nobody else holds it", lambda: not page.is_visible(holds))

    def test_reactions_float_in_the_strip_and_never_over_a_pad(self):
        for size in ((320, 568), (390, 844), (844, 390)):
            with self.subTest(size=size):
                # The pages of the other sizes are still in the room.
                name, other = f"{self.me}{size[0]}", f"{self.other}{size[0]}"
                page, bob = self.connected(f"/?name={name}", size), self.listener(other)
                bob.send("/subscribe", "state")
                bob.send("/react", "more")
                page.wait_for_selector(".float[data-reaction=more]")
                chip, pads = page.locator(".float").first.bounding_box(), page.locator("#pads").bounding_box()
                strip = page.locator("#loopview").bounding_box()
                self.assertLessEqual(chip["y"] + chip["height"], strip["y"] + strip["height"] + 1)
                self.assertTrue(strip["y"] + strip["height"] <= pads["y"] + 1 or strip["x"] + strip["width"] <= pads["x"] + 1
                                or strip["x"] >= pads["x"] + pads["width"] - 1)
                page.locator(".float").first.wait_for(state="detached")
                page.click('[data-action="react"]')
                page.click('.reactrow [data-reaction="love"]')
                self.assertIsNotNone(bob.wait_for("/reacted", lambda player, what, _: (player, what) == (name, "love")))
                page.wait_for_selector(".reactrow", state="detached")
                # A message says so, which on a low page takes the place of the strip.
                bob.send("/react", "turn", name)
                self.wait_text(page, "#toast", lambda text: f"It is your turn, says {other}" in text)

    def test_the_row_of_reactions_hides_neither_strip_nor_pads_and_moves_nothing(self):
        page = self.connected()
        for size in ((320, 568), (390, 844), (820, 1180), (1024, 768), (1440, 900), (844, 390), (568, 320)):
            with self.subTest(size=size):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                page.locator('[data-action="react"]').scroll_into_view_if_needed()
                around = ("#loopview", "#pads", ".quick", ".top", ".tabs")
                places = self.still("each place", lambda: [page.locator(each).bounding_box() for each in around])
                page.click('[data-action="react"]')
                page.wait_for_selector(".reactrow")
                row, *after = self.still("each place", lambda: [page.locator(each).bounding_box() for each in (".reactrow", *around)])
                for each, box, now in zip(around, places, after):
                    self.assertEqual(now, box, f"{each} moves")
                    self.assertTrue(row["x"] + row["width"] <= box["x"] + 1 or row["x"] >= box["x"] + box["width"] - 1
                                    or row["y"] + row["height"] <= box["y"] + 1 or row["y"] >= box["y"] + box["height"] - 1, f"it lies over {each}")
                for reaction in ("love", "more", "turn"):
                    self.assertTrue(page.evaluate("""reaction => {
                      const button = document.querySelector(`.reactrow [data-reaction="${reaction}"]`);
                      const { x, y, width, height } = button.getBoundingClientRect();
                      return width >= 44 && height >= 44 && button.scrollWidth <= button.clientWidth
                          && button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
                    }""", reaction), f"{reaction} cannot be touched")
                page.focus('.reactrow [data-reaction="love"]')
                page.keyboard.press("Escape")
                page.wait_for_selector(".reactrow", state="detached")
                self.assertEqual(page.evaluate("document.activeElement.dataset.action"), "react")

    def test_the_rooms_panel_says_whose_turn_it_is(self):
        page, bob = self.connected(), self.listener()
        bob.send("/subscribe", "state")
        page.click('[data-action="people"]')
        self.wait_until("bob is in the list", lambda: page.locator(f'.reactions option[value="{self.other}"]').count() == 1)
        page.select_option(".reactions select", self.other)
        page.click('.reactions [data-reaction="turn"]')
        self.assertIsNotNone(bob.wait_for("/reacted", lambda player, what, to: (player, what, to) == (self.me, "turn", self.other)))

    def test_a_layer_is_borrowed_from_the_strip_and_given_back_in_the_list(self):
        page, bob = self.connected(), self.listener()
        bob.send("/subscribe", "state")
        self.loop(page, bob, self.other)
        self.tap_theirs(page)
        page.click("#toast >> text=Borrow")
        self.assertIsNotNone(bob.wait_for("/layer/1/mute", lambda on: on == 1))
        self.wait_text(page, "#toast", lambda text: f"Borrowed from {self.other}" in text)
        page.wait_for_selector('#toast button:text-is("Give back")')
        page.click('[data-action="loops"]')
        self.wait_text(page, "#panel-body", lambda text: f"Borrowed from {self.other}" in text)
        page.click("[data-return]")
        self.assertIsNotNone(bob.wait_for("/layer/1/mute", lambda on: on == 0))
        page.wait_for_selector(f'[data-borrow="{self.other}/1"]')

    def loop(self, page, sender, name):
        """A player's loop of one layer, drawn by the page."""
        sender.send("/step/1/1", 1.0)
        self.wait_until(f"{name}'s loop is drawn", lambda: page.evaluate(
            "name => import('/loop-strip.js').then(({ book }) => book.loops.get(name)?.layers.size === 1)", name))
        self.wait_until(f"{name} is in the list", lambda: page.evaluate(
            "name => import('/people.js').then(({ people }) => people.some((person) => person.name === name))", name))
        # The loops of those who leave would play on.
        self.addCleanup(lambda: self.room(page, "room.send('/loop/clear')"))
        self.addCleanup(sender.send, "/loop/clear")

    def tap_theirs(self, page):
        """A tap on the strip's lowest row: one's own lies on top."""
        box = self.still_box(page, "#loopview")
        page.click("#loopview", position={"x": box["width"] / 2, "y": box["height"] - 6})

    def test_a_tap_on_what_somebody_plays_offers_to_rest_it_for_oneself(self):
        page, bob = self.connected(), self.listener()
        self.loop(page, bob, self.other)
        is_muted = f"room.get('/mix/{self.other}/mute', 0)"
        for button, value in (("Mute for me", 1), ("Hear again", 0)):
            self.tap_theirs(page)
            self.wait_text(page, "#toast", lambda text: f"That is what {self.other} plays." in text)
            page.click(f'#toast button:text-is("{button}")')
            self.assert_comes_to(value, lambda: self.room(page, is_muted), button)

    def test_a_layer_is_borrowed_where_its_player_stands_in_the_list_of_people(self):
        page, bob = self.connected(), self.listener()
        bob.send("/subscribe", "state")
        page.click('[data-action="people"]')
        borrow = f'.person [aria-label="Borrow a layer of {self.other}"]'
        page.wait_for_selector(borrow, state="hidden")
        self.loop(page, bob, self.other)
        page.click(borrow)
        self.assertIsNotNone(bob.wait_for("/layer/1/mute", lambda on: on == 1))
        # A lent layer is not lent twice.
        page.wait_for_selector(borrow, state="hidden")

    def test_of_several_layers_one_is_chosen_in_the_list_of_layers(self):
        page, bob = self.connected(), self.listener()
        self.loop(page, bob, self.other)
        page.evaluate("""name => import('/loop-strip.js').then(({ book }) => {
          // A second layer, as if it were told.
          const { layers } = book.loops.get(name);
          layers.set(2, { ...layers.get(1) });
          book.changed();
        })""", self.other)
        self.room(page, f"room.tell('theirs', ['{self.other}'])")
        page.click("#toast >> text=Borrow")
        page.wait_for_selector(f'.landed [data-borrow="{self.other}/1"]')
        page.wait_for_selector(f'[data-borrow="{self.other}/2"]')

    def test_what_somebody_left_is_taken_over_from_the_strip(self):
        page, bob = self.connected(), self.listener()
        self.loop(page, bob, self.other)
        bob.send("/bye")
        self.wait_until("bob has left", lambda: page.evaluate("name => import('/people.js').then(({ leftLoops }) => leftLoops().includes(name))", self.other))
        self.tap_theirs(page)
        page.click('#toast button:text-is("Take over")')
        self.wait_until("it is one's own", lambda: page.evaluate("import('/loop-strip.js').then(({ own }) => own()?.layers.size === 1)"))

    def test_borrowing_is_hinted_at_once_somebody_else_has_a_loop(self):
        page, bob = self.connected(), self.listener()
        page.evaluate("import('/memory.js').then(({ remember }) => remember('hints seen', ['tap', 'record', 'invite']))")
        page.reload()
        self.wait_connected(page)
        self.loop(page, bob, self.other)
        for _ in range(9):
            page.keyboard.press("Digit1")
        self.wait_text(page, ".hint", lambda text: "you can borrow it" in text)
        self.tap_theirs(page)
        page.wait_for_selector(".hint", state="hidden")


if __name__ == "__main__":
    unittest.main()
