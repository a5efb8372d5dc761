import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { LASTS, Lasting } = await page("lasting");

test("a trouble is worth a message once it has lasted for half a minute without a break", () => {
  const trouble = new Lasting();
  assert.equal(LASTS, 30_000);
  assert.deepEqual([0, 500, 29_999].map((now) => trouble.see(true, now)), [false, false, false]);
  assert.equal(trouble.see(false, 29_999), false);
  assert.deepEqual([30_000, 59_999, 60_000, 60_500].map((now) => trouble.see(true, now)), [false, false, true, true]);
});
