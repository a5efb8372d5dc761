import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { LEFT_TO_STREAM, OwnKeys, isNear, playsAsItIs } = await page("own-keys");

/// A player's keys with a recorded instrument of one zone; what its voices were told.
function keys(changes = {}, sounds = {}) {
  const told = new Map(Object.entries({ "/instrument": "marimba", "/instrument/gain": -6, "/instrument/amp/release": 700, ...changes }));
  const said = [];
  const own = new OwnKeys(/** @type {any} */ ({ currentTime: 0 }), /** @type {any} */ ({}), {
    get: (address, otherwise) => told.get(address) ?? otherwise,
    sounds: { instrument: "marimba", zones: [{}], ofKey: (note) => (note > 40 ? { transpose: note - 60, decibels: 2 } : null), ...sounds },
    voices: {
      pitch: 2,
      start: (...all) => {
        said.push(["start", ...all]);
        return { bend: (pitch) => said.push(["bend", all[0], pitch]) };
      },
      release: (pad) => said.push(["release", pad]),
    },
  });
  return { own, told, said };
}

test("a key of recorded sounds is a held pad: its zone's sound, transposed, with the patch's gain and release", () => {
  const { own, said } = keys();
  assert.equal(own.press(64, 0.5, 77), true);
  own.release(64);
  const [, pad, found, settings, velocity, number] = said[0];
  assert.deepEqual([pad, found.transpose, velocity, number], [81, 4, 0.5, 77]);
  assert.deepEqual(settings, { mode: "gate", voices: 1, transpose: 4, gain: -4, release: 700 });
  assert.deepEqual(said[1], ["release", 81]);
});

test("what is not here, or not this instrument's, is left to the stream", () => {
  assert.equal(keys().own.press(30, 0.5, 1), false);
  assert.equal(keys({}, { instrument: "piano" }).own.press(64, 0.5, 1), false);
  assert.equal(keys({}, { ofKey: () => null }).own.press(64, 0.5, 1), false);
});

test("a press of which the room makes something else is left to the stream", () => {
  const others = { "/chord/size": 3, "/key/snap": 1, "/arp/mode": "up", "/quantize": "1/16", "/timing": "interval", "/repeat/all": 1, "/role": "listener" };
  assert.equal(playsAsItIs((_, otherwise) => otherwise), true);
  for (const [address, value] of Object.entries(others)) assert.equal(keys({ "/play": 1, [address]: value }).own.press(64, 0.5, 1), false, address);
  // While the beat stands still no hit waits for a line.
  assert.equal(keys({ "/quantize": "1/16" }).own.press(64, 0.5, 1), true);
});

test("a key that the stream plays from now on does not sound on here", () => {
  const { own, told, said } = keys();
  own.press(64, 0.5, 1);
  told.set("/chord/size", 3);
  assert.equal(own.press(64, 0.5, 2), false);
  assert.deepEqual(said.at(-1), ["release", 81]);
});

test("a release of what the page did not sound does nothing", () => {
  const { own, said } = keys();
  own.release(64);
  own.press(64, 0.5, 1);
  own.release(64);
  own.release(64);
  assert.deepEqual(said.map(([what]) => what), ["start", "release"]);
});

test("wheel and bends move recorded keys, on top of the room's pitch", () => {
  const { own, said } = keys({ "/bend": 1, "/instrument/bend/range": 12 });
  own.press(64, 0.5, 1);
  assert.deepEqual(said.at(-1), ["bend", 81, 4]);
  own.bend(64, -12);
  assert.deepEqual(said.at(-1), ["bend", 81, 2]);
  own.wheel(0);
  assert.deepEqual(said.at(-1), ["bend", 81, 1]);
  own.release(64);
  own.bend(64, 5);
  own.wheel(1);
  assert.deepEqual(said.at(-1), ["release", 81]);
});

test("the pedal holds keys that are let go of, until it comes up or they are struck again", () => {
  const { own, told, said } = keys({ "/sustain": 1 });
  for (const note of [64, 66]) { own.press(note, 0.5, 1); own.release(note); }
  own.press(66, 0.5, 2);
  assert.deepEqual(said.map(([what]) => what), ["start", "start", "start"]);
  told.set("/sustain", 0);
  own.pedal(false);
  assert.deepEqual(said.at(-1), ["release", 81]);
  own.releaseAll();
  assert.deepEqual(said.at(-1), ["release", 83]);
});

test("a key that the room has ended ends here, but not one that it may not know of yet", () => {
  const { own, said } = keys();
  own.press(64, 0.5, 1);
  own.synth.context = /** @type {any} */ ({ currentTime: 0.1 });
  own.ended(64, 0.2);
  own.ended(66, 0.2);
  assert.equal(said.length, 1);
  own.synth.context = /** @type {any} */ ({ currentTime: 0.2 });
  own.ended(64, 0.2);
  assert.deepEqual(said.at(-1), ["release", 81]);
});

test("a patch that jumps at random is the engine's alone", () => {
  assert.equal(isNear({ id: "mine", "lfo/shape": "random", "lfo/pitch": 0, "lfo/filter": 1 }), false);
  assert.equal(isNear({ id: "mine", "lfo/shape": "random", "lfo/pitch": 0, "lfo/filter": 0, "lfo/level": 0, "lfo/width": 0 }), true);
  for (const id of LEFT_TO_STREAM) assert.equal(isNear({ id, "lfo/shape": "sine" }), false);
});
