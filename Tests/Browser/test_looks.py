"""Pictures of the page at four sizes, and what can be measured of its looks."""

import unittest

from case import SCREENSHOTS, BrowserCase

SIZES = {"phone": (390, 844), "phone-on-its-side": (844, 390), "laptop": (1280, 800), "wall": (2560, 1440)}
PANELS = ("kits", "loops", "buildup", "mixer", "people", "settings")
SMALLEST = (320, 568)


class LooksTests(BrowserCase):
    def test_pictures(self):
        SCREENSHOTS.mkdir(exist_ok=True)
        for name, size in SIZES.items():
            for theme in ("dark", "light"):
                with self.subTest(name=name, theme=theme):
                    page = self.connected(f"/?name={name}-{theme}", size, color_scheme=theme)
                    page.click('[data-pad="6"]')
                    self.assert_fits(page)
                    page.screenshot(path=SCREENSHOTS / f"{name}-{theme}.png")
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

    def assert_fits(self, page):
        wide = page.evaluate("[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight,"
                             " document.getElementById('panel-body').scrollWidth - document.getElementById('panel-body').clientWidth]")
        self.assertLessEqual(max(wide), 0, "something sticks out")

    def assert_targets(self, page):
        small = page.evaluate("""() => [...document.querySelectorAll('button, select, input:not(.offscreen), [role=slider]')]
            .filter((element) => element.checkVisibility() && !element.matches('[role=switch]'))
            .map((element) => [element.textContent || element.ariaLabel || element.type, element.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
            .map(([name, box]) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`)""")
        self.assertEqual(small, [], "smaller than 44 pixels")


if __name__ == "__main__":
    unittest.main()
