"""Fields, tabs and labels at every width: none is squeezed, and no label lies over another."""

import unittest

from case import BrowserCase

PARTS = {"kits": ("Kits", "Sounds", "Search", "Recordings"), "loops": ("Layers", "Steps", "Patterns", "Scenes"), "buildup": (), "mixer": ("Levels", "My mix", "Effects"),
         "people": ("People", "Chat", "Join", "OSC"), "settings": ("This pad", "This page"), "beat": (), "project": ("Project", "Takes"), "piano": (), "notes": ()}
# The narrowest page of each rule for widths in the style sheets, and some between: the same rule gives a wider page's fields
# no less.
WIDTHS = (320, 340, 360, 380, 421, 480, 560, 577, 600, 640, 700, 760, 768, 820, 900, 1024, 1080, 1240, 1440, 1600, 1800, 2560)

# Fields that hold less than eight letters, lists of less than four, tabs whose word is cut, and rows of tabs that hide one.
SQUEEZED = """() => {
  const seen = [...document.querySelectorAll('input, select, textarea, #panel-tabs button, .tabs button')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.offscreen, [type=checkbox], [type=radio], [type=range], [type=file]'));
  const wide = (each) => each.getBoundingClientRect().width;
  const least = (each) => (each.matches('.number, .bpmbox, [type=number]') ? 60 : each.matches('input, textarea') ? 88 : 60);
  const name = (each) => `${each.ariaLabel ?? each.placeholder ?? each.textContent.trim().slice(0, 20)}: ${Math.round(wide(each))}`;
  const fields = seen.filter((each) => each.matches('input, select, textarea') && wide(each) < least(each));
  const tabs = seen.filter((each) => each.matches('button') && (wide(each) < 43.5 || each.scrollWidth > Math.ceil(wide(each))));
  const rows = [...document.querySelectorAll('#panel-tabs, .panel-body')].filter((row) => row.checkVisibility() && row.scrollWidth > row.clientWidth + 1);
  return [...fields.map(name), ...tabs.map(name), ...rows.map((row) => `${row.id} is wider than its place by ${row.scrollWidth - row.clientWidth}`)];
}"""

# Texts that lie over one another, and words that stick out of their button.
LABELS = """() => {
  const texts = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script, style, option, .offscreen, .dropscreen, .countin, #toast, dialog:not([open])')) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || getComputedStyle(element).clipPath !== 'none') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let box = element; box; box = box.parentElement) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(box);
      if (clipPath !== 'none') clip = { left: 0, top: 0, right: 0, bottom: 0 };
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const at = box.getBoundingClientRect();
      clip = { left: Math.max(clip.left, at.left), top: Math.max(clip.top, at.top), right: Math.min(clip.right, at.right), bottom: Math.min(clip.bottom, at.bottom) };
    }
    for (const line of range.getClientRects()) {
      // A line's box is higher than its letters.
      const spare = line.height * 0.16;
      const box = { left: Math.max(line.left, clip.left), top: Math.max(line.top + spare, clip.top), right: Math.min(line.right, clip.right), bottom: Math.min(line.bottom - spare, clip.bottom) };
      if (box.right - box.left > 1 && box.bottom - box.top > 1) texts.push({ element, box, line, text: node.data.trim().slice(0, 24) });
    }
  }
  const found = [];
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.element === other.element) continue;
      const [wide, high] = [Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left), Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)];
      if (wide > 1.5 && high > 1.5) found.push(`“${one.text}” and “${other.text}”`);
    }
    const button = one.element.closest('button');
    if (!button || getComputedStyle(one.element).textOverflow === 'ellipsis' || getComputedStyle(button).textOverflow === 'ellipsis') continue;
    const box = button.getBoundingClientRect();
    if (one.line.left < box.left - 1 || one.line.right > box.right + 1) found.push(`“${one.text}” sticks out of its button by ${Math.round(Math.max(box.left - one.line.left, one.line.right - box.right))}`);
  }
  return [...new Set(found)];
}"""


# Lists whose chosen word is cut: a twin of each, with that word alone, is as wide as it wants to be.
CUT = """() => [...document.querySelectorAll('select')].filter((list) => list.checkVisibility({ visibilityProperty: true })).map((list) => {
  const twin = list.cloneNode(false);
  twin.removeAttribute('id');
  twin.append(new Option(list.selectedOptions[0]?.textContent ?? ''));
  Object.assign(twin.style, { position: 'absolute', visibility: 'hidden', width: 'max-content', minWidth: '0', maxWidth: 'none', flex: 'none' });
  list.after(twin);
  const [wants, has] = [twin, list].map((each) => each.getBoundingClientRect().width);
  twin.remove();
  return wants > has + 0.5 ? `${list.ariaLabel ?? list.id}: “${list.selectedOptions[0]?.textContent}” wants ${Math.round(wants)} and has ${Math.round(has)}` : '';
}).filter(Boolean)"""

# Controls of the page's head that lie over one another, while the sound's button has its longest word.
CROSSED = """() => {
  const text = document.getElementById('listen-text');
  if (!text.dataset.long) new MutationObserver(() => { if (text.textContent !== text.dataset.long) text.textContent = text.dataset.long; }).observe(text, { childList: true, characterData: true, subtree: true });
  text.dataset.long = 'Verbinde das …';
  if (text.textContent !== text.dataset.long) text.textContent = text.dataset.long;
  const seen = [...document.querySelectorAll('.top :is(button, select, input)')].filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.offscreen, .offscreen *'));
  const found = [];
  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) found.push(`${one.id || one.className} and ${other.id || other.className}`);
    }
  }
  return found;
}"""

# Words of buttons that go on in the next line, elsewhere than at a hyphen.
BROKEN = """() => {
  const found = [];
  for (const button of document.querySelectorAll('button:not(.pad)')) {
    if (!button.checkVisibility({ visibilityProperty: true })) continue;
    const nodes = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { currentNode: node } = nodes;
      // A place behind a soft hyphen begins at the hyphen, in the line before.
      const lineOf = (place) => {
        const range = document.createRange();
        range.setStart(node, place);
        range.setEnd(node, place + 1);
        return Math.round([...range.getClientRects()].at(-1)?.top ?? 0);
      };
      for (const { 0: word, index } of node.data.matchAll(/[^\\s\\u00ad-]+/gu)) {
        if (lineOf(index) !== lineOf(index + word.length - 1)) found.push(`“${word}” of “${button.textContent}”`);
      }
    }
  }
  return found;
}"""


class FieldTests(BrowserCase):
    def show(self, page, panel, part):
        page.evaluate("name => import('/panel.js').then(({ open }) => open(name))", panel)
        page.wait_for_selector("#panel-body > :first-child > *")
        if part:
            page.locator(f'#panel-tabs button:text-is("{part}")').evaluate("tab => tab.click()")
            page.wait_for_selector("#panel-body > .parts > * > *", state="attached")

    def test_no_field_and_no_tab_is_squeezed_at_any_width(self):
        page = self.connected(None, (1024, 768))
        for panel, parts in PARTS.items():
            for part in parts or (None,):
                self.show(page, panel, part)
                self.drawn(page)
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 800})
                    with self.subTest(panel=panel, part=part, width=width):
                        self.assert_comes_to([], lambda: page.evaluate(SQUEEZED), "each field has its least width")

    def test_the_question_for_a_name_leaves_room_for_one_at_any_width(self):
        page = self.connected("/", (1024, 768))
        page.wait_for_selector("#greeting:not([hidden])")
        # Where it is written, a small page gives it the whole row.
        page.focus("#your-name")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            with self.subTest(width=width):
                self.assert_comes_to([], lambda: page.evaluate(SQUEEZED), "a name fits")

    def test_no_list_cuts_its_word_in_any_language(self):
        # Those with the longest words.
        for language in ("en", "de", "es"):
            page = self.connected(f"/?name={self.me}-{language}", (1024, 768))
            self.in_language(page, language)
            for panel, parts in PARTS.items():
                for part in range(max(1, len(parts))):
                    self.show(page, panel, None)
                    if parts:
                        page.evaluate("part => document.querySelectorAll('#panel-tabs button')[part].click()", part)
                        page.wait_for_selector("#panel-body > .parts > * > *", state="attached")
                    self.drawn(page)
                    for width in (320, 1440):
                        page.set_viewport_size({"width": width, "height": 800})
                        with self.subTest(language=language, panel=panel, part=part, width=width):
                            self.assertEqual(page.evaluate(CUT), [])
            page.context.close()

    def test_no_control_of_the_head_lies_over_another_while_the_sound_comes(self):
        for language in ("de", "da", "ja"):
            page = self.connected(f"/?name={self.me}-{language}", (1240, 800))
            self.in_language(page, language)
            page.wait_for_selector("body[data-state=connected]")
            for width in (900, 1024, 1240, 1280, 1366, 1440, 1920):
                page.set_viewport_size({"width": width, "height": 800})
                with self.subTest(language=language, width=width):
                    self.assert_comes_to([], lambda page=page: page.evaluate(CROSSED), "each control has its place")
            page.context.close()

    def test_no_word_of_a_button_is_broken_on_the_first_screen(self):
        for language in ("en", "de", "da", "es"):
            page = self.connected(f"/?name={self.me}-{language}", (320, 640), has_touch=True)
            self.in_language(page, language)
            for width in (320, 340, 360, 390):
                page.set_viewport_size({"width": width, "height": 640})
                for is_on in (1, 0):
                    self.room(page, "room.set('/play', value)", is_on)
                    self.drawn(page)
                    with self.subTest(language=language, width=width, is_on=is_on):
                        self.assertEqual(page.evaluate(BROKEN), [])
            page.context.close()

    def test_no_label_lies_over_another_or_out_of_its_button(self):
        for language in ("en", "de", "da", "es", "ja"):
            page = self.connected(f"/?name={self.me}-{language}", (390, 844), is_seen=True, has_touch=True)
            self.in_language(page, language)
            for size in ((320, 568), (390, 844), (820, 1180), (844, 390), (1024, 768), (1440, 900)):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                for state in ("", "strips", "mutes", "16 pads"):
                    with self.subTest(language=language, size=size, state=state):
                        page.evaluate("""state => {
                          for (const what of ['strips', 'mutes']) document.getElementById('perform').toggleAttribute(`data-${what}`, what === state);
                          return Promise.all(['pads', 'strips'].map((name) => import(`/${name}.js`))).then(([{ setPadCount }, { fill }]) => {
                            setPadCount(state === '16 pads' ? 16 : 8);
                            const place = document.querySelector('.thumbstrips');
                            if (place && !place.firstChild) fill(place);
                          });
                        }""", state)
                        self.assert_comes_to([], lambda page=page: page.evaluate(LABELS), "each label has its own place")
                for panel in ("piano", "mixer", "loops", "kits"):
                    with self.subTest(language=language, size=size, panel=panel):
                        self.show(page, panel, None)
                        self.assert_comes_to([], lambda page=page: page.evaluate(LABELS), "each label has its own place")
                page.evaluate("import('/panel.js').then(({ close }) => close())")
            page.context.close()


if __name__ == "__main__":
    unittest.main()
