import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { OwnHits, channelGain, isChanged, soundsAtOnce } = await page("own-hits");

/** Own hits over values by address; a hit is marked while `marks`. */
function stage(values = {}, { chance = 0.5 } = {}) {
  const log = [];
  const get = (address, otherwise) => values[address] ?? otherwise;
  const facts = { marks: true, may: true, has: true };
  const hits = new OwnHits({
    get, now: () => 1000, roundTrip: () => 20, mayPlay: () => facts.may, lengthOf: () => 300, chance: () => chance,
    decide: { marks: () => facts.marks, struck: (now, length) => log.push(`struck ${length}`) },
  });
  hits.sounds = { of: (pad, velocity, own) => (facts.has ? { pad, velocity, own } : null), prefer: (pad) => log.push(`prefer ${pad}`) };
  hits.voices = {
    start: (pad, found, settings, velocity, own) => { log.push(`start ${pad} ${velocity} ${own}`); return {}; },
    release: (pad) => log.push(`release ${pad}`), releaseAll: () => log.push("release all"), silence: () => log.push("silence"),
    solo: (pads) => log.push(`solo ${pads}`), level: (pad) => log.push(`level ${pad}`),
    ended: (pad, seconds) => log.push(`ended ${pad} ${seconds}`),
  };
  hits.keys = { press: (note, velocity, own) => note > 40 && log.push(`key ${note} ${own}`) > 0, release: (note) => log.push(`lift ${note}`), pass: (note) => log.push(`pass ${note}`), ended: (note, seconds) => log.push(`ended key ${note} ${seconds}`), releaseAll() {}, silence() {} };
  return { hits, values, facts, take: () => log.splice(0) };
}

test("an own hit sounds and has the next number of its pad; another hit takes none", () => {
  const { hits, facts, take } = stage({}, { chance: 0 });
  assert.equal(hits.play("/pad/3", 0.8), 1);
  assert.deepEqual(take(), ["start 3 0.8 1", "struck 300"]);
  facts.marks = false;
  assert.equal(hits.play("/pad/3", 0.8), 0);
  facts.marks = true;
  facts.has = false;
  assert.equal(hits.play("/pad/3", 0.8), 0);
  assert.deepEqual(take(), ["prefer 3"]);
  facts.has = true;
  assert.deepEqual([hits.play("/pad/3", 1), hits.play("/pad/4", 1), hits.play("/pad/3", 1)], [2, 1, 3]);
});

test("the number begins by chance, is a positive 32-bit number, and turns over to 1", () => {
  const { hits } = stage({}, { chance: 1 - 2 ** -53 });
  assert.deepEqual([hits.play("/pad/1", 1), hits.play("/pad/1", 1), hits.play("/pad/1", 1)], [2 ** 31 - 2, 2 ** 31 - 1, 1]);
});

test("a release ends what sounds here, also where hits are not marked", () => {
  const { hits, facts, take } = stage();
  facts.marks = false;
  assert.deepEqual([hits.play("/pad/3", 0), hits.play("/key/60", 0), take()], [0, 0, ["release 3", "lift 60"]]);
});

test("a key is asked whether it can; what is neither a pad nor a key is not", () => {
  const { hits, take } = stage({}, { chance: 0 });
  assert.deepEqual([hits.play("/key/60", 0.5), hits.play("/key/30", 0.5), take()], [1, 0, ["key 60 1", "struck 4000", "pass 30"]]);
  hits.playsKeys = false;
  assert.deepEqual([hits.play("/key/60", 0.5), take()], [0, ["pass 60"]]);
  assert.deepEqual(["/progression/press", "/pad/3/preview", "/kit"].map((address) => hits.play(address, 1)), [0, 0, 0]);
  assert.equal(hits.play("/pad/3"), 0);
});

test("hits that the room delays, repeats or silences come with the room", () => {
  const wrong = {
    "a loop": { "/pad/2/mode": "loop" }, "a roll": { "/pad/2/mode": "repeat" }, "a note": { "/pad/2/plays": "C4" },
    "a muted pad": { "/pad/2/mute": 1 }, "beside a solo": { "/pad/5/solo": 1 },
    "all repeat": { "/repeat/all": 1, "/repeat": "1/16" }, "a grid": { "/play": 1, "/quantize": "1/8" }, "an interval": { "/play": 1, "/timing": "interval" },
    "a build-up": { "/buildup/state": "running" }, "a filter": { "/fx/filter/lowpass": 800 }, "the room's filter": { "/modulation": 0.4 },
    "the filter's thumb": { "/macro/1": 0.3 },
  };
  for (const [what, values] of Object.entries(wrong)) {
    const { hits, take } = stage(values);
    assert.deepEqual([hits.play("/pad/2", 1), take()], [0, []], what);
  }
  const right = {
    "a gate": { "/pad/2/mode": "gate" }, "itself solo": { "/pad/2/solo": 1, "/pad/5/solo": 1 }, "a grid without a beat": { "/play": 0, "/quantize": "1/8" },
    "by ear": { "/play": 1, "/timing": "heard" }, "a repeat that is off": { "/repeat/all": 1, "/repeat": "off" },
    "sends": { "/send/reverb": 0.5 }, "as told at rest": { "/macro/1": 0.5, "/fx/filter/lowpass": 20_000, "/fx/filter/highpass": 20 },
  };
  for (const [what, values] of Object.entries(right)) assert.ok(stage(values).hits.play("/pad/2", 1) > 0, what);
  const quiet = stage();
  quiet.facts.may = false;
  assert.equal(quiet.hits.play("/pad/2", 1), 0, "somebody whom nobody hears");
});

test("a pad that goes round under another mode is stopped by its next press, and not played", () => {
  const { hits, values } = stage();
  hits.told(2, "mode", "loop");
  values["/pad/2/lit"] = 1;
  hits.told(2, "mode", "oneshot");
  assert.equal(hits.play("/pad/2", 1), 0);
  hits.told(2, "lit", 0);
  assert.ok(hits.play("/pad/2", 1) > 0);
});

test("levels and solos of pads reach what sounds here", () => {
  const { hits, values, take } = stage();
  values["/pad/7/solo"] = 1;
  hits.told(7, "solo", 1);
  hits.told(2, "gain", -3);
  hits.releaseAll();
  hits.silence();
  assert.deepEqual(take(), ["solo 7", "level 2", "release all", "silence"]);
});

test("something sounds while a voice or a key does", () => {
  const { hits } = stage();
  const seen = [];
  for (const [count, isSounding] of [[0, false], [1, false], [0, true]]) {
    hits.voices.count = count;
    hits.keys.isSounding = isSounding;
    seen.push(hits.isSounding);
  }
  assert.deepEqual(seen, [false, true, true]);
});

test("what the room has ended is ended here", () => {
  const { hits, take } = stage();
  hits.told(2, "lit", 1);
  hits.told(2, "lit", 0);
  hits.toldOff(60);
  assert.deepEqual(take(), ["ended 2 0.12", "ended key 60 0.12"]);
});

test("own hits are as loud as the room's: the own channel, the master, the leveller and the own mix", () => {
  const gain = (values) => channelGain((address, otherwise) => values[address] ?? otherwise, "ann");
  const near = (value, decibels) => assert.ok(Math.abs(20 * Math.log10(value) - decibels) < 1e-9, `${value} is not ${decibels} dB`);
  near(gain({}), 0);
  near(gain({ "/player/ann/gain": -6, "/master/gain": 2, "/mix/ann/gain": -3, "/master/leveller/gain": -4 }), -11);
  near(gain({ "/gain": -6 }), -6);
  near(gain({ "/master/leveller/gain": 4 }), 0);
  near(gain({ "/loudness": -14 }), 0);
  for (const silent of [{ "/master/gain": -60 }, { "/mix/ann/mute": 1 }, { "/mute": 1 }, { "/player/ann/mute": 1 }, { "/player/ann/gain": -60 }]) assert.equal(gain(silent), 0);
});

test("what is asked of a hit costs nothing but look-ups", () => {
  assert.equal(soundsAtOnce(() => undefined, 1), false);
  assert.equal(isChanged((address, otherwise) => otherwise), false);
});
