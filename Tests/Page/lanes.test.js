import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { LaneBoard } = await page("lane-board");
const { BlockCarry } = await page("block-carry");
const { LaneFocus } = await page("lane-focus");

const nowhere = { lane: 0, slot: 0 };

/** Four lanes of eight slots; what is asked of the room is logged. */
function stage() {
  const log = [];
  const room = { set: (...all) => log.push(`set ${all.join(" ")}`), send: (...all) => log.push(all.join(" ")) };
  const board = new LaneBoard({ lanes: 4, slots: 8, room });
  return {
    board, room, log, take: () => log.splice(0),
    shown: (lane) => board.slotsOf(lane).filter((slot) => board.isShown(slot)).map(({ slot }) => slot).join(""),
    lanesShown: () => [1, 2, 3, 4].filter((lane) => board.isLaneShown(lane)).join(""),
  };
}

test("unused slots and lanes wait out of sight", () => {
  const { board, shown, lanesShown } = stage();
  for (const lane of [1, 2, 3, 4]) board.fit(lane, nowhere);
  assert.deepEqual([shown(1), lanesShown(), board.firstFree === board.at(1, 1)], ["1234", "1", true]);
  board.take(2, "4", "drop");
  board.fit(2, nowhere);
  assert.deepEqual([shown(1), shown(2), lanesShown()], ["1234", "123456", "123"]);
  board.take(2, "8", "end");
  board.fit(2, nowhere);
  assert.equal(shown(2), "12345678");
  // Whoever takes the last block away stands on its slot: slot and lane stay until the keys are
  // elsewhere.
  board.take(2, "8", "");
  board.take(2, "4", "");
  board.fit(2, { lane: 2, slot: 8 });
  assert.deepEqual([shown(2), lanesShown()], ["12348", "12"]);
  board.fit(2, nowhere);
  assert.deepEqual([shown(2), lanesShown()], ["1234", "1"]);
  for (const slot of ["1", "2", "3"]) board.take(1, slot, "a");
  board.fit(1, nowhere);
  assert.deepEqual(board.firstFree, { lane: 1, slot: 4 });
});

test("a block goes on a lane, along it, and to another", () => {
  const { board, take } = stage();
  board.take(1, "2", "there");
  board.put("new", board.at(3, 1), null);
  board.put("mine", board.at(1, 1), board.at(1, 1));
  board.put("mine", board.at(1, 3), board.at(1, 1));
  board.put("mine", board.at(1, 2), board.at(1, 1));
  board.put("mine", board.at(4, 8), board.at(1, 1));
  board.takeOff(board.at(1, 2));
  assert.deepEqual(take(), ["set /lane/3/1 new", "/lane/1/move 1 3", "/lane/1/swap 1 2", "/lane/1/move 1 8 4", "set /lane/1/2 "]);
});

test("keys carry blocks", () => {
  const { board } = stage();
  const carry = new BlockCarry(board);
  for (const lane of [1, 2, 3, 4]) board.fit(lane, nowhere);
  board.take(1, "1", "intro");
  const press = (key, lane, slot) => carry.press(key, board.at(lane, slot));
  assert.deepEqual(press("ArrowRight", 1, 1), { act: "go", to: { lane: 1, slot: 2 } });
  assert.deepEqual(press("ArrowRight", 1, 4), { act: "go", to: null });
  assert.deepEqual(press("ArrowUp", 1, 1), { act: "go", to: null });
  assert.equal(press("x", 1, 1), null);
  assert.deepEqual(press("Escape", 1, 1), { act: "pass" });
  assert.deepEqual(press("Enter", 1, 1), { act: "take", name: "intro" });
  assert.deepEqual(press("Enter", 1, 2), { act: "nothing" });
  assert.deepEqual(["F", " ", "Delete"].map((key) => press(key, 1, 1).act), ["focus", "hear", "take off"]);
  assert.deepEqual(carry.take("drop", null), { lane: 1, slot: 2 });
  assert.equal(carry.take("intro", board.at(1, 1)), board.at(1, 1));
  assert.deepEqual(press("Enter", 1, 3), { act: "put", name: "intro", from: { lane: 1, slot: 1 } });
  assert.equal(carry.isCarrying, false);
  carry.take("drop", null);
  assert.deepEqual([press("Escape", 1, 3), carry.isCarrying], [{ act: "let be" }, false]);
});

test("a cue goes back once its focus is over", async () => {
  const { board, room, log, take } = stage();
  let [now, timers, hears, carried] = [0, [], false, true];
  const focus = new LaneFocus({
    board, room,
    sound: { hears: () => hears, want: async (cue, on) => (log.push(`want ${cue} ${on}`), carried) },
    clock: { after: (wait, act) => (timers = [{ at: now + wait, act }])[0], forget: (timer) => { timers = timers.filter((other) => other !== timer); } },
    told: { changed: (slot) => log.push(`changed ${slot ? `${slot.lane} ${slot.slot}` : "none"}`), silent: () => log.push("silent") },
  });
  const go = (until) => {
    now = until;
    const due = timers.filter((timer) => timer.at <= now);
    timers = [];
    for (const timer of due) timer.act();
  };
  const slot = board.at(2, 3);
  await focus.toggle(slot);
  assert.deepEqual(take(), ["silent"]);
  hears = true;
  carried = false;
  await focus.toggle(slot);
  assert.deepEqual(take(), ["want focus true"]);
  carried = true;
  await focus.toggle(slot);
  assert.deepEqual(take(), ["want focus true", "/lane/2/focus 3"]);
  board.take(2, "focused", 3);
  focus.look();
  assert.deepEqual(take(), ["changed 2 3"]);
  // It moves: its end is told first, and the cue stays.
  board.take(2, "focused", 0);
  focus.look();
  board.take(3, "focused", 1);
  focus.look();
  go(60);
  assert.deepEqual(take(), ["changed none", "changed 3 1"]);
  board.take(3, "focused", 0);
  focus.look();
  go(120);
  assert.deepEqual(take(), ["changed none", "want focus false"]);
  board.take(3, "focused", 1);
  focus.end();
  assert.deepEqual(take(), ["/lane/3/focus 0", "want focus false"]);
});

test("an end takes a beginning back that still waits for its cue", async () => {
  const { board, room, log, take } = stage();
  let open = () => {};
  const focus = new LaneFocus({
    board, room, sound: { hears: () => true, want: (cue, on) => (log.push(`want ${cue} ${on}`), new Promise((come) => { open = come; })) },
    clock: { after: () => null, forget: () => {} }, told: { changed: () => {}, silent: () => {} },
  });
  const slot = board.at(2, 3);
  const begun = focus.set(slot, true);
  await focus.set(slot, false);
  open(true);
  await begun;
  assert.deepEqual(take(), ["want focus true", "/lane/2/focus 0"]);
});
