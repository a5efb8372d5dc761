import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { DropCount } = await page("drop-count");

const PER = 4;
/** A place on the beat: bar and beat from 1, and how far into it. */
const at = (bar, beat, phase = 0) => ({ bar, beat: beat - 1, phase });

function running(bars, now) {
  const count = new DropCount();
  count.take(["waiting", 150, bars]);
  count.take(["running", 150, bars]);
  count.place(now, PER);
  return count;
}

test("until it runs nobody can say how long it is; then the beats are counted down", () => {
  const count = new DropCount();
  count.take(["waiting", 149.6, 2]);
  assert.equal(count.beatsLeft(at(1, 1), PER), null);
  count.take(["running", 150, 2]);
  count.place(at(2, 1), PER);
  assert.equal(count.beatsLeft(at(2, 1), PER), 8);
  count.take(["running", 150, 1]);
  count.place(at(3, 1, 0.02), PER);
  assert.equal(count.beatsLeft(at(3, 1), PER), 4);
  assert.equal(count.beatsLeft(at(4, 1), PER), 0);
  count.take(["holding", 150, 0]);
  assert.equal(count.beatsLeft(at(4, 1), PER), null);
});

test("a bar line that is told a moment early is the one to come", () => {
  const count = running(4, at(4, 4, 0.95));
  assert.equal(count.beatsLeft(at(5, 1), PER), 16);
});

test("bars are counted as they begin, and the beats of the last bar down to 1", () => {
  const count = running(3, at(2, 1));
  assert.deepEqual(count.number(at(2, 1, 0.5), PER), { number: 3, isBeat: false });
  assert.equal(count.number(at(2, 2), PER), null);
  assert.deepEqual(count.number(at(3, 1), PER), { number: 2, isBeat: false });
  assert.deepEqual([1, 2, 3, 4].map((beat) => count.number(at(4, beat, 0.1), PER)?.number), [4, 3, 2, 1]);
  assert.equal(count.number(at(5, 1), PER), null);
  assert.equal(count.number(null, PER), null);
});

test("its way is done in even parts, from nothing while it waits", () => {
  const waiting = new DropCount();
  waiting.take(["waiting", 150, 4]);
  assert.equal(waiting.done(at(1, 1), PER), 0);
  const count = running(4, at(2, 1));
  assert.deepEqual([at(2, 1), at(4, 1), at(5, 3)].map((now) => count.done(now, PER)), [0, 0.5, 0.875]);
  // Told bar by bar it stays the same way.
  count.take(["running", 150, 2]);
  count.place(at(4, 1), PER);
  assert.equal(count.done(at(4, 1), PER), 0.5);
});

test("one that ends on its drop line has dropped; one that ends before was called off", () => {
  const count = running(1, at(2, 1));
  assert.equal(count.isAtDrop(at(2, 3), PER), false);
  assert.equal(count.isAtDrop(at(3, 1), PER), true);
  assert.equal(count.isAtDrop(at(2, 4, 0.8), PER), true);
  assert.equal(count.isAtDrop(null, PER), false);
  count.forget();
  assert.equal(count.isAtDrop(at(3, 1), PER), false);
});

test("a drop that is ordered comes on the next bar line, and is counted down to", () => {
  const count = running(8, at(2, 1));
  count.take(["dropping", 150, 0]);
  count.place(at(3, 2), PER);
  assert.equal(count.beatsLeft(at(3, 2), PER), 3);
  assert.deepEqual(count.number(at(3, 4, 0.2), PER), { number: 1, isBeat: true });
  assert.equal(count.isAtDrop(at(4, 1), PER), true);
});
