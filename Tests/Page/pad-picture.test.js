// The playing position on a pad: it is drawn piece by piece, and leaves nothing behind.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pageWith } from "./page.js";

const canvas = (width = 0, height = 0) => {
  const drawn = [];
  const note = (what) => (...values) => drawn.push([what, ...values.filter((value) => typeof value === "number")]);
  const context = { clearRect: note("clear"), fillRect: note("fill"), drawImage: note("image") };
  const made = { width, height, clientWidth: width, drawn, getContext: () => context, before() {} };
  context.canvas = made;
  return made;
};
const pad = { canvas: canvas(), element: { append() {} }, address: (what) => what, milliseconds: 1000, line: 4, renew() {} };
globalThis.stage = { pad };
globalThis.room = { get: (_, otherwise) => otherwise, on() {} };
globalThis.document = { createElement: () => canvas() };
globalThis.matchMedia = () => ({ matches: false });
globalThis.addEventListener = () => {};
await pageWith("pad-picture", {
  "./colour.js": "export const readable = (colour) => colour;",
  "./dom.js": "export const h = () => ({}); export const [shown, token, write] = [String, String, () => {}];",
  "./frame.js": "export const animate = () => {};",
  "./pads.js": "export const pads = [globalThis.stage.pad]; export const ownColour = () => '#aa5500';",
  "./people.js": "export const colourOf = String;",
  "./room.js": "export const { room } = globalThis;",
});

test("each piece lies on whole pixels, and the next one clears all of the line", () => {
  const { picture } = pad;
  picture.peaks = Array.from({ length: 48 }, (_, part) => (part % 7) / 7);
  for (const [width, height] of [[171, 60], [175, 139], [301, 173], [81, 43], [342, 121]]) {
    pad.canvas = canvas(width, height);
    const context = pad.canvas.getContext();
    const { drawn } = pad.canvas;
    picture.fresh();
    picture.draw(context);
    let line = null;
    for (let done = 0; done < 1; done += 0.01) {
      drawn.length = 0;
      picture.go(context, done);
      if (drawn.length === 0) continue;
      assert.ok(drawn.every(([, ...places]) => places.every(Number.isInteger)), `${width} × ${height}: ${drawn.join(" | ")}`);
      const [[, left, top, wide, tall], , [, ...next]] = drawn;
      for (const [x, y, w, h] of [line, next].filter(Boolean)) {
        assert.ok(x >= left && y >= top && x + w <= left + wide && y + h <= top + tall, `${width} × ${height} at ${done}`);
      }
      line = next;
    }
    assert.ok(line, "it was drawn");
  }
});
