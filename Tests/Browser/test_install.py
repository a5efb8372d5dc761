"""The page as an app: installable, over TLS with a certificate of the server's own, with a tick of the phone."""

import unittest

from case import PICTURES, BrowserCase

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

COUNT_TICKS = "window.ticks = []; navigator.vibrate = (milliseconds) => { window.ticks.push(milliseconds); return true; };"


class Install(BrowserCase):
    whole_browser = True

    def test_a_browser_finds_nothing_that_keeps_the_page_from_being_installed(self):
        page = self.connected(f"http://localhost:{self.server.http}/?name={self.me}")
        tools = page.context.new_cdp_session(page)
        manifest = tools.send("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        self.assertTrue(manifest["url"].endswith("/manifest.webmanifest"))
        # A test's window keeps nothing, so it installs nothing; that is the one thing that may be said.
        faults = tools.send("Page.getInstallabilityErrors")["installabilityErrors"]
        self.assertEqual([fault["errorId"] for fault in faults if fault["errorId"] != "in-incognito"], [])
        for size in ("192", "512", "maskable", "touch"):
            answer = page.request.get(self.server.url(f"/icon-{size}.png"))
            self.assertEqual((answer.status, answer.headers["content-type"]), (200, "image/png"))
            self.assertEqual(answer.body()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_room_is_installed_as_that_room(self):
        page = self.open("/rooms/main/?name=" + self.me)
        tools = page.context.new_cdp_session(page)
        self.wait_until("the manifest is read", lambda: tools.send("Page.getAppManifest")["url"].endswith("/rooms/main/manifest.webmanifest"))
        self.assertEqual(page.evaluate("new URL('.', document.querySelector('[rel=manifest]').href).pathname"), "/rooms/main/")

    def test_the_phone_ticks_at_hits_of_fingers_and_stops_when_it_is_told(self):
        page = self.open(size=(390, 844), has_touch=True, is_mobile=True)
        page.add_init_script(COUNT_TICKS)
        page.reload()
        self.wait_connected(page)
        page.tap('[data-pad="1"]')
        ticks = page.evaluate("ticks.length")
        page.tap('[data-pad="2"]')
        page.tap('[data-pad="3"]')
        self.assertEqual(page.evaluate("ticks.length"), ticks + 2)
        self.assertEqual(page.evaluate("ticks.at(-1)"), 8)
        page.evaluate("localStorage.setItem('bandshell tick', 'false')")
        page.tap('[data-pad="2"]')
        self.assertEqual(page.evaluate("ticks.length"), ticks + 2)

    def test_a_mouse_ticks_nothing(self):
        page = self.open()
        page.add_init_script(COUNT_TICKS)
        page.reload()
        self.wait_connected(page)
        for number in (1, 2):
            page.click(f'[data-pad="{number}"]')
        self.assertEqual(page.evaluate("ticks"), [])

    def test_without_tls_the_page_about_trust_says_so(self):
        page = self.open("/trust.html")
        self.wait_text(page, "#state", lambda text: "--tls auto" in text)


class Secure(BrowserCase):
    arguments = ("--tls", "auto")

    def secure(self, path):
        return f"https://127.0.0.1:{self.server.http}{path}"

    def url(self, path):
        return path if path.startswith("http") else super().url(path)

    def test_over_tls_the_page_plays_hears_and_has_what_browsers_give_to_secure_pages_alone(self):
        page = self.connected(self.secure(f"/?name={self.me}"), ignore_https_errors=True)
        self.assertTrue(page.evaluate("isSecureContext"))
        self.assertTrue(page.evaluate("Boolean(navigator.mediaDevices?.getUserMedia && navigator.requestMIDIAccess)"))
        other = self.listener()
        page.click('[data-pad="5"]')
        self.heard(other, 5)
        self.wait_until("it hears the room", lambda: page.evaluate(
            "import('/listen.js').then(({ delay }) => delay() !== null)"), seconds=60)

    def test_the_page_about_trust_leads_to_the_certificate_and_to_the_secure_page(self):
        for size in ((320, 568), (1280, 800)):
            page = self.open("/trust.html", size=size, is_seen=True)
            self.wait_until("the link is there", lambda: page.get_attribute("#secure", "href") == self.secure("/"))
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
            with page.expect_download() as download:
                page.click("text=Take the certificate >> nth=0")
            self.assertEqual(download.value.suggested_filename, "bandshell.crt")
            if Axe is not None:
                found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
                self.assertEqual([fault["id"] for fault in found], [])
            page.screenshot(path=PICTURES / f"trust-{size[0]}.png", full_page=True)

    def test_it_speaks_the_visitors_language(self):
        page = self.open("/trust.html", locale="de-DE")
        self.wait_text(page, "h1", lambda text: text == "Diesem Server vertrauen")


if __name__ == "__main__":
    unittest.main()
