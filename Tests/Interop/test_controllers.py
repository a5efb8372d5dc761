"""What controllers send beside the table: MIDI's velocities, buttons for ports, patterns for pads, and packets with something left out.

What can be meant is taken as meant, by every way in; what cannot says so; and neither makes a message behind it misread.
"""

import contextlib
import functools
import http.client
import itertools
import struct
import subprocess
import unittest

import osc
from case import ServerCase, needs
from peer import WAYS, TCPPeer, UDPPeer, WebSocketPeer
from server import free_udp_pair, run


def by_each_way(name):
    """Runs a test once for each way in, with a player of that name behind it."""
    def decorate(test):
        @functools.wraps(test)
        def run(self):
            for way in WAYS:
                with self.subTest(way=way.__name__):
                    test(self, self.peer(way, name))
        return run
    return decorate


class ControllerCase(ServerCase):
    numbers = itertools.count()

    def peer(self, way=UDPPeer, name=None):
        peer = way(self.server)
        self.addCleanup(peer.close)
        self.addCleanup(self._leave, peer)
        if name is not None:
            peer.hello(f"{name}{next(self.numbers)}")
            # The full state stands before it.
            peer.until_pong()
        return peer

    @staticmethod
    def _leave(peer):
        with contextlib.suppress(Exception):
            peer.say("/bye")

    def velocity(self, peer, packet, pad=1):
        """How hard the packet hits the pad, as everybody is told."""
        peer.until_pong()
        peer.send(packet)
        while True:
            hit = peer.wait("/hit")
            if hit[1] == pad:
                return hit[2]

    def assert_pads(self, peer, packet, pads):
        """The packet hits these pads and no others."""
        peer.until_pong()
        peer.send(packet)
        hits = [arguments[0] for address, arguments in peer.until_pong() if address == "/receipt"]
        self.assertEqual(sorted(hits), sorted(pads), packet)

    def assert_reads_well(self, peer):
        """What is well formed is still what it says."""
        self.assertAlmostEqual(self.velocity(peer, osc.message("/pad/2", 0.25), pad=2), 0.25, places=6)
        self.assert_pads(peer, osc.message("/pad/3", 1.0), [3])
        peer.say("/pad/4/gain", -3.0)
        peer.say("/pad/4/gain")
        self.assertEqual(peer.wait("/pad/4/gain"), (-3.0,))


class Velocities(ControllerCase):
    @by_each_way("box")
    def test_integers_of_midi_are_soft_and_loud_from_the_first_above_one_on(self, peer):
        self.assertEqual(self.velocity(peer, osc.message("/pad/1", 1)), 1.0)
        for number in (127, 64, 1):
            self.assertAlmostEqual(self.velocity(peer, osc.message("/pad/1", number)), number / 127, places=6)
        # The same with the pad as an argument, and more than MIDI has.
        self.assertAlmostEqual(self.velocity(peer, osc.message("/pad", 1, 32)), 32 / 127, places=6)
        self.assertEqual(self.velocity(peer, osc.message("/pad/1", 500)), 1.0)

    @by_each_way("both")
    def test_buttons_beside_them_stay_what_they_are(self, peer):
        self.velocity(peer, osc.message("/pad/1", 100))
        for button in (osc.message("/pad/1", 1.0), osc.message("/pad/1", True), osc.message("/pad/1")):
            self.assertEqual(self.velocity(peer, button), 1.0)
        self.assertAlmostEqual(self.velocity(peer, osc.message("/pad/1", 0.5)), 0.5, places=6)

    @by_each_way("told")
    def test_it_is_told_once(self, peer):
        peer.until_pong()
        for number in (1, 0, 90, 0, 91, 0):
            peer.say("/pad/1", number)
        told = peer.until_pong()
        notices = [arguments for address, arguments in told if address == "/notice"]
        self.assertEqual(len(notices), 1, told)
        self.assertEqual(notices[0][0], "/pad/1")
        self.assertIn("/velocity/max 1", notices[0][1])
        peer.say("/velocity/max")
        self.assertEqual(peer.wait("/velocity/max"), (127.0,))

    @by_each_way("hand")
    def test_by_hand_it_is_for_every_number_and_nothing_is_recognised(self, peer):
        peer.say("/velocity/max", 1)
        self.assertEqual(self.velocity(peer, osc.message("/pad/1", 64)), 1.0)
        self.assertEqual(self.velocity(peer, osc.message("/pad/1", 1)), 1.0)
        peer.say("/velocity/max", 100.0)
        for number in (50, 50.0, 1.0):
            self.assertAlmostEqual(self.velocity(peer, osc.message("/pad/1", number)), number / 100, places=6)
        self.assertEqual(self.velocity(peer, osc.message("/pad/1")), 1.0)
        peer.say("/velocity/max", 0.5)
        self.assertIn("out of range", peer.wait("/error")[1])

    def test_one_players_range_is_not_anothers(self):
        box, hand = self.peer(name="box"), self.peer(name="hand")
        self.velocity(box, osc.message("/pad/1", 64))
        self.assertEqual(self.velocity(hand, osc.message("/pad/5", 1), pad=5), 1.0)

    @needs("oscsend")
    def test_oscsend_has_another_port_each_time_and_one_range(self):
        witness = self.peer(name="witness")

        def send(number):
            subprocess.run(
                ["oscsend", "127.0.0.1", str(self.server.osc), "/pad/7", "i", str(number)], check=True, timeout=10)
            while True:
                hit = witness.wait("/hit")
                if hit[1] == 7:
                    return hit[2]

        for number in (127, 64, 1):
            self.assertAlmostEqual(send(number), number / 127, places=6)


class Ports(ControllerCase):
    def assert_feedback(self, peer, what):
        """Beats come by themselves; `until_pong` would be an answer, and is no feedback."""
        self.assertTrue(peer.wait("/beat"), what)

    def test_a_button_and_a_port_below_1024_are_the_own_port(self):
        for value in (1.0, 0.7, 1, 80, 1023, 0, True, 127.0):
            with self.subTest(value=value):
                peer = self.peer(name="button")
                peer.say("/unsubscribe")
                peer.until_pong()
                peer.say("/subscribe", value)
                self.assertEqual([m for m in peer.until_pong() if m[0] == "/error"], [])
                self.assert_feedback(peer, value)

    @by_each_way("button")
    def test_a_button_that_comes_up_ends_nothing(self, peer):
        for value in (1.0, 0.0):
            peer.say("/subscribe", value)
        peer.until_pong()
        self.assert_feedback(peer, "released")

    def test_a_port_goes_into_the_address_too(self):
        panel, peer = self.peer(), self.peer(name="panel")
        for packet in (osc.message(f"/subscribe/{panel.port}", 1.0), osc.message(f"/subscribe/{panel.port}"),
                       osc.message("/subscribe", str(panel.port)), osc.message("/subscribe", panel.port)):
            with self.subTest(packet=packet):
                peer.say("/unsubscribe")
                panel.inbox.clear()
                peer.send(packet)
                peer.send(osc.message(f"/subscribe/{panel.port}", 0.0))
                self.assert_feedback(panel, packet)
        # Its own port has no more of it: the last answer that comes there is before the port was another.
        peer.inbox.clear()

    @by_each_way("topics")
    def test_the_address_may_name_a_topic_and_nothing_else(self, peer):
        peer.say("/subscribe/meters")
        peer.wait("/meter")
        peer.say("/subscribe/nothing")
        self.assertIn("1024…65535", peer.wait("/error")[1])

    def test_a_float_may_be_a_port_or_none(self):
        panel, peer = self.peer(), self.peer(name="fader")
        peer.say("/subscribe", float(panel.port))
        self.assert_feedback(panel, "a program that sends all its numbers as floats")
        self.assert_feedback(peer, "a fader")

    @by_each_way("wrong")
    def test_what_is_no_port_says_so(self, peer):
        for value in (70_000, -1, float("nan"), "7x"):
            peer.say("/subscribe", value)
            self.assertEqual(peer.wait("/error")[0], "/subscribe")
        self.assert_reads_well(peer)

    def test_hello_repairs_feedback(self):
        peer, nobody = self.peer(name="lost"), self.peer()
        # A port where nobody listens.
        peer.say("/subscribe", nobody.port)
        nobody.wait("/beat")
        nobody.close()
        peer.hello("found")
        self.assert_feedback(peer, "after /hello")
        peer.say("/tempoo")
        self.assertEqual(peer.wait("/error")[0], "/tempoo")

    def test_a_bare_subscribe_takes_the_answers_back_too(self):
        peer, panel = self.peer(name="bare"), self.peer()
        peer.say("/subscribe", panel.port)
        panel.wait("/beat")
        peer.say("/subscribe")
        peer.say("/tempoo")
        self.assertEqual(peer.wait("/error")[0], "/tempoo")

    def test_hello_leaves_the_port_that_was_asked_for(self):
        peer, panel = self.peer(), self.peer()
        peer.say("/subscribe", panel.port)
        peer.say("/hello", "two")
        self.assertEqual(panel.wait("/welcome")[1], "two")
        self.assertEqual(peer.wait("/welcome")[1], "two")
        self.assert_feedback(panel, "the port")
        self.assert_feedback(peer, "its own")


class Patterns(ControllerCase):
    @by_each_way("hand")
    def test_a_pattern_hits_ones_own_pads(self, peer):
        for address, pads in (("/pad/{1,3}", [1, 3]), ("/pad/*", range(1, 17)), ("/pad/[2-4]", [2, 3, 4]),
                              ("/pad/1?", range(10, 17))):
            self.assert_pads(peer, osc.message(address, 1.0), pads)
            self.assert_pads(peer, osc.message(address, 0.0), [])
            self.assert_pads(peer, osc.message(address), pads)
            peer.say(address, 0)
        self.assert_reads_well(peer)

    def test_hits_of_a_pattern_sound_together(self):
        peer = self.peer(name="chord")
        peer.say("/pad/{1,3,5}", 1.0)
        receipts = [peer.wait("/receipt") for _ in range(3)]
        self.assertEqual([r[0] for r in receipts], [1, 3, 5])
        self.assertEqual(len({r[2] for r in receipts}), 1, receipts)

    @by_each_way("buttons")
    def test_a_pattern_presses_a_pads_buttons_where_it_spells_them(self, peer):
        for pad in (1, 2):
            peer.say(f"/pad/{pad}/gain", -5.0)
        # A look at all that a pad has: nothing is pressed.
        peer.say("/pad/1/*")
        peer.say("/pad/1/gain")
        self.assertEqual(peer.wait("/pad/1/gain"), (-5.0,))
        peer.say("/pad/{1,2}/reset")
        peer.until_pong()
        for pad in (1, 2):
            peer.say(f"/pad/{pad}/gain")
            self.assertEqual(peer.wait(f"/pad/{pad}/gain"), (0.0,))

    @by_each_way("cannot")
    def test_what_a_pattern_cannot_mean_says_so(self, peer):
        for address in ("/player/*/pad/1", "/pl?y", "/pad/{1,3"):
            peer.say(address, 1.0)
            self.assertEqual(peer.wait("/error")[0], address)
        self.assert_reads_well(peer)


class LeftOut(ControllerCase):
    @by_each_way("slash")
    def test_the_slash(self, peer):
        self.assert_pads(peer, osc.message("pad/1", 1.0), [1])
        self.assert_pads(peer, osc.bundle(osc.message("pad/2", 1.0), osc.message("/pad/3", 1.0)), [2, 3])
        peer.say("kit/nxt/x")
        self.assertEqual(peer.wait("/error")[0], "/kit/nxt/x")
        self.assert_reads_well(peer)

    @by_each_way("tags")
    def test_the_type_tags_where_the_length_tells_one_number(self, peer):
        for value in (0.5, 1.0, 0.01):
            packet = osc.string("/pad/1") + struct.pack(">f", value)
            self.assertAlmostEqual(self.velocity(peer, packet), value, places=6)
        self.assert_pads(peer, osc.string("/pad/1") + struct.pack(">i", 1), [1])
        self.assert_pads(peer, osc.string("/pad/1") + struct.pack(">i", 0), [])
        self.assert_pads(peer, osc.string("pad/6") + struct.pack(">f", 1.0), [6])
        for number in (-6.0, -6):
            kind = ">f" if isinstance(number, float) else ">i"
            peer.say("/pad/8/gain", 0.0)
            peer.send(osc.string("/pad/8/gain") + struct.pack(kind, number))
            peer.say("/pad/8/gain")
            self.assertEqual(peer.wait("/pad/8/gain"), (-6.0,))
        self.assert_reads_well(peer)

    @by_each_way("length")
    def test_what_the_length_does_not_tell_says_so(self, peer):
        for rest in (struct.pack(">ff", 0.5, 0.5), osc.string("f") + struct.pack(">f", 1.0), struct.pack(">d", 0.5)):
            self.assert_pads(peer, osc.string("/pad/1") + rest, [])
            peer.send(osc.string("/pad/1") + rest)
            address, reason, _ = peer.wait("/error")
            self.assertEqual(address, "/pad/1")
            self.assertIn("type tags", reason)
        self.assert_reads_well(peer)

    def test_lines_of_text_over_tcp_are_still_told_what_is_wrong(self):
        peer = TCPPeer(self.server)
        self.addCleanup(peer.close)
        peer._socket.sendall(b"pad/1\r\n\r\n")
        self.assertIn("no packet's length", peer.wait("/error")[1])


class OnesOwn(ControllerCase):
    arguments = ("--host-word", "sesame")

    def told_after(self, peer, address, value, sign=None):
        """What is told after the value was set, until `sign` comes with it, which what is read or made first tells at its end."""
        peer.until_pong()
        peer.say(address, value)
        told = []

        def is_over():
            told.extend(peer.until_pong())
            return sign is None or sign in [name for name, _ in told]
        self.wait_until(f"{address} {value} is there", is_over)
        # Values go out thirty times a second: those of the same moment are out by the second beat.
        return told + peer.all_until("/beat", times=2)

    @by_each_way("echo")
    def test_what_one_sets_is_not_echoed_however_late_it_comes(self, peer):
        for address, value, sign in (
                ("/kit", "house", "/kit/name"), ("/pad/1/stretch", 2.0, "/pad/1/seconds"),
                ("/pad/2/sample", "dub/1", "/pad/2/name"), ("/kit", 3, "/kit/name"), ("/gain", -4.0, None)):
            told = self.told_after(peer, address, value, sign)
            # A page shows what is in force, and is told once it is.
            is_told = sign is not None and isinstance(peer, WebSocketPeer)
            self.assertEqual(address in [name for name, _ in told], is_told, told)
        # What is pressed, asked for or taken back is told.
        peer.say("/kit/house")
        self.assertEqual(peer.wait("/kit"), ("house",))
        self.assertEqual(peer.wait("/kit/name"), ("House",))
        peer.say("/kit", "dub")
        self.assertEqual(peer.wait("/kit/name"), ("Dub",))
        peer.say("/kit")
        self.assertEqual(peer.wait("/kit"), ("dub",))
        peer.say("/undo")
        self.assertEqual(peer.wait("/kit"), ("house",))

    def test_anothers_hand_on_ones_own_is_told(self):
        one = self.peer(name="two hands")
        one.say("/hello", "hands")
        token = one.wait("/welcome")[5]
        other = self.peer()
        other.say("/hello", "hands", "", "", token)
        other.wait("/welcome")
        other.until_pong()
        one.until_pong()
        one.say("/pad/1/stretch", 2.0)
        self.assertEqual(other.wait("/pad/1/stretch"), (2.0,))
        other.say("/pad/1/stretch", 0.5)
        self.assertEqual(one.wait("/pad/1/stretch"), (0.5,))
        other.say("/pad/1/stretch", 2.0)
        self.assertEqual(one.wait("/pad/1/stretch"), (2.0,))

    def test_nobody_is_called_as_the_mix_is(self):
        for way in WAYS:
            with self.subTest(way=way.__name__):
                peer = self.peer(way)
                name = peer.hello("master")
                self.assertRegex(name, r"^master-[0-9]+$")
                peer.say("/unsubscribe")
                peer.say("/subscribe", "meters")
                meters = {peer.wait("/meter")[0] for _ in range(12)}
                self.assertIn("master", meters)

    def test_a_hosts_tempo_stands_until_somebody_votes_again(self):
        host, voter, bystander = self.peer(name="host"), self.peer(name="voter"), self.peer(name="bystander")
        host.say("/host", "sesame")
        host.say("/tempo", 240.0)
        host.say("/tempo/mode", "vote")
        host.until_pong()
        self.addCleanup(host.say, "/tempo/mode", "free")
        voter.say("/tempo/vote", 200.0)
        self.assertEqual(host.wait("/tempo"), (200.0,))
        host.say("/tempo", 180.0)
        host.until_pong()
        bystander.say("/bye")
        # The votes are told with the tempo that stands, and two bars later it still does.
        for _ in range(9):
            beat = host.wait("/beat")
        self.assertEqual(round(beat[2]), 180)
        voter.say("/tempo/vote", 210.0)
        self.assertEqual(host.wait("/tempo"), (210.0,))


class Words(ControllerCase):
    arguments = ("--host-word", "sesame")

    def error(self, peer, address, *arguments):
        peer.until_pong()
        peer.say(address, *arguments)
        told, reason, _ = peer.wait("/error")
        self.assertEqual(told, address)
        return reason

    @by_each_way("words")
    def test_a_wrong_type_is_called_one(self, peer):
        self.assertIn("bars must be a whole number, not the text 'four'", self.error(peer, "/loop/bars", "four"))
        self.assertIn("beats per bar must be a whole number", self.error(peer, "/signature", "waltz"))
        self.assertIn("voices must be a whole number", self.error(peer, "/pad/1/voices", "many"))

    @by_each_way("waltz")
    def test_a_signature_keeps_its_unit_where_none_is_named(self, peer):
        peer.say("/signature", 7, 8)
        peer.say("/signature", 5)
        peer.say("/signature")
        self.assertEqual(peer.wait("/signature"), (5, 8))
        peer.say("/signature", 4, 4)

    @by_each_way("index")
    def test_an_index_stands_for_a_word_where_words_are_listed(self, peer):
        peer.say("/pad/1/mode", 1.0)
        peer.say("/pad/1/mode")
        self.assertEqual(peer.wait("/pad/1/mode"), ("gate",))
        self.assertIn("must be a text", self.error(peer, "/pad/1/sample", 1))

    @by_each_way("tag")
    def test_a_timetag_of_another_clock_is_years_ahead(self, peer):
        peer.until_pong()
        peer.send(osc.bundle(osc.message("/pad/1", 1.0), tag=0xF5000000_00000000))
        reason = peer.wait("/error")[1]
        self.assertRegex(reason, r"the timetag is \d{1,3} (days|years) ahead")
        self.assertIn("/ping", reason)

    @by_each_way("twice")
    def test_host_has_one_answer(self, peer):
        for _ in range(2):
            peer.until_pong()
            peer.say("/host", "sesame")
            # Feedback goes out thirty times a second: two beats are long enough for one that is too many.
            told = peer.all_until("/beat", times=2)
            self.assertEqual([m for m in told if m[0] == "/host"], [("/host", (1,))])
            peer.say("/role", "player")
            self.assertEqual(peer.wait("/host"), (0,))

    @by_each_way("mute")
    def test_a_recording_that_is_refused_is_announced_to_nobody(self, peer):
        # This server has no input.
        peer.until_pong()
        peer.say("/sample/record", 1)
        told = peer.all_until("/beat", times=2)
        self.assertIn("--input", dict(told)["/error"][1])
        self.assertNotIn("/sample/recording", [name for name, _ in told])

    @by_each_way("empty")
    def test_sync_tells_what_is_empty_too(self, peer):
        peer.say("/sync")
        told = dict(peer.until_pong())
        for address, value in (("/lane/8/16", ("",)), ("/lane/3/state", ("empty",)), ("/lane/3/playing", (0,)),
                               ("/step/16/16", (0.0,)), ("/tempo/source", ("",)), ("/sample/recording", ("",)),
                               ("/velocity/max", (1.0,))):
            self.assertEqual(told.get(address), value, address)

    def test_a_stream_with_the_click_says_where_nobodys_is_on(self):
        peer = self.peer(name="click")
        header = "bandshell-notice"
        port = free_udp_pair()
        for path in (f"/listen.sdp?port={port}&click=1", f"/listen.sdp?port={port}"):
            with self.subTest(path=path):
                self.assertEqual(header in self.server.get(path)[1], "click" in path)
        answer = self.head("/listen.opus?click=1")
        self.assertIn("/metronome 1", answer[header])
        peer.say("/metronome", 1)
        self.wait_until("the click is on", lambda: header not in self.head("/listen.opus?click=1"))
        peer.say("/metronome", 0)
        self.wait_until("the click is off", lambda: header in self.head("/listen.opus?click=1"))
        heard = run("listen", self.server.url("/listen.opus?click=1"), "--seconds", "0.2", "--out",
                    str(self.server.path / "click.wav"))
        self.assertIn("/metronome 1", heard.stderr)

    def head(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=10)
        try:
            connection.request("HEAD", path)
            return {k.lower(): v for k, v in connection.getresponse().getheaders()}
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main()
