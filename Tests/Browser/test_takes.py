"""Takes on the page: kept by themselves and by hand, heard again, named, starred, trimmed and taken along."""

import pathlib
import tempfile
import zipfile

from case import BrowserCase


class TakeTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        cls.arguments = ("--data", str(pathlib.Path(folder.name) / "data"), "--open-rooms")
        super().setUpClass()

    def panel(self, page):
        if page.get_attribute("body", "data-panel") != "project":
            page.click(".brand")
        page.click("#panel-tabs >> text=Takes")
        page.wait_for_selector('[data-action="take"]')

    def play(self, page, hits):
        for _ in range(hits):
            page.locator(".pad").first.dispatch_event("pointerdown", {"button": 0, "pointerId": 1, "pointerType": "mouse", "isPrimary": True})
            page.locator(".pad").first.dispatch_event("pointerup", {"button": 0, "pointerId": 1, "pointerType": "mouse", "isPrimary": True})
            page.wait_for_timeout(500)

    def test_what_was_played_is_kept_heard_named_starred_trimmed_and_taken_along(self):
        page, other = self.connected(f"/?room=takes&name={self.me}"), self.connected(f"/?room=takes&name={self.other}")
        self.play(page, 10)
        self.panel(page)
        page.click('[aria-label="Save the last 2 bars"]')
        take = page.locator(".take:has(.takewave:not([hidden]))").first
        take.wait_for(timeout=60_000)
        # This one: another one may come before it, once it has been quiet for a while.
        take = page.locator(f'.take[data-take="{take.get_attribute("data-take")}"]')
        self.wait_until("its facts are there", lambda: "2 bars" in take.text_content())
        self.assertIn(self.me, take.text_content())
        # Heard: the sound goes on, and it is shown how far.
        take.locator("button[aria-label^=Hear]").click()
        position = lambda: int(take.locator(".takewave").get_attribute("aria-valuenow"))
        self.wait_until("it is heard", lambda: position() >= 1)
        take.locator("button[aria-label^=Stop]").click()
        self.wait_until("it is heard no more", lambda: take.locator("button[aria-label^=Hear]").count() == 1)
        # Its star and its name are everybody's.
        take.locator(".star").click()
        self.wait_until("it has its star", lambda: take.locator(".star").get_attribute("aria-pressed") == "true")
        take.locator("text=More").click()
        take.locator('[aria-label="Name of the take"]').fill("Harbour")
        take.locator('[aria-label="Name of the take"]').press("Enter")
        self.panel(other)
        theirs = other.locator(".take", has_text="Harbour")
        theirs.wait_for()
        self.assertEqual(theirs.locator(".star").get_attribute("aria-pressed"), "true")
        # Trimmed to its second bar.
        take.locator('[aria-label="First bar"]').fill("2")
        take.locator("text=Trim").click()
        self.wait_until("one bar is left", lambda: "bar 2 of 2" in take.text_content() and "0:02" in take.text_content())
        with page.expect_download() as download:
            take.locator('[aria-label="Export as WAV"]').click()
        path = pathlib.Path(download.value.path())
        self.assertEqual(download.value.suggested_filename, "Harbour.wav")
        self.assertEqual(path.read_bytes()[:4], b"RIFF")
        # Two seconds of 24 bits, and what the file says of itself.
        self.assertGreater(path.stat().st_size, 2 * 48_000 * 6)
        self.assertLess(path.stat().st_size, 2 * 48_000 * 6 + 4_096)
        # Stems, one for each pad, in an archive; the server made them.
        take.locator("text=How stems are made").click()
        take.get_by_role("button", name="Pad", exact=True).click()
        with page.expect_download() as download:
            take.locator('[data-file="stems.zip"]').click()
        with zipfile.ZipFile(download.value.path()) as archive:
            self.assertEqual(len(archive.namelist()), 1)
            self.assertIn("pad 1", archive.namelist()[0])
        # In the room again: everybody sees its hits, and may end it.
        theirs.locator("text=More").click()
        take.locator("text=Play it in the room").click()
        theirs.locator("text=Stop it in the room").click()
        take.locator("text=Play it in the room").wait_for()
        # A stranger deletes nothing.
        take.locator("text=Remove").click()
        self.wait_text(page, "#toast", lambda said: "host" in said)
        self.assertEqual(theirs.count(), 1)

    def test_a_take_that_is_started_by_hand_is_everybodys_to_end(self):
        page, other = self.connected(f"/?room=byhand&name={self.me}"), self.connected(f"/?room=byhand&name={self.other}")
        self.panel(page)
        self.panel(other)
        page.click('[data-action="take"]')
        self.wait_text(other, '[data-action="take"]', lambda text: text == "Stop the take")
        self.play(page, 2)
        other.click('[data-action="take"]')
        self.wait_text(page, '[data-action="take"]', lambda text: text == "Start a take here")
        page.locator(".take .takewave:not([hidden])").first.wait_for(timeout=60_000)


if __name__ == "__main__":
    import unittest
    unittest.main()
