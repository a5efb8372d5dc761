import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { LONGEST, REST, Rest } = await page("rest");

const row = (number) => ({ left: 0, right: 100, top: number * 50, bottom: number * 50 + 44 });
/** A control in a row; it may lie over others, and mean another thing than at first. */
const place = (control, number, { means = "", rank = 0, label = control } = {}) => ({ control, box: row(number), means, rank, label: () => label });
const [DROP, TEMPO, PLAY] = ["drop", "tempo", "play"];
const at = (number) => [50, number * 50 + 20];

/** A page that shows `before` at first, and `after` from 10 000 ms on; `touched`: a touch before that. */
function changed(before, after, touched = null) {
  const rest = new Rest();
  rest.see(before, 0);
  if (touched) rest.touch(...at(touched.row), touched.at);
  rest.see(after, 10_000);
  return rest;
}

test("what comes by itself to where another control was takes no touch for a second", () => {
  assert.equal(REST, 1000);
  const takes = (now) => changed([place(DROP, 0)], [place(TEMPO, 0)]).press(place(TEMPO, 0), ...at(0), now);
  assert.deepEqual([10_001, 10_999, 11_000].map(takes), [false, false, true]);
});

test("a finger that goes on tapping there prolongs the rest, for some seconds at most", () => {
  const taps = (...moments) => {
    const rest = changed([place(DROP, 0)], [place(TEMPO, 0)]);
    return moments.map((now) => rest.press(place(TEMPO, 0), ...at(0), now));
  };
  assert.deepEqual(taps(10_700, 11_400, 12_100, 13_101), [false, false, false, true]);
  const often = Array.from({ length: 20 }, (_, count) => 10_350 + 350 * count);
  const first = often.find((_, count) => taps(...often)[count]);
  assert.ok(first > 10_000 + LONGEST - REST && first <= 10_000 + LONGEST, first);
});

test("what comes to where a finger taps in vain rests, also later than a second after the other one went", () => {
  const rest = new Rest();
  const [drop, empty, tempo] = [[place(DROP, 0), place(PLAY, 5)], [place(PLAY, 5)], [place(TEMPO, 0), place(PLAY, 5)]];
  rest.see(drop, 0);
  rest.see(empty, 10_000);
  for (let now = 10_350; now < 13_000; now += 350) rest.touch(...at(0), now);
  rest.see(tempo, 13_000);
  assert.deepEqual([13_150, 13_500, 13_850].map((now) => rest.press(tempo[0], ...at(0), now)), [false, false, false]);
  assert.equal(rest.press(tempo[0], ...at(0), 14_851), true);
});

test("what comes late into an open panel rests for no control that lies under the panel", () => {
  const panel = { control: null, box: { left: 0, right: 100, top: 0, bottom: 500 }, means: "", rank: 0.5, label: () => "" };
  const [kit, under] = [place("kit", 0, { rank: 1 }), place(PLAY, 0)];
  assert.equal(changed([under, panel], [under, panel, kit]).press(kit, ...at(0), 10_200), true);
  // A panel that comes by itself is as any other change.
  assert.equal(changed([under], [under, panel, kit]).press(kit, ...at(0), 10_200), false);
  // What is moved within it rests as ever.
  const other = place("other kit", 0, { rank: 1 });
  assert.equal(changed([under, panel, kit], [under, panel, other]).press(other, ...at(0), 10_200), false);
});

test("a finger that missed a control which was there already meets it with its next touch", () => {
  const rest = changed([place(DROP, 0)], [place(DROP, 0), place("new", 2)]);
  rest.touch(50, 147, 10_300);
  assert.equal(rest.press(place("new", 2), 50, 140, 10_600), true);
});

test("a control that stays, and one that comes where nothing could be touched, take each touch", () => {
  const rest = changed([place(DROP, 0), place(PLAY, 1)], [place(TEMPO, 0), place(PLAY, 1), place("new", 2)]);
  assert.deepEqual([rest.press(place(PLAY, 1), ...at(1), 10_010), rest.press(place("new", 2), ...at(2), 10_020)], [true, true]);
  const same = changed([place(DROP, 0)], [{ ...place(DROP, 0), box: { left: 1, right: 101, top: 3, bottom: 47 } }]);
  assert.equal(same.press(place(DROP, 0), ...at(0), 10_010), true, "some pixels are no move");
});

test("what a hand opens elsewhere takes the next touch; what it opens under itself does not", () => {
  const [before, after] = [[place("open", 0), place(PLAY, 3)], [place("open", 0), place("inside", 3)]];
  assert.equal(changed(before, after, { row: 0, at: 9_900 }).press(place("inside", 3), ...at(3), 10_050), true);
  assert.equal(changed(before, after, { row: 3, at: 9_900 }).press(place("inside", 3), ...at(3), 10_050), false);
  assert.equal(changed(before, after, { row: 0, at: 9_400 }).press(place("inside", 3), ...at(3), 10_050), false, "the touch was long before");
});

test("a button that comes to mean another thing rests, unless its own touch did that", () => {
  const [before, after] = [[place(PLAY, 0, { means: "drop" })], [place(PLAY, 0, { means: "build" })]];
  const now = place(PLAY, 0, { means: "build" });
  assert.equal(changed(before, after).press(now, ...at(0), 10_400), false);
  assert.equal(changed(before, after, { row: 0, at: 9_900 }).press(now, ...at(0), 10_400), true);
});

test("a hit shortly before is no reason for a button to mean another thing", () => {
  const [before, after] = [[place(PLAY, 0, { means: "finish" })], [place(PLAY, 0, { means: "record" })]];
  const rest = new Rest();
  rest.see(before, 0);
  rest.touch(...at(3), 9_900, true);
  rest.see(after, 10_000);
  assert.equal(rest.press(after[0], ...at(0), 10_400), false);
  // The kept touch prolongs the rest.
  assert.equal(rest.press(after[0], ...at(0), 11_400), true);
});

test("a list that was made anew has the same control at its place", () => {
  const [before, after] = [[place("old", 0, { label: "Remove layer 1" })], [place("new", 0, { label: "Remove layer 1" })]];
  assert.equal(changed(before, after).press(after[0], ...at(0), 10_100), true);
  const other = place("new", 0, { label: "Remove layer 2" });
  assert.equal(changed(before, [other]).press(other, ...at(0), 10_100), false);
});

test("what lay under a message rests when the message goes", () => {
  const rest = changed([place(PLAY, 0), place("undo", 0, { rank: 2 })], [place(PLAY, 0)]);
  assert.equal(rest.press(place(PLAY, 0), ...at(0), 10_100), false);
});

test("after a hand has scrolled nothing rests", () => {
  const rest = changed([place(DROP, 0)], [place(TEMPO, 0)]);
  rest.follow([place(PLAY, 0)]);
  assert.equal(rest.press(place(PLAY, 0), ...at(0), 10_100), true);
});

test("a touch that was kept from its control is no reason for what comes next", () => {
  const rest = changed([place(DROP, 0), place(PLAY, 5)], [place(TEMPO, 0), place(PLAY, 5)]);
  assert.equal(rest.press(place(TEMPO, 0), ...at(0), 10_100), false);
  rest.see([place(TEMPO, 0), place("other", 5)], 10_200);
  assert.equal(rest.press(place("other", 5), ...at(5), 10_300), false);
});
