"""Finding things on the page: by words, of all rooms, and one tap to use them."""

from case import BrowserCase, Sender

FIELD = '[aria-label="Search kits, patterns and sounds"]'


class SearchTests(BrowserCase):
    arguments = ("--room", "main", "--room", "cellar")

    def finder(self, page):
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Search")
        page.wait_for_selector(".hits .sound")

    def hits(self, page):
        return page.eval_on_selector_all(".hits .sound", "all => all.map((one) => one.dataset.hit)")

    def search(self, page, words, first):
        page.fill(FIELD, words)
        self.wait_until(f"{first} is found", lambda: self.hits(page)[:1] == [first])

    def test_a_tap_on_a_hit_chooses_the_kit_and_puts_the_sound_on_the_chosen_pad(self):
        page = self.connected()
        self.finder(page)
        self.search(page, "dub", "kit dub")
        page.click('[data-hit="kit dub"]')
        self.wait_text(page, "#toast", lambda text: text == "You play Dub.")
        page.select_option('select[aria-label="Pad for the sound"] >> visible=true', "5")
        page.click(".finder >> text=Sounds")
        self.search(page, "house kick", "sound house/1")
        page.click('[data-hit="sound house/1"]')
        self.wait_text(page, "#toast", lambda text: "is on pad 5" in text)
        self.assertEqual(self.room(page, "room.get('/pad/5/sample')"), "house/1")

    def test_a_block_of_another_room_is_found_beside_the_lanes_and_lies_on_one_with_a_tap(self):
        ann = Sender(self.server)
        self.addCleanup(ann.close)
        ann.send("/hello", f"{self.me}-ann", "cellar")
        ann.send("/step/1/1", 1.0)
        ann.send("/step/2/5", 1.0)
        ann.send("/block/save", "cellar beat")
        ann.send("/block/share", "cellar beat")
        page = self.connected()
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Patterns")
        field = '[aria-label="Search patterns of all rooms"]'
        page.wait_for_selector(field)
        self.assertEqual(self.hits(page), [])
        block = f"block cellar/{self.me}-ann/cellar beat"
        # It is shared a moment after it is saved.
        def found():
            page.fill(field, "cellar")
            page.wait_for_timeout(500)
            return self.hits(page) == [block]
        self.wait_until("the block is found", found)
        page.click(f'[data-hit="{block}"]')
        self.wait_text(page, "#toast", lambda text: text.startswith("cellar beat is on lane 1, slot 1"))
        self.wait_text(page, ".slot .block b", lambda text: text == "cellar beat")

    def test_a_kit_and_a_block_are_taken_along_as_files_and_brought(self):
        page = self.connected()
        self.finder(page)
        files = {}
        for words, hit in (("kind:kit chip", "kit chip"), ("kind:block rock push", "block rock push")):
            self.search(page, words, hit)
            with page.expect_download() as download:
                page.locator(".hits li").first.get_by_text("Export").click()
            files[hit] = download.value.path().read_bytes()
        bring = lambda name, body: page.set_input_files(  # noqa: E731
            ".filelabel input >> visible=false", {"name": name, "mimeType": "application/zip", "buffer": body})
        bring("my push.block.zip", files["block rock push"])
        self.wait_text(page, "#toast", lambda text: text == "my push is saved among the patterns.")
        self.search(page, "my push", f"block main/{self.me}/my push")
        # Nothing is kept here that a kit could be kept in.
        bring("Chip again.kit.zip", files["kit chip"])
        self.wait_text(page, "#toast", lambda text: text not in ("", "my push is saved among the patterns."))

    def test_odd_words_find_nothing_or_say_why_and_the_page_goes_on(self):
        page = self.connected()
        self.finder(page)
        for words in ('"', "NEAR(", "<b>x</b>", "zzzz"):
            page.fill(FIELD, words)
            page.wait_for_timeout(300)
        self.wait_text(page, ".finder [role=status]", lambda text: text.startswith("Nothing here is called that."))
        page.fill(FIELD, "tempo:fast")
        self.wait_text(page, ".finder [role=status]", lambda text: "says nothing" in text)
        self.search(page, "kind:block bossa", self.first_bossa(page))

    def first_bossa(self, page):
        page.fill(FIELD, "kind:block bossa")
        self.wait_until("blocks are found", lambda: self.hits(page)[:1] and self.hits(page)[0].startswith("block bossa"))
        return self.hits(page)[0]

    def test_what_is_tapped_is_large_enough_and_nothing_sticks_out_of_the_smallest_phone(self):
        for size, theme in (((320, 568), "dark"), ((390, 844), "light"), ((1280, 800), "dark")):
            with self.subTest(size=size):
                page = self.connected(None, size, has_touch=True, color_scheme=theme)
                self.finder(page)
                page.fill(FIELD, "kick")
                self.wait_until("sounds are found", lambda: self.hits(page)[:1] and self.hits(page)[0].startswith("sound"))
                wide = page.evaluate("[document.documentElement.scrollWidth - innerWidth,"
                                     " document.getElementById('panel-body').scrollWidth - document.getElementById('panel-body').clientWidth]")
                self.assertLessEqual(max(wide), 0, "something sticks out")
                small = page.evaluate("""() => [...document.querySelectorAll('.finder button, .finder input')]
                    .map((element) => element.getBoundingClientRect())
                    .filter((box) => box.width < 43.5 || box.height < 43.5).length""")
                self.assertEqual(small, 0, "smaller than 44 pixels")
