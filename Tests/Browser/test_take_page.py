"""A take by its link: shared on the page, heard and sought on a page of its own, seen by messengers."""

import html
import pathlib
import re
import tempfile
import unittest

from case import BrowserCase

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

SIZES = ((320, 568), (1280, 800), (2560, 1440))
NAME = "Harbour <b>"


class TakePageCase(BrowserCase):
    options = ()

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        cls.arguments = ("--data", str(pathlib.Path(folder.name) / "data"), *cls.options)
        super().setUpClass()

    def played(self, page):
        """Its address, where a take of two bars is kept that this page plays."""
        for _ in range(13):
            page.locator(".pad").first.dispatch_event("pointerdown", {"button": 0, "pointerId": 1, "pointerType": "mouse", "isPrimary": True})
            page.locator(".pad").first.dispatch_event("pointerup", {"button": 0, "pointerId": 1, "pointerType": "mouse", "isPrimary": True})
            page.wait_for_timeout(500)
        page.click(".brand")
        page.click("#panel-tabs >> text=Takes")
        page.click('[aria-label="Save the last 2 bars"]')
        take = page.locator(".take:has(.takewave:not([hidden]))").first
        take.wait_for(timeout=60_000)
        # This one: another one may come before it, once it has been quiet for a while.
        return page.locator(f'.take[data-take="{take.get_attribute("data-take")}"]')

    def position(self, page):
        return page.evaluate("document.getElementById('sound').currentTime")

    def is_paused(self, page):
        return page.evaluate("document.getElementById('sound').paused")

    def assert_accessible(self, page, where):
        if Axe is None:
            return
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        serious = [f"{fault['id']}: {node['html'][:160]}" for fault in found if fault["impact"] in ("serious", "critical") for node in fault["nodes"][:3]]
        self.assertEqual(serious, [], where)

    def assert_fits(self, page, where):
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, where)
        small = page.evaluate("""() => [...document.querySelectorAll("button, a, input, [role=slider]")].filter((element) => element.offsetParent)
            .map((element) => [element.id || element.textContent, element.getBoundingClientRect().width, element.getBoundingClientRect().height])
            .filter(([, width, height]) => width < 44 || height < 44)""")
        self.assertEqual(small, [], where)


class TakePageTests(TakePageCase):
    options = ("--open-rooms",)

    def test_a_take_is_shared_heard_and_sought_by_its_link(self):
        page = self.connected(f"/?room=share&name={self.me}", permissions=["clipboard-read", "clipboard-write"])
        # A system without a sheet of its own for links.
        page.evaluate("delete Navigator.prototype.share")
        take = self.played(page)
        # Beside the pads of a tablet the name has a wide line of its own, above the buttons.
        page.set_viewport_size({"width": 1024, "height": 768})
        wide = "element => element.querySelector('.who').getBoundingClientRect().width"
        self.wait_until("the name has room", lambda: take.evaluate(wide) > 160)
        page.set_viewport_size({"width": 1280, "height": 800})
        # A take that is still being prepared has no tempo yet.
        tempos = page.evaluate("""import('/take-words.js').then(({ tempoOf }) => [
          tempoOf({ bars: 0, bpm: 120 }), tempoOf({ bars: 8, bpm: 116.12 })])""")
        self.assertEqual(tempos, ["", "116.1 bpm"])
        take.locator("text=More").click()
        take.locator('[aria-label="Name of the take"]').fill(NAME)
        take.locator('[aria-label="Name of the take"]').press("Enter")
        self.wait_until("it has its name", lambda: NAME in take.locator("b").first.text_content())
        take.locator('[aria-label^="Share "]').click()
        self.wait_text(page, "#toast", lambda said: said == "Link copied.")
        link = page.evaluate("navigator.clipboard.readText()")
        self.assertRegex(link, r"^http://[^/]+/rooms/share/take/[0-9-]+$")
        path = re.sub(r"^http://[^/]+", "", link)

        # Messengers see what it is, and its picture.
        status, headers, body = self.server.get(path)
        self.assertEqual((status, headers["content-type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(f'<meta property="og:title" content="{html.escape(NAME)}">', body.decode())
        self.assertIn(self.me, re.search('og:description" content="([^"]*)"', body.decode())[1])
        picture = re.search('og:image" content="http://[^/]+([^"]*)"', body.decode())[1]
        status, headers, body = self.server.get(picture)
        self.assertEqual((status, headers["content-type"], body[:8]), (200, "image/png", b"\x89PNG\r\n\x1a\n"))

        # Whoever has the link hears it, in no room.
        other = self.open(path)
        other.wait_for_selector("body[data-take=ready]")
        self.assertEqual(other.title(), f"{NAME} · Bandshell")
        self.assertEqual(other.text_content("#title"), NAME)
        self.assertIn(self.me, other.text_content("#players"))
        self.assertIn("2 bars", other.text_content("#facts"))
        self.assertEqual(other.get_attribute("#join", "href"), "/rooms/share/")
        # Play is a disc in the accent's colour, with a large sign.
        disc, sign = other.evaluate("""() => ['#play', '#play .icon'].map((what) => {
          const element = document.querySelector(what);
          return [getComputedStyle(element).borderRadius, element.getBoundingClientRect().width];
        })""")
        self.assertEqual(disc[0], "50%")
        self.assertGreater(sign[1], disc[1] / 2)
        other.click("#play")
        self.wait_until("it is heard", lambda: self.position(other) > 0.3, 60)
        self.assertEqual(other.get_attribute("#play", "aria-label"), f"Pause {NAME}")
        # Space stops it; arrows and a click say from where.
        other.evaluate("document.activeElement.blur()")
        other.keyboard.press("Space")
        self.wait_until("it is paused", lambda: self.is_paused(other))
        wave = other.locator(".takewave")
        wave.focus()
        other.keyboard.press("Home")
        self.wait_until("it is at its beginning", lambda: self.position(other) == 0)
        self.assertRegex(wave.get_attribute("aria-valuetext"), r"^0:00 of 0:0\d$")
        other.keyboard.press("End")
        self.wait_until("it is at its end", lambda: self.position(other) > 3)
        box = wave.bounding_box()
        other.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        self.wait_until("it is at a quarter", lambda: abs(self.position(other) - 1) < 0.3)
        self.assertTrue(self.is_paused(other))
        other.keyboard.press("Space")
        self.wait_until("it goes on from there", lambda: 1.2 < self.position(other))
        with other.expect_download(timeout=60_000) as download:
            other.click('[data-file="flac"]')
        self.assertEqual(pathlib.Path(download.value.path()).read_bytes()[:4], b"fLaC")
        other.click("#join")
        self.wait_connected(other)

        for size in SIZES:
            for theme in ("dark", "light"):
                with self.subTest(size=size, theme=theme):
                    small = self.open(path, size, is_seen=True, color_scheme=theme)
                    small.wait_for_selector("body[data-take=ready]")
                    self.assert_fits(small, f"{size}, {theme}")
                    self.assert_accessible(small, f"{size}, {theme}")
                    small.context.close()

    def test_without_the_clipboard_the_link_stands_there_to_be_copied(self):
        page = self.connected(f"/?room=byhand&name={self.me}")
        # As on plain HTTP from another machine.
        page.evaluate("""() => {
          delete Navigator.prototype.share;
          Object.defineProperty(navigator, "clipboard", { value: undefined });
          document.execCommand = () => false;
        }""")
        take = self.played(page)
        take.locator('[aria-label^="Share "]').click()
        self.wait_text(page, "#toast", lambda said: said == "Copy it by hand: it is selected.")
        link = take.locator('[aria-label="Link to the take"]')
        self.assertRegex(link.input_value(), r"/rooms/byhand/take/[0-9-]+$")
        self.assertEqual(link.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)"), link.input_value())

    def test_where_the_system_shares_links_it_gets_this_one(self):
        page = self.connected(f"/?room=sheet&name={self.me}")
        page.evaluate("void (Navigator.prototype.share = async (what) => { window.handedOn = what; })")
        take = self.played(page)
        take.locator('[aria-label^="Share "]').click()
        self.wait_until("the system has it", lambda: page.evaluate("window.handedOn !== undefined"))
        self.assertRegex(page.evaluate("window.handedOn.url"), r"/rooms/sheet/take/[0-9-]+$")
        self.assertNotEqual(page.evaluate("window.handedOn.title"), "")

    def test_a_take_that_is_not_there_says_so_and_leads_to_the_room(self):
        self.assertEqual(self.server.get("/take/2020-01-01-000000")[0], 404)
        page = self.open("/take/2020-01-01-000000", SIZES[0], is_seen=True)
        page.wait_for_selector("body[data-take=gone]")
        self.assertIn("not here", page.text_content("#note"))
        self.assertFalse(page.is_visible("#player"))
        self.assert_fits(page, "gone")
        self.assert_accessible(page, "gone")
        page.click("#join")
        self.wait_connected(page)

    def test_the_page_speaks_the_browsers_language(self):
        page = self.open("/take/2020-01-01-000000", locale="de-DE")
        page.wait_for_selector("body[data-take=gone]")
        self.assertEqual(page.get_attribute("html", "lang"), "de")
        self.assertEqual(page.text_content("#join"), "Im Raum mitspielen")
        self.assertIn("nicht hier", page.text_content("#note"))


class LockedTakePageTests(TakePageCase):
    options = ("--password", "sesame")

    def test_the_password_is_asked_for_and_opens_the_take(self):
        page = self.connected(f"/?password=sesame&name={self.me}", permissions=["clipboard-read", "clipboard-write"])
        page.evaluate("delete Navigator.prototype.share")
        take = self.played(page)
        take.locator('[aria-label^="Share "]').click()
        self.wait_text(page, "#toast", lambda said: said == "Link copied.")
        link = page.evaluate("navigator.clipboard.readText()")
        self.assertNotIn("sesame", link)
        path = re.sub(r"^http://[^/]+", "", link)
        self.assertNotIn(self.me, self.server.get(path)[2].decode())
        other = self.open(path, SIZES[0], is_seen=True)
        other.wait_for_selector("body[data-take=password]")
        self.assert_fits(other, "password")
        self.assert_accessible(other, "password")
        other.fill("#password", "wrong")
        other.keyboard.press("Enter")
        self.wait_text(other, "#note", lambda said: "not the word" in said)
        other.fill("#password", "sesame")
        other.keyboard.press("Enter")
        other.wait_for_selector("body[data-take=ready]")
        self.assertIn(self.me, other.text_content("#players"))
        other.click("#play")
        self.wait_until("it is heard", lambda: self.position(other) > 0.3, 60)
        # The room knows the password of this tab.
        other.click("#join")
        self.wait_connected(other)


if __name__ == "__main__":
    unittest.main()
