"""What OSC apps send, on the page: Room, OSC."""

import unittest

from case import BrowserCase

WORD = "geheim"


class MonitorPanelTests(BrowserCase):
    arguments = ("--host-word", WORD)
    draws_each_frame = True

    def monitor(self, page):
        page.click('[data-action="people"]')
        page.click("#panel-tabs >> text=OSC")
        page.wait_for_selector("#panel-body .stack input[type=search]")

    def addresses(self, page):
        return page.evaluate("[...document.querySelectorAll('.monitor tbody tr code')].map((code) => code.textContent)")

    def shows(self, page, *wanted):
        """The rows, the newest first."""
        self.assert_comes_to(list(wanted), lambda: self.addresses(page), "the rows")

    def test_a_controller_is_seen_with_its_outcomes_filtered_and_standing_still(self):
        page = self.connected(f"/?name={self.me}#host={WORD}")
        self.wait_until("it is a host", lambda: self.room(page, "room.get('/host') > 0"))
        pads = self.listener()
        self.monitor(page)
        page.wait_for_selector("text=You are a host: you see what everybody in this room sends.")
        page.wait_for_selector("text=Nothing came yet.")
        pads.send("/pad/3", 0.75)
        pads.send("/temppo", 100.0)
        pads.send("/pad/3/gain", -6.0)
        self.shows(page, "/pad/3/gain -6.0", "/temppo 100.0", "/pad/3 0.75")
        rows = page.locator(".monitor tbody tr")
        self.assertIn("Refused there is no such address: did you mean /tempo?", rows.nth(1).text_content())
        self.assertIn("Understood /pad/3: velocity 0.75", rows.nth(2).text_content())
        self.assertIn(self.other, rows.nth(2).text_content())
        # A fader that moves is one row.
        for level in (-5.0, -4.0):
            pads.send("/pad/3/gain", level)
        self.wait_text(page, ".monitor tbody tr", lambda text: "/pad/3/gain -4.0" in text and "× 3" in text)
        page.click("#panel-body label.switch")
        self.shows(page, "/temppo 100.0")
        page.click("#panel-body label.switch")
        page.fill('[aria-label="Only lines with …"]', "VELOCITY")
        self.shows(page, "/pad/3 0.75")
        page.fill('[aria-label="Only lines with …"]', "nobody sends that")
        page.wait_for_selector("text=No line is so.")
        page.fill('[aria-label="Only lines with …"]', "")
        page.click('#panel-body button:text-is("Pause")')
        pads.send("/pad/4", 1.0)
        page.wait_for_selector("text=and 1 more")
        self.assertNotIn("/pad/4 1.0", self.addresses(page))
        page.click('#panel-body button:text-is("Pause")')
        pads.send("/pad/5", 1.0)
        self.wait_until("it goes on", lambda: self.addresses(page)[0] == "/pad/5 1.0")
        page.click('#panel-body button:text-is("Clear")')
        page.wait_for_selector("text=Nothing came yet.")
        # It is a table to those who hear it, and no live region.
        self.assertEqual(page.get_attribute(".monitor", "role"), "table")
        self.assertEqual(page.locator(".monitor [role=columnheader]").count(), 3)
        self.assertEqual(page.locator(".monitor [aria-live], .monitor [role=status], .monitor [role=log]").count(), 0)

    def test_it_is_told_only_while_it_is_open(self):
        page = self.connected(f"/?name={self.me}#host={WORD}")
        self.monitor(page)
        page.evaluate("import('/room.js').then(({ room }) => { window.told = 0; room.on('/monitor', () => { told += 1; }); })")
        pads = self.listener()
        pads.send("/pad/1", 1.0)
        self.wait_until("a line came", lambda: page.evaluate("told") > 0)
        page.click("#panel-tabs >> text=People")
        page.wait_for_selector(".person")
        # What the page says now comes to the server behind the end of its subscription.
        self.room(page, "room.send('/chat', 'over')")
        self.assertIsNotNone(pads.wait_for("/chat"))
        self.room(page, "0")
        told = page.evaluate("told")
        for pad in range(1, 9):
            pads.send(f"/pad/{pad}", 1.0)
        hits = "import('/room.js').then(({ room }) => { window.hits = 0; room.on('/hit', () => { hits += 1; }); })"
        page.evaluate(hits)
        pads.send("/pad/9", 1.0)
        self.wait_until("a later hit came", lambda: page.evaluate("hits") > 0)
        self.assertEqual(page.evaluate("told"), told)

    def test_many_lines_are_drawn_seldom_and_as_sixty_rows(self):
        page = self.connected(f"/?name={self.me}")
        self.monitor(page)
        draws, most = page.evaluate("""async () => {
          const { room } = await import('/room.js');
          let draws = 0;
          const seen = new MutationObserver(() => { draws += 1; });
          seen.observe(document.querySelector('.monitor tbody'), { childList: true, characterData: true, subtree: true });
          const start = performance.now();
          for (let round = 0; round < 60; round += 1) {
            await new Promise((go) => requestAnimationFrame(go));
            for (let i = 0; i < 5; i += 1) room.apply('/monitor', [0, '10.0.0.7:9', 'x', 'udp', `/pad/${i + 1}`, `${round}`, 'understood', 'y', '']);
          }
          seen.disconnect();
          // One in 150 ms, and one for what waited at either end.
          return [draws, (performance.now() - start) / 150 + 2];
        }""")
        self.assertLessEqual(draws, most)
        self.wait_until("sixty rows", lambda: page.locator(".monitor tbody tr").count() == 60)

    def test_reasons_are_in_the_page_s_language_with_the_server_s_own_behind_them(self):
        page = self.connected(f"/?name={self.me}", locale="de-DE")
        # It is here before the monitor, which does not show that it comes.
        pads = self.listener()
        self.monitor(page)
        pads.send("/temppo", 100.0)
        pads.send("/pad/3", 0.75)
        pads.send("/lock", "tempo")
        self.shows(page, '/lock "tempo"', "/pad/3 0.75", "/temppo 100.0")
        lock, pad, tempo = page.locator(".monitor tbody tr").all_text_contents()
        self.assertIn("Abgelehnt Diese Adresse gibt es nicht. there is no such address: did you mean /tempo?", tempo)
        self.assertIn("Abgelehnt Das darf nur ein Host. only a host may lock tempo", lock)
        self.assertIn("Verstanden /pad/3: velocity 0.75", pad)
        self.assertEqual(page.locator(".monitor small[lang=en]").nth(2).text_content()[:27], "there is no such address: d")
        touch = "Ein Finger berührt ein Bedienelement: das bewirkt nichts."
        pads.send("/1/fader1/z", 1.0)
        self.wait_text(page, ".monitor tbody tr", lambda text: touch in text)

    def test_a_guest_is_told_how_to_see_more(self):
        page = self.connected(f"/?name={self.me}")
        self.monitor(page)
        page.wait_for_selector("text=the host word makes you one, under People.")


if __name__ == "__main__":
    unittest.main()
