import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { BeatLine } = await page("beat-line");

const mark = (bar, beat, time, bpm = 120) => ({ bar, beat, bpm, time });

test("nothing is known before a beat was told, and after it was forgotten", () => {
  const line = new BeatLine();
  assert.deepEqual([line.beatsAt(1000), line.timeOf(4), line.position(1000)], [null, null, null]);
  line.take(mark(1, 1, 1000));
  assert.equal(line.beatsAt(null), null);
  line.forget();
  assert.equal(line.beatsAt(1000), null);
});

test("between two beats the line leads from one to the other, whatever the tempo says", () => {
  const line = new BeatLine();
  line.take(mark(3, 4, 1000));
  line.take(mark(4, 1, 1600));
  assert.equal(line.beatsAt(1300), 11.5);
  assert.deepEqual(line.position(1450), { beats: 11.75, bar: 3, beat: 3, phase: 0.75 });
  // Behind the last one by its tempo: half a second a beat.
  assert.equal(line.beatsAt(1850), 12.5);
  assert.equal(line.timeOf(13), 2100);
});

test("a beat that is told again, as by another tempo, moves the line and is no new one", () => {
  const line = new BeatLine();
  line.take(mark(1, 1, 1000));
  line.take(mark(1, 2, 1500));
  line.take(mark(1, 2, 1480, 150));
  assert.equal(line.beatsAt(1480), 1);
  // Halfway between the two beats, not by the tempo of what is to come.
  assert.equal(line.beatsAt(1240), 0.5);
});

test("where a beat was lost, the tempo leads back from the next", () => {
  const line = new BeatLine();
  line.take(mark(1, 1, 1000));
  line.take(mark(1, 4, 2500));
  assert.equal(line.beatsAt(2250), 2.5);
});

test("a signature of eighths has beats of half the length", () => {
  const line = new BeatLine();
  line.signature = [7, 8];
  line.take(mark(2, 1, 1000));
  assert.equal(line.beatsAt(1250), 8);
  assert.deepEqual(line.position(999).bar, 1);
});

test("before bar 1 bars and beats count downwards", () => {
  const line = new BeatLine();
  line.take(mark(1, 1, 1000));
  assert.deepEqual(line.position(750), { beats: -0.5, bar: 0, beat: 3, phase: 0.5 });
});
