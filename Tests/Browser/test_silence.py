"""Who is not heard sees it at once, on the pads: without a connection, muted, made a listener, beside a solo."""

import socket
import threading
from urllib.parse import urlsplit

from case import HEARS_HITS_IN_THE_STREAM, BrowserCase

WORD = "geheim"


class Wire:
    """A network between a page and the server that can fall silent without closing anything."""

    def __init__(self, port):
        self._through = threading.Event()
        self._through.set()
        self._port = port
        self._sockets = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self._through.clear()

    def mend(self):
        self._through.set()

    def close(self):
        self.mend()
        for each in (self._listening, *self._sockets):
            each.close()

    def _accept(self):
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            self._sockets += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source, sink):
        try:
            while data := source.recv(65_536):
                self._through.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class SilenceTests(BrowserCase):
    arguments = ("--host-word", WORD)

    def written(self, page, number):
        """What a pad says beside its number."""
        return page.locator(f'[data-pad="{number}"] .number').evaluate("number => getComputedStyle(number, '::after').content.replaceAll('\"', '').trim()")

    def offline(self, page):
        return page.evaluate("document.body.dataset.state") != "connected"

    def behind_a_wire(self, playing=True):
        """A page whose network can be cut, and whose clock is in the test's hand."""
        wire = Wire(urlsplit(self.url("/")).port)
        self.addCleanup(wire.close)
        context = self.browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        self.addCleanup(context.close)
        context.add_init_script(HEARS_HITS_IN_THE_STREAM)
        page = context.new_page()
        page.clock.install()
        page.goto(f"http://127.0.0.1:{wire.port}/?name={self.me}-{playing}")
        self.wait_connected(page)
        # By ear, hits would be recorded by a clock that the test moves.
        self.room(page, "room.send('/timing', 'live')")
        self.wait_until("the timing is chosen", lambda: self.room(page, "room.get('/timing/chosen')"))
        if not playing:
            page.click("#play")
            self.wait_until("it stands", lambda: page.text_content("#position") == "–")
        return page, wire

    def test_a_network_that_falls_silent_is_seen_within_a_second_and_no_tap_pretends(self):
        for playing in (True, False):
            with self.subTest(playing=playing):
                page, wire = self.behind_a_wire(playing)
                bob = self.listener(f"{self.other}-{playing}")
                moves = "document.querySelector('#loopview i').getAnimations().length"
                if playing:
                    self.wait_until("the playhead moves", lambda page=page: page.clock.run_for(100) or page.evaluate(moves))
                wire.cut()
                for _ in range(10):
                    page.clock.run_for(100)
                self.assertTrue(self.offline(page), "a second later the page knows nothing of it")
                self.assertEqual(self.written(page, 1), "Offline")
                self.assertIn("No connection", page.text_content("#state"))
                # Nobody knows where the room is now: the playhead stands, and no beat is lit.
                self.assertEqual(page.text_content("#position"), "–")
                self.assertEqual(page.locator("#beats .on").count(), 0)
                states = page.evaluate("document.querySelector('#loopview i').getAnimations().map(({ playState }) => playState)")
                self.assertEqual(states, ["paused"] if playing else [])
                self.assertFalse(page.locator('[data-pad="1"]').evaluate("""pad => {
                  pad.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 9, bubbles: true, button: 0 }));
                  const looks = pad.classList.contains('pressed');
                  pad.dispatchEvent(new PointerEvent('pointerup', { pointerId: 9, bubbles: true, button: 0 }));
                  return looks;
                }"""), "a pad pretends")
                self.assertIn("Not connected", page.text_content("#toast"))
                # What is set is not shown as if it held.
                before, after = page.evaluate("""import('/room.js').then(({ room }) => {
                  const before = room.get('/tempo');
                  room.set('/tempo', 77);
                  return [before, room.get('/tempo')];
                })""")
                self.assertEqual(after, before)
                wire.mend()
                self.wait_until("it is connected again", lambda: not self.offline(page) and self.written(page, 1) == "none")
                page.tap('[data-pad="7"]')
                # The one from before comes to nobody, not even late.
                hit = bob.wait_for("/hit", lambda player, *_: player == f"{self.me}-{playing}")
                self.assertEqual(hit[1], 7)
                self.assertEqual(self.room(page, "room.get('/tempo')"), before)
                if not playing:
                    page.click("#play")
                page.context.close()

    def test_a_recording_that_is_asked_for_in_silence_does_not_begin_when_the_server_is_heard_again(self):
        page, wire = self.behind_a_wire()
        # The count-in's click is waited for, unless nobody hears.
        self.room(page, "room.set('/loop/countin', 1)")
        wire.cut()
        page.clock.run_for(1000)
        self.assertTrue(self.offline(page))
        page.tap('[data-action="record"]')
        self.wait_text(page, "#toast", lambda text: text == "Not connected: that did not get through.")
        wire.mend()
        self.wait_until("it is connected again", lambda: not self.offline(page))
        page.clock.run_for(1000)
        page.tap('[data-pad="7"]')
        self.assertEqual(self.room(page, "room.get('/loop/state', 'empty')"), "empty")

    def test_a_beginners_defaults_survive_a_server_that_falls_silent_as_one_comes(self):
        page, wire = self.behind_a_wire()
        grid = lambda: self.room(page, "room.get('/loop/quantize')")  # noqa: E731
        self.wait_until("sixteenths", lambda: grid() == "1/16")
        wire.cut()
        page.clock.run_for(1000)
        self.assertTrue(self.offline(page))
        # What a server says to somebody new, read while nothing gets through.
        page.evaluate("""import('/room.js').then(({ room }) => {
          room.tell('connected', [room.name, room.player]);
          room.apply('/loop/quantize', ['off']);
        })""")
        wire.mend()
        self.wait_until("it is connected again", lambda: not self.offline(page))
        self.wait_until("sixteenths again", lambda: grid() == "1/16")
        self.assertEqual(page.get_attribute('[data-action="tidy"]', "aria-pressed"), "true")

    def test_a_page_that_was_busy_does_not_take_itself_for_offline(self):
        page = self.connected()
        page.evaluate("""() => {
          window.states = [];
          new MutationObserver(() => states.push(document.body.dataset.state)).observe(document.body, { attributeFilter: ['data-state'] });
          const end = performance.now() + 2500;
          while (performance.now() < end) {}
        }""")
        page.wait_for_timeout(500)
        self.assertEqual(page.evaluate("states"), [])

    def test_who_is_muted_by_a_host_sees_it_on_every_pad_and_hears_of_it(self):
        page, bob = self.connected(None, (390, 844)), self.host(WORD)
        self.assertEqual(self.written(page, 3), "none")
        bob.send(f"/player/{self.me}/mute", 1)
        page.wait_for_selector(".pads[data-silent=muted]")
        self.assertEqual({self.written(page, number) for number in (1, 4, 8)}, {"Muted"})
        self.assertEqual(page.text_content("#toast"), "A host has muted you: nobody hears your pads.")
        bob.send(f"/player/{self.me}/mute", 0)
        page.wait_for_selector(".pads:not([data-silent])")
        self.assertEqual(page.text_content("#toast"), "You are heard again.")
        # By one's own hand, too, without being told what one did.
        self.room(page, "room.set('/mute', 1)")
        page.wait_for_selector(".pads[data-silent=muted]")
        page.click('[data-pad="2"]')
        self.wait_text(page, "#toast", lambda text: text.startswith("You are muted"))

    def test_who_is_made_a_listener_sees_it_on_every_pad(self):
        page, bob = self.connected(), self.host(WORD)
        bob.send(f"/player/{self.me}/role", "listener")
        page.wait_for_selector(".pads[data-silent=listening]")
        self.assertEqual(self.written(page, 16), "Listening")
        self.wait_text(page, "#toast", lambda text: text.startswith("A host made you a listener"))
        page.click('[data-pad="1"]')
        self.wait_text(page, "#toast", lambda text: "ost made you a listener" in text)
        bob.send(f"/player/{self.me}/role", "player")
        page.wait_for_selector(".pads:not([data-silent])")
        # Whoever wished for it is not told that a host did it.
        self.room(page, "room.set('/role', 'listener')")
        page.wait_for_selector(".pads[data-silent=listening]")
        page.click('[data-pad="1"]')
        self.wait_text(page, "#toast", lambda text: text.startswith("You are here to listen."))

    def test_who_is_silent_beside_a_solo_sees_it_until_that_is_over(self):
        page, bob = self.connected(), self.host(WORD)
        zoe = self.listener(f"zoe{self.count}")
        bob.send(f"/player/zoe{self.count}/solo", 1)
        page.wait_for_selector('.pads[data-silent="not solo"]')
        bob.send(f"/player/{self.me}/solo", 1)
        page.wait_for_selector(".pads:not([data-silent])")
        bob.send(f"/player/{self.me}/solo", 0)
        page.wait_for_selector('.pads[data-silent="not solo"]')
        # Whoever leaves takes the solo along.
        zoe.send("/bye")
        page.wait_for_selector(".pads:not([data-silent])")

    def test_pads_beside_one_that_is_solo_are_seen_to_be_silent(self):
        page = self.connected()
        self.room(page, "room.set('/pad/5/solo', 1)")
        page.wait_for_selector('[data-pad="4"].hushed')
        self.assertEqual((self.written(page, 4), self.written(page, 5)), ("Not solo", "none"))
        self.room(page, "room.set('/pad/5/solo', 0)")
        page.wait_for_selector('[data-pad="4"]:not(.hushed)')
        self.room(page, "room.set('/pad/4/mute', 1)")
        self.wait_until("a muted pad says so", lambda: self.written(page, 4) == "Muted")

    def test_who_stopped_everybody_is_told_to_everybody_and_ones_own_loop_has_a_stop_behind_more(self):
        page, other = self.connected(None, (390, 844)), self.connected(f"/?name=the_{self.other}", (390, 844))
        stop = '[data-action="stop"]'
        self.assertTrue(page.is_disabled(stop), "there is nothing of one's own")
        self.room(page, "{ room.set('/step/1/1', 1); room.send('/lane/1/1', 'rock push'); room.send('/lane/1/loop'); }")
        page.wait_for_selector("body[data-loop=playing]")
        page.wait_for_selector(f"{stop}:not([disabled]) >> text=Stop")
        lane = lambda: self.room(page, "room.get('/lane/1/state')")  # noqa: E731
        self.wait_until("the lane goes round", lambda: lane() == "looping")
        # Each says whom it stops.
        self.assertEqual((page.text_content(stop), page.text_content("#play")), ("Stop my loop", "Stop everybody"))
        page.wait_for_selector("#play[aria-label='Stop everybody']")
        page.click(stop)
        page.wait_for_selector("body[data-loop=stopped]")
        self.wait_until("the lane, too", lambda: lane() == "stopped")
        self.assertNotEqual(other.text_content("#position"), "–", "the room goes on")
        self.assertEqual(page.text_content(stop), "Play my loop")
        page.click(stop)
        page.wait_for_selector("body[data-loop=playing]")
        other.click("#play")
        self.wait_text(page, "#toast", lambda text: text == f"the {self.other} stopped the beat for everybody.")
        self.wait_text(other, "#toast", lambda text: text == "You stopped the beat for everybody.")
        # While the beat stands, one's own stop would begin nothing.
        page.wait_for_selector(f"{stop} >> text=Play")
        other.click("#play")


if __name__ == "__main__":
    import unittest

    unittest.main()
