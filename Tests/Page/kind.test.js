// The colours of kinds of sounds: what is which kind, and that the colours can be seen and told
// apart, by every eye.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

globalThis.document = { documentElement: { dataset: {}, style: { setProperty() {} } } };
const { KINDS, kindOf, mostly, paintKinds, shadeOf, toneOf } = await page("kind");

/// Each ground of the page with what lies on it, by theme: ground, card, sunk.
const GROUNDS = { light: ["#f6f4f0", "#fffefc", "#ece8e1"], dark: ["#151412", "#1e1c19", "#100f0d", "#000000", "#0b0b0b"] };
const looks = ["light", "dark"].flatMap((theme) => ["", "clear"].map((colours) => ({ theme, colours })));

const seen = (look, make) => {
  document.documentElement.dataset = look;
  return make();
};
const linear = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));

/** Relative luminance (WCAG 2.1) of linear red, green and blue. */
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a, b) => {
  const [dark, light] = [luminance(linear(a)), luminance(linear(b))].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

/// How people without one kind of cones see linear colours. Source: G. M. Machado et al., "A
/// physiologically-based model for simulation of color vision deficiency", severity 1.
const EYES = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
/** Linear colours in OKLab. */
function lab([r, g, b]) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
const look = (eye, hex) => lab(EYES[eye].map((row) => Math.min(1, Math.max(0, row.reduce((sum, part, at) => sum + part * linear(hex)[at], 0)))));
const apart = (eye, a, b) => Math.hypot(...look(eye, a).map((value, at) => value - look(eye, b)[at]));

/** The two kinds that are nearest to each other, and how near. */
function nearest(eye, number = 0) {
  let found = ["", 9];
  for (const [index, a] of KINDS.entries()) {
    for (const b of KINDS.slice(index + 1)) {
      const far = apart(eye, shadeOf(a, number), shadeOf(b, number));
      if (far < found[1]) found = [`${a} and ${b}`, far];
    }
  }
  return found;
}

test("every category is of one kind, and a key without one is a bass or a lead by its pitch", () => {
  const said = { kick: "drums", snare: "drums", clap: "drums", tom: "drums", hat: "cymbals", cymbal: "cymbals", percussion: "percussion", bass: "bass", chord: "chords", lead: "lead", voice: "voice", fx: "effects", riser: "effects", impact: "effects", loop: "drums", other: "other" };
  assert.deepEqual(Object.fromEntries(Object.keys(said).map((category) => [category, kindOf(category)])), said);
  assert.deepEqual([kindOf(""), kindOf(undefined, 3), kindOf("", 17 + 40), kindOf("", 17 + 60), kindOf("bass", 17 + 60)], ["other", "other", "bass", "lead", "bass"]);
});

test("each shade of each kind is seen on each ground of the page with 3 : 1", () => {
  for (const one of looks) {
    for (const kind of [...KINDS, "other"]) {
      for (const number of [0, 1]) {
        for (const ground of GROUNDS[one.theme]) {
          const found = seen(one, () => contrast(shadeOf(kind, number), ground));
          assert.ok(found >= 3, `${kind} ${number} on ${ground}, ${one.theme} ${one.colours}: ${found.toFixed(2)}`);
        }
      }
    }
  }
});

test("the two shades of a kind are told apart", () => {
  for (const one of looks) {
    for (const kind of KINDS) {
      const found = seen(one, () => apart("usual", shadeOf(kind, 1), shadeOf(kind, 2)));
      assert.ok(found >= 0.04, `${kind}, ${one.theme} ${one.colours}: ${found.toFixed(3)}`);
    }
  }
});

test("bright kinds are told apart by the usual eye, clear ones by every eye", () => {
  for (const one of looks) {
    for (const eye of one.colours ? Object.keys(EYES) : ["usual"]) {
      for (const number of [0, 1]) {
        const [pair, far] = seen(one, () => nearest(eye, number));
        assert.ok(far >= 0.07, `${pair} for ${eye}, ${one.theme} ${one.colours}: ${far.toFixed(3)}`);
      }
    }
  }
});

test("a pattern is mostly drums where drums, cymbals and percussion together are the most", () => {
  assert.equal(mostly(["drums", "cymbals", "bass", "bass", "percussion"]), "drums");
  assert.equal(mostly(["bass", "drums", "bass"]), "bass");
  assert.equal(mostly([]), "other");
});

test("style sheets get each shade as a variable of the root", () => {
  const set = new Map();
  document.documentElement.style.setProperty = (name, value) => set.set(name, value);
  seen({ theme: "dark" }, paintKinds);
  assert.equal(set.size, 18);
  assert.equal(toneOf("bass", 3), "var(--bass-1)");
  assert.equal(set.get("--bass-1"), seen({ theme: "dark" }, () => shadeOf("bass", 1)));
});
