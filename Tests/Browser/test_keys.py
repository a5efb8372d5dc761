"""Keys on the page: in the room's key by default, by mouse and letters, with names of chords, arpeggios and progressions."""

import unittest

from case import BrowserCase

NOTES = "() => [...document.querySelectorAll('.keyboard [data-note]')].map((key) => Number(key.dataset.note))"


class KeysTests(BrowserCase):
    def panel(self, **options):
        page = self.connected(**options)
        page.click('[data-action="piano"]')
        page.wait_for_selector(".keyboard [data-note]")
        return page

    def place(self, page, selector, height=0.5):
        box = self.still_box(page, f"{selector} >> nth=0")
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - height)

    def test_a_key_is_played_let_go_of_and_seen_by_everybody(self):
        page, other = self.panel(), self.listener()
        page.mouse.move(*self.place(page, '[data-note="64"]'))
        page.mouse.down()
        heard = other.wait_for("/note", lambda player, note, *_: player == self.me and note == 64)
        self.assertIsNotNone(heard)
        self.wait_until("the key is lit", lambda: page.is_visible('.keyboard .lit[data-note="64"]'))
        page.mouse.move(*self.place(page, '[data-note="64"]', 0.9))
        page.mouse.up()
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 64))
        self.wait_until("the key is dark", lambda: not page.is_visible('.keyboard .lit'))

    def test_in_key_by_default_and_all_notes_by_one_tap(self):
        page = self.panel()
        self.assertTrue(all(note % 12 in (0, 2, 4, 5, 7, 9, 11) for note in page.evaluate(NOTES)))
        self.room(page, "{ room.set('/key/root', 'Eb'); room.set('/scale', 'minor'); }")
        self.wait_until("another key", lambda: page.evaluate(NOTES)[0] % 12 == 3)
        self.wait_until("its notes are written in it", lambda: page.is_visible('.keyboard [aria-label="Gb4"]'))
        self.room(page, "{ room.set('/key/root', 'C'); room.set('/scale', 'major'); }")
        self.wait_until("the key of the others' tests", lambda: page.evaluate(NOTES)[0] % 12 == 0)
        page.click('.keys-head button:has-text("All")')
        notes = page.evaluate(NOTES)
        self.assertEqual(notes, list(range(notes[0], notes[0] + len(notes))))

    def test_a_finger_that_slides_plays_what_it_comes_to(self):
        page, other = self.panel(), self.listener()
        page.mouse.move(*self.place(page, '[data-note="60"]'))
        page.mouse.down()
        page.mouse.move(*self.place(page, '[data-note="62"]'))
        page.mouse.move(*self.place(page, '[data-note="64"]'))
        page.mouse.up()
        for note in (60, 62, 64):
            self.assertIsNotNone(other.wait_for("/note", lambda player, played, *_: player == self.me and played == note))

    def test_two_hands_play_and_each_finger_lets_go_of_its_own(self):
        page, other = self.panel(has_touch=True), self.listener()
        tool = page.context.new_cdp_session(page)

        def fingers(kind, *places):
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in places]
            tool.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        left, right = (0, self.place(page, '[data-note="60"]')), (1, self.place(page, '[data-note="67"]'))
        fingers("touchStart", left)
        fingers("touchStart", left, right)
        for note in (60, 67):
            self.assertIsNotNone(other.wait_for("/note", lambda player, played, *_: player == self.me and played == note))
        self.wait_until("both are lit", lambda: page.evaluate("document.querySelectorAll('.keyboard .lit').length") == 2)
        fingers("touchEnd", left)
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 60))
        self.assertTrue(page.is_visible('.keyboard .lit[data-note="67"]'), "the other hand's note sounds on")
        fingers("touchEnd")
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 67))

    def plugged(self, page, plays="Keys"):
        """A MIDI device. No test machine has a sequencer: the port is the page's own view of one."""
        page.evaluate("""() => {
            const input = { id: "1", name: "Test keys", state: "connected", onmidimessage: null };
            const access = Object.assign(new EventTarget(), { inputs: new Map([["1", input]]) });
            Object.defineProperty(navigator, "requestMIDIAccess", { value: async () => access });
            window.midi = (...data) => input.onmidimessage({ data, timeStamp: performance.now() });
            window.unplug = () => { access.inputs.clear(); access.dispatchEvent(new Event("statechange")); };
        }""")
        page.evaluate("import('/midi.js').then(({ connect }) => connect())")
        self.wait_until("the port is heard", lambda: page.evaluate("import('/midi.js').then(({ names }) => names().length)") == 1)
        if plays:
            self.midi_plays(page, plays)

    def test_by_itself_a_midi_device_plays_keys_while_they_are_open_and_else_pads_and_keys(self):
        page, other = self.panel(), self.listener()
        self.plugged(page, None)
        self.assertTrue(page.is_visible('[aria-label="A MIDI device plays"] [aria-pressed=true]:text-is("By itself")'))

        def told(address, wanted):
            self.assertIsNotNone(other.wait_for(address, lambda player, place, *_: player == self.me and place == wanted), f"{address} {wanted}")

        page.evaluate("midi(0x90, 40, 100)")
        told("/note", 40)
        # Closed meanwhile, its release is still that key's.
        page.click("#panel-close")
        page.evaluate("midi(0x80, 40, 0)")
        told("/note/off", 40)
        page.evaluate("midi(0x90, 40, 100)")
        told("/hit", 5)
        page.evaluate("midi(0x80, 40, 0); midi(0x90, 60, 100)")
        told("/note", 60)
        page.click('[data-action="piano"]')
        page.evaluate("midi(0x80, 60, 0)")
        told("/note/off", 60)
        page.evaluate("midi(0x99, 36, 100)")
        told("/hit", 1)

    def midi_plays(self, page, what):
        page.click(f'[role=group][aria-label="A MIDI device plays"] button:text-is("{what}")')

    def sent(self, page):
        """What the page sends of an address from now on."""
        page.evaluate("""import('/room.js').then(({ room }) => {
            const send = room.send.bind(room);
            window.sent = [];
            room.send = (where, ...values) => { window.sent.push([where, ...values]); return send(where, ...values); };
        })""")
        return lambda wanted: page.evaluate("(wanted) => window.sent.filter(([where]) => where === wanted).map(([, value]) => value)", wanted)

    def test_what_a_midi_device_pressed_ends_though_it_plays_pads_by_then_or_is_gone(self):
        page, other = self.panel(), self.listener()
        self.plugged(page)

        def told(address, wanted):
            self.assertIsNotNone(other.wait_for(address, lambda player, note, *_: player == self.me and note == wanted), f"{address} {wanted}")

        page.evaluate("midi(0x90, 67, 100)")
        told("/note", 67)
        self.midi_plays(page, "Pads")
        page.evaluate("midi(0x80, 67, 0)")
        told("/note/off", 67)
        self.midi_plays(page, "Keys")
        page.evaluate("midi(0xb0, 64, 127); midi(0x90, 69, 100)")
        told("/note", 69)
        page.evaluate("midi(0x80, 69, 0)")
        self.midi_plays(page, "Pads")
        page.evaluate("midi(0xb0, 64, 0)")
        told("/note/off", 69)
        self.midi_plays(page, "Keys")
        page.evaluate("midi(0x90, 71, 100)")
        told("/note", 71)
        page.evaluate("unplug()")
        told("/note/off", 71)

    def test_a_device_with_a_channel_for_each_note_bends_each_alone(self):
        page, other = self.panel(), self.listener()
        self.plugged(page)
        sent = self.sent(page)
        page.evaluate("midi(0xe2, 0, 96); midi(0x92, 60, 100)")
        self.assertIsNotNone(other.wait_for("/note", lambda player, note, *_: player == self.me and note == 60))
        self.assertEqual(sent("/key/60/bend"), [], "one channel alone is a plain keyboard's")
        bend = lambda: self.room(page, "room.get('/bend')")
        self.wait_until("the wheel bends all", lambda: bend() == 0.5)
        page.evaluate("midi(0xb0, 101, 0); midi(0xb0, 100, 6); midi(0xb0, 6, 15); midi(0xe3, 0, 80); midi(0x93, 64, 100); midi(0xe3, 0, 48)")
        self.assertEqual(sent("/key/64/bend"), [12, -12])

    def test_where_a_finger_comes_down_shapes_the_note(self):
        page = self.panel()
        sent = self.sent(page)
        page.mouse.move(*self.place(page, '[data-note="64"]', 0.8))
        page.mouse.down()
        self.wait_until("told", lambda: len(sent("/key/64/y")) == 1)
        self.assertAlmostEqual(sent("/key/64/y")[0], 0.8, delta=0.03)
        shown = page.evaluate("document.querySelector('.keyboard [data-note=\"64\"]').style.getPropertyValue('--height')")
        self.assertAlmostEqual(float(shown), 0.8, delta=0.03)
        page.mouse.up()

    def test_keys_and_pads_are_whole_on_a_laptop(self):
        for size in ((1280, 800), (1280, 720), (1024, 640)):
            with self.subTest(size=size):
                page = self.panel(size=size)
                for selector in ('.keyboard [data-note="60"]', ".keys-head", '[aria-label="Instrument"]'):
                    box = self.box(page, selector)
                    self.assertGreater(box["y"], 0)
                    self.assertLessEqual(box["y"] + box["height"], size[1], selector)
                # What comes into the panel by and by moves what is there.
                self.wait_until("the pads are high enough", lambda page=page: self.box(page, '[data-pad="9"]')["height"] > 40)
                name, number = (self.box(page, f'[data-pad="9"]{part}') for part in (" .name", " .number"))
                self.assertLessEqual(number["y"] + number["height"], name["y"] + 2, "a pad's number lies on its name")
                self.assertFalse(page.is_visible('[data-pad="1"] .key'), "the letters play keys now")
                page.context.close()

    def test_below_a_groove_the_pads_of_a_laptop_are_high_enough(self):
        for size in ((1280, 800), (1366, 768), (1440, 900)):
            with self.subTest(size=size):
                page = self.panel(size=size)
                self.room(page, "room.send('/groove')")
                page.wait_for_selector("[data-part=drums]")
                for number in (1, 9):
                    self.wait_until(f"pad {number} is high enough", lambda page=page, number=number: (
                        self.box(page, f'[data-pad="{number}"]')["height"] > 44))
                # It would go round for the next test.
                self.room(page, "room.send('/undo')")
                page.wait_for_selector("#groove", state="hidden")
                page.context.close()

    def test_the_button_that_closes_the_keys_lies_over_none_of_their_settings(self):
        page = self.panel(size=(1440, 900))
        page.evaluate("document.querySelector('.panel-body').scrollTop = 9999")
        close = self.box(page, "#panel-close")
        for group in page.locator(".keys-part .group").all():
            box = group.bounding_box()
            self.assertTrue(box["x"] + box["width"] <= close["x"] or box["y"] >= close["y"] + close["height"] or box["y"] + box["height"] <= close["y"])

    def test_on_a_low_laptop_the_instruments_name_is_whole(self):
        page = self.panel(size=(1024, 600))
        # An open part takes the instrument's place, and a second tap on its tab closes it.
        if page.locator(".keys-part.chosen").count():
            page.click('#panel-tabs [aria-pressed="true"]')
        self.assertGreater(self.box(page, '[aria-label="Instrument"]')["width"], 160)

    def box(self, page, selector):
        return self.still_box(page, f"{selector} >> nth=0")

    def test_what_shapes_the_keys_is_at_hand_on_a_desk_and_a_tablet(self):
        for size in ((1280, 800), (820, 1180)):
            with self.subTest(size=size):
                page = self.panel(size=size)
                page.fill('[aria-label="Chords of the progression"]', "I V vi IV")
                page.keyboard.press("Enter")
                page.wait_for_selector(".chord-blocks button")
                page.evaluate("document.querySelector('.panel-body').scrollTop = 0")
                panel = self.box(page, "#panel-body")
                end = panel["y"] + panel["height"]
                for selector in (".keyboard", ".chord", '[aria-label="Instrument"]', ".keys-part [aria-label='Key of the room']",
                                 ".keys-part [aria-label='Scale of the room']", ".chord-blocks button", "[aria-label=Order] button"):
                    box = self.box(page, selector)
                    self.assertLessEqual(box["y"] + box["height"], end + 1, f"{selector} is below the fold")
                # The thumbs are one small scroll away at most.
                for label in ("Filter", "Drive", "Space"):
                    box = self.box(page, f".keys-part [aria-label={label}]")
                    self.assertLessEqual(box["y"] + box["height"], end + size[1] / 5, label)
                page.context.close()

    def tab(self, page, name):
        tab = page.locator(f'#panel-tabs button:text-is("{name}")')
        if tab.get_attribute("aria-pressed") != "true":
            tab.click()
        page.wait_for_selector(".keys-part.chosen")

    def test_on_a_phone_one_part_at_a_time_lies_below_the_keys_which_stay(self):
        for size in ((390, 844), (320, 640), (320, 568)):
            with self.subTest(size=size):
                page = self.panel(size=size, has_touch=True)
                self.room(page, "room.set('/progression', 'I V vi IV')")
                page.wait_for_selector(".chord-blocks button", state="attached")
                end = self.box(page, ".quick")["y"]
                firsts = {"Chords": ".chord-blocks button", "Arp": "[aria-label=Order] button", "Scale": ".keys-part [aria-label='Scale of the room']",
                          "Sound": ".keys-part [aria-label=Filter]", "More": '[aria-label="The pads are"] button'}
                for name, first in firsts.items():
                    self.tab(page, name)
                    keys, part = self.box(page, ".keyboard"), self.box(page, ".keys-parts")
                    self.assertGreaterEqual(keys["height"], 90, name)
                    self.assertLessEqual(keys["y"] + keys["height"], part["y"] + 1, f"{name} covers the keys")
                    box = self.box(page, first)
                    self.assertLessEqual(box["y"] + box["height"], end + 1, f"{first} is below the fold")
                low = self.box(page, ".keyboard")["height"]
                page.locator('#panel-tabs [aria-pressed=true]').click()
                self.assertFalse(page.is_visible(".keys-part"), "a second tap folds it away")
                self.assertGreater(self.box(page, ".keyboard")["height"], low + 40)
                self.assertTrue(page.is_visible('[aria-label="Instrument"]'))
                self.assertTrue(page.is_visible(".chord-names"))
                page.context.close()

    def test_on_a_phone_on_its_side_nothing_is_cut_off(self):
        for size, least in (((844, 390), 120), ((667, 375), 100), ((568, 320), 70)):
            with self.subTest(size=size):
                page = self.panel(size=size, has_touch=True)
                for name in (None, "Chords", "Sound"):
                    if name:
                        self.tab(page, name)
                    keys = self.box(page, ".keyboard")
                    self.assertGreaterEqual(keys["height"], least, name)
                    for selector in (".keyboard", ".keys-head > *", ".instrument > *", ".chord-names", "#panel-tabs", "#panel-close", ".keys-parts"):
                        for element in page.query_selector_all(selector):
                            if not element.is_visible():
                                continue
                            box = element.bounding_box()
                            where = f"{name}: {selector}"
                            self.assertLessEqual(box["y"] + box["height"], size[1] + 1, where)
                            self.assertGreaterEqual(box["x"], 0, where)
                            self.assertLessEqual(box["x"] + box["width"], size[0] + 1, where)
                if size[0] > 600:
                    part = self.box(page, ".keys-parts")
                    self.assertLessEqual(keys["x"] + keys["width"], part["x"] + 1, "the part lies beside the keys")
                page.context.close()

    def test_white_keys_are_wide_enough_for_a_finger_beside_an_open_part_too(self):
        narrowest = "Math.min(...[...document.querySelectorAll('.key-white')].map((key) => key.getBoundingClientRect().width))"
        for keys in ("In key", "All"):
            page = self.panel(size=(568, 320), has_touch=True)
            page.click(f'.keys-head button:has-text("{keys}")')
            for name in (None, "Chords"):
                if name:
                    self.tab(page, name)
                with self.subTest(keys=keys, part=name):
                    self.wait_until("keys as wide as a finger", lambda page=page: page.evaluate(narrowest) >= 32)
                    self.assertGreaterEqual(len(page.evaluate(NOTES)), 5)
            page.context.close()

    def presses(self, page):
        """What the page sends of blocks that are held from now on: [step, velocity]."""
        page.evaluate("""import('/room.js').then(({ room }) => {
            window.presses = [];
            const note = ([where, ...values]) => { if (where === '/progression/press') window.presses.push(values); };
            const { send, sendTogether } = room;
            room.send = (...message) => { note(message); return send.apply(room, message); };
            room.sendTogether = (...messages) => { messages.forEach(note); return sendTogether.apply(room, messages); };
        })""")
        return lambda: [[step, round(velocity, 2)] for step, velocity in page.evaluate("window.presses")]

    def blocks(self, page, text="I V vi IV"):
        page.fill('[aria-label="Chords of the progression"]', text)
        page.keyboard.press("Enter")
        page.wait_for_selector(".chord-blocks button")
        page.evaluate("document.activeElement.blur()")

    def test_a_block_is_pressed_while_it_is_held(self):
        page = self.panel()
        self.blocks(page)
        sent = self.presses(page)
        pressed = lambda: page.locator(".chord-blocks .pressed").all_text_contents()  # noqa: E731
        page.mouse.move(*self.place(page, '.chord-blocks [data-step="3"]'))
        page.mouse.down()
        self.assertEqual((sent(), pressed()), ([[3, 0.8]], ["vi"]))
        page.mouse.move(5, 300)
        page.mouse.up()
        self.assertEqual((sent(), pressed()), ([[3, 0.8], [3, 0]], []), "wherever it is let go")
        page.focus('.chord-blocks [data-step="2"]')
        for key in ("Enter", "Space"):
            before = len(sent())
            page.keyboard.down(key)
            self.assertEqual((sent()[before:], pressed()), ([[2, 0.8]], ["V"]), key)
            page.keyboard.up(key)
            self.assertEqual((sent()[before:], pressed()), ([[2, 0.8], [2, 0]], []), key)
        # Whoever closes the panel, or writes other chords, holds nothing any more.
        before = len(sent())
        page.mouse.move(*self.place(page, '.chord-blocks [data-step="1"]'))
        page.mouse.down()
        self.room(page, "room.set('/progression', 'Am F')")
        self.assertEqual(sent()[before:], [[1, 0.8], [1, 0]])
        page.mouse.up()
        self.assertEqual(sent()[before:], [[1, 0.8], [1, 0]])

    def test_fingers_hold_blocks_of_their_own(self):
        page = self.panel(size=(390, 844), has_touch=True)
        self.room(page, "room.set('/progression', 'I V vi IV')")
        page.wait_for_selector(".chord-blocks button")
        sent, tool = self.presses(page), page.context.new_cdp_session(page)
        one, two = (dict(zip("xy", self.place(page, f'.chord-blocks [data-step="{step}"]')), id=step) for step in (1, 2))
        tool.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [one]})
        tool.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [one, two]})
        self.wait_until("both are held", lambda: sent() == [[1, 0.8], [2, 0.8]])
        tool.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": [one]})
        self.wait_until("one is let go", lambda: sent()[2:] == [[1, 0]])
        tool.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.wait_until("and the other", lambda: sent()[3:] == [[2, 0]])

    def test_a_held_block_sounds_for_everybody_until_it_is_let_go(self):
        page, other = self.panel(), self.listener()
        self.blocks(page, "Am F")
        page.mouse.move(*self.place(page, '.chord-blocks [data-step="2"]'))
        page.mouse.down()
        mine = lambda player, *_: player == self.me  # noqa: E731
        self.assertIsNotNone(other.wait_for("/note", mine), "the server knows /progression/press")
        self.wait_text(page, ".chord", lambda text: text.startswith("F"))
        page.mouse.up()
        self.assertIsNotNone(other.wait_for("/note/off", mine))

    def test_nothing_is_wider_than_a_phone(self):
        page = self.panel(size=(390, 844), has_touch=True)
        page.wait_for_selector("[aria-label='Progressions to choose from'] optgroup", state="attached")
        self.assertEqual(page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.panel-body'))"), 0)

    def test_the_chords_of_a_progression_are_blocks_and_the_one_that_sounds_is_lit(self):
        page = self.panel()
        page.fill('[aria-label="Chords of the progression"]', "Am F:2 | C G")
        page.keyboard.press("Enter")
        self.wait_until("four", lambda: page.locator(".chord-blocks li").all_text_contents() == ["Am", "F", "C", "G"])
        page.click("text=Play the chords")
        sounding = lambda: page.locator(".chord-blocks .sounds").all_text_contents()
        self.wait_until("the first one", lambda: sounding() == ["Am"])
        self.wait_until("the second one", lambda: sounding() == ["F"])
        page.click("text=Stop the chords")
        self.wait_until("none", lambda: sounding() == [])

    def test_chords_are_told_apart_as_the_server_does_and_a_repeat_is_the_chord_before(self):
        page = self.panel()
        blocks = lambda: page.locator(".chord-blocks li").all_text_contents()
        for text, chords in (("Am-F-C-G", ["Am", "F", "C", "G"]), ("Am, F, C, G", ["Am", "F", "C", "G"]), ("I % | V7:2 %", ["I", "I", "V7", "V7"])):
            page.fill('[aria-label="Chords of the progression"]', text)
            page.keyboard.press("Enter")
            self.wait_until(text, lambda: blocks() == chords)

    def test_the_chord_that_sounds_is_lit_after_a_reload_too(self):
        page = self.panel()
        page.fill('[aria-label="Chords of the progression"]', "I:2 V:2 vi:2 IV:2")
        page.keyboard.press("Enter")
        page.click("text=Play the chords")
        named = {"C": "I", "G": "V", "Am": "vi", "F": "IV"}
        lit = lambda: page.locator(".chord-blocks .sounds").all_text_contents()
        sounding = lambda: named.get(self.room(page, "room.get('/progression/chord', '')"))
        self.wait_until("the second one", lambda: lit() == ["V"])
        page.reload()
        self.wait_connected(page)
        page.click('[data-action="piano"]')
        page.wait_for_selector(".chord-blocks li")
        for chord in ("vi", "IV", "I"):
            self.wait_until(f"{chord} is lit as it sounds", lambda: sounding() == chord and lit() == [chord])
        page.click("text=Stop the chords")
        self.wait_until("none", lambda: lit() == [])

    def test_a_midi_port_plays_keys_with_bend_pedal_and_pressure(self):
        page, other = self.panel(), self.listener()
        self.plugged(page)
        page.evaluate("midi(0x90, 72, 127)")
        heard = other.wait_for("/note", lambda player, note, velocity, *_: player == self.me and note == 72 and velocity == 1)
        self.assertIsNotNone(heard)
        page.evaluate("midi(0xb0, 64, 127); midi(0x80, 72, 0); midi(0xe0, 0, 96)")
        self.wait_until("the wheel bends", lambda: self.room(page, "room.get('/bend')") == 0.5)
        self.assertTrue(page.is_visible('.keyboard .lit[data-note="72"]'), "the pedal holds it")
        page.evaluate("midi(0xd0, 100); midi(0xb0, 64, 0); midi(0xe0, 0, 64)")
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 72))

    def test_an_instrument_is_heard_before_it_is_chosen(self):
        page = self.panel()
        page.click("summary:text-is('Hear them before you choose')")
        page.evaluate("""import('/room.js').then(({ room }) => {
            const send = room.send.bind(room);
            window.sent = [];
            room.send = (...message) => { window.sent.push(message.join(" ")); return send(...message); };
        })""")
        page.click('[aria-label="Hear Soft pad alone"]')
        self.wait_until("it is asked for, on this player's cue", lambda: "/instrument/preview soft-pad" in page.evaluate("window.sent"))
        self.assertNotEqual(self.room(page, "room.get('/instrument')"), "soft-pad")
        page.click('[data-instrument="soft-pad"]')
        self.wait_until("it is chosen", lambda: page.get_attribute('[data-instrument="soft-pad"]', "aria-pressed") == "true")
        self.wait_until("its reverb came with it", lambda: self.room(page, "room.get('/send/reverb')") > 0.3)

    def test_letters_play_keys_while_the_panel_is_open_and_pads_again_behind_it(self):
        page, other = self.panel(), self.listener()
        page.keyboard.down("a")
        self.assertIsNotNone(other.wait_for("/note", lambda player, note, *_: player == self.me and note == 60))
        page.keyboard.up("a")
        self.assertIsNotNone(other.wait_for("/note/off", lambda player, note: player == self.me and note == 60))
        page.click("#panel-close")
        page.keyboard.press("q")
        self.heard(other)

    def test_letters_are_on_their_keys_and_two_of_them_move_the_keyboard_by_an_octave(self):
        page, other = self.panel(), self.listener()
        letter = lambda note: page.text_content(f'.keyboard [data-note="{note}"] kbd')
        self.assertEqual([letter(60), letter(62)], ["A", "S"])
        self.assertTrue(page.is_visible('.keyboard [data-note="60"] kbd'))
        page.keyboard.press("z")
        self.wait_until("an octave lower", lambda: page.evaluate(NOTES)[0] == 48)
        page.keyboard.press("a")
        self.assertIsNotNone(other.wait_for("/note", lambda player, note, *_: player == self.me and note == 48))
        page.keyboard.press("x")
        page.keyboard.press("x")
        self.wait_until("an octave higher", lambda: page.evaluate(NOTES)[0] == 72)
        page.keyboard.press("z")
        page.click('.keys-head button:has-text("All")')
        self.assertEqual([letter(60), letter(61), letter(62)], ["A", "W", "S"])
        page.keyboard.press("?")
        page.wait_for_selector('dialog kbd:text-is("Z, X")')

    def test_where_all_notes_are_shown_a_black_first_key_is_whole(self):
        page = self.panel(size=(390, 844), has_touch=True)
        self.room(page, "{ room.set('/key/root', 'Eb'); room.set('/scale', 'minor'); }")
        page.click('.keys-head button:has-text("All")')
        self.wait_until("from Eb on, and the white key below", lambda: page.evaluate(NOTES)[:2] == [50, 51])
        # All at one moment: they may be laid anew.
        boxes = "[...document.querySelectorAll('.keyboard, .keyboard [data-note]')].map((each) => each.getBoundingClientRect().toJSON())"
        board, *keys = self.still("the keyboard", lambda: page.evaluate(boxes))
        for box in keys:
            self.assertGreaterEqual(box["x"], board["x"] - 0.5)
            self.assertLessEqual(box["x"] + box["width"], board["x"] + board["width"] + 0.5)
        self.assertFalse(page.is_visible('.keyboard kbd'), "a phone has no letters")
        self.room(page, "{ room.set('/key/root', 'C'); room.set('/scale', 'major'); }")

    def test_a_chords_other_names_are_below_it(self):
        page = self.panel(size=(390, 844), has_touch=True)
        self.room(page, "{ for (const note of [60, 64, 67, 69]) room.send(`/key/${note}`, 0.8); }")
        self.wait_text(page, ".chord", lambda text: text == "C6")
        self.assertIn("Am7/C", page.text_content(".chord-names small"))
        self.assertTrue(page.is_visible(".chord-names small"))
        self.room(page, "room.send('/panic')")
        self.wait_text(page, ".chord-names small", lambda text: text == "")

    def test_the_arpeggiators_notes_are_as_hard_as_played_or_as_set(self):
        page = self.panel()
        said = lambda: page.get_attribute('[aria-label="How hard each note is"]', "aria-valuetext")
        self.assertEqual(said(), "As hard as played")
        page.focus('[aria-label="How hard each note is"]')
        page.keyboard.press("End")
        self.wait_until("it is set", lambda: self.room(page, "room.get('/arp/velocity')") == 1)
        self.assertEqual(said(), "100 %")
        page.keyboard.press("Backspace")
        self.assertEqual(said(), "As hard as played")

    def test_pads_become_chords_and_are_named(self):
        page, other = self.panel(), self.listener()
        page.click('[aria-label="The pads are"] button:has-text("chords")')
        self.wait_text(page, '.pad[data-pad="6"] .name', lambda text: text == "Am")
        page.mouse.move(*self.place(page, '.pad[data-pad="6"]'))
        page.mouse.down()
        self.wait_text(page, ".chord", lambda text: text == "Am")
        page.mouse.up()
        self.wait_text(page, ".chord", lambda text: text == "")
        page.click('[aria-label="The pads are"] button:has-text("drums")')
        self.wait_text(page, '.pad[data-pad="6"] .name', lambda text: text != "Am")

    def test_instruments_are_chosen_and_shaped(self):
        page = self.panel()
        page.select_option('[aria-label="Instrument"]', "acid-bass")
        self.wait_until("chosen", lambda: self.room(page, "room.get('/instrument')") == "acid-bass")
        page.click('[aria-label="Next instrument"]')
        self.wait_until("the next", lambda: page.input_value('[aria-label="Instrument"]') == "reese")
        page.click("text=Shape the sound")
        before = self.room(page, "room.get('/instrument/filter/cutoff')")
        page.focus('.sound [aria-label="Cutoff"]')
        page.keyboard.press("ArrowLeft")
        self.wait_until("moved", lambda: self.room(page, "room.get('/instrument/filter/cutoff')") < before)

    def test_recorded_sounds_have_no_faders_that_do_nothing(self):
        page = self.panel()
        page.click("details.sound summary")
        faders = "() => [...document.querySelectorAll('details.sound .sound-part > :not(h3)')].filter((one) => one.checkVisibility()).length"
        whole = page.evaluate(faders)
        self.assertGreater(whole, 40)
        self.choose_instrument(page, "marimba")
        self.wait_until("three are left", lambda: page.evaluate(faders) == 3)
        self.choose_instrument(page, "organ")
        self.wait_until("all are back", lambda: page.evaluate(faders) == whole)

    def choose_instrument(self, page, instrument):
        """Until it is taken, as a person does.

        A busy machine may be silent while it reads recorded sounds. Into silence the page sends nothing.
        """
        now = lambda: self.room(page, "room.get('/instrument')")

        def choose():
            page.select_option("select[aria-label=Instrument]", instrument)
            return now() == instrument

        self.wait_until(f"{instrument} is chosen", choose)

    def test_a_progression_is_typed_and_played(self):
        page, other = self.panel(), self.listener()
        page.fill('[aria-label="Chords of the progression"]', "Am F")
        page.keyboard.press("Enter")
        page.click("text=Play the chords")
        self.assertIsNotNone(other.wait_for("/note", lambda player, *_: player == self.me))
        page.click("text=Stop the chords")
        self.wait_text(page, "button[aria-pressed=false].primary", lambda text: text == "Play the chords")

    def test_a_progression_gets_a_name_that_everybody_finds(self):
        page, other = self.panel(), self.panel()
        page.fill('[aria-label="Chords of the progression"]', "vi IV I")
        page.keyboard.press("Enter")
        page.fill('[aria-label="A name for these chords"]', "Rain")
        page.click("text=Save for all")
        option = '[aria-label="Progressions to choose from"] option[value="Rain"]'
        self.wait_until("the other's list has it", lambda: other.locator(option).count() == 1)
        other.select_option('[aria-label="Progressions to choose from"]', "Rain")
        line = '[aria-label="Chords of the progression"]'
        self.wait_until("its chords", lambda: other.input_value(line) == "vi IV I")
        other.click("text=Stop the chords")
        self.room(page, "room.send('/progression/delete', 'rain')")
        self.wait_until("it is gone", lambda: other.locator(option).count() == 0)

    def test_nothing_moves_as_a_chord_is_named(self):
        for size in ((390, 844), (320, 640), (1280, 800)):
            page = self.panel(size=size)
            top = self.box(page, ".keyboard")["y"]
            page.evaluate("document.querySelector('.chord').textContent = 'F#m7b5/A'")
            self.assertEqual(page.query_selector(".keyboard").bounding_box()["y"], top, size)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])


if __name__ == "__main__":
    unittest.main()
