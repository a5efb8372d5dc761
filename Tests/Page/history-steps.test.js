import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { stepsOf } = await page("history-steps");
const { partsOf } = await page("scene-words");

test("a history's lines are steps, each with how many undos lead behind it", () => {
  const { undo, redo, more } = stepsOf(["room: tempo 120 → 100\nlayer 2\nkit house", "lane 1", 40, 1]);
  assert.deepEqual(undo, [
    { text: "tempo 120 → 100", isOfRoom: true, count: 1 }, { text: "layer 2", isOfRoom: false, count: 2 },
    { text: "kit house", isOfRoom: false, count: 3 },
  ]);
  assert.deepEqual(redo, [{ text: "lane 1", isOfRoom: false, count: 1 }]);
  assert.deepEqual(more, { undo: 37, redo: 0 });
});

test("an empty history has no steps", () => {
  assert.deepEqual(stepsOf(["", "", 0, 0]), { undo: [], redo: [], more: { undo: 0, redo: 0 } });
});

test("a scene is taken apart, player by player", () => {
  assert.deepEqual(partsOf("ann loop layer2 layer3 lane1* pad1 pad12; DJ_Björk lane2 mute; bob"), [
    { player: "ann", hasLoop: true, without: [2, 3], lanes: [1], pads: [1, 12], isMuted: false },
    { player: "DJ_Björk", hasLoop: false, without: [], lanes: [2], pads: [], isMuted: true },
    { player: "bob", hasLoop: false, without: [], lanes: [], pads: [], isMuted: false },
  ]);
  assert.deepEqual(partsOf(""), []);
});
