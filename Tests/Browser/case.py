"""What the browser tests share: a server for each class, one Chromium, pages that say what went wrong in them."""

import collections
import json
import os
import pathlib
import socket
import struct
import sys
import time
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "Interop"))

import osc  # noqa: E402  Interop's
from patience import Patient  # noqa: E402
from server import Server  # noqa: E402
from profiles import (  # noqa: E402, F401
    ARGUMENTS, CHROMIUM, FEW_FRAMES, HEARS_HITS_IN_THE_STREAM, KNOWS_THE_OFFER, KNOWS_THE_PAGE, MEANS_WHAT_IT_TOUCHES, SHELL, UNSEEN, profiles, sync_playwright)

# Pictures of the page; `run.py --pictures` makes those that are committed.
PICTURES = pathlib.Path(os.environ.get("BANDSHELL_PICTURES") or HERE.parents[1] / ".build" / "pictures")

# Whether all that is told to whoever comes in has come: this comes behind all settings.
ALL_TOLD = "import('/room.js').then(({ room }) => room.all('/take/playing') !== undefined)"

# Whether what lies around the pads is there: its code comes once the page can be touched, and moves them.
ALL_THERE = """import('/memory.js').then(({ recall }) => {
  const wanted = recall('strips', 'auto');
  const hasMore = document.documentElement.hasAttribute('data-more');
  const hasStrips = wanted === 'auto' ? hasMore && innerWidth >= 700 && innerHeight >= 500 : wanted;
  return ['[data-action=build][aria-label]', '#perform [data-scene]', '#playrow [data-rate]', ...(hasStrips ? ['#strips .track'] : [])].every((each) => document.querySelector(each));
})"""

# The controls, pads and keys that something lies over.
UNDER = """selector => {
  const over = document.querySelector(selector).getBoundingClientRect();
  return [...document.querySelectorAll('button, input, select, [role=slider], .pad')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest(selector))
      .filter((control) => {
        const box = control.getBoundingClientRect();
        return box.left < over.right - 1 && box.right > over.left + 1 && box.top < over.bottom - 1 && box.bottom > over.top + 1;
      }).map((control) => control.dataset.action ?? control.dataset.pad ?? control.ariaLabel ?? control.textContent);
}"""

ROOM = """value => import("/room.js").then(({ room }) => room.isConnected ? Promise.all([(() => %s)()]) : [])"""


class Sender:
    """Another OSC client: TCP, framed by length."""

    def __init__(self, server, name=""):
        self._socket = socket.create_connection(("127.0.0.1", server.osc), timeout=30)
        self._buffer = b""
        # Messages of a bundle of which not all are taken yet.
        self._parsed = collections.deque()
        if name:
            self.send("/hello", name)

    def send(self, address, *arguments):
        packet = osc.message(address, *arguments)
        self._socket.sendall(len(packet).to_bytes(4, "big") + packet)

    def messages(self, seconds=30):
        """What comes, as (address, arguments), for so long at most."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            # A reader that leaves this loop finds the rest of a bundle when it comes back.
            while self._parsed:
                yield self._parsed.popleft()
            self._socket.settimeout(left)
            while len(self._buffer) < 4 or len(self._buffer) < 4 + int.from_bytes(self._buffer[:4], "big"):
                try:
                    data = self._socket.recv(65_536)
                except TimeoutError:
                    return
                if not data:
                    return
                self._buffer += data
            length = int.from_bytes(self._buffer[:4], "big")
            packet, self._buffer = self._buffer[4:4 + length], self._buffer[4 + length:]
            self._parsed.extend(parsed(packet))

    def wait_for(self, address, condition=lambda *_: True, seconds=30):
        for where, arguments in self.messages(seconds):
            if where == address and condition(*arguments):
                return arguments
        return None

    def close(self):
        self._socket.close()


def parsed(packet):
    """The messages of a packet: types i f h d t s T F."""

    if packet.startswith(b"#bundle\0"):
        at = 16
        while at < len(packet):
            length = int.from_bytes(packet[at:at + 4], "big")
            yield from parsed(packet[at + 4:at + 4 + length])
            at += 4 + length
        return

    def string(at):
        end = packet.index(0, at)
        return packet[at:end].decode(), (end + 4) & ~3

    address, at = string(0)
    tags, at = string(at)
    arguments = []
    for tag in tags[1:]:
        if tag == "s":
            value, at = string(at)
        elif tag in "TF":
            value = tag == "T"
        else:
            form = {"i": ">i", "f": ">f", "h": ">q", "d": ">d", "t": ">Q"}[tag]
            value, = struct.unpack_from(form, packet, at)
            at += struct.calcsize(form)
        arguments.append(value)
    yield address, arguments


@unittest.skipIf(sync_playwright is None, "not installed: playwright (Tests/Browser/requirements.txt)")
@unittest.skipIf(not SHELL, "not installed: chromium (scripts/packages test)")
class BrowserCase(Patient, unittest.TestCase):
    """One server for the tests of a class, and a browser in which each page has a profile of its own."""

    arguments = ()
    # More words for Chromium's command line.
    chromium = ()
    # Whether it needs Chromium with all that its own windows do, as where a page is installed.
    whole_browser = False
    # Whether pages draw each frame, as where frames are looked at.
    draws_each_frame = False
    # Whether it measures time, and has the machine for itself.
    alone = False
    # Whether the page may offer another timing to who hears the room late.
    hears_of_offers = False
    # Whether a control rests that came late to where another one was, as under a human's finger.
    keeps_late_controls = False
    # Whether the page plays its own hits at once, where that helps.
    plays_own_hits = False
    # Whether the browser keeps the page for a time without its server: eight seconds after it came it fetches all once more.
    is_kept = False
    count = 0

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.arguments)
        cls.addClassCleanup(lambda: cls.server.stop())
        cls.browser = profiles.browser(cls.chromium, cls.whole_browser)

    def setUp(self):
        self.problems = []
        # Whoever left keeps a name for a while: each test has names of its own.
        BrowserCase.count += 1
        self.me, self.other = f"ann{self.count}", f"bob{self.count}"

    def tearDown(self):
        self.assertTrue(self.server.is_alive, f"the server died:\n{self.server.said()[-4000:]}")
        self.assertEqual(self.problems, [], "the page had errors")

    def open(self, path=None, size=(1280, 800), fresh=False, is_seen=False, **options):
        """A page in a browser profile of its own: of somebody who knows the hints, records without a
        count and as played, and has More open.

        A fresh one is a beginner's. One that is not seen is not painted, unless its class measures."""
        is_seen = is_seen or self.draws_each_frame or self.alone
        scripts = [script for script, is_wanted in (
            (FEW_FRAMES, not self.draws_each_frame), (UNSEEN, not is_seen),
            (KNOWS_THE_OFFER, not self.hears_of_offers), (KNOWS_THE_PAGE, not fresh), (HEARS_HITS_IN_THE_STREAM, not self.plays_own_hits),
            (MEANS_WHAT_IT_TOUCHES, not self.keeps_late_controls)) if is_wanted]
        if not self.is_kept:
            options = {"service_workers": "block", **options}
        profile = profiles.take(self.browser, size, options)
        profile.begin(size, scripts, self.problems, timeout=60_000)
        self.addCleanup(profile.give_back)
        page = profile.page
        page.goto(self.url(path or f"/?name={self.me}"))
        return page

    def url(self, path):
        return path if path.startswith("http:") else self.server.url(path)

    def connected(self, *arguments, **options):
        page = self.open(*arguments, **options)
        self.wait_connected(page)
        self.wait_until("what lies around the pads is there", lambda: page.evaluate(ALL_THERE))
        return page

    def reload(self, page):
        """The page once more, as the same player: one that is left before it has its token comes back as another."""
        self.wait_connected(page)
        page.reload()

    def wait_connected(self, page):
        page.wait_for_selector("body[data-state=connected]")
        self.wait_text(page, '[data-pad="1"] .name', lambda text: text != "")
        # The full state comes in pieces, and names are among the first of it.
        self.wait_until("the full state is told", lambda: page.evaluate(ALL_TOLD))

    def room(self, page, script, value=None):
        """What a script over the page's `room`, and over `value`, comes to.

        It runs once the server is heard: a busy machine may keep its word from a page for a moment, and
        what is set then is refused."""
        answers = []

        def answered():
            answers.extend(page.evaluate(ROOM % script, value))
            return answers

        self.wait_until("the page hears the server", answered)
        return answers[0]

    def beats_later(self, page, beats):
        """Waits for so many beats of the room.

        Who plays by ear hears a pass begin late: a tap that comes at once lies before it."""
        # There is none while a busy machine keeps the server's word from the page.
        position = lambda: self.room(page, "import('/beat.js').then(({ position }) => position()?.beats)")  # noqa: E731
        seen = []

        def is_later():
            seen.extend(beat for beat in [position()] if beat is not None)
            return seen and seen[-1] >= seen[0] + beats

        self.wait_until(f"{beats} beats", is_later)

    def delay(self, page):
        """How late the page hears the room, in milliseconds, and whether by the endless stream; what Room says."""
        milliseconds, is_far = page.evaluate("import('/listen.js').then(({ delay }) => [delay().milliseconds, delay().isFar])")
        return round(milliseconds), is_far

    def wait_text(self, page, selector, condition):
        """Until an element's text is so. (Playwright's own wait evaluates text as code, which the page forbids.)"""
        texts = []

        def found():
            text = page.text_content(selector)
            if not texts or texts[-1] != text:
                texts.append(text)
            return condition(text)

        try:
            self.wait_until(f"the text of {selector}", found)
        except AssertionError as error:
            raise AssertionError(f"{error}, but {texts}") from None

    def assert_comes_to(self, wanted, look, what):
        """What `look()` gives is `wanted`, as soon as a busy machine has got so far."""
        seen = []

        def found():
            seen[:] = [look()]
            return seen == [wanted]

        try:
            self.wait_until(what, found)
        except AssertionError as error:
            raise AssertionError(f"{error}: {seen[0]} is not {wanted}") from None

    def rested(self, page):
        """Until no control rests because it has just come where another one was (rest-guard.js)."""
        self.wait_until("no control rests", lambda: not page.evaluate("import('/rest-guard.js').then(({ rests }) => rests())"))

    def under(self, page, selector):
        """What fingers touch and an element lies over."""
        return page.evaluate(UNDER, selector)

    def in_language(self, page, language):
        """The page once more, in that language."""
        page.evaluate("language => import('/memory.js').then(({ remember }) => remember('language', language))", language)
        page.reload()
        self.wait_connected(page)

    def still_box(self, page, selector):
        """Where an element lies, once nothing moves it any more."""
        return self.still(f"the place of {selector}", lambda: page.locator(selector).bounding_box())

    def drawn(self, page):
        """Until the page has drawn what it knows."""
        page.evaluate("""async () => { for (let i = 0; i < 3; i += 1) await new Promise((go) => requestAnimationFrame(go)); }""")

    def keep_texts(self, page, selector):
        """From now on the page keeps what it shows there: a look from here may come when that is over."""
        page.evaluate("""selector => {
          window.seen = new Set();
          new MutationObserver(() => {
            const place = document.querySelector(selector);
            if (place) seen.add(place.textContent);
          }).observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true });
        }""", selector)

    def kept_texts(self, page):
        return page.evaluate("[...seen]")

    def toast_stands(self, page):
        """Until the message is where it stays: it slides in."""
        page.evaluate("Promise.allSettled(document.getElementById('toast').getAnimations().map((each) => each.finished)).then(() => null)")

    def heard(self, sender, pad=None, seconds=30):
        """The next hit of this test's player that another client is told of."""
        hit = sender.wait_for("/hit", lambda player, number, *_: player == self.me and pad in (None, number), seconds)
        self.assertIsNotNone(hit, f"no hit of {self.me} on pad {pad} within {seconds} s")
        return hit

    def listener(self, name=None):
        """Another player, that hears of every hit."""
        sender = Sender(self.server, name or self.other)
        self.addCleanup(sender.close)
        self.assertIsNotNone(sender.wait_for("/welcome"), "no /welcome for another OSC client")
        return sender

    def host(self, word):
        """Another player, that is a host by the server's word."""
        sender = self.listener()
        sender.send("/host", word)
        self.assertIsNotNone(sender.wait_for("/host"))
        return sender

    def health(self):
        return json.loads(self.server.get("/health")[2])
