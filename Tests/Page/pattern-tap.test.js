// What a tap on a pattern of the list does to the lanes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { LaneBoard } = await page("lane-board");
const { PatternTap } = await page("pattern-tap");

const KINDS = { rock: "drums", funk: "drums", low: "bass" };

/** Three lanes of four slots, as a room would have them: what is set lies there, what is sent is logged. */
function stage() {
  const log = [];
  const board = new LaneBoard({
    lanes: 3, slots: 4,
    room: {
      set: (address, name) => {
        const [, , lane, slot] = address.split("/");
        board.take(Number(lane), slot, name);
        log.push(`${address} ${name}`);
      },
      send: (...all) => log.push(all.join(" ")),
    },
  });
  const taps = new PatternTap({ board, room: { send: (...all) => log.push(all.join(" ")) }, kindOf: (name) => KINDS[name] });
  return { board, taps, take: () => log.splice(0) };
}

test("a tap puts the pattern on an empty lane and loops it from the next bar line on; the next one lets it rest", () => {
  const { board, taps, take } = stage();
  assert.deepEqual(taps.tap("rock"), { act: "play", lane: 1 });
  assert.deepEqual(take(), ["/lane/1/1 rock", "/lane/1/loop"]);
  board.take(1, "state", "waiting");
  assert.equal(taps.stateOf("rock"), "waiting");
  assert.deepEqual(taps.tap("rock"), { act: "rest", lane: 1 });
  assert.deepEqual(take(), ["/lane/1/stop"]);
  board.take(1, "state", "stopped");
  assert.equal(taps.stateOf("rock"), "");
  taps.tap("rock");
  assert.deepEqual(take(), ["/lane/1/loop"], "it lies there already");
});

test("another pattern of the same kind takes its place on the same bar line, one of another kind plays beside it", () => {
  const { board, taps, take } = stage();
  taps.tap("rock");
  board.take(1, "state", "looping");
  take();
  taps.tap("low");
  board.take(2, "state", "looping");
  assert.deepEqual(take(), ["/lane/2/1 low", "/lane/2/loop"]);
  taps.tap("funk");
  board.take(1, "state", "stopped");
  board.take(3, "state", "looping");
  assert.deepEqual(take(), ["/lane/3/1 funk", "/lane/1/stop", "/lane/3/loop"]);
  // The lane on which an earlier tap's pattern rests is used again.
  taps.tap("rock");
  assert.deepEqual(take(), ["/lane/3/stop", "/lane/1/loop"]);
});

test("lanes with something of one's own are left alone, also when they are full", () => {
  const { board, taps, take } = stage();
  for (const lane of [1, 2, 3]) {
    board.take(lane, "1", "mine");
    board.take(lane, "2", "rock");
    board.take(lane, "state", "stopped");
  }
  assert.deepEqual(taps.tap("rock"), { act: "full", lane: 0 });
  board.take(2, "1", "");
  board.take(2, "state", "looping");
  board.take(2, "2", "mine");
  assert.deepEqual(taps.tap("funk"), { act: "full", lane: 0 });
  assert.deepEqual(take(), []);
});

test("a pattern alone on a lane that the player filled is played there, whichever slot it lies in", () => {
  const { board, taps, take } = stage();
  board.take(2, "3", "rock");
  assert.deepEqual(taps.tap("rock"), { act: "play", lane: 2 });
  assert.deepEqual(take(), ["/lane/2/loop"]);
});
