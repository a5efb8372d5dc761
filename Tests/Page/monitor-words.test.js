import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { page } from "./page.js";

const { default: reasons } = await page("monitor-words");
const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const codes = read("Tests/Golden/error-codes.txt").trim().split("\n");

test("what the page itself never sends wrong has a reason of its own for controllers", () => {
  const words = read("Sources/JamWeb/Page/words.js");
  const faults = [...words.matchAll(/"([a-z-]+)": FAULT,/g)].map(([, code]) => code);
  assert.ok(faults.length > 10);
  for (const code of faults) assert.ok(reasons[code], code);
});

test("packets that cannot be read have one, and no reason is for a code that does not exist", () => {
  for (const code of ["bad-packet", "packet-too-long", "bundle-too-deep", "bad-framing"]) assert.ok(reasons[code], code);
  const notices = [...read("Sources/JamWire/Notice+Words.swift").matchAll(/: "([a-z-]+)"\n/g)].map(([, code]) => code);
  for (const code of Object.keys(reasons)) {
    assert.ok(codes.includes(code) || notices.includes(code) || code === "values-are-midi", code);
  }
});
