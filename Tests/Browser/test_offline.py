"""The page opens without its server, waits for it, and is never older than the server."""

from case import BrowserCase, Server
from server import free_udp_pair

# The files that the browser keeps, by their paths.
KEPT = """async () => {
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
  return kept.flat();
}"""


class OfflineTests(BrowserCase):
    is_kept = True

    @classmethod
    def setUpClass(cls):
        cls.arguments = tuple(word for flag in ("--osc", "--http", "--media")
                              for word in (flag, f"127.0.0.1:{free_udp_pair()}"))
        super().setUpClass()

    def keeping(self, path=None):
        """A page whose files the browser keeps."""
        page = self.connected(path)
        page.evaluate("import('/offline.js')")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        # Whoever keeps all files but one cannot open it.
        listed = "fetch('/service-worker.js').then((answer) => answer.text()).then((text) => Object.keys(JSON.parse(text.match(/\\{[^}]*\\}/)[0])))"
        self.wait_until("all files are kept", lambda: sorted(page.evaluate(KEPT)) == sorted(page.evaluate(listed)))
        return page

    def start_again(self):
        type(self).server = Server(*self.arguments)

    def test_without_a_server_the_page_opens_says_so_and_joins_when_it_is_back(self):
        for path in (f"/?name={self.me}", f"/rooms/main/?name={self.me}"):
            with self.subTest(path=path):
                page = self.keeping(path)
                self.server.stop()
                page.wait_for_selector("body[data-state=connecting]")
                self.wait_text(page, "#state", lambda text: text == "No connection …")
                page.reload()
                self.wait_text(page, "#state", lambda text: text == "No connection …")
                self.wait_until("it says what it waits for", lambda: page.is_visible("text=This page waits for it"))
                self.assertEqual(page.locator("[data-pad]:visible").count(), 16)
                # Nothing looks as if it worked.
                page.wait_for_selector('#pads[data-silent="offline"]')
                self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('[data-action=record]')).borderStyle"), "dashed")
                # A panel is there as well.
                page.click('[data-action="settings"]')
                page.wait_for_selector("#panel:not([hidden]) .group")
                page.evaluate("window.isSame = true")
                self.start_again()
                self.wait_connected(page)
                self.assertFalse(page.is_visible("text=This page waits for it"))
                self.assertTrue(page.evaluate("isSame"), "the same server has the same page")
                page.context.close()

    def test_a_page_that_was_opened_without_a_server_is_fetched_anew_where_the_server_is_another_one(self):
        page = self.keeping()
        page.evaluate("""async () => {
          const [name] = await caches.keys();
          const cache = await caches.open(name);
          const old = await cache.match('/copy.js');
          await cache.put('/copy.js', new Response(await old.text(), { headers: { 'Content-Type': 'text/javascript', ETag: '"old"' } }));
        }""")
        self.server.stop()
        page.reload()
        self.wait_text(page, "#state", lambda text: text == "No connection …")
        page.evaluate("window.isOld = true")
        with page.expect_navigation():
            self.start_again()
        self.assertFalse(page.evaluate("window.isOld === true"), "it was fetched anew")
        self.wait_connected(page)
        self.assertFalse(page.evaluate("performance.getEntriesByType('navigation')[0].serverTiming.some(({ name }) => name === 'kept')"))

    def test_while_the_server_is_there_every_file_comes_from_it(self):
        page = self.keeping()
        # What is kept must not be seen.
        page.evaluate("""async () => {
          const [name] = await caches.keys();
          const cache = await caches.open(name);
          await cache.put('/', new Response('<title>old</title>', { headers: { 'Content-Type': 'text/html' } }));
        }""")
        page.reload()
        self.wait_connected(page)
        self.assertNotEqual(page.title(), "old")
