import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Latency } = await page("latency");
const { EndlessStream } = await page("endless-stream");
const { Ear } = await page("ear");
const { Hearing } = await page("hearing");
const { asWanted } = await page("whep-line");

// Timestamps in frames, 48 in a millisecond. The server's clock is 7 s ahead, and a message takes
// 10 ms to it.
function stage(start) {
  const latency = new Latency({ roundTrip: 20, server: (at) => at + 7000 });
  // Frame `start` is at 7 s of the server's clock, which is moment 0 here.
  if (start !== undefined) latency.takeFrame(start, 7000);
  return latency;
}
const heardLate = (milliseconds, start) => start + (1000 - milliseconds) * 48;

test("how late a tap is heard is not known before the room's frame is", () => {
  const latency = stage();
  assert.deepEqual([latency.frameOnArrival(1000), latency.tapToEar(1000, 5)], [null, null]);
});

test("how late a tap is heard is told by frames", () => {
  const latency = stage(0);
  assert.equal(latency.frameOnArrival(1000), 1010 * 48);
  // A tap at 1000 sounds 10 ms and 5 ms later; what is heard then was 60 ms before.
  assert.equal(latency.tapToEar(1000, heardLate(60, 0)), 75);
  assert.equal(latency.tapToEar(1000, null), null);
  latency.measure(1000, heardLate(60, 0));
  latency.measure(2000, null);
  assert.equal(latency.value, 75);
  latency.forget();
  assert.equal(latency.value, null);
});

// Of what is heard only the low 32 bits are known.
const TURN = 2 ** 32 - 1000 * 48;

test("frames are compared over the turn of timestamps, too", () => {
  assert.equal(stage(TURN).tapToEar(1100, (heardLate(60, TURN) + 100 * 48) % 2 ** 32), 75);
});

test("a hit goes by the ear only where the server takes it", () => {
  const latency = stage(TURN);
  assert.equal(latency.timestamp(1000, heardLate(60, TURN)), null, "nobody has joined");
  latency.join(900);
  const timestamp = 2 ** 32 - 60 * 48;
  assert.equal(latency.timestamp(1000, heardLate(60, TURN) + 2 ** 32), timestamp);
  assert.equal(latency.timestamp(1000, heardLate(60, TURN) - 2 ** 32), timestamp);
  // 60 and 15 make 75.
  assert.equal(latency.timestamp(970, heardLate(60, TURN) - 30 * 48), null, "heard before the player had joined");
  assert.equal(latency.timestamp(1000, heardLate(-11, TURN)), null, "heard before it sounds");
  latency.join(-5000);
  assert.deepEqual([1885, 1886].map((late) => latency.timestamp(1000, heardLate(late, TURN)) === null), [false, true]);
});

test("everybody is told of a delay that has changed enough, and not often", () => {
  const latency = stage(0);
  latency.join(0);
  const told = [[4, 0], [84, 0], [200, 3999], [84, 9000], [92, 9000], [93, 9000], [0, 14000]].map(([value, now]) => latency.tell(value, now));
  assert.deepEqual(told, [false, true, false, false, false, true, true]);
  latency.join(14100);
  assert.equal(latency.tell(84, 14100), true, "another player is told again");
});

test("the endless stream is heard from where it began, and begun again when it is late", () => {
  const stream = new EndlessStream();
  assert.equal(stream.query, null);
  stream.ask("mix", 1000);
  assert.equal(stream.heard(1500, 480000), null, "it does not play yet");
  stream.take(400, 2000);
  assert.deepEqual([stream.heard(2000, 480000), stream.heard(1990, 480000), stream.heard(2000, null)], [480000 + 400 * 48, 480000 + 390 * 48, null]);
  const late = [[3001, 13001], [3001, 13000], [3000, 20000], [null, 20000]].map(([latency, now]) => stream.isTooLate(latency, now));
  assert.deepEqual(late, [true, false, false, false]);
  stream.ask("cue", 20000);
  assert.deepEqual([stream.query, stream.heard(20500, 480000), stream.isTooLate(5000, 25000)], ["cue", null, false]);
});

test("the ear goes by the middle one of what came lately, so a decoder that runs ahead leads nobody astray", () => {
  const ear = new Ear();
  assert.equal(ear.heard(1000), null);
  for (const [at, ahead] of [[1000, 0], [1020, 0], [1040, 480], [1060, 0], [1080, 0]]) {
    ear.take([{ timestamp: at, rtpTimestamp: at * 48 + ahead }], at);
  }
  // Half a block of 10 ms was decoded and has not been played.
  assert.equal(ear.heard(1080), (1080 - 5) * 48);
  ear.takeFigures({ jitterBufferEmittedCount: 48_480, concealedSamples: 0, insertedSamplesForDeceleration: 0, removedSamplesForAcceleration: 0, totalSamplesReceived: 48_096 });
  assert.equal(ear.heard(1080), (1080 - 8) * 48);
});

// Each packet of 20 ms is looked at every 40; its block began `late` milliseconds later than it was played first.
const follow = (ear, from, count, late) => {
  for (let i = 0; i < count; i += 1) ear.take([{ timestamp: from + 40 * i, rtpTimestamp: (from + 40 * i - late(i)) * 48 }], from + 40 * i);
};

test("a jump of the stream's delay is seen within 200 ms, and is no browser that decodes ahead", () => {
  for (const jump of [120, -120, 40]) {
    const ear = new Ear();
    follow(ear, 1000, 20, () => 0);
    follow(ear, 1800, 4, () => jump);
    assert.equal(ear.heard(1960), (1960 - 5 - jump) * 48, `${jump} ms`);
  }
  const ear = new Ear();
  follow(ear, 1000, 40, (i) => (i % 5 > 2 ? -60 : 0));
  assert.equal(ear.heard(2000), (2000 - 5) * 48);
});

test("where the sound card takes several blocks at once, the newest of them lies before the middle one", () => {
  for (const [blocks, ahead] of [[1, 0], [2, 5], [4, 15]]) {
    const ear = new Ear();
    for (let now = 1000; now < 7000; now += 37) {
      const at = now - (now % (10 * blocks));
      // Some looks are held up.
      ear.take([{ timestamp: at, rtpTimestamp: at * 48 }], now + 2 + (now % 5 ? 0 : 9));
    }
    assert.equal(ear.heard(7000), (7000 - 5 - ahead) * 48, `${blocks} blocks`);
  }
});

test("the sound card's delay is what was added since the last figures, all of it", () => {
  const ear = new Ear();
  ear.take([{ timestamp: 1000, rtpTimestamp: 48000 }], 1000);
  const before = ear.heard(1000);
  const later = [];
  // In seconds, summed over samples: the first ones are only what the next are compared with.
  for (const [totalPlayoutDelay, totalSamplesCount] of [[100, 1000], [190, 2000], [190, 2000], [250, 3000]]) {
    ear.takePlayout({ totalPlayoutDelay, totalSamplesCount });
    later.push(Math.round((before - ear.heard(1000)) / 48));
  }
  assert.deepEqual(later, [0, 90, 90, 60]);
});

test("a browser that tells no delay of the line's playout is asked for its output's", () => {
  const late = (stats, latency) => {
    const hearing = new Hearing({ roundTrip: 20, server: (at) => at + 7000 });
    hearing.takeFrame(0, 7000);
    hearing.change({ hangUp() {}, takeFigures: () => true, sources: () => [{ timestamp: 1000, rtpTimestamp: 48000 }] });
    hearing.look(0, 1000);
    hearing.takeStats(new Map(Object.entries(stats)), 1000, () => latency);
    hearing.measure(1000);
    return hearing.latency;
  };
  const before = late({}, NaN);
  assert.equal(late({}, 180) - before, 180);
  assert.equal(late({ playout: { type: "media-playout", totalPlayoutDelay: 1, totalSamplesCount: 1 } }, 180) - before, 0);
});

test("an offer asks for stereo and for what was lost, once", () => {
  const sdp = (...lines) => ["v=0", "m=audio 9 UDP/TLS/RTP/SAVPF 111 0", "a=rtpmap:0 PCMU/8000", ...lines, ""].join("\r\n");
  const opus = "a=rtpmap:111 opus/48000/2";
  const plain = "a=fmtp:111 minptime=10;useinbandfec=1";
  assert.equal(asWanted(sdp(opus, plain)), sdp(opus, "a=rtcp-fb:111 nack", `${plain};stereo=1;sprop-stereo=1`));
  assert.equal(asWanted(sdp(opus)), sdp(opus, "a=fmtp:111 stereo=1;sprop-stereo=1", "a=rtcp-fb:111 nack"));
  const done = sdp(opus, "a=rtcp-fb:111 nack", "a=fmtp:111 stereo=1");
  assert.equal(asWanted(done), done);
  assert.equal(asWanted(sdp()), sdp());
});
