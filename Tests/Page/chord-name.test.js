// The chord that all players' notes are together.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Chord, chordOf } = await page("chord-name");
const { scaleOf } = await page("notes");

const C = scaleOf("C D E F G A B");
const Eb = scaleOf("Eb F G Ab Bb C D");

test("chords have the names that musicians write, whatever the order and the octave", () => {
  const names = [
    [[60, 64, 67], "C"], [[67, 60, 76], "C"], [[57, 60, 64], "Am"], [[55, 59, 62, 65], "G7"], [[57, 60, 64, 67], "Am7"],
    [[60, 64, 67, 69], "C6"], [[60, 64, 67, 71], "Cmaj7"], [[64, 67, 72], "C/E"], [[59, 62, 65], "Bdim"], [[60, 64, 70], "C7"],
    [[55, 60, 62], "Gsus4"], [[60, 67], "C5"], [[59, 62, 65, 69], "Bm7b5"],
  ];
  for (const [notes, name] of names) assert.equal(chordOf(notes, C), name, String(notes));
});

test("one note, a second, and notes that are no chord have no name", () => {
  for (const notes of [[], [60], [60, 72], [60, 61], [60, 61, 62], [67, 72]]) assert.equal(chordOf(notes, C), "", String(notes));
});

test("notes are written as the room's key has them", () => {
  assert.equal(chordOf([63, 67, 70], Eb), "Eb");
  assert.equal(chordOf([56, 60, 63], Eb), "Ab");
});

test("a chord of several players stays for a moment behind its last note", () => {
  const chord = new Chord();
  chord.take("ann", 60, true);
  assert.equal(chord.name(C, 0, 4000), "");
  chord.take("bob", 64, true);
  chord.take("bob", 67, true);
  assert.equal(chord.name(C, 100, 4000), "C");
  for (const [player, note] of [["ann", 60], ["bob", 64], ["bob", 67]]) chord.take(player, note, false);
  assert.equal(chord.name(C, 200, 4000), "C");
  assert.equal(chord.name(C, 4200, 4000), "");
  chord.take("ann", 57, true);
  chord.take("ann", 60, true);
  chord.take("ann", 64, true);
  assert.equal(chord.name(C, 5000, 4000), "Am");
  chord.clear();
  assert.equal(chord.name(C, 5001, 4000), "");
});
