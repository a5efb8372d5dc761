// The sounds of a page's own pads: what is asked for, in which order, and which hits have one.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { page } from "./page.js";

const { OwnSounds } = await page("own-sounds");

const hash = (number) => String(number).padEnd(64, "x");
const told = (count = 2) => ({
  kit: "kit", instrument: "marimba",
  pads: Array.from({ length: count }, (_, i) => ({
    pad: i + 1, sample: `kit/${i + 1}`, stretch: 1,
    layers: [{ upTo: 0.5, gain: 0.4, sounds: [3 * i] }, { upTo: 1, gain: 1, sounds: [3 * i + 1, 3 * i + 2] }],
  })),
  zones: [{ low: 40, high: 50, root: 45, tune: 50, gain: -3, layers: [{ upTo: 1, gain: 1, sounds: [3 * count] }] }],
  sounds: Array.from({ length: 3 * count + 1 }, (_, i) => ({ hash: hash(i), frames: 1000 + i, channels: 1 })),
});

/// A server and a browser in memory. `refuses` are the forms that the browser does not read.
class World {
  asked = [];
  state = {};
  description = told();
  refuses = [];
  fails = new Set();
  /// What is asked for is answered once this is.
  gate = Promise.resolve();

  constructor(options = {}) {
    const context = {
      sampleRate: 48000,
      decodeAudioData: async (bytes) => {
        await this.gate;
        const [form, frames] = new TextDecoder().decode(bytes).split(" ");
        if (this.refuses.includes(form)) throw new Error("no such form");
        return { sampleRate: 48000, length: Number(frames), numberOfChannels: 1 };
      },
    };
    this.sounds = new OwnSounds({
      context, path: (name) => name, get: (address, otherwise) => this.state[address] ?? otherwise, ...options,
      fetch: async (address) => {
        this.asked.push(address);
        if (this.fails.has(address)) return { ok: false };
        if (address === "play") return { ok: true, json: async () => structuredClone(this.description) };
        const [, name, form] = address.match(/^play\/(.*)\.(.*)$/);
        const part = this.description.sounds.find((each) => each.hash === name);
        return { ok: true, arrayBuffer: async () => new TextEncoder().encode(`${form} ${part.frames}`).buffer };
      },
    });
  }

  async come(milliseconds = 120) {
    mock.timers.tick(milliseconds);
    for (let i = 0; i < 200; i += 1) await Promise.resolve();
  }

  /** The numbers of the sounds in the order in which they were asked for. */
  order(form = "opus") { return this.asked.filter((each) => each.endsWith(form)).map((each) => Number(each.at(5))); }
}

async function world(act, options) {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const made = new World(options);
    await act(made);
    made.sounds.stop();
  } finally {
    mock.timers.reset();
  }
}

test("nothing is asked before the player is known", () => world(async (it) => {
  it.sounds.look();
  await it.come();
  assert.deepEqual(it.asked, []);
  assert.equal(it.sounds.of(1, 1, 1), null);
}));

test("each pad's loudest sound comes first, and then the rest", () => world(async (it) => {
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  assert.equal(it.asked[0], "play");
  assert.deepEqual(it.order(), [1, 4, 6, 2, 5, 0, 3]);
  assert.deepEqual(it.sounds.state, { pads: 2, ready: 2, isExact: true, bytes: (7 * 1000 + 21) * 4, isTooLarge: false, isDone: true });
  assert.deepEqual(it.order("flac"), it.order(), "then each comes as it is to the bit");
  assert.ok(it.asked.findIndex((each) => each.endsWith("flac")) > it.asked.findLastIndex((each) => each.endsWith("opus")));
}));

test("a hit has the sound of its velocity, and the variant of its number", () => world(async (it) => {
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  const of = (...hit) => [it.sounds.of(...hit)].map(({ sound, gain }) => [sound.hash[0], gain])[0];
  assert.deepEqual([of(1, 0.5, 9), of(1, 0.51, 8), of(1, 1, 9), of(2, 1, 9)], [["0", 0.4], ["1", 1], ["2", 1], ["5", 1]]);
  assert.equal(it.sounds.of(3, 1, 1), null);
  const key = it.sounds.ofKey(47, 1, 5);
  assert.deepEqual([key.sound.hash[0], key.transpose, key.decibels], ["6", 2.5, -3]);
  assert.equal(it.sounds.ofKey(51, 1, 5), null);
}));

test("several changes are asked about once, and a sound that is here is not fetched again", () => world(async (it) => {
  it.sounds.look({ player: "ann", token: "t" });
  it.sounds.look();
  it.sounds.look();
  await it.come();
  it.sounds.look();
  await it.come();
  assert.deepEqual([it.asked.filter((each) => each === "play").length, it.order().length], [2, 7]);
}));

test("a pad whose sound has changed since has none, until the server told the new one", () => world(async (it) => {
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  it.state["/pad/1/sample"] = "other/1";
  assert.deepEqual([it.sounds.of(1, 1, 1), it.sounds.isReady(1), it.sounds.isReady(2)], [null, false, true]);
  it.description.pads[0].sample = "other/1";
  it.sounds.look();
  await it.come();
  assert.ok(it.sounds.of(1, 1, 1));
  it.state["/pad/1/beats"] = 4;
  assert.equal(it.sounds.of(1, 1, 1), null, "it follows the tempo");
}));

test("a stretched sound that is still being made is asked for again", () => world(async (it) => {
  it.state["/pad/1/stretch"] = 1.5;
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  assert.equal(it.sounds.of(1, 1, 1), null);
  it.description.pads[0].stretch = 1.5;
  await it.come(2000);
  assert.ok(it.sounds.of(1, 1, 1));
}));

test("a browser that reads no Opus gets FLAC from then on", () => world(async (it) => {
  it.refuses = ["opus"];
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  assert.equal(it.sounds.state.ready, 2);
  const forms = it.asked.filter((each) => each !== "play").map((each) => each.split(".")[1]);
  assert.equal(forms.filter((form) => form === "opus").length, 4, "those that were on their way");
  assert.equal(forms.filter((form) => form === "flac").length, 7);
}));

test("a browser that reads nothing asks once for each form, and no more comes", () => world(async (it) => {
  it.refuses = ["opus", "flac"];
  it.sounds.look({ player: "ann", token: "t" });
  assert.equal(it.sounds.state.isDone, false);
  await it.come();
  for (let i = 0; i < 10; i += 1) await it.come(2000);
  const { ready, bytes, isDone } = it.sounds.state;
  assert.deepEqual([ready, bytes, isDone], [0, 0, true]);
  assert.deepEqual([it.order("flac").length, it.asked.filter((each) => each === "play").length], [7, 1]);
  it.refuses = [];
  it.sounds.look();
  await it.come();
  assert.equal(it.sounds.state.ready, 2, "another kit is tried again");
}));

test("a server that does not say what the pads are is asked some times, and then no more comes", () => world(async (it) => {
  it.fails.add("play");
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  for (let i = 0; i < 3; i += 1) await it.come(2000);
  assert.equal(it.sounds.state.isDone, false);
  await it.come(2000);
  assert.equal(it.sounds.state.isDone, true);
}));

test("a kit that is too large: the first pads sound, and it says so", () => world(async (it) => {
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  assert.equal(it.sounds.state.isTooLarge, true);
  assert.ok(it.sounds.of(1, 1, 2), "its loudest sound");
  assert.equal(it.sounds.of(1, 0.2, 2), null);
}, { most: 3 * 1010 * 4 }));

test("a pad that was hit comes first", () => world(async (it) => {
  it.description = told(3);
  it.sounds.prefer(3);
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  assert.deepEqual(it.order().slice(0, 4), [7, 8, 6, 1]);
}));

test("a hit that had no sound yet brings its pad forward", () => world(async (it) => {
  it.description = told(7);
  let open = () => {};
  it.gate = new Promise((done) => { open = done; });
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  assert.equal(it.sounds.of(6, 1, 1), null);
  open();
  await it.come();
  // Those that were on their way, then pad 6.
  const names = it.asked.filter((each) => each.endsWith("opus")).map((each) => it.description.sounds.findIndex(({ hash: name }) => each.includes(name)));
  assert.deepEqual(names.slice(0, 6), [1, 4, 7, 10, 16, 17]);
}));

test("a sound that does not come is asked for again some times, and then no more", () => world(async (it) => {
  const address = `play/${hash(1)}.opus`;
  it.fails.add(address);
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  for (let i = 0; i < 10; i += 1) await it.come(2000);
  assert.equal(it.asked.filter((each) => each === address).length, 4);
  it.fails.clear();
  it.sounds.look();
  await it.come();
  assert.ok(it.sounds.isReady(1));
}));

test("a kit that nobody has any more is let go of", () => world(async (it) => {
  it.sounds.look({ player: "ann", token: "t" });
  await it.come();
  it.description = told(1);
  it.sounds.look();
  await it.come();
  assert.equal(it.sounds.state.bytes, (4 * 1000 + 6) * 4);
}));
