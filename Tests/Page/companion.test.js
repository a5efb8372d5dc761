// The part of the module for Bitfocus Companion that needs no Companion: messages, frames, lights.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const companion = (name) => import(new URL(`../../examples/companion/${name}.js`, import.meta.url));
const { Frames, framed, message, messages } = await companion("osc");
const { LOOP, PADS, Room, buttons, light, order } = await companion("model");
const ours = await page("osc");

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const sent = (id, options) => {
  const [address, values] = order(id, options);
  return messages(message(address, values))[0];
};

test("a message is written as the page writes it", () => {
  assert.equal(hex(message("/pad/3", [0.5])), hex(ours.message("/pad/3", 0.5)));
  assert.equal(hex(message("/abc", ["Björk", true, false, null, { int: 7 }])), hex(ours.message("/abc", "Björk", true, false, null, 7)));
  assert.equal(hex(message("/a")), hex(ours.message("/a")));
  // Every number is a float: the page writes whole ones as ints.
  assert.equal(hex(message("/a", [1])), "2f610000" + "2c660000" + "3f800000");
});

test("what is written is read again, bundles too, and what is broken is left out", () => {
  assert.deepEqual(messages(message("/a", [0.5, "x", true, null, { int: -1 }])), [{ address: "/a", values: [0.5, "x", true, null, -1] }]);
  const bundle = ours.bundle(ours.message("/a", 1), ours.message("/b", "x"));
  assert.deepEqual(messages(bundle), [{ address: "/a", values: [1] }, { address: "/b", values: ["x"] }]);
  for (let size = 0; size < bundle.length; size++) assert.ok(messages(bundle.subarray(0, size)).length <= 2, `${size}`);
  assert.deepEqual(messages(Uint8Array.of(1, 2, 3)), []);
});

test("frames are cut where their lengths say, however the bytes come", () => {
  const stream = Buffer.concat([framed(message("/a", [1])), framed(message("/b", ["x"]))]);
  for (const step of [1, 3, 7, stream.length]) {
    const frames = new Frames();
    const packets = [];
    for (let place = 0; place < stream.length; place += step) packets.push(...frames.take(stream.subarray(place, place + step)));
    assert.deepEqual(packets.flatMap(messages).map((each) => each.address), ["/a", "/b"], `${step}`);
  }
  // A web server's answer is no frame.
  assert.throws(() => new Frames().take(Buffer.from("HTTP/1.1 400")), RangeError);
});

test("each button sends what its label says", () => {
  assert.deepEqual(sent("pad", { pad: 3, velocity: 50 }), { address: "/pad/3", values: [0.5] });
  assert.deepEqual(sent("pad_up", { pad: 3 }), { address: "/pad/3", values: [0] });
  assert.deepEqual(sent("loop", { what: "record" }), { address: "/loop/record", values: [] });
  assert.deepEqual(sent("scene", { scene: 2 }), { address: "/scene/2", values: [] });
  assert.deepEqual(sent("buildup", { bars: 4 }), { address: "/buildup", values: [null, 4] });
  assert.deepEqual(sent("send", { address: "master/gain", values: "-6" }), { address: "/master/gain", values: [-6] });
  assert.deepEqual(sent("send", { address: "/kit", values: "house" }), { address: "/kit", values: ["house"] });
  // What Companion's fields may hold wrongly still makes a message that the server knows.
  assert.equal(order("pad", { pad: "99" })[0], "/pad/16");
  assert.equal(order("pad", { pad: "x", velocity: -5 })[1][0], 0.01);
  assert.equal(order("loop", { what: "../kick" })[0], "/loop/play");
  assert.throws(() => order("nothing"));
});

test("a button is lit by the value at its light's address: 0.5 waits, 1 is on", () => {
  const room = new Room();
  assert.equal(light("pad", { pad: 3 }), "/pad/3/lit");
  assert.equal(light("tap"), null);
  for (const [value, state] of [[0, "off"], [0.5, "waiting"], [1, "on"]]) {
    assert.equal(room.take({ address: "/loop/record", values: [value] }), "light");
    assert.equal(room.state(light("loop", { what: "record" })), state);
  }
  assert.equal(room.take({ address: "/loop/record", values: [1] }), "", "nothing has changed");
  room.forget();
  assert.equal(room.state("/loop/record"), "off");
});

test("the token of the welcome resumes the player", () => {
  const room = new Room();
  assert.deepEqual(room.greeting({ player: "", room: "", password: "" })[0], ["/hello", ["deck", "", "", ""]]);
  assert.equal(room.take({ address: "/welcome", values: ["main", "deck-2", 1, 120, 4, "secret"] }), "welcome");
  assert.equal(room.greeting({ player: "deck", room: "", password: "" })[0][1][3], "secret");
  assert.equal(room.take({ address: "/pad/1/name", values: ["Kick"] }), "variable");
  assert.equal(room.take({ address: "/bpm", values: [97.25] }), "variable");
  assert.equal(room.take({ address: "/error", values: ["/scene/1", "scene 1 is empty", "scene-empty"] }), "error");
  assert.equal(room.take({ address: "/hit", values: ["ann", 1, 0.5] }), "");
  const { player, pad_1, bpm, error } = room.variables;
  assert.deepEqual([player, pad_1, bpm, error], ["deck-2", "Kick", "97.3", "scene 1 is empty"]);
});

test("there is a ready-made button for each pad and each part of the loop, and each has an action", () => {
  const all = buttons();
  assert.equal(all.filter((each) => each.category === "Pads").length, PADS);
  assert.equal(all.filter((each) => each.category === "Loop").length, LOOP.length);
  assert.equal(new Set(all.map((each) => each.id)).size, all.length);
  for (const { action, options, release } of all) {
    assert.ok(order(action, options)[0].startsWith("/"));
    if (release) assert.ok(order(release, options)[0].startsWith("/"));
  }
});
