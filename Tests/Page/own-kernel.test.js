// The engine's interpolation in the page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { page } from "./page.js";

const { kernelFor, resampled } = await page("own-kernel");

test("the kernels are the engine's", async () => {
  const text = await readFile(new URL("../../Sources/JamEngine/KernelShape.swift", import.meta.url), "utf8");
  const shapes = [...text.matchAll(/highestRate: ([\d./ ]+), taps: (\d+),\s*cosines: \[([^\]]*)\]/g)];
  assert.equal(shapes.length, 15);
  for (const [, highest, taps, list] of shapes) {
    const [over, under = 1] = highest.split("/").map(Number);
    const cosines = list.split(",").filter((each) => each.trim()).map(Number);
    const kernel = kernelFor(over / under);
    assert.equal(kernel.taps, Number(taps), highest);
    for (const t of [0, 0.5, 1.25, taps / 4]) {
      const value = cosines.reduce((sum, cosine, k) => sum + cosine * Math.cos((2 * Math.PI * k * t) / taps), 0);
      const tap = taps / 2 - 1 - Math.floor(t);
      const phase = (t - Math.floor(t)) * 128;
      assert.ok(Math.abs(kernel.rows[phase * taps + tap] - value) < 3e-5, `${highest} at ${t}`);
    }
  }
});

test("a constant stays what it is, at any rate and at any place", () => {
  for (const rate of [0.3, 0.97, 1.06, 1.5, 2.1, 3.9, 8]) {
    const out = resampled(new Float32Array(2000).fill(1), 200, rate, 100);
    for (const value of out) assert.ok(Math.abs(value - 1) < 1e-4, `${rate}: ${value}`);
  }
});

test("what would fold back below 16 kHz is taken away", () => {
  const tone = Float32Array.from({ length: 8000 }, (_, i) => Math.sin((2 * Math.PI * 20000 * i) / 48000));
  const out = resampled(tone, 500, 2, 3000);
  // 40 kHz would be heard as 8 kHz.
  assert.ok(Math.max(...out.slice(100, 2900).map(Math.abs)) < 0.001);
});

test("nothing is read in front of the sound or behind it", () => {
  const out = resampled(new Float32Array([1, 1, 1, 1]), -3, 0.5, 30);
  assert.ok(out.every(Number.isFinite));
});
