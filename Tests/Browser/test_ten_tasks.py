"""What somebody who has never seen the page can do with it: two taps at most for each task, and none with a scroll."""

import pathlib
import tempfile
import unittest
import urllib.request

from case import BrowserCase, Sender
from test_sounds import tone

MOST = 2
# As many quarter notes as a first recording is long.
LOOP = 16

# Whether all of an element is seen, as things lie.
IN_SIGHT = """element => {
  const box = element.getBoundingClientRect();
  const edges = [{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
  for (let holder = element.parentElement; holder; holder = holder.parentElement) {
    if (getComputedStyle(holder).overflow !== 'visible') edges.push(holder.getBoundingClientRect());
  }
  return box.width > 0 && edges.every(({ left, top, right, bottom }) =>
    box.left >= left - 1 && box.top >= top - 1 && box.right <= right + 1 && box.bottom <= bottom + 1);
}"""

# The grid of notes shows the tapped note by itself, and a link that is selected for copying scrolls in its field: that is
# no work for a hand.
WATCH_SCROLLS = """() => {
  window.scrolled = [];
  const note = ({ target }) => target.matches?.('.notegrid, input[readonly]') || scrolled.push(target.className || target.nodeName);
  addEventListener('scroll', note, { capture: true });
}"""


class Witness(Sender):
    """Another client, that knows what it was told last of each loop, whatever it waited for meanwhile."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.loops = {}

    def messages(self, seconds=30):
        for where, values in super().messages(seconds):
            if where == "/player/loop":
                self.loops[values[0]] = values[1]
            yield where, values


class Taps:
    """Taps of a finger, or clicks of a mouse, that are counted; each one on what is in sight already."""

    def __init__(self, test, page, touch):
        self.test, self.page, self.touch, self.count = test, page, touch, 0
        page.evaluate(WATCH_SCROLLS)

    def tap(self, selector, place=None):
        """On the middle of what is there, or at a place (x, y) in it."""
        self.see(selector)
        hand = self.page.tap if self.touch else self.page.click
        hand(selector, **({"position": dict(zip("xy", place))} if place else {}))
        self.count += 1

    def see(self, selector):
        element = self.page.wait_for_selector(selector)
        self.test.wait_until(f"{selector} is in sight without a scroll", lambda: element.evaluate(IN_SIGHT))

    def assert_few(self, most=MOST):
        self.test.assertLessEqual(self.count, most, "taps")
        self.test.assertEqual(self.page.evaluate("scrolled"), [], "what was scrolled")


class Tasks:
    """Each begins at the pads."""

    size, touch = (), False
    keeps_late_controls = True

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        cls.arguments = ("--data", str(pathlib.Path(folder.name) / "data"), "--http", "0.0.0.0:0", "--osc", "0.0.0.0:0",
                         # Loops come round sooner, and hands still have time for what they play into one.
                         "--bpm", "180")
        super().setUpClass()

    def setUp(self):
        super().setUp()
        options = {"has_touch": True, "is_mobile": True} if self.touch else {}
        # A beginner comes without a name, and is asked for one.
        self.page = self.connected("/", self.size, fresh=True, **options)
        self.me = self.page.text_content("#state")
        self.page.wait_for_selector('[data-action="build"]')
        self.page.wait_for_selector('[data-action="tidy"][aria-pressed=true]', state="attached")
        self.bob = Witness(self.server, self.other)
        self.addCleanup(self.bob.close)
        self.assertIsNotNone(self.bob.wait_for("/welcome"), "no /welcome for another OSC client")
        self.bob.send("/subscribe", "state", "hits", "beat")
        self.taps = Taps(self, self.page, self.touch)

    def tearDown(self):
        # What goes round outlasts its player, and one of the same name would find it.
        if self.bob.loops.get(self.me, "empty") != "empty":
            self.send("/loop/clear")
            self.loop_is("empty")
        super().tearDown()

    def send(self, *message):
        self.room(self.page, "room.send(...value)", list(message))

    def play(self, *numbers):
        """Playing is what all this is for: its taps are not counted."""
        for number in numbers:
            (self.page.tap if self.touch else self.page.click)(f'[data-pad="{number}"]')
            self.heard(self.bob, number)

    def wait_beats(self, count):
        for _ in range(count):
            self.assertIsNotNone(self.bob.wait_for("/beat"), "no beat is told")

    def loop_is(self, state):
        if self.bob.loops.get(self.me) != state:
            told = self.bob.wait_for("/player/loop", lambda player, now, *_: (player, now) == (self.me, state), 60)
            self.assertIsNotNone(told, f"the loop of {self.me} is {self.bob.loops.get(self.me)}, not {state}")

    def notes(self):
        """The loop's notes as another client is told of them: layer, note, pad, beat."""
        self.bob.send("/loop/notes", self.me)
        found = []
        for where, values in self.bob.messages():
            if where == "/loop/note" and values[0] == self.me:
                found.append(tuple(values[1:5]))
            elif where == "/loop/notes/end":
                return found
        self.fail("no end of the notes")

    def make_loop(self, *pads):
        """A recorded loop goes round, with a note on each pad: the notes, as they were played."""
        self.send("/loop/countin", 0)
        self.send("/loop/record")
        self.loop_is("recording")
        # A hit counts where its player heard the beat: the first ones may be meant for what was before.
        for pad in pads:
            self.wait_beats(3)
            self.play(pad)
        self.loop_is("playing")
        notes = {pad: (layer, number, pad, beat) for layer, number, pad, beat in self.notes()}
        self.assertEqual(set(notes), set(pads))
        return [notes[pad] for pad in pads]

    def test_a_beat(self):
        # A hint is in nobody's way.
        self.page.wait_for_selector(".hint:not([hidden])")
        self.taps.tap('[data-pad="1"]')
        self.heard(self.bob, 1)
        self.taps.assert_few()

    def end_groove(self):
        """Lanes outlast their player, too."""
        for lane in (1, 2, 3):
            self.send(f"/lane/{lane}/clear")
        self.page.wait_for_selector("#groove", state="hidden")

    def test_a_groove(self):
        self.taps.tap('#welcome [data-action="groove"]')
        for _ in range(4):
            self.heard(self.bob)
        self.taps.assert_few(1)
        self.end_groove()

    def test_the_drums_of_a_groove_are_ones_own(self):
        self.send("/groove")
        self.page.wait_for_selector("#groove [data-part=drums][aria-pressed=true]")
        self.rested(self.page)
        self.taps.tap("#groove [data-replace=drums]")
        self.loop_is("recording")
        # A hit counts where its player heard the beat: the first ones may be meant for what was before.
        self.wait_beats(3)
        self.play(1)
        self.loop_is("playing")
        self.assertEqual([pad for _, _, pad, _ in self.notes()], [1])
        self.page.wait_for_selector("#groove [data-part=drums][aria-pressed=false]")
        self.taps.assert_few()
        self.end_groove()

    def test_a_loop(self):
        self.taps.tap('[data-action="record"]')
        # Its first tap begins it, or the bar in which something plays has begun it already.
        self.play(1)
        self.loop_is("recording")
        for _ in range(3):
            self.wait_beats(1)
            self.play(1)
        # It goes round by itself, or by a second tap.
        self.loop_is("playing")
        for _ in range(2):
            self.heard(self.bob, 1)
        self.taps.assert_few()

    def test_keep_what_was_just_played(self):
        self.play(1, 2, 1, 2)
        self.taps.tap('[data-action="catch"]')
        self.loop_is("playing")
        self.assertEqual(sorted(pad for _, _, pad, _ in self.notes()), [1, 1, 2, 2])
        for _ in range(2):
            self.heard(self.bob, 1)
        self.taps.assert_few(1)

    def test_undo(self):
        (layer, number, pad, beat), other = self.make_loop(1, 3)
        self.send(f"/layer/{layer}/note", number, beat, 0)
        self.wait_until("a note is gone", lambda: self.notes() == [other])
        self.taps.tap('[data-action="undo"]')
        self.wait_until("it is there again", lambda: (pad, beat) in [note[2:] for note in self.notes()])
        self.assertIn(other[2:], [note[2:] for note in self.notes()])
        self.taps.assert_few()

    def test_a_build_up_and_its_drop(self):
        self.taps.tap('[data-action="build"]')
        self.assertIsNotNone(self.bob.wait_for("/buildup/state", lambda state, *_: state == "running"))
        self.wait_text(self.page, '[data-action="build"]', lambda text: text == "Drop")
        self.rested(self.page)
        self.taps.tap('[data-action="build"]')
        self.assertIsNotNone(self.bob.wait_for("/buildup/state", lambda state, *_: state == "none"))
        self.taps.assert_few()

    def test_an_invitation(self):
        if all(host.startswith(("127.", "::1")) for host in self.health()["osc"]["hosts"]):
            self.skipTest("this machine has no network")
        self.taps.tap('[data-action="people"]')
        self.taps.tap("#panel-tabs >> text=Join")
        self.taps.see(".qr img")
        self.taps.see(".qr + code")
        address = self.page.text_content(".qr + code")
        self.assertNotRegex(address, r"localhost|//127\.|//\[::1\]")
        self.assertIn(f":{self.server.http}/", address)
        with urllib.request.urlopen(address, timeout=30) as answer:
            self.assertIn("<title>Bandshell</title>", answer.read().decode())
        self.taps.assert_few()

    def test_save(self):
        self.play(1)
        self.taps.tap(".brand")
        self.taps.tap('[data-action="save-project"]')
        state = self.bob.wait_for("/project/state", lambda _name, _measures, version, *_: version == 1)
        self.assertIsNotNone(state, "no version is told")
        self.bob.send("/project/versions", state[0])
        self.assertIsNotNone(self.bob.wait_for("/project/version", lambda *values: values[:2] == (state[0], 1)))
        self.bob.send("/projects")
        self.assertIsNotNone(self.bob.wait_for("/projects/item", lambda name, *_: name == state[0]))
        self.taps.assert_few()

    def test_the_take_is_shared(self):
        for _ in range(4):
            self.wait_beats(1)
            self.play(1)
        self.send("/take/keep", 2)
        kept = "fetch('/takes').then((answer) => answer.json()).then(({ takes }) => takes.some((take) => !take.recording && take.peaks.length))"
        self.wait_until("a take is kept", lambda: self.page.evaluate(kept), seconds=60)
        self.taps.tap(".brand")
        self.taps.tap('[data-action="share-take"]')
        # Where there is neither a share sheet nor a clipboard, its link is shown for copying.
        self.wait_until("its link is handed on", lambda: "/take/" in (self.page.input_value('#panel-body [aria-label="Link to the take"]') or ""))
        self.taps.assert_few()

    def test_an_own_sound(self):
        self.play(5)
        self.taps.tap('[data-action="kits"]')
        with self.page.expect_file_chooser() as chooser:
            self.taps.tap("label:has-text('Own sound')")
        self.taps.assert_few()
        chooser.value.set_files({"name": "bark.wav", "mimeType": "audio/wav", "buffer": tone()})
        self.wait_text(self.page, '[data-pad="5"] .name', lambda text: text == "bark")
        self.wait_text(self.page, "#toast", lambda text: text.startswith("It is on pad 5."))
        # On a small phone the panel lies over the pads.
        if self.page.is_hidden('[data-pad="5"]'):
            self.page.keyboard.press("Escape")
        self.play(5)

    def test_leaving(self):
        self.play(1)
        # More is as this device had it last. On the lowest phones it scrolls: there Room has it in sight.
        is_low = self.size == SmallPhoneTests.size
        if is_low:
            self.taps.tap('[data-action="people"]')
            self.taps.tap(".person >> text=Leave")
        else:
            self.page.evaluate("import('/more.js').then(({ showMore }) => showMore(true))")
            self.rested(self.page)
            self.taps.tap('[data-action="leave"]')
        self.wait_text(self.page, "#lost-text", lambda text: text == "You have left the room.")
        self.wait_until("the room is without", lambda: self.me not in [player["name"] for player in self.health()["players"]])
        self.taps.assert_few(2 if is_low else 1)
        # The way back is there, and nothing else leads back by itself.
        self.assertEqual(self.page.get_attribute("body", "data-state"), "connecting")
        self.page.click("#lost >> text=Come back")
        self.wait_connected(self.page)
        self.play(1)

    def test_another_kit(self):
        kit = lambda: {player["name"]: player["kit"] for player in self.health()["players"]}[self.me]  # noqa: E731
        names = lambda: self.page.locator(".pad .name").all_text_contents()  # noqa: E731
        kit_before, names_before = kit(), names()
        self.taps.tap('[data-action="kits"]')
        self.taps.tap('.kit[aria-pressed="false"] >> nth=0')
        self.wait_until("another kit is told", lambda: kit() != kit_before)
        self.wait_until("its sounds are on the pads", lambda: names() != names_before)
        self.play(1)
        self.taps.assert_few()

    def test_one_note_is_put_right(self):
        (_, _, _, beat), right = self.make_loop(1, 3)
        # A finger means what is drawn.
        known = "import('/loop-strip.js').then(({ own }) => own()?.notes.length ?? 0)"
        self.wait_until("the page knows both notes", lambda: self.page.evaluate(known) == 2)
        self.drawn(self.page)
        box = self.page.locator("#loopview").bounding_box()
        # The strip shows one round of the loop, the first pad at the bottom.
        self.taps.tap("#loopview", (box["width"] * beat / LOOP + 3, box["height"] - 4))
        self.taps.tap('.note-hands button:not([disabled]) >> text="Remove"')
        self.wait_until("the wrong note is gone", lambda: self.notes() == [right])
        self.taps.assert_few()


class PhoneTests(Tasks, BrowserCase):
    size, touch = (390, 844), True


class SmallPhoneTests(Tasks, BrowserCase):
    size, touch = (320, 568), True


class PhoneOnItsSideTests(Tasks, BrowserCase):
    size, touch = (844, 390), True


class TabletTests(Tasks, BrowserCase):
    size, touch = (820, 1180), True


class TabletOnItsSideTests(Tasks, BrowserCase):
    size, touch = (1024, 768), True


class DeskTests(Tasks, BrowserCase):
    size = (1440, 900)


class LargeScreenTests(Tasks, BrowserCase):
    size = (2560, 1440)


if __name__ == "__main__":
    unittest.main()
