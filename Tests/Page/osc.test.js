import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Double, bundle, message, parse } = await page("osc");

const hex = (bytes) => Buffer.from(bytes).toString("hex");
/** All messages of a packet: [address, values, time]. */
function read(bytes) {
  const all = [];
  parse(bytes, (...each) => all.push(each));
  return all;
}

test("a message is written as OSC 1.0 says: strings and blobs end on four bytes, numbers are big-endian", () => {
  assert.equal(hex(message("/pad/3", 0.5)), "2f7061642f330000" + "2c660000" + "3f000000");
  assert.equal(hex(message("/a")), "2f610000" + "2c000000");
  assert.equal(hex(message("/abc", "abcd")), "2f61626300000000" + "2c730000" + "6162636400000000");
  assert.equal(hex(message("/b", new Uint8Array([1, 2, 3, 4, 5]))), "2f620000" + "2c620000" + "00000005" + "0102030405000000");
});

test("a number's type is by its value: whole ones are i, others f, times d, large ones h", () => {
  const tags = (...values) => Buffer.from(message("/a", ...values).subarray(4)).toString("latin1").split("\0")[0];
  assert.equal(tags(1, -7, 0.5, 1e10, new Double(3), 5n, true, false, null, "x"), ",iiffdhTFNs");
  assert.equal(tags(2 ** 31, 2 ** 31 - 1, -(2 ** 31)), ",fif");
});

test("what is written is read again", () => {
  const values = [1, -2, 0.5, "Björk 🎶", "", true, false, null, new Uint8Array([9, 8, 7])];
  assert.deepEqual(read(message("/player/ann/gain", ...values)), [["/player/ann/gain", values, null]]);
  assert.deepEqual(read(message("/ping", new Double(1764083024123.25), 2n ** 40n)), [["/ping", [1764083024123.25, 2 ** 40], null]]);
});

test("a bundle's messages come in their order, at once where it has no time", () => {
  const packet = bundle(message("/heard", 7n), bundle(message("/pad/1", 1)), message("/pad/2", 0));
  assert.deepEqual(read(packet), [["/heard", [7], null], ["/pad/1", [1], null], ["/pad/2", [0], null]]);
});

test("a bundle's time is in milliseconds since 1970", () => {
  const packet = bundle(message("/beat/next", 1));
  const view = new DataView(packet.buffer);
  view.setUint32(8, 2208988800 + 1000);
  view.setUint32(12, 2 ** 31);
  assert.deepEqual(read(packet), [["/beat/next", [1], 1000500]]);
});

test("a damaged packet is refused, and reads nothing beyond its end", () => {
  const damaged = [
    new Uint8Array([0x2f, 0x61, 0x62, 0x63]), // An address without an end.
    message("/a", 1).subarray(0, 10), // A number that is cut.
    message("/a", "text").subarray(0, 10),
    bundle(message("/a")).subarray(0, 22), // An element longer than its bundle.
    Uint8Array.of(0x2f, 0x61, 0, 0, 0x2c, 0x62, 0, 0, 0x7f, 0, 0, 0), // A blob of 2 GB.
    Uint8Array.of(0x2f, 0x61, 0, 0, 0x2c, 0x62, 0, 0, 0xff, 0xff, 0xff, 0xff), // One of −1.
    Uint8Array.of(0x2f, 0x61, 0, 0, 0x2c, 0x78, 0, 0), // A type that there is not.
  ];
  for (const bytes of damaged) assert.throws(() => read(bytes), RangeError, hex(bytes));
  let deep = message("/a");
  for (let depth = 0; depth < 10; depth += 1) deep = bundle(deep);
  assert.throws(() => read(deep), RangeError);
});
