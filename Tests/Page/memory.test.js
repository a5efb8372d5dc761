import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { recall, recallHere, remember, rememberHere } = await page("memory");

class Store {
  items = new Map();
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, text) { this.items.set(key, text); }
  removeItem(key) { this.items.delete(key); }
}

test("what is remembered comes back, for the browser and for the tab apart", () => {
  globalThis.window = { localStorage: new Store(), sessionStorage: new Store() };
  remember("build-up", { bars: 8 });
  rememberHere("build-up", 1);
  assert.deepEqual([recall("build-up"), recallHere("build-up"), recall("other", "x")], [{ bars: 8 }, 1, "x"]);
  remember("build-up", null);
  assert.deepEqual([recall("build-up"), window.localStorage.items.size], [null, 0]);
});

test("a browser that keeps nothing, or something damaged, forgets kindly", () => {
  globalThis.window = { get localStorage() { throw new Error("denied"); }, sessionStorage: new Store() };
  remember("name", "ann");
  assert.equal(recall("name", "wren"), "wren");
  window.sessionStorage.setItem("bandshell x", "{");
  assert.equal(recallHere("x", 3), 3);
});
