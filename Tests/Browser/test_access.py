"""axe-core finds nothing serious, in either theme and in every panel; the page is played by keys alone."""

import unittest

from case import BrowserCase

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

PANELS = {"kits": ("Kits", "Sounds", "Recordings"), "loops": ("Layers", "Steps", "Patterns"), "buildup": (), "mixer": ("Levels", "My mix", "Effects"),
          "people": ("People", "Chat", "Join"), "settings": ("This pad", "This page")}


class AccessTests(BrowserCase):
    @unittest.skipIf(Axe is None, "not installed: axe-playwright-python (Tests/Browser/requirements.txt)")
    def test_axe_finds_nothing_serious(self):
        for theme in ("dark", "light"):
            page = self.connected(is_seen=True, color_scheme=theme)
            self.assert_accessible(page, theme)
            for panel, parts in PANELS.items():
                page.click(f'[data-action="{panel}"]')
                page.wait_for_selector("#panel-body > :first-child > *")
                for part in parts or (None,):
                    if part:
                        page.click(f'#panel-tabs >> text="{part}"')
                    page.wait_for_timeout(150)
                    self.assert_accessible(page, f"{theme}, {panel}, {part}")
            page.click(".bpm")
            page.wait_for_selector("text=You and the beat")
            self.assert_accessible(page, f"{theme}, beat")
            page.context.close()

    def assert_accessible(self, page, where):
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        serious = [f"{fault['id']}: {node['html'][:160]} {[check['message'] for check in node['any']][:1]}"
                   for fault in found if fault["impact"] in ("serious", "critical") for node in fault["nodes"][:3]]
        self.assertEqual(serious, [], where)

    def test_a_panel_opens_and_closes_by_keys_and_gives_the_focus_back(self):
        page = self.connected()
        page.focus('[data-action="kits"]')
        page.keyboard.press("Enter")
        page.wait_for_selector('[data-kit="house"]')
        page.focus('[data-kit="house"]')
        page.keyboard.press("Enter")
        page.wait_for_selector('[data-kit="house"][aria-pressed="true"]')
        page.keyboard.press("Escape")
        self.assertFalse(page.is_visible("#panel"))
        self.assertEqual(page.evaluate("document.activeElement.dataset.action"), "kits")

    def test_a_pad_is_played_by_enter_as_a_screen_reader_does(self):
        page = self.connected()
        bob = self.listener()
        page.focus('[data-pad="7"]')
        page.keyboard.press("Enter")
        self.assertEqual(self.heard(bob)[1], 7)
        # At once again, as two fingers on two keys do.
        page.locator('[data-pad="7"]').evaluate("pad => (pad.click(), pad.click())")
        for _ in range(2):
            self.assertEqual(self.heard(bob)[1], 7)

    def test_a_pad_that_has_the_focus_is_held_by_its_key(self):
        page, bob = self.connected(), self.listener()
        self.room(page, "room.set('/pad/6/mode', 'repeat')")
        page.focus('[data-pad="6"]')
        for key in ("Space", "Enter"):
            page.keyboard.down(key)
            self.assertIn("pressed", page.get_attribute('[data-pad="6"]', "class"))
            for _ in range(3):
                self.heard(bob, 6)
            page.keyboard.up(key)
            self.assertNotIn("pressed", page.get_attribute('[data-pad="6"]', "class"))
            # What was on its way comes, and then nothing more.
            while bob.wait_for("/hit", seconds=1):
                pass

    def test_a_button_that_changes_its_name_has_no_state_beside_it_and_a_dot_has_words(self):
        page, bob = self.connected(), self.listener()
        self.assertIsNone(page.get_attribute("#play", "aria-pressed"))
        self.assertIn(page.get_attribute("#play", "aria-label"), ("Play for everybody", "Stop everybody"))
        self.assertIsNone(page.get_attribute('[data-action="listen"]', "aria-pressed"))
        tab = page.get_by_role("button", name="Room unread messages")
        self.assertEqual(tab.count(), 0)
        bob.send("/chat", "hello")
        page.wait_for_selector("body[data-unread]")
        self.wait_until("the dot has words", lambda: tab.count() == 1)

    def test_what_a_control_looks_like_its_name_says(self):
        page, bob = self.connected(), self.listener()
        strip = lambda: page.get_attribute("#loopview", "aria-label")  # noqa: E731
        self.assert_comes_to("Notes of my loop: Empty", strip, "there is none")
        self.room(page, "room.set('/step/1/1', 1)")
        self.assert_comes_to("Notes of my loop: Goes round", strip, "it goes round")
        bob.send("/step/2/1", 1.0)
        self.assert_comes_to("Notes of my loop: Goes round; one other loop goes round", strip, "another one does")
        self.room(page, "room.send('/loop/stop')")
        self.wait_until("it stands", lambda: strip().startswith("Notes of my loop: Stopped"))
        bob.send("/bye")
        pad = lambda: page.get_attribute('[data-pad="3"]', "aria-label")  # noqa: E731
        name = pad()
        self.room(page, "room.set('/pad/3/mute', 1)")
        self.assert_comes_to(f"{name}, Muted", pad, "it is muted")
        mutes = lambda: page.get_attribute('#perform [data-action="mutes"]', "aria-label")  # noqa: E731
        self.assert_comes_to("Mutes: some pads are muted", mutes, "so says the button of the groups")
        self.room(page, "{ room.set('/pad/3/mute', 0); room.set('/pad/4/solo', 1); }")
        self.assert_comes_to(f"{name}, Not solo", pad, "another one is solo")
        self.room(page, "{ room.set('/pad/4/solo', 0); room.set('/pitch', 3); }")
        self.assert_comes_to("Filter: moved", lambda: page.get_attribute('#perform [data-action="strips"]', "aria-label"), "it is moved")
        self.room(page, "room.set('/pitch', 0)")

    def test_blocks_are_found_carried_and_taken_away_by_keys(self):
        page, bob = self.connected(), self.listener()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        page.wait_for_selector('.block-list [data-block="rock push"]')
        page.wait_for_selector('.block-list [tabindex="0"]')
        self.assertEqual(page.locator('.block-list [tabindex="0"]').count(), 1, "one stop of the Tab key")
        self.assertEqual(page.get_attribute('.slot[data-lane="1"][data-slot="2"]', "aria-label"), "Slot 2: empty")
        listed = "[...document.querySelectorAll('.block-list .block')].map((block) => block.dataset.block)"
        names = self.still("the list", lambda: page.evaluate(listed))
        focused = lambda: page.evaluate("document.activeElement.dataset.block ?? document.activeElement.dataset.slot")  # noqa: E731
        page.focus('.block-list [tabindex="0"]')
        # So many lie beside each other.
        across = page.evaluate("""() => {
          const tops = [...document.querySelectorAll('.block-list .block')].map((block) => block.offsetTop);
          return tops.filter((top) => top === tops[0]).length;
        }""")
        for key, index in (("ArrowDown", across), ("ArrowRight", across + 1), ("ArrowUp", 1), ("End", -1), ("Home", 0)):
            page.keyboard.press(key)
            self.assertEqual(focused(), names[index], key)
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        slot = '.slot[data-lane="1"][data-slot="1"]'
        page.wait_for_selector(f'{slot} [data-block="{names[0]}"]')
        # It goes to the second lane, and away: the keys stay where they were.
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_selector(f'.slot[data-lane="2"] [data-block="{names[0]}"]')
        page.wait_for_selector(f"{slot}:empty", state="attached")
        page.keyboard.press("Shift+F")
        page.keyboard.press("Delete")
        page.wait_for_selector('.slot[data-lane="2"][data-slot="1"]:empty', state="attached")
        self.assertEqual(page.evaluate("document.activeElement.dataset.lane"), "2")
        page.keyboard.press("1")
        self.assertEqual(self.heard(bob)[1], 1, "Shift+F was no hit")


if __name__ == "__main__":
    unittest.main()
