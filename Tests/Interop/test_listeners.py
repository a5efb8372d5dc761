"""Listeners that nobody here wrote: ffmpeg and GStreamer on RTP, ffprobe, opusinfo and curl on the Ogg stream."""

import http.client
import json
import math
import pathlib
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from case import Drummer, FileListener, PipeListener, ServerCase, needs
from patience import Patient
from server import Server, free_udp_pair
from sound import Sound, ogg_seconds, rhythm


FFMPEG_RAW = ("-f", "s16le", "-ac", "2", "-ar", "48000", "-")


def ffmpeg_on(sdp):
    return PipeListener(
        "ffmpeg", "-v", "error", "-protocol_whitelist", "file,udp,rtp", "-fflags", "nobuffer", "-i", str(sdp), *FFMPEG_RAW)


class RTPListeners(ServerCase):
    def setUp(self):
        self.wait_for_silence()

    @needs("ffmpeg")
    def test_ffmpeg_hears_every_hit_from_the_sdp_file(self):
        sdp = self.server.sdp(free_udp_pair())
        self.assertIn("opus/48000/2", sdp.read_text())
        self.assert_rim_shots(self.play_to(ffmpeg_on(sdp)))

    @needs("gst-launch-1.0")
    def test_gstreamer_hears_every_hit_from_the_sdp_file(self):
        sdp = self.server.sdp(free_udp_pair(), "&frame=10")
        output = self.server.path / "gstreamer.wav"
        # Until it is told to end it has written no length into its header.
        listener = FileListener(
            ["gst-launch-1.0", "-q", "-e", "filesrc", f"location={sdp}", "!", "sdpdemux", "!", "rtpopusdepay", "!",
             "opusdec", "!", "audioconvert", "!", "audio/x-raw,format=S16LE,channels=2", "!", "wavenc", "!", "filesink",
             f"location={output}"],
            output, lambda path: max(0, path.stat().st_size - 44) / (4 * 48_000), Sound.from_file, end=signal.SIGINT)
        sound = self.play_to(listener)
        self.assertEqual(listener.code, 0, listener.said)
        self.assert_rim_shots(sound)

    @needs("ffmpeg")
    def test_every_frame_length_and_bit_rate_is_decodable(self):
        for frame, bitrate in (("2.5", 256_000), ("5", 128_000), ("10", 96_000), ("20", 96_000)):
            with self.subTest(frame=frame, bitrate=bitrate):
                listener = ffmpeg_on(self.server.sdp(free_udp_pair(), f"&frame={frame}&bitrate={bitrate}"))
                sound = self.play_to(listener, count=3, interval=0.4)
                self.assert_rim_shots(sound, count=3, interval=0.4)
                self.assertEqual(listener.said, "")


class Receiver:
    """The two UDP ports of an RTP receiver: RTP and RTCP on `port`, RTCP also on the next one."""

    def __init__(self, case, host, port):
        self.host, self.port = host, port
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for offset, each in enumerate(self.sockets):
            case.addCleanup(each.close)
            each.bind((host, port + offset))

    def packets(self, seconds):
        """What waits, and what comes within `seconds`."""
        found, end = [], time.monotonic() + seconds
        while ready := select.select(self.sockets, [], [], max(0.0, end - time.monotonic()))[0]:
            found += [each.recv(2_048) for each in ready]
        return found

    def rtp(self, seconds=0.3):
        return [packet for packet in self.packets(seconds) if len(packet) > 12 and packet[1] & 0x7F == 96]


class RTPAddresses(ServerCase):
    """Three hosts on this machine: who asks, the server's own, and one that has nothing to do with either."""

    ASKER, SERVER, STRANGER = "127.0.0.2", "127.0.0.1", "127.0.0.3"
    # What other protocols say of somebody else: none of it may count.
    HEADERS = {
        "X-Client-IP": STRANGER, "True-Client-IP": STRANGER, "X-Originating-IP": STRANGER, "Host": STRANGER,
        "From": STRANGER, "Transport": f"RTP/AVP;unicast;destination={STRANGER}",
    }
    # What only proxies say: the asker may be one that nobody named, and RTP is not for it.
    PROXY_HEADERS = {
        "X-Forwarded-For": STRANGER, "X-Real-IP": STRANGER, "Forwarded": f"for={STRANGER}",
        "X-Forwarded-Host": STRANGER, "X-Forwarded-Proto": "http", "Via": f"1.1 {STRANGER}",
    }
    WORDS = ("host", "address", "addr", "ip", "to", "destination", "dest", "client", "listener", "remote", "target", "c")

    def ask(self, target, host=ASKER, headers=()):
        """`GET target` from the address `host`: status and body."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.server.http, timeout=10, source_address=(host, 0))
        try:
            connection.request("GET", target, headers=dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def receivers(self):
        """The same free ports on each of the three hosts."""
        port = free_udp_pair(self.ASKER, self.SERVER, self.STRANGER)
        return port, *(Receiver(self, host, port) for host in (self.ASKER, self.SERVER, self.STRANGER))

    def assert_only_the_asker_hears(self, target, headers=()):
        port, asker, *others = self.receivers()
        status, body = self.ask(target(port), headers=headers)
        self.assertEqual(status, 200, body)
        self.assertIn(f"c=IN IP4 {self.ASKER}", body)
        # 60 packets are due in that time.
        self.assertGreater(len(asker.rtp()), 20)
        for other in others:
            self.assertEqual(other.packets(0), [], f"{other.host} is sent what {self.ASKER} asked for")

    def test_rtp_goes_to_the_asker_alone(self):
        self.assert_only_the_asker_hears(lambda port: f"/listen.sdp?port={port}")

    def test_nothing_that_a_request_says_sends_rtp_to_somebody_else(self):
        for name, value in self.HEADERS.items():
            with self.subTest(header=name):
                self.assert_only_the_asker_hears(lambda port: f"/listen.sdp?port={port}", {name: value})
        for word in self.WORDS:
            with self.subTest(word=word):
                self.assert_only_the_asker_hears(lambda port: f"/listen.sdp?{word}={self.STRANGER}&port={port}")
        with self.subTest("a whole URL as the target"):
            self.assert_only_the_asker_hears(lambda port: f"http://{self.STRANGER}/listen.sdp?port={port}")

    def test_what_came_through_a_proxy_that_nobody_named_is_refused_and_nobody_is_sent_anything(self):
        port, *receivers = self.receivers()
        for name, value in self.PROXY_HEADERS.items():
            with self.subTest(header=name):
                status, body = self.ask(f"/listen.sdp?port={port}", headers={name: value})
                self.assertEqual(status, 422, body)
                self.assertIn("--behind", body)
        for receiver in receivers:
            self.assertEqual(receiver.packets(0.2), [])

    def test_a_port_that_is_none_is_refused_and_nobody_is_sent_anything(self):
        port, *receivers = self.receivers()
        wishes = ("", "port=", "port=70000", "port=80", "port=65535", "port=-1", f"port={self.STRANGER}:{port}",
                  f"port={port}@{self.STRANGER}", f"port={port},{self.STRANGER}", f"port={port}%00", f"host={self.STRANGER}")
        for wish in wishes:
            with self.subTest(wish=wish):
                status, body = self.ask(f"/listen.sdp?{wish}")
                self.assertEqual(status, 400, body)
        for receiver in receivers:
            self.assertEqual(receiver.packets(0.2), [])

    def test_a_page_elsewhere_cannot_point_rtp_at_its_visitor(self):
        port, *receivers = self.receivers()
        # Over plain HTTP outside localhost browsers say only the last two.
        elsewhere = f"http://{self.STRANGER}:{self.server.http}"
        for name, value in {"Sec-Fetch-Site": "cross-site", "Origin": elsewhere, "Referer": f"{elsewhere}/page"}.items():
            with self.subTest(header=name):
                status, body = self.ask(f"/listen.sdp?port={port}", headers={name: value})
                self.assertEqual(status, 403, body)
        for receiver in receivers:
            self.assertEqual(receiver.packets(0.2), [])

    def test_each_of_two_askers_for_one_port_is_sent_its_own(self):
        # That the strangers above hear nothing says something only if they could.
        port, *receivers = self.receivers()
        for receiver in receivers:
            self.assertEqual(self.ask(f"/listen.sdp?port={port}", host=receiver.host)[0], 200)
        for receiver in receivers:
            self.assertGreater(len(receiver.rtp()), 20, receiver.host)

    def test_rtp_ends_with_a_goodbye_where_the_asker_does_not_renew(self):
        # One is renewed by asking again, one by a receiver report; about the third only a stranger reports.
        asking, reporting, neither = streams = [self.receivers() for _ in range(3)]
        for port, *_ in streams:
            self.assertEqual(self.ask(f"/listen.sdp?port={port}")[0], 200)
        asked = time.monotonic()
        heard = self.hear_until(asked + 1, streams)
        for port, *_ in streams:
            self.assertGreater(len(heard[port]), 100)
        # An empty report (RFC 3550 §6.4.2) on the SSRC that RTP packets have, the same for all listeners of a profile.
        ssrc = next(packet for packet in heard[neither[0]] if packet[1] & 0x7F == 96)[8:12]
        report = struct.pack(">BBHI", 0x81, 201, 7, 0x1234) + ssrc + bytes(20)
        self.hear_until(asked + 15, streams)
        self.assertEqual(self.ask(f"/listen.sdp?port={asking[0]}")[0], 200)
        for receiver in (reporting[1], neither[3]):
            receiver.sockets[0].sendto(report, ("127.0.0.1", self.server.media))
        # A lease is 30 s; three more for a machine that is busy.
        heard = self.hear_until(asked + 33, streams)
        self.assertTrue(any(packet[-8:-4] == bytes((0x81, 203, 0, 1)) for packet in heard[neither[0]]), "no BYE")
        heard = self.hear_until(asked + 34, streams)
        self.assertEqual(heard[neither[0]], [], "a stream that its asker did not renew goes on")
        self.assertGreater(len(heard[asking[0]]), 100)
        self.assertGreater(len(heard[reporting[0]]), 100)
        for _, _, *others in streams:
            for other in others:
                self.assertEqual(other.packets(0), [], f"{other.host} is sent what {self.ASKER} asked for")

    @needs("gst-launch-1.0")
    def test_rtp_lasts_as_long_as_its_receiver_reports(self):
        # As Protocol/streams.md has it: asked for once, and then a receiver that nobody here wrote reports.
        port = free_udp_pair(self.SERVER)
        status, body = self.ask(f"/listen.sdp?port={port}", host=self.SERVER)
        self.assertEqual(status, 200, body)
        asked = time.monotonic()
        caps = "application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS,payload=96"
        receiver = subprocess.Popen(
            ["gst-launch-1.0", "-q", "rtpbin", "name=rtp", "latency=10", "udpsrc", f"port={port}", f"caps={caps}", "!",
             "rtp.recv_rtp_sink_0", "rtp.", "!", "rtpopusdepay", "!", "opusdec", "!", "fakesink", "rtp.send_rtcp_src_0",
             "!", "udpsink", "host=127.0.0.1", f"port={self.server.media}", f"bind-port={port + 1}", "sync=false",
             "async=false"])
        self.addCleanup(receiver.wait)
        self.addCleanup(receiver.kill)
        # By then every lease of the tests before is over, too.
        self.wait_until("the first lease is over", lambda: time.monotonic() > asked + 33, seconds=60)
        before = self.server.figure("rtp_expired_leases_total")
        self.assertEqual(self.server.figure('listeners{kind="rtp"}'), 1)
        self.assertGreater(self.server.figure("rtcp_reports_total"), 2)
        receiver.kill()
        self.wait_until(
            "the lease ends with its receiver",
            lambda: self.server.figure("rtp_expired_leases_total") == before + 1, seconds=60)

    def test_the_answer_says_how_to_renew(self):
        status, headers, body = self.server.get(f"/listen.sdp?port={free_udp_pair()}")
        self.assertEqual(status, 200, body)
        sentence = next(line for line in body.decode().splitlines() if line.startswith("i="))[2:]
        self.assertIn(f"UDP port {self.server.media}", sentence)
        self.assertEqual(
            headers["bandshell-lease"], f'30;rtcp-port={self.server.media};renew="{sentence}"')

    def hear_until(self, end, streams):
        """What each stream's asker is sent, by port, until `end` of the monotonic clock."""
        heard = {port: [] for port, *_ in streams}
        while time.monotonic() < end:
            for port, asker, *_ in streams:
                heard[port] += asker.packets(0.05)
        return heard


class OggListeners(ServerCase):
    def setUp(self):
        self.wait_for_silence()

    @needs("curl", "opusinfo", "ffmpeg")
    def test_opusinfo_finds_no_fault_in_what_curl_received(self):
        path = self.server.path / "listen.opus"
        listener = FileListener(
            ["curl", "--silent", "--no-buffer", "--output", str(path), self.server.url("/listen.opus")], path, ogg_seconds,
            Sound.decoded)
        sound = self.play_to(listener)
        # Still there to be told to end, as it must be with an endless stream.
        self.assertEqual(listener.code, -signal.SIGTERM, listener.said)
        info = subprocess.run(["opusinfo", str(path)], capture_output=True, text=True, timeout=20)
        said = info.stdout + info.stderr
        # The stream was cut off, so its last page lacks the mark of the end: the one fault that there may be.
        faults = [line for line in said.splitlines() if line.startswith(("WARNING", "ERROR")) and "EOS" not in line]
        self.assertEqual(faults, [], said)
        self.assertIn("Channels: 2", said.replace("\t", " "))
        self.assert_rim_shots(sound)

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
        first = self.play(count=8, interval=0.25)
        time.sleep(first + 8 * 0.25 - time.time())
        path = self.server.path / "last.wav"
        # From shortly before the first hit.
        seconds = round(time.time() - first + 0.3, 2)
        result = subprocess.run(
            ["curl", "--silent", "--fail", "--output", str(path), self.server.url(f"/last.wav?seconds={seconds}")], timeout=20)
        self.assertEqual(result.returncode, 0)
        sound = Sound.from_file(path)
        self.assertLess(abs(sound.seconds - seconds), 0.01)
        # A rim shot is not far below the threshold when the next one comes.
        onsets = sound.onsets(rest=0.02)
        self.assertEqual(len(onsets), 8, onsets)
        for gap in rhythm(onsets):
            self.assertLess(abs(gap - 0.25), 2 / 48_000)

    def test_silence_is_streamed_as_silence(self):
        self.wait_until("the last hits have died away", lambda: Sound.from_wav(
            self.server.get("/last.wav?seconds=0.5")[2]).peak() == -math.inf)


class OggEnds(Patient, unittest.TestCase):
    """How an Ogg stream ends, and how it does not; each test has a server of its own."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)

    def test_a_server_that_is_stopped_ends_each_stream_with_the_mark_of_its_end(self):
        streams = [Stream(self, self.server) for _ in range(3)]
        for stream in streams:
            self.wait_until("it hears", lambda: stream.take() > 20_000)
        self.server.stop()
        for stream in streams:
            self.wait_until("the stream is over", lambda: stream.take() and stream.is_over)
            flags = [flags for flags, _ in stream.pages()]
            # The beginning, the pages, the end (RFC 3533 §6, field 3).
            self.assertEqual((flags[0], set(flags[1:-1]), flags[-1]), (2, {0}, 4))

    @needs("curl", "opusinfo")
    def test_opusinfo_finds_no_fault_in_a_stream_that_was_heard_to_its_end(self):
        with tempfile.TemporaryDirectory(prefix="bandshell-end-") as folder:
            path = pathlib.Path(folder) / "listen.opus"
            with subprocess.Popen(
                ["curl", "--silent", "--no-buffer", "--output", str(path), self.server.url("/listen.opus")]) as curl:
                self.wait_until("it hears", lambda: path.exists() and ogg_seconds(path) > 1)
                self.server.stop()
                self.assertEqual(curl.wait(20), 0)
            info = subprocess.run(["opusinfo", str(path)], capture_output=True, text=True, timeout=20)
            said = info.stdout + info.stderr
            self.assertEqual([line for line in said.splitlines() if "WARNING" in line or "ERROR" in line], [], said)
            self.assertEqual(info.returncode, 0, said)

    def test_a_reader_that_pauses_misses_nothing(self):
        # A small buffer, so that the pause reaches the server at once.
        stream = Stream(self, self.server, receive_buffer=16_384)
        self.wait_until("it hears", lambda: stream.take(16_384) > 20_000)
        paused = time.monotonic()
        # Longer than what was kept once, and shorter than 30 s.
        self.wait_until("a long pause is over", lambda: time.monotonic() > paused + 20, seconds=40)
        self.assertEqual(self.server.figure("ogg_stalled_total"), 0)
        self.assertEqual(self.server.figure('listeners{kind="ogg"}'), 1)
        seconds = lambda: stream.pages()[-1][1] / 48_000
        self.wait_until("it has what it missed", lambda: stream.take() and seconds() > 21, seconds=60)
        self.assertFalse(stream.is_over)
        self.assertEqual(stream.numbers(), list(range(len(stream.numbers()))))


class Stream:
    """`/listen.opus` on a socket that is read when the test says so."""

    def __init__(self, case, server, receive_buffer=None):
        self._socket = socket.socket()
        case.addCleanup(self._socket.close)
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.connect(("127.0.0.1", server.http))
        self._socket.sendall(b"GET /listen.opus HTTP/1.1\r\nHost: test\r\n\r\n")
        self._data, self.is_over = b"", False

    def take(self, most=1_048_576):
        """Reads what is there; how many bytes there have been."""
        self._socket.setblocking(False)
        while most > 0 and not self.is_over:
            try:
                piece = self._socket.recv(min(most, 65_536))
            except BlockingIOError:
                break
            self.is_over = not piece
            self._data += piece
            most -= len(piece)
        return len(self._data)

    def _starts(self):
        """Where whole pages begin."""
        data, at = self._data, self._data.find(b"OggS")
        while at >= 0 and at + 27 <= len(data):
            lengths = data[at + 27:at + 27 + data[at + 26]]
            end = at + 27 + data[at + 26] + sum(lengths)
            if end > len(data):
                return
            yield at
            at = end

    def pages(self):
        """Flags and position of each whole page."""
        return [(self._data[at + 5], struct.unpack_from("<q", self._data, at + 6)[0]) for at in self._starts()]

    def numbers(self):
        return [struct.unpack_from("<I", self._data, at + 18)[0] for at in self._starts()]


class ManyRooms(ServerCase):
    arguments = ("--room", "cellar", "--password", "sesame")

    def test_a_room_with_a_password_wants_it_from_listeners(self):
        status, _, body = self.server.get("/listen.opus")
        self.assertEqual(status, 401, body)
        status, _, _ = self.server.get("/rooms/cellar/last.wav?seconds=1&password=sesame")
        self.assertEqual(status, 200)


if __name__ == "__main__":
    unittest.main()
