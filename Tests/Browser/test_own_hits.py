"""Own hits at once: the page sounds them itself, its stream comes without them, and none is heard twice; and a mix of one's own."""

import http.client
import re
import unittest

from case import BrowserCase, Sender
from probes import LONG_EAR, PEERS

# Before the page's own scripts: what it sends, what it starts to sound and ends early, and which streams it asks for, each with its moment.
WATCHES = PEERS + """
  window.sent = [];
  window.started = [];
  window.asked = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (packet) {
    sent.push([performance.now(), new Uint8Array(packet)]);
    return send.call(this, packet);
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...all) {
    started.push(performance.now());
    return start.apply(this, all);
  };
  window.ended = [];
  const stop = AudioBufferSourceNode.prototype.stop;
  AudioBufferSourceNode.prototype.stop = function (...all) {
    ended.push(performance.now());
    return stop.apply(this, all);
  };
  window.contexts = [];
  const Context = AudioContext;
  window.AudioContext = class extends Context {
    constructor(...all) {
      super(...all);
      contexts.push(this);
    }
  };
  const ask = window.fetch;
  window.fetch = (address, options, ...all) => {
    if (String(address).includes("/whep") && options?.method === "POST") asked.push([performance.now(), String(address)]);
    return ask(address, options, ...all);
  };"""

# The hits on pads that were sent so far: [moment, pad, number of an own hit or 0].
HITS = """async () => {
  const { parse } = await import("/osc.js");
  const hits = [];
  for (const [at, packet] of sent) parse(packet, (address, [velocity, own = 0]) => {
    const pad = /^\\/pad\\/(\\d+)$/.exec(address)?.[1];
    if (pad && velocity > 0) hits.push([at, Number(pad), own]);
  });
  return hits;
}"""

# Taps a pad `times` times, `apart` milliseconds apart, and calls `between` in the midst of them.
ROLL = """async ([pad, times, apart, choices]) => {
  const { chooseOwn } = await import("/listen.js");
  const element = document.querySelector(`[data-pad="${pad}"]`);
  for (let i = 0; i < times; i += 1) {
    const choice = choices[Math.floor((i * choices.length) / times)];
    if (i === 0 || choice !== choices[Math.floor(((i - 1) * choices.length) / times)]) chooseOwn(choice);
    for (const type of ["pointerdown", "pointerup"]) element.dispatchEvent(new PointerEvent(type, { pointerId: 77, bubbles: true, button: 0 }));
    await new Promise((go) => setTimeout(go, apart));
  }
}"""

STATE = "import('/listen.js').then(({ ownState }) => ownState())"


class OwnHitsTests(BrowserCase):
    arguments = ("--host-word", "word")
    plays_own_hits = True
    cues = 16

    def hears(self, choice="on", **options):
        """A page that hears the room, with this choice."""
        page = self.open(**options)
        page.context.add_init_script(WATCHES)
        page.context.add_init_script(
            f"if (location.protocol.startsWith('http')) localStorage.setItem('bandshell own hits', '\"{choice}\"')")
        self.reload(page)
        self.wait_connected(page)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="9"]')
        page.wait_for_selector("body[data-audio=playing]")
        return page

    def comes_to(self, page, state):
        self.assert_comes_to(state, lambda: page.evaluate(STATE), "own hits")
        if state == "on":
            # The stream has been heard for a moment, and each pad's sound is here.
            self.wait_until("hits are own", lambda: self.tap(page)[2] > 0)

    def tap(self, page, pad=9):
        """The hit that a tap sends: its moment, its pad and its number as an own hit."""
        count = len(page.evaluate(HITS))
        page.click(f'[data-pad="{pad}"]')
        hits = page.evaluate(HITS)
        self.assertEqual(len(hits), count + 1)
        return hits[-1]

    def loudest(self, page, seconds=1.0):
        """The loudest that comes by the stream in that time."""
        return page.evaluate("""async seconds => {
          let most = 0;
          for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
            most = Math.max(most, peak(0));
            await new Promise((go) => setTimeout(go, 50));
          }
          return most;
        }""", seconds)

    def silent(self, page):
        self.wait_until("silence", lambda: page.evaluate("peak(0)") < 0.005)

    def test_an_own_hit_sounds_here_and_the_stream_comes_without_it_and_for_others_with_it(self):
        page = self.hears()
        self.comes_to(page, "on")
        other = self.hears("off", path=f"/?name={self.other}")
        page.wait_for_timeout(1_000)
        for each in (page, other):
            each.evaluate(LONG_EAR)
            self.silent(each)
        count = page.evaluate("started.length")
        _, _, own = self.tap(page)
        self.assertGreater(own, 0)
        self.assertEqual(page.evaluate("started.length"), count + 1)
        self.assertLess(self.loudest(page), 0.005, "it came once more by the stream")
        page.click('[data-pad="9"]')
        self.wait_until("others hear it", lambda: other.evaluate("peak(0)") > 0.01)
        # The next hit has the next number.
        self.assertEqual(self.tap(page)[2], own + 2)
        self.silent(page)

    def test_the_settings_switch_it_and_say_how_it_is(self):
        page = self.hears("off")
        self.assertEqual(self.tap(page)[2], 0)
        page.click('[data-action="settings"]')
        page.click('#panel-tabs button:text-is("This page")')
        self.wait_text(page, "#own-hits", lambda text: text == "You hear your own hits together with the room, a little late.")
        choice = page.get_by_role("group", name="My own hits at once")
        choice.get_by_text("On", exact=True).click()
        self.wait_text(page, "#own-hits", lambda text: text.startswith("It is on"))
        self.comes_to(page, "on")
        choice.get_by_text("Off", exact=True).click()
        self.assertEqual(self.tap(page)[2], 0, "from now on hits come with the room")
        self.wait_text(page, "#own-hits", lambda text: text == "You hear your own hits together with the room, a little late.")
        self.wait_until("it hears the mix", lambda: "without=me" not in page.evaluate("asked.at(-1)[1]"))
        page.wait_for_selector("body[data-audio=playing]")
        self.wait_until("it is heard", lambda: self.is_heard(page))
        page.reload()
        self.wait_connected(page)
        self.assertEqual(page.evaluate("localStorage.getItem('bandshell own hits')"), '"off"')

    def is_heard(self, page):
        """Whether a tap comes by the stream that the page has now."""
        page.evaluate(LONG_EAR)
        page.click('[data-pad="9"]')
        return self.loudest(page) > 0.01

    def test_what_plays_own_hits_rests_while_they_are_off_and_goes_on(self):
        page = self.hears()
        for _ in range(2):
            self.comes_to(page, "on")
            count = page.evaluate("started.length")
            self.tap(page)
            self.assertEqual(page.evaluate("started.length"), count + 1)
            page.evaluate("import('/listen.js').then(({ chooseOwn }) => chooseOwn('off'))")
            self.assert_comes_to(["suspended"], lambda: page.evaluate("contexts.map(({ state }) => state)"), "the audio context")
            page.evaluate("import('/listen.js').then(({ chooseOwn }) => chooseOwn('on'))")

    def test_by_itself_it_is_on_where_the_way_to_the_ear_is_long(self):
        page = self.hears("auto")
        self.wait_until("the way is known", lambda: self.delay(page)[0] > 0)
        if self.delay(page)[0] <= 40:
            self.skipTest("this machine is too near")
        self.comes_to(page, "on")

    def test_a_roll_during_switches_is_never_heard_twice(self):
        page = self.hears()
        self.comes_to(page, "on")
        self.room(page, "room.set('/pad/9/decay', 60)")
        late = self.delay(page)[0]
        page.evaluate(ROLL, [9, 120, 45, ["on", "off", "on", "off"]])
        self.wait_until("it hears the mix", lambda: "without=me" not in page.evaluate("asked.at(-1)[1]"))
        page.wait_for_selector("body[data-audio=playing]")
        self.wait_until("the way is known", lambda: self.delay(page)[0] > 0)
        # A browser's buffer becomes short after a while.
        late = min(late, self.delay(page)[0])
        hits, asked = page.evaluate(HITS), page.evaluate("asked")
        marked = [at for at, _, own in hits if own > 0]
        self.assertTrue(marked and len(marked) < len(hits), "some are own, and some are not")
        streams = [(at, "without=me" in address) for at, address in asked]
        changes = [(at, carries) for at, carries in streams if at > marked[0] and not carries]
        self.assertTrue(changes, streams)
        for at, _ in changes:
            # Its beginning is over in the stream that is asked for.
            self.assertEqual([each for each in marked if at - late < each <= at], [], "a hit would be heard twice")
            following = next((when for when, without in streams if when > at and without), float("inf"))
            self.assertEqual([each for each in marked if at < each < following], [], "a hit is marked while the mix is heard")

    def test_a_kit_that_is_changed_while_a_pad_sounds(self):
        page = self.hears()
        self.comes_to(page, "on")
        kit = self.room(page, "room.get('/kit')")
        page.click('[data-action="kits"]')
        page.wait_for_selector(f'[data-kit]:not([data-kit="{kit}"])')
        other = page.get_attribute(f'[data-kit]:not([data-kit="{kit}"])', "data-kit")
        page.click('[data-action="kits"]')
        sample = self.room(page, "room.get('/pad/9/sample')")
        page.click('[data-pad="9"]')
        self.room(page, "room.send('/kit', value)", other)
        self.wait_until("the pad has another sound", lambda: self.room(page, "room.get('/pad/9/sample')") != sample)
        self.assertEqual(page.evaluate(STATE), "on")
        # Hits come with the room until the new sounds are here.
        self.wait_until("hits are own again", lambda: self.tap(page)[2] > 0)

    def test_what_the_room_ends_early_ends_here_too(self):
        host = self.host("word")
        page = self.hears()
        self.comes_to(page, "on")
        # Some seconds of a cymbal, and a loop of its group, which the room plays.
        self.wait_until("its sound is here", lambda: self.tap(page, 8)[2] > 0)
        self.room(page, "{ room.set('/pad/8/transpose', -24); room.set('/pad/8/choke', 1); room.set('/pad/10/choke', 1); room.set('/pad/10/mode', 'loop'); }")
        self.addCleanup(lambda: host.send("/room/panic", 1))
        for name, act in (("silences everybody", lambda: host.send("/room/panic", 1)), ("chokes it", lambda: page.click('[data-pad="10"]'))):
            with self.subTest(name):
                self.wait_until("nothing sounds", lambda: not self.room(page, "room.get('/pad/8/lit', 0)"))
                at, _, own = self.tap(page, 8)
                self.assertGreater(own, 0)
                count = page.evaluate("ended.length")
                self.wait_until("it sounds in the room", lambda: self.room(page, "room.get('/pad/8/lit', 0)"))
                self.wait_until("the room has told of it", lambda: self.room(page, "performance.now() - value > 200 + room.clock.roundTrip", at))
                act()
                self.wait_until("it ends here", lambda: page.evaluate("ended.length") > count)

    def test_a_browser_that_reads_no_sound_says_so_and_hits_come_with_the_room(self):
        page = self.hears("off")
        page.evaluate("() => { BaseAudioContext.prototype.decodeAudioData = () => Promise.reject(new Error('no such form')); }")
        page.evaluate("import('/listen.js').then(({ chooseOwn }) => chooseOwn('on'))")
        self.assert_comes_to("soundless", lambda: page.evaluate(STATE), "own hits")
        self.assertEqual(self.tap(page)[2], 0)
        self.assertFalse([address for _, address in page.evaluate("asked") if "without=me" in address])

    def test_loops_rolls_and_grids_come_with_the_room(self):
        page = self.hears()
        self.comes_to(page, "on")
        for set_, back in (("'/pad/9/mode', 'loop'", "'/pad/9/mode', 'oneshot'"), ("'/pad/9/mute', 1", "'/pad/9/mute', 0"),
                           ("'/quantize', '1/8'", "'/quantize', 'off'"), ("'/fx/drive/amount', 0.5", "'/fx/drive/amount', 0")):
            with self.subTest(set_):
                self.room(page, f"room.set({set_})")
                self.assertEqual(self.tap(page)[2], 0)
                if "loop" in set_:
                    self.tap(page)
                self.room(page, f"room.set({back})")
                self.wait_until("it is own again", lambda: self.tap(page)[2] > 0)

    def opened(self, player, token, more=""):
        """A listener of a cue, until its answer is closed."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=30)
        line.request("GET", f"/listen.opus?player={player}&token={token}{more}")
        answer = line.getresponse()
        for each in (answer, line):
            self.addCleanup(each.close)
        return answer

    def test_a_stream_too_many_is_refused_and_hits_come_with_the_room(self):
        self.wait_until("earlier pages have gone", lambda: "player=" not in self.server.get("/metrics")[2].decode())
        page = self.hears("off")
        lines = []
        while len(lines) <= self.cues:
            name = f"{self.other}x{len(lines)}"
            sender = Sender(self.server, name)
            self.addCleanup(sender.close)
            welcome = sender.wait_for("/welcome")
            for more in ("", "&without=me"):
                lines.append(self.opened(welcome[1], welcome[5], more))
        self.assertEqual([line.status for line in lines][:self.cues + 1], [200] * self.cues + [503])
        page.evaluate("import('/listen.js').then(({ chooseOwn }) => chooseOwn('on'))")
        page.wait_for_selector("#toast >> text=All streams with a mix of one’s own are taken")
        self.assertEqual(page.evaluate(STATE), "refused")
        self.assertEqual(self.tap(page)[2], 0)
        self.wait_until("it is heard", lambda: self.is_heard(page))
        for line in lines:
            line.close()
        self.wait_until("now there is one", lambda: page.evaluate(
            "import('/listen.js').then(({ chooseOwn, ownState }) => { if (ownState() === 'refused') chooseOwn('on'); return ownState(); })") == "on")
        self.comes_to(page, "on")

    def test_far_away_the_endless_stream_comes_without_own_hits(self):
        page = self.hears(path=f"/?name={self.me}")
        page.context.add_init_script("delete window.RTCPeerConnection;")
        with page.expect_request(lambda request: "without=me" in request.url and "/listen.opus" in request.url):
            page.reload()
            self.wait_connected(page)
            page.click('[data-pad="9"]')
        self.comes_to(page, "on")
        with page.expect_request(lambda request: "/listen.opus" in request.url and "without=me" not in request.url):
            page.evaluate("import('/listen.js').then(({ chooseOwn }) => chooseOwn('off'))")
            self.assertEqual(self.tap(page)[2], 0)


class MyMixTests(BrowserCase):
    def has_cue(self, name):
        return f"player={name}" in self.server.get("/metrics")[2].decode()

    def opens(self, name, **options):
        page = self.connected(f"/?name={name}", **options)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-action="mixer"]')
        page.wait_for_selector("body[data-audio=playing]")
        page.click('#panel-tabs button:text-is("My mix")')
        return page

    def strip(self, page):
        return page.locator(f'.channel:has(b:text-is("{self.other}"))')

    def test_a_player_is_muted_and_turned_down_for_oneself_alone_and_all_level_takes_it_back(self):
        bob = self.listener()
        for size, touch in (((1280, 800), False), ((390, 844), True)):
            with self.subTest(size):
                name = f"{self.me}at{size[0]}"
                page = self.opens(name, size=size, has_touch=touch, is_mobile=touch)
                strip = self.strip(page)
                self.assertTrue(page.is_disabled('button:text-is("All level")'))
                self.assertFalse(self.has_cue(name))
                strip.get_by_text("Mute for me").click()
                self.wait_until("the room knows", lambda: self.room(page, f"room.get('/mix/{self.other}/mute')") == 1)
                self.wait_until("it hears its cue", lambda: self.has_cue(name))
                page.wait_for_selector("body[data-audio=playing]")
                page.evaluate(LONG_EAR)
                bob.send("/pad/9", 1.0)
                most = page.evaluate("""async () => {
                  let most = 0;
                  for (let i = 0; i < 20; i += 1) { most = Math.max(most, peak(0)); await new Promise((go) => setTimeout(go, 50)); }
                  return most;
                }""")
                self.assertLess(most, 0.005)
                # Everybody else hears it: the levels for everybody say nothing of it.
                self.assertEqual(self.room(page, f"room.get('/player/{self.other}/mute', 0)"), 0)
                page.click('#panel-tabs button:text-is("Levels")')
                # A part that has just come is drawn with the next frame.
                self.wait_until("it says so", lambda: "for me: muted" in self.strip(page).inner_text())
                page.click('#panel-tabs button:text-is("My mix")')
                page.click('button:text-is("All level")')
                self.wait_until("all are level", lambda: self.room(page, f"room.get('/mix/{self.other}/mute')") == 0)
                self.wait_until("its cue is given back", lambda: not self.has_cue(name))
                page.context.close()

    def test_what_a_host_sets_for_everybody_stands_beside_it(self):
        self.listener()
        page = self.opens(self.me)
        self.room(page, f"room.apply('/player/{self.other}/gain', [-6])")
        self.wait_until("both are seen", lambda: re.search("For everybody: −6.0 dB", self.strip(page).inner_text()))
        self.strip(page).locator("input[type=range]").fill("-12")
        self.wait_until("the room knows", lambda: self.room(page, f"room.get('/mix/{self.other}/gain')") == -12)
        self.assertIn("−12.0 dB", self.strip(page).inner_text())
        # It is kept, for the next visit too.
        page.reload()
        self.wait_connected(page)
        self.wait_until("it is as it was", lambda: self.room(page, f"room.get('/mix/{self.other}/gain')") == -12)
        self.room(page, "room.send('/mix/level')")


if __name__ == "__main__":
    unittest.main()
