import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const page = (file) => new URL(`../../Sources/JamWeb/Page/${file}`, import.meta.url);

/// language.js as a browser in that language loads it, with what stands in its document.
async function speaking(tag, { nodes = [], languages = [tag] } = {}) {
  const style = new Map();
  const root = { lang: tag, dataset: { words: "coming" }, style: { setProperty: (name, value) => style.set(name, value) } };
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  globalThis.Node = { TEXT_NODE: 3 };
  globalThis.NodeFilter = { SHOW_ELEMENT: 1, SHOW_TEXT: 4 };
  globalThis.document = {
    documentElement: root, body: {},
    createTreeWalker: () => ({ left: [...nodes], nextNode() { return (this.currentNode = this.left.shift()); } }),
  };
  return { ...(await import(`${page("language.js")}?${tag}${Math.random()}`)), root, style };
}

const textNode = (data) => ({ nodeType: 3, data });
function elementNode(facts) {
  return { nodeType: 1, facts, hasAttribute: (name) => name in facts, getAttribute: (name) => facts[name], setAttribute: (name, value) => { facts[name] = value; } };
}

test("English is its own key, and needs no table", async () => {
  const { t, w, pieces, named } = await speaking("en");
  assert.equal(t("Record"), "Record");
  assert.equal(w`${"Kick"} is on pad ${3}.`, "Kick is on pad 3.");
  assert.equal(named("thirds"), "Thirds");
  const [host, port] = [{}, {}];
  assert.deepEqual(pieces`To ${host}, port ${port}.`, ["To ", host, ", port ", port, "."]);
});

test("another language has its table, and what has no translation stays English", async () => {
  const { t, w, named } = await speaking("da");
  assert.equal(t("Record"), "Optag");
  assert.equal(w`${"Kick"} is on pad ${3}.`, "Kick ligger på pad 3.");
  assert.equal(named("thirds"), "Tertser");
  assert.equal(t("nobody wrote this"), "nobody wrote this");
  assert.equal(w`${1} wrote this`, "1 wrote this");
});

test("a language may put the values in another order", async () => {
  const { w } = await speaking("ja");
  assert.equal(w`bar ${2} of ${8}`, "8小節中の2小節目");
});

test("a name is no key and no pattern, whatever it is", async () => {
  const { t, w } = await speaking("de");
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) assert.equal(t(name), name);
  for (const name of ["{2}", "$&", "$1", "Record"]) assert.equal(w`${name} is on pad ${4}.`, `${name} liegt auf Pad 4.`);
});

test("a table that cannot be fetched leaves the page in English, and shows it", async (context) => {
  context.mock.method(console, "error", () => {});
  const { t, root } = await speaking("xx");
  assert.equal(t("Record"), "Record");
  assert.equal(console.error.mock.callCount(), 1);
  assert.equal(root.dataset.words, undefined);
});

test("what stands in the document is told in the language, and a name in it is left alone", async () => {
  const nodes = [textNode("Mixer"), textNode("\n  "), textNode("Bandshell"), elementNode({ title: "Sound off", "aria-label": "Pads", id: "Mixer" })];
  const { root, style } = await speaking("es", { nodes });
  assert.deepEqual(nodes.slice(0, 3).map(({ data }) => data), ["Mezcla", "\n  ", "Bandshell"]);
  assert.deepEqual(nodes[3].facts, { title: "Sonido no", "aria-label": "Pads", id: "Mixer" });
  assert.equal(style.get("--sign-not-solo"), '" Sin solo"');
  assert.equal(root.dataset.words, undefined);
});

test("dates are written as the browser writes them in the page's language", async () => {
  assert.equal((await speaking("en", { languages: ["de", "en-GB", "en"] })).locale, "en-GB");
  assert.equal((await speaking("ja", { languages: ["en"] })).locale, "ja");
});

// ---- Which language it is.

function chosenLanguage({ languages, remembered, isForgetful = false }) {
  const root = { dataset: {}, lang: "en" };
  runInNewContext(readFileSync(page("theme.js"), "utf8"), {
    document: { documentElement: root, querySelectorAll: () => [] }, navigator: { languages }, matchMedia: () => ({ matches: false }),
    addEventListener() {}, dispatchEvent() {}, Event: class {},
    localStorage: { getItem(key) {
      if (isForgetful) throw new Error("denied");
      return key === "bandshell language" ? remembered ?? null : null;
    } },
  });
  return { tag: root.lang, waits: root.dataset.words };
}

test("the page speaks the first of the browser's languages that it knows", () => {
  assert.deepEqual(chosenLanguage({ languages: ["da-DK", "en"] }), { tag: "da", waits: "coming" });
  assert.deepEqual(chosenLanguage({ languages: ["fr-FR", "de-CH", "en"] }), { tag: "de", waits: "coming" });
  assert.deepEqual(chosenLanguage({ languages: ["jam", "en-GB"] }), { tag: "en", waits: undefined });
  assert.deepEqual(chosenLanguage({ languages: ["fr"] }), { tag: "en", waits: undefined });
});

test("what was chosen here goes before what the browser says", () => {
  assert.equal(chosenLanguage({ languages: ["de"], remembered: '"ja"' }).tag, "ja");
  assert.equal(chosenLanguage({ languages: ["de"], remembered: '"xx"' }).tag, "de");
  assert.equal(chosenLanguage({ languages: ["de"], remembered: "{" }).tag, "de");
  assert.equal(chosenLanguage({ languages: ["es"], isForgetful: true }).tag, "es");
});
