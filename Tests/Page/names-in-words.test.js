// Texts name other controls between quotation marks. Each such name is a text of the page in that
// language, so that a control that gets another word takes along what speaks of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readList } from "../../scripts/words.d/list.mjs";

const { rows } = readList(readFileSync(new URL("../../Sources/JamWeb/Words/words.md", import.meta.url), "utf8"));
const QUOTED = { en: /“([^”]+)”/g, de: /„([^“]+)“/g, da: /“([^”]+)”/g, es: /«([^»]+)»/g, ja: /「([^」]+)」/g };
/// Names in other programs.
const ELSEWHERE = new Set(["Connect", "証明書"]);
const plain = (text) => text.replaceAll("\u00ad", "");

for (const [language, quoted] of Object.entries(QUOTED)) {
  test(`what is named in quotation marks is there, in ${language}`, () => {
    const texts = new Set(rows.map(({ told }) => plain(told[language] ?? "")));
    const missing = rows.flatMap(({ key, told }) => [...plain(told[language] ?? "").matchAll(quoted)]
      .map(([, name]) => name)
      .filter((name) => !/\{\d\}/.test(name) && !texts.has(name) && !ELSEWHERE.has(name))
      .map((name) => `“${name}” in “${key}”`));
    assert.deepEqual(missing, []);
  });
}
