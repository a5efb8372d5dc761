"""Controllers that announce themselves, under Room → Join: one tap sends lights to one."""

import unittest

from case import BrowserCase

NAME = "Ann's iPad"
ROW = "#controllers li"


class ControllerTests(BrowserCase):
    def join(self, page):
        page.click('[data-action="people"]')
        page.click('#panel-tabs button:has-text("Join")')
        page.wait_for_selector("#panel-body summary")

    def tell(self, page, *items):
        """What the server says of controllers, as the page hears it. Nobody announces itself in this network."""
        script = """(() => {
          for (const item of value) room.tell("/controllers/item", item);
          room.tell("/controllers/end", [value.length]);
          return true;
        })()"""
        self.room(page, script, [list(item) for item in items])

    def test_none(self):
        page = self.connected()
        self.join(page)
        self.tell(page)
        self.assertTrue(page.is_hidden("#controllers"))

    def test_a_tap_orders_lights_and_a_refusal_takes_the_switch_back(self):
        page = self.connected()
        self.join(page)
        self.tell(page, (NAME, "192.0.2.7", 9000, "off", ""), ("Desk", "192.0.2.8", 9001, "taken", "bob"))
        page.wait_for_selector(ROW)
        self.assertEqual(page.locator(ROW).count(), 2)
        mine = page.get_by_role("switch", name=f"Send lights to {NAME}")
        self.assertFalse(mine.is_checked())
        other = page.locator('[data-controller="Desk"]')
        self.assertTrue(other.locator("input").is_disabled())
        self.assertIn("bob", other.text_content())
        self.tell(page, (NAME, "192.0.2.7", 9000, "on", self.me))
        self.assertTrue(mine.is_checked())
        self.assertEqual(page.locator(ROW).count(), 1)
        # The tap reaches the server, which knows no such controller: the page asks it again, and believes it.
        mine.click()
        self.wait_text(page, "#toast", lambda text: "controller is not there" in text)
        self.wait_until("the list is empty", lambda: page.is_hidden("#controllers"))


if __name__ == "__main__":
    unittest.main()
