// A page's own hit in numbers, beside what the room and the engine compute.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { bodyOf, chance, fadeCurve, gainOf, isPlain, panGains, planOf, rest, roundOf, settingsOf, shapeOf } = await page("own-shape");

/** A sound of one channel, 48 kHz. */
const sound = (values, { loop = null, endsLoud = false } = {}) => ({
  hash: "a", loop, endsLoud,
  buffer: { sampleRate: 48000, length: values.length, numberOfChannels: 1, getChannelData: () => values },
});
const ones = (count) => new Float32Array(count).fill(1);
const found = (values, more) => ({ sound: sound(values, more), gain: 0.5 });
const near = (a, b, by = 1e-6) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

test("chance is the room's, to the bit", () => {
  // ChanceTests has the same numbers.
  const golden = {
    1: [2953000, 3955558, 1585933], 2: [7701871, 5906001, 11171549], 7: [8055572, 8441446, 13277684],
    1000: [12172617, 7204430, 6082674], 2147483647: [7903213, 12943496, 6200896],
  };
  for (const [number, bits] of Object.entries(golden)) {
    assert.deepEqual(["pan", "transpose", "gain"].map((stream) => chance(Number(number), stream)), bits.map((each) => each / 8388608 - 1));
  }
});

test("a pan keeps its power, and leaves the middle as it is", () => {
  near(panGains(0)[0], 1);
  near(panGains(0)[1], 1);
  assert.deepEqual([panGains(-1)[1], panGains(1)[0]], [0, 0]);
  near(panGains(7)[1], Math.SQRT2);
  for (const pan of [-0.7, 0.2, 0.9]) near(panGains(pan)[0] ** 2 + panGains(pan)[1] ** 2, 2);
});

test("decibels: −60 is silence", () => {
  assert.deepEqual([gainOf(-60), gainOf(0), gainOf(-1000)], [0, 1, 0]);
  near(gainOf(-6), 0.501187, 1e-6);
});

test("velocity counts squared, with the gain of the layer", () => {
  const shape = shapeOf(found(ones(10)), {}, 0.5, 3);
  near(shape.left, 0.125);
  near(shape.right, 0.125);
  assert.deepEqual([shape.level, shape.rate, shape.startFrame, shape.releaseFrames, shape.isGated, shape.voices], [1, 1, 0, 384, false, 8]);
});

test("randoms stray by the hit's number", () => {
  const shape = shapeOf(found(ones(10)), { panRandom: 1, transposeRandom: 12, gainRandom: 6 }, 1, 7);
  near(shape.rate, 2 ** chance(7, "transpose"), 1e-9);
  const strength = 0.5 * gainOf(6 * chance(7, "gain"));
  near(shape.left, panGains(chance(7, "pan"))[0] * strength);
});

test("settings come from what the room tells", () => {
  const told = { "/pad/3/gain": -6, "/pad/3/gain/random": 2, "/pad/3/mode": "gate", "/pad/3/mute": true };
  const settings = settingsOf((address, otherwise) => told[address] ?? otherwise, 3);
  assert.deepEqual([settings.gain, settings.gainRandom, settings.mode, settings.voices, settings.decay], [-6, 2, "gate", 8, 0]);
  assert.equal(shapeOf(found(ones(10)), settings, 1, 1).level, 0, "the pad is muted");
});

test("a fade begins at 1 and ends at 0, and is half at half the time", () => {
  for (const length of [48, 96, 240, 480]) {
    assert.deepEqual([rest(length, length), rest(0, length)], [1, 0]);
    near(rest(length / 2, length), 0.5);
  }
  const curve = fadeCurve(0.01, 0.8);
  near(curve[0], 0.8);
  assert.equal(curve.at(-1), 0);
});

test("a whole sound is played as it was decoded", () => {
  const given = found(ones(1000));
  const shape = shapeOf(given, {}, 1, 1);
  assert.ok(isPlain(planOf(given.sound, shape), shape));
});

test("a sound that starts in its middle fades in within a millisecond", () => {
  const given = found(ones(4800));
  const shape = shapeOf(given, { start: 50 }, 1, 1);
  const plan = planOf(given.sound, shape);
  const [body] = bodyOf(given.sound, shape, plan);
  assert.equal(body.length, 2400);
  assert.deepEqual([body[0], body[48]], [0, 1]);
  near(body[24], 0.5);
  assert.equal(planOf(given.sound, shapeOf(given, { start: 100 }, 1, 1)), null, "nothing is left of it");
});

test("a decay fades over ten milliseconds more", () => {
  const given = found(ones(48000));
  const shape = shapeOf(given, { decay: 100 }, 1, 1);
  const [body] = bodyOf(given.sound, shape, planOf(given.sound, shape));
  assert.equal(body.length, 4800 + 480);
  assert.deepEqual([body[4799], body[4800]], [1, 1]);
  near(body[4800 + 240], 0.5);
  assert.ok(body.at(-1) < 1e-4);
});

test("a decay of a held hit is left to a gain, for a release takes its place", () => {
  const given = found(ones(48000));
  const shape = shapeOf(given, { decay: 100, mode: "gate" }, 1, 1);
  assert.equal(planOf(given.sound, shape).untilFade, Infinity);
});

test("an end that would click is faded over two milliseconds", () => {
  const given = found(ones(4800), { endsLoud: true });
  const shape = shapeOf(given, {}, 1, 1);
  const plan = planOf(given.sound, shape);
  assert.deepEqual([plan.untilFade, plan.fade, plan.frames], [4704, 96, 4800]);
  const [body] = bodyOf(given.sound, shape, plan);
  assert.equal(body[4704], 1);
  near(body[4752], 0.5);
});

test("a transposed sound lasts as long as its rate says, at its own loudness", () => {
  const values = Float32Array.from({ length: 4800 }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / 48000));
  for (const semitones of [-12, -5, 3, 7, 12, 24]) {
    const given = found(values);
    const shape = shapeOf(given, { transpose: semitones }, 1, 1);
    const plan = planOf(given.sound, shape);
    assert.equal(plan.frames, Math.ceil(4800 / 2 ** (semitones / 12)));
    const [body] = bodyOf(given.sound, shape, plan);
    let worst = 0;
    for (let i = 200; i < body.length - 200; i += 1) worst = Math.max(worst, Math.abs(body[i] - Math.sin((2 * Math.PI * 1000 * i * shape.rate) / 48000)));
    assert.ok(worst < 0.003, `${semitones} semitones: ${worst}`);
  }
});

test("a loop's round ends in what lies in front of its beginning", () => {
  const values = Float32Array.from({ length: 9600 }, (_, i) => i / 9600);
  const given = found(values, { loop: [4800, 9600] });
  const shape = shapeOf(given, { mode: "gate" }, 1, 1);
  const plan = planOf(given.sound, shape);
  assert.deepEqual(plan.loop, [4800, 9600]);
  const [body] = roundOf(given.sound, plan);
  near(body[9599], values[4799], 0.003);
  assert.equal(body[9360], values[9360]);
  assert.equal(planOf(given.sound, shapeOf(given, {}, 1, 1)).loop, null, "a hit that nobody holds does not go round");
});
