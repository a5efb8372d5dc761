import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { BlockGesture, nearestSlot, scrollUnder } = await page("block-gesture");

// One hand: its block lies on the list, or in slot "a" of a lane.
const listed = { name: "rock", from: null };
const lane = { name: "rock", from: "a" };
const none = () => false;

/** Steps: [time, x, y] from the touch at 0, 0; then it is let go of at `end` over `target`. */
function play(block, isMouse, steps, end, target = null) {
  const gesture = new BlockGesture();
  const acts = [gesture.down(1, [0, 0], 0, { block, isMouse, focused: null })];
  for (const [time, x, y] of steps) acts.push(x === "hold" ? gesture.lift() ?? "held" : gesture.move(1, [x, y], time, none));
  return [...acts, gesture.up(1, end, target)?.act ?? null].join(" ");
}

test("a block that is tapped is heard", () => {
  assert.equal(play(listed, false, [[10, 3, 4]], 90), "take  hear");
  assert.equal(play(listed, false, [[150, "hold"], [160, 2, 2]], 400), "take held carry hear");
});

test("a finger scrolls the list, and takes a block that it has held; a mouse takes it at once", () => {
  assert.deepEqual([150, 149].map((time) => play(listed, false, [[time, 20, 0]], 400, "b")), ["take lift put", "take scroll "]);
  assert.equal(play(listed, true, [[10, 3, 0], [20, 0, 8], [30, 0, 50]], 400, "b"), "take  lift carry put");
  assert.equal(play(listed, true, [[10, 0, 50]], 400), "take lift nothing");
});

test("a finger pans a lane, and takes a block by a pull up or down, or by holding it", () => {
  assert.equal(play(lane, false, [[50, 30, 5]], 90, "a"), "take scroll ");
  assert.deepEqual([200, 199].map((time) => play(lane, false, [[time, 30, 5]], 400, "b")), ["take lift put", "take scroll "]);
  assert.equal(play(lane, false, [[50, 5, -30], [310, 0, -60]], 310, "b"), "take lift carry put");
});

test("a quick pull flicks a block off its lane, also over a slot; a slow one takes it off where no slot is", () => {
  assert.deepEqual([[50, 5, -60], [50, 5, -39]].map((step) => play(lane, false, [step], 299, "b")), ["take lift flick", "take lift put"]);
  assert.equal(play(lane, false, [[50, 5, -60]], 300), "take lift take off");
  assert.equal(play(lane, true, [[50, 5, -60]], 100), "take lift take off");
  assert.equal(play(listed, false, [[150, 0, -60]], 299), "take lift nothing");
});

test("a finger that still moves as it lets go flicks, up to seven tenths of a second; one that has come to rest puts", () => {
  const pull = (times, way) => times.map((time, index) => [time, 0, way * (index + 1)]);
  // 130 pixels in 0.4 s reach the lane below.
  const swift = pull([100, 150, 200, 250, 300, 350, 400], 18);
  assert.match(play(lane, false, swift, 400, "b"), / flick$/);
  assert.match(play(lane, false, swift, 520, "b"), / put$/, "it has rested");
  assert.match(play(lane, false, pull([150, 300, 450, 600, 690], 26), 700, "b"), / put$/, "it took too long");
  assert.match(play(lane, false, pull([200, 300, 400, 500, 600], 10), 600, "b"), / put$/, "it is too slow");
  assert.match(play(lane, true, swift, 400, "b"), / put$/, "a mouse puts");
});

test("what touches no block means nothing, nor does another finger", () => {
  const gesture = new BlockGesture();
  assert.deepEqual(
    [gesture.down(1, [0, 0], 0, { block: null, isMouse: false, focused: null }), gesture.move(1, [50, 50], 10, none), gesture.up(1, 20, null)],
    [null, null, null]);
  gesture.down(1, [0, 0], 0, { block: lane, isMouse: false, focused: null });
  assert.deepEqual([gesture.move(2, [50, 50], 500, none), gesture.up(2, 510, "b"), gesture.cancel(2), gesture.holds], [null, null, false, false]);
});

test("a block that is carried says whether it would leave its lane, and a finger that is taken away lets it be", () => {
  const gesture = new BlockGesture();
  gesture.down(1, [0, 0], 0, { block: lane, isMouse: false, focused: null });
  gesture.move(1, [0, 50], 500, none);
  assert.deepEqual([gesture.holds, gesture.leaves(null, 500), gesture.leaves("b", 500), gesture.leaves("b", 100)], [true, true, false, true]);
  assert.deepEqual([gesture.cancel(1), gesture.holds, gesture.up(1, 600, "b")], [true, false, null]);
  assert.equal(gesture.leaves(null, 700), false);
});

/**
 * Two fingers, of which the first one may be on slot "a"; then the second one moves to these
 * widths.
 */
function pinch(focused, first, second, ...widths) {
  const gesture = new BlockGesture();
  const facts = (block) => ({ block, isMouse: false, focused });
  gesture.down(1, [0, 0], 0, facts(first));
  const found = [gesture.down(2, [100, 0], 10, facts(second)), gesture.holds];
  for (const width of widths) {
    const act = gesture.move(2, [width, 0], 20, (slot) => slot === focused);
    found.push(act ? `${act.focus} ${act.begins ? "begins" : "ends"}` : null);
  }
  return [...found, gesture.holds, gesture.up(1, 30, "b")];
}

test("two fingers focus on a block outwards, and end it inwards", () => {
  assert.deepEqual(pinch(null, lane, null, 130, 131, 200), ["pinch", true, null, "a begins", null, true, null]);
  assert.deepEqual(pinch("z", null, null, 76, 75, 74), ["pinch", true, null, null, "z ends", true, null]);
  assert.deepEqual(pinch("a", lane, null, 200), ["pinch", true, null, true, null]);
  assert.deepEqual(pinch(null, null, lane, 131), ["pinch", true, "a begins", true, null]);
  assert.deepEqual(pinch(null, null, null, 200), [null, false, null, false, null]);
});

test("the same fingers take back what they did, though the room has not told of it yet", () => {
  assert.deepEqual(pinch(null, lane, null, 131, 99, 98, 60), ["pinch", true, "a begins", null, "a ends", null, true, null]);
  assert.deepEqual(pinch("a", lane, null, 70, 91, 92), ["pinch", true, "a ends", null, "a begins", true, null]);
});

test("fingers that are forgotten hold nothing", () => {
  const gesture = new BlockGesture();
  for (const id of [1, 2]) gesture.down(id, [id, 0], 0, { block: lane, isMouse: false, focused: null });
  assert.equal(gesture.holds, true);
  gesture.forgetFingers();
  assert.deepEqual([gesture.holds, gesture.move(2, [100, 0], 10, none)], [false, null]);
});

test("a block goes into the nearest slot in sight, and what scrolls goes on at its edges", () => {
  const box = (left, top, width = 100, height = 40) => ({ left, top, width, height, right: left + width, bottom: top + height });
  const slots = [["a", box(0, 0)], ["b", box(100, 0)], ["unseen", box(60, 0, 0)]];
  const places = [[50, 20], [99, 20], [101, 20], [60, 20], [50, 89], [50, 91], [250, 20]];
  assert.deepEqual(places.map((place) => nearestSlot(place, slots)), ["a", "a", "b", "a", "a", null, null]);
  // On a half sheet the edges are a sixth of it, and a block that lies at an edge is moved on first.
  assert.deepEqual([140, 139, 139].map((place, index) => scrollUnder(place, 100, 340, index === 2 ? 140 : 220)), [0, -1, 0]);
  assert.deepEqual([330, 337, 341, 320].map((place) => scrollUnder(place, 100, 340, 330)), [0, 0, 1, 0]);
  // A quarter of how far it is beyond 56 pixels from the edge, and 14 at most.
  assert.deepEqual([500, 156, 152, 144, 50, 844, 852, 1000].map((place) => scrollUnder(place, 100, 900)), [0, 0, -1, -3, -14, 0, 2, 14]);
});
