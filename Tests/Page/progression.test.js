import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Place, chordsOf, rootsOf } = await page("progression");
const { pitchOf, scaleOf } = await page("notes");

const C = scaleOf("C D E F G A B");
const A_MINOR = scaleOf("A B C D E F G");
const roots = (text, scale, isBlues) => rootsOf(chordsOf(text), scale, isBlues);
const pitches = (text) => text.split(" ").map(pitchOf);

test("chords stand between spaces, commas, hyphens, arrows and bar lines, without their beats", () => {
  for (const text of ["Am F C G", "Am, F, C, G", "Am-F-C-G", "Am – F → C; G", "| Am F | C:2 G:0.5 |", " Am>F>C>G "]) {
    assert.deepEqual(chordsOf(text), ["Am", "F", "C", "G"], text);
  }
  assert.deepEqual(chordsOf(""), []);
});

test("a repeat is the chord before, in another bar too", () => {
  assert.deepEqual(chordsOf("Am % | %:2 F^1"), ["Am", "Am", "Am", "F^1"]);
  assert.deepEqual(chordsOf("% C"), ["%", "C"]);
});

test("roots are notes, degrees of the scale, or numerals of its major or minor", () => {
  assert.deepEqual(roots("Am F#m7b5 Bb/D G♯dim7", C), pitches("A F# Bb G#"));
  assert.deepEqual(roots("1 5 6 47", A_MINOR), pitches("A E F D"));
  assert.deepEqual(roots("I V vi IV bVII iiø7 V7sus4/5", C), pitches("C G A F Bb D G"));
  assert.deepEqual(roots("i VI III VII iv6 V7#9 vii°7 bVI", A_MINOR), pitches("A F C G D E G# F"));
  assert.deepEqual(roots("17 Q", scaleOf("C D E G A")), [0, null]);
});

test("numerals follow the relative key where the scale has the other third, and not in a blues", () => {
  assert.deepEqual(roots("I V vi IV", A_MINOR), pitches("C G A F"));
  assert.deepEqual(roots("i VI III VII", C), pitches("A F C G"));
  assert.deepEqual(roots("I7 IV7 V7", scaleOf("C Eb F Gb G Bb"), true), pitches("C F G"));
});

test("a chord that belongs to another one counts from there", () => {
  assert.deepEqual(roots("V7/ii V7/V vii°7/V I/3", C), pitches("A D F# C"));
  assert.deepEqual(roots("i V7/VI vi7/5", A_MINOR), pitches("A C F"));
});

const walk = (place, names) => names.map((name) => {
  place.hear(name);
  return place.index;
});

function placed(text, scale = C) {
  const place = new Place();
  place.see(chordsOf(text), roots(text, scale));
  return place;
}

test("from its beginning on, chords are lit in their order, whatever they are called", () => {
  const place = placed("I7 IV7 I7 I7");
  place.begin();
  assert.equal(place.index, null);
  assert.deepEqual(walk(place, ["C7", "F7", "C7", "C7", "C7", "F7"]), [0, 1, 2, 3, 0, 1]);
  place.rest();
  assert.equal(place.index, null);
});

test("whoever comes in the middle finds the chord by its name, or by the next ones", () => {
  assert.deepEqual(walk(placed("I V vi IV"), ["Am", "F", "C"]), [2, 3, 0]);
  assert.deepEqual(walk(placed("I7 IV7 I7 I7 IV7 IV7"), ["F7", "F7", "C7"]), [null, 5, 0]);
});

test("after a gap the names say where it is, and other chords begin unknown", () => {
  const place = placed("C Am F G");
  place.begin();
  assert.deepEqual(walk(place, ["C", "F", "G"]), [0, 2, 3]);
  place.see(["F", "G"], [5, 7]);
  assert.equal(place.index, null);
  assert.deepEqual(walk(place, ["G"]), [1]);
});

test("in another key the order holds, though a chord's name is the old key's", () => {
  const place = placed("I V vi IV");
  assert.deepEqual(walk(place, ["G"]), [1]);
  place.see(chordsOf("I V vi IV"), roots("I V vi IV", scaleOf("D E F# G A B C#")));
  assert.deepEqual([place.index, ...walk(place, ["Bm", "G"])], [1, 2, 3]);
});
