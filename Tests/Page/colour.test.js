import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { isColour, readable } = await page("colour");

globalThis.document = { documentElement: { dataset: {} } };
const onGround = (theme, make) => {
  document.documentElement.dataset.theme = theme;
  return make();
};

/** Relative luminance (WCAG 2.1). */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const contrast = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

const ANY = ["#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#808080", "#8a2be2", "#123456"];
const [LIGHT, DARK] = ["#f7f5f2", "#141311"];

test("any colour becomes one that is seen on either ground, 3 : 1 as a mark and 4.5 : 1 as text", () => {
  for (const colour of ANY) {
    assert.ok(onGround("dark", () => contrast(readable(colour), DARK)) >= 4.5, `${colour} on dark`);
    assert.ok(onGround("light", () => contrast(readable(colour), LIGHT)) >= 3, `${colour} on light`);
    assert.ok(onGround("light", () => contrast(readable(colour, true), LIGHT)) >= 4.5, `${colour} as text`);
    assert.ok(isColour(readable(colour)));
  }
});

test("only six digits behind a hash are a colour", () => {
  assert.deepEqual(["#a1B2c3", "#abc", "red", "#12345g", "", undefined].map(isColour), [true, false, false, false, false, false]);
});
