import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Awake, PLAYS } = await page("awake");

test("a device on which nobody plays, and that hears nothing, may sleep", () => {
  const awake = new Awake();
  assert.equal(awake.isWanted(0), false);
  assert.equal(awake.left(0), null);
});

test("whoever has played keeps it awake for a time, and each hit begins that time anew", () => {
  const awake = new Awake();
  awake.play(1000);
  assert.deepEqual([awake.isWanted(1000), awake.left(1000)], [true, PLAYS]);
  awake.play(31_000);
  assert.deepEqual([awake.isWanted(1000 + PLAYS), awake.left(1000 + PLAYS)], [true, 30_000]);
  assert.deepEqual([awake.isWanted(31_000 + PLAYS), awake.left(31_000 + PLAYS)], [false, null]);
});

test("as long as it hears the room it stays awake, whatever was played", () => {
  const awake = new Awake();
  awake.hears = true;
  assert.deepEqual([awake.isWanted(9e9), awake.left(9e9)], [true, null]);
  awake.hears = false;
  assert.equal(awake.isWanted(9e9), false);
});
