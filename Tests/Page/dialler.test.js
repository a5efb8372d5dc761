import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Dialler } = await page("dialler");

const blocked = { isConnected: true, asksCue: false };

test("only the newest dial counts, and a dial goes on until the newest has ended", () => {
  const dialler = new Dialler();
  const [first, second] = [dialler.begin(), dialler.begin()];
  assert.deepEqual([dialler.counts(first), dialler.counts(second)], [false, true]);
  assert.equal(dialler.failed(first, blocked).act, "nothing");
  dialler.end(first);
  assert.equal(dialler.isDialling, true);
  dialler.end(second);
  assert.equal(dialler.isDialling, false);
});

test("a failed dial is followed by another, ever later", () => {
  const dialler = new Dialler();
  const waits = Array.from({ length: 6 }, () => dialler.failed(dialler.begin(), blocked).again);
  assert.deepEqual(waits, [10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  dialler.forgive();
  assert.deepEqual(dialler.failed(dialler.begin(), blocked), { act: "listen from afar", again: 10_000 });
});

test("what a failed dial leads to depends on who refused it", () => {
  const dialler = new Dialler();
  const failed = (facts) => dialler.failed(dialler.begin(), { ...blocked, ...facts });
  assert.deepEqual(failed({ status: 403 }), { act: "listen from afar", again: null });
  assert.deepEqual(failed({ status: 500 }), { act: "listen from afar", again: 20_000 });
  dialler.forgive();
  assert.deepEqual(failed({ status: 503, asksCue: true }), { act: "keep the mix" });
  assert.deepEqual(failed({ isConnected: false }), { act: "wait" });
  // Neither a cue that is not to be had nor a server that is gone is a failure of the network.
  assert.deepEqual(failed({ asksCue: true }), { act: "listen from afar", again: 10_000 });
});

test("whoever hangs up waits for no dial any more", () => {
  const dialler = new Dialler();
  const last = dialler.begin();
  dialler.hangUp();
  assert.deepEqual([dialler.counts(last), dialler.isDialling, dialler.failed(last, blocked).act], [false, false, "nothing"]);
});
