import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { MonitorBook } = await page("monitor-lines");

/** @param {string} address @param {Partial<{ sender: string, values: string, verdict: string, reason: string, code: string }>} facts */
const line = (address, { sender = "10.0.0.7:9000", values = "1.0", verdict = "understood", reason = "", code = "" } = {}) =>
  [0, sender, "ann", "udp", address, values, verdict, reason, code];

test("the newest line comes first, and equal neighbours are one row with the latest values", () => {
  const book = new MonitorBook();
  book.add(line("/pad/1/gain", { values: "-6.0" }), new Date(0));
  book.add(line("/pad/1/gain", { values: "-5.0" }), new Date(1));
  book.add(line("/pad/1/gain", { values: "-5.0", sender: "10.0.0.8:9000" }), new Date(2));
  book.add(line("/pad/1/gain", { verdict: "refused", code: "locked" }), new Date(3));
  assert.deepEqual(book.wanted().map(({ sender, values, verdict, count }) => [sender, values, verdict, count]), [
    ["10.0.0.7:9000", "1.0", "refused", 1], ["10.0.0.8:9000", "-5.0", "understood", 1], ["10.0.0.7:9000", "-5.0", "understood", 2],
  ]);
});

test("a text is looked for in all of a line, and refused ones can be had alone", () => {
  const book = new MonitorBook();
  book.add(line("/pad/1"), new Date(0));
  book.add(line("/temppo", { verdict: "refused", reason: "did you mean /tempo?", code: "unknown-address" }), new Date(0));
  const addresses = (/** @type {any} */ wish) => book.wanted(wish).map((row) => row.address);
  assert.deepEqual(addresses({ text: " /PAD " }), ["/pad/1"]);
  assert.deepEqual(addresses({ text: "did you mean" }), ["/temppo"]);
  assert.deepEqual(addresses({ isRefused: true }), ["/temppo"]);
  assert.deepEqual(addresses({ text: "pad", isRefused: true }), []);
  assert.deepEqual(addresses({ most: 1 }), ["/temppo"]);
});

test("the number of kept rows is bounded, and each has a number of its own", () => {
  const book = new MonitorBook();
  for (let index = 0; index < 2_000; index += 1) book.add(line(`/x/${index}`), new Date(index));
  const rows = book.wanted();
  assert.equal(rows.length, 500);
  assert.equal(rows[0].address, "/x/1999");
  assert.equal(new Set(rows.map(({ id }) => id)).size, 500);
  book.clear();
  assert.deepEqual(book.wanted(), []);
});
