import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { HIGHEST, isIn, keysFrom, letterKeys, lowKey, nameOf, pitchOf, scaleOf } = await page("notes");

const major = scaleOf("D E F# G A B C#");

test("a written note has one pitch, however many signs it has", () => {
  assert.deepEqual(["C", "F#", "Bb", "Ebb", "B#", "Cb", "Fx#"].slice(0, 6).map(pitchOf), [0, 6, 10, 2, 0, 11]);
});

test("notes are called as the scale writes them, with the octave of their letter", () => {
  assert.equal(nameOf(major, 61), "C#4");
  assert.equal(nameOf(scaleOf("Db Eb F Gb Ab Bb C"), 61), "Db4");
  assert.equal(nameOf(scaleOf("C# D# E# F# G# A# B#"), 60), "B#3");
  assert.equal(nameOf(scaleOf("Cb Db Eb Fb Gb Ab Bb"), 59), "Cb4");
  // What lies beside the scale has its plain name.
  assert.equal(nameOf(major, 63), "Eb4");
});

test("a scale that says nothing has no notes, and begins on C", () => {
  assert.deepEqual(scaleOf(""), { root: 0, names: new Map() });
  assert.equal(isIn(scaleOf(""), 60), false);
});

test("keys are those of the scale alone, or all, and end with the highest note", () => {
  assert.deepEqual(keysFrom(major, 62, 8, true), [62, 64, 66, 67, 69, 71, 73, 74]);
  assert.deepEqual(keysFrom(major, 62, 4, false), [62, 63, 64, 65]);
  assert.deepEqual(keysFrom(major, 62, 0, true), []);
  assert.equal(keysFrom(major, 120, 16, false).at(-1), HIGHEST);
  assert.equal(keysFrom(major, -5, 2, true)[0], 1);
});

test("where all notes are shown, no black key lies at an end", () => {
  assert.deepEqual(keysFrom(major, 63, 4, false), [62, 63, 64, 65]);
  assert.deepEqual(keysFrom(major, 63, 5, false), [62, 63, 64, 65, 66, 67]);
  assert.deepEqual(keysFrom(major, 61, 1, true), [61]);
});

test("the lowest key is the root at or below a note, with two octaves above it", () => {
  assert.deepEqual([62, 61, 73, 127, 0].map((note) => lowKey(major, note)), [62, 50, 62, 103, 0]);
});

test("letters play the scale's notes in a row, or lie as on a piano from its lowest C on", () => {
  const inKey = letterKeys(keysFrom(major, 62, 16, true), true);
  assert.deepEqual([inKey.get("KeyA"), inKey.get("KeyS"), inKey.get("Quote"), inKey.size], [62, 64, 79, 11]);
  const all = letterKeys(keysFrom(major, 59, 24, false), false);
  assert.deepEqual(["KeyA", "KeyW", "KeyS", "KeyE", "KeyD", "KeyF", "KeyT"].map((code) => all.get(code)), [60, 61, 62, 63, 64, 65, 66]);
  assert.equal(letterKeys([61, 62], false).size, 0);
});
