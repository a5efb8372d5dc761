// Which note a finger on the picture of the loops means.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { LoopBook, Trail, boxOf, isOfLoop, isUnderWay, noteNear, placeOf, stepsOfSomeRounds } = await page("loop-notes");
const { layRows } = await page("loop-picture");

/// A phone's picture: 366 pixels wide, two for one; a bar of four beats.
const picture = { width: 732, ratio: 2 };
const view = { from: 0, long: 4 };
const loop = (player, ...notes) => ({ player, origin: 0, notes: notes.map(([pad, beat], number) => ({ number, pad, beat, length: 0, cycle: 4, velocity: 1 })) });
const rows = (...loops) => loops.map((one, index) => ({ loop: one, top: (144 / loops.length) * index, tall: 144 / loops.length }));
const near = (x, y, list) => noteNear(x, y, { rows: list, view, picture, unit: 1, own: "ann" });

test("a finger means the nearest note, by its drawn box, in both directions", () => {
  const list = rows(loop("ann", [1, 1], [1, 1.25], [16, 1]));
  const low = boxOf({ pad: 1, when: 1, length: 0 }, list[0], view, picture);
  const high = boxOf({ pad: 16, when: 1, length: 0 }, list[0], view, picture);
  assert.equal(near(low.x + 3, low.y + 3, list).note.number, 0);
  assert.equal(near(low.x + 44, low.y + 3, list).note.number, 1);
  // Between the low one and the high one the nearer counts, and not the one whose beat is a hair nearer.
  assert.equal(near(low.x - 8, high.y + 30, list).note.number, 2);
});

test("farther than 22 pixels of the page nothing is meant", () => {
  const list = rows(loop("ann", [1, 1]));
  const box = boxOf({ pad: 1, when: 1, length: 0 }, list[0], view, picture);
  assert.equal(near(box.x - 43, box.y, list)?.note.number, 0);
  assert.equal(near(box.x - 45, box.y, list), null);
  assert.equal(near(box.x, box.y - 46, list), null);
});

test("with any reach the nearest note is found, however far it is", () => {
  const list = rows(loop("ann", [1, 0], [1, 3]));
  const found = noteNear(700, 4, { rows: list, view, picture, unit: 1, own: "ann", reach: Infinity });
  assert.equal(found.note.number, 1);
});

test("another player's note counts as half as far again: at a border one's own is meant", () => {
  const list = rows(loop("ann", [1, 2]), loop("bob", [16, 2]));
  const [own, other] = [boxOf({ pad: 1, when: 2, length: 0 }, list[0], view, picture), boxOf({ pad: 16, when: 2, length: 0 }, list[1], view, picture)];
  const middle = (own.y + own.thick + other.y) / 2;
  assert.equal(near(own.x + 2, middle, list).loop.player, "ann");
  assert.equal(near(own.x + 2, other.y + 2, list).loop.player, "bob");
});

test("a note is as near in every round that is seen", () => {
  const list = rows({ ...loop("ann", [1, 0.5]), notes: [{ number: 7, pad: 1, beat: 0.5, length: 0, cycle: 2, velocity: 1 }] });
  const second = boxOf({ pad: 1, when: 2.5, length: 0 }, list[0], view, picture);
  assert.equal(near(second.x + 2, second.y + 2, list).note.number, 7);
});

test("a step is of some rounds alone if a longer loop does not play it in each", () => {
  const notes = [
    // Four bars: the kick in two of them, the snare in each, the hat once in a layer of one bar.
    { pad: 1, beat: 0, cycle: 16 }, { pad: 1, beat: 8, cycle: 16 },
    ...[0, 1, 2, 3].map((bar) => ({ pad: 2, beat: bar * 4 + 1, cycle: 16 })),
    { pad: 4, beat: 2, cycle: 4 },
    // A hair before the bar line: the next step, as the server counts.
    { pad: 5, beat: 3.95, cycle: 16 },
  ];
  assert.deepEqual(stepsOfSomeRounds(notes, 1, 16), [1]);
  assert.deepEqual(stepsOfSomeRounds(notes, 2, 16), []);
  assert.deepEqual(stepsOfSomeRounds(notes, 4, 16), []);
  assert.deepEqual(stepsOfSomeRounds(notes, 5, 16), [1]);
  assert.deepEqual(stepsOfSomeRounds(notes, 1, 64), [], "a row as long as the loop");
  // Four bars and two bars, in either order: the step is silent in the third round.
  const both = [{ pad: 1, beat: 0, cycle: 16 }, { pad: 1, beat: 4, cycle: 8 }];
  for (const order of [both, [...both].reverse()]) assert.deepEqual(stepsOfSomeRounds(order, 1, 16), [1]);
});

test("a hit is of the pass under way until the notes of that pass are told", () => {
  const pass = { state: "overdubbing", length: 4, turn: 12, mark: 3, held: 3 };
  assert.equal(isUnderWay(pass, 9, 1), true);
  assert.equal(isUnderWay(pass, 7, 1), false, "it came round as a note");
  assert.equal(isUnderWay({ ...pass, mark: 4 }, 7, 1), true, "its note is not told yet");
  assert.equal(isUnderWay({ ...pass, state: "playing" }, 9, 1), false);
  assert.equal(isUnderWay({ state: "recording", length: 0, turn: 8, mark: 0, held: 0 }, 1, 1), true);
  assert.equal(isUnderWay(undefined, 1, 1), false);
});

test("a hit of a pass is drawn where it will sound: with its own loop, not with the stretch that is shown", () => {
  const shown = { from: 16, long: 4 };
  assert.equal(placeOf(17, 4, shown), 17);
  assert.equal(placeOf(5, 4, shown), 17);
  // A long loop comes back when it does.
  assert.equal(placeOf(5, 64, shown), null);
  assert.equal(placeOf(5, 64, { from: 68, long: 4 }), 69);
  // A first pass has no length yet.
  assert.equal(placeOf(5, 0, shown), null);
  assert.equal(placeOf(18, 0, shown), 18);
});

test("a hit is a note of its loop in every round, also a hair beside it", () => {
  const one = { runs: true, origin: 8, notes: [{ pad: 3, beat: 1.5, cycle: 4 }] };
  assert.equal(isOfLoop(one, { pad: 3, at: 9.5 }, 1), true);
  assert.equal(isOfLoop(one, { pad: 3, at: 5.47 }, 1), true);
  assert.equal(isOfLoop(one, { pad: 3, at: 17.52 }, 1), true);
  assert.equal(isOfLoop(one, { pad: 3, at: 10 }, 1), false, "a hand's");
  assert.equal(isOfLoop(one, { pad: 4, at: 9.5 }, 1), false);
  assert.equal(isOfLoop({ ...one, runs: false }, { pad: 3, at: 9.5 }, 1), false);
  assert.equal(isOfLoop(undefined, { pad: 3, at: 9.5 }, 1), false);
  assert.equal(isOfLoop(one, { pad: 3, at: 11 }, 2), true, "counted beats are eighths");
});

test("what hands play is seen until the playhead comes back to it, and no more than the picture can hold", () => {
  const trail = new Trail();
  trail.take({ player: "ann", pad: 1, velocity: 1, at: 10 });
  trail.take({ player: "bob", pad: 2, velocity: 1, at: 12 });
  assert.equal(trail.pass(13.9, 4), false);
  assert.equal(trail.pass(14.1, 4), true);
  assert.deepEqual(trail.hits.map(({ player }) => player), ["bob"]);
  for (let at = 0; at < 2000; at += 1) trail.take({ player: "ann", pad: 1, velocity: 1, at: 12 + at / 1000 });
  assert.equal(trail.hits.length, Trail.most);
});

test("what came into a new layer is seen as its notes alone", () => {
  const trail = new Trail();
  const places = () => trail.hits.map(({ player, pad, at }) => `${player} ${pad} ${at}`);
  for (const [player, pad, at] of [["ann", 1, 10.4], ["ann", 5, 11], ["bob", 1, 11]]) {
    trail.take({ player, pad, velocity: 1, at });
  }
  const notes = [{ layer: 1, pad: 5 }, { layer: 2, pad: 1 }];
  trail.kept({ player: "ann", notes }, new Map([[1, {}], [2, {}]]));
  assert.equal(trail.hits.length, 3, "a note that is moved makes no layer");
  trail.kept({ player: "ann", notes }, new Map([[1, {}]]));
  assert.deepEqual(places(), ["ann 5 11", "bob 1 11"]);
});

test("rows: one's own on top and largest, the others share the rest, from eight on in pairs", () => {
  const [mine, others] = [loop("ann"), ["b", "c", "d", "e", "f", "g", "h", "i"].map((name) => loop(name))];
  assert.deepEqual(layRows(mine, [], 100, 1), [{ loop: mine, top: 0, tall: 100 }]);
  const [own, one, two] = layRows(mine, others.slice(0, 2), 100, 1);
  assert.deepEqual([own.tall, one.top, one.tall, two.top].map((place) => Math.round(place * 10) / 10), [45, 45, 27.5, 72.5]);
  const many = layRows(null, others, 70, 1);
  assert.deepEqual([many[0].top, many[7].top, many[0].tall], [0, 0, 10]);
});

test("a layer has its owner and its borrower, of which an older server tells nothing", () => {
  const book = new LoopBook(() => {}, () => {});
  book.told(["ann", "playing", 3, 4, 16, 0, 16, "", 5]);
  book.layer(["ann", 1, 0, 0, 0, "bob", ""]);
  book.layer(["ann", 2, 1, -6, 1, "", "cat"]);
  book.layer(["ann", 3, 0, 0, 0]);
  book.end(["ann", 5]);
  const layers = [...book.loops.get("ann").layers.values()];
  assert.deepEqual(layers.map(({ owner, borrower }) => [owner, borrower]), [["bob", ""], ["", "cat"], ["", ""]]);
});

test("keys that sound at one time are a chord, in a loop and beside it; a bass below it is none", () => {
  const key = (note, at, player = "ann") => ({ player, pad: note + 17, velocity: 1, at });
  const trail = new Trail();
  for (const hit of [key(36, 4), key(60, 4), key(64, 4.01), key(67, 4.02), key(72, 6), key(60, 4, "bob"), key(62, 8), key(65, 8)]) trail.take(hit);
  assert.deepEqual(trail.hits.map(({ isChord = false }) => isChord), [false, true, true, true, false, false, true, true]);

  const book = new LoopBook(() => {}, () => {});
  book.told(["ann", "playing", 1, 1, 4, 0, -1, "", 5]);
  const notes = [[1, 60, 0], [1, 60, 2], [1, 64, 2], [2, 67, 2], [1, 67, 2], [1, 40, 2]];
  for (const [number, [layer, note, beat]] of notes.entries()) book.note(["ann", layer, number, note + 17, beat, 1, 1, 4, ""]);
  book.end(["ann", 5]);
  assert.deepEqual(book.loops.get("ann").notes.map(({ isChord = false }) => isChord), [false, true, true, false, true, false]);
});

test("a low picture leaves each row the height of a name, and the player's own as much as the others", () => {
  const others = (count) => Array.from({ length: count }, (_, number) => loop(`far${number}`));
  const heights = (count, tall) => layRows(loop("ann"), others(count), tall * 2, 2).map(({ tall: high }) => high / 2);
  // The strip of a tablet, without its text and with it.
  for (const [count, tall] of [[1, 58], [2, 58], [3, 58], [2, 41]]) {
    assert.ok(Math.min(...heights(count, tall)) >= 12, `${count} in ${tall}: ${heights(count, tall)}`);
  }
  const [own, other] = heights(6, 41);
  assert.ok(own >= other - 0.01);
  for (const [count, tall] of [[1, 58], [3, 58], [7, 41]]) {
    assert.ok(Math.abs(heights(count, tall).reduce((sum, high) => sum + high) - tall) < 0.01);
  }
});
