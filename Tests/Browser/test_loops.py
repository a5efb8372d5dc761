"""Loops, steps, blocks and build-ups from the page."""

import re
import time
import unittest

from case import BrowserCase
from patience import Patient


class Finger(Patient):
    """One finger on a touch screen, by Chromium's own input: the page scrolls under it as under a real one."""

    def __init__(self, page):
        self._page = page
        self._tool = page.context.new_cdp_session(page)

    @property
    def place(self):
        return self._at

    def _send(self, kind, at=None):
        points = [] if kind == "touchEnd" else [{"x": self._at[0], "y": self._at[1]}]
        self._tool.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": at or time.time()})

    def _middle(self, selector):
        """Where it lies once it lies still: a list that still comes from the server pushes what is below it."""
        box = self.still(f"the place of {selector}", lambda: self._page.locator(selector).bounding_box(), times=3)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(self, selector):
        self._at = self._middle(selector)
        self._send("touchStart")

    def hold(self, selector):
        """Until the block is lifted."""
        self.touch(selector)
        self._page.wait_for_selector(".ghost")

    def move(self, dx, dy, steps=8):
        for _ in range(steps):
            self._at = self._at[0] + dx / steps, self._at[1] + dy / steps
            self._send("touchMove")

    def move_to(self, selector):
        x, y = self._middle(selector)
        self.move(x - self._at[0], y - self._at[1])

    def lift(self):
        self._send("touchEnd")

    def tap(self, selector, times=1):
        """So often, 30 ms apart by its own clock, however long the machine takes to tell of it."""
        self._at = self._middle(selector)
        start = time.time()
        for number in range(times):
            self._send("touchStart", start + 0.03 * number)
            self._send("touchEnd", start + 0.03 * number + 0.01)

    def sweep(self, selector, dx, dy, seconds=0.05):
        """Without holding still: within so long by its own clock, however long the machine takes to tell of it."""
        self._at = self._middle(selector)
        start = time.time()
        self._send("touchStart", start)
        for step in range(1, 11):
            self._at = self._at[0] + dx / 10, self._at[1] + dy / 10
            self._send("touchMove", start + seconds / 10 * step)
        self._send("touchEnd", start + seconds)

    def pinch(self, selector, *widths):
        """Two fingers beside each other on an element, which go to so many pixels from one another, one width after the other."""
        x, y = self._middle(selector)
        at = lambda width: [{"x": x - width / 2, "y": y, "id": 1}, {"x": x + width / 2, "y": y, "id": 2}]  # noqa: E731
        send = lambda kind, points: self._tool.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})  # noqa: E731
        send("touchStart", at(widths[0]))
        for before, after in zip(widths, widths[1:]):
            for step in range(1, 9):
                send("touchMove", at(before + (after - before) * step / 8))
        send("touchEnd", [])


class LoopTests(BrowserCase):
    def loop(self, page, state):
        page.wait_for_selector(f"body[data-loop={state}]")

    def test_what_is_overdubbed_goes_round_and_undo_takes_it_back(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-action="overdub"]')
        self.loop(page, "overdubbing")
        self.beats_later(page, 1)
        page.click('[data-pad="2"]')
        self.heard(bob, 2)
        # A second tap ends the pass on the bar line, and what was hit comes again.
        page.click('[data-action="overdub"]')
        self.loop(page, "playing")
        self.heard(bob, 2)
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

    def test_notes_have_rows_below_the_pads_by_their_names_in_the_rooms_key(self):
        page = self.connected()
        bob = self.listener()
        self.room(page, "{ room.set('/key/root', 'Eb'); room.set('/key/66/step/3', 0.7); }")
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        names = lambda: page.locator(".stepname").all_text_contents()[16:]  # noqa: E731
        self.wait_until("a row below the pads", lambda: names() == ["F#4"])
        step = lambda row, number: page.get_attribute(f'.step[data-row="{row}"][data-step="{number}"]', "aria-selected")  # noqa: E731
        self.assertEqual([step(17, number) for number in (2, 3, 4)], ["false", "true", "false"])
        page.select_option('[aria-label="Add a row for a note"]', label="Bb4")
        self.wait_until("higher notes above lower ones", lambda: names() == ["Bb4", "F#4"])
        self.assertEqual(step(18, 3), "true", "the row that was there shows what it showed")
        page.click('.step[data-row="17"][data-step="1"]')
        self.assertIsNotNone(bob.wait_for("/note", lambda player, note, *_: player == self.me and note == 70))
        page.click('.step[data-row="17"][data-step="1"]')
        self.wait_until("taken away", lambda: self.room(page, "room.get('/key/70/step/1')") == 0)
        page.focus('.step[data-row="16"][data-step="3"]')
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Delete")
        self.assertEqual(step(18, 3), "false")
        self.room(page, "room.set('/key/root', 'C')")

    def test_notes_in_the_steps_are_there_after_a_reload(self):
        page = self.connected()
        self.room(page, "room.set('/key/48/step/5', 1)")
        self.wait_until("it is in the loop", lambda: self.room(page, "room.get('/loop/layers')") == 1)
        page.reload()
        self.wait_connected(page)
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        self.wait_until("its row", lambda: page.locator(".stepname").all_text_contents()[16:] == ["C3"])
        self.assertEqual(page.get_attribute('.step[data-row="17"][data-step="5"]', "aria-selected"), "true")

    def test_a_block_is_dragged_onto_a_lane_snaps_plays_and_goes(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        block = self.still_box(page, '.block-list [data-block="rock straight"]')
        slot = page.locator('.slot[data-lane="1"][data-slot="1"]')
        box = self.still_box(page, '.slot[data-lane="1"][data-slot="1"]')
        page.mouse.move(block["x"] + 20, block["y"] + 20)
        page.mouse.down()
        page.mouse.move(block["x"] + 20, block["y"] - 10)
        # Somewhat beside the slot: it snaps, and says so.
        page.mouse.move(box["x"] + box["width"] / 2 + 25, box["y"] + box["height"] / 2 + 15)
        self.wait_until("it snaps", lambda: "target" in slot.get_attribute("class"))
        page.mouse.up()
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"] [data-block="rock straight"]')
        page.click('.lane[aria-label="Lane 1"] >> text=Loop')
        self.heard(bob)
        slot.focus()
        page.keyboard.press("Delete")
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"]:empty', state="attached")

    def blocks_on_a_phone(self, *names):
        """The blocks' part of the loops on a phone, with blocks in the first slots of the first lane; and a finger."""
        page = self.connected(None, (390, 844), has_touch=True)
        page.click('[data-action="loops"]')
        # The list and the lanes are seen at once.
        page.click("#panel-grip")
        page.click("#panel-tabs >> text=Patterns")
        page.wait_for_selector('.block-list [data-block="rock push"]')
        for number, name in enumerate(names, 1):
            self.room(page, "room.set(`/lane/1/${value[0]}`, value[1])", [number, name])
            page.wait_for_selector(f'.slot[data-lane="1"][data-slot="{number}"] [data-block="{name}"]', state="attached")
        return page, Finger(page)

    def on_lane(self, page):
        return [slot.text_content() and slot.get_attribute("aria-label").split(": ")[1]
                for slot in page.locator('.slot[data-lane="1"]').all()][:4]

    def test_a_block_is_dragged_by_a_finger_that_held_it_and_flicked_off(self):
        page, finger = self.blocks_on_a_phone()
        slot = '.slot[data-lane="1"][data-slot="2"]'
        finger.hold('.block-list [data-block="rock push"]')
        finger.move_to(slot)
        self.wait_until("it snaps", lambda: "target" in page.get_attribute(slot, "class"))
        finger.lift()
        page.wait_for_selector(f'{slot} [data-block="rock push"]')
        finger.sweep(slot, 0, 60)
        page.wait_for_selector(f"{slot}:empty", state="attached")
        self.assertIn("Undo", page.text_content("#toast"))

    def test_a_flick_of_four_tenths_of_a_second_takes_a_block_off_and_moves_it_nowhere(self):
        page, finger = self.blocks_on_a_phone("rock push")
        first = '.slot[data-lane="1"][data-slot="1"]'
        boxes = [self.still_box(page, f'.slot[data-lane="{lane}"][data-slot="1"]')["y"] for lane in (1, 2)]
        finger.sweep(first, 0, boxes[1] - boxes[0], seconds=0.4)
        page.wait_for_selector(f"{first}:empty", state="attached")
        self.assertEqual(page.locator(".slot .block").count(), 0, "it is on the lane below")

    def test_on_a_half_sheet_nothing_scrolls_under_a_block_that_is_taken_up_near_its_edge(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        block = '.block-list [data-block="rock push"]'
        page.wait_for_selector(block)
        finger, body = Finger(page), page.locator("#panel-body")
        # It lies at the lower edge of the sheet.
        page.locator(block).evaluate("block => block.scrollIntoView({ block: 'end' })")
        before = body.evaluate("body => body.scrollTop")
        finger.hold(block)
        self.drawn(page)
        self.assertEqual(body.evaluate("body => body.scrollTop"), before)
        # On its way to the middle of the sheet neither.
        box = self.still_box(page, "#panel-body")
        finger.move(0, box["y"] + box["height"] / 2 - finger.place[1])
        self.drawn(page)
        self.assertEqual(body.evaluate("body => body.scrollTop"), before)
        # At the other edge it does.
        finger.move(0, box["y"] + 4 - finger.place[1])
        self.wait_until("the lanes come", lambda: body.evaluate("body => body.scrollTop") < before)
        finger.lift()

    def test_a_pinch_begins_and_ends_a_focus_and_its_words_name_the_pattern(self):
        page, finger = self.blocks_on_a_phone("rock push")
        self.room(page, "room.send('/play')")
        # The first touch turned the sound on.
        page.wait_for_selector("body[data-audio=playing]")
        self.keep_texts(page, ".focusing span")
        slot = '.slot[data-lane="1"][data-slot="1"]'
        finger.pinch(slot, 60, 160)
        page.wait_for_selector(f"{slot}.focused")
        self.wait_text(page, ".focusing span", lambda text: text == "You alone hear rock push, and nothing else.")
        finger.pinch("#panel-body", 160, 60)
        page.wait_for_selector(".slot.focused", state="detached")
        # The head of the panel is a place for fingers, too.
        finger.pinch(slot, 60, 160)
        page.wait_for_selector(f"{slot}.focused")
        finger.pinch("#panel > header", 160, 60)
        page.wait_for_selector(".slot.focused", state="detached")
        self.room(page, "room.set('/lane/1/1', '')")
        self.assertNotIn("You alone hear , and nothing else.", self.kept_texts(page))

    def test_on_every_screen_all_sixteen_steps_are_in_sight(self):
        for size in ((320, 568), (390, 844), (820, 1180), (844, 390), (1440, 900)):
            for touch in (True, False):
                page = self.connected(f"/?name={self.me}-{size[0]}-{size[1]}-{touch}", size, has_touch=touch, is_mobile=touch)
                page.click('[data-action="loops"]')
                page.click("#panel-tabs >> text=Steps")
                page.wait_for_selector(".step")
                out = """() => {
                  const box = document.querySelector('.stepscroll').getBoundingClientRect();
                  return [...document.querySelectorAll('.step[data-row="1"]')].map((step) => step.getBoundingClientRect())
                      .filter((step) => step.left < box.left || step.right > box.right + 0.5 || step.width < 20 || step.height < 30).length;
                }"""
                with self.subTest(size=size, touch=touch):
                    self.assert_comes_to(0, lambda page=page, out=out: page.evaluate(out), "all steps are in sight")
                    page.click('.step[data-row="1"][data-step="13"]')
                    page.wait_for_selector('.step[data-row="1"][data-step="13"][aria-selected=true]')
                    self.room(page, "room.set('/step/1/13', 0)")
                page.context.close()

    def test_beside_the_loop_of_one_who_has_left_the_layers_say_whose_is_whose(self):
        page, bob = self.connected(), self.listener()
        bob.send("/step/1/1", 1.0)
        self.assertIsNotNone(bob.wait_for("/loop/state", lambda state: state == "playing"))
        bob.send("/bye")
        page.click('[data-action="loops"]')
        row = page.locator(f'#panel-body li:has-text("{self.other}"):has-text("plays on")')
        row.wait_for()
        self.assertIn("the loop plays on", row.text_content())
        self.assertEqual(page.text_content("#panel-body [role=status]"), "You have no loop yet. New loop records from your first tap on; Catch makes a loop of what you just played.")
        page.click(f'#panel-body [aria-label="Take over what {self.other} left"]')
        row.wait_for(state="detached")

    def test_a_block_that_was_dragged_to_another_lane_comes_back_with_one_undo(self):
        page = self.connected()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        self.room(page, "room.set('/lane/1/1', 'rock push')")
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"] [data-block="rock push"]')
        page.locator('.slot[data-lane="1"][data-slot="1"] [data-block]').drag_to(page.locator('.slot[data-lane="2"][data-slot="2"]'))
        page.wait_for_selector('.slot[data-lane="2"][data-slot="2"] [data-block="rock push"]')
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"]:empty', state="attached")
        page.click('[data-action="undo"]')
        page.wait_for_selector('.slot[data-lane="1"][data-slot="1"] [data-block="rock push"]')
        page.wait_for_selector('.slot[data-lane="2"][data-slot="2"]:empty', state="attached")
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: lanes 1 and 2."))
        page.click('[data-action="redo"].offered')
        page.wait_for_selector('.slot[data-lane="2"][data-slot="2"] [data-block="rock push"]')
        self.wait_text(page, "#toast", lambda text: text == "Redone: lanes 1 and 2.")

    def test_an_undo_takes_back_the_tempo_that_was_set_last_and_offers_to_redo_it(self):
        page = self.connected()
        value = lambda address: self.room(page, "room.get(value)", address)
        self.room(page, "room.set('/step/1/1', 1)")
        page.wait_for_selector("body[data-loop=playing]")
        before = value("/tempo")
        self.room(page, "room.set('/tempo', 97)")
        page.keyboard.press("Control+z")
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: tempo."))
        self.wait_until("the tempo is back", lambda: value("/tempo") == before)
        self.assertEqual(page.get_attribute("body", "data-loop"), "playing")
        page.click('[data-action="redo"].offered')
        self.wait_until("the tempo is set again", lambda: value("/tempo") == 97)
        self.wait_text(page, "#toast", lambda text: text == "Redone: tempo.")
        self.wait_until("the offer is over", lambda: page.locator(".offered").count() == 0)
        # The others find the room as it was.
        for what in ("tempo", "steps"):
            page.click('[data-action="undo"]')
            self.wait_text(page, "#toast", lambda text: text.startswith(f"Undone: {what}."))

    def test_an_undo_comes_behind_a_fader_that_still_moved(self):
        page = self.connected()
        value = lambda: self.room(page, "room.get('/tempo')")
        before = value()
        # The second value waits for its turn, for a fader sends no more than once in 25 ms.
        self.room(page, "{ room.set('/tempo', value + 1); room.set('/tempo', value + 2); room.send('/undo'); }", before)
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: tempo."))
        self.wait_until("the tempo is back", lambda: value() == before)
        page.click('[data-action="redo"].offered')
        self.wait_until("the last tempo that was set is back", lambda: value() == before + 2)

    def test_a_finger_pans_a_lane_and_moves_a_block_of_it_only_once_it_held_it(self):
        names = ["rock push", "rock straight", "rock push"]
        page, finger = self.blocks_on_a_phone(*names)
        first = '.slot[data-lane="1"][data-slot="1"]'
        finger.sweep('.slot[data-lane="1"][data-slot="3"]', -200, 0)
        row = page.locator('.slots[aria-label="Lane 1"]')
        self.wait_until("the lane has been panned", lambda: row.evaluate("row => row.scrollLeft") > 60)
        self.assertEqual(self.on_lane(page), [*names, ""])
        row.evaluate("row => { row.scrollLeft = 0; }")
        finger.hold(first)
        finger.move_to('.slot[data-lane="1"][data-slot="2"]')
        finger.lift()
        self.wait_until("two have changed places", lambda: self.on_lane(page) == ["rock straight", "rock push", "rock push", ""])

    def test_a_finger_scrolls_past_the_list_and_takes_nothing_along(self):
        page, finger = self.blocks_on_a_phone("rock push")
        page.set_viewport_size({"width": 390, "height": 560})
        body = page.locator("#panel-body")
        page.locator('.block-list [data-block="rock push"]').scroll_into_view_if_needed()
        before = body.evaluate("body => body.scrollTop")
        finger.sweep('.block-list [data-block="rock push"]', 0, 120)
        self.wait_until("the panel has scrolled", lambda: body.evaluate("body => body.scrollTop") < before - 40)
        self.assertEqual(page.locator(".ghost").count(), 0)
        self.assertEqual(page.locator(".slot .block").count(), 1)

    def test_a_tapped_block_goes_into_the_slot_that_is_tapped_next_and_is_heard_alone_until_the_panel_closes(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.wait_for_selector("body[data-audio=ready]")
        page.tap('[data-action="loops"]')
        page.wait_for_selector("body[data-audio=playing]")
        page.tap("#panel-tabs >> text=Patterns")
        page.tap('.block-list [data-block="rock push"]')
        page.wait_for_selector('.block-list .sounding[data-block="rock push"]')
        page.tap('.about >> text="Hear it alone"')
        page.wait_for_selector('.block-list .previewed[data-block="rock push"]')
        page.tap('.slot[data-lane="1"][data-slot="3"]')
        page.wait_for_selector('.slot[data-lane="1"][data-slot="3"] [data-block="rock push"]')
        # Only where it was tapped.
        self.assertEqual(page.locator(".previewed").count(), 1)
        page.tap("#panel-close")
        page.tap('[data-action="loops"]')
        page.wait_for_selector('.block-list [data-block="rock push"]')
        self.assertEqual(page.locator(".block-list .previewed").count(), 0)

    def test_a_lane_that_plays_is_as_high_as_before(self):
        page, _ = self.blocks_on_a_phone("rock push", "rock straight")
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            lane = page.locator('.lane[aria-label="Lane 1"]')
            before = lane.bounding_box()["height"]
            page.click('.lane[aria-label="Lane 1"] >> text=Loop')
            page.wait_for_selector('.lane[aria-label="Lane 1"][data-state=looping]')
            self.assertEqual(lane.bounding_box()["height"], before, width)
            page.click('[aria-label="Clear lane 1"]')
            page.wait_for_selector('.lane[aria-label="Lane 1"]:not([data-state=looping])')
            for number in (1, 2):
                page.wait_for_selector(f'.slot[data-lane="1"][data-slot="{number}"]:empty', state="attached")
            self.room(page, "room.set('/lane/1/1', 'rock push')")

    def test_what_scrolls_follows_a_block_to_a_lane_out_of_sight(self):
        page = self.connected(None, (320, 568))
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        block = '.block-list [data-block="rock push"]'
        page.wait_for_selector(block)
        for lane in (1, 2):
            self.room(page, "room.set(`/lane/${value}/1`, 'rock push')", lane)
            page.wait_for_selector(f'.slot[data-lane="{lane}"][data-slot="1"] .block', state="attached")
        page.locator(block).scroll_into_view_if_needed()
        slot = page.locator('.slot[data-lane="1"][data-slot="2"]')
        top = page.locator("#panel-body").bounding_box()["y"]
        self.assertLess(slot.bounding_box()["y"], top, "the first lane is out of sight")
        box = self.still_box(page, block)
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(160, top + 20, steps=5)
        self.wait_until("it has come into sight", lambda: slot.bounding_box()["y"] >= top)
        there = self.still_box(page, '.slot[data-lane="1"][data-slot="2"]')
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
        page.click(f'[aria-label="Stop the loop of {self.other}"]')
        page.wait_for_selector(f'[aria-label="Stop the loop of {self.other}"]', state="detached")
        is_its = lambda player, *_: player == self.other  # noqa: E731
        self.assertIsNone(self.listener(f"{self.me}-too").wait_for("/hit", is_its, seconds=3), "it goes round no more")

    def test_a_groove_that_was_left_behind_is_taken_over_or_ended_by_its_row(self):
        page = self.connected()
        page.click('[data-action="people"]')
        for label in (f"Take over what {self.other} left", f"Stop the music of {self.other}"):
            bob = self.listener()
            bob.send("/groove")
            self.assertIsNotNone(bob.wait_for("/hit", lambda player, *_: player == self.other))
            bob.send("/bye")
            page.click(f'[aria-label="{label}"]')
            page.wait_for_selector(f'[aria-label="{label}"]', state="detached")
            if label.startswith("Take"):
                parts = lambda: self.room(page, "room.get('/groove/parts', '')")  # noqa: E731
                self.wait_until("it is one's own", lambda: parts() != "")
                self.room(page, "room.send('/undo')")
                self.wait_until("nobody has a groove", lambda: parts() == "")

    def test_the_loop_buttons_stay_in_sight_beside_the_loops(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.tap('[data-action="loops"]')
        # Catch, Undo and Redo are dark while there is nothing for them, and answer all the same.
        for action in ("record", "catch", "undo", "redo", "build", "more"):
            page.tap(f'[data-action="{action}"]', trial=True, force=action in ("catch", "undo", "redo"))

    def test_a_build_up_is_counted_down_for_everybody_and_dropped(self):
        page, other = self.connected(), self.connected(f"/?name={self.other}")
        page.click('[data-action="buildup"]')
        page.click('[data-action="start-buildup"]')
        other.wait_for_selector("#building:not([hidden])")
        other.wait_for_selector("body[data-buildup=running]")
        self.wait_text(other, "#building-text", lambda text: "150" in text)
        other.click('[data-action="drop"]')
        page.wait_for_selector("body[data-buildup=none]")

    def test_the_countdown_to_the_drop_does_not_begin_again(self):
        page = self.connected()
        self.room(page, "room.set('/tempo', 240)")
        page.evaluate("""async () => {
          window.seen = [];
          window.states = [];
          // By the page itself: a look from here may come when all is over.
          (await import('/room.js')).room.on('/buildup/state', ([state]) => states.push(state));
          new MutationObserver(() => seen.push(document.getElementById('building-text').textContent))
            .observe(document.getElementById('building-text'), { childList: true, characterData: true, subtree: true });
        }""")
        rounds = []
        for _ in range(3):
            page.evaluate("seen.length = states.length = 0")
            self.room(page, "room.send('/buildup', 240, 1)")
            self.wait_until("it ran, and is over", lambda: page.evaluate("states.includes('running') && states.at(-1) === 'none'"))
            rounds.append([int(text[8:]) for text in page.evaluate("seen") if re.fullmatch(r"Drop in \d+", text)])
        for counts in rounds:
            # A number that a busy machine had no time to draw is left out; none comes again.
            self.assertEqual(counts, sorted(set(counts), reverse=True), rounds)
            self.assertLessEqual(set(counts), {1, 2, 3, 4}, rounds)
        self.assertGreaterEqual(max(len(counts) for counts in rounds), 2, rounds)

    def test_blocks_on_lanes_keep_their_rhythm_and_length_over_a_reload(self):
        page = self.connected()
        self.room(page, "room.send('/lane/1/1', 'rock push')")
        # What a page has set is not told to it again; what comes of it is.
        self.wait_until("it lies there", lambda: self.room(page, "room.get('/lane/1/state')") == "stopped")
        page.reload()
        self.wait_connected(page)
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        look = """selector => { const block = document.querySelector(selector); return block && [block.style.getPropertyValue('--tone'), block.querySelector('svg').innerHTML, block.textContent]; }"""
        there, listed = '.slot[data-lane="1"][data-slot="1"] .block', '.block-list [data-block="rock push"]'
        page.wait_for_selector(listed)
        page.wait_for_selector(f"{there} svg path", state="attached")
        self.wait_until("both look alike", lambda: page.evaluate(look, there) == page.evaluate(look, listed))
        self.assertEqual(page.evaluate(look, there)[0], "var(--drums-0)")
        self.assertIn("1 bar", page.text_content(there))
        self.assertEqual(page.locator('.slot[data-lane="2"]:visible').count(), 4)

    def test_a_pad_with_steps_of_its_own_has_so_many_cells(self):
        page = self.connected()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        cells = lambda row: page.locator(f'.step[data-row="{row}"]').count()  # noqa: E731
        self.wait_until("sixteen", lambda: (cells(1), cells(2)) == (16, 16))
        self.room(page, "room.set('/steps/2', 12)")
        self.wait_until("twelve", lambda: (cells(1), cells(2)) == (16, 12))
        self.room(page, "{ room.send('/loop/bars', 1); }")
        page.wait_for_selector('.steprow:nth-child(2) .playhead:not([hidden])', state="attached")
        places = """() => [...document.querySelectorAll('.steprow .playhead')].slice(0, 2).map((head) => Number(head.style.transform.match(/([\d.]+) \*/)[1]))"""
        page.focus('.step[data-row="1"][data-step="16"]')
        page.keyboard.press("ArrowDown")
        self.assertEqual(page.evaluate("[document.activeElement.dataset.row, document.activeElement.dataset.step]"), ["2", "12"])
        self.wait_until("each goes its own way", lambda: (lambda both: both[0] != both[1] and both[1] < 12)(page.evaluate(places)))


if __name__ == "__main__":
    unittest.main()
