"""Who one is, who else is here, what they move and say, and what a host does about it."""

import unittest

from case import BrowserCase

WORD = "geheim"


class PeopleTests(BrowserCase):
    arguments = ("--host-word", WORD)

    def people(self, page):
        page.click('[data-action="people"]')
        page.wait_for_selector(".person")

    def name(self, page):
        return page.text_content("#state")

    def test_a_chance_name_and_its_kit_outlast_a_reload(self):
        page = self.connected("/")
        name = self.name(page)
        self.room(page, "room.set('/kit', 'bells')")
        self.wait_until("the kit is chosen", lambda: any(
            player["name"] == name and player["kit"] == "Bells" for player in self.health()["players"]))
        page.reload()
        self.wait_connected(page)
        self.assertEqual(self.name(page), name)
        self.assertEqual(self.room(page, "room.get('/kit')"), "bells")
        # Another tab is somebody else.
        other = page.context.new_page()
        other.goto(self.url("/"))
        self.wait_connected(other)
        self.assertNotEqual(self.name(other), name)

    def test_players_who_were_silent_for_a_minute_fade_from_the_list_until_they_play(self):
        page, bob = self.connected(), self.listener()
        self.people(page)
        row = f'.person:has(b:text-is("{self.other}"))'
        page.wait_for_selector(f"ul.plain > {row}")
        self.assertFalse(page.is_visible(".silent"))
        page.evaluate("""name => Promise.all([import('/people.js'), import('/room.js')]).then(([{ lastHeard, people }, { room }]) => {
          lastHeard.set(name, performance.now() - 61000);
          lastHeard.set(room.player, performance.now() - 61000);
          room.tell('people', [people]);
        })""", self.other)
        self.wait_text(page, ".silent summary", lambda text: text == "1 player is silent")
        self.assertFalse(page.is_visible(row))
        self.assertTrue(page.is_visible(f'.person:has(b:text-is("{self.me}"))'), "oneself is always there")
        page.click(".silent summary")
        self.assertTrue(page.is_visible(row))
        bob.send("/pad/1", 1.0)
        self.wait_until("whoever plays is back", lambda: page.locator(f".silent {row}").count() == 0)
        # A reaction and a line of chat count as well.
        for message in (("/react", "love"), ("/chat", "back in a minute")):
            page.evaluate("""name => Promise.all([import('/people.js'), import('/room.js')]).then(([{ lastHeard, people }, { room }]) => {
              lastHeard.set(name, performance.now() - 61000);
              room.tell('people', [people]);
            })""", self.other)
            page.wait_for_selector(f".silent {row}", state="attached")
            bob.send(*message)
            self.wait_until(f"whoever sends {message[0]} is back", lambda: page.locator(f".silent {row}").count() == 0)

    def test_whoever_has_the_second_choice_of_a_name_keeps_it(self):
        self.connected()
        page = self.connected()
        self.assertEqual(self.name(page), f"{self.me}-2")
        page.reload()
        self.wait_connected(page)
        self.assertEqual(self.name(page), f"{self.me}-2")
        # And whoever takes another one in the room keeps that.
        self.people(page)
        page.fill('[aria-label="Your name"]', f"zoe{self.count}")
        page.click("text=Rename")
        self.wait_text(page, "#state", lambda text: text == f"zoe{self.count}")
        page.reload()
        self.wait_connected(page)
        self.assertEqual(self.name(page), f"zoe{self.count}")

    def test_a_name_that_cannot_be_puts_nobody_out(self):
        page = self.connected()
        self.people(page)
        page.fill('[aria-label="Your name"]', "???")
        page.click("text=Rename")
        self.wait_text(page, "#toast", lambda text: "no name" in text and "/hello" not in text)
        self.assertEqual(page.get_attribute("body", "data-state"), "connected")
        self.assertEqual(self.name(page), self.me)
        page.fill('[aria-label="Your name"]', f"Ann the {self.count}")
        page.click("text=Rename")
        # In addresses a space is a `_`; people see what they typed.
        self.wait_until("the new name is told", lambda: f"Ann_the_{self.count}" in [each["name"] for each in self.health()["players"]])
        self.wait_text(page, "#state", lambda text: text == f"Ann the {self.count}")
        self.assertNotIn("You are", page.text_content("#toast"))
        page.wait_for_selector(f'.person b:text-is("Ann the {self.count}")')

    def test_the_address_that_the_server_prints_makes_a_host_and_keeps_no_word(self):
        plain = self.connected(f"/?name=plain{self.count}")
        is_host = "room.get('/host') > 0"
        self.wait_until("the role is told", lambda: self.room(plain, "room.get('/role')"))
        self.assertFalse(self.room(plain, is_host), "nobody is a host at localhost alone")
        page = self.connected(f"/?name={self.me}#host={WORD}")
        self.wait_until("it is a host", lambda: self.room(page, is_host))
        self.assertNotIn(WORD, page.url)
        self.assertEqual(page.evaluate("location.hash"), "")
        stores = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])")
        self.assertNotIn(WORD, stores)
        page.reload()
        self.wait_connected(page)
        self.wait_until("it is a host still", lambda: self.room(page, is_host))
        # The same address in a tab that is open already.
        plain.evaluate(f"location.hash = 'host={WORD}'")
        self.wait_until("it is a host, too", lambda: self.room(plain, is_host))
        self.assertEqual(plain.evaluate("location.hash"), "")

    def test_what_is_held_stays_as_it_is_while_the_room_changes_around_it(self):
        page, bob = self.connected(f"/?name={self.me}#host={WORD}"), self.host(WORD)
        page.click('[data-action="mixer"]')
        page.wait_for_selector(f'[aria-label="{self.other}: volume"]')
        own = f'[aria-label="{self.me}: volume"]'
        page.focus(own)
        page.evaluate("""own => { window.moves = 0; new MutationObserver((all) => { moves += all.length; })
            .observe(document.querySelector(own).closest('.mixer'), { childList: true }); }""", own)
        for latency in (20, 30, 40):
            bob.send("/latency", latency)
            self.wait_until("it is heard of", lambda: page.evaluate(
                "bob => import('/people.js').then(({ latencies }) => latencies.get(bob))", self.other) == latency)
        self.assertEqual(page.evaluate("moves"), 0)
        self.assertEqual(page.evaluate("document.activeElement.ariaLabel"), f"{self.me}: volume")
        # In the list of people, too.
        self.people(page)
        button = page.locator(".person", has_text=self.other).get_by_text("Listen only")
        button.focus()
        bob.send("/latency", 50)
        self.wait_text(page, f'.person:has-text("{self.other}") .kitname', lambda text: "50 ms" in text)
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Listen only")

    def test_what_is_refused_is_as_it_was(self):
        page, bob = self.connected(), self.host(WORD)
        page.click('[data-action="loops"]')
        page.click("#panel-tabs >> text=Steps")
        page.click('[data-row="1"][data-step="1"]')
        page.wait_for_selector('[data-row="1"][data-step="1"][aria-selected=true]')
        page.wait_for_selector("body[data-loop=playing]")
        bob.send("/lock", "loops")
        self.wait_until("it is locked", lambda: self.room(page, "room.get('/lock')") == "loops")
        for cell, was in (('[data-row="2"][data-step="3"]', "false"), ('[data-row="1"][data-step="1"]', "true")):
            page.click(cell)
            page.wait_for_selector(f"{cell}[aria-selected={was}]")
        self.wait_text(page, "#toast", lambda text: text == "A host has locked the loops.")
        for cell, was in (('[data-row="2"][data-step="3"]', "false"), ('[data-row="1"][data-step="1"]', "true")):
            page.wait_for_selector(f"{cell}[aria-selected={was}]")
        self.room(page, "room.set('/lane/1/1', 'rock straight')")
        page.click("#panel-tabs >> text=Patterns")
        self.wait_until("the slot is empty", lambda: page.get_attribute(
            '.slot[data-lane="1"][data-slot="1"]', "aria-label") == "Slot 1: empty")
        bob.send("/lock", "none")

    def test_a_host_lets_a_newcomer_in(self):
        page, bob = self.connected(f"/?name={self.me}#host={WORD}"), self.host(WORD)
        self.addCleanup(bob.send, "/room/door", 0)
        self.wait_until("it is a host", lambda: self.room(page, "room.get('/host') > 0"))
        self.people(page)
        page.locator("label.switch", has_text="Door").click()
        self.wait_until("the door is closed", lambda: self.room(page, "room.get('/room/door')") == 1)
        name = f"new{self.count}"
        new = self.connected(f"/?name={name}")
        new.wait_for_selector("#at-door:not([hidden])")
        self.assertEqual(new.text_content("#at-door"), "You play for yourself until a host lets you in.")
        # It asks for its own stream by itself.
        self.wait_until("the stream carries its cue", lambda: new.evaluate(
            "import('/listen.js').then((listen) => listen.want('door', true))"))
        self.wait_text(page, "#toast", lambda text: f"{name} waits at the door." in text)
        self.wait_text(page, f'.person:has-text("{name}") .kitname', lambda text: "at the door" in text)
        new.click('[data-action="record"]')
        self.wait_text(new, "#toast", lambda text: text == "You play for yourself until a host lets you in.")
        page.locator(".person", has_text=name).get_by_role("button", name=f"Let in {name}").click()
        new.wait_for_selector("#at-door", state="hidden")
        self.wait_text(new, "#toast", lambda text: text == "A host has let you in: everybody hears you now.")
        # After a reload it is in still, by its token.
        new.reload()
        self.wait_connected(new)
        self.assertTrue(new.is_hidden("#at-door"))

    def test_a_host_takes_back_all_of_a_player_after_a_question(self):
        page, bob = self.connected(f"/?name={self.me}#host={WORD}"), self.listener()
        self.wait_until("it is a host", lambda: self.room(page, "room.get('/host') > 0"))
        bob.send("/pitch", 3.0)
        self.wait_until("the pitch is told", lambda: self.room(page, "room.get('/pitch')") == 3)
        self.people(page)
        page.locator(".person", has_text=self.other).get_by_role("button", name=f"Take back all of {self.other}").click()
        self.wait_text(page, "#toast", lambda text: self.other in text and "?" in text)
        self.assertEqual(self.room(page, "room.get('/pitch')"), 3, "it asks first")
        page.click("#toast button")
        self.wait_until("it is taken back", lambda: self.room(page, "room.get('/pitch')") == 0)
        self.wait_text(page, "#toast", lambda text: f"all of {self.other}" in text)
        page.click("text=Undo for the room")
        self.wait_until("it is back", lambda: self.room(page, "room.get('/pitch')") == 3)
        self.room(page, "room.set('/pitch', 0)")

    def test_chat_is_signalled_again_once_its_panel_is_closed(self):
        page, bob = self.connected(), self.listener()
        self.people(page)
        page.click("#panel-tabs >> text=Chat")
        bob.send("/chat", "one")
        self.wait_text(page, ".chat", lambda text: "one" in text)
        self.assertIsNone(page.get_attribute("body", "data-unread"))
        page.click("#panel-close")
        bob.send("/chat", "two")
        page.wait_for_selector("body[data-unread]")
        self.wait_text(page, "#toast", lambda text: text == f"{self.other}: two")

    def test_whoever_is_put_out_hears_nothing_and_may_come_back(self):
        page, bob = self.connected(), self.host(WORD)
        page.wait_for_selector("body[data-audio=ready]")
        page.click('[data-pad="1"]')
        page.wait_for_selector("body[data-audio=playing]")
        bob.send(f"/player/{self.me}/kick")
        page.wait_for_selector("#lost:not([hidden])")
        self.assertIn(f"{self.other} has put you out", page.text_content("#lost"))
        self.assertEqual(self.name(page), "You are out")
        page.wait_for_selector("body[data-audio=off]")
        page.click('[data-pad="1"]')
        self.assertEqual(page.get_attribute("body", "data-audio"), "off")
        bob.send(f"/player/{self.me}/admit")
        # What comes behind it is answered: it is done.
        bob.send("/ping", self.me)
        self.assertIsNotNone(bob.wait_for("/pong", lambda what, *_: what == self.me))
        page.evaluate("window.isSamePage = true")
        page.click("#lost >> text=Come back")
        self.wait_connected(page)
        # The touch that once let sound out counts still.
        page.wait_for_selector("body[data-audio=playing]")
        self.assertTrue(page.evaluate("window.isSamePage"), "it was not loaded anew")
        self.assertTrue(page.is_hidden("#lost"))

    def test_whoever_left_comes_back_to_the_same_page_and_finds_nothing_of_before(self):
        page, bob = self.connected(), self.listener()
        page.wait_for_selector("body[data-audio=ready]")
        self.room(page, "{ window.isSamePage = true; room.set('/step/2/5', 1); }")
        self.wait_until("a step", lambda: self.room(page, "room.get('/step/2/5')") == 1)
        page.click('[data-action="people"]')
        page.click(".person >> text=Leave")
        page.wait_for_selector("#lost:not([hidden])")
        self.assertIsNotNone(bob.wait_for("/player/gone", lambda name: name == self.me))
        # Nothing is missing: the player has left.
        self.drawn(page)
        self.assertEqual(page.text_content("#looptext"), "")
        page.click("#lost >> text=Come back")
        self.wait_connected(page)
        page.wait_for_selector("body[data-audio=playing]")
        self.assertTrue(page.evaluate("window.isSamePage"))
        self.assertEqual(self.name(page), self.me)
        page.click('[data-pad="1"]')
        self.heard(bob, 1)
        # What the server tells and what the page shows are the same: a page of its own sees it so, too.
        kept = self.room(page, "room.get('/step/2/5', 0)")
        page.reload()
        self.wait_connected(page)
        self.assertEqual(self.room(page, "room.get('/step/2/5', 0)"), kept)

    def test_a_strip_that_springs_springs_when_its_page_goes(self):
        page, bob = self.connected(), self.listener()
        bob.send("/subscribe", "state")
        box = self.still_box(page, '[aria-label="Pitch"]')
        # It lies below the pads.
        page.mouse.move(box["x"] + box["width"] - 25, box["y"] + box["height"] / 2)
        page.mouse.down()
        self.assertIsNotNone(bob.wait_for("/pitch", lambda value: value > 6))
        page.goto("about:blank")
        self.assertIsNotNone(bob.wait_for("/pitch", lambda value: value == 0))

    def test_a_strip_that_springs_springs_when_its_key_is_let_go(self):
        page, bob = self.connected(), self.listener()
        bob.send("/subscribe", "state")
        page.focus('[aria-label="Pitch"]')
        page.keyboard.down("ArrowUp")
        self.assertIsNotNone(bob.wait_for("/pitch", lambda value: value == 1))
        page.keyboard.up("ArrowUp")
        self.assertIsNotNone(bob.wait_for("/pitch", lambda value: value == 0))

    def test_what_is_refused_is_there_to_be_said_again(self):
        page = self.connected()
        self.people(page)
        page.click("#panel-tabs >> text=Chat")
        long = 400 * "語"
        page.fill('[aria-label="Say something"]', long)
        page.keyboard.press("Enter")
        line = page.locator('[aria-label="Say something"]')
        self.wait_until("it is given back", lambda: line.input_value() == long)
        page.fill('[aria-label="Say something"]', "hello")
        page.keyboard.press("Enter")
        page.wait_for_selector(".chat >> text=hello")
        self.assertEqual(line.input_value(), "")

    def test_a_build_up_takes_nobodys_stop_away_and_reads_alike_on_the_wall(self):
        page, wall = self.connected(None, (1440, 900)), self.connected(f"/?name={self.other}#wall")
        # Slow enough to be read while it waits.
        self.room(page, "{ room.set('/tempo', 40); room.set('/buildup/hold', 1); room.send('/buildup', 60, 1); }")
        self.wait_text(wall, ".wall-building", lambda text: text == "Build-up to 60 bpm from the next bar")
        for selector in ("#play", "#beats", "#master", "#building-cancel", '[data-action="drop"]'):
            page.wait_for_selector(selector)
        # Up to a bar until it begins, and a bar of it.
        self.wait_until("it holds", lambda: wall.text_content(".wall-building") == "Holding 60 bpm until the drop", seconds=60)
        page.click("#building-cancel")
        self.wait_text(wall, ".wall-building", lambda text: text == "")


if __name__ == "__main__":
    unittest.main()
