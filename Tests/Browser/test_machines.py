"""The page's machines by themselves: imported, fed with values and moments, and asked what they decide."""

import unittest

from case import BrowserCase

DIALLER = """async () => {
  const { Dialler } = await import("/dialler.js");
  const blocked = { isConnected: true, asksCue: false };
  const found = {};
  const dialler = new Dialler();
  const first = dialler.begin();
  const second = dialler.begin();
  found.counting = [dialler.counts(first), dialler.counts(second), dialler.failed(first, blocked).act];
  dialler.end(first);
  found.olderEnded = dialler.isDialling;
  dialler.end(second);
  found.newestEnded = dialler.isDialling;
  found.waits = Array.from({ length: 6 }, () => dialler.failed(dialler.begin(), blocked).again);
  dialler.forgive();
  found.forgiven = dialler.failed(dialler.begin(), blocked);
  const answers = (facts) => dialler.failed(dialler.begin(), { ...blocked, ...facts });
  found.refused = answers({ status: 403 });
  found.broken = answers({ status: 500 });
  dialler.forgive();
  found.noCue = answers({ status: 503, asksCue: true });
  found.serverGone = answers({ isConnected: false });
  found.blockedCue = answers({ asksCue: true });
  const last = dialler.begin();
  dialler.hangUp();
  found.hungUp = [dialler.counts(last), dialler.isDialling, dialler.failed(last, blocked).act];
  return found;
}"""

# Timestamps in frames, 48 in a millisecond. The server's clock is 7 s ahead, and a message takes 10 ms to it.
LATENCY = """async () => {
  const { Latency } = await import("/latency.js");
  const clock = { roundTrip: 20, server: (at) => at + 7000 };
  const found = {};
  const latency = new Latency(clock);
  // Frame `start` is at 7 s of the server's clock, which is moment 0 here.
  const origin = (start) => latency.takeFrame(start, 7000);
  const heardLate = (milliseconds, start) => start + (1000 - milliseconds) * 48;
  found.unknown = [latency.frameOnArrival(1000), latency.tapToEar(1000, 5)];
  origin(0);
  found.onArrival = latency.frameOnArrival(1000);
  // A tap at 1000 sounds at 1000, and 10 ms and 5 ms later; what is heard then was 60 ms before.
  found.late = latency.tapToEar(1000, heardLate(60, 0));
  found.notHeard = latency.tapToEar(1000, null);
  latency.measure(1000, heardLate(60, 0));
  latency.measure(2000, null);
  found.kept = latency.value;
  latency.forget();
  found.forgotten = latency.value;
  // Of what is heard only the low 32 bits are known.
  const turn = 2 ** 32 - 1000 * 48;
  origin(turn);
  found.overTheTurn = latency.tapToEar(1100, (heardLate(60, turn) + 100 * 48) % 2 ** 32);
  found.notJoined = latency.timestamp(1000, heardLate(60, turn));
  latency.join(900);
  found.timestamp = latency.timestamp(1000, heardLate(60, turn) + 2 ** 32);
  found.low = latency.timestamp(1000, heardLate(60, turn) - 2 ** 32);
  // 60 and 15 make 75; then a tap that was heard before the player had joined, one from the future, and two at the limit.
  found.beforeJoining = latency.timestamp(970, heardLate(60, turn) - 30 * 48);
  found.early = latency.timestamp(1000, heardLate(-11, turn));
  latency.join(-5000);
  found.most = [1885, 1886].map((late) => latency.timestamp(1000, heardLate(late, turn)) === null);
  latency.join(0);
  found.told = [[4, 0], [84, 0], [200, 3999], [84, 9000], [92, 9000], [93, 9000], [0, 14000]].map(([value, now]) => latency.tell(value, now));
  latency.join(14100);
  found.toldToAnother = latency.tell(84, 14100);
  return found;
}"""

STREAM = """async () => {
  const { EndlessStream } = await import("/endless-stream.js");
  const stream = new EndlessStream();
  const found = { begin: stream.query };
  stream.ask("mix", 1000);
  found.silent = stream.heard(1500, 480000);
  stream.take(400, 2000);
  found.played = [stream.heard(2000, 480000), stream.heard(1990, 480000), stream.heard(2000, null)];
  found.late = [[3001, 13001], [3001, 13000], [3000, 20000], [null, 20000]].map(([latency, now]) => stream.isTooLate(latency, now));
  stream.ask("cue", 20000);
  found.again = [stream.query, stream.heard(20500, 480000), stream.isTooLate(5000, 25000)];
  return found;
}"""

OFFERS = r"""async () => {
  const { asWanted } = await import("/whep-line.js");
  const sdp = (...lines) => ["v=0", "m=audio 9 UDP/TLS/RTP/SAVPF 111 0", "a=rtpmap:0 PCMU/8000", ...lines, ""].join("\r\n");
  const opus = "a=rtpmap:111 opus/48000/2";
  const found = {};
  found.plain = asWanted(sdp(opus, "a=fmtp:111 minptime=10;useinbandfec=1")) === sdp(opus, "a=rtcp-fb:111 nack",
    "a=fmtp:111 minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1");
  found.bare = asWanted(sdp(opus)) === sdp(opus, "a=fmtp:111 stereo=1;sprop-stereo=1", "a=rtcp-fb:111 nack");
  const done = sdp(opus, "a=rtcp-fb:111 nack", "a=fmtp:111 stereo=1");
  found.done = asWanted(done) === done;
  found.other = asWanted(sdp()) === sdp();
  return found;
}"""

PLAYOUT = """async () => {
  const { Ear } = await import("/ear.js");
  const ear = new Ear();
  ear.take([{ timestamp: 1000, rtpTimestamp: 48000 }], 1000);
  const figures = (seconds, count) => ({ totalPlayoutDelay: seconds, totalSamplesCount: count });
  const before = ear.heard(1000);
  const later = () => (before - ear.heard(1000)) / 48;
  const found = [];
  // In seconds, summed over samples: the first ones are only what the next are compared with.
  for (const [delay, count] of [[100, 1000], [190, 2000], [190, 2000], [250, 3000]]) {
    ear.takePlayout(figures(delay, count));
    found.push(Math.round(later()));
  }
  return found;
}"""

# One hand: its block lies on the list, or in slot "a" of a lane.
GESTURE = """async () => {
  const { BlockGesture } = await import("/block-gesture.js");
  const listed = { name: "rock", from: null };
  const lane = { name: "rock", from: "a" };
  const none = () => false;
  // Steps: [time, x, y] from the touch at 0, 0; then it is let go of at `end` over `target`.
  const play = (block, isMouse, steps, end, target = null) => {
    const gesture = new BlockGesture();
    const acts = [gesture.down(1, [0, 0], 0, { block, isMouse, focused: null })];
    for (const [time, x, y] of steps) acts.push(x === "hold" ? gesture.lift() ?? "held" : gesture.move(1, [x, y], time, none));
    return [...acts, gesture.up(1, end, target)?.act ?? null].join(" ");
  };
  const found = {};
  found.tap = play(listed, false, [[10, 3, 4]], 90);
  found.held = [150, 149].map((time) => play(listed, false, [[time, 20, 0]], 400, "b"));
  found.mouse = play(listed, true, [[10, 3, 0], [20, 0, 8], [30, 0, 50]], 400, "b");
  found.heldStill = play(listed, false, [[150, "hold"], [160, 2, 2]], 400);
  found.nowhere = play(listed, true, [[10, 0, 50]], 400);
  found.pan = play(lane, false, [[50, 30, 5]], 90, "a");
  found.heldOnLane = [200, 199].map((time) => play(lane, false, [[time, 30, 5]], 400, "b"));
  found.pullUp = play(lane, false, [[50, 5, -30], [310, 0, -60]], 310, "b");
  found.flick = [[50, 5, -60], [50, 5, -39]].map((step) => play(lane, false, [step], 299, "b"));
  found.slowFlick = play(lane, false, [[50, 5, -60]], 300);
  found.mouseFlick = play(lane, true, [[50, 5, -60]], 100);
  found.listFlick = play(listed, false, [[150, 0, -60]], 299);
  const gesture = new BlockGesture();
  found.noBlock = [gesture.down(1, [0, 0], 0, { block: null, isMouse: false, focused: null }), gesture.move(1, [50, 50], 10, none), gesture.up(1, 20, null)];
  gesture.down(1, [0, 0], 0, { block: lane, isMouse: false, focused: null });
  found.otherFinger = [gesture.move(2, [50, 50], 500, none), gesture.up(2, 510, "b"), gesture.cancel(2), gesture.holds];
  gesture.move(1, [0, 50], 500, none);
  found.leaves = [gesture.holds, gesture.leaves(null, 500), gesture.leaves("b", 500), gesture.leaves("b", 100)];
  found.cancelled = [gesture.cancel(1), gesture.holds, gesture.up(1, 600, "b")];
  return found;
}"""

PINCH = """async () => {
  const { BlockGesture } = await import("/block-gesture.js");
  const lane = { name: "rock", from: "a" };
  // Two fingers, `width` apart, of which the first one is on slot "a"; then the second one moves.
  const pinch = (focused, first, second, ...widths) => {
    const gesture = new BlockGesture();
    const facts = (block) => ({ block, isMouse: false, focused });
    gesture.down(1, [0, 0], 0, facts(first));
    const found = [gesture.down(2, [100, 0], 10, facts(second)), gesture.holds];
    for (const width of widths) found.push(gesture.move(2, [width, 0], 20, (slot) => slot === focused)?.focus ?? null);
    return [...found, gesture.holds, gesture.up(1, 30, "b")];
  };
  return {
    outwards: pinch(null, lane, null, 130, 131, 200),
    inwards: pinch("z", null, null, 76, 75, 74),
    alreadyFocused: pinch("a", lane, null, 200),
    onTheSecond: pinch(null, null, lane, 131),
    nothing: pinch(null, null, null, 200),
    letGo: (() => {
      const gesture = new BlockGesture();
      for (const id of [1, 2]) gesture.down(id, [id, 0], 0, { block: lane, isMouse: false, focused: null });
      const held = gesture.holds;
      gesture.forgetFingers();
      return [held, gesture.holds, gesture.move(2, [100, 0], 10, () => false)];
    })(),
  };
}"""

PLACES = """async () => {
  const { nearestSlot, scrollUnder } = await import("/block-gesture.js");
  const box = (left, top, width = 100, height = 40) => ({ left, top, width, height, right: left + width, bottom: top + height });
  const slots = [["a", box(0, 0)], ["b", box(100, 0)], ["unseen", box(60, 0, 0)]];
  return {
    slots: [[50, 20], [99, 20], [101, 20], [60, 20], [50, 89], [50, 91], [250, 20]].map((place) => nearestSlot(place, slots)),
    scrolls: [500, 156, 152, 144, 50, 844, 852, 1000].map((place) => scrollUnder(place, 100, 900)),
  };
}"""


class MachineTests(BrowserCase):
    def ask(self, script):
        return self.open().evaluate(script)

    def test_only_the_newest_dial_counts_and_a_failed_one_is_followed_by_another_ever_later(self):
        found = self.ask(DIALLER)
        self.assertEqual(found["counting"], [False, True, "nothing"])
        self.assertEqual((found["olderEnded"], found["newestEnded"]), (True, False))
        self.assertEqual(found["waits"], [10_000, 20_000, 40_000, 80_000, 120_000, 120_000])
        self.assertEqual(found["forgiven"], {"act": "listen from afar", "again": 10_000})
        self.assertEqual(found["hungUp"], [False, False, "nothing"])

    def test_what_a_failed_dial_leads_to_depends_on_who_refused_it(self):
        found = self.ask(DIALLER)
        self.assertEqual(found["refused"], {"act": "listen from afar", "again": None})
        self.assertEqual(found["broken"], {"act": "listen from afar", "again": 40_000})
        self.assertEqual(found["noCue"], {"act": "keep the mix"})
        self.assertEqual(found["serverGone"], {"act": "wait"})
        # Neither a cue that is not to be had nor a server that is gone is a failure of the network.
        self.assertEqual(found["blockedCue"], {"act": "listen from afar", "again": 10_000})

    def test_how_late_a_tap_is_heard_is_told_by_frames_also_over_the_turn_of_timestamps(self):
        found = self.ask(LATENCY)
        self.assertEqual(found["unknown"], [None, None])
        self.assertEqual(found["onArrival"], 1_010 * 48)
        self.assertEqual((found["late"], found["notHeard"]), (75, None))
        self.assertEqual((found["kept"], found["forgotten"]), (75, None))
        self.assertEqual(found["overTheTurn"], 75)

    def test_a_hit_goes_by_the_ear_only_where_the_server_takes_it(self):
        found = self.ask(LATENCY)
        timestamp = 2**32 - 60 * 48
        self.assertEqual((found["timestamp"], found["low"]), (timestamp, timestamp))
        self.assertIsNone(found["notJoined"])
        self.assertIsNone(found["beforeJoining"])
        self.assertIsNone(found["early"])
        self.assertEqual(found["most"], [False, True])

    def test_everybody_is_told_of_a_delay_that_has_changed_enough_and_not_often(self):
        found = self.ask(LATENCY)
        self.assertEqual(found["told"], [False, True, False, False, False, True, True])
        self.assertTrue(found["toldToAnother"])

    def test_the_endless_stream_is_heard_from_where_it_began_and_begun_again_when_it_is_late(self):
        found = self.ask(STREAM)
        self.assertEqual((found["begin"], found["silent"]), (None, None))
        self.assertEqual(found["played"], [480_000 + 400 * 48, 480_000 + 390 * 48, None])
        self.assertEqual(found["late"], [True, False, False, False])
        self.assertEqual(found["again"], ["cue", None, False])

    def test_an_offer_asks_for_stereo_and_for_what_was_lost_once(self):
        self.assertEqual(self.ask(OFFERS), {"plain": True, "bare": True, "done": True, "other": True})

    def test_the_sound_cards_delay_is_what_was_added_since_the_last_figures(self):
        # 90 ms and 60 ms, of which the hand makes up for 40.
        self.assertEqual(self.ask(PLAYOUT), [0, 50, 50, 20])

    def test_a_hand_hears_moves_pans_or_takes_off_a_block_by_how_it_moves_and_when(self):
        found = self.ask(GESTURE)
        self.assertEqual(found["tap"], "take  hear")
        self.assertEqual(found["held"], ["take lift put", "take scroll "])
        self.assertEqual(found["mouse"], "take  lift carry put")
        self.assertEqual(found["heldStill"], "take held carry hear")
        self.assertEqual(found["nowhere"], "take lift nothing")
        self.assertEqual(found["pan"], "take scroll ")
        self.assertEqual(found["heldOnLane"], ["take lift put", "take scroll "])
        self.assertEqual(found["pullUp"], "take lift carry put")
        self.assertEqual(found["flick"], ["take lift flick", "take lift put"])
        self.assertEqual(found["slowFlick"], "take lift take off")
        self.assertEqual(found["mouseFlick"], "take lift take off")
        self.assertEqual(found["listFlick"], "take lift nothing")
        self.assertEqual(found["noBlock"], [None, None, None])
        self.assertEqual(found["otherFinger"], [None, None, False, False])
        self.assertEqual(found["leaves"], [True, True, False, True])
        self.assertEqual(found["cancelled"], [True, False, None])

    def test_two_fingers_focus_on_a_block_outwards_and_end_it_inwards(self):
        found = self.ask(PINCH)
        self.assertEqual(found["outwards"], ["pinch", True, None, "a", None, False, None])
        self.assertEqual(found["inwards"], ["pinch", True, None, None, "z", False, None])
        self.assertEqual(found["alreadyFocused"], ["pinch", True, None, True, None])
        self.assertEqual(found["onTheSecond"], ["pinch", True, "a", False, None])
        self.assertEqual(found["nothing"], [None, False, None, False, None])
        self.assertEqual(found["letGo"], [True, False, None])

    def test_a_block_goes_into_the_nearest_slot_in_sight_and_what_scrolls_goes_on_at_its_edges(self):
        found = self.ask(PLACES)
        self.assertEqual(found["slots"], ["a", "a", "b", "a", "a", None, None])
        # A quarter of how far it is beyond 56 pixels from the edge, and 14 at most.
        self.assertEqual(found["scrolls"], [0, 0, -1, -3, -14, 0, 2, 14])


if __name__ == "__main__":
    unittest.main()
