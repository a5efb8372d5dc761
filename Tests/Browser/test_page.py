"""The page opens, connects, plays, and shows what people chose as text."""

import socket
import statistics
import time
import unittest

from case import BrowserCase, osc
from probes import apart
from sound import Sound

HOOKS = ("listen", "record", "catch", "overdub", "stop", "undo", "redo", "buildup", "drop", "metronome", "kits", "settings", "mixer")


class PageTests(BrowserCase):
    def test_it_opens_connects_and_has_its_hooks(self):
        page = self.connected()
        self.assertEqual(page.title(), "main · Bandshell")
        self.assertEqual(page.text_content("#state"), self.me)
        for name in HOOKS:
            self.assertEqual(page.locator(f'[data-action="{name}"]').count(), 1, name)
        self.assertEqual(page.locator("[data-pad]").count(), 16)
        self.assertEqual(page.text_content('[data-pad="1"] .name'), "Kick")
        self.assertIn(self.me, [player["name"] for player in self.health()["players"]])

    def test_a_tap_is_a_hit_that_everybody_is_told_of_and_that_sounds(self):
        page = self.connected()
        bob = self.listener()
        start = time.time()
        page.click('[data-pad="9"]')
        self.assertEqual(self.heard(bob)[1:3], [9, 1.0])
        self.wait_until("the rim shot is in the mix", lambda: Sound.from_wav(
            self.server.get(f"/last.wav?seconds={time.time() - start + 1:.2f}")[2]).peak() > -20)

    def test_a_pad_looks_pressed_before_any_answer(self):
        page = self.connected()
        pad = page.locator('[data-pad="1"]')
        # Listeners run before `dispatchEvent` returns: nothing that waits for the network could.
        self.assertTrue(pad.evaluate(
            "pad => (pad.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 9, bubbles: true, button: 0 })),"
            " pad.classList.contains('pressed'))"))
        self.assertFalse(pad.evaluate(
            "pad => (pad.dispatchEvent(new PointerEvent('pointerup', { pointerId: 9, bubbles: true })),"
            " pad.classList.contains('pressed'))"))

    def test_two_fingers_play_two_pads(self):
        page = self.connected(has_touch=True)
        bob = self.listener()
        boxes = [page.locator(f'[data-pad="{number}"]').bounding_box() for number in (3, 8)]
        touches = [{"x": box["x"] + 20, "y": box["y"] + 20, "id": number} for number, box in enumerate(boxes)]
        tool = page.context.new_cdp_session(page)
        tool.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touches})
        self.assertEqual(page.locator(".pad.pressed").count(), 2)
        tool.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        heard = {self.heard(bob)[1] for _ in range(2)}
        self.assertEqual(heard, {3, 8})
        self.assertEqual(page.locator(".pad.pressed").count(), 0)

    def test_keys_play_the_pads_and_a_gate_is_let_go_of(self):
        page = self.connected()
        bob = self.listener()
        page.keyboard.press("q")
        self.assertEqual(self.heard(bob)[1], 5)
        page.click('[data-action="settings"]')
        page.select_option('select[aria-label="Pad"]', "15")
        page.click("text=While held")
        # A riser of two seconds, and two octaves lower of eight: only a release ends it sooner.
        self.room(page, "room.set('/pad/15/transpose', -24)")
        page.keyboard.down("c")
        page.wait_for_selector('[data-pad="15"].lit')
        page.keyboard.up("c")
        page.wait_for_selector('[data-pad="15"]:not(.lit)')
        self.wait_until("the gate is silent", lambda: Sound.from_wav(
            self.server.get("/last.wav?seconds=0.3")[2]).peak() < -100)
        # By the mix's own time, in blocks of 50 ms: how long a busy machine takes to look is not in it.
        heard = Sound.from_wav(self.server.get("/last.wav?seconds=20")[2])
        loud = [start for start in range(0, len(heard.left), 2_400)
                if max(map(abs, heard.left[start:start + 2_400]), default=0) / heard.scale > 1e-5]
        # The hit on pad 5 before it is over long before.
        first = max((after for before, after in zip([-48_000, *loud], loud) if after - before > 9_600), default=0)
        self.assertLess((loud[-1] - first) / heard.rate, 7, "a release ends it")

    def test_names_and_chat_are_text_and_never_markup(self):
        page = self.connected()
        page.evaluate("window.pwned = 0")
        evil = self.listener("<img_src=x_onerror=pwned=1>")
        page.click('[data-action="people"]')
        page.wait_for_selector(".person >> text=<img src=x onerror=pwned=1>")
        page.click("#panel-tabs >> text=Chat")
        evil.send("/chat", "<img src=x onerror=pwned=1><script>pwned=1</script>")
        page.wait_for_selector("text=<img src=x onerror=pwned=1><script>pwned=1</script>")
        self.assertEqual(page.locator("#panel img, #panel script").count(), 0)
        self.assertEqual(page.evaluate("window.pwned"), 0)

    def test_a_newcomer_reads_what_was_said_and_sees_who_is_away(self):
        bob = self.listener()
        bob.send("/chat", "the drop is on bar nine")
        self.assertIsNotNone(bob.wait_for("/chat"))
        page = self.connected()
        page.click('[data-action="people"]')
        row = f'.person:has(b:text-is("{self.other}"))'
        page.wait_for_selector(row)
        bob.close()
        page.wait_for_selector(f'{row}.away:has-text("away")')
        again = self.listener()
        self.assertIsNotNone(again)
        page.click("#panel-tabs >> text=Chat")
        lines = page.locator(".chat li").all_text_contents()
        self.assertTrue(lines and "the drop is on bar nine" in lines[-1], lines)
        self.assertIsNone(page.get_attribute("body", "data-unread"))
        again.send("/chat", "or ten")
        page.wait_for_selector(".chat li >> text=or ten")
        self.assertEqual(page.locator(".chat li").count(), len(lines) + 1)

    def test_a_first_visit_is_asked_for_a_name_and_may_play_before_it_answers(self):
        page = self.connected("/")
        self.assertTrue(page.is_visible("#greeting"))
        self.assertNotEqual(page.input_value("#your-name"), "")
        bob = self.listener()
        page.click('[data-pad="1"]')
        self.assertIsNotNone(bob.wait_for("/hit"))
        page.fill("#your-name", "Zoë")
        page.keyboard.press("Enter")
        self.wait_until("the server knows the name", lambda: "Zoë" in [p["name"] for p in self.health()["players"]])
        self.wait_until("the page knows it", lambda: page.text_content("#state") == "Zoë")
        page.reload()
        self.wait_connected(page)
        self.assertFalse(page.is_visible("#greeting"))
        self.assertEqual(page.text_content("#state"), "Zoë")

    def test_the_question_for_a_name_moves_no_pad_and_ends_with_playing(self):
        for size in ((320, 568), (390, 844), (844, 390), (1280, 800)):
            with self.subTest(size=size):
                page = self.connected("/", size)
                self.assertTrue(page.is_visible("#greeting"))
                asked = [page.locator(f'[data-pad="{number}"]').bounding_box() for number in (2, 8)]
                for action in ("listen", "record", "metronome", "kits", "beat"):
                    page.click(f'[data-action="{action}"]', trial=True)
                for _ in range(8):
                    page.click('[data-pad="1"]')
                page.wait_for_selector("#greeting", state="hidden")
                self.assertEqual([page.locator(f'[data-pad="{number}"]').bounding_box() for number in (2, 8)], asked)
                page.context.close()

    def test_a_kit_is_chosen_and_its_names_are_on_the_pads(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.fill('input[aria-label="Search kits"]', "piano")
        self.assertFalse(page.is_visible('[data-kit="trap"]'))
        page.click('[data-kit="house"]')
        self.wait_text(page, '[data-pad="11"] .name', lambda text: text == "Piano i")
        page.wait_for_selector('[data-kit="house"][aria-pressed=true]')
        page.click('[data-action="kits"]')
        self.assertFalse(page.is_visible("#panel"))

    def test_the_beat_is_drawn_from_the_shared_clock_alike_on_eight_pages(self):
        pages = [self.connected(f"/?name={self.me}-{i}", (390, 844)) for i in range(8)]
        for page in pages:
            self.wait_until("the beat is known", lambda: page.evaluate("bandshellBeat() !== null"))
        # Each clock is better known the more often it was asked; on a machine with other work that takes longer.
        self.wait_until("they are in phase", lambda: statistics.median(apart(pages)) < 10, seconds=60)


    def test_a_choice_by_mouse_leaves_the_keys_to_the_pads(self):
        page, bob = self.connected(), self.listener()
        page.click("#quantize")
        page.select_option("#quantize", "off")
        page.keyboard.press("1")
        self.heard(bob, 1)
        self.assertEqual(page.input_value("#quantize"), "off")

    def test_the_keys_lie_as_the_pads_do(self):
        page, bob = self.connected(None, (1920, 480)), self.listener()
        page.click('[data-action="pads"]')
        keys = lambda: "".join(page.locator(".pad .key").all_text_contents())  # noqa: E731
        self.wait_until("eight in a row", lambda: keys() == "12345678QWERTYUI")
        page.keyboard.press("i")
        self.heard(bob, 16)
        page.set_viewport_size({"width": 1280, "height": 800})
        self.wait_until("four in a row", lambda: keys() == "1234QWERASDFZXCV")
        # Two: the keys' left half above their right half.
        page.set_viewport_size({"width": 360, "height": 1300})
        self.wait_until("two in a row", lambda: keys() == "12QWASZX34ERDFCV")
        page.keyboard.press("r")
        self.heard(bob, 12)

    def test_a_name_that_cannot_be_is_asked_for_again(self):
        page = self.open("/?name=%2F%2F")
        page.wait_for_selector("#greeting:not([hidden])")
        self.wait_text(page, "#toast", lambda text: "is no name" in text)
        page.fill("#your-name", self.me)
        page.keyboard.press("Enter")
        self.wait_connected(page)
        self.assertEqual(page.text_content("#state"), self.me)

    def test_a_refusal_is_told_in_the_words_of_the_page(self):
        page = self.connected()
        page.keyboard.press("Control+y")
        self.wait_text(page, "#toast", lambda text: text == "There is nothing to redo.")
        self.room(page, "room.send('/role', 'listener')")
        page.click('[data-pad="1"]')
        self.wait_text(page, "#toast", lambda text: text.startswith("You are here to listen."))
        told = page.evaluate("""refusals => import('/words.js').then(({ words }) => refusals.map((refusal) => words(...refusal)))""", [
            ["pad 3 is empty: choose a sound for it by /pad/3/sample", "pad-empty"],
            ["the room does not vote on its tempo: /tempo sets it; a host begins a vote by /tempo/mode vote", "no-vote"],
            ["this server has no input: start it with --input DEVICE, see arecord -L", "no-input"],
            ["/heard is for timing heard or interval, and you chose live: send /timing heard first", "heard-while-live"],
            ["only a host may put players out: send /host with the word that the server printed at its start", "host-only"],
            ["pad 3 of kit starter is empty", "kit-pad-empty"],
            ["a loop has 64 layers at most: delete one first", "loop-full"],
            ["a host has locked kits: only hosts may change it until /lock none", "some-code-of-tomorrow"],
            ["the sound is too long"]])
        self.assertEqual(told, [
            "That pad is empty. Sounds for it are under Kits.", "The room does not vote on its tempo.", "This server has no input to record from.",
            "That hit could not be placed where you heard it, and did not sound.",
            "Only a host may do that. The host word makes you one, under Room, People.",
            "Pad 3 of kit starter is empty. Other sounds are under Kits.", "A loop has 64 layers at most: delete one first.",
            "A host has locked kits: only hosts may change it until /lock none.", "The sound is too long."])

    def test_a_room_that_is_not_there_is_told_with_the_way_out(self):
        page = self.open(f"/?room=attic&name={self.me}")
        page.wait_for_selector("#lost:not([hidden])")
        self.assertEqual(page.text_content("#lost-text"), "There is no room “attic” here.")
        page.click("#lost a")
        self.wait_connected(page)

    def test_play_and_stop_are_seen_by_whoever_presses_them(self):
        page, other = self.connected(), self.connected(f"/?name={self.other}")
        labels = lambda: {each.get_attribute("#play", "aria-label") for each in (page, other)}  # noqa: E731
        self.wait_until("both see that it plays", lambda: labels() == {"Stop everybody"})
        page.click("#play")
        self.wait_until("it stands still for both", lambda: labels() == {"Play for everybody"} and page.text_content("#position") == "–")
        page.click("#play")
        self.wait_until("and goes on", lambda: labels() == {"Stop everybody"} and page.text_content("#position") != "–")

    def test_a_name_in_the_address_that_cannot_be_is_made_one_that_can(self):
        self.assertNotEqual(self.connected("/?name=").text_content("#state"), "")
        long = f"n{self.count}" + 100 * "x"
        self.assertEqual(self.connected(f"/?name={long}").text_content("#state"), long[:32])

    def test_a_room_that_cannot_be_is_not_taken_for_a_name_that_cannot(self):
        page = self.open(f"/?room={100 * 'x'}&name={self.me}")
        page.wait_for_selector("#lost:not([hidden])")
        self.assertTrue(page.text_content("#lost-text").startswith("No room can be called “xxx"))
        self.assertFalse(page.is_visible("#greeting"))


class FullRoomTests(BrowserCase):
    def test_who_finds_the_room_full_is_let_in_when_somebody_leaves(self):
        sockets = []
        for number in range(64):
            each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.addCleanup(each.close)
            # One address has half of the places.
            each.bind((f"127.0.0.{2 + number % 2}", 0))
            each.sendto(osc.message("/hello", f"one{number}"), ("127.0.0.1", self.server.osc))
            sockets.append(each)
        self.wait_until("all are in", lambda: len(self.health()["players"]) == 64)
        page = self.open()
        page.wait_for_selector("#lost:not([hidden])")
        self.assertEqual(page.text_content("#lost-text"), "The room is full. You are let in as soon as somebody leaves.")
        self.assertFalse(page.is_visible("#lost a"))
        sockets[5].sendto(osc.message("/bye"), ("127.0.0.1", self.server.osc))
        self.wait_connected(page)
        self.assertFalse(page.is_visible("#lost"))


class PasswordTests(BrowserCase):
    arguments = ("--password", "sesame")

    def test_the_password_is_asked_for_and_let_in(self):
        page = self.open()
        page.wait_for_selector("#entry:not([hidden])")
        # What is tapped beside the form is no hit, does not look like one, and gets no answer of its own.
        self.assertFalse(page.locator('[data-pad="1"]').evaluate("""pad => {
          pad.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 5, bubbles: true, button: 0 }));
          return pad.classList.contains('pressed');
        }"""))
        self.assertEqual(page.text_content("#toast"), "")
        page.fill("#password", "wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=That is not the word")
        page.fill("#password", "sesame")
        page.keyboard.press("Enter")
        self.wait_connected(page)
        self.assertFalse(page.is_visible("#entry"))
        page.wait_for_selector("body[data-audio=playing]")

    def test_where_too_many_words_were_tried_the_right_one_waits_its_turn_by_itself(self):
        page = self.open()
        page.wait_for_selector("#entry:not([hidden])")
        # Whoever knows no word yet is not in.
        page.evaluate("import('/room.js').then(({ room }) => { for (let i = 0; i < 12; i += 1) room.send('/password', `guess ${i}`); })")
        page.fill("#password", "sesame")
        page.keyboard.press("Enter")
        self.wait_text(page, "#entry-note", lambda text: "tried again in a moment" in text)
        self.wait_connected(page)

    def test_the_wall_waits_until_the_password_is_known(self):
        page = self.open(f"/?name={self.me}#wall")
        page.wait_for_selector("#entry:not([hidden])")
        page.fill("#password", "sesame")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog.wall[open]")
        self.wait_text(page, ".wall h2", lambda text: text == "main")


if __name__ == "__main__":
    unittest.main()
