// What becomes of a sound that a hand has recorded: its part that sounds, its pitch, and its note.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { gainFor, nearestNote, pitchIn, soundingPart, transposed } = await page("sample-shape");

const RATE = 48000;

/// Noise of a seed: the same in each run.
function noise(count, loud, seed = 1) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return loud * (state / 2 ** 31 - 1);
  });
}

/// A voice: a tone with overtones, and a little noise.
function voice(hertz, seconds, loud = 0.3) {
  const hiss = noise(Math.round(seconds * RATE), 0.002);
  return hiss.map((value, i) => value + loud * [1, 0.6, 0.4, 0.3].reduce((sum, part, n) => sum + part * Math.sin((2 * Math.PI * hertz * (n + 1) * i) / RATE + n), 0) / 2.3);
}

const joined = (...parts) => Float32Array.from(parts.flatMap((part) => [...part]));

test("noise before and behind a sound is cut off, and a finger's tap at the beginning", () => {
  const tap = noise(RATE * 0.006, 0.2, 5);
  const sound = joined(noise(RATE * 0.1, 0.002), tap, noise(RATE * 0.4, 0.002), voice(220, 0.5), noise(RATE * 0.5, 0.002));
  const { from, to, peak } = soundingPart([sound], RATE);
  assert.ok(Math.abs(from / RATE - 0.506) < 0.02, `begins at ${from / RATE}`);
  assert.ok(to / RATE > 1.0 && to / RATE < 1.08, `ends at ${to / RATE}`);
  assert.ok(peak > 0.2);
});

test("a sound that is loud throughout stays whole, and silence is none", () => {
  const whole = voice(110, 0.4);
  const { from, to } = soundingPart([whole], RATE);
  assert.ok(from < RATE * 0.01 && to > whole.length - RATE * 0.01);
  assert.equal(soundingPart([new Float32Array(RATE)], RATE), null);
  assert.equal(soundingPart([noise(RATE, 0.002)], RATE), null);
  assert.equal(soundingPart([new Float32Array(0)], RATE), null);
});

test("a short clap is a sound, too", () => {
  const clap = noise(RATE * 0.05, 0.5, 3).map((value, i) => value * Math.exp(-i / (RATE * 0.012)));
  const { from, to } = soundingPart([joined(noise(RATE * 0.3, 0.002), clap, noise(RATE * 0.3, 0.002))], RATE);
  assert.ok(Math.abs(from / RATE - 0.3) < 0.02 && to / RATE < 0.42);
});

test("the pitch of a voice is found to a few hundredths of a semitone, at any rate", () => {
  for (const hertz of [82.4, 110, 146.8, 220, 331, 452, 660]) {
    const found = pitchIn([voice(hertz, 0.6)], RATE);
    assert.ok(Math.abs(12 * Math.log2(found / hertz)) < 0.05, `${hertz} was heard as ${found}`);
  }
  const slow = Float32Array.from({ length: 22050 }, (_, i) => Math.sin((2 * Math.PI * 220 * i) / 44100));
  assert.ok(Math.abs(pitchIn([slow, slow], 44100) - 220) < 1);
});

test("noise, a clap, a glide and a moment have no pitch", () => {
  assert.equal(pitchIn([noise(RATE, 0.4)], RATE), null);
  const glide = Float32Array.from({ length: RATE }, (_, i) => 0.4 * Math.sin(2 * Math.PI * (120 * (i / RATE) + (400 * (i / RATE) ** 2) / 2)));
  assert.equal(pitchIn([glide], RATE), null);
  assert.equal(pitchIn([voice(220, 0.03)], RATE), null);
});

test("a pitch goes to the nearest note of the scale, and by a semitone at most", () => {
  const major = [0, 2, 4, 5, 7, 9, 11];
  assert.equal(nearestNote(440, major).note, 69);
  assert.ok(Math.abs(nearestNote(452, major).semitones + 0.466) < 0.01);
  // A little below B flat: that is no note of C major, so A or B, whichever is nearer.
  assert.equal(nearestNote(462, major).note, 69);
  assert.equal(nearestNote(470, major).note, 71);
  // No note of the scale is near: every note counts.
  assert.equal(nearestNote(440, [0]).note, 69);
  assert.equal(nearestNote(262, []).note, 60);
});

test("what is transposed has the new pitch, and its length", () => {
  const tone = voice(452, 0.5);
  const { semitones } = nearestNote(452, [9]);
  const moved = transposed(tone, semitones);
  assert.ok(Math.abs(pitchIn([moved], RATE) - 440) < 0.5);
  assert.equal(moved.length, Math.floor(tone.length / 2 ** (semitones / 12)));
  const still = transposed(tone, 0);
  assert.ok(still.every((value, i) => Math.abs(value - tone[i]) < 1e-6));
});

test("a soft recording becomes louder, by 24 dB at most, and a loud one softer", () => {
  assert.equal(gainFor(0.708), 1);
  assert.ok(gainFor(1) < 1);
  assert.equal(gainFor(0.004), 16);
});
