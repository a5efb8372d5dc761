// The voices of a page's own hits: which sound, which end, and what they are connected to.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { KEYS, OwnVoices } = await page("own-voice");

class Param {
  curves = [];
  value = 1;
  cancelled = [];
  setValueCurveAtTime(curve, at, seconds) { this.curves.push({ at, seconds, from: curve[0], to: curve.at(-1) }); }
  setTargetAtTime(value) { this.value = value; }
  cancelScheduledValues(at) {
    this.cancelled.push(at);
    this.curves = this.curves.filter((curve) => curve.at < at);
  }
}

class Node {
  to = [];
  gain = new Param();
  playbackRate = new Param();
  stops = [];
  connect(node) { this.to.push(node); }
  disconnect() { this.to = []; }
  start(at, offset) { Object.assign(this, { at, offset }); }
  stop(at) {
    assert.notEqual(this.at, undefined, "it has not begun");
    this.stops.push(at);
  }
}

/// Web Audio in memory.
class Context {
  currentTime = 0;
  sampleRate = 48000;
  sources = [];
  made = 0;
  createGain() { return new Node(); }
  createChannelMerger() { return new Node(); }
  createChannelSplitter() { return new Node(); }
  createBufferSource() {
    const source = new Node();
    this.sources.push(source);
    return source;
  }
  createBuffer(numberOfChannels, length, sampleRate) {
    this.made += 1;
    return buffer(length, sampleRate, numberOfChannels);
  }
}

const buffer = (length, sampleRate = 48000, numberOfChannels = 1) => {
  const channels = Array.from({ length: numberOfChannels }, () => new Float32Array(length).fill(0.5));
  return { length, sampleRate, numberOfChannels, getChannelData: (at) => channels[at], copyToChannel: (data, at) => channels[at].set(data) };
};
const found = (length = 480000, more = {}) => ({ gain: 1, sound: { hash: `h${length}`, buffer: buffer(length), loop: null, endsLoud: false, ...more } });

function voices() {
  const context = new Context();
  const out = new Node();
  return { context, out, all: new OwnVoices(context, out) };
}

/// The gain that a choke or a release moves, with its fades as [begins, lasts] in milliseconds.
const fades = (param) => param.curves.map(({ at, seconds }) => [Math.round(at * 1000), Math.round(seconds * 1000)]);
const cutOf = (source) => source.to[0].gain;

test("a plain hit is its sound through one gain", () => {
  const { context, all, out } = voices();
  const sound = found();
  all.start(3, sound, {}, 0.5, 1);
  const [source] = context.sources;
  assert.deepEqual([source.buffer, source.at, source.offset, source.playbackRate.value], [sound.sound.buffer, 0, 0, 1]);
  assert.equal(cutOf(source).value, 0.25);
  assert.deepEqual(source.to[0].to[0].to, [out], "through the level of its pad");
  assert.equal(all.count, 1);
  source.onended();
  assert.equal(all.count, 0);
});

test("a voice more than the pad may have ends the oldest, within two milliseconds", () => {
  const { context, all } = voices();
  for (let i = 0; i < 3; i += 1) all.start(1, found(), { voices: 2 }, 1, 1, 1 + i);
  assert.deepEqual(context.sources.map((source) => fades(cutOf(source))), [[[3000, 2]], [], []]);
  assert.deepEqual(context.sources[0].stops, [3.002]);
});

test("pads of a group cut each other off, and nobody else", () => {
  const { context, all } = voices();
  all.start(1, found(), { choke: 2 }, 1, 1, 1);
  all.start(2, found(), { choke: 1 }, 1, 1, 1);
  all.start(3, found(), { choke: 2 }, 1, 1, 2);
  all.start(3, found(), { choke: 2 }, 1, 1, 3);
  assert.deepEqual(context.sources.map((source) => fades(cutOf(source))), [[[2000, 2]], [], [], []]);
});

test("a held hit ends with its release, once", () => {
  const { context, all } = voices();
  all.start(1, found(), { mode: "gate", release: 100 }, 1, 1, 1);
  all.start(2, found(), {}, 1, 1, 1);
  all.release(1, 1.5);
  all.release(1, 1.6);
  all.release(2, 1.5);
  const [held, free] = context.sources;
  assert.deepEqual(fades(cutOf(held)), [[1500, 100]]);
  assert.deepEqual([held.stops, free.stops], [[1.6], []]);
});

test("a release is as short as what is left of the sound", () => {
  const { context, all } = voices();
  all.start(1, found(4800), { mode: "gate", release: 2000 }, 1, 1, 1);
  all.release(1, 1.04);
  assert.deepEqual(fades(cutOf(context.sources[0])), [[1040, 60]]);
});

test("a release takes the place of a decay that has not begun", () => {
  const { context, all } = voices();
  all.start(1, found(), { mode: "gate", decay: 300, release: 2000 }, 1, 1, 1);
  const [held] = context.sources;
  assert.deepEqual(fades(cutOf(held)), [[1300, 10]]);
  all.release(1, 1.1);
  assert.deepEqual(fades(cutOf(held)), [[1100, 2000]]);
  all.start(2, found(), { mode: "gate", decay: 300 }, 1, 1, 1);
  all.release(2, 1.305);
  assert.deepEqual(fades(cutOf(context.sources[1])), [[1300, 10]], "it is over already");
});

test("a key has one voice, and keys choke nothing", () => {
  const { context, all } = voices();
  all.start(KEYS + 60, found(), { mode: "gate", voices: 1 }, 1, 1, 1);
  all.start(KEYS + 60, found(), { mode: "gate", voices: 1 }, 1, 1, 2);
  all.start(KEYS + 62, found(), { mode: "gate", voices: 1 }, 1, 1, 2);
  assert.deepEqual(context.sources.map((source) => fades(source.to[0].to[0].gain)), [[[2000, 4]], [], []]);
});

test("a transposed body is computed ahead, kept, and played as it is", () => {
  const { context, all } = voices();
  const sound = found(96000);
  all.prepare(sound, { transpose: 7 }, 1);
  assert.equal(context.made, 1);
  all.start(1, sound, { transpose: 7 }, 1, 1);
  all.start(1, sound, { transpose: 7 }, 0.4, 2);
  assert.equal(context.made, 1);
  assert.deepEqual(context.sources.map((source) => [source.buffer.length, source.playbackRate.value]), [[64073, 1], [64073, 1]]);
});

test("a long transposed sound that nobody prepared is not waited for", () => {
  const { context, all } = voices();
  all.start(1, found(480000), { transpose: 12, transposeRandom: 1e-9 }, 1, 1);
  assert.equal(context.sources[0].buffer.length, 480000);
  assert.ok(Math.abs(context.sources[0].playbackRate.value - 2) < 1e-6);
});

test("muted and soloed pads", () => {
  const { context, all } = voices();
  all.start(1, found(), { mute: true }, 1, 1);
  all.start(2, found(), { gain: 6 }, 1, 1);
  const level = (at) => context.sources[at].to[0].to[0].gain.value;
  assert.deepEqual([level(0), Math.round(level(1) * 1000)], [0, 1995]);
  all.solo([1]);
  assert.equal(level(1), 0);
  all.level(1, { gain: 0, mute: false });
  all.solo([]);
  assert.deepEqual([level(0), Math.round(level(1) * 1000)], [1, 1995]);
});

test("loops come by the stream, and a start behind the end is silent", () => {
  const { all } = voices();
  assert.equal(all.start(1, found(), { mode: "loop" }, 1, 1), null);
  assert.equal(all.start(1, found(480), { start: 20 }, 1, 1), null);
  assert.equal(all.count, 0);
});

test("a sampled key's loop goes round while it is held", () => {
  const { context, all } = voices();
  all.start(KEYS + 60, found(48000, { loop: [24000, 47000] }), { mode: "gate", transpose: 2 }, 1, 1);
  const [source] = context.sources;
  assert.deepEqual([source.loop, source.loopStart, source.loopEnd], [true, 0.5, 47000 / 48000]);
  assert.ok(Math.abs(source.playbackRate.value - 2 ** (2 / 12)) < 1e-9);
});

test("everything ends by a short fade, and the room's pitch bends what sounds", () => {
  const { context, all } = voices();
  all.start(1, found(), {}, 1, 1, 1);
  all.pitch = 0.5;
  assert.equal(context.sources[0].playbackRate.value, 0.5);
  all.silence(2);
  assert.deepEqual(fades(cutOf(context.sources[0])), [[2000, 5]]);
});

test("what the room has ended early ends here, and what it does not know of yet sounds on", () => {
  const { context, all } = voices();
  all.start(1, found(), {}, 1, 1, 1);
  all.start(1, found(48000), {}, 1, 2, 1.2);
  all.start(1, found(), { mode: "gate", release: 4000 }, 1, 3, 1.3);
  all.start(2, found(), {}, 1, 1, 1);
  all.start(1, found(), {}, 1, 4, 2.05);
  context.currentTime = 2.15;
  all.release(1);
  all.ended(1, 0.15);
  const ended = context.sources.map((source) => fades(source.to.at(-1).gain).filter(([, lasts]) => lasts === 5).length);
  assert.deepEqual(ended, [1, 0, 0, 0, 0], "all but the first are over, let go of, another pad's or new");
});

test("a room that is tuned down ends nothing early", () => {
  const { context, all } = voices();
  all.pitch = 0.5;
  all.start(1, found(48000), {}, 1, 1, 1);
  context.currentTime = 2;
  all.ended(1, 0.1);
  assert.deepEqual(fades(cutOf(context.sources[0])), []);
  all.start(2, found(), { decay: 500 }, 1, 1, 2);
  context.currentTime = 2.5;
  all.ended(2, 0.1);
  assert.deepEqual(fades(cutOf(context.sources[1])), []);
});
