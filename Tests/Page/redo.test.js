// When Undo and Redo are dark.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { pageWith } from "./page.js";

const heard = new Map();
const tell = (what, values, address) => heard.get(what)?.forEach((hears) => hears(values, address));
let sent = [];
let wanted = [];
let state = "empty";
globalThis.room = {
  get: () => state,
  send: (...message) => sent.push(message.join(" ")),
  want: (topic, on) => wanted.push(`${topic} ${on}`),
  on: (what, hears) => heard.set(what, [...(heard.get(what) ?? []), hears]),
};
const buttons = new Map();
globalThis.document = {
  querySelector(selector) {
    if (!buttons.has(selector)) buttons.set(selector, new Map());
    const facts = buttons.get(selector);
    return { setAttribute: (name, value) => facts.set(name, value) };
  },
};
await pageWith("redo", { "./room.js": "export const { room } = globalThis;" });

const isDark = (action) => buttons.get(`[data-action="${action}"]`).get("aria-disabled") === "true";
const steps = (undos, redos) => tell("/undo/steps", [0, 0, undos, redos]);

beforeEach(() => {
  state = "empty";
  steps(1, 0);
  [sent, wanted] = [[], []];
});

test("without steps Undo is dark, and the topic tells of the first edit", () => {
  assert.ok(!isDark("undo") && isDark("redo"));
  steps(0, 0);
  assert.ok(isDark("undo") && isDark("redo"));
  assert.deepEqual([wanted, sent], [["history true"], ["/undo/list"]]);
  steps(0, 1);
  assert.ok(isDark("undo") && !isDark("redo"));
});

test("a pass, and hits that wait for the grid, can be taken back without any step", () => {
  steps(0, 0);
  tell("/pad/*", [1], "/pad/3/pending");
  assert.ok(!isDark("undo"));
  tell("/pad/*", [1], "/pad/4/pending");
  tell("/pad/*", [1], "/pad/4/lit");
  tell("/pad/*", [0], "/pad/3/pending");
  assert.ok(!isDark("undo"), "one waits still");
  tell("/pad/*", [0], "/pad/4/pending");
  assert.ok(isDark("undo"));
  state = "recording";
  tell("/loop/state", [state]);
  assert.ok(!isDark("undo"));
});

test("the server is asked again as it refuses an undo, and after a new connection", () => {
  tell("refused", ["/undo", "there is nothing", "nothing-to-undo"]);
  tell("refused", ["/pad/17", "out of range", "out-of-range"]);
  assert.deepEqual(sent, ["/undo/list"]);
  steps(0, 0);
  assert.ok(isDark("undo"));
  sent = [];
  tell("connected", []);
  assert.deepEqual(sent, ["/undo/list"]);
});
