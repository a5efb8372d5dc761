"""Sounds that people bring along: uploaded with curl, recorded from a device, grabbed off the mix, kept as kits."""

import http.client
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import osc
from case import RIM, ServerCase, needs
from patience import Patient
from server import Server, run
from sound import Sound
from test_osc_clients import Inbox

from pythonosc import udp_client


def frequency(sound, start, seconds=0.25):
    """Of the left channel from `start` on, by its rising zero crossings."""
    first = int(start * sound.rate)
    part = sound.left[first:first + int(seconds * sound.rate)]
    return sum(1 for a, b in zip(part, part[1:]) if a < 0 <= b) / seconds


class Player:
    """Somebody with python-osc, and an inbox."""

    def __init__(self, server, name):
        self.inbox = Inbox()
        self.client = udp_client.SimpleUDPClient("127.0.0.1", server.osc)
        self.send("/subscribe", self.inbox.port)
        self.send("/hello", name)
        self.name, self.token = name, self.inbox.wait("/welcome")[5]

    def send(self, address, *arguments):
        self.client.send_message(address, list(arguments))

    def close(self):
        self.inbox.close()
        self.client._sock.close()

    def last(self, address):
        """The arguments of the latest message to `address`."""
        with self.inbox._news:
            return next((m[1] for m in reversed(self.inbox.messages) if m[0] == address), None)

    def asked(self, address):
        """The last answer to what is asked for once more: what one sets oneself is not told back."""
        self.send(address)
        return self.last(address)

    def count(self, address):
        with self.inbox._news:
            return sum(1 for m in self.inbox.messages if m[0] == address)


class OwnSounds(ServerCase):
    arguments = ("--host-word", "geheim")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def player(self, name):
        player = Player(self.server, name)
        self.addCleanup(player.close)
        return player

    def tone(self, name="tone.wav", hertz=440, seconds=1.0, *options):
        path = self.path / name
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"sine=frequency={hertz}:duration={seconds}", *options,
             str(path)], check=True, timeout=60)
        return path

    def put(self, path, name, query="", *options):
        """Status and text."""
        result = subprocess.run(
            ["curl", "-s", "-w", "\n%{http_code}", "-T", str(path), *options,
             self.server.url(f"/samples/{name}{query}")], capture_output=True, text=True, timeout=60)
        text, _, status = result.stdout.rpartition("\n")
        return int(status), text

    @needs("ffmpeg", "curl")
    def test_an_uploaded_sound_is_chosen_by_its_name_and_heard_at_its_pitch(self):
        anna = self.player("anna")
        for number, (file, options) in enumerate((
                ("a.wav", ("-ar", "44100", "-ac", "2")), ("b.flac", ("-ar", "96000",)), ("c.mp3", ()),
                ("d.ogg", ("-c:a", "libvorbis")))):
            status, text = self.put(self.tone(file, 300 + 100 * number, 1.0, *options), f"tone-{number}")
            self.assertEqual(status, 201, text)
            self.assertAlmostEqual(json.loads(text)["seconds"], 1.0, delta=0.1)
            self.assertTrue(json.loads(text)["id"].startswith("own/"))
            self.wait_for_silence()
            anna.send("/pad/3/sample", f"tone-{number}")
            self.wait_until("the pad has the sound", lambda: anna.last("/pad/3/name") == (f"tone-{number}",))
            anna.send("/pad/3", 1.0)
            self.wait_until("it has been heard", lambda: self.heard_tone(300 + 100 * number))
        anna.send("/samples", "other")
        self.wait_until("it is listed", lambda: anna.last("/samples/item") is not None)

    def heard_tone(self, hertz):
        mix = Sound.from_wav(self.server.get("/last.wav?seconds=2")[2])
        onsets = mix.onsets()
        if not onsets or mix.seconds - onsets[-1] < 0.6:
            return False
        return abs(frequency(mix, onsets[-1] + 0.1) - hertz) < 8

    @needs("ffmpeg", "curl")
    def test_an_upload_with_its_owners_token_is_on_the_pad_at_once(self):
        bert = self.player("bert")
        tone = self.tone()
        status, text = self.put(tone, "mine", f"?player=bert&token={bert.token}&pad=5")
        self.assertEqual(status, 201, text)
        self.wait_until("the pad has the sound", lambda: bert.last("/pad/5/name") == ("mine",))
        self.assertEqual(bert.last("/pad/5/sample"), (json.loads(text)["id"],))
        status, text = self.put(tone, "mine", "?player=bert&token=guessed&pad=5")
        self.assertEqual(status, 403, text)
        status, text = self.put(tone, "mine", "?pad=5")
        self.assertEqual(status, 400, text)
        status, text = self.put(tone, "mine", f"?player=bert&token={bert.token}&pad=17")
        self.assertEqual(status, 400, text)

    @needs("ffmpeg", "curl")
    def test_what_is_no_sound_is_refused_by_name_and_the_pads_stay(self):
        text_file = self.path / "text"
        text_file.write_text("no sound")
        status, text = self.put(text_file, "text")
        self.assertEqual((status, "text: is not a sound file" in text), (415, True), text)
        phone = self.path / "phone.m4a"
        phone.write_bytes(b"\0\0\0\x20ftypM4A " + bytes(4000))
        status, text = self.put(phone, "phone")
        self.assertEqual((status, "it is MPEG-4" in text and "save it as WAV, AIFF, FLAC, Ogg" in text), (415, True), text)
        status, text = self.put(self.tone("long.wav", 440, 61, "-ar", "8000"), "long")
        self.assertEqual((status, "cut it to 60 s" in text), (413, True), text)
        status, text = self.put("/dev/null", "nothing")
        self.assertEqual((status, "without a sound" in text), (400, True), text)
        large = self.path / "large"
        with open(large, "wb") as file:
            file.truncate(65 << 20)
        for options in ((), ("-H", "Transfer-Encoding: chunked")):
            status, text = self.put(large, "large", "", *options)
            self.assertEqual((status, "larger than 64 MiB" in text), (413, True), text)
        for name in ("a%2Fb", "a%5Cb", "%20", "x" * 33, "a%01b", ".%2E%2Fkit"):
            status, text = self.put(text_file, name)
            self.assertEqual(status, 400, f"{name}: {text}")
        for name in (".", "..", "%2E%2E"):
            # As it is: curl would walk these ways itself.
            connection = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=10)
            connection.request("PUT", f"/samples/{name}", b"no sound")
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            self.assertEqual((answer.status, "neither . nor .." in text), (400, True), f"{name}: {text}")
        status, text = self.put(text_file, "text", "", "-H", "Origin: http://elsewhere.example")
        self.assertEqual(status, 403, text)

    @needs("ffmpeg", "curl")
    def test_while_kits_are_locked_sounds_are_taken_in_and_no_pad_changes(self):
        host, gast = self.player("hanna"), self.player("gast")
        host.send("/host", "geheim")
        host.send("/lock", "kits")
        self.wait_until("kits are locked", lambda: gast.last("/lock") == ("kits",))
        tone = self.tone()
        try:
            status, text = self.put(tone, "locked-out", f"?player=gast&token={gast.token}&pad=5")
            self.assertEqual((status, "a host has locked kits" in text), (423, True), text)
            status, text = self.put(tone, "for-later")
            self.assertEqual(status, 201, text)
            self.assertTrue(any("locked kits" in note for note in json.loads(text)["notes"]), text)
            refused = gast.count("/error")
            gast.send("/pad/5/sample", "for-later")
            self.wait_until("choosing it is refused", lambda: gast.count("/error") > refused)
            self.assertIn("locked kits", str(gast.last("/error")))
            gast.send("/sample/record", 5)
            self.wait_until("so is recording", lambda: gast.count("/error") > refused + 1)
            self.assertIn("locked kits", str(gast.last("/error")))
            status, text = self.put(tone, "the-hosts", f"?player=hanna&token={host.token}&pad=5")
            self.assertEqual(status, 201, text)
            self.assertFalse(any("locked kits" in note for note in json.loads(text)["notes"]), text)
        finally:
            host.send("/lock", "none")
        self.wait_until("kits are free", lambda: gast.last("/lock") == ("none",))
        gast.send("/pad/5/sample", "for-later")
        self.wait_until("the pad has the sound", lambda: gast.last("/pad/5/name") == ("for-later",))

    @needs("ffmpeg", "curl")
    def test_who_has_left_can_still_be_grabbed(self):
        fritz, gone = self.player("fritz"), Player(self.server, "gone")
        end = time.monotonic() + 4.5
        while time.monotonic() < end:
            gone.send("/pad/9", 1.0)
            fritz.send("/pad/1", 0.8)
            time.sleep(0.25)
        gone.send("/bye")
        gone.close()
        fritz.send("/sample/grab", 4, 2, "gone")
        self.wait_until("the bars are on their pad", lambda: fritz.last("/pad/4/name") == ("2 bars of gone",))
        self.wait_for_silence()
        fritz.send("/pad/4/decay", 0.0)
        start = time.time()
        fritz.send("/pad/4", 1.0)
        self.wait_until("what was played is heard", lambda: len(self.hits_since(start, rest=0.1)) >= 6)

    @needs("ffmpeg", "curl")
    def test_bars_are_grabbed_to_the_frame_from_the_room_and_from_one_player(self):
        carla, dirk = self.player("carla"), self.player("dirk")
        carla.send("/pad/9/decay", 50.0)
        beats = [carla.inbox.wait("/beat")]
        end = time.monotonic() + 7
        hits = 0
        while time.monotonic() < end:
            carla.send("/pad/9", 1.0)
            dirk.send("/pad/1", 0.8)
            hits += 1
            time.sleep(0.31)
        # One grab of a player at a time.
        carla.send("/sample/grab", 3, 2)
        self.wait_until("the room's bars are on their pad", lambda: carla.last("/pad/3/name") == ("2 bars of the room",))
        carla.send("/sample/grab", 4, 2, "carla")
        self.wait_until("carla's bars are on their pad", lambda: carla.last("/pad/4/name") == ("2 bars of carla",))
        for pad in (3, 4):
            # Two bars of four beats at 120 bpm.
            self.assertAlmostEqual(carla.last(f"/pad/{pad}/seconds")[0], 4.0, delta=1 / 48_000)
        self.wait_for_silence()
        start = time.time()
        carla.send("/pad/4", 1.0)
        self.wait_until("carla's part has been heard", lambda: len(self.hits_since(start, rest=0.1)) >= 10)
        refused = carla.count("/error")
        carla.send("/sample/grab", 3, 40)
        self.wait_until("too many bars are refused", lambda: carla.count("/error") > refused)
        carla.send("/sample/grab", 3, 2, "nobody")
        self.wait_until("nobody's bars are refused", lambda: "nobody" in str(carla.last("/error")))
        self.assertTrue(beats)

    def test_without_a_data_folder_and_an_input_it_says_so(self):
        emil = self.player("emil")
        emil.send("/kit/save", "mine")
        self.wait_until("saving is refused", lambda: "--data" in str(emil.last("/error")))
        emil.send("/sample/record", 3)
        self.wait_until("recording is refused", lambda: "--input" in str(emil.last("/error")))
        emil.send("/sample/stop")
        self.wait_until("stopping nothing is refused", lambda: "nobody records" in str(emil.last("/error")))


class KeptSounds(Patient, unittest.TestCase):
    """With a data folder: across restarts, and in scores."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bandshell-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    @needs("ffmpeg", "curl")
    def test_a_saved_kit_is_there_after_a_restart_and_the_score_renders_with_it(self):
        tone = self.path / "tone.wav"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=500:duration=0.5", str(tone)], check=True)
        data = self.path / "data"
        with Server("--data", str(data)) as server:
            anna, bert = Player(server, "anna"), Player(server, "bert")
            subprocess.run(
                ["curl", "-s", "-f", "-T", str(tone),
                 server.url(f"/samples/tone?player=anna&token={anna.token}&pad=2")], check=True, capture_output=True)
            self.wait_until("the pad has it", lambda: anna.last("/pad/2/name") == ("tone",))
            anna.send("/pad/2/transpose", 12.0)
            anna.send("/pad/2/stretch", 2.0)
            self.wait_until("it is stretched", lambda: anna.asked("/pad/2/stretch") == (2.0,) or anna.count("/error"))
            anna.send("/kit/save", "Anna's own")
            self.wait_until("everybody is told", lambda: bert.last("/kits/item") is not None)
            index, kit = bert.last("/kits/item")[0:2]
            self.assertEqual(kit, "anna-s-own")
            bert.send("/kit", kit)
            self.wait_until("bert plays it", lambda: bert.last("/kit/name") == ("Anna's own",))
            for _ in range(3):
                bert.send("/pad/2", 1.0)
                anna.send("/pad/2", 1.0)
                time.sleep(0.3)
            time.sleep(1.5)
            live = Sound.from_wav(server.get("/last.wav?seconds=60")[2])
            for player in (anna, bert):
                player.close()
        score = next(data.glob("takes/*.score"))
        mix = self.path / "mix.wav"
        result = run("render", str(score), "-o", str(mix))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rendered = Sound.from_file(mix)
        for sound in (data / "sounds").glob("*.flac"):
            sound.unlink()
        again = self.path / "again.wav"
        result = run("render", str(score), "-o", str(again))
        self.assertEqual(result.returncode, 65, result.stderr)
        self.assertIn("no such sound is kept here", result.stderr)
        self.assertIn("again.wav is written, but lacks", result.stderr)
        self.assertGreater(Sound.from_file(again).seconds, 1)
        # A take begins shortly before its first sound, the other with the room; the one has 24 bits.
        begin, beginning = (next(i for i, v in enumerate(s.left) if abs(v) > s.scale / 1_000) for s in (live, rendered))
        self.assertLess(max(abs(a / live.scale - b / rendered.scale) for a, b in zip(
            live.left[begin:begin + 96_000], rendered.left[beginning:beginning + 96_000])), 2 / 8_388_608)
        with Server("--data", str(data)) as server:
            carl = Player(server, "carl")
            carl.send("/kit", index)
            self.wait_until("the kit is where it was", lambda: carl.last("/kit/name") == ("Anna's own",))
            # The kit's name comes first; the pads' settings come in packets of their own behind it.
            self.wait_until("its pad is stretched as it was", lambda: carl.last("/pad/2/stretch") == (2.0,))
            carl.close()
        self.assertEqual(run("kits", "check", str(data / "kits")).returncode, 0)

    def names(self, player, category):
        """What `/samples` answers, by name."""
        with player.inbox._news:
            player.inbox.messages.clear()
        player.send("/samples", category)
        self.wait_until("it is answered", lambda: player.last("/samples/item") or player.last("/error"))
        # Of several answers the last comes in the same bundle or right behind.
        time.sleep(0.3)
        with player.inbox._news:
            return {m[1][1]: m[1] for m in player.inbox.messages if m[0] == "/samples/item"}

    @needs("ffmpeg", "curl")
    def test_own_sounds_have_their_names_after_a_restart(self):
        data = self.path / "data"
        for name, hertz in (("deep-kick", 100), ("bark", 500)):
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=frequency={hertz}:duration=0.5",
                 str(self.path / f"{name}.wav")], check=True)
        with Server("--data", str(data), "--room", "side") as server:
            anna = Player(server, "anna")
            for room, name in (("", "deep-kick"), ("", "bark"), ("/rooms/side", "deep-kick")):
                subprocess.run(
                    ["curl", "-s", "-f", "-T", str(self.path / f"{name}.wav"),
                     server.url(f"{room}/samples/{'elsewhere' if room else name}")], check=True, capture_output=True)
            for _ in range(12):
                anna.send("/pad/9", 1.0)
                time.sleep(0.2)
            anna.send("/sample/grab", 3, 1)
            self.wait_until("a bar is grabbed", lambda: anna.last("/pad/3/name") == ("1 bar of the room",))
            before = self.names(anna, "own")
            self.assertEqual(set(before), {"deep-kick", "bark", "1 bar of the room"})
            anna.close()
        with Server("--data", str(data), "--room", "side") as server:
            bert = Player(server, "bert")
            self.assertEqual(self.names(bert, "own"), before)
            self.assertIn("deep-kick", self.names(bert, "kick"))
            self.assertIn("1 bar of the room", self.names(bert, "loop"))
            bert.send("/pad/3/sample", "bark")
            self.wait_until("the pad has it by its name", lambda: bert.last("/pad/3/name") == ("bark",))
            self.wait_until("it is told which", lambda: bert.asked("/pad/3/sample") == (before["bark"][0],))
            bert.send("/pad/3", 1.0)
            time.sleep(1.5)
            mix = Sound.from_wav(server.get("/last.wav?seconds=2")[2])
            self.assertAlmostEqual(frequency(mix, mix.onsets()[0] + 0.1), 500, delta=8)
            bert.close()
        (data / "sounds" / "names.json").write_text("{ damaged")
        with Server("--data", str(data)) as server:
            carl = Player(server, "carl")
            self.assertEqual(self.names(carl, "own"), {})
            self.assertIn("names.json", server.said())
            carl.send("/pad/3/sample", before["bark"][0])
            self.wait_until("its id holds", lambda: carl.asked("/pad/3/sample") == (before["bark"][0],))
            carl.close()

    def test_an_input_that_is_not_there_is_told_at_the_start_and_the_server_runs(self):
        with Server("--input", "nowhere") as server:
            self.assertIn("no ALSA device 'nowhere' to record from. Recording devices here: ", server.said())
            anna = Player(server, "anna")
            anna.send("/sample/record", 6)
            self.wait_until("told again", lambda: "'nowhere' to record from" in str(anna.last("/error")))
            anna.close()

    @needs("ffmpeg")
    def test_a_recording_from_a_device_is_on_its_pad_when_it_ends(self):
        raw = self.path / "in.raw"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=330:duration=30", "-f", "f32le", "-ar", "48000",
             "-ac", "2", str(raw)], check=True)
        config = self.path / "asoundrc"
        config.write_text(
            f'</usr/share/alsa/alsa.conf>\npcm.tape {{ type file slave.pcm "null" file "/dev/null" infile "{raw}" format "raw" }}\n')
        os.environ["ALSA_CONFIG_PATH"] = str(config)
        self.addCleanup(os.environ.pop, "ALSA_CONFIG_PATH")
        with Server("--input", "tape") as server:
            anna, bert = Player(server, "anna"), Player(server, "bert")
            anna.send("/sample/record", 6)
            self.wait_until("everybody sees it", lambda: bert.last("/sample/recording") == ("anna",))
            bert.send("/sample/record", 7)
            self.wait_until("one at a time", lambda: "anna records" in str(bert.last("/error")))
            bert.send("/sample/stop")
            self.wait_until("not bert's to end", lambda: "only they" in str(bert.last("/error")))
            time.sleep(1)
            anna.send("/sample/stop")
            self.wait_until("it is on the pad", lambda: anna.last("/pad/6/name") == ("recording",))
            self.wait_until("it is over", lambda: bert.last("/sample/recording") == ("",))
            self.assertGreater(anna.last("/pad/6/seconds")[0], 0.5)
            anna.send("/pad/6", 1.0)
            time.sleep(1)
            mix = Sound.from_wav(server.get("/last.wav?seconds=3")[2])
            self.assertAlmostEqual(frequency(mix, mix.onsets()[0] + 0.1), 330, delta=8)
            for player in (anna, bert):
                player.close()


if __name__ == "__main__":
    unittest.main()
