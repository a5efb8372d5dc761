"""A control never moves under a finger: one that comes by itself to where another one was rests for a second."""

import unittest

from case import BrowserCase

PHONE = {"size": (390, 844), "has_touch": True}


class RestTests(BrowserCase):
    keeps_late_controls = True

    def middle(self, page, selector):
        box = self.still_box(page, selector)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def dropped(self):
        """A page just after the drop of a build-up from 120 bpm, and the place where DROP was."""
        page = self.connected(None, **PHONE)
        other = self.listener()
        # One client says all of it: the words of two have no order.
        other.send("/tempo", 120)
        other.send("/play")
        other.send("/buildup", 150, 8)
        page.wait_for_selector("#building:not([hidden])")
        drop = self.middle(page, "#building .drop")
        other.send("/buildup/drop")
        page.wait_for_selector("body[data-buildup=over]", state="attached")
        return page, drop

    def test_a_late_tap_on_drop_opens_nothing_and_the_tempo_that_is_back_is_said(self):
        page, drop = self.dropped()
        page.touchscreen.tap(*drop)
        self.wait_text(page, "#building-text", lambda text: text == "Dropped: back to 120 bpm")
        self.assertEqual(page.evaluate("document.body.dataset.panel"), None, "the tempo's sheet lies under it")
        page.wait_for_selector("body[data-buildup=none]", state="attached")
        page.touchscreen.tap(*drop)
        page.wait_for_selector("body[data-panel=beat]", state="attached")

    def test_ten_taps_where_drop_was_open_nothing(self):
        page, drop = self.dropped()
        # Until long after the tempo is back in its place.
        for number in range(13):
            page.touchscreen.tap(*drop)
            page.wait_for_timeout(350)
            self.assertEqual(page.evaluate("document.body.dataset.panel"), None, f"tap {number + 1}")
        self.assertEqual(page.evaluate("document.body.dataset.buildup"), "none")
        self.rested(page)
        page.touchscreen.tap(*drop)
        page.wait_for_selector("body[data-panel=beat]", state="attached")

    def test_what_comes_by_itself_to_where_another_one_was_takes_no_touch_for_a_second(self):
        page = self.connected(None, **PHONE)
        x, y = self.middle(page, '.tabs [data-action="kits"]')
        page.evaluate("""() => {
          window.count = 0;
          const button = document.createElement('button');
          button.id = 'newcomer';
          button.textContent = 'New';
          button.onclick = () => { count += 1; };
          document.querySelector('.tabs').prepend(button);
        }""")
        page.wait_for_selector("#newcomer")
        page.touchscreen.tap(x - 20, y)
        page.mouse.click(x - 20, y)
        self.rested(page)
        self.assertEqual((page.evaluate("count"), page.evaluate("document.body.dataset.panel")), (0, None))
        page.touchscreen.tap(x - 20, y)
        self.wait_until("it takes touches", lambda: page.evaluate("count") == 1)
        page.evaluate("newcomer.remove()")

    def test_a_cancelled_build_up_says_the_tempo_too(self):
        page = self.connected()
        self.room(page, "{ room.set('/tempo', 120); room.send('/play'); room.send('/buildup', 150, 8); }")
        page.wait_for_selector("#building:not([hidden])")
        self.room(page, "room.send('/buildup/cancel')")
        self.wait_text(page, "#building-text", lambda text: text == "The build-up is over: 120 bpm")
        page.wait_for_selector("#building", state="hidden")

    def test_a_second_tap_on_drop_builds_nothing_up(self):
        page = self.connected(None, **PHONE)
        page.wait_for_selector('[data-action="build"]')
        self.room(page, "{ room.send('/play'); room.send('/buildup', 150, 8); }")
        self.wait_text(page, '[data-action="build"]', lambda text: text == "Drop")
        self.rested(page)
        sent = "import('/room.js').then(({ room }) => { window.sent = []; const real = room.send.bind(room); room.send = (...all) => { sent.push(all[0]); return real(...all); }; })"
        page.evaluate(sent)
        page.locator('[data-action="build"]').evaluate("""async (button) => {
          for (let count = 0; count < 2; count += 1) {
            for (const type of ['pointerdown', 'pointerup', 'click']) button.dispatchEvent(new PointerEvent(type, { pointerId: 5, bubbles: true, detail: 1 }));
            await new Promise((go) => setTimeout(go, 250));
          }
        }""")
        self.wait_text(page, '[data-action="build"]', lambda text: text == "Build")
        self.assertEqual([address for address in page.evaluate("sent") if address.startswith("/buildup")], ["/buildup/drop"])

    def test_a_drop_that_is_under_way_is_asked_for_once(self):
        page = self.connected(None, **PHONE)
        # Its bars last for 12 s, so the drop is under way for a while.
        self.room(page, "{ room.set('/tempo', 20); room.send('/play'); room.send('/buildup', 25, 8); }")
        page.wait_for_selector("#building .drop")
        self.rested(page)
        page.evaluate("import('/room.js').then(({ room }) => { window.sent = []; const real = room.send.bind(room); room.send = (...all) => { sent.push(all[0]); return real(...all); }; })")
        page.click("#building .drop")
        self.wait_until("it is under way", lambda: self.room(page, "room.get('/buildup/state')") == "dropping")
        for where in ("#building .drop", '[data-action="build"]'):
            page.click(where)
        self.assertEqual([address for address in page.evaluate("sent") if address.startswith("/buildup")], ["/buildup/drop"])
        self.room(page, "{ room.send('/buildup/cancel'); room.send('/stop'); room.set('/tempo', 120); }")

    def test_a_button_that_another_hand_gives_another_meaning_rests(self):
        page, bob = self.connected(None, **PHONE), self.listener()
        bob.send("/play")
        self.wait_until("it plays", lambda: page.get_attribute("#play", "data-means") == "stop")
        self.rested(page)
        bob.send("/stop")
        self.wait_until("it stands", lambda: page.get_attribute("#play", "data-means") == "play")
        page.touchscreen.tap(*self.middle(page, "#play"))
        self.rested(page)
        self.assertEqual(self.room(page, "room.get('/play')"), 0, "the finger meant Stop")
        page.tap("#play")
        self.wait_until("it plays again", lambda: self.room(page, "room.get('/play')") == 1)
        # The own hand goes on at once.
        page.tap("#play")
        self.wait_until("it stands again", lambda: self.room(page, "room.get('/play')") == 0)

    def test_pads_take_every_touch(self):
        page, bob = self.connected(None, **PHONE), self.listener()
        self.room(page, "{ room.send('/play'); room.send('/buildup', 150, 8); }")
        page.wait_for_selector("#building:not([hidden])")
        page.tap('[data-pad="3"]')
        self.heard(bob, 3)
        self.room(page, "room.send('/buildup/cancel')")


if __name__ == "__main__":
    unittest.main()
