"""Sounds of one's own, the settings of a pad, and what was just played."""

import array
import io
import math
import unittest
import wave

from case import BrowserCase
from sound import Sound


def tone(seconds=0.4, rate=44_100) -> bytes:
    """A WAV file with a moment of silence on either side."""
    frames = array.array("h", (int(20_000 * math.sin(i * 0.06)) if 0.1 < i / rate < seconds - 0.1 else 0
                               for i in range(int(seconds * rate))))
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(frames.tobytes())
    return data.getvalue()


class SoundTests(BrowserCase):
    def test_a_file_is_decoded_on_the_pad_at_once_and_trimmed_there(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.select_option('select[aria-label="Pad for the sound"] >> visible=true', "12")
        page.set_input_files("#sound-file", {"name": "beep.wav", "mimeType": "audio/wav", "buffer": tone(1)})
        self.wait_text(page, '[data-pad="12"] .name', lambda text: text == "beep")
        seconds = lambda: self.room(page, "room.get('/pad/12/seconds')")  # noqa: E731
        self.wait_until("all that is loud of it is there", lambda: abs(seconds() - 0.8) < 0.05)
        page.focus('.wave [role=slider][aria-label="Begins"]')
        for _ in range(4):
            page.keyboard.press("PageUp")
        page.click("text=Put it on the pad")
        self.wait_until("four tenths less of it are there", lambda: abs(seconds() - 0.4) < 0.05)
        page.wait_for_selector('h3:text-is("Trim")', state="hidden")

    def test_what_is_on_its_pad_already_is_done(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.select_option('select[aria-label="Pad for the sound"] >> visible=true', "12")
        front = lambda: page.locator("form.group .primary:visible").all_text_contents()  # noqa: E731
        page.set_input_files("#sound-file", {"name": "beep.wav", "mimeType": "audio/wav", "buffer": tone(1)})
        self.wait_text(page, '[data-pad="12"] .name', lambda text: text == "beep")
        self.wait_until("the way on is in front", lambda: front() == ["Done"])
        page.click('[data-pad="12"]')
        self.assertEqual(front(), ["Done"], "who hears it on its pad is done, too")
        page.focus('.wave [role=slider][aria-label="Begins"]')
        page.keyboard.press("PageUp")
        self.assertEqual(front(), ["Put it on the pad"], "what was trimmed is not there yet")
        page.keyboard.press("PageDown")
        self.wait_until("as it was", lambda: front() == ["Done"])
        page.click('[data-pad="3"]')
        self.assertEqual(front(), ["Put it on the pad"], "nor is it on another pad")
        page.click('[data-pad="12"]')
        page.click("form.group >> text=Done")
        page.wait_for_selector('h3:text-is("Trim")', state="hidden")

    def test_a_long_file_says_that_a_pad_takes_a_minute_of_it(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.set_input_files("#sound-file", {"name": "a.long song.wav", "mimeType": "audio/wav", "buffer": tone(90, rate=8000)})
        page.wait_for_selector("text=Of 1:30 min: a pad takes a minute at most.")
        self.assertEqual(page.input_value('input[aria-label="Name of the sound"]'), "a.long song")
        part = lambda name: int(page.get_attribute(f'.wave [role=slider][aria-label="{name}"]', "aria-valuenow"))  # noqa: E731
        self.assertEqual((part("Begins"), part("Ends")), (0, 67))
        page.focus('.wave [role=slider][aria-label="Ends"]')
        page.keyboard.press("End")
        self.assertEqual((part("Begins"), part("Ends")), (33, 100))
        page.wait_for_selector("text=1:00 min")
        page.click("text=Put it on the pad")
        self.wait_text(page, "#toast", lambda text: text.startswith("The minute that you chose is on pad 1."))

    def test_the_last_minute_is_one_link(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        with page.expect_download() as download:
            page.click("text=Export the last minute")
        self.assertEqual(download.value.path().read_bytes()[:4], b"RIFF")

    def test_a_pads_settings_show_its_waveform_and_take_its_start(self):
        page = self.connected()
        bob = self.listener()
        page.click('[data-pad="8"]', button="right")
        page.wait_for_selector('h3:has-text("8 · Crash")')
        page.wait_for_selector(".wave:not([hidden])")
        page.focus('[role=slider][aria-label="Start"]')
        page.keyboard.press("PageUp")
        start = page.locator('input[type=range][aria-label="Start"]')
        self.wait_until("the fader follows", lambda: float(start.input_value()) > 0)
        page.click("text=Reset")
        self.wait_until("the kit's own start", lambda: float(start.input_value()) == 0)
        for muted in (1, 0):
            page.click('#panel-body >> text="Mute"')
            self.wait_until(f"its mute is {muted}", lambda muted=muted: self.room(page, "room.get('/pad/8/mute')") == muted)
        page.click('[data-pad="8"]')
        self.heard(bob, 8)

    def test_the_faders_of_start_and_decay_reach_as_far_as_the_sound(self):
        page = self.connected()
        page.click('[data-pad="1"]', button="right")
        page.wait_for_selector('h3:has-text("1 · Kick")')
        most = lambda: [int(page.get_attribute(f'input[type=range][aria-label="{name}"]', "max")) for name in ("Start", "Decay")]  # noqa: E731
        before = most()
        send = lambda *parts: self.room(page, "room.send(...value)", parts)  # noqa: E731
        send("/pad/1/sample", "starter/15")
        self.wait_until("they reach two seconds", lambda: most() == [2000, 2000] != before)
        send("/pad/1/stretch", 2)
        self.wait_until("and with the stretch four", lambda: min(most()) >= 3990)
        self.room(page, "room.set('/pad/1/start', 1500)")
        start = page.locator('input[type=range][aria-label="Start"]')
        self.wait_until("the fader follows", lambda: start.input_value() == "1500")

    def test_a_player_hears_of_an_upload_by_another(self):
        page = self.connected()
        other = self.connected(f"/?name={self.other}")
        for each in (page, other):
            each.click('[data-action="kits"]')
            each.click("#panel-tabs >> text=Sounds")
            each.click("text=Own sounds")
        page.click("#panel-tabs >> text=Recordings")
        name = f"bark {self.count}"
        page.set_input_files("#sound-file", {"name": f"{name}.wav", "mimeType": "audio/wav", "buffer": tone(0.5)})
        page.click("text=Put it on the pad")
        other.wait_for_selector(f"text={name}")

    def test_a_handle_that_is_dragged_is_one_edit_and_the_part_keeps_its_length(self):
        page = self.connected()
        page.click('[data-pad="8"]', button="right")
        page.wait_for_selector(".wave:not([hidden])")
        value = lambda name: float(page.input_value(f'input[type=range][aria-label="{name}"]'))  # noqa: E731

        def drag(name, by):
            box = self.still_box(page, f'.wave [role=slider][aria-label="{name}"]')
            x, y = box["x"] + box["width"] / 2, box["y"] + (8 if name == "Start" else box["height"] - 8)
            page.mouse.move(x, y)
            page.mouse.down()
            for step in range(1, 21):
                page.mouse.move(x + by * step / 20, y)
            page.mouse.up()

        drag("Decay", -150)
        decay = self.still("the decay", lambda: value("Decay"))
        self.assertGreater(decay, 0)
        drag("Start", 40)
        self.wait_until("the start is there", lambda: value("Start") > 0)
        self.assertEqual(value("Decay"), decay)
        whole = float(page.get_attribute('input[type=range][aria-label="Decay"]', "max"))
        for name, was in (("Start", 0), ("Decay", whole)):
            page.click('[data-action="undo"]')
            self.wait_until(f"{name} is as it was", lambda name=name, was=was: value(name) == was)

    def test_neither_end_of_the_trim_gets_stuck_at_an_edge(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.set_input_files("#sound-file", {"name": "beep.wav", "mimeType": "audio/wav", "buffer": tone()})
        page.wait_for_selector('h3:text-is("Trim")')
        canvas = self.still_box(page, ".wave canvas")
        part = lambda name: int(page.get_attribute(f'.wave [role=slider][aria-label="{name}"]', "aria-valuenow"))  # noqa: E731
        top, bottom = canvas["y"] + 10, canvas["y"] + canvas["height"] - 10

        def drag(start, end, y):
            page.mouse.move(canvas["x"] + start * canvas["width"], y)
            page.mouse.down()
            page.mouse.move(canvas["x"] + end * canvas["width"], y, steps=8)
            page.mouse.up()

        page.focus('.wave [role=slider][aria-label="Ends"]')
        page.keyboard.press("End")
        drag(part("Begins") / 100, 1, bottom)
        self.assertGreaterEqual(part("Begins"), 99)
        drag(0.99, 0.4, top)
        self.assertAlmostEqual(part("Begins"), 40, delta=3)
        drag(1, 0, top)
        self.assertAlmostEqual(part("Ends"), 40, delta=4)
        drag(0.4, 0, top)
        self.assertEqual(part("Begins"), 0)
        drag(part("Ends") / 100, 0, bottom)
        drag(0.01, 0.5, bottom)
        self.assertEqual(part("Begins"), 0)
        self.assertAlmostEqual(part("Ends"), 50, delta=3)

    def test_of_two_files_the_later_one_counts_and_what_cannot_be_read_is_told(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.evaluate("""() => {
          const read = Blob.prototype.arrayBuffer;
          Blob.prototype.arrayBuffer = async function () {
            if (this.name === "gone.wav") throw new DOMException("could not be read", "NotReadableError");
            if (this.name === "slow.wav") await new Promise((resolve) => { window.goOn = resolve; });
            return read.call(this);
          };
        }""")
        choose = lambda name: page.set_input_files("#sound-file", {"name": f"{name}.wav", "mimeType": "audio/wav", "buffer": tone()})  # noqa: E731
        choose("slow")
        page.wait_for_selector("text=Reading slow …")
        choose("quick")
        title = page.locator('input[aria-label="Name of the sound"]')
        self.wait_until("the quick one is there", lambda: title.input_value() == "quick")
        page.evaluate("goOn()")
        page.wait_for_timeout(300)  # In which the slow one would come.
        self.assertEqual(title.input_value(), "quick")
        choose("gone")
        self.wait_text(page, "#toast", lambda text: text.startswith("gone cannot be read."))

    def test_a_sound_goes_on_the_pad_that_was_played_last_by_whatever_hand(self):
        page = self.connected()
        page.keyboard.press("KeyQ")
        played = self.room(page, "import('/pads.js').then(({ pads }) => pads.find((pad) => pad.key.textContent === 'Q').number)")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Sounds")
        pad = page.locator('#panel-body select[aria-label="Pad for the sound"]:visible')
        self.assertEqual(int(pad.input_value()), played)
        # While it is asked for, the choice is the player's: who plays on goes on choosing nothing.
        page.keyboard.press("Digit1")
        self.assertEqual(int(pad.input_value()), played)
        page.click('[data-pad="7"]')
        self.assert_comes_to(7, lambda: int(pad.input_value()), "the touched one")

    def test_who_has_played_nothing_begins_with_an_empty_pad(self):
        page = self.connected()
        self.room(page, "room.apply('/pad/5/name', [''])")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Sounds")
        self.assertEqual(page.locator('#panel-body select[aria-label="Pad for the sound"]:visible').input_value(), "5")
        self.room(page, "room.apply('/pad/5/name', ['Something'])")
        self.assertEqual(page.locator('#panel-body select[aria-label="Pad for the sound"]:visible').input_value(), "5", "it is still the chosen one")

    def test_what_was_grabbed_is_told_with_its_pad(self):
        page, bob = self.connected(None, (390, 844)), self.listener()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.click('[aria-label="The last bars, cut on the bar line"] >> text=1')

        def told():
            bob.send("/pad/8", 1.0)
            page.click("text=Of everybody")
            return page.text_content("#toast") == "It is on pad 1. Everybody can choose it."

        self.wait_until("a bar of the cymbal is on the first pad", told, seconds=60)

    def test_a_kit_of_one_pad_is_heard_alone_without_complaint(self):
        page = self.open()
        page.context.route("**/kits", lambda route: route.fulfill(json={"kits": [{"id": "house", "name": "House", "colours": [], "pads": [3]}]}))
        page.reload()
        self.wait_connected(page)
        page.wait_for_selector("body[data-audio=ready]")
        refused = """() => import('/room.js').then(({ room }) => { window.refusals = []; room.on('refused', (values) => refusals.push(values)); })"""
        page.evaluate(refused)
        sent = """() => import('/room.js').then(({ room }) => { window.heard = []; const send = room.send.bind(room);
          room.send = (where, ...values) => { if (where === '/sample/preview') heard.push(values[0]); return send(where, ...values); }; })"""
        page.evaluate(sent)
        page.click('[data-action="kits"]')
        page.click('[aria-label="Hear House alone"]')
        self.wait_until("some are heard", lambda: len(page.evaluate("heard")) > 2)
        self.assertEqual(set(page.evaluate("heard")), {"house/3"})
        self.assertEqual(page.evaluate("refusals"), [])

    def test_the_sounds_are_all_there_after_somebody_brought_one_along_and_what_is_chosen_is_told(self):
        page, bob = self.connected(None, (390, 844)), self.listener()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.set_input_files("#sound-file", {"name": "first.wav", "mimeType": "audio/wav", "buffer": tone(0.5)})
        page.click("text=Put it on the pad")
        self.wait_text(page, "#toast", lambda text: text.startswith("It is on pad 1."))
        page.click("#panel-tabs >> text=Sounds")
        page.fill('[aria-label="Search sounds"]', "cowbell")
        sound = page.locator(".sound").first
        sound.wait_for()
        name = sound.locator("b").text_content()
        sound.click()
        self.wait_text(page, "#toast", lambda text: text == f"{name} is on pad 1.")
        self.wait_until("it is marked", lambda: sound.get_attribute("aria-pressed") == "true")
        # A sound of the own kit is there at once, and the server tells it to the others alone.
        for word in ("clap", "crash"):
            page.fill('[aria-label="Search sounds"]', word)
            own = page.locator('.sound[data-sound^="starter/"]').first
            own.click()
            self.wait_text(page, "#toast", lambda text, own=own: text == f"{own.locator('b').text_content()} is on pad 1.")
            self.wait_until("it is marked", lambda own=own: own.get_attribute("aria-pressed") == "true")
        bob.send("/bye")


class MicrophoneTests(BrowserCase):
    chromium = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")

    def test_the_microphone_is_off_once_the_panel_is_closed_and_its_take_waits_there(self):
        page = self.connected()
        page.evaluate("""() => {
          const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (...all) => window.heard = await ask(...all);
        }""")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.click("text=Record from the microphone")
        page.wait_for_selector("text=A minute at most; headphones")
        # The browser's own microphone beeps once a second.
        page.wait_for_timeout(1500)
        page.click("#panel-close")
        self.wait_until("it is off", lambda: page.evaluate("heard.getTracks().every((track) => track.readyState === 'ended')"))
        page.click('[data-action="kits"]')
        page.wait_for_selector('h3:text-is("Trim")')
        self.assertRegex(page.input_value('input[aria-label="Name of the sound"]'), r"^Take \d\d\.\d\d$")

    def test_neither_a_second_tap_nor_a_closed_panel_leaves_a_microphone_on(self):
        page = self.connected()
        page.evaluate("""() => {
          const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          window.streams = [];
          window.allow = [];
          navigator.mediaDevices.getUserMedia = async (...all) => {
            await new Promise((resolve) => allow.push(resolve));
            streams.push(await ask(...all));
            return streams.at(-1);
          };
        }""")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        live = "streams.flatMap((stream) => stream.getTracks()).filter((track) => track.readyState === 'live').length"
        page.click("text=Record from the microphone")
        page.click("text=Record from the microphone")
        page.evaluate("allow.forEach((allowed) => allowed())")
        page.wait_for_selector("text=A minute at most; headphones")
        self.assertEqual(page.evaluate(live), 1)
        page.click(".group >> text=Stop")
        self.wait_until("it is off", lambda: page.evaluate(live) == 0)
        # Closed while it was asked for.
        page.click("text=Record from the microphone")
        page.click("#panel-close")
        page.evaluate("allow.at(-1)()")
        self.wait_until("it came", lambda: page.evaluate("streams.length") == 2)
        self.wait_until("and went", lambda: page.evaluate(live) == 0)


if __name__ == "__main__":
    unittest.main()
