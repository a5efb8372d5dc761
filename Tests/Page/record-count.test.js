// The big number of a recording, in beats alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { RecordCount, waitsForTap } = await page("record-count");

const recording = { state: "recording", turn: 16, next: "" };
const texts = (loop, beats, isCountedIn = false) => {
  const count = new RecordCount();
  return beats.map((at) => count.text(loop, at, 4, isCountedIn));
};

test("the first bar of a recording is counted from its first beat on", () => {
  assert.deepEqual(texts(recording, [0, 0.9, 1, 2.5, 3.99, 4, 9]), ["1", "1", "2", "3", "4", "", ""]);
  assert.deepEqual(texts(recording, [-0.2, 0.1, 1]), ["1", "1", "2"], "who hears the room late");
  assert.deepEqual(texts({ ...recording, turn: 20 }, [5.5, 6, 8]), ["2", "3", ""], "from the last line on");
  assert.deepEqual(texts({ ...recording, turn: 20 }, [3.8, 4]), ["1", "1"], "told shortly before its line");
});

test("a wait for the first tap shows the beat that the tap will be, whether or not the beat is known", () => {
  const waiting = { state: "waiting", turn: -1, next: "record" };
  assert.ok(waitsForTap(waiting) && !waitsForTap(recording) && !waitsForTap(null));
  assert.deepEqual(texts(waiting, [null, 3.2]), ["1", "1"]);
  assert.ok(!waitsForTap({ ...waiting, turn: 8 }));
});

test("a bar that was chosen to be counted in is counted, and nothing else is", () => {
  const waiting = { state: "waiting", turn: 8, next: "record" };
  assert.deepEqual(texts(waiting, [3, 4, 5, 7.9, 8], true), ["", "1", "2", "4", ""]);
  assert.deepEqual(texts(waiting, [4, 5], false), ["", ""]);
  assert.deepEqual(texts({ ...waiting, next: "stop" }, [5], true), [""]);
  assert.deepEqual(texts({ state: "playing", turn: -1, next: "" }, [5], true), [""]);
  assert.deepEqual(texts(null, [null, 5]), ["", ""]);
});

test("each pass is counted anew", () => {
  const count = new RecordCount();
  assert.equal(count.text(recording, 1, 4, false), "2");
  assert.equal(count.text({ ...recording, state: "playing" }, 17, 4, false), "");
  assert.equal(count.text({ ...recording, turn: 36 }, 20, 4, false), "1");
});

test("a pass that begins the room's beat anew is counted on the new beat", () => {
  assert.deepEqual(texts(recording, [41.2, 0.1, 1, 3, 4]), ["2", "1", "2", "4", ""]);
});
