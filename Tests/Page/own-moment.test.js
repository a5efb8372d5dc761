// The moment of an own hit, with a context whose time stands still between two blocks of the card.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { OwnMoment } = await page("own-moment");

/** A context that takes 10 ms at once, 10 ms ahead of what is played; `at` is in milliseconds. */
function stage() {
  const facts = { now: 0, stamp: null };
  const context = {
    get currentTime() { return (Math.floor(facts.now / 10) * 10 + 10) / 1000; },
    getOutputTimestamp: () => facts.stamp ?? { contextTime: (facts.now - 10) / 1000, performanceTime: facts.now },
  };
  const moment = new OwnMoment(context, () => facts.now);
  /** Milliseconds by which a hit of then begins behind its touch, at the output. */
  const late = (at) => {
    facts.now = at;
    return Math.round(Math.max(moment.next(), context.currentTime) * 1000 - at + 10);
  };
  return { facts, moment, late };
}

test("hits that would be early wait, and the one in the middle is not delayed", () => {
  const { late } = stage();
  const all = Array.from({ length: 64 }, (_, i) => late(1000 + i * 103));
  const after = all.slice(32);
  // Without waiting it is 11 to 20.
  assert.deepEqual([Math.min(...after), Math.max(...after)], [13, 20]);
  assert.equal(after.sort((a, b) => a - b)[16], 15);
});

test("an old answer of the browser, or none, means at once", () => {
  const { facts, moment } = stage();
  facts.now = 60_000;
  for (const stamp of [{ contextTime: 0, performanceTime: 0 }, { contextTime: 1, performanceTime: 1000 }, { contextTime: 70, performanceTime: 60_000 }, {}]) {
    facts.stamp = stamp;
    assert.equal(moment.next() <= 60.01 + 0.02, true);
  }
  facts.stamp = { contextTime: 90, performanceTime: 60_000 };
  assert.equal(moment.next(), 0);
  assert.equal(new OwnMoment({ currentTime: 1 }).next(), 0);
});
