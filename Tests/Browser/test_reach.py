"""Every control is its own: a finger on its middle touches it, at every size and in every state of the page."""

import unittest

from case import BrowserCase

SIZES = {
    "small phone": (320, 568), "phone": (390, 844), "phone on its side": (844, 390), "small phone on its side": (568, 320),
    "tablet": (820, 1180), "tablet on its side": (1180, 820), "laptop": (1366, 768), "desk": (1280, 800), "wide": (2560, 1080),
    # What is left of a laptop, a tablet and a desk at 200 %.
    "laptop at 200 %": (683, 384), "tablet at 200 %": (410, 590), "desk at 200 %": (640, 400), "large desk at 200 %": (960, 540),
}
PARTS = {"kits": ("Kits", "Sounds", "Recordings"), "loops": ("Layers", "Steps", "Patterns", "Scenes"), "buildup": (), "mixer": ("Levels", "Effects"),
         "people": ("People", "Chat", "Join"), "settings": ("This pad", "This page"), "beat": (), "history": ("Mine", "The room’s"),
         "piano": ("Chords", "Arp", "Scale", "Sound", "More")}

# A row that is scrolled to is drawn one frame later, and the look below comes at once: here it is drawn always.
DRAWN = """() => {
  const drawn = new CSSStyleSheet();
  drawn.replaceSync('* { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, drawn];
}"""

# The controls whose middle is somebody else's, with whose it is. What is scrolled out of sight is scrolled to first.
TAKEN = """() => {
  const controls = [...document.querySelectorAll('button, a[href], input:not(.offscreen), select, textarea, summary, [role=slider], [tabindex="0"]')];
  const told = (element) => element && `${element.tagName.toLowerCase()}#${element.id}.${element.className.baseVal ?? element.className} “${(element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 30)}”`;
  const known = new Map();
  // By itself: a box that scrolls neither way, and hides what overflows, stays as it is.
  const scrolls = (box) => {
    if (!known.has(box)) known.set(box, /auto|scroll/.test(getComputedStyle(box).overflow));
    return known.get(box);
  };
  const shown = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.disabled && control.getClientRects().length);
  return shown.flatMap((control) => {
    for (let box = control.parentElement; box; box = box.parentElement) {
      if (!scrolls(box)) continue;
      const [inner, outer] = [control.getBoundingClientRect(), box.getBoundingClientRect()];
      const sticky = box.querySelector('[role=rowheader]')?.offsetWidth ?? 0;
      if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
      if (inner.left < outer.left + sticky || inner.right > outer.right) box.scrollLeft += inner.left - outer.left - sticky - (outer.width - sticky - inner.width) / 2;
    }
    const box = control.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const there = document.elementFromPoint(x, y);
    const label = control.closest('label');
    if (there && (control.contains(there) || (label && label.contains(there)))) return [];
    // The greeting of a silent room lies over the empty strip, and hides where a key reaches the strip.
    if (control.id === 'loopview' && there?.closest('#welcome')) return [];
    return [`${told(control)} at ${Math.round(x)}, ${Math.round(y)} is ${told(there) ?? 'out of sight'}`];
  });
}"""


class ReachTests(BrowserCase):
    def connected(self, *arguments, **options):
        page = super().connected(*arguments, **options)
        page.evaluate(DRAWN)
        return page

    def in_language(self, page, language):
        super().in_language(page, language)
        page.evaluate(DRAWN)

    def assert_reached(self, page, where):
        self.assertEqual(page.evaluate(TAKEN), [], where)

    def look_everywhere(self, page, where):
        self.assert_reached(page, where)
        for panel, parts in PARTS.items():
            page.evaluate("name => import('/panel.js').then(({ open }) => open(name))", panel)
            page.wait_for_selector("#panel-body > :first-child > *")
            for part in parts or (None,):
                # Where there is room the keys' parts are seen at once.
                if part and page.is_visible("#panel-tabs"):
                    chosen = page.locator(f'#panel-tabs [aria-pressed=true]:text-is("{part}")')
                    # A second tap would fold the keys' part away.
                    if chosen.count() == 0 or panel != "piano":
                        # The tab is looked at below, as all controls are: here it only opens what it is for.
                        page.locator(f'#panel-tabs >> text="{part}"').evaluate("tab => tab.click()")
                    chosen.wait_for()
                    page.wait_for_selector("#panel-body > .parts > * > *, .keys-part.chosen", state="attached")
                self.assert_reached(page, f"{where}, {panel}, {part}")
        page.evaluate("import('/panel.js').then(({ close }) => close())")
        page.wait_for_selector("#panel", state="hidden")

    def test_every_control_is_its_own_at_every_size_and_in_every_state(self):
        for size, (width, height) in SIZES.items():
            page = self.connected(f"/?name=at-{self.count}-{width}-{height}", (width, height), has_touch=width < 1200)
            # The lowest pages have no place for strips: there a button brings them.
            for strips in (True, False) if height > 369 else (False,):
                page.evaluate("""strips => import('/memory.js').then(({ remember }) => {
                  remember('strips', strips);
                  dispatchEvent(new Event('stripschoice'));
                })""", strips)
                page.wait_for_selector("#strips", state="visible" if strips else "hidden")
                # Where the pitch is, the thumb is.
                for pitch in ((0, 12, -12) if strips else (0,)):
                    self.room(page, "room.apply('/pitch', [value])", pitch)
                    with self.subTest(size=size, strips=strips, pitch=pitch):
                        self.assert_reached(page, size)
                with self.subTest(size=size, strips=strips, panels=True):
                    self.look_everywhere(page, size)
            self.room(page, "room.send('/buildup', 150, 32)")
            page.wait_for_selector("#building:not([hidden])")
            with self.subTest(size=size, buildup=True):
                self.look_everywhere(page, f"{size}, a build-up")
            self.room(page, "room.send('/buildup/cancel')")
            page.wait_for_selector("#building", state="hidden")
            page.context.close()

    def test_the_first_visit_s_question_leaves_every_control_its_own(self):
        for size, (width, height) in SIZES.items():
            with self.subTest(size=size):
                page = self.connected("/", (width, height), has_touch=width < 1200)
                self.assertTrue(page.is_visible("#greeting"))
                self.assert_reached(page, size)
                page.context.close()

    def test_the_first_visit_s_question_lies_over_nothing_in_any_language(self):
        for size in ((320, 568), (390, 844), (195, 422), (422, 195)):
            page = self.connected("/", size, has_touch=True)
            for language in ("en", "de", "da", "es", "ja"):
                self.in_language(page, language)
                with self.subTest(size=size, language=language):
                    self.assertTrue(page.is_visible("#greeting"))
                    self.assertEqual(self.under(page, "#greeting .line"), [])
                    if page.is_visible("#greeting .round"):
                        self.assertEqual(self.under(page, "#greeting .round"), [])
            page.context.close()

    def test_a_phone_at_200_percent_has_all_buttons(self):
        for language in ("en", "de"):
            page = self.connected(f"/?name={self.me}-{language}", (195, 422), fresh=True, has_touch=True)
            self.in_language(page, language)
            box = page.locator('[data-action="record"]').bounding_box()
            self.assertGreaterEqual(box["x"], 0)
            self.assertLessEqual(box["x"] + box["width"], 195)
            # What is not in sight comes by a swipe.
            for name in ("more", "settings", "kits"):
                page.locator(f'[data-action="{name}"]').scroll_into_view_if_needed()
                box = page.locator(f'[data-action="{name}"]').bounding_box()
                self.assertGreaterEqual(box["x"], 0)
                self.assertLessEqual(box["x"] + box["width"], 195)
            page.context.close()

    def test_a_strips_thumb_stays_inside_its_track_all_the_way(self):
        # Upright it is on a phone on its side alone; elsewhere it takes no width from the pads.
        for size, lies in (((820, 1180), True), ((1366, 768), True), ((390, 844), True), ((844, 390), False)):
            page = self.connected(f"/?name={self.me}-{size[0]}", size)
            page.evaluate("import('/memory.js').then(({ remember }) => { remember('strips', true); dispatchEvent(new Event('stripschoice')); })")
            page.wait_for_selector(".track")
            for pitch in (-12, 0, 12):
                self.room(page, "room.apply('/pitch', [value])", pitch)
                track, thumb = (page.locator(f'[aria-label="Pitch"]{part}').bounding_box() for part in ("", " i"))
                with self.subTest(size=size, pitch=pitch):
                    for place, extent in (("x", "width"), ("y", "height")):
                        self.assertGreaterEqual(thumb[place], track[place])
                        self.assertLessEqual(thumb[place] + thumb[extent], track[place] + track[extent])
                    # As far along it as the pitch is.
                    place, extent, part = ("x", "width", (pitch + 12) / 24) if lies else ("y", "height", (12 - pitch) / 24)
                    middle = (thumb[place] + thumb[extent] / 2 - track[place]) / track[extent]
                    self.assertAlmostEqual(middle, part, delta=0.2)
            pads, stage = (page.locator(each).bounding_box() for each in ("#pads", "main.stage"))
            if lies:
                # Pads are no wider than half as much again as the page is high.
                self.assertGreaterEqual(pads["width"], min(stage["width"] - 40, size[1] * 1.5 - 1))
            page.context.close()


if __name__ == "__main__":
    unittest.main()
