// The colours of twenty players, on either ground.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { page } from "./page.js";

globalThis.document = { documentElement: { dataset: {} } };
const hears = [];
globalThis.addEventListener = (_, heard) => hears.push(heard);
const { apart, playersColour } = await page("palette");
const { readable } = await page("colour");

const source = readFileSync(new URL("../../Sources/JamWeb/PlayerStatus.swift", import.meta.url), "utf8");
const colours = source.match(/#[0-9a-f]{6}/g);

for (const theme of ["light", "dark"]) {
  test(`twenty players are told apart on ${theme} ground`, () => {
    document.documentElement.dataset.theme = theme;
    for (const heard of hears) heard();
    const twenty = colours.slice(0, 20).map(playersColour);
    for (const [index, one] of twenty.entries()) {
      for (const other of twenty.slice(index + 1)) assert.ok(apart(one, other) > 0.04, `${one} ${other}`);
    }
    // What draws them asks again whether they are seen.
    for (const one of twenty) assert.ok(apart(readable(one), one) < 0.01, one);
  });
}
