"""Listening: connected muted as the page loads, heard from the first tap on, in stereo, by WebRTC or else by Ogg."""

import re
import statistics
import unittest

from case import BrowserCase, osc
from probes import EAR, INBOUND, LONG_EAR, PEERS

# While `blocked`, as a network does that lets no UDP through.
NO_WAY = """
  const real = RTCPeerConnection.prototype.setRemoteDescription;
  RTCPeerConnection.prototype.setRemoteDescription = function (answer) {
    return real.call(this, window.blocked ? { type: "answer", sdp: answer.sdp.replace(/^a=candidate.*\\r?\\n/gm, "") } : answer);
  };
"""


class ListenTests(BrowserCase):
    def audio(self, page, state, timeout=60_000):
        page.wait_for_selector(f"body[data-audio={state}]", timeout=timeout)

    def tap(self, page):
        """The first touch: from here on it is heard."""
        self.audio(page, "ready")
        page.click('[data-pad="9"]')
        self.audio(page, "playing")

    def prepared(self, *scripts):
        """A page with scripts that run before its own."""
        page = self.open()
        for script in scripts:
            page.context.add_init_script(script)
        self.reload(page)
        self.wait_connected(page)
        return page

    def test_the_first_tap_anywhere_lets_out_at_once_what_has_been_received_all_along(self):
        page = self.prepared(PEERS)
        self.audio(page, "ready")
        self.assertTrue(page.evaluate("document.getElementById('audio').muted"))
        # The line stands before anybody has touched the page, and sound comes by it.
        self.wait_until("a packet", lambda: page.evaluate(INBOUND) is not None)
        received = page.evaluate(INBOUND)["packetsReceived"]
        self.wait_until("more packets", lambda: page.evaluate(INBOUND)["packetsReceived"] > received)
        # The sound is let out before the event is over: nothing that waits for the network could do so.
        self.assertFalse(page.locator('[data-pad="9"]').evaluate("""pad => {
          for (const type of ['pointerdown', 'pointerup', 'click']) pad.dispatchEvent(new PointerEvent(type, { pointerId: 9, bubbles: true, button: 0 }));
          return document.getElementById('audio').muted;
        }"""))
        page.click('[data-pad="9"]')
        self.audio(page, "playing")
        self.assertEqual(page.evaluate("peers.length"), 1, "nothing was dialled for it")
        page.evaluate(LONG_EAR)
        self.assertIsNotNone(self.ear(page), "a tap is heard")

    def ear(self, page):
        """Milliseconds from a tap to the page's own received sound; None where it is not heard."""
        return page.evaluate("tapToEar(9).then((passed) => Number.isFinite(passed) ? passed : null)")

    def test_a_tap_before_what_plays_sound_is_there_lets_it_out(self):
        page, late = self.open(), []
        page.route("**/listen.js", lambda route: late.append(route))
        page.reload()
        self.wait_connected(page)
        self.wait_until("it is asked for", lambda: late)
        page.click('[data-pad="9"]')
        self.assertEqual(page.get_attribute("body", "data-audio"), "off")
        late[0].continue_()
        self.audio(page, "playing")

    def test_from_tap_to_ear_once_it_has_settled(self):
        page = self.connected()
        self.tap(page)
        page.evaluate(LONG_EAR)
        self.wait_until("how late it is is known", lambda: self.delay(page)[0] > 0)
        taps = []
        for _ in range(8):
            taps.append(self.ear(page))
            # The sound of this tap is over, and forgotten, before the next one.
            page.wait_for_timeout(1_100)
            self.wait_until("silence", lambda: page.evaluate("peak(0)") < 0.01)
        self.assertNotIn(None, taps, "each tap is heard")
        shown, is_far = self.delay(page)
        print(f"tap to the page's own audio: median {statistics.median(taps):.0f} ms "
              f"({min(taps):.0f}–{max(taps):.0f}), shown: {shown} ms", flush=True)
        # The figure itself is for `bandshell bench page` on a quiet machine: here what is shown is of what was measured.
        self.assertTrue(0 < shown < 2 * max(taps) and not is_far, (shown, taps, is_far))

    def test_everybody_sees_how_late_and_how_loud_everybody_is(self):
        page = self.connected()
        page.click('[data-action="people"]')
        bob = self.listener()
        bob.send("/latency", 84)
        row = f'.person:has(b:text-is("{self.other}"))'
        self.wait_text(page, f"{row} .kitname", lambda text: text.endswith("· 84 ms"))

        def moves():
            bob.send("/pad/9", 1.0)
            return page.evaluate("row => document.querySelectorAll('.person .level > i').length > 0 && "
                                 "[...document.querySelectorAll('.person')].some((person) => person.textContent.includes(row) && "
                                 "!/scaleX\\(0\\)|^$/.test(person.querySelector('.level > i').style.transform))", self.other)

        self.wait_until("its level moves", moves)
        # One's own is told once it is measured.
        self.audio(page, "playing")
        told = bob.wait_for("/player/latency", lambda player, latency: player == self.me and latency > 0)
        self.assertIsNotNone(told, "its own latency is told to others")
        bob.send("/latency", 0)
        self.wait_text(page, f"{row} .kitname", lambda text: "ms" not in text)

    def has_cue(self):
        """Whether a stream carries the cue of this test's player."""
        return f"player={self.me}" in self.server.get("/metrics")[2].decode()

    def test_the_cue_of_a_focused_block_is_given_back_with_the_focus(self):
        page = self.connected()
        self.audio(page, "ready")
        page.click('[data-action="loops"]')
        self.audio(page, "playing")
        page.click("#panel-tabs >> text=Patterns")
        page.wait_for_selector('.block-list [data-block="rock push"]')
        page.focus('.block-list [data-block="rock push"]')
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        slot = '.slot[data-lane="1"][data-slot="1"]'
        page.wait_for_selector(f'{slot} [data-block="rock push"]')
        page.keyboard.press("f")
        page.wait_for_selector(f"{slot}.focused")
        self.wait_until("the cue is carried", self.has_cue)
        page.keyboard.press("f")
        page.wait_for_selector(f"{slot}:not(.focused)")
        self.wait_until("the cue is given back", lambda: not self.has_cue())

    def test_stereo_arrives_as_stereo(self):
        page = self.connected()
        self.tap(page)
        page.evaluate(EAR)
        page.click('[data-action="settings"]')
        page.select_option('select[aria-label="Pad"]', "11")
        page.fill('input[type=range][aria-label="Pan"]', "-1")
        sides = [0.0, 0.0]

        def hears_the_left():
            page.click('[data-pad="11"]')
            for _ in range(60):
                now = page.evaluate("[peak(0), peak(1)]")
                sides[:] = [max(pair) for pair in zip(sides, now)]
                page.wait_for_timeout(10)
            return sides[0] > 0.02

        self.wait_until("the left side is heard", hears_the_left)
        self.assertGreater(sides[0], 10 * sides[1], f"left and right: {sides}")

    def test_sound_that_was_switched_off_by_the_button_is_back_after_a_reload_and_says_in_words_what_it_is(self):
        page = self.connected()
        self.tap(page)
        self.wait_text(page, "#listen-text", lambda text: text == "Sound on")
        page.click('[data-action="people"]')
        self.wait_text(page, "#delay", lambda text: re.fullmatch(r"From your tap to your ear: \d+ ms\.", text))
        # The touch that lets the sound out is no wish for silence.
        page.wait_for_timeout(700)
        page.click('[data-action="listen"]')
        self.audio(page, "off")
        self.assertEqual((page.text_content("#listen-text"), page.text_content("#delay")), ("Sound off", ""))
        page.reload()
        self.wait_connected(page)
        page.click('[data-pad="9"]')
        self.audio(page, "playing")

    def test_who_hears_the_loudspeakers_stays_quiet_after_a_reload_too(self):
        page = self.connected()
        self.tap(page)
        page.click('[data-action="settings"]')
        page.click("#panel-tabs >> text=This page")
        page.click("text=The loudspeakers")
        self.audio(page, "off")
        page.reload()
        self.wait_connected(page)
        page.click('[data-pad="9"]')
        page.wait_for_timeout(300)
        self.assertEqual(page.get_attribute("body", "data-audio"), "off")
        page.click('[data-action="listen"]')
        self.audio(page, "playing")

    def test_without_webrtc_it_falls_back_and_says_so(self):
        page = self.prepared("delete window.RTCPeerConnection")
        page.click('[data-pad="9"]')

        # Silence is encoded to next to nothing, and a browser begins once it has some bytes.
        def plays():
            self.server.send(osc.message("/pad/8", 1.0))
            return page.get_attribute("body", "data-audio") == "playing"

        self.wait_until("it plays", plays, seconds=60)
        page.click('[data-action="people"]')
        self.wait_text(page, "#delay", lambda text: re.match(r"You hear the room [0-2]\.\d s late", text))

    def test_in_a_silent_room_the_far_way_begins_and_carries_the_click_and_previews(self):
        page = self.prepared("delete window.RTCPeerConnection")
        hits = self.server.figure('hits_total{room="main"}')
        # Nothing sounds: silence alone must be enough to begin with.
        page.click('[data-action="project"]')
        self.audio(page, "playing")
        self.assertEqual(self.server.figure('hits_total{room="main"}'), hits)
        page.click('[data-action="project"]')
        source = lambda: page.get_attribute("#audio", "src") or ""  # noqa: E731
        self.assertNotIn("click=1", source())
        page.click('[data-action="metronome"]')
        self.wait_until("the stream has the click", lambda: "click=1" in source())
        self.audio(page, "playing")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Sounds")
        page.click(".sounds .round >> nth=0")
        self.wait_until("the stream is the cue", lambda: f"player={self.me}" in source())
        self.audio(page, "playing")
        self.assertNotIn("nobody hears", page.text_content("#toast"))

    def test_a_cue_is_given_back_when_nothing_is_previewed_any_more(self):
        # The 20 s after a preview are over when the test says so.
        page = self.prepared("""
          const wait = window.setTimeout;
          window.setTimeout = (call, time, ...all) => {
            if (time !== 20000) return wait(call, time, ...all);
            window.giveBack = call;
            return 0;
          };""")
        self.audio(page, "ready")
        page.click('[data-action="kits"]')
        self.audio(page, "playing")
        page.click("#panel-tabs >> text=Sounds")
        page.click(".sounds .round >> nth=0")
        self.wait_until("the cue is carried", self.has_cue)
        page.evaluate("void giveBack()")
        self.wait_until("the cue is given back", lambda: not self.has_cue())
        self.audio(page, "playing")

    def test_where_no_packet_comes_through_the_far_way_is_taken_and_told_and_left_again(self):
        page = self.prepared(NO_WAY + "window.blocked = true;")
        page.click('[data-pad="9"]')
        self.wait_text(page, "#toast", lambda text: "does not get through this network" in text)

        def plays_from_afar():
            self.server.send(osc.message("/pad/8", 1.0))
            milliseconds, is_far = self.delay(page)
            return page.get_attribute("body", "data-audio") == "playing" and is_far and 0 < milliseconds < 3_000

        self.wait_until("it plays from afar", plays_from_afar, seconds=60)
        page.evaluate("window.blocked = false")
        self.wait_until("the close way is taken as soon as it can be", lambda: not self.delay(page)[1], seconds=60)
        self.audio(page, "playing")
        # What was late of the other stream is not mixed into what is measured of this one.
        self.wait_until("how late it is is known", lambda: self.delay(page)[0] > 0)
        # The far stream is a second and more behind.
        self.assertLess(self.delay(page)[0], 1_000)

    def test_a_network_that_closes_in_the_midst_of_play_is_heard_from_afar(self):
        page = self.prepared(NO_WAY + """
          const get = window.fetch;
          window.places = [];
          window.fetch = async (...all) => {
            const answer = await get(...all);
            if (answer.headers.get("Location")) window.places.push(answer.headers.get("Location"));
            return answer;
          };""")
        self.tap(page)
        # No packet comes any more, and no other way is found.
        page.evaluate("window.blocked = true; fetch(places.at(-1), { method: 'DELETE' })")
        self.wait_until("the far stream is asked for", lambda: page.evaluate("document.getElementById('audio').src.includes('listen.opus')"), seconds=60)
        self.assertIn("does not get through this network", page.text_content("#toast"))
        page.evaluate("window.blocked = false")

    def test_a_network_that_lets_the_close_way_through_late_brings_it_by_the_same_connection(self):
        # As where each greeting is lost for four seconds: the far stream has begun by then.
        page = self.prepared(PEERS, """
          const state = Object.getOwnPropertyDescriptor(RTCPeerConnection.prototype, "connectionState")
            ?? Object.getOwnPropertyDescriptor(Object.getPrototypeOf(RTCPeerConnection.prototype), "connectionState");
          window.late = true;
          Object.defineProperty(RTCPeerConnection.prototype, "connectionState", { get() { return window.late ? "connecting" : state.get.call(this); } });""")
        page.click('[data-pad="9"]')
        self.wait_text(page, "#toast", lambda text: "does not get through this network" in text)
        self.wait_until("the far stream is asked for", lambda: page.evaluate("document.getElementById('audio').src.includes('listen.opus')"))
        page.evaluate("window.late = false; peers[0].dispatchEvent(new Event('connectionstatechange'))")
        self.wait_until("the close way is taken", lambda: page.evaluate("document.getElementById('audio').srcObject !== null"))
        self.audio(page, "playing")
        self.assertEqual(page.evaluate("peers.length"), 1, "nothing was dialled anew")

    def test_what_is_lost_is_asked_for_again(self):
        page = self.prepared("""
          const real = RTCPeerConnection.prototype.setLocalDescription;
          RTCPeerConnection.prototype.setLocalDescription = function (offer) { window.offered = offer?.sdp; return real.call(this, offer); };
          const remote = RTCPeerConnection.prototype.setRemoteDescription;
          RTCPeerConnection.prototype.setRemoteDescription = function (answer) { window.answered = answer.sdp; return remote.call(this, answer); };""")
        self.audio(page, "ready")
        for sdp in ("offered", "answered"):
            self.assertRegex(page.evaluate(sdp), r"a=rtcp-fb:\d+ nack\r")
        self.assertRegex(page.evaluate("offered"), r"a=fmtp:\d+ .*stereo=1")

    def test_the_click_and_a_preview_change_the_stream_and_not_the_page(self):
        page = self.connected()
        self.tap(page)
        page.click('[data-action="metronome"]')
        page.wait_for_selector('[data-action="metronome"][aria-pressed="true"]')
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Sounds")
        page.click(".sounds .round >> nth=0")
        self.wait_until("the cue is carried", self.has_cue)
        self.audio(page, "playing")
        self.assertNotIn("nobody hears", page.text_content("#toast"))


class LossyNetworkTests(BrowserCase):
    """A bad wireless network: three of ten datagrams lost while it connects, one of twenty afterwards, both ways."""

    arguments = ("--lose", "30,5")
    # A line that this machine holds up, too, is given up for another one.
    alone = True

    def lost(self, phase):
        return re.search(rf'webrtc_lost_on_purpose_total{{phase="{phase}"}} (\d+)', self.server.get("/metrics")[2].decode())[1]

    def test_it_connects_each_time_and_most_of_what_is_lost_is_heard_all_the_same(self):
        for number in range(5):
            page = self.open(f"/?name={self.me}{number}")
            page.context.add_init_script(PEERS)
            page.reload()
            page.wait_for_selector("body[data-audio=ready]")
            page.click('[data-pad="9"]')
            # A dial that takes seconds is bridged by the far way until it is through.
            page.wait_for_function(
                "async () => document.body.dataset.audio === 'playing' && !(await import('/listen.js')).delay().isFar")
            self.assertEqual(page.evaluate("peers.length"), 1, "at the first attempt")
            if number < 4:
                page.context.close()
        self.assertGreater(int(self.lost("connecting")), 10)
        # A busy machine may hold packets back until the page takes another line: counts begin anew.
        for _ in range(3):
            self.wait_until("the line counts packets", lambda: page.evaluate(INBOUND))
            lines, before = page.evaluate("peers.length"), page.evaluate(INBOUND)
            for _ in range(20):
                page.click('[data-pad="9"]')
                page.wait_for_timeout(500)
            after = page.evaluate(INBOUND)
            if page.evaluate("peers.length") == lines:
                break
            print(f"after {lines} lines the page took another one", flush=True)
        came, missed = (after[key] - before[key] for key in ("packetsReceived", "packetsLost"))
        hidden = after["concealedSamples"] - before["concealedSamples"]
        total = after["totalSamplesReceived"] - before["totalSamplesReceived"]
        print(f"of {came + missed} packets {missed} never came, asked for again {after['nackCount']} times, "
              f"{100 * hidden / total:.1f} % of the sound made up", flush=True)
        self.assertGreater(came, 400)
        self.assertGreater(int(self.lost("playing")), 10)
        self.assertLess(missed / came, 0.02, "what is lost comes again")


if __name__ == "__main__":
    unittest.main()
