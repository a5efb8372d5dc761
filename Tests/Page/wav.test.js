// What is cut out of a sound to be brought along, and the file that it is sent in.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { part, wav } = await page("wav");

test("a whole sound is untouched, and a part is faded where it was cut alone", () => {
  const sound = new Float32Array(4800).fill(0.5);
  assert.deepEqual(part(sound, 0, 4800, 48000), sound);
  const end = part(sound, 2400, 4800, 48000);
  assert.equal(end.length, 2400);
  assert.equal(end[0], 0);
  assert.equal(end[48], 0.5);
  assert.equal(end[2399], 0.5);
  const beginning = part(sound, 0, 2400, 48000);
  assert.equal(beginning[0], 0.5);
  assert.equal(beginning[2399], 0);
  assert.equal(beginning[2399 - 240], 0.5);
  assert.equal(sound[2400], 0.5, "what it was cut from stays");
  assert.deepEqual(part(sound, 7, 8, 48000), new Float32Array([0.5]));
});

test("a file has its values in 24 bits, and what is beyond full scale at full scale", () => {
  const bytes = new DataView(wav([new Float32Array([0, 1, -1, 2])], 44100).buffer);
  assert.equal(bytes.getUint32(24, true), 44100);
  const values = Array.from({ length: 4 }, (_, i) => (bytes.getInt32(44 + 3 * i - 1, true)) >> 8);
  assert.deepEqual(values, [0, 8388607, -8388607, 8388607]);
});
