import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { groupsOf, held, partNames, tapped } = await page("mute-groups");

const KIT = ["kick", "snare", "hat", "bass", "chord", "", "riser", "cymbal"];
const groups = groupsOf((pad) => KIT[pad - 1], KIT.length);
const [drums, hats, , music] = groups;
/// What is muted, once `changes` are made.
const after = (muted, changes) => {
  const now = new Set(muted);
  for (const [pad, on] of changes) on ? now.add(pad) : now.delete(pad);
  return [...now].sort((one, other) => one - other);
};
const isIn = (muted) => (pad) => muted.includes(pad);

test("pads are of one group by what their sounds are for, and those without a sound of none", () => {
  assert.deepEqual(groups.map(({ name, pads }) => [name, pads]), [["Drums", [1, 2]], ["Hats", [3, 8]], ["Bass", [4]], ["Music", [5, 7]]]);
  assert.deepEqual(groups.map(({ name }) => name), partNames);
  assert.deepEqual(groupsOf(() => "bass", 2), [{ name: "Bass", pads: [1, 2] }], "a group without pads is none");
});

test("a tap mutes all of a group, and a group that is muted sounds again", () => {
  assert.deepEqual(tapped(drums, isIn([])), [[1, true], [2, true]]);
  assert.deepEqual(tapped(drums, isIn([1])), [[2, true]], "what is muted already is not told again");
  assert.deepEqual(tapped(drums, isIn([1, 2, 3])), [[1, false], [2, false]]);
});

test("a hold leaves one group alone, and the next one brings all back", () => {
  const alone = after([1, 5], held(hats, groups, isIn([1, 5])));
  assert.deepEqual(alone, [1, 2, 4, 5, 7]);
  assert.deepEqual(after(alone, held(hats, groups, isIn(alone))), []);
  assert.deepEqual(after(alone, held(music, groups, isIn(alone))), [1, 2, 3, 4, 8]);
});
