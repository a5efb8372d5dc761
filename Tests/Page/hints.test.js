// The hint about borrowing: when it is due, and what a hit costs.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { pageWith } from "./page.js";

const heard = new Map();
let measured = 0;
let kept = ["tap", "record", "invite"];
const stage = globalThis.stage = { toldLoops: new Map(), left: [], said: "" };
const element = () => ({
  hidden: true, classList: { add() {}, remove() {} }, before() {}, addEventListener() {},
  getClientRects: () => [1],
  parentElement: { get clientHeight() { measured += 1; return 20; } },
});
globalThis.document = { querySelector: element };
globalThis.room = {
  player: "ann", isConnected: true,
  get: (_, otherwise) => otherwise,
  on: (what, hears) => heard.set(what, hears),
};
Object.assign(stage, { element, recall: () => kept, remember: (_, names) => { kept = names; } });
mock.timers.enable({ apis: ["setTimeout"] });

const { start } = await pageWith("hints", {
  "./dom.js": `const { stage } = globalThis;
    export const [at, h, icon] = [stage.element, stage.element, stage.element];
    export const say = (_, text) => { stage.said = text; };
    export const [givePlace, takePlace] = [() => {}, () => {}];`,
  "./memory.js": "export const { recall, remember } = globalThis.stage;",
  "./people.js": `const { stage } = globalThis;
    export const { toldLoops } = stage; export const people = []; export const leftLoops = () => stage.left;`,
  "./room.js": "export const { room } = globalThis;",
});
start();
const hit = (count) => { for (let i = 0; i < count; i += 1) heard.get("/hit")(["ann", 1, 1]); };

test("a loop that can be borrowed is hinted at, and hits measure nothing before and after", () => {
  hit(9);
  assert.equal(stage.said, "", "nobody plays");
  stage.toldLoops.set("bob", ["bob", "playing", 1]);
  stage.left = ["bob"];
  hit(1);
  assert.equal(stage.said, "", "bob has left: the loop can only be taken over");
  stage.left = [];
  stage.toldLoops.set("bob", ["bob", "stopped", 1]);
  hit(1);
  assert.equal(stage.said, "");
  assert.equal(measured, 0);
  stage.toldLoops.set("bob", ["bob", "playing", 1]);
  hit(3);
  assert.match(stage.said, /you can borrow it/);
  assert.equal(measured, 1, "while it is shown");
  heard.get("theirs")();
  assert.ok(kept.includes("borrow"));
  hit(3);
  assert.equal(measured, 1, "after it was seen");
});
