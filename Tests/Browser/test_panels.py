"""Panels: Back closes them, one pad is chosen for all of them, what is kept is shown where it landed; keys, messages, looks."""

import itertools

from case import BrowserCase
from test_loops import Finger


# Contrast (WCAG 2.2, 1.4.3 and 1.4.11) of what is seen now: every text with 4.5 : 1, every edge of a control with 3 : 1.
FAINT = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const bright = (colour) => {
    const [r, g, b] = colour.map((value) => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => { const [a, b] = [bright(one), bright(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
  const ground = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.unshift(rgba(getComputedStyle(each).backgroundColor));
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('.offscreen, .sprite');
  // An opacity makes all that it holds fainter: it is taken as a part of the colour.
  const faded = (element) => { let part = 1; for (let each = element; each; each = each.parentElement) part *= Number(getComputedStyle(each).opacity); return part; };
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className} “${(element.ariaLabel ?? element.textContent).trim().slice(0, 24)}”`;
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const looked = new Set();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || looked.has(element) || !seen(element) || element.matches('option, script, style')) continue;
    looked.add(element);
    const below = ground(element);
    const [r, g, b, a] = rgba(getComputedStyle(element).color);
    const part = ratio(over([r, g, b, a * faded(element)], below), below);
    if (part < 4.495) found.push(`${part.toFixed(2)} text ${name(element)}`);
  }
  const edges = 'button:not(.brand, .bpm, .latch, .stepname, .tabs *, .segments:not(#panel-tabs) *, .clip, .step), select, input:not([type=range], [role=switch], .offscreen), .segments:not(#panel-tabs), .track, .step, .slot:empty, .clip';
  for (const element of document.querySelectorAll(edges)) {
    if (!seen(element)) continue;
    const inner = element.matches('.step, .clip') ? getComputedStyle(element, '::before') : getComputedStyle(element);
    const below = ground(element.parentElement);
    const fill = over(rgba(inner.backgroundColor), below);
    const shadow = inner.boxShadow.match(/rgba?\\([^)]*\\)|color\\([^)]*\\)/)?.[0];
    const lines = [inner.outlineStyle !== 'none' ? inner.outlineColor : null, parseFloat(inner.borderTopWidth) > 0 ? inner.borderTopColor : null, shadow].filter(Boolean);
    const parts = [ratio(fill, below), ...lines.map((line) => ratio(over(rgba(line), below), below))];
    if (Math.max(...parts) < 2.995) found.push(`${Math.max(...parts).toFixed(2)} edge ${name(element)}`);
  }
  return [...new Set(found)];
}"""


class PanelTests(BrowserCase):
    # ---- Back.

    def test_back_closes_the_panel_first_and_leaves_the_page_then(self):
        page = self.open("/icon.svg", (390, 844))
        page.goto(self.url(f"/?name={self.me}"))
        self.wait_connected(page)
        page.click('[data-action="kits"]')
        page.wait_for_selector("#panel:not([hidden])")
        page.click('[data-action="loops"]')
        page.go_back()
        page.wait_for_selector("#panel", state="hidden")
        self.assertEqual(page.get_attribute("body", "data-state"), "connected")
        # What was closed by hand costs no press of its own.
        page.click('[data-action="mixer"]')
        page.click("#panel-close")
        page.click('[data-action="kits"]')
        page.click("#panel-close")
        page.go_back()
        page.wait_for_url("**/icon.svg")

    def test_back_closes_the_big_screen_and_then_the_panel_that_it_came_from(self):
        page = self.connected()
        page.click('[data-action="people"]')
        page.click("#panel-tabs >> text=Join")
        page.click("text=Big screen for the wall")
        page.wait_for_selector("dialog.wall[open]")
        page.go_back()
        page.wait_for_selector("dialog.wall", state="hidden")
        self.assertTrue(page.is_visible("#panel"))
        page.go_back()
        page.wait_for_selector("#panel", state="hidden")

    def test_the_key_of_the_room_is_everybodys(self):
        one, other = self.connected(), self.connected()
        for page in (one, other):
            page.click('[data-action="beat"]')
        one.select_option('select[aria-label="Key of the room"]', "Eb")
        one.select_option('select[aria-label="Scale of the room"]', "dorian")
        for page in (one, other):
            page.wait_for_selector("text=Notes: Eb F Gb Ab Bb C Db")
            self.wait_until("its key is Eb", lambda page=page: page.input_value('select[aria-label="Key of the room"]') == "Eb")

    # ---- One chosen pad.

    def test_the_chosen_pad_is_one_for_settings_sounds_and_recordings(self):
        page = self.connected()
        page.click('[data-action="settings"]')
        page.select_option('select[aria-label="Pad"]', "13")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Sounds")
        sounds = 'select[aria-label="Pad for the sound"] >> visible=true'
        self.assertEqual(page.input_value(sounds), "13")
        page.wait_for_selector('[data-pad="13"].chosen')
        kick = page.text_content('[data-pad="1"] .name')
        page.fill('input[aria-label="Search sounds"]', "rim")
        page.click(".sound >> nth=0")
        self.wait_text(page, '[data-pad="13"] .name', lambda text: "rim" in text.lower())
        self.assertEqual(page.text_content('[data-pad="1"] .name'), kick)
        page.click("#panel-tabs >> text=Recordings")
        self.assertEqual(page.input_value(sounds), "13")
        page.click('[data-pad="6"]')
        self.assertEqual(page.input_value(sounds), "6")
        page.click('[data-action="settings"]')
        page.wait_for_selector('h3:has-text("6 · ")')
        page.click("#panel-close")
        self.assertEqual(page.locator(".pad.chosen").count(), 0)

    def test_another_part_begins_at_its_top(self):
        page = self.connected(size=(1280, 720))
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        page.wait_for_selector('.block-list [data-block="rock push"]')
        cut = "[...document.querySelectorAll('.block-list b')].filter((name) => name.scrollHeight > name.clientHeight + 2).map((name) => name.textContent)"
        self.assertEqual(page.evaluate(cut), [], "names of patterns are cut")
        page.evaluate("document.getElementById('panel-body').scrollTop = 300")
        self.assertGreater(page.evaluate("document.getElementById('panel-body').scrollTop"), 100)
        page.click("#panel-tabs >> text=Steps")
        page.wait_for_selector(".step")
        self.assertEqual(page.evaluate("document.getElementById('panel-body').scrollTop"), 0)

    def test_what_unfolds_has_an_arrow(self):
        page = self.connected()
        page.click('[data-action="mixer"]')
        page.click("#panel-tabs >> text=Effects")
        page.wait_for_selector("summary:has-text('Equaliser')")
        arrow = "[...document.querySelectorAll('.effect > summary')].map((one) => getComputedStyle(one, '::before').borderBottomWidth)"
        self.assertEqual(set(page.evaluate(arrow)), {"2px"})

    # ---- Keys.

    def test_keys_do_what_they_do_everywhere(self):
        page = self.connected()
        plays = lambda: self.room(page, "room.get('/play')") > 0  # noqa: E731
        self.wait_until("it plays", plays)
        page.keyboard.press("Space")
        self.wait_until("Space stops the beat", lambda: not plays())
        page.keyboard.press("Space")
        self.wait_until("and goes on with it", plays)
        # With a loop of one's own it is that one which stops.
        self.room(page, "room.set('/step/1/1', 1)")
        page.wait_for_selector("body[data-loop=playing]")
        # What the mouse pressed last is not pressed again.
        page.click('[data-action="mixer"]')
        page.keyboard.press("Space")
        page.wait_for_selector("body[data-loop=stopped]")
        self.assertTrue(plays() and page.is_visible("#panel"))
        page.keyboard.press("Escape")
        page.wait_for_selector("#panel", state="hidden")
        # What the Tab key has reached is pressed by Space, as everywhere.
        page.focus('[data-action="piano"]')
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.wait_for_selector("body[data-panel=loops]")
        self.room(page, "room.set('/step/2/3', 1)")
        value = lambda: self.room(page, "room.get('/step/2/3', 0)")  # noqa: E731
        self.wait_until("a step is set", lambda: value() == 1)
        page.keyboard.press("Control+z")
        self.wait_until("Ctrl+Z takes it back", lambda: value() == 0)
        page.keyboard.press("Control+Shift+Z")
        self.wait_until("Ctrl+Shift+Z sets it again", lambda: value() == 1)

    def test_letters_of_a_line_are_its_own_and_a_sheet_tells_the_keys(self):
        page, bob = self.connected(), self.listener()
        page.click('[data-action="kits"]')
        page.fill('input[aria-label="Search kits"]', "")
        page.keyboard.type("a ?1")
        self.assertEqual(page.input_value('input[aria-label="Search kits"]'), "a ?1")
        page.keyboard.press("Control+z")
        self.assertNotIn("undo", page.text_content("#toast").lower())
        self.assertTrue(self.room(page, "room.get('/play')") > 0)
        page.fill('input[aria-label="Search kits"]', "piano")
        page.keyboard.press("Escape")
        self.assertTrue(page.is_visible("#panel"), "first the search is emptied")
        page.keyboard.press("Escape")
        page.wait_for_selector("#panel", state="hidden")
        page.keyboard.press("?")
        page.wait_for_selector("dialog.sheet[open]")
        self.assertIn("Space", page.text_content("dialog.sheet"))
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.sheet", state="detached")
        page.keyboard.press("1")
        self.assertEqual(self.heard(bob)[1], 1)

    # ---- What is kept.

    def test_a_layer_that_is_kept_as_a_block_is_shown_on_the_list(self):
        page = self.connected(None, (390, 844), has_touch=True)
        self.room(page, "room.set('/step/1/1', 1)")
        page.wait_for_selector("body[data-loop=playing]")
        page.click('[data-action="loops"]')
        page.click("text=Save as pattern")
        name = f"mine {self.count}"
        page.fill('[aria-label="Name of the pattern of layer 1"]', name)
        page.keyboard.press("Enter")
        page.wait_for_selector(f'.block-list [data-block="{name}"].landed')
        self.assertEqual(page.get_attribute('#panel-tabs >> text=Patterns', "aria-pressed"), "true")
        self.assert_in_sight(page, f'.block-list [data-block="{name}"]')

    def assert_in_sight(self, page, selector):
        box, outer = page.locator(selector).bounding_box(), page.locator("#panel-body").bounding_box()
        self.assertTrue(outer["y"] <= box["y"] and box["y"] + box["height"] <= outer["y"] + outer["height"]
                        and outer["x"] <= box["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"], (box, outer))

    # ---- Decay.

    def test_a_kit_that_says_its_key_is_heard_in_another_by_one_edit_that_undo_takes_back(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click('[data-kit="bells"]')
        key = page.locator('select[aria-label="Key"]')

        def transposed(*wanted):
            got = [self.room(page, f"room.get('/pad/{pad}/transpose')") for pad in (1, 9, 11)]
            return got == list(wanted)

        def said(value):
            self.wait_until(f"the chooser says {value!r}", lambda: key.input_value() == value)

        self.wait_until("the kit is on", lambda: self.room(page, "room.get('/pad/9/sample')") == "bells/9")
        said("")
        self.assertEqual(key.locator("option").all_text_contents()[:4], ["As recorded", "Follow the room’s key", "C", "C#/Db"])
        key.select_option(label="A")
        self.wait_until("all but the drum are in A", lambda: transposed(0, 5, 5))
        said("A")
        key.select_option(label="A#/Bb")
        self.wait_until("and in B flat", lambda: transposed(0, 6, 6))
        # One undo takes all of it back, and the chooser says so.
        page.click('[data-action="undo"]')
        self.wait_until("they are in A again", lambda: transposed(0, 5, 5))
        said("A")
        self.room(page, "room.set('/pad/9/transpose', 3)")
        said("by hand")
        key.select_option(label="As recorded")
        self.wait_until("they are as the kit has them", lambda: transposed(0, 0, 0))
        said("")

    def test_a_kit_that_says_no_key_has_no_chooser_of_one(self):
        page = self.open("/help-is-not-here")
        page.route("**/kits", lambda route: route.fulfill(json={"kits": [
            {"id": "starter", "name": "Starter", "colours": [], "pads": [1], "keys": []}]}))
        page.goto(self.url(f"/?name={self.me}"))
        self.wait_connected(page)
        page.click('[data-action="kits"]')
        page.wait_for_selector('[data-kit="bells"]')
        page.locator('select[aria-label="Key"]').wait_for(state="hidden")

    def test_decay_goes_from_the_whole_sound_to_shorter_ones_without_a_step(self):
        page = self.connected()
        page.click('[data-pad="8"]', button="right")
        page.wait_for_selector('h3:has-text("8 · Crash")')
        fader = page.locator('input[type=range][aria-label="Decay"]')
        whole = int(fader.get_attribute("max"))
        self.assertEqual(fader.get_attribute("aria-valuetext"), "Whole sound")
        self.assertEqual(int(fader.input_value()), whole)
        fader.focus()
        page.keyboard.press("ArrowLeft")
        self.assertEqual(self.room(page, "room.get('/pad/8/decay')"), whole - 1)
        page.keyboard.press("ArrowRight")
        self.assertEqual(self.room(page, "room.get('/pad/8/decay')"), 0)
        page.keyboard.press("Home")
        self.assertEqual(self.room(page, "room.get('/pad/8/decay')"), 1)
        page.keyboard.press("Backspace")
        self.assertEqual((self.room(page, "room.get('/pad/8/decay')"), fader.get_attribute("aria-valuetext")), (0, "Whole sound"))

    # ---- Messages.

    def test_a_message_covers_no_pad(self):
        for size in ((320, 568), (390, 844), (844, 390), (568, 320), (820, 1180), (1180, 820), (1366, 768), (640, 400), (683, 384), (410, 590), (2560, 1080)):
            page = self.connected(f"/?name={self.me}-{size[0]}-{size[1]}", size)
            for text in ("It is on pad 3.", "The close way for sound (WebRTC) does not get through this network. Until it does, you hear a second or so late.", "word " * 80):
                page.evaluate("text => import('/dom.js').then(({ toast }) => toast(text, 60))", text)
                self.toast_stands(page)
                toast = page.locator("#toast").bounding_box()
                pads = page.evaluate("""[...document.querySelectorAll('.pad')].filter((pad) => pad.checkVisibility()).map((pad) => pad.getBoundingClientRect().toJSON())""")
                covered = [pad for pad in pads if toast["x"] < pad["right"] and pad["left"] < toast["x"] + toast["width"]
                           and toast["y"] < pad["bottom"] and pad["top"] < toast["y"] + toast["height"]]
                with self.subTest(size=size, text=text[:20]):
                    self.assertEqual(covered, [])
                    self.assertGreaterEqual(toast["x"], 0)
                    self.assertLessEqual(toast["x"] + toast["width"], size[0])
                    self.assertGreaterEqual(toast["y"], 0)
                    # Boxes are fractions of pixels.
                    self.assertLessEqual(round(toast["y"] + toast["height"], 2), size[1])
            page.context.close()

    # ---- Looks.

    def test_every_text_and_every_edge_can_be_made_out(self):
        for theme in ("light", "dark"):
            page = self.connected(f"/?name={self.me}-{theme}", (1366, 768), is_seen=True, color_scheme=theme)
            page.emulate_media(reduced_motion="reduce")
            self.room(page, "{ room.set('/pad/4/mute', 1); room.set('/step/1/1', 1); }")
            page.wait_for_selector("body[data-loop=playing]")
            for panel, parts in {"kits": ("Kits", "Sounds", "Recordings"), "loops": ("Layers", "Steps", "Patterns"), "buildup": (), "mixer": ("Levels", "My mix", "Effects"),
                                 "people": ("People", "Chat", "Join"), "settings": ("This pad", "This page"), "beat": ()}.items():
                page.evaluate("name => import('/panel.js').then(({ open }) => open(name))", panel)
                page.wait_for_selector("#panel-body > :first-child > *")
                for part in parts or (None,):
                    if part:
                        page.click(f'#panel-tabs >> text="{part}"')
                    # What it holds comes from the server.
                    page.wait_for_selector({"Kits": "[data-kit]", "Sounds": ".sound", "Steps": ".step", "Patterns": ".block-list .block", "People": ".person", "Effects": ".effects"}.get(
                        part, "#panel-body > :first-child > *"), state="attached")
                    page.evaluate("for (const group of document.querySelectorAll('.effect')) group.open = true")
                    with self.subTest(theme=theme, panel=panel, part=part):
                        # A colour that is on its way to another is neither. The playhead is never at rest.
                        self.wait_until("it has settled", lambda: page.evaluate("document.getAnimations().filter((each) => each instanceof CSSTransition && each.playState === 'running').length") == 0)
                        self.assertEqual(page.evaluate(FAINT), [])
            page.evaluate("import('/panel.js').then(({ close }) => close())")
            for what in ("muted", "listening", "offline"):
                page.evaluate("what => { document.getElementById('pads').dataset.silent = what; }", what)
                self.assertEqual(page.evaluate(FAINT), [], what)
            page.context.close()

    def test_the_names_on_the_pads_of_every_kind_of_sound_can_be_read(self):
        for theme, colours in itertools.product(("light", "dark"), ("bright", "clear")):
            page = self.connected(f"/?name={self.me}-{theme}-{colours}", is_seen=True, color_scheme=theme)
            page.emulate_media(reduced_motion="reduce")
            page.evaluate("colours => { localStorage.setItem('bandshell colours', JSON.stringify(colours)); dispatchEvent(new Event('themechoice')); }", colours)
            kinds = page.evaluate("import('/kind.js').then(({ KINDS }) => [...KINDS, 'other'])")
            for kind in kinds:
                page.evaluate("""kind => import('/kind.js').then(({ toneOf }) => {
                  for (const [number, pad] of document.querySelectorAll('.pad').entries()) pad.style.setProperty('--tone', toneOf(kind, number));
                })""", kind)
                with self.subTest(theme=theme, colours=colours, kind=kind):
                    self.assertEqual([line for line in page.evaluate(FAINT) if any(word in line for word in ("number", "name", "key", ".pad"))], [])
            page.context.close()

    def test_the_labels_of_the_tabs_and_of_the_loop_buttons_have_twelve_pixels_and_fit(self):
        for size in ((320, 568), (360, 740), (390, 844), (844, 390), (568, 320), (820, 1180), (1366, 768)):
            page = self.connected(f"/?name={self.me}-{size[0]}", size)
            small = page.evaluate("""[...document.querySelectorAll('.tabs button, .quick button, .extra button')].filter((button) => button.checkVisibility())
                .filter((button) => parseFloat(getComputedStyle(button).fontSize) < 12 || button.querySelector('span').getBoundingClientRect().width > button.getBoundingClientRect().width + 0.5)
                .map((button) => button.textContent)""")
            with self.subTest(size=size):
                self.assertEqual(small, [])
            page.context.close()

    def test_a_scrolled_list_of_steps_shows_no_fragment_of_the_playhead(self):
        page = self.connected(None, (390, 844), is_seen=True, has_touch=True)
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        page.wait_for_selector(".playhead:not([hidden])", state="attached")
        page.click("#play")
        self.wait_until("it stands", lambda: self.room(page, "room.get('/play')") == 0)
        page.locator(".stepscroll").evaluate("box => { box.scrollLeft = 60; }")
        box = page.locator(".stepscroll").bounding_box()
        head = page.locator(".steprow [role=rowheader]").first.bounding_box()
        # Everything left of where the steps begin, with the playhead under it and without.
        clip = {"x": 0, "y": box["y"], "width": head["x"] + head["width"], "height": min(box["height"], 844 - box["y"] - 120)}
        page.evaluate("""() => { for (const head of document.querySelectorAll('.playhead')) {
          head.hidden = false;
          head.style.opacity = 1;
          head.style.transform = 'translateX(var(--name))';
        } }""")
        over = page.screenshot(clip=clip)
        page.evaluate("() => { for (const head of document.querySelectorAll('.playhead')) head.hidden = true; }")
        self.assertEqual(over, page.screenshot(clip=clip))
        page.click("#play")

    # ---- The focus.

    def focused(self):
        """A phone with a block of the first lane focused on; and its slot."""
        page = self.connected(None, (390, 844), has_touch=True)
        page.wait_for_selector("body[data-audio=ready]")
        page.tap('[data-action="loops"]')
        page.wait_for_selector("body[data-audio=playing]")
        page.tap("#panel-tabs >> text=Patterns")
        self.room(page, "{ room.set('/step/1/1', 1); room.set('/lane/1/1', 'rock push'); }")
        slot = '.slot[data-lane="1"][data-slot="1"]'
        page.wait_for_selector(f"{slot} .block")
        page.tap('.lane[aria-label="Lane 1"] >> text=Loop')
        page.wait_for_selector('.lane[aria-label="Lane 1"][data-state=looping]')
        page.focus(slot)
        page.keyboard.press("f")
        page.wait_for_selector(f"{slot}.focused")
        return page, slot

    def has_cue(self):
        return f"player={self.me}" in self.server.get("/metrics")[2].decode()

    def assert_over(self, page, slot):
        page.wait_for_selector(f"{slot}:not(.focused)", state="attached")
        self.wait_until("the cue is given back", lambda: not self.has_cue())
        self.wait_until("the room is heard", lambda: page.get_attribute("body", "data-audio") == "playing")

    def test_two_fingers_anywhere_in_the_panel_end_a_focus(self):
        page, slot = self.focused()
        finger = Finger(page)
        tool = page.context.new_cdp_session(page)
        body = page.locator("#panel-body").bounding_box()
        x, y = body["x"] + body["width"] / 2, body["y"] + body["height"] - 60

        def touch(kind, apart):
            points = [] if apart is None else [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
            tool.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        self.assertIsNotNone(finger)
        touch("touchStart", 120)
        for apart in (110, 95, 80, 60, 40):
            touch("touchMove", apart)
        touch("touchEnd", None)
        self.assert_over(page, slot)

    def test_stopping_the_lane_the_loop_or_closing_the_panel_ends_a_focus(self):
        ends = {
            "the lane": lambda page: page.tap('.lane[aria-label="Lane 1"] >> text=Stop'),
            # On a phone the panel lies where the button is; the keys' Space presses it, too.
            "the loop": lambda page: page.locator('[data-action="stop"]').evaluate("button => button.click()"),
            "the panel": lambda page: page.tap("#panel-close"),
            "its button": lambda page: page.tap("text=Hear everybody"),
            "the beat": lambda page: page.tap("#play"),
        }
        for name, end in ends.items():
            with self.subTest(name):
                page, slot = self.focused()
                end(page)
                self.assert_over(page, slot)
                self.room(page, "room.send('/play')")
                page.context.close()
                BrowserCase.setUp(self)


class KeepingTests(BrowserCase):
    def setUp(self):
        super().setUp()

    @classmethod
    def setUpClass(cls):
        import tempfile
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        cls.arguments = ("--data", folder.name)
        super().setUpClass()

    def test_a_kit_that_is_kept_is_shown_in_the_list_whatever_was_searched_for(self):
        page = self.connected(None, (390, 844), has_touch=True)
        page.click('[data-action="kits"]')
        page.wait_for_selector('[data-kit="house"]')
        page.fill('input[aria-label="Search kits"]', "piano")
        name = f"my kit {self.count}"
        page.fill('input[aria-label="Name of your kit"]', name)
        page.keyboard.press("Enter")
        # It is marked for a moment only.
        landed = page.wait_for_selector("li.landed")
        self.assertIn(name, landed.text_content())
        box, outer = landed.bounding_box(), page.locator("#panel-body").bounding_box()
        self.assertTrue(outer["y"] <= box["y"] and box["y"] + box["height"] <= outer["y"] + outer["height"], (box, outer))


if __name__ == "__main__":
    import unittest

    unittest.main()
