// Who has left with music that stays.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { pageWith } from "./page.js";

/** A room that hears what the tests tell. */
const heard = new Map();
globalThis.room = {
  player: "ann",
  get: (_, otherwise) => otherwise,
  send() {},
  on: (what, hears) => heard.set(what, [...(heard.get(what) ?? []), hears]),
  tell: (what, values) => heard.get(what)?.forEach((hears) => hears(values)),
};
let health = {};
globalThis.fetch = async () => ({ ok: true, json: async () => health });

const { leftLoops, look, loops } = await pageWith("people", {
  "./room.js": "export const { room } = globalThis; export const base = '/';",
  "./palette.js": "export const playersColour = (colour) => colour;",
});

const person = (name) => ({ name, colour: "#aa5500", kit: "dub" });

beforeEach(async () => {
  health = { players: [person("ann"), person("bob")] };
  globalThis.room.tell("connected", []);
  await look(true);
});

test("a groove's lanes stay without a loop, and their player is known by /health", async () => {
  assert.deepEqual(leftLoops(), []);
  health = { players: [person("ann")], left: [person("bob")] };
  await look(true);
  assert.deepEqual(leftLoops(), ["bob"]);
  assert.ok(!loops("bob"));
  // Somebody has taken it over.
  health = { players: [person("ann")] };
  await look(true);
  assert.deepEqual(leftLoops(), []);
});

test("who has left with a loop stands there once, and nobody who is here does", async () => {
  globalThis.room.tell("/player/loop", ["bob", "playing", 1]);
  globalThis.room.tell("/player/loop", ["ann", "playing", 1]);
  assert.deepEqual(leftLoops(), []);
  health = { players: [person("ann")], left: [person("bob")] };
  await look(true);
  assert.deepEqual(leftLoops(), ["bob"]);
  assert.ok(loops("bob"));
});

test("a new connection forgets who had left", async () => {
  health = { players: [person("ann")], left: [person("bob")] };
  await look(true);
  health = { players: [person("ann")] };
  globalThis.room.tell("connected", []);
  assert.deepEqual(leftLoops(), []);
});
