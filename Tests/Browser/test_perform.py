"""The row for the thumb, scenes and histories: by touch, mouse and keys."""

import unittest

from case import BrowserCase

PHONE = {"size": (390, 844), "has_touch": True}


class PerformCase(BrowserCase):
    def press_long(self, page, selector):
        box = page.locator(selector).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        # By the page's own clock, which may stand still while this one goes on.
        page.evaluate("new Promise((go) => setTimeout(go, 600))")
        page.mouse.up()

    def looping(self, **options):
        """A page whose player's loop of one step goes round."""
        page = self.connected(**options)
        page.wait_for_selector('#perform [data-scene="1"]')
        # Of tests before.
        for number in (1, 2):
            self.room(page, f"{{ room.set('/scene/{number}/plays', ''); room.set('/scene/{number}/name', ''); }}")
        self.wait_text(page, '#perform [data-scene="1"]', lambda text: text == "+ Scene 1")
        self.room(page, "room.set('/step/1/1', 1)")
        page.wait_for_selector("body[data-loop=playing]")
        return page


class SceneTests(PerformCase):
    def test_a_tap_keeps_what_plays_and_the_next_one_launches_it_for_everybody_on_the_bar(self):
        page = self.looping(**PHONE)
        bob = self.listener()
        page.tap('#perform [data-scene="1"]')
        kept = bob.wait_for("/scene/1/plays", lambda text: text != "")
        self.assertIn(f"{self.me} loop", kept[0])
        self.wait_text(page, '#perform [data-scene="1"]', lambda text: text == "1")
        self.assertEqual(page.text_content('#perform [data-scene="2"]'), "+")
        self.wait_text(page, "#toast", lambda text: text.startswith("Kept as scene 1"))
        page.tap('[data-action="stop"]')
        page.wait_for_selector("body[data-loop=stopped]")
        page.tap('#perform [data-scene="1"]')
        self.assertEqual(bob.wait_for("/scene/waiting", lambda number: number == 1), [1])
        self.assertEqual(bob.wait_for("/scene/launched", lambda number: number == 1), [1])
        page.wait_for_selector("body[data-loop=playing]")
        page.wait_for_selector('#perform [data-scene="1"][aria-pressed=true]')
        self.room(page, "room.set('/scene/1/plays', '')")
        page.wait_for_selector('#perform [data-scene="2"]', state="hidden")

    def test_a_program_launches_a_scene_that_a_page_kept(self):
        page = self.looping(**PHONE)
        bob = self.listener()
        page.tap('#perform [data-scene="1"]')
        bob.wait_for("/scene/1/plays", lambda text: text != "")
        self.room(page, "room.send('/loop/stop')")
        page.wait_for_selector("body[data-loop=stopped]")
        bob.send("/scene/1")
        page.wait_for_selector("body[data-loop=playing]")
        bob.send("/scene/1/name", "Verse")
        self.wait_text(page, '#perform [data-scene="1"]', lambda text: text == "Verse")
        # On a tablet a longer name is not cut.
        size = page.viewport_size
        page.set_viewport_size({"width": 820, "height": 1180})
        bob.send("/scene/1/name", "Intro strings")
        self.wait_text(page, '#perform [data-scene="1"]', lambda text: text == "Intro strings")
        cut = "button => button.scrollWidth - button.clientWidth"
        self.wait_until("the name is whole", lambda: page.locator('#perform [data-scene="1"]').evaluate(cut) <= 0)
        page.set_viewport_size(size)
        bob.send("/scene/9")
        self.assertEqual(bob.wait_for("/error", lambda where, *_: where.startswith("/scene"))[2], "out-of-range")
        bob.send("/scene/7")
        self.assertEqual(bob.wait_for("/error", lambda where, *_: where == "/scene/7")[2], "scene-empty")
        for address in ("/scene/1/plays", "/scene/1/name"):
            bob.send(address, "")

    def test_a_long_press_keeps_anew_and_the_message_takes_it_back(self):
        page = self.looping()
        page.click('#perform [data-scene="1"]')
        self.wait_text(page, '#perform [data-scene="1"]', lambda text: text == "1")
        before = self.room(page, "room.get('/scene/1/plays')")
        self.room(page, "room.set('/layer/1/mute', 1)")
        page.wait_for_timeout(1100)
        self.press_long(page, '#perform [data-scene="1"]')
        self.wait_until("it is kept anew", lambda: "layer1" in self.room(page, "room.get('/scene/1/plays')"))
        self.assertEqual(self.room(page, "room.get('/scene/waiting', 0)"), 0, "a hold launches nothing")
        page.click('#toast button:text-is("Undo")')
        self.wait_until("it is as it was", lambda: self.room(page, "room.get('/scene/1/plays')") == before)
        self.room(page, "room.set('/scene/1/plays', '')")

    def test_the_message_takes_back_its_own_scene_and_nothing_else(self):
        page = self.looping(**PHONE)
        plays = lambda number: self.room(page, f"room.get('/scene/{number}/plays')")  # noqa: E731
        page.tap('#perform [data-scene="1"]')
        page.wait_for_selector("#toast.shown >> text=Undo")
        # Another edit comes between.
        self.room(page, "room.set('/pad/2/gain', -6)")
        page.tap('#toast button:text-is("Undo")')
        self.wait_until("it is no scene", lambda: plays(1) == "")
        self.assertEqual(self.room(page, "room.get('/pad/2/gain')"), -6)
        # What is kept as it was has nothing to take back.
        page.tap('#perform [data-scene="1"]')
        self.wait_until("it is kept again", lambda: plays(1) != "")
        page.wait_for_timeout(1100)
        self.press_long(page, '#perform [data-scene="1"]')
        self.wait_text(page, "#toast", lambda text: text == "Scene 1 is what plays now.")
        self.room(page, "room.set('/scene/1/plays', '')")

    def test_the_list_names_launches_and_removes_scenes(self):
        page = self.looping(**PHONE)
        page.tap('[data-action="loops"]')
        page.tap("#panel-tabs >> text=Scenes")
        page.tap("text=Keep what plays now")
        name = page.locator('[aria-label="Name of scene 1"]')
        name.wait_for()
        name.fill("First verse")
        name.press("Enter")
        self.wait_until("the name is there", lambda: self.room(page, "room.get('/scene/1/name')") == "First verse")
        self.wait_text(page, "#panel-body .plain", lambda text: f"{self.me}: Loop." in text)
        page.tap('[aria-label="Remove scene 1"]')
        name.wait_for(state="hidden")
        self.wait_until("nothing of it is left", lambda: self.room(page, "room.get('/scene/1/plays') + room.get('/scene/1/name')") == "")
        # Text and name are one step.
        page.tap('[data-action="undo"]')
        name.wait_for()
        self.wait_until("its name is back", lambda: name.input_value() == "First verse")
        page.tap('[aria-label="Remove scene 1"]')


class MuteGroupTests(PerformCase):
    def pads(self, page, condition):
        """The numbers of the pads for which a script over `pad` and `room` is true."""
        return self.room(page, f"Array.from({{ length: 16 }}, (_, index) => index + 1).filter((pad) => {condition})")

    def muted(self, page):
        return self.pads(page, "room.get(`/pad/${pad}/mute`) > 0")

    def test_a_tap_mutes_a_part_of_the_kit_a_hold_leaves_it_alone_and_an_undo_takes_it_back_whole(self):
        page = self.connected(None, **PHONE)
        page.wait_for_selector("#perform .scenes")
        page.tap('#perform [data-action="mutes"]')
        page.wait_for_selector("#perform .scenes", state="hidden")
        drums = self.pads(page, "['kick', 'snare', 'clap', 'tom'].includes(room.get(`/pad/${pad}/category`))")
        self.assertGreater(len(drums), 2)
        page.tap('#perform [data-group="Drums"]')
        self.wait_until("the drums are muted", lambda: self.muted(page) == drums)
        page.wait_for_selector('#perform [data-group="Drums"][aria-pressed=true]')
        self.wait_until("a muted pad says so", lambda: "muted" in page.get_attribute(f'[data-pad="{drums[0]}"]', "class"))
        page.tap('[data-action="undo"]')
        self.wait_until("all sound again", lambda: self.muted(page) == [])
        self.wait_text(page, "#toast", lambda text: text.startswith(f"Undone: pad mute ({len(drums)} changes)."))
        self.press_long(page, '#perform [data-group="Drums"]')
        self.wait_until("they alone sound", lambda: self.muted(page) == [pad for pad in range(1, 17) if pad not in drums])
        page.tap('#perform [data-action="mutes"]')
        page.wait_for_selector("#perform .scenes")
        # A mute that is not seen.
        page.wait_for_selector('#perform [data-action="mutes"].some')
        page.tap('#perform [data-action="mutes"]')
        self.press_long(page, '#perform [data-group="Drums"]')
        self.wait_until("all of them sound", lambda: self.muted(page) == [])

    def test_where_there_is_room_groups_and_scenes_lie_side_by_side(self):
        page = self.connected(None, (1280, 800))
        page.wait_for_selector('#perform [data-group="Hats"]')
        page.wait_for_selector("#perform .scenes")
        self.assertTrue(page.is_hidden('#perform [data-action="mutes"]'))


class BuildTests(PerformCase):
    def test_one_tap_builds_up_everybody_counts_down_and_the_next_tap_drops(self):
        page = self.looping(**PHONE)
        other = self.connected(f"/?name={self.other}", (1280, 800))
        # Its eight bars last for 14 s: on a busy machine, too, the drop comes by hand.
        self.room(page, "room.set('/tempo', 120)")
        self.wait_until("the tempo is known", lambda: "150 bpm" in page.get_attribute('[data-action="build"]', "title"))
        page.tap('[data-action="build"]')
        other.wait_for_selector("#building:not([hidden])")
        for each in (page, other):
            each.wait_for_selector(".dropscreen:not([hidden]) b")
            self.assertIn("150 bpm", each.text_content(".dropscreen span"))
        self.wait_text(page, '[data-action="build"]', lambda text: text == "Drop")
        # A hand reaches through it.
        page.tap('[data-pad="6"]')
        page.tap('[data-action="build"]')
        self.wait_text(other, ".dropscreen b", lambda text: text == "Drop")
        other.wait_for_selector(".dropscreen", state="hidden")
        self.wait_text(page, '[data-action="build"]', lambda text: text == "Build")


    def test_two_taps_at_once_build_up_and_do_not_drop(self):
        page = self.looping(**PHONE)
        page.wait_for_selector('[data-action="build"]')
        # By the page itself: taps from here come too far apart.
        page.locator('[data-action="build"]').evaluate("""async (button) => {
          for (let count = 0; count < 2; count += 1) {
            for (const type of ['pointerdown', 'pointerup', 'click']) button.dispatchEvent(new PointerEvent(type, { pointerId: 5, bubbles: true, detail: 1 }));
            await new Promise((go) => setTimeout(go, 250));
          }
        }""")
        page.wait_for_selector("body[data-buildup=running]")
        page.wait_for_selector(".dropscreen:not([hidden]) b")
        self.room(page, "room.send('/buildup/cancel')")

    def test_the_big_numbers_lie_in_the_strip_and_cover_no_pad(self):
        for size in ((320, 568), (390, 844), (820, 1180), (1440, 900), (844, 390)):
            with self.subTest(size=size):
                page = self.connected(size=size)
                self.room(page, "{ room.set('/tempo', 120); room.send('/play'); room.send('/buildup', 150, 8); }")
                page.wait_for_selector(".dropscreen:not([hidden]) b", state="attached")
                for selector in (".dropscreen", ".countin"):
                    box, strip = page.evaluate("""selector => [document.querySelector(selector), document.getElementById('loopview')].map((each) => {
                      // The picture may be between two numbers.
                      const isHidden = each.hidden;
                      each.hidden = false;
                      if (selector === '.countin' && !each.textContent && each.matches(selector)) each.textContent = '4';
                      const { left, top, right, bottom } = each.getBoundingClientRect();
                      const tall = each.scrollHeight - each.clientHeight;
                      each.hidden = isHidden;
                      return [left, top, right, bottom, tall];
                    })""", selector)
                    self.assertTrue(box[0] >= strip[0] and box[1] >= strip[1] and box[2] <= strip[2] and box[3] <= strip[3], (selector, box, strip))
                    self.assertLessEqual(box[4], 0, "it is cut")
                self.room(page, "room.send('/buildup/cancel')")
                page.context.close()

    def test_the_last_bar_says_the_tempo_of_the_drop(self):
        page = self.looping(**PHONE)
        # The last bar is short: what was seen is kept.
        self.keep_texts(page, ".dropscreen span")
        self.room(page, "{ room.set('/tempo', 120); room.send('/buildup', 150, 2); }")
        self.wait_until("the tempo of the drop was said", lambda: "→ 120 bpm" in self.kept_texts(page))
        self.room(page, "room.send('/buildup/cancel')")


class StripTests(PerformCase):
    def test_on_a_phone_pitch_and_filter_take_the_scenes_place_and_nothing_of_the_pads(self):
        page = self.looping(**PHONE)
        bob = self.listener()
        pads = page.locator("#pads").bounding_box()
        page.tap('#perform [data-action="strips"]')
        track = page.locator("#perform [role=slider]").first
        track.wait_for()
        self.assertEqual(page.locator("#pads").bounding_box(), pads)
        self.assertTrue(page.is_hidden("#perform .scenes"))
        box = track.bounding_box()
        self.assertGreaterEqual(box["height"], 44)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 22)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 22, box["y"] + 22, steps=4)
        self.assertIsNotNone(bob.wait_for("/pitch", lambda value: value == 12))
        page.wait_for_selector('#perform [data-action="strips"].some')
        page.mouse.up()
        self.assertIsNotNone(bob.wait_for("/pitch", lambda value: value == 0), "it springs back")
        page.wait_for_selector('#perform [data-action="strips"]:not(.some)')
        # Another choice takes its place, and a second tap gives it back to the scenes.
        page.tap('#perform [data-action="strips"]')
        page.wait_for_selector("#perform .scenes")
        page.tap('#perform [data-action="mutes"]')
        page.wait_for_selector('#perform [data-group="Drums"]')
        self.assertTrue(page.is_hidden("#perform .scenes") and page.is_hidden("#perform .thumbstrips"))


class HistoryTests(PerformCase):
    def test_the_history_lists_ones_own_steps_and_the_rooms_and_goes_back_to_one_of_them(self):
        page = self.looping(**PHONE)
        self.room(page, "room.set('/tempo', 131)")
        self.room(page, "room.set('/pad/2/gain', -6)")
        page.tap('[data-action="undo"]')
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: pad 2 gain."))
        page.tap('#toast button:text-is("History")')
        page.wait_for_selector(".history .now")
        lines = page.locator(".history button").all_text_contents()
        self.assertEqual(lines[0], "pad 2 gain 0 → −6")
        self.assertRegex(lines[1], r"^tempo \d+ → 131For everybody$")
        self.assertIn("steps", lines)
        page.tap("#panel-tabs >> text=The room’s")
        self.wait_until("the room's list is there", lambda: any("→ 131" in line for line in page.locator(".history button").all_text_contents()))
        self.assertTrue(page.locator(".history button").first.is_disabled(), "hosts alone take it back here")
        page.tap("#panel-tabs >> text=Mine")
        # Down to the loop's step: the tempo goes, too.
        page.tap(".history button:has-text('steps')")
        page.wait_for_selector("body[data-loop=empty]")
        self.wait_until("the tempo is back", lambda: self.room(page, "room.get('/tempo')") != 131)
        page.locator(".history .undone button").first.wait_for()

    def test_a_reset_of_an_effect_is_one_undo(self):
        page = self.connected()
        self.room(page, "{ room.set('/fx/eq/low/gain', 6); room.set('/fx/eq/high/gain', -6); room.set('/fx/eq/low/frequency', 200); }")
        page.click('[data-action="mixer"]')
        page.click("#panel-tabs >> text=Effects")
        page.click("summary:has-text('Equaliser')")
        page.wait_for_timeout(1100)
        page.click('[aria-label="Reset: Equaliser"]')
        self.wait_until("it is reset", lambda: self.room(page, "room.get('/fx/eq/low/gain')") == 0)
        page.click('[data-action="undo"]')
        self.wait_until("all of it is back", lambda: [self.room(page, f"room.get('/fx/eq/{what}')") for what in ("low/gain", "high/gain", "low/frequency")] == [6, -6, 200])
        self.wait_text(page, "#toast", lambda text: text.startswith("Undone: fx eq (3 changes)."))


if __name__ == "__main__":
    unittest.main()
