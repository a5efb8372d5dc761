"""Listeners that nobody here wrote: ffmpeg and GStreamer on RTP, ffprobe, opusinfo and curl on the Ogg stream."""

import json
import math
import signal
import subprocess
import time
import unittest

from case import Drummer, ServerCase, needs
from server import free_udp_pair
from sound import Sound


class RTPListeners(ServerCase):
    @needs("ffmpeg")
    def test_ffmpeg_hears_every_hit_from_the_sdp_file(self):
        port = free_udp_pair()
        sdp = self.server.sdp(port)
        self.assertIn("opus/48000/2", sdp.read_text())
        receiver = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-protocol_whitelist", "file,udp,rtp", "-fflags", "nobuffer", "-i", str(sdp),
             "-t", "4", "-f", "s16le", "-ac", "2", "-ar", "48000", "-"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with Drummer(self.server, 0.5):
            output, errors = receiver.communicate(timeout=30)
        sound = Sound.from_s16(output)
        self.assertGreater(sound.seconds, 3.5, errors.decode())
        self.assert_rim_shots(sound, count=9, interval=0.5, missing=3)

    @needs("gst-launch-1.0")
    def test_gstreamer_hears_every_hit_from_the_sdp_file(self):
        port = free_udp_pair()
        sdp = self.server.sdp(port, "&frame=10")
        output = self.server.path / "gstreamer.wav"
        receiver = subprocess.Popen(
            ["gst-launch-1.0", "-q", "-e", "filesrc", f"location={sdp}", "!", "sdpdemux", "!", "rtpopusdepay", "!",
             "opusdec", "!", "audioconvert", "!", "audio/x-raw,format=S16LE,channels=2", "!", "wavenc", "!", "filesink",
             f"location={output}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with Drummer(self.server, 0.5):
            self.wait_until("GStreamer has written three seconds", lambda: receiver.poll() is not None or (
                output.exists() and output.stat().st_size > 3 * 48_000 * 4), seconds=20)
            receiver.send_signal(signal.SIGINT)
            said, _ = receiver.communicate(timeout=10)
        sound = Sound.from_file(output)
        self.assertGreater(sound.seconds, 2.5, said.decode())
        self.assert_rim_shots(sound, count=int(sound.seconds / 0.5) + 2, interval=0.5, missing=4)

    @needs("ffmpeg")
    def test_every_frame_length_and_bit_rate_is_decodable(self):
        for frame, bitrate in (("2.5", 256_000), ("5", 128_000), ("10", 96_000), ("20", 64_000)):
            with self.subTest(frame=frame, bitrate=bitrate):
                sdp = self.server.sdp(free_udp_pair(), f"&frame={frame}&bitrate={bitrate}")
                with Drummer(self.server, 0.3):
                    result = subprocess.run(
                        ["ffmpeg", "-v", "error", "-protocol_whitelist", "file,udp,rtp", "-fflags", "nobuffer",
                         "-i", str(sdp), "-t", "1", "-f", "s16le", "-ac", "2", "-ar", "48000", "-"],
                        capture_output=True, timeout=30)
                sound = Sound.from_s16(result.stdout)
                self.assertGreaterEqual(len(sound.onsets()), 2, result.stderr.decode())

    def test_rtp_goes_to_the_asker_alone_and_only_while_it_renews(self):
        status, _, body = self.server.get("/listen.sdp")
        self.assertEqual(status, 400, body)
        status, _, body = self.server.get("/listen.sdp?port=70000")
        self.assertEqual(status, 400, body)


class OggListeners(ServerCase):
    @needs("curl", "opusinfo")
    def test_opusinfo_finds_no_fault_in_what_curl_received(self):
        path = self.server.path / "listen.opus"
        with Drummer(self.server, 0.5):
            result = subprocess.run(
                ["curl", "--silent", "--max-time", "4", "--output", str(path), self.server.url("/listen.opus")], timeout=20)
        # 28: the time was over, as it must be with an endless stream.
        self.assertEqual(result.returncode, 28)
        self.assertGreater(path.stat().st_size, 20_000)
        info = subprocess.run(["opusinfo", str(path)], capture_output=True, text=True, timeout=20)
        said = info.stdout + info.stderr
        # The stream was cut off, so its last page lacks the mark of the end: the one fault that there may be.
        faults = [line for line in said.splitlines() if line.startswith(("WARNING", "ERROR")) and "EOS" not in line]
        self.assertEqual(faults, [], said)
        self.assertIn("Channels: 2", said.replace("\t", " "))
        self.assert_rim_shots(Sound.decoded(path), count=9, interval=0.5, missing=3)

    @needs("ffprobe")
    def test_ffprobe_names_the_stream(self):
        result = subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-of", "json", self.server.url("/listen.opus?frame=10")],
            capture_output=True, text=True, timeout=30)
        stream = json.loads(result.stdout)["streams"][0]
        self.assertEqual((stream["codec_name"], stream["channels"], stream["sample_rate"]), ("opus", 2, "48000"))

    @needs("ffmpeg")
    def test_ffmpeg_hears_the_stream_at_the_level_of_the_mix(self):
        receiver = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-i", self.server.url("/listen.opus"), "-t", "3", "-f", "s16le", "-ac", "2", "-"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with Drummer(self.server, 0.4):
            output, errors = receiver.communicate(timeout=30)
        heard = Sound.from_s16(output)
        self.assertGreater(heard.seconds, 2.5, errors.decode())
        status, headers, body = self.server.get("/last.wav?seconds=3")
        self.assertEqual((status, headers["content-type"]), (200, "audio/wav"))
        mix = Sound.from_wav(body)
        for channel in ("left", "right"):
            # The codec rounds a rim shot's peak a little.
            self.assertLess(abs(heard.peak(channel) - mix.peak(channel)), 2.5)

    @needs("curl")
    def test_curl_gets_the_last_seconds_as_a_wav_file(self):
        with Drummer(self.server, 0.25, count=8) as drummer:
            drummer.finish()
        time.sleep(0.5)
        path = self.server.path / "last.wav"
        result = subprocess.run(
            ["curl", "--silent", "--fail", "--output", str(path), self.server.url("/last.wav?seconds=2")], timeout=20)
        self.assertEqual(result.returncode, 0)
        sound = Sound.from_file(path)
        self.assertLess(abs(sound.seconds - 2), 0.01)
        gaps = [b - a for a, b in zip(sound.onsets(rest=0.02), sound.onsets(rest=0.02)[1:])]
        self.assertGreaterEqual(len(gaps), 4)

    def test_silence_is_streamed_as_silence(self):
        self.wait_until("the last hits have died away", lambda: Sound.from_wav(
            self.server.get("/last.wav?seconds=0.5")[2]).peak() == -math.inf)


class ManyRooms(ServerCase):
    arguments = ("--room", "cellar", "--password", "sesame")

    def test_a_room_with_a_password_wants_it_from_listeners(self):
        status, _, body = self.server.get("/listen.opus")
        self.assertEqual(status, 401, body)
        status, _, _ = self.server.get("/rooms/cellar/last.wav?seconds=1&password=sesame")
        self.assertEqual(status, 200)


if __name__ == "__main__":
    unittest.main()
