import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { playsPad, shapesKeys } = await page("midi-target");

const auto = { choice: "auto", lowest: 36, isOpen: false, areDrums: true };

test("by itself a device plays the pads with sixteen notes, and keys with the others", () => {
  assert.deepEqual([35, 36, 51, 52, 60].map((note) => playsPad(auto, 0, note, false)), [false, true, true, false, false]);
  assert.deepEqual([47, 48].map((note) => playsPad({ ...auto, lowest: 48 }, 0, note, false)), [false, true]);
});

test("while the keys are open, or the pads are a keyboard, all notes are keys", () => {
  assert.equal(playsPad({ ...auto, isOpen: true }, 0, 40, false), false);
  assert.equal(playsPad({ ...auto, areDrums: false }, 0, 40, false), false);
});

test("channel 10 is the drums', but not of a device with a channel for each note", () => {
  for (const isOpen of [false, true]) {
    assert.equal(playsPad({ ...auto, isOpen }, 9, 40, false), true);
    assert.equal(playsPad({ ...auto, isOpen }, 9, 60, true), false);
  }
  assert.deepEqual([shapesKeys("auto", 9, false), shapesKeys("auto", 9, true), shapesKeys("auto", 0, false)], [false, true, true]);
});

test("what was chosen holds for every note", () => {
  for (const note of [36, 60]) {
    for (const isOpen of [false, true]) {
      assert.equal(playsPad({ ...auto, choice: "pads", isOpen }, 0, note, false), true);
      assert.equal(playsPad({ ...auto, choice: "keys", isOpen }, 9, note, false), false);
    }
  }
  assert.deepEqual([shapesKeys("pads", 0, false), shapesKeys("keys", 9, false)], [false, true]);
});
