import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Channels } = await page("midi-channels");

test("the wheel of a plain keyboard is all notes' own, on whichever channel it plays", () => {
  for (const channel of [0, 1, 9]) {
    const channels = new Channels();
    assert.deepEqual(channels.press(channel, 60), []);
    assert.equal(channels.isOwn(channel), false);
  }
});

test("a device that says so has a channel for each note, and what it told before a note is the note's", () => {
  const channels = new Channels();
  channels.control(0, 101, 0);
  channels.control(0, 100, 6);
  channels.control(0, 6, 15);
  assert.equal(channels.isOwn(2), true);
  assert.equal(channels.isOwn(0), false);
  assert.deepEqual(channels.bend(2, 0.5), []);
  assert.deepEqual(channels.height(2, 0.25), []);
  assert.deepEqual(channels.press(2, 60), [["bend", 24], ["y", 0.25]]);
  assert.deepEqual(channels.bend(2, -0.25), [[60, "bend", -12]]);
  assert.deepEqual(channels.height(2, 1), [[60, "y", 1]]);
  channels.lift(2, 60);
  assert.deepEqual(channels.bend(2, 0), []);
  assert.deepEqual(channels.press(2, 62), [["y", 1]]);
});

test("a device of which two channels had notes has one for each", () => {
  const channels = new Channels();
  channels.press(1, 60);
  channels.press(2, 64);
  assert.deepEqual([1, 2, 0].map((channel) => channels.isOwn(channel)), [true, true, false]);
});

test("data for another parameter says nothing of channels", () => {
  const channels = new Channels();
  channels.control(0, 100, 0);
  channels.control(0, 6, 12);
  assert.equal(channels.isOwn(3), false);
});
