"""Projects on the page: a name, versions, another project, a file, and parts that are taken over."""

import pathlib
import tempfile

from case import BrowserCase, Server


class ProjectTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-data-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.arguments = ("--data", str(cls.folder / "data"), "--open-rooms")
        super().setUpClass()

    def panel(self, page):
        if page.get_attribute("body", "data-panel") != "project":
            page.click(".brand")
        page.wait_for_selector("#panel-title >> text=Project")

    def toast(self, page, text):
        self.wait_text(page, "#toast", lambda said: text in said)

    def layers(self, page):
        """How many steps of the first pad are lit."""
        if page.get_attribute("body", "data-panel") != "loops":
            page.click('[data-action="loops"]')
            page.click("#panel-tabs >> text=Steps")
        return page.locator('.step[aria-selected="true"]')

    def test_music_gets_a_name_versions_and_another_project_and_comes_back(self):
        page, other = self.connected(f"/?room=one&name={self.me}"), self.connected(f"/?room=one&name={self.other}")
        lit = self.layers(page)
        page.locator(".step").first.click()
        self.wait_until("a step is lit", lambda: lit.count() == 1)
        self.panel(page)
        self.assertEqual(page.text_content("#room-name"), "one")
        page.fill('[aria-label="Name of this project"]', "Harbour")
        page.press('[aria-label="Name of this project"]', "Enter")
        self.wait_text(page, "#room-name", lambda text: text == "Harbour")
        self.wait_text(other, "#room-name", lambda text: text == "Harbour")
        page.fill('[aria-label="What is new in this version"]', "one step")
        page.click('[data-action="save-project"]')
        self.toast(page, "You saved “Harbour”, version 1.")
        self.toast(other, f"{self.me} saved “Harbour”, version 1.")
        page.fill('[aria-label="Name of the new project"]', "Süd")
        page.press('[aria-label="Name of the new project"]', "Enter")
        self.wait_text(page, "#room-name", lambda text: text == "Süd")
        self.assertEqual(page.title(), "Süd · one · Bandshell")
        # One tap brings back what everybody heard; it is offered to whoever took it away alone.
        self.assertEqual(other.locator("#toast >> text=Open Harbour").count(), 0)
        page.click("#toast >> text=Open Harbour")
        self.wait_text(page, "#room-name", lambda text: text == "Harbour")
        page.click('[data-project="Süd"]')
        self.wait_text(page, "#room-name", lambda text: text == "Süd")
        self.wait_until("the steps are gone", lambda: self.layers(page).count() == 0)
        self.panel(page)
        names = '[aria-label="Projects"] b'
        page.wait_for_selector(f'{names}:text-is("Harbour")')
        self.assertNotIn("Süd", page.locator(names).all_text_contents(), "the open one is no other one")
        page.click('[data-project="Harbour"]')
        self.wait_text(page, "#room-name", lambda text: text == "Harbour")
        page.click("text=Go back")
        self.toast(page, "You opened “Harbour”.")
        self.wait_until("the step is there again", lambda: self.layers(page).count() == 1)
        # That one was there already: the version comes on the next bar line, and is news until then.
        state = "room.all('/project/state')"
        self.wait_until("the version is there", lambda: self.room(page, state)[2] == 1)
        # A newcomer finds the name, and is told no old news.
        third = self.connected("/?room=one&name=third")
        self.wait_text(third, "#room-name", lambda text: text == "Harbour")
        self.assertEqual(third.text_content("#toast"), "")
        third.evaluate("import('/wall.js').then(({ show }) => show())")
        self.wait_text(third, ".wall h2", lambda text: text == "Harbour")

    def test_a_project_is_taken_along_as_a_file_opened_elsewhere_and_its_parts_are_taken_over(self):
        page = self.connected(f"/?room=two&name={self.me}")
        lit = self.layers(page)
        page.locator(".step").first.click()
        self.wait_until("a step is lit", lambda: lit.count() == 1)
        self.panel(page)
        page.fill('[aria-label="Name of this project"]', "Cliff")
        page.press('[aria-label="Name of this project"]', "Enter")
        self.wait_text(page, "#room-name", lambda text: text == "Cliff")
        page.click('[data-action="save-project"]')
        self.toast(page, "saved")
        with page.expect_download() as download:
            page.click('[aria-label="Export Cliff"]')
        self.assertEqual(download.value.suggested_filename, "Cliff.bandshell.zip")
        file = self.folder / "Cliff.bandshell.zip"
        download.value.save_as(file)
        server = Server("--data", str(self.folder / "elsewhere"))
        self.addCleanup(server.stop)
        there = self.connected(server.url(f"/?name={self.other}"))
        self.panel(there)
        there.set_input_files('input[type="file"][accept=".zip"]', file)
        self.toast(there, "Cliff is saved here now")
        there.click('[data-project="Cliff"]')
        self.wait_text(there, "#room-name", lambda text: text == "Cliff")
        there.click('[data-action="people"]')
        there.click(f'[aria-label="Take over what {self.me} left"]')
        self.wait_until("the step is lit there", lambda: self.layers(there).count() == 1)
        # What is no project is refused in words.
        wrong = self.folder / "wrong.zip"
        wrong.write_bytes(b"hello")
        self.panel(there)
        there.set_input_files('input[type="file"][accept=".zip"]', wrong)
        self.toast(there, "zip")

    def test_the_panel_fits_on_a_phone_and_beside_the_pads(self):
        for size, name in (((360, 740), "phone"), ((1280, 800), "laptop")):
            page = self.connected(f"/?room=three&name={self.me}", size=size)
            self.panel(page)
            page.wait_for_selector("text=A new one")
            overflow = page.evaluate("document.querySelector('#panel-body').scrollWidth - document.querySelector('#panel-body').clientWidth")
            self.assertLessEqual(overflow, 0, name)
