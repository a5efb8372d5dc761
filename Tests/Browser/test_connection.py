"""The page survives what a jam's network and server do."""

import pathlib
import tempfile
import time
import unittest

from case import BrowserCase, Server
from server import free_udp_pair


class RestartTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        cls.ports = [free_udp_pair() for _ in range(3)]
        cls.arguments = tuple(word for flag, port in zip(("--osc", "--http", "--media"), cls.ports)
                              for word in (flag, f"127.0.0.1:{port}"))
        super().setUpClass()

    def bereft(self):
        """A page that was heard when its server went away."""
        page = self.connected()
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="4"]')
        page.wait_for_selector("body[data-audio=playing]")
        self.server.stop()
        page.wait_for_selector("body[data-state=connecting]")
        return page

    def test_after_a_restart_it_is_back_within_two_seconds_with_the_full_state(self):
        page = self.bereft()
        page.evaluate("document.querySelector('[data-pad=\"1\"] .name').textContent = 'stale'")
        # How long it waits before it tries again, by its own word: a machine may take longer to do so.
        page.evaluate("""() => {
          window.waits = [];
          window.sockets = 0;
          const [wait, Socket] = [window.setTimeout, window.WebSocket];
          window.setTimeout = (call, time, ...all) => wait(() => {
            const before = window.sockets;
            call(...all);
            if (window.sockets > before) window.waits.push(time);
          }, time);
          window.WebSocket = class extends Socket { constructor(...all) { super(...all); window.sockets += 1; } };
        }""")
        self.wait_until("it has tried some times", lambda: page.evaluate("sockets") > 3)
        waits = page.evaluate("waits")
        self.assertGreaterEqual(len(waits), 3)
        self.assertLessEqual(max(waits), 2_000, waits)
        type(self).server = Server(*self.arguments)
        self.wait_connected(page)
        self.wait_text(page, '[data-pad="1"] .name', lambda text: text == "Kick")
        bob = self.listener()
        page.click('[data-pad="4"]')
        self.assertEqual(self.heard(bob)[1], 4)
        self.wait_until("it is heard again", lambda: 'bandshell_listeners{kind="webrtc"} 1' in self.server.get("/metrics")[2].decode())
        page.wait_for_selector("body[data-audio=playing]")

    def test_sound_comes_back_after_an_outage_of_some_seconds(self):
        page = self.bereft()
        # Long enough for every way to sound to have been tried.
        page.wait_for_timeout(7_000)
        type(self).server = Server(*self.arguments)
        self.wait_connected(page)
        page.wait_for_selector("body[data-audio=playing]")
        self.assertFalse(page.evaluate("document.getElementById('audio').muted"))
        self.assertEqual(page.text_content("#listen-text"), "Sound on")

    def test_while_the_server_is_gone_no_tap_makes_it_look_alive(self):
        page = self.bereft()
        page.wait_for_selector("body:not([data-audio=playing])")
        self.keep_texts(page, "#toast.shown")
        for _ in range(10):
            page.click('[data-pad="4"]')
            page.wait_for_timeout(200)
            self.assertNotEqual(page.get_attribute("body", "data-audio"), "playing")
        self.wait_until("who taps is told", lambda: any("Not connected" in text for text in self.kept_texts(page)))
        type(self).server = Server(*self.arguments)
        self.wait_connected(page)
        self.assertFalse(page.is_visible("#toast.shown >> text=Not connected"), "what is not true any more is said still")
        page.wait_for_selector("body[data-audio=playing]")

    def test_after_a_restart_nothing_is_shown_that_is_gone_and_the_own_kit_is_there(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click('[data-kit="voices"]')
        self.wait_text(page, '[data-pad="1"] .name', lambda text: text not in ("", "Kick"))
        name = page.text_content('[data-pad="1"] .name')
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        lit = page.locator('.step[aria-selected="true"]')
        page.locator(".step").first.click()
        self.wait_until("a step is lit", lambda: lit.count() == 1)
        drawn = lambda: page.evaluate("import('/loop-strip.js').then(({ own }) => own()?.notes.length ?? 0)")  # noqa: E731
        self.wait_until("its note is drawn", lambda: drawn() == 1)
        self.server.stop()
        page.wait_for_selector("body[data-state=connecting]")
        # Whoever loses the connection does not seem to lose the loop.
        self.wait_text(page, "#looptext", lambda text: text == "No connection …")
        self.assertEqual(drawn(), 1)
        type(self).server = Server(*self.arguments)
        self.wait_connected(page)
        self.wait_text(page, '[data-pad="1"] .name', lambda text: text == name)
        self.assertEqual(lit.count(), 0)
        self.wait_until("no note is drawn", lambda: drawn() == 0)

    def test_a_reload_is_the_same_player(self):
        page = self.connected("/?name=otto")
        page.reload()
        self.wait_connected(page)
        names = [player["name"] for player in self.health()["players"]]
        self.assertEqual([name for name in names if name.startswith("otto")], ["otto"])


class KeptTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        cls.data = pathlib.Path(folder.name) / "data"
        cls.arguments = ("--data", str(cls.data), *(
            word for flag in ("--osc", "--http", "--media") for word in (flag, f"127.0.0.1:{free_udp_pair()}")))
        super().setUpClass()

    def test_a_kit_that_is_away_stays_by_its_name_is_told_and_sounds_when_it_is_back(self):
        status = self.server.put("/kits/mine", self.server.get("/kits/starter")[2])
        self.assertEqual(status, 201)
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click('[data-kit="mine"]')
        self.wait_until("the kit is on", lambda: self.room(page, "room.get('/kit')") == "mine")
        self.server.stop()
        kit, stick = self.data / "kits" / "mine", self.data.parent / "mine"
        kit.rename(stick)
        page.wait_for_selector("body[data-state=connecting]")
        self.keep_texts(page, "#toast.shown")
        type(self).server = Server(*self.arguments)
        page.wait_for_selector("body[data-state=connected]")
        self.wait_until("it is told", lambda: any("Kit “mine” is not here" in text for text in self.kept_texts(page)))
        self.assertEqual(self.room(page, "room.get('/kit')"), "mine")
        self.server.stop()
        stick.rename(kit)
        page.wait_for_selector("body[data-state=connecting]")
        type(self).server = Server(*self.arguments)
        self.wait_connected(page)
        self.wait_text(page, '[data-pad="1"] .name', lambda text: text == "Kick")
        self.assertEqual(self.room(page, "room.get('/kit')"), "mine")

    def test_a_kill_while_two_pages_play_costs_nothing_and_asks_nothing(self):
        first, second = self.connected(f"/?name={self.me}"), self.connected(f"/?name={self.other}")
        first.click('[data-action="loops"]')
        first.click("#panel-tabs >> text=Steps")
        lit = first.locator('.step[aria-selected="true"]')
        first.locator(".step").first.click()
        self.wait_until("a step is lit", lambda: lit.count() == 1)
        second.click('[data-action="kits"]')
        second.click('[data-kit="voices"]')
        self.wait_text(second, '[data-pad="1"] .name', lambda text: text not in ("", "Kick"))
        name = second.text_content('[data-pad="1"] .name')
        self.wait_until("the loop is heard", lambda: self.server.figure('hits_total{room="main"}') > 2)
        # What was done 100 ms ago is kept, where a machine has the time for it.
        self.wait_until("it is written", lambda: self.server.figure("journal_waiting_seconds") == 0)
        time.sleep(0.5)
        self.server.process.kill()
        self.server.stop()
        for page in (first, second):
            page.wait_for_selector("body[data-state=connecting]")
        type(self).server = Server(*self.arguments)
        for page in (first, second):
            self.wait_connected(page)
            self.assertTrue(page.is_hidden("#entry") and page.is_hidden("#greeting"), "something is asked")
        self.assertEqual(sorted(p["name"] for p in self.health()["players"]), sorted([self.me, self.other]))
        self.assertEqual(self.health()["journal"], "kept")
        self.wait_text(second, '[data-pad="1"] .name', lambda text: text == name)
        self.wait_until("the step is lit", lambda: lit.count() == 1)
        self.wait_until("the loop is heard again", lambda: self.server.figure('hits_total{room="main"}') > 2)


class RoomTests(BrowserCase):
    arguments = ("--open-rooms",)

    def test_the_address_names_room_and_player_and_the_room_is_heard(self):
        page = self.connected(f"/?room=cellar&name={self.me}")
        self.assertEqual(page.title(), "cellar · Bandshell")
        self.assertEqual(page.text_content("#state"), self.me)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="1"]')
        page.wait_for_selector("body[data-audio=playing]")
        self.assertIn('room="cellar"', self.server.get("/metrics")[2].decode())
        self.assertEqual(self.health()["players"], [], "nobody is in the first room")


class PlainOriginTests(BrowserCase):
    """As on a phone in the network: plain HTTP by a name that is not localhost, where browsers withhold much."""

    arguments = ("--public", "jam.example")
    chromium = ("--host-resolver-rules=MAP jam.example 127.0.0.1",)

    def url(self, path):
        return f"http://jam.example:{self.server.http}{path}"

    def test_it_plays_and_is_heard_and_says_why_there_is_no_microphone(self):
        page = self.connected(None, (390, 844), has_touch=True)
        self.assertFalse(page.evaluate("isSecureContext"))
        page.wait_for_selector("body[data-audio=ready]")
        bob = self.listener()
        page.tap('[data-pad="1"]')
        self.heard(bob, 1)
        page.wait_for_selector("body[data-audio=playing]")
        page.tap('[data-action="kits"]')
        page.tap("#panel-tabs >> text=Recordings")
        page.wait_for_selector("text=Browsers give the microphone to secure addresses alone")


if __name__ == "__main__":
    unittest.main()
