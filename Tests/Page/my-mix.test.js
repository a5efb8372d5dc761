import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { AGAIN, changed, follower, nameIn } = await page("my-mix");

/** A follower over values by address, which asks for cues. */
function stage(values) {
  const log = [];
  const timers = [];
  const follows = follower({
    state: { below: (prefix) => Object.entries(values).filter(([address]) => address.startsWith(prefix)) },
    want: (what, on) => log.push(`${what} ${on}`), after: (wait, act) => timers.push([wait, act]), problem: () => log.push("problem"),
  });
  return { follows, values, timers, take: () => log.splice(0) };
}

test("a mix of one's own needs a cue while it differs from what everybody hears", () => {
  const { follows, values, take } = stage({ "/mix/bob/gain": [0], "/mix/bob/mute": [false], "/mix/level": [1] });
  follows.look();
  assert.deepEqual(take(), []);
  values["/mix/bob/gain"] = [-6];
  values["/mix/cem/mute"] = [true];
  follows.look();
  follows.look();
  assert.deepEqual(take(), ["mix true"]);
  values["/mix/bob/gain"] = [0];
  follows.look();
  assert.deepEqual(take(), [], "somebody is muted still");
  values["/mix/cem/mute"] = [0];
  follows.look();
  assert.deepEqual(take(), ["mix false"]);
});

test("a refusal is told once, and the cue is asked for again after a minute", () => {
  const { follows, timers, take } = stage({ "/mix/bob/mute": [1] });
  follows.look();
  follows.refused();
  follows.look();
  assert.deepEqual([take(), timers.map(([wait]) => wait)], [["mix true", "problem"], [AGAIN]]);
  timers[0][1]();
  assert.deepEqual(take(), ["mix true"]);
  follows.refused();
  assert.deepEqual(take(), []);
});

test("a player's name stands between /mix and what is set", () => {
  assert.deepEqual(["/mix/bob/gain", "/mix/a_b/mute", "/mix/level", "/mix/gain/gain"].map(nameIn), ["bob", "a_b", null, "gain"]);
  assert.deepEqual([...changed({ below: () => [["/mix/bob/gain", [1]], ["/mix/bob/mute", [1]]] })], ["bob"]);
});
