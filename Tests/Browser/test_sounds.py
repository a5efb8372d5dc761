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
    def test_a_file_is_decoded_trimmed_and_on_the_pad(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Record")
        page.select_option('select[aria-label="Pad for the sound"] >> visible=true', "12")
        page.set_input_files("#sound-file", {"name": "beep.wav", "mimeType": "audio/wav", "buffer": tone()})
        page.wait_for_selector("text=Trim")
        page.click("text=Put it on the pad")
        self.wait_text(page, '[data-pad="12"] .name', lambda text: text == "beep")

    def test_a_long_file_says_that_a_pad_takes_a_minute_of_it(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Record")
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
        self.wait_text(page, "#toast", lambda text: text.startswith("The minute that you chose is on pad 16."))

    def test_the_last_minute_is_one_link(self):
        page = self.connected()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Record")
        with page.expect_download() as download:
            page.click("text=Keep that")
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
        page.click("text=Mute >> nth=0")
        page.click('[data-pad="8"]')
        self.heard(bob, 8)

    def test_the_faders_of_start_and_decay_reach_as_far_as_the_sound(self):
        page = self.connected()
        page.click('[data-pad="1"]', button="right")
        page.wait_for_selector('h3:has-text("1 · Kick")')
        most = lambda: [int(page.get_attribute(f'input[type=range][aria-label="{name}"]', "max")) for name in ("Start", "Decay")]  # noqa: E731
        before = most()
        send = lambda *parts: page.evaluate("parts => import('/room.js').then(({ room }) => room.send(...parts))", parts)  # noqa: E731
        send("/pad/1/sample", "starter/15")
        self.wait_until("they reach two seconds", lambda: most() == [2000, 2000] != before)
        send("/pad/1/stretch", 2)
        self.wait_until("and with the stretch four", lambda: min(most()) >= 3990)
        page.evaluate("import('/room.js').then(({ room }) => room.set('/pad/1/start', 1500))")
        start = page.locator('input[type=range][aria-label="Start"]')
        self.wait_until("the fader follows", lambda: start.input_value() == "1500")

    def test_a_player_hears_of_an_upload_by_another(self):
        page = self.connected()
        other = self.connected(f"/?name={self.other}")
        for each in (page, other):
            each.click('[data-action="kits"]')
            each.click("#panel-tabs >> text=Sounds")
            each.click("text=Brought along")
        page.click("#panel-tabs >> text=Record")
        name = f"bark {self.count}"
        page.set_input_files("#sound-file", {"name": f"{name}.wav", "mimeType": "audio/wav", "buffer": tone(0.5)})
        page.click("text=Put it on the pad")
        other.wait_for_selector(f"text={name}")


class MicrophoneTests(BrowserCase):
    chromium = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")

    def test_the_microphone_is_off_once_the_panel_is_closed_and_its_take_waits_there(self):
        page = self.connected()
        page.evaluate("""() => {
          const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = async (...all) => window.heard = await ask(...all);
        }""")
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Record")
        page.click("text=Record from the microphone")
        page.wait_for_selector("text=A minute at most; headphones")
        # The browser's own microphone beeps once a second.
        page.wait_for_timeout(1500)
        page.click("#panel-close")
        self.wait_until("it is off", lambda: page.evaluate("heard.getTracks().every((track) => track.readyState === 'ended')"))
        page.click('[data-action="kits"]')
        page.wait_for_selector("text=Trim")
        self.assertRegex(page.input_value('input[aria-label="Name of the sound"]'), r"^Take \d\d\.\d\d$")


if __name__ == "__main__":
    unittest.main()
