"""axe-core finds nothing serious, in either theme and in every panel; the page is played by keys alone."""

import unittest

from case import BrowserCase

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

PANELS = {"kits": ("Kits", "Sounds", "Record"), "loops": ("Layers", "Steps", "Blocks"), "buildup": (), "mixer": (),
          "people": ("People", "Chat", "Join"), "settings": ("This pad", "This page")}


class AccessTests(BrowserCase):
    @unittest.skipIf(Axe is None, "not installed: axe-playwright-python (Tests/Browser/requirements.txt)")
    def test_axe_finds_nothing_serious(self):
        for theme in ("dark", "light"):
            page = self.connected(None, color_scheme=theme)
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


if __name__ == "__main__":
    unittest.main()
