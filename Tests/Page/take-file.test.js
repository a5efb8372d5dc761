import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { made, placeOf, soundForm } = await page("take-file");

/// A server that gives these answers, one after the other, and the last for ever. Up to 1 it is how
/// far a file is, beyond that a status that says nothing more.
function server(...answers) {
  const told = [];
  let asked = 0;
  const ask = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer <= 1) return { status: 202, ok: true, json: async () => ({ part: answer }) };
    return { status: answer, ok: answer < 300 };
  };
  return { told, get asked() { return asked; }, made: () => made(ask, (part) => told.push(part), async () => {}) };
}

test("a take's address names its room and the take", () => {
  assert.deepEqual(placeOf("/take/2026-11-23-213000"), { base: "/", id: "2026-11-23-213000" });
  assert.deepEqual(placeOf("/rooms/K%C3%BCche/take/x-2"), { base: "/rooms/K%C3%BCche/", id: "x-2" });
});

test("what is no take's address is no take, and leads to the first room", () => {
  for (const path of ["/take.html", "/take/", "/take/a/b", "/take/%ff", "/rooms/a/b/take/x"]) assert.deepEqual(placeOf(path), { base: "/", id: "" });
});

test("the smallest form that a browser plays is heard", () => {
  const plays = (...words) => (type) => (words.some((word) => type.includes(word)) ? "maybe" : "");
  assert.equal(soundForm(plays("opus", "flac")), "opus");
  assert.equal(soundForm(plays("flac")), "flac");
  assert.equal(soundForm(plays()), "wav");
});

test("a file that is there is asked for once", async () => {
  const one = server(206);
  assert.equal(await one.made(), true);
  assert.deepEqual([one.asked, one.told], [1, []]);
});

test("a file that is being made is waited for, and how far it is is told", async () => {
  const one = server(0, 0.4, 503, 0.9, 206);
  assert.equal(await one.made(), true);
  assert.deepEqual(one.told, [0, 0.4, 0.9]);
});

test("what the server refuses is not asked for again", async () => {
  for (const status of [401, 404, 409, 507]) {
    const one = server(0.2, status);
    assert.equal(await one.made(), false);
    assert.equal(one.asked, 2);
  }
});

test("a file that fails is begun once more, and then given up", async () => {
  const one = server(0.5, 0, 0.5, 0, 0.5);
  assert.equal(await one.made(), false);
  assert.equal(one.asked, 4);
});

test("a file that never comes on is given up", async () => {
  assert.equal(await server(0).made(), false);
  assert.equal(await server(503).made(), false);
});
