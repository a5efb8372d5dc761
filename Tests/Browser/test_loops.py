"""Loops, steps, blocks and build-ups from the page."""

import unittest

from case import BrowserCase


class LoopTests(BrowserCase):
    def loop(self, page, state):
        page.wait_for_selector(f"body[data-loop={state}]")

    def test_what_is_overdubbed_goes_round_and_undo_takes_it_back(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-action="overdub"]')
        self.loop(page, "overdubbing")
        page.click('[data-pad="2"]')
        self.heard(bob, 2)
        # A second tap ends the pass on the bar line, and what was hit comes again.
        page.click('[data-action="overdub"]')
        self.loop(page, "playing")
        self.heard(bob, 2, seconds=20)
        page.click('[data-action="undo"]')
        self.loop(page, "empty")
        page.click('[data-action="redo"]')
        self.loop(page, "playing")

    def test_steps_are_set_by_mouse_and_keys(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        page.click('.step[data-row="1"][data-step="1"]')
        self.heard(bob, 1)
        page.focus('.step[data-row="1"][data-step="1"]')
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        self.assertEqual(page.get_attribute('.step[data-row="1"][data-step="2"]', "aria-selected"), "true")
        page.keyboard.press("Delete")
        self.assertEqual(page.get_attribute('.step[data-row="1"][data-step="2"]', "aria-selected"), "false")

    def test_a_block_is_dragged_onto_a_lane_snaps_plays_and_goes(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Blocks")
        block = page.locator('.shelf [data-block="rock straight"]').bounding_box()
        slot = page.locator('.slot[data-lane="1"][data-slot="1"]')
        box = slot.bounding_box()
        page.mouse.move(block["x"] + 20, block["y"] + 20)
        page.mouse.down()
        page.mouse.move(block["x"] + 20, block["y"] - 10)
        # Somewhat beside the slot: it snaps, and says so.
        page.mouse.move(box["x"] + box["width"] / 2 + 25, box["y"] + box["height"] / 2 + 15)
        self.assertIn("target", slot.get_attribute("class"))
        page.mouse.up()
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"] [data-block="rock straight"]')
        page.click('.lane[aria-label="Lane 1"] >> text=Loop')
        self.heard(bob)
        slot.focus()
        page.keyboard.press("Delete")
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"]:empty', state="attached")

    def test_a_block_is_dragged_by_a_finger_and_swiped_off(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Blocks")
        tool = page.context.new_cdp_session(page)

        def drag(start, end):
            points = [(start[0] + (end[0] - start[0]) * i / 8, start[1] + (end[1] - start[1]) * i / 8) for i in range(9)]
            tool.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": points[0][0], "y": points[0][1]}]})
            for x, y in points[1:]:
                tool.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
            tool.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        def middle(selector):
            box = page.locator(selector).bounding_box()
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        slot = '.slot[data-lane="1"][data-slot="2"]'
        page.wait_for_selector('.shelf [data-block="rock push"]')
        drag(middle('.shelf [data-block="rock push"]'), middle(slot))
        page.wait_for_selector(f'{slot} [data-block="rock push"]')
        x, y = middle(slot)
        drag((x, y), (x, y + 220))
        page.wait_for_selector(f"{slot}:empty", state="attached")

    def test_a_tapped_block_goes_into_the_slot_that_is_tapped_next_and_its_preview_ends_with_the_panel(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.wait_for_selector("body[data-audio=ready]")
        page.tap('[data-action="loops"]')
        page.wait_for_selector("body[data-audio=playing]")
        page.tap("#panel-tabs >> text=Blocks")
        page.tap('.shelf [data-block="rock push"]')
        page.wait_for_selector('.shelf .previewed[data-block="rock push"]')
        page.tap('.slot[data-lane="1"][data-slot="3"]')
        page.wait_for_selector('.slot[data-lane="1"][data-slot="3"] [data-block="rock push"]')
        page.tap("#panel-close")
        page.tap('[data-action="loops"]')
        page.wait_for_selector('.shelf [data-block="rock push"]')
        self.assertEqual(page.locator(".shelf .previewed").count(), 0)

    def test_what_scrolls_follows_a_block_to_a_lane_out_of_sight(self):
        page = self.connected(None, (320, 568))
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Blocks")
        block = '.shelf [data-block="rock push"]'
        page.wait_for_selector(block)
        for lane in (1, 2):
            page.locator(f'.slot[data-lane="{lane}"][data-slot="1"]').evaluate(
                "(slot, name) => import('/room.js').then(({ room }) => room.set(`/lane/${slot.dataset.lane}/1`, name))", "rock push")
            page.wait_for_selector(f'.slot[data-lane="{lane}"][data-slot="1"] .block', state="attached")
        page.locator(block).scroll_into_view_if_needed()
        page.locator("#panel-body").evaluate("body => { body.scrollTop = body.scrollHeight; }")
        slot = page.locator('.slot[data-lane="1"][data-slot="2"]')
        top = page.locator("#panel-body").bounding_box()["y"]
        self.assertLess(slot.bounding_box()["y"], top, "the first lane is out of sight")
        box = page.locator(block).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(160, top + 20, steps=5)
        self.wait_until("it has come into sight", lambda: slot.bounding_box()["y"] >= top)
        there = slot.bounding_box()
        page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=3)
        page.mouse.up()
        page.wait_for_selector('.slot[data-lane="1"][data-slot="2"] [data-block="rock push"]')

    def test_anybody_ends_the_loop_of_one_who_has_left(self):
        page, bob = self.connected(), self.listener()
        bob.send("/loop/bars", 1)
        bob.send("/loop/record")
        self.assertIsNotNone(bob.wait_for("/loop/state", lambda state: state == "recording"))
        bob.send("/pad/9", 1.0)
        self.assertIsNotNone(bob.wait_for("/loop/state", lambda state: state == "playing"))
        bob.send("/bye")
        page.click('[data-action="people"]')
        page.click(f'[aria-label="End the loop of {self.other}"]')
        page.wait_for_selector(f'[aria-label="End the loop of {self.other}"]', state="detached")
        self.assertIsNone(self.listener(f"{self.me}-too").wait_for("/hit", seconds=3), "it goes round no more")

    def test_the_loop_buttons_stay_in_sight_beside_the_loops(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.tap('[data-action="loops"]')
        for action in ("record", "overdub", "undo", "redo"):
            page.tap(f'[data-action="{action}"]', trial=True)

    def test_a_build_up_is_counted_down_for_everybody_and_dropped(self):
        page, other = self.connected(), self.connected(f"/?name={self.other}")
        page.click('[data-action="buildup"]')
        page.click('[data-action="start-buildup"]')
        other.wait_for_selector("#building:not([hidden])")
        other.wait_for_selector("body[data-buildup=running]")
        self.assertIn("150", other.text_content("#building-text"))
        other.click('[data-action="drop"]')
        page.wait_for_selector("body[data-buildup=none]")


if __name__ == "__main__":
    unittest.main()
