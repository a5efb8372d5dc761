import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { PLAIN, hashOf, levelAt, numbersOf, partialsOf, settingsOf, touched } = await page("own-patch");

const near = (a, b, within = 1e-6) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);
const patch = (changes) => ({ ...PLAIN, ...changes });

test("settings are the room's, and a plain patch's where it has told none", () => {
  const told = new Map([["/instrument", "bell"], ["/instrument/filter/cutoff", 500], ["/instrument/osc1/shape", "sine"]]);
  const settings = settingsOf((address, otherwise) => told.get(address) ?? otherwise);
  assert.deepEqual([settings.id, settings["filter/cutoff"], settings["osc1/shape"], settings["amp/sustain"]], ["bell", 500, "sine", 0.8]);
});

test("a resonance gives the filter's Q and takes half of its gain back", () => {
  near(numbersOf(patch({ "filter/resonance": 0 }), 1).filter.q, 0.5);
  near(numbersOf(patch({ "filter/resonance": 1 }), 1).filter.q, 1 / 0.06);
  const level = (resonance, mode) => numbersOf(patch({ gain: 0, "filter/resonance": resonance, "filter/mode": mode }), 1).loudness;
  near(level(0.5, "low"), 0.75);
  near(level(0.5, "off"), 1);
  assert.equal(numbersOf(patch({ "filter/mode": "off" }), 1).filter, null);
});

test("a soft touch closes the filter by octaves and lowers the level by its square", () => {
  const soft = numbersOf(patch({ gain: 0, "filter/resonance": 0, "filter/velocity": 2, "velocity/level": 0.8, "filter/cutoff": 640 }), 0.5);
  near(soft.filter.octaves, 6 - 1);
  near(soft.loudness, 0.2 + 0.8 * 0.25);
});

test("envelopes rise straight, and fall to a thousandth of their way within their time", () => {
  const { amp } = numbersOf(patch({ "amp/attack": 100, "amp/decay": 400, "amp/sustain": 0.5 }), 1);
  near(levelAt(amp, 0.05), 0.5);
  near(levelAt(amp, 0.1), 1);
  near(levelAt(amp, 0.5), 0.5 + 0.5 / 1000);
  assert.equal(levelAt(amp, -1), 0);
  // No edge is sharper than the engine's.
  const sharp = numbersOf(patch({ "amp/attack": 0, "amp/release": 0 }), 1).amp;
  near(sharp.attack, 0.001);
  near(sharp.release * Math.log(1000), 0.01);
});

test("a height moves what the patch says: the mix, the level, the filter", () => {
  const high = numbersOf(patch({ "height/mix": 1, "osc1/level": 0.5, "osc2/level": 0.3, "filter/height": 2, "height/level": 0.5 }), 1, 1);
  assert.deepEqual(high.sources.slice(0, 2).map(({ level }) => level), [0, 0.6]);
  const middle = numbersOf(patch({ "filter/height": 2 }), 1);
  near(high.filter.octaves - middle.filter.octaves, 2);
  near(high.loudness / middle.loudness, 1.5);
});

test("modulations by touch add, or multiply times and rates", () => {
  const way = (target, amount, velocity = 0) => touched(patch({ "mod2/source": "velocity", "mod2/to": target, "mod2/amount": amount }), velocity, 0.5);
  near(way("pitch", 0.5).pitch, -6);
  near(way("osc2/fine", -1).settings["osc2/fine"], 100);
  near(way("filter/cutoff", 0.5).settings["filter/cutoff"], 2400 / 4);
  near(way("amp/attack", 1).settings["amp/attack"], 3 / 32);
  // At a full touch all is as it is set.
  assert.deepEqual(way("gain", 1, 1).settings, patch({ "mod2/source": "velocity", "mod2/to": "gain", "mod2/amount": 1 }));
  assert.equal(touched(PLAIN, 0, 0).settings, PLAIN);
});

test("what is out of its range becomes the nearest value in it", () => {
  const wild = numbersOf(patch({ gain: 900, "filter/cutoff": -1, "filter/resonance": 7, spread: NaN, "amp/sustain": 4, "lfo/rate": 0, "lfo/pitch": 99 }), 1);
  assert.deepEqual([wild.filter.q.toFixed(1), wild.spread, wild.amp.sustain, wild.lfo.rate, wild.lfo.pitch], ["16.7", 0, 1, 0.02, 12]);
  assert.ok(Number.isFinite(wild.loudness) && Number.isFinite(wild.filter.octaves));
});

/// A wave at a phase, by its partials.
const at = ({ real, imag }, phase) => real.reduce((sum, cosine, n) => sum + cosine * Math.cos(2 * Math.PI * n * phase) + imag[n] * Math.sin(2 * Math.PI * n * phase), 0);

test("waves are the engine's: a saw falls, a pulse is the difference of two", () => {
  near(at(partialsOf("saw", 0.5), 0.25), 0.5, 0.01);
  near(at(partialsOf("triangle", 0.5), 0.25), 1, 0.01);
  near(at(partialsOf("sine", 0.5), 0.25), 1);
  const pulse = partialsOf("pulse", 0.3);
  near(at(pulse, 0.35) - at(pulse, 0.85), 2, 0.02);
  // Its mean is nothing.
  near(at(pulse, 0.35), 0.6, 0.02);
});

test("a note's hash is the engine's", () => {
  // SplitMix64 of 0 is known; the note's seed is its number and key.
  assert.equal(hashOf(0, -17), 0xe220a8397b1dcdafn);
  assert.notEqual(hashOf(1, 60), hashOf(2, 60));
  assert.equal(hashOf(65536 + 5, 60), hashOf(5, 60));
});
