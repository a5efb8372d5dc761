import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { isOdd, lateness, outputKey } = await page("calibration");

// Beats of taps on quarters at 120 bpm, so many milliseconds late.
const taps = (late, step = 1) => late.map((each, i) => 4 + i * step + each / 500);

test("eight taps tell how late an output is, from a hand that is ahead to Bluetooth", () => {
  for (const late of [-60, 0, 40, 180, 250, 350]) {
    assert.ok(Math.abs(lateness(taps([0, 12, -15, 20, -9, 3, -22, 8].map((each) => each + late)), 120) - late) < 5, `${late} ms`);
  }
  assert.equal(lateness(taps([0, 120, 240, -100, 300, 40, 200, -60]), 120), null, "these were along with nothing");
});

test("a recording is odd that lies beside the sixteenths by as much all along", () => {
  const odd = (late) => isOdd(taps(late, 0.25), 120);
  assert.equal(odd(Array(8).fill(45)), true);
  assert.equal(odd(Array(8).fill(-45)), true);
  assert.equal(odd(Array(8).fill(20)), false, "a hand");
  assert.equal(odd([40, 65, 18, 52, 71, 22, 45, 33]), true, "a late output, played by a hand");
  assert.equal(odd(Array(7).fill(45)), false, "too few");
  assert.equal(odd([0, 50, -20, 30, 60, -45, 10, 50]), false, "all over the place");
});

test("an output goes by its name where the browser tells it", () => {
  const devices = [{ kind: "audioinput", deviceId: "m", label: "Mic" }, { kind: "audiooutput", deviceId: "a", label: "Headset" }];
  assert.equal(outputKey("", []), "default");
  assert.equal(outputKey("", [{ kind: "audiooutput", deviceId: "", label: "" }]), "default");
  assert.equal(outputKey("x", devices), "x, Headset");
});
