import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Wishes } = await page("wishes");
const { wav } = await page("wav");

test("a cue is asked for by its player's token, a click alone by the mix", () => {
  const wishes = new Wishes();
  const ann = { player: "ann", token: "t" };
  assert.deepEqual(wishes.query(ann), {});
  wishes.take("click", true);
  assert.deepEqual(wishes.query(ann), { click: 1 });
  wishes.take("preview", true);
  assert.deepEqual(wishes.query(ann), ann);
  // Who has no token yet has no cue.
  assert.deepEqual(wishes.query({ player: "ann", token: null }), { click: 1 });
  assert.deepEqual(wishes.drop(), ["preview"]);
  assert.deepEqual([wishes.asksCue, wishes.has("click")], [false, true]);
  // A newcomer at the door plays to its own cue.
  wishes.take("door", true);
  assert.deepEqual(wishes.query(ann), ann);
});

test("a stream without own hits is a cue, and a refusal takes that wish back first", () => {
  const wishes = new Wishes();
  const ann = { player: "ann", token: "t" };
  for (const wish of ["own", "mix", "preview", "click"]) wishes.take(wish, true);
  assert.deepEqual(wishes.query(ann), { ...ann, without: "me" });
  assert.deepEqual(wishes.query({ player: "ann", token: null }), { click: 1 });
  assert.deepEqual(wishes.drop(), ["own"]);
  assert.deepEqual(wishes.query(ann), ann);
  assert.deepEqual(wishes.drop(), ["preview", "mix"]);
  assert.deepEqual(wishes.query(ann), { click: 1 });
});

test("a WAV file has 24 bits, its channels side by side, and clips what is beyond", () => {
  const bytes = wav([Float32Array.of(0, 1, 2), Float32Array.of(-1, -0.5, -3)], 48000);
  const view = new DataView(bytes.buffer);
  const text = (at) => Buffer.from(bytes.subarray(at, at + 4)).toString();
  assert.deepEqual([text(0), text(8), text(12), text(36)], ["RIFF", "WAVE", "fmt ", "data"]);
  assert.deepEqual([view.getUint32(4, true), view.getUint16(22, true), view.getUint32(24, true), view.getUint32(28, true), view.getUint32(40, true)], [54, 2, 48000, 288000, 18]);
  const value = (place) => ((bytes[44 + place * 3] | (bytes[45 + place * 3] << 8) | (bytes[46 + place * 3] << 16)) << 8) >> 8;
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(value), [0, -8388607, 8388607, -4194303, 8388607, -8388607]);
});
