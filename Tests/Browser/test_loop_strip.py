"""The loops as a picture: what is drawn and said, and notes that are changed by touch, mouse and keys."""

import unittest

from case import BrowserCase
from test_looks import CONTRAST

LOOP = """() => import('/loop-strip.js').then(({ own, book }) => ({
  own: own() && { ...own(), layers: [...own().layers] },
  players: [...book.loops.values()].map(({ player, state, notes }) => [player, state, notes.length]),
}))"""

# The colours of the strip's picture that are whole, as `rgb(…)`.
PAINTED = """() => {
  const canvas = document.getElementById('loopcanvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 240) colours.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`);
  return [...colours];
}"""

# Where the topmost pixel in the colour of one's own notes is, from the picture's corner; null for none.
OWN_NOTE = """async () => {
  const [{ shadeOf }, { kindIn, own: loop }, { room }] = await Promise.all(['kind', 'loop-strip', 'room'].map((name) => import(`/${name}.js`)));
  const colours = (loop()?.notes ?? []).map((note) => shadeOf(kindIn(room.player, note), note.pad));
  const wanted = new Set(colours.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join()));
  const canvas = document.getElementById('loopcanvas');
  const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 241 || !wanted.has([data[at], data[at + 1], data[at + 2]].join())) continue;
    const ratio = width / canvas.clientWidth;
    return [((at / 4) % width) / ratio, Math.floor(at / 4 / width) / ratio];
  }
  return null;
}"""


# Two hits of the page's own hand, once it records. They lie on either side of a step on the second beat, as far from it
# as a finger needs that means one of them; up to half a beat sooner where the page hears the room late.
PLAY_INTO_A_PASS = """async () => {
  const [{ room }, { position }] = await Promise.all([import('/room.js'), import('/beat.js')]);
  const later = async (beats) => {
    const until = position().beats + beats;
    while (position().beats < until && performance.now() < end) await new Promise((go) => setTimeout(go, 10));
  };
  const end = performance.now() + 20000;
  // A page that has just come may know of the recording before it knows the beat.
  while ((room.get('/loop/state') !== 'recording' || !position()) && performance.now() < end) await new Promise((go) => setTimeout(go, 10));
  for (const [pad, beats] of [[1, 0.7], [3, 1.2]]) {
    await later(beats);
    for (const type of ['pointerdown', 'pointerup']) {
      document.querySelector(`[data-pad="${pad}"]`).dispatchEvent(new PointerEvent(type, { pointerId: 9, bubbles: true, button: 0 }));
    }
  }
}"""


class LoopStripTests(BrowserCase):
    def calm(self, page):
        """The first screen, without what is behind More."""
        page.evaluate("import('/more.js').then(({ showMore }) => showMore(false))")
        page.wait_for_selector("#more", state="hidden")

    def loop(self, page):
        return page.evaluate(LOOP)

    def notes(self, page):
        return (self.loop(page)["own"] or {}).get("notes", [])

    def is_told(self, page):
        """Whether the page knows all notes of its player's loop, which has ended its pass."""
        own = self.loop(page)["own"]
        return own is not None and own["state"] in ("playing", "empty") and own["mark"] == own["held"]

    def own_is_drawn(self, page):
        self.wait_until("one's own notes are drawn", lambda: page.evaluate(OWN_NOTE) is not None)

    def send(self, page, *message):
        self.room(page, "room.send(...value)", list(message))

    def with_notes(self, size=(1280, 800), **options):
        """A page whose player has a loop of one bar, with three notes in two layers."""
        page = self.connected(None, size, **options)
        page.wait_for_selector('[data-rate="1/16"]')
        for message in (("/loop/countin", 0), ("/loop/quantize", "off"), ("/loop/bars", 1)):
            self.send(page, *message)
        # A busy machine may be late for a pass: the next one is as good.
        for _ in range(5):
            self.send(page, "/loop/record")
            page.evaluate(PLAY_INTO_A_PASS)
            self.wait_until("it goes round", lambda: page.evaluate("document.body.dataset.loop") in ("playing", "empty"))
            self.wait_until("its notes are told", lambda: self.is_told(page))
            if len(self.notes(page)) == 2:
                break
            self.send(page, "/loop/clear")
            self.wait_until("nothing is left of it", lambda: page.evaluate("document.body.dataset.loop") == "empty")
        self.wait_until("the loop has its notes", lambda: len(self.notes(page)) == 2)
        self.send(page, "/step/2/5", 1.0)
        self.wait_until("the grid is a layer", lambda: len(self.notes(page)) == 3)
        # Hands mean what is drawn.
        self.own_is_drawn(page)
        self.drawn(page)
        return page

    def test_everybodys_loops_are_drawn(self):
        page = self.with_notes()
        before = set(page.evaluate(PAINTED))
        bob = self.listener()
        bob.send("/step/1/1", 1.0)
        bob.send("/step/4/9", 1.0)
        self.wait_until("another player's notes", lambda: [self.other, "playing", 2] in self.loop(page)["players"])
        self.wait_until("another colour", lambda: len(set(page.evaluate(PAINTED)) - before) > 0)
        page.reload()
        self.wait_connected(page)
        self.wait_until("they are there again", lambda: [self.other, "playing", 2] in self.loop(page)["players"])

    def test_anothers_first_recording_is_drawn_while_it_is_taken_down(self):
        page = self.connected()
        bob = self.listener()
        for message in (("/loop/countin", 0), ("/loop/bars", 16), ("/loop/record",)):
            bob.send(*message)
        self.assertIsNotNone(bob.wait_for("/player/loop", lambda player, state, *_: (player, state) == (self.other, "recording")))
        before = set(page.evaluate(PAINTED))
        bob.send("/pad/1", 1.0)
        self.wait_until("it is drawn", lambda: len(set(page.evaluate(PAINTED)) - before) > 0)
        self.assertIn([self.other, "recording", 0], self.loop(page)["players"], "in the same pass")
        bob.send("/loop/clear")

    def test_a_recording_is_counted_in_says_how_long_it_is_and_shows_each_hit_at_once(self):
        page = self.connected(fresh=True)
        page.wait_for_selector('[data-action="tidy"][aria-pressed=true]', state="attached")
        self.room(page, "room.set('/loop/countin', 1)")
        self.send(page, "/loop/bars", 1)
        # Slow enough for a busy machine to draw each number, and to hit within the bar.
        self.send(page, "/tempo", 40)
        self.send(page, "/play")
        # By the page itself: a look from here may come a beat late.
        page.evaluate("""() => {
            const place = document.querySelector(".countin");
            window.counts = [];
            const note = () => { if (place.textContent && window.counts.at(-1) !== place.textContent) window.counts.push(place.textContent); };
            new MutationObserver(note).observe(place, { childList: true, characterData: true, subtree: true });
        }""")
        page.click('[data-action="record"]')
        self.wait_until("it records", lambda: page.evaluate("document.body.dataset.loop") == "recording")
        # It counts the bar before the pass, and then the pass's own.
        self.wait_until("both bars are counted", lambda: page.evaluate("window.counts").count("1") == 2)
        counts = page.evaluate("window.counts")
        before = counts[:counts.index("1", 1)]
        self.assertEqual(before, sorted(set(before)), "none comes again")
        self.assertTrue(set(before) <= {"1", "2", "3", "4"} and len(before) > 1, counts)
        self.wait_text(page, "#looptext", lambda text: "1 bar left" in text)
        before = set(page.evaluate(PAINTED))
        page.click('[data-pad="1"]')
        self.wait_until("it is drawn", lambda: len(set(page.evaluate(PAINTED)) - before) > 0)
        self.assertEqual(page.evaluate("document.body.dataset.loop"), "recording", "in the same pass")
        self.wait_until("it goes round", lambda: len(self.notes(page)) == 1)
        self.send(page, "/tempo", 120)

    def test_quantize_is_one_tap_and_is_remembered(self):
        page = self.connected(fresh=True)
        page.wait_for_selector('[data-action="tidy"][aria-pressed=true]', state="attached")
        value = lambda: self.room(page, "room.get('/loop/quantize')")  # noqa: E731
        self.wait_until("sixteenths", lambda: value() == "1/16")
        page.click('[data-action="more"]')
        page.click('[data-action="tidy"]')
        page.wait_for_selector('[data-action="tidy"][aria-pressed=false]')
        page.reload()
        self.wait_connected(page)
        page.wait_for_selector('[data-rate="1/16"]')
        self.assertEqual(value(), "off")

    def test_undo_is_at_hand_and_stop_and_mute_lie_behind_more(self):
        page = self.with_notes()
        row = page.locator("#extra")
        row.locator('[data-action="mute"]').click()
        page.wait_for_selector('[data-action="mute"][aria-pressed=true]')
        self.assertGreaterEqual(page.evaluate(CONTRAST, ['[data-action="mute"]', "color"]), 4.5, "it is pressed, and to be read")
        row.locator('[data-action="mute"]').click()
        page.locator('.quick [data-action="undo"]').click()
        self.wait_until("the step is gone", lambda: len(self.notes(page)) == 2)
        row.locator('[data-action="stop"]').click()
        self.wait_text(page, "#looptext", lambda text: text == "Stopped")

    def test_a_note_is_tapped_made_softer_moved_and_taken_away(self):
        for size, options in (((1280, 800), {}), ((390, 844), {"has_touch": True})):
            with self.subTest(size=size):
                self.setUp()
                page = self.with_notes(size, **options)
                first = next(note for note in self.notes(page) if note["pad"] == 1)
                box = page.locator("#loopcanvas").bounding_box()
                # Where it lies: the loop's window is the loop, and one's own row is above the others'.
                others = sum(1 for player, state, count in self.loop(page)["players"] if player != self.me and state == "playing" and count)
                own = page.evaluate("""([others, tall]) => import('/loop-picture.js').then(({ layRows }) => (
                  layRows({}, Array(others).fill({}), tall, 1)[0].tall))""", [others, box["height"]])
                x, y = box["x"] + box["width"] * first["beat"] / 4, box["y"] + own - 2
                page.touchscreen.tap(x, y) if options else page.mouse.click(x, y)
                page.wait_for_selector(".notegrid")
                # The list has the row's width for its words.
                row, parts = (page.locator(each).bounding_box() for each in (".notes-panel > .row >> nth=0", '[aria-label="Which notes"]'))
                self.assertGreater(parts["width"], row["width"] / 2)
                page.wait_for_selector('.note-hands button:not([disabled]) >> text="Softer"')
                page.click('.note-hands >> text="Softer"')
                self.wait_until("it is softer", lambda: any(note["pad"] == 1 and 0.8 < note["velocity"] < 0.9 for note in self.notes(page)))
                page.click('.note-hands >> text="Later"')
                later = lambda: next(note for note in self.notes(page) if note["pad"] == 1)["beat"]  # noqa: E731
                self.wait_until("it is later", lambda: abs(later() - first["beat"] - 0.25) < 0.01)
                page.click('.note-hands >> text="Remove"')
                self.wait_until("it is gone", lambda: all(note["pad"] != 1 for note in self.notes(page)))
                page.click('[data-action="undo"]')
                self.wait_until("it is back", lambda: any(note["pad"] == 1 for note in self.notes(page)))
                page.context.close()

    def test_on_a_phone_it_has_all_the_width_and_sixteen_pads_stay_above_the_fold(self):
        for size in ((390, 844), (320, 640)):
            with self.subTest(size=size):
                self.setUp()
                page = self.with_notes(size, has_touch=True)
                self.calm(page)
                page.evaluate("import('/pads.js').then(({ setPadCount }) => setPadCount(16))")
                page.wait_for_selector('[data-pad="16"]')
                picture = page.locator("#loopview").bounding_box()
                self.assertGreaterEqual(picture["width"], size[0] - 26)
                self.assertGreaterEqual(picture["height"], 72)
                end = page.locator(".quick").bounding_box()["y"]
                for number in range(1, 17):
                    box = page.locator(f'[data-pad="{number}"]').bounding_box()
                    self.assertGreaterEqual(min(box["width"], box["height"]), 44, f"pad {number}")
                    self.assertLessEqual(box["y"] + box["height"], end, f"pad {number}")
                page.context.close()

    def test_on_a_low_phone_it_has_room_for_a_finger_and_pads_stay_large_enough(self):
        for size, least in (((390, 568), (360, 60)), ((320, 568), (296, 60)), ((360, 480), (190, 60)), ((568, 320), (370, 52)), ((667, 375), (500, 60)), ((844, 390), (650, 64))):
            with self.subTest(size=size):
                self.setUp()
                page = self.connected(None, size, has_touch=True)
                self.calm(page)
                self.send(page, "/step/2/5", 1.0)
                self.wait_until("a note", lambda page=page: len(self.notes(page)) == 1)
                box = page.locator("#loopview").bounding_box()
                self.assertGreaterEqual(box["width"], least[0])
                self.assertGreaterEqual(box["height"], least[1])
                for selector in ("record", "undo", "redo", "build", "more"):
                    button = page.locator(f'[data-action="{selector}"]').bounding_box()
                    self.assertGreaterEqual(min(button["width"], button["height"]), 43.5, selector)
                    self.assertLessEqual(button["y"] + button["height"], size[1], selector)
                for number in range(1, 9):
                    pad = page.locator(f'[data-pad="{number}"]').bounding_box()
                    self.assertGreaterEqual(min(pad["width"], pad["height"]), 55, f"pad {number}")
                    self.assertGreaterEqual(pad["y"], box["y"] + box["height"], f"pad {number}")
                    self.assertLessEqual(pad["y"] + pad["height"], size[1], f"pad {number}")
                far = page.evaluate("[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]")
                self.assertEqual(far, [0, 0], "the page scrolls")
                # A finger a little beside the note, wherever it is drawn.
                self.own_is_drawn(page)
                x, y = page.evaluate(OWN_NOTE)
                box = page.locator("#loopcanvas").bounding_box()
                page.touchscreen.tap(box["x"] + max(2, x - 8), box["y"] + y + 1)
                page.wait_for_selector('.note-hands button:not([disabled]) >> text="Softer"')
                page.click('.note-hands >> text="Softer"')
                self.wait_until("it is softer", lambda page=page: 0.8 < self.notes(page)[0]["velocity"] < 0.9)
                page.context.close()

    def test_what_is_muted_is_drawn_as_clearly_as_what_is_heard(self):
        page = self.connected()
        self.send(page, "/step/2/5", 1.0)
        self.wait_until("a note", lambda: len(self.notes(page)) == 1)
        number = self.notes(page)[0]["layer"]
        self.send(page, f"/layer/{number}/mute", 1)
        self.wait_until("it is muted", lambda: [layer["muted"] for _, layer in self.loop(page)["own"]["layers"]] == [True])
        self.drawn(page)
        self.wait_until("its colour is whole", lambda: page.evaluate(OWN_NOTE) is not None)

    def test_a_finger_chooses_the_nearest_note_though_it_comes_down_beside_it(self):
        page = self.with_notes((390, 844), has_touch=True)
        # Far from each other in the picture, on one beat, and far from those that were played.
        for pad in (2, 12):
            self.send(page, f"/step/{pad}/13", 1.0)
        self.wait_until("two more", lambda: len(self.notes(page)) == 5)
        box = page.locator("#loopcanvas").bounding_box()
        others = sum(1 for player, state, count in self.loop(page)["players"] if player != self.me and state == "playing" and count)
        tall = box["height"] * (max(0.45, 1 / (others + 1)) if others else 1)
        velocity = lambda pad: next(note for note in self.notes(page) if note["pad"] == pad and note["beat"] == 3)["velocity"]  # noqa: E731
        for pad in (12, 2):
            y = box["y"] + (1 - (pad - 1) / 15) * (tall - 10) + 4
            # A finger's width to the left of it: nearer than anything else all the same.
            page.touchscreen.tap(box["x"] + box["width"] * 3 / 4 - 12, y)
            page.wait_for_selector('.note-hands button:not([disabled]) >> text="Softer"')
            page.click('.note-hands >> text="Softer"')
            self.wait_until(f"pad {pad}'s is softer", lambda pad=pad: velocity(pad) < 0.95)
            page.click("#panel-close")
        page.context.close()

    def test_a_click_beside_all_notes_brings_the_nearest_into_sight_and_chooses_none(self):
        page = self.with_notes((1440, 900))
        box = page.locator("#loopcanvas").bounding_box()
        # The names that the editor writes.
        page.evaluate("""() => {
          window.written = new Set();
          const write = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
            written.add(text);
            return write.call(this, text, ...more);
          };
        }""")
        page.mouse.click(box["x"] + box["width"] / 5, box["y"] + 3)
        page.wait_for_selector(".notegrid")
        self.wait_until("it is scrolled", lambda: page.evaluate("document.querySelector('.notegrid').scrollTop > 0"))
        self.assertTrue(page.is_disabled('.note-hands >> text="Softer"'))
        self.assertTrue(page.locator('[aria-label="Which notes"]').input_value().startswith("layer "))
        self.assertIn("Closed hat", page.evaluate("[...written]"), "a name is cut")
        grid, panel = (self.still_box(page, selector) for selector in (".notegrid", ".notes-panel"))
        body = self.still_box(page, "#panel-body")
        self.assertLess(body["y"] + body["height"] - panel["y"] - panel["height"], 40, "height is wasted")
        self.assertGreater(grid["height"], 340)

    def test_the_notes_of_keys_are_called_as_they_are_in_the_room_s_key(self):
        page = self.with_notes()
        self.room(page, "{ room.set('/key/root', 'Eb'); room.set('/scale', 'minor'); }")
        self.send(page, "/key/66/step/1", 1.0)
        self.wait_until("a key's note", lambda: any(note["pad"] == 66 + 17 for note in self.notes(page)))
        self.in_editor(page)
        page.locator(".notegrid").focus()
        for _ in range(20):
            page.keyboard.press("ArrowUp")
        for _ in range(20):
            page.keyboard.press("ArrowLeft")
        spoken = lambda: page.text_content(".notes-panel [role=status]")  # noqa: E731
        self.wait_until("it is Gb4", lambda: spoken().startswith("Gb4, bar 1"))
        self.room(page, "{ room.set('/key/root', 'C'); room.set('/scale', 'major'); }")

    def in_editor(self, page, part="Step grid"):
        page.locator("#loopview").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".notegrid")
        page.select_option(".notes-panel select", label=part)
        self.drawn(page)

    def test_a_note_is_dragged_to_another_pad_and_beat_and_an_empty_place_is_filled(self):
        page = self.with_notes()
        self.in_editor(page)
        box = page.locator(".notegrid").bounding_box()
        place = page.evaluate("""() => {
          const box = document.querySelector('.notegrid');
          box.scrollTop = box.scrollHeight;
          const wide = Math.max(14, (box.clientWidth - 78) / 4);
          return { wide, top: box.scrollTop };
        }""")
        # Pad 1 is the last of sixteen rows, pad 2 above it; above all are the bars' numbers.
        at = lambda pad, beat: (box["x"] + 76 + place["wide"] * beat + 5, box["y"] + 18 + (16 - pad) * 30 - place["top"] + 15)  # noqa: E731
        page.mouse.move(*at(2, 1))
        page.mouse.down()
        page.mouse.move(*at(4, 2), steps=5)
        page.mouse.up()
        grid = lambda: sorted((note["pad"], note["beat"]) for note in self.notes(page) if note["layer"] == 2)  # noqa: E731
        self.wait_until("it was moved", lambda: grid() == [(4, 2)])
        # The first click ends the choice.
        page.mouse.click(*at(6, 3.5))
        page.mouse.click(*at(6, 3.5))
        self.wait_until("a note is there", lambda: (6, 3.5) in grid())

    def test_two_fingers_zoom_the_editor_about_where_they_are_and_set_no_note(self):
        page = self.with_notes((390, 844), has_touch=True, is_mobile=True)
        self.in_editor(page)
        box = page.locator(".notegrid").bounding_box()
        tool = page.context.new_cdp_session(page)
        wide = lambda: page.locator(".notegrid-space").bounding_box()["width"]  # noqa: E731
        scrolled = lambda: page.evaluate("document.querySelector('.notegrid').scrollLeft")  # noqa: E731
        notes = self.notes(page)
        middle, y = box["x"] + 76 + (box["width"] - 76) / 2, box["y"] + 40

        def pinch(first, last):
            """Two fingers, so many pixels apart as they come and as they go."""
            points = lambda apart: [{"x": middle + side * apart / 2, "y": y, "id": side + 1} for side in (-1, 1)]  # noqa: E731
            tool.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points(first)})
            for part in range(1, 9):
                tool.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points(first + (last - first) * part / 8)})
            tool.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        before = wide()
        pinch(60, 180)
        self.wait_until("three times as wide", lambda: abs((wide() - 76) / (before - 76) - 3) < 0.2)
        self.assertGreater(scrolled(), 50, "the middle stays between the fingers")
        pinch(180, 60)
        self.wait_until("as wide as before", lambda: abs(wide() - before) < 3)
        self.assertEqual(self.notes(page), notes)

    def test_keys_move_make_softer_and_remove(self):
        page = self.with_notes()
        self.in_editor(page)
        page.locator(".notegrid").focus()
        for _ in range(20):
            page.keyboard.press("ArrowDown")
        for _ in range(20):
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        grid = lambda: [(note["pad"], note["beat"], round(note["velocity"], 2)) for note in self.notes(page) if note["layer"] == 2]  # noqa: E731
        self.assertEqual(grid(), [(2, 1, 1)])
        page.keyboard.press("-")
        self.wait_until("it is softer", lambda: grid() == [(2, 1, 0.85)])
        page.keyboard.press("Shift+ArrowRight")
        self.wait_until("it is later", lambda: grid() == [(2, 1.25, 0.85)])
        page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")
        self.wait_until("one more", lambda: len(grid()) == 2)
        page.keyboard.press("Delete")
        self.wait_until("one less", lambda: len(grid()) == 1)

    def test_a_step_that_the_loop_plays_in_some_rounds_alone_is_striped(self):
        page = self.with_notes()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        page.wait_for_selector(".step")
        striped = lambda: page.locator(".step.some").count()  # noqa: E731
        self.assert_comes_to(0, striped, "the rows are as long as the loop")
        self.room(page, "room.set('/steps', 8)")
        # What was recorded comes once in two rounds; the step that was set by hand comes in each.
        self.wait_until("some are", lambda: striped() > 0)
        self.assertNotIn("some", page.get_attribute('.step[data-row="2"][data-step="5"]', "class"))
        self.assertTrue(page.is_visible("text=A striped step"))

    def test_the_same_editor_opens_a_block(self):
        page = self.with_notes()
        self.send(page, "/block/save", f"beat {self.count}", 2)
        self.in_editor(page, f"Pattern “beat {self.count}”")
        self.room(page, "{ window.hits = []; room.on('/block/hit', (values) => hits.push(values)); }")
        page.locator(".notegrid").focus()
        for _ in range(20):
            page.keyboard.press("ArrowDown")
        for _ in range(20):
            page.keyboard.press("ArrowLeft")
        page.keyboard.press(" ")
        self.wait_until("it has two hits", lambda: page.evaluate("hits.slice(-2).map(([, pad, beat]) => [pad, beat]).sort()") == [[1, 0], [2, 1]])

    def test_eight_players_with_eight_layers_of_64_notes_are_drawn(self):
        page = self.connected()
        page.evaluate("""() => import('/loop-strip.js').then(({ book }) => {
          for (let player = 0; player < 8; player += 1) {
            const name = `far${player}`;
            for (let layer = 1; layer <= 8; layer += 1) {
              for (let note = 0; note < 64; note += 1) book.note([name, layer, layer * 100 + note, 1 + (note * 7 + layer) % 16, note * 4, 0.5 + note / 128, 0, 256]);
              book.layer([name, layer, 0, 0, 0]);
            }
            book.told([name, 'playing', 8, 64, 256, 0, -1, '', 77]);
            book.end([name, 77]);
          }
        })""")
        self.wait_until("they are drawn", lambda: len(page.evaluate(PAINTED)) > 4)


if __name__ == "__main__":
    unittest.main()
