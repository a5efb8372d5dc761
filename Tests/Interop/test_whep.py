"""Listening by WebRTC with aiortc, a second implementation that nobody here wrote."""

import array
import asyncio
import http.client
import re
import socket
import struct
import threading
import time
import unittest

from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from case import ServerCase
from sound import Sound

SDP = {"Content-Type": "application/sdp"}


class Listener:
    """A peer connection on a loop of its own, which keeps what it hears."""

    def __init__(self, server, path="/whep", play=True):
        self.server, self.path = server, path
        self.heard, self.layouts, self.states = array.array("h"), set(), []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._run(self._connect(play))

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _connect(self, play):
        # Without servers: nothing is asked outside.
        self._peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._peer.addTransceiver("audio", direction="recvonly")
        self._peer.on("track", lambda track: asyncio.ensure_future(self._listen(track)))
        self._peer.on("connectionstatechange", lambda: self.states.append(self._peer.connectionState))
        await self._peer.setLocalDescription(await self._peer.createOffer())
        self.offer = self._peer.localDescription.sdp
        self.status, self.headers, self.answer = self.ask("POST", self.path, self.offer, SDP)
        if self.status == 201 and play:
            await self._peer.setRemoteDescription(RTCSessionDescription(self.answer, "answer"))

    async def _listen(self, track):
        try:
            while True:
                frame = await track.recv()
                self.layouts.add((frame.layout.name, frame.sample_rate))
                self.heard.frombytes(bytes(frame.planes[0])[:frame.samples * 4])
        except Exception:
            pass

    def ask(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=10)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode()
        finally:
            connection.close()

    @property
    def seconds(self):
        return len(self.heard) / (2 * 48_000)

    @property
    def is_over(self):
        return bool(self.states) and self.states[-1] in ("closed", "failed")

    def finish(self):
        self._run(self._peer.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        return Sound.from_s16(bytes(self.heard))


class WHEP(ServerCase):
    @property
    def listeners(self):
        return self.server.figure('listeners{kind="webrtc"}')

    def listen(self, *arguments, **options):
        listener = Listener(self.server, *arguments, **options)
        self.addCleanup(lambda: listener._thread.is_alive() and listener.finish())
        return listener

    def test_hits_arrive_as_stereo_at_their_places(self):
        self.wait_for_silence()
        listener = self.listen()
        sound = self.play_to(listener)
        self.assertEqual(listener.layouts, {("stereo", 48_000)})
        self.assert_rim_shots(sound)

    def test_the_exchange_is_the_standard_one(self):
        listener = self.listen()
        self.assertEqual(listener.status, 201, listener.answer)
        self.assertEqual(listener.headers["content-type"], "application/sdp")
        self.assertRegex(listener.headers["location"], r"^/whep/\w{24}$")
        self.assertRegex(listener.headers["etag"], r'^"\w+"$')
        self.assertEqual(listener.headers["access-control-allow-origin"], "*")
        self.assertIn("Location", listener.headers["access-control-expose-headers"])
        self.wait_until("it is a listener", lambda: self.listeners >= 1 and listener.seconds > 0.5)
        # Chances of a NAT's or ICE's kind are not taken up, and told so.
        status, headers, _ = listener.ask("PATCH", listener.headers["location"], "a=candidate:1", {
            "Content-Type": "application/trickle-ice-sdpfrag"})
        self.assertEqual((status, headers["allow"]), (405, "DELETE, OPTIONS"))
        self.assertEqual(listener.ask("DELETE", listener.headers["location"])[0], 200)
        self.wait_until("it hears the end", lambda: listener.is_over)
        self.wait_until("it is gone", lambda: self.listeners == 0)
        self.assertEqual(listener.ask("DELETE", listener.headers["location"])[0], 404)

    def test_a_listener_that_goes_away_is_gone(self):
        listener = self.listen()
        self.wait_until("it is a listener", lambda: self.listeners >= 1 and listener.seconds > 0.5)
        listener.finish()
        self.wait_until("it is gone", lambda: self.listeners == 0)

    def test_a_room_of_its_own_and_other_frames(self):
        listener = self.listen("/rooms/main/whep?frame=20&bitrate=96000")
        self.assertIn("a=ptime:20", listener.answer)
        self.assertTrue(listener.headers["location"].startswith("/rooms/main/whep/"))
        self.wait_until("it hears", lambda: listener.seconds > 0.5)
        self.assertIn("frame=20&bitrate=96000", self.server.get("/metrics")[2].decode())

    def test_receiver_reports_become_figures(self):
        listener = self.listen()
        self.wait_until("a round trip is told", lambda: self.server.figure("webrtc_worst_round_trip_seconds") is not None)
        self.assertLess(self.server.figure("webrtc_worst_round_trip_seconds"), 1)
        self.assertEqual(self.server.figure("webrtc_worst_loss_ratio"), 0)
        each = re.findall(r'^bandshell_webrtc_(\w+){listener="\d+"} \S+$', self.server.get("/metrics")[2].decode(), re.MULTILINE)
        self.assertLessEqual({"loss_ratio", "jitter_seconds", "round_trip_seconds"}, set(each))
        listener.finish()

    def test_what_is_wrong_with_an_offer_is_said(self):
        good = self.listen(play=False)
        cases = (
            (415, "application/sdp", good.offer, {"Content-Type": "text/plain"}),
            (415, "application/sdp", good.offer, {}),
            (400, "v=0", "", SDP), (400, "v=0", "hello", SDP), (400, "line 2", "v=0\r\nhello\r\n", SDP),
            (400, "fingerprint", re.sub("a=fingerprint.*\r\n", "", good.offer), SDP),
            (400, "ice-ufrag", good.offer.replace("a=ice-ufrag", "a=nothing"), SDP),
            (400, "rtcp-mux", good.offer.replace("a=rtcp-mux\r\n", ""), SDP),
            (400, "passive", good.offer.replace("a=setup:actpass", "a=setup:passive"), SDP),
            (422, "opus", re.sub("opus", "speex", good.offer), SDP),
            (413, "bytes at most", "v=0\r\n" + "a=x\r\n" * 20_000, SDP),
            (400, "UTF-8", b"v=0\r\n\xff", SDP))
        for status, word, offer, headers in cases:
            answer = good.ask("POST", "/whep", offer, headers)
            self.assertEqual(answer[0], status, answer)
            self.assertIn(word, answer[2])
        self.assertEqual(good.ask("POST", "/whep?frame=7", good.offer, SDP)[0], 400)
        self.assertEqual(good.ask("GET", "/whep")[0], 405)
        status, headers, _ = good.ask("OPTIONS", "/whep")
        self.assertEqual((status, headers["accept-post"]), (204, "application/sdp"))
        self.assertIn("POST", headers["access-control-allow-methods"])
        self.assertIn("Content-Type", headers["access-control-allow-headers"])
        # The session that nobody came for ends by itself; the place is given back.
        good.ask("DELETE", good.headers["location"])

    def test_strangers_get_nothing_and_are_counted(self):
        before = self.server.figure("webrtc_strangers_total")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.settimeout(0.5)
            check = struct.pack(">HHI12s", 1, 0, 0x2112A442, b"x" * 12)
            for packet in (check, b"\x16\xfe\xfd" + b"\0" * 50, b"\x14", b"\x80" * 60, b"\x81\xc9" + b"\0" * 40,
                           check[:-1], b"\0", b"\3" * 1_400):
                stranger.sendto(packet, ("127.0.0.1", self.server.media))
            with self.assertRaises(TimeoutError):
                stranger.recv(2_048)
        self.wait_until("they are counted", lambda: self.server.figure("webrtc_strangers_total") >= before + 3)


class WithPassword(ServerCase):
    arguments = ("--password", "sesame")

    def test_the_word_lets_listen(self):
        listener = Listener(self.server, play=False)
        self.assertEqual(listener.status, 401)
        self.assertEqual(listener.headers["access-control-allow-origin"], "*")
        self.assertEqual(listener.ask("POST", "/whep", listener.offer, {**SDP, "Authorization": "Bearer sesame"})[0], 201)
        self.assertEqual(listener.ask("POST", "/whep?password=sesame", listener.offer, SDP)[0], 201)
        self.assertEqual(listener.ask("OPTIONS", "/whep")[0], 204)
        listener.finish()


if __name__ == "__main__":
    unittest.main()
