import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { State } = await page("state");

test("what was said last is known by its address, and told at once to who asks later", () => {
  const state = new State();
  state.apply("/tempo", [100]);
  state.apply("/tempo", [120, "x"]);
  const heard = [];
  state.on("/tempo", (values, address, time) => heard.push([values, address, time]));
  state.apply("/tempo", [130], 5);
  assert.deepEqual(heard, [[[120, "x"], "/tempo", null], [[130], "/tempo", 5]]);
  assert.deepEqual([state.get("/tempo"), state.get("/swing", 0.5), state.all("/swing")], [130, 0.5, undefined]);
});

test("whoever asks for all that begins so hears of each, and of what is known", () => {
  const state = new State();
  state.apply("/lane/1/state", ["playing"]);
  const heard = [];
  const scope = new AbortController();
  state.on("/lane/*", (_, address) => heard.push(address), scope.signal);
  state.apply("/lane/2/state", ["stopped"]);
  state.apply("/lanes", [1]);
  scope.abort();
  state.apply("/lane/3/state", ["stopped"]);
  assert.deepEqual(heard, ["/lane/1/state", "/lane/2/state"]);
});

test("a moment is told and not kept", () => {
  const state = new State();
  state.apply("/hit", ["ann", 1]);
  assert.equal(state.all("/hit"), undefined);
});

test("what is emptied is told as nothing of its kind", () => {
  const state = new State();
  state.apply("/lane/1/1", ["intro"]);
  state.apply("/layer/1/gain", [-3]);
  state.apply("/tempo", [120]);
  state.empty("/lane/", "/layer/");
  assert.deepEqual([state.get("/lane/1/1"), state.get("/layer/1/gain"), state.get("/tempo")], ["", 0, 120]);
});

test("one that stops listening while it is told keeps nobody else from hearing", () => {
  const state = new State();
  const heard = [];
  const scope = new AbortController();
  state.on("/kit", () => scope.abort(), scope.signal);
  state.on("/kit", () => heard.push("other"));
  state.apply("/kit", ["house"]);
  assert.deepEqual(heard, ["other"]);
});

test("where one that hears of a value sets it anew, what is heard last holds", () => {
  const state = new State();
  const heard = { exact: [], below: [] };
  state.on("/loop/quantize", ([grid]) => { if (grid === "off") state.apply("/loop/quantize", ["1/16"]); });
  state.on("/loop/quantize", ([grid]) => heard.exact.push(grid));
  state.on("/loop/*", ([grid]) => heard.below.push(grid));
  state.apply("/loop/quantize", ["off"]);
  assert.deepEqual(heard, { exact: ["1/16"], below: ["1/16"] });
});
