import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { faultsOfRows, readList, tableOf } from "../../scripts/words.d/list.mjs";
import { textsOfDocument, textsOfScript, textsOfStyle } from "../../scripts/words.d/page-texts.mjs";

const list = (...rows) => readList(["| English (en) | Deutsch (de) |", "|---|---|", ...rows].join("\n"));
const faults = (...rows) => faultsOfRows(list(...rows));

function textsOf(source, name = "some.js") {
  const [read, others, wrong] = [[], [], []];
  textsOfScript(name, source, ({ text, isRead }) => (isRead ? read : others).push(text), (fault) => wrong.push(fault));
  return { read, others, wrong };
}

test("a list has its languages, its rows and its synonyms", () => {
  const { tags, rows, synonyms } = readList("| Say | Instead of |\n|---|---|\n| Remove | Delete, Erase |\n\n## Part\n\n| English (en) | Dansk (da) |\n|---|---|\n| Undo | For&shy;tryd |\n");
  assert.deepEqual(tags, ["en", "da"]);
  assert.deepEqual(rows, [{ line: 9, section: "Part", key: "Undo", told: { en: "Undo", da: "For\u00adtryd" } }]);
  assert.deepEqual(synonyms, [{ say: "Remove", not: ["Delete", "Erase"] }]);
});

test("a row with a cell too many, and a table of other languages, are told", () => {
  assert.equal(list("| One | Eins | Un |").faults.length, 1);
  assert.equal(readList("| English (en) | Dansk (da) |\n\n| English (en) | Deutsch (de) |").faults.length, 1);
});

test("values agree in every language, in whatever order", () => {
  assert.deepEqual(faults("| bar {1} of {2} | von {2} der {1} |"), []);
  assert.match(faults("| bar {1} of {2} | Takt {1} |")[0], /de has the values \{1\}, and not \{1\} \{2\}/);
  assert.deepEqual(faults("| bar {1} | |"), [], "an empty cell takes the English text");
});

test("two texts do not differ by large letters alone, nor is one there twice", () => {
  assert.match(faults("| Empty | Leer |", "| empty | leer |")[0], /large letters alone/);
  assert.match(faults("| Empty | Leer |", "| Empty | Leer |")[0], /twice/);
});

test("a synonym is told with the word to use; the name of a key is none", () => {
  const synonyms = [{ say: "Remove", not: ["Delete"] }];
  const told = (key) => faultsOfRows({ ...list(`| ${key} | x |`), synonyms });
  for (const key of ["Delete", "It was deleted", "Deleting layers"]) assert.match(told(key)[0], /the word is “Remove”/, key);
  for (const key of ["Remove", "press Delete to remove it", "Undeletable"]) assert.deepEqual(told(key), [], key);
});

test("a text that is looked up twice stays what it was", () => {
  assert.match(faults("| Tom | Tam |", "| Empty | Tom |")[0], /also a key/);
});

test("a table leaves out what is as in English", () => {
  assert.equal(tableOf(list("| Kit | Kit |", "| Say “x” | Sag „x“ |", "| None | |").rows, "de"),
    '// Made by scripts/words from Sources/JamWeb/Words/words.md.\n\nexport default {\n  "Say “x”": "Sag „x“",\n};\n');
});

test("texts are found where people read them", () => {
  const { read, wrong } = textsOf(`
    const STATES = { waiting: "Next bar", none: "" };
    h("b.name", { textContent: on ? "Stop" : "Play", title: "A", "aria-label": w\`Lane \${number}\`, "data-x": "y" }, "Hello there");
    choice({ address: "/lock", label: "Only hosts", names: { none: "Nothing" } });
    parts(["Kits", list], ["Sounds", other]);
    toast(w\`\${name} is off.\`, 5); say(at("state"), "gone");
  `);
  assert.deepEqual(read, ["Next bar", "Stop", "Play", "Lane {1}", "Hello there", "Only hosts", "Nothing", "Kits", "Sounds", "{1} is off.", "gone"]);
  assert.deepEqual(wrong, []);
});

test("what nobody reads is no text: addresses, keys, comparisons, patterns, comments", () => {
  const { read, wrong } = textsOf(`
    // Says "Hello there" to nobody.
    room.on("heard again", () => {}); if (word === "Nothing") send("/kit", /"Not this"/.test(x), y / 2, "Bob's");
    element.dataset.state = "waiting"; querySelector("div.Group b"); const d = "M2 12 22 2";
    const key = { KeyA: 1 }["KeyA"]; note("F#");
  `);
  assert.deepEqual([read, wrong], [[], []]);
});

test("a text with values that is not looked up is told, and so is one that goes to the page as it is", () => {
  assert.match(textsOf("toast(`${name} is off.`);").wrong[0], /w`…` looks it up/);
  assert.match(textsOf('write(line, "Gone");').wrong[0], /t\(…\) looks it up/);
  assert.match(textsOf('line.title = on ? "Gone" : "";').wrong[0], /t\(…\) looks it up/);
  assert.deepEqual(textsOf('line.title = t(on ? "Gone" : "Here"); write(line, `${x} dB`);'), { read: ["Gone", "Here"], others: [], wrong: [] });
});

test("texts in templates within templates are found, with their lines", () => {
  const found = [];
  textsOfScript("some.js", "const a = `x`;\nwrite(b, `${one ? t(\"1 bar\") : w`${n} bars`} · ${`${t(\"away\")}`}`);", ({ text, line }) => found.push([text, line]), assert.fail);
  assert.deepEqual(found, [["1 bar", 2], ["{1} bars", 2], ["away", 2]]);
});

test("the document's texts and the style sheet's are found", () => {
  const found = [];
  textsOfDocument('<head><title>Not this</title></head>\n<body>\n<p title="Why &amp; how">Say <b>it</b></p> 1 <i>–</i>', ({ text }) => found.push(text));
  textsOfStyle('.a::after { content: " ▾"; } .b::after { content: var(--sign-hold, " Hold"); }', ({ text }) => found.push(text));
  assert.deepEqual(found, ["Why & how", "Say ", "it", "Hold"]);
});

test("what lies side by side is called differently in every language", () => {
  const { rows, tags } = readList(readFileSync(new URL("../../Sources/JamWeb/Words/words.md", import.meta.url), "utf8"));
  const told = new Map(rows.map(({ key, told }) => [key, told]));
  const pairs = [["Record", "Recordings"], ["Steps", "Degrees"], ["Time signature", "Bar"], ["Chords", "Arp"], ["Scale", "Keys"], ["Sound", "Chords"]];
  const alike = pairs.flatMap(([one, other]) => tags.filter((tag) => told.get(one)?.[tag] === told.get(other)?.[tag]).map((tag) => `${tag}: ${one}, ${other}`));
  assert.deepEqual(alike, []);
});
