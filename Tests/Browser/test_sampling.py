"""Sampling on the pads: a pad that is held records, and a file that is dropped on a pad is its sound."""

import array
import base64
import io
import math
import pathlib
import tempfile
import unittest
import wave

from case import BrowserCase
from test_sounds import tone

# A voice a quarter tone above A, as a microphone hears it all the time.
SUNG = 452
RATE = 48_000


def sung(seconds=4) -> bytes:
    """A WAV file of a tone with overtones."""
    frames = array.array("h", (int(6_000 * sum(math.sin(2 * math.pi * SUNG * n * i / RATE + n) / n for n in (1, 2, 3)))
                               for i in range(seconds * RATE)))
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames.tobytes())
    return data.getvalue()


# A page that counts how often it asks for the microphone, and which of its tracks are open.
WATCH_MICROPHONE = """(() => {
  const media = navigator.mediaDevices;
  const ask = media.getUserMedia.bind(media);
  window.tracks = [];
  media.getUserMedia = async (...all) => {
    window.asked = (window.asked ?? 0) + 1;
    if (window.refuses) throw new DOMException('no', window.refuses);
    const stream = window.isSilent ? new AudioContext().createMediaStreamDestination().stream : await ask(...all);
    tracks.push(...stream.getTracks());
    return stream;
  };
})()"""

# Files by their names and contents, in base 64, dropped on an element; whether the page took them.
DROP = """({ files, selector }) => {
  const data = new DataTransfer();
  for (const [name, content] of files) data.items.add(new File([Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))], name));
  const element = document.querySelector(selector);
  const send = (type) => element.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  send('dragenter');
  return import('/pad-drop.js').then(() => {
    send('dragover');
    const marked = [...document.querySelectorAll('.pad.target')].map((pad) => Number(pad.dataset.pad));
    return { marked, isTaken: !send('drop') };
  });
}"""


class SamplingCase(BrowserCase):
    def empty(self, page, *numbers):
        """Empties pads, as Settings do."""
        for number in numbers:
            self.room(page, "room.send(`/pad/${value}/sample`, '')", number)
            page.wait_for_selector(f'[data-pad="{number}"].empty .hollow', state="attached")

    def hold(self, page, selector):
        box = self.still_box(page, selector)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()

    def name(self, page, number):
        return page.text_content(f'[data-pad="{number}"] .name')

    def says(self, page, text):
        self.wait_text(page, "#toast", lambda said: said.startswith(text))


class HoldTests(SamplingCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-voice-")
        cls.addClassCleanup(folder.cleanup)
        voice = pathlib.Path(folder.name) / "voice.wav"
        voice.write_bytes(sung())
        cls.chromium = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-audio-capture={voice}")
        super().setUpClass()

    def page(self, *arguments, **options):
        page = self.connected(*arguments, **options)
        page.evaluate(WATCH_MICROPHONE)
        return page

    def recorded(self, page, selector, seconds=0.8):
        """Holds for so long from the moment on at which the recording runs."""
        self.hold(page, selector)
        page.wait_for_selector(".sampling b >> text=/^0\\.[1-9] s/")
        page.wait_for_timeout(seconds * 1000)
        page.mouse.up()

    def test_a_held_empty_pad_records_until_it_is_let_go_of_and_is_tuned(self):
        page = self.page()
        self.empty(page, 12)
        bob = self.listener()
        self.recorded(page, '[data-pad="12"]')
        self.says(page, "It is on pad 12, tuned to A4.")
        self.wait_until("it has a name", lambda: self.name(page, 12).startswith("Take "))
        seconds = self.room(page, "room.get('/pad/12/seconds')")
        self.assertTrue(0.5 < seconds < 2.5, f"{seconds} s")
        self.assertEqual(page.locator(".sampling").count(), 0)
        page.click('[data-pad="12"]')
        self.heard(bob, 12)

    def test_as_recorded_puts_it_back_out_of_tune_and_undo_empties_the_pad(self):
        page = self.page()
        self.empty(page, 12)
        self.recorded(page, '[data-pad="12"]')
        self.says(page, "It is on pad 12, tuned to A4.")
        tuned = self.room(page, "room.get('/pad/12/seconds')")
        page.click('#toast button:text-is("As recorded")')
        self.wait_until("it is a little shorter", lambda: self.room(page, "room.get('/pad/12/seconds')") < tuned - 0.005)
        for _ in range(2):
            page.click('[data-action="undo"]')
        page.wait_for_selector('[data-pad="12"].empty')

    def test_a_tap_asks_for_no_microphone_and_says_what_to_do(self):
        page = self.page()
        self.empty(page, 12)
        page.click('[data-pad="12"]')
        self.says(page, "Hold the pad: it records until you let go.")
        self.assertIsNone(page.evaluate("window.asked ?? null"))

    def test_a_held_letter_key_records_too(self):
        page = self.page()
        self.empty(page, 12)
        page.keyboard.down("v")  # Not of this pad.
        page.keyboard.up("v")
        key = page.text_content('[data-pad="12"] .key').lower()
        page.keyboard.down(key)
        page.wait_for_selector('[data-pad="12"] .sampling b >> text=/^0\\.[5-9] s/')
        page.keyboard.up(key)
        self.says(page, "It is on pad 12")

    def test_a_refused_microphone_is_told_and_the_room_is_offered(self):
        page = self.page()
        self.empty(page, 12)
        page.evaluate("window.refuses = 'NotAllowedError'")
        self.hold(page, '[data-pad="12"]')
        self.says(page, "The microphone was not allowed.")
        page.mouse.up()
        self.assertEqual(page.locator(".sampling").count(), 0)
        page.click('#toast button:text-is("Record the room")')
        self.says(page, "A held pad records the room now")
        self.hold(page, '[data-pad="12"]')
        page.wait_for_selector(".sampling")
        page.mouse.up()
        self.assertEqual(page.evaluate("asked"), 1)

    def test_no_microphone_at_all_is_told(self):
        page = self.page()
        self.empty(page, 12)
        page.evaluate("window.refuses = 'NotFoundError'")
        self.hold(page, '[data-pad="12"]')
        self.says(page, "This device has no microphone.")
        page.mouse.up()

    def test_silence_is_no_sound(self):
        page = self.page()
        self.empty(page, 12)
        page.evaluate("window.isSilent = true")
        self.recorded(page, '[data-pad="12"]', seconds=0.3)
        self.says(page, "Nothing was heard.")
        self.assertTrue(page.locator('[data-pad="12"].empty').is_visible())

    def test_the_microphone_closes_after_the_recording(self):
        page = self.page()
        self.empty(page, 12)
        self.recorded(page, '[data-pad="12"]', seconds=0.3)
        self.says(page, "It is on pad 12")
        self.wait_until("the microphone is closed", lambda: page.evaluate("tracks.length > 0 && tracks.every((track) => track.readyState === 'ended')"), seconds=30)

    def test_sample_lets_a_pad_with_a_sound_record_and_undo_brings_that_back(self):
        page = self.page()
        page.click('[data-action="sample"]')
        self.says(page, "Hold a pad: it records the microphone until you let go.")
        self.assertEqual(page.get_attribute('[data-action="sample"]', "aria-pressed"), "true")
        self.recorded(page, '[data-pad="3"]', seconds=0.4)
        self.says(page, "It is on pad 3, tuned to A4. Undo brings Clap back.")
        self.assertEqual(page.get_attribute('[data-action="sample"]', "aria-pressed"), "false")
        page.click('[data-action="undo"]')
        self.wait_until("the clap is back", lambda: self.name(page, 3) == "Clap")

    def test_sample_that_is_held_records_on_the_first_empty_pad_else_on_the_last(self):
        page = self.page()
        self.recorded(page, '[data-action="sample"]', seconds=0.4)
        self.says(page, "It is on pad 16")
        self.assertEqual(page.get_attribute('[data-action="sample"]', "aria-pressed"), "false")
        self.empty(page, 5, 9)
        self.recorded(page, '[data-action="sample"]', seconds=0.4)
        self.says(page, "It is on pad 5")

    def test_a_pad_with_a_sound_plays_as_ever_however_long_it_is_held(self):
        page = self.page()
        self.empty(page, 12)
        bob = self.listener()
        self.hold(page, '[data-pad="3"]')
        self.heard(bob, 3)
        page.wait_for_timeout(500)
        page.mouse.up()
        self.assertEqual(page.locator(".sampling").count(), 0)
        self.assertIsNone(page.evaluate("window.asked ?? null"))

    def test_all_pads_are_emptied_and_come_back_by_one_undo(self):
        page = self.page()
        page.click('[data-action="kits"]')
        page.click("#panel-tabs >> text=Recordings")
        page.click("text=Empty all my pads")
        self.wait_until("all are empty", lambda: page.locator(".pad.empty").count() == 16)
        page.click('[data-action="undo"]')
        self.wait_until("none is empty", lambda: page.locator(".pad.empty").count() == 0)


class RoomTests(SamplingCase):
    """A page at an address that is not secure: no browser gives it a microphone."""

    def page(self):
        page = self.open()
        page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
        page.reload()
        self.wait_connected(page)
        self.empty(page, 12)
        return page

    def test_without_a_beat_the_pad_gets_what_sounded_meanwhile(self):
        page, bob = self.page(), self.listener()
        if self.room(page, "room.get('/play', 0)"):
            bob.send("/stop")
        self.wait_until("the beat stands", lambda: self.room(page, "room.get('/play', 0)") == 0)
        self.hold(page, '[data-pad="12"]')
        self.says(page, "It records the room")
        page.wait_for_selector('[data-pad="12"] .sampling')
        bob.send("/pad/8", 1.0)
        page.wait_for_timeout(900)
        page.mouse.up()
        self.wait_until("it has a name", lambda: self.name(page, 12).startswith("Take "))
        self.assertLess(self.room(page, "room.get('/pad/12/seconds')"), 2)

    def test_with_a_beat_the_pad_gets_whole_bars(self):
        page, bob = self.page(), self.listener()
        bob.send("/tempo", 240.0)
        if not self.room(page, "room.get('/play', 0)"):
            bob.send("/play")
        self.beats_later(page, 9)
        self.hold(page, '[data-pad="12"]')
        page.wait_for_selector('[data-pad="12"] .sampling b >> text=1 bar')
        bob.send("/pad/8", 1.0)
        self.beats_later(page, 4)
        page.mouse.up()
        self.wait_until("it has a name", lambda: "bar" in self.name(page, 12))
        bars = self.room(page, "room.get('/pad/12/seconds')")
        self.assertAlmostEqual(bars % 1, 0, delta=0.01)

    def test_silence_in_the_room_is_told(self):
        page, bob = self.page(), self.listener()
        bob.send("/stop")
        self.wait_until("the beat stands", lambda: self.room(page, "room.get('/play', 0)") == 0)
        page.wait_for_timeout(4000)  # Until what sounded before has faded.
        self.hold(page, '[data-pad="12"]')
        page.wait_for_selector('[data-pad="12"] .sampling b >> text=/^0\\.[3-9] s/')
        page.mouse.up()
        self.says(page, "Nothing sounded in the room meanwhile.")


class DropTests(SamplingCase):
    def drop(self, page, selector, *files):
        return page.evaluate(DROP, {"files": [(name, base64.b64encode(content).decode()) for name, content in files], "selector": selector})

    def test_a_file_that_is_dropped_on_a_pad_is_its_sound_and_undo_brings_back_what_was_there(self):
        page = self.connected()
        self.assertEqual(self.drop(page, '[data-pad="5"] .name', ("bark.wav", tone(1))), {"marked": [5], "isTaken": True})
        self.says(page, "It is on pad 5. Undo brings Open hat back.")
        self.assertEqual(self.name(page, 5), "bark")
        # Silence on either side is cut off.
        self.assertAlmostEqual(self.room(page, "room.get('/pad/5/seconds')"), 0.8, delta=0.06)
        self.assertEqual(page.locator(".pad.target").count(), 0)
        page.click('[data-action="undo"]')
        self.wait_until("the hat is back", lambda: self.name(page, 5) == "Open hat")

    def test_a_file_beside_the_pads_leaves_the_page_as_it_is(self):
        page = self.connected()
        self.assertEqual(self.drop(page, ".tabs", ("bark.wav", tone())), {"marked": [], "isTaken": True})
        self.says(page, "Drop it on a pad")
        self.assertEqual(page.get_attribute("body", "data-state"), "connected")

    def test_several_files_go_on_empty_pads_and_what_has_no_place_is_told(self):
        page = self.connected()
        self.empty(page, 7)
        self.drop(page, '[data-pad="5"]', ("one.wav", tone(0.5)), ("two.wav", tone(0.6)), ("three.wav", tone(0.7)))
        self.says(page, "1 more have no empty pad.")
        self.assertEqual((self.name(page, 5), self.name(page, 7), self.name(page, 8)), ("one", "two", "Crash"))

    def test_what_is_no_sound_and_what_is_silent_is_told(self):
        page = self.connected()
        for name, content, text in (("letter.txt", b"Dear Ann", "letter is no sound"), ("still.wav", tone(0.2), "still is silent.")):
            with self.subTest(name=name):
                self.drop(page, '[data-pad="5"]', (name, content))
                self.says(page, text)
        self.assertEqual(self.name(page, 5), "Open hat")

    def test_of_a_long_file_the_part_is_chosen(self):
        page = self.connected()
        self.drop(page, '[data-pad="5"]', ("song.wav", tone(90, rate=8000)))
        self.says(page, "song is longer than a minute.")
        # The message has that word, too.
        page.click('#toast button:text-is("Choose")')
        page.wait_for_selector("text=Of 1:30 min: a pad takes a minute at most.")
        self.assertEqual(page.input_value('select[aria-label="Pad for the sound"] >> visible=true'), "5")


if __name__ == "__main__":
    unittest.main()
