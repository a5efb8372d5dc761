// See scripts/words.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { faultsOfRows, readList, tableOf } from "./list.mjs";
import { textsOfDocument, textsOfScript, textsOfStyle } from "./page-texts.mjs";
import { protocolWords } from "./protocol-words.mjs";

const LIST = "Sources/JamWeb/Words/words.md";
const PAGE = "Sources/JamWeb/Page";
/// The section whose rows need not stand in the page's code.
const OF_PROTOCOL = "Words of the protocol";

const isCheck = process.argv.includes("--check");
const read = (name) => readFileSync(`${PAGE}/${name}`, "utf8");
const list = readList(readFileSync(LIST, "utf8"));
const faults = [...list.faults, ...faultsOfRows(list)].map((fault) => `${LIST}: ${fault}`);
const [, ...others] = list.tags;

// ---- The tables of the languages.

for (const tag of others) {
  const [name, table] = [`language-${tag}.js`, tableOf(list.rows, tag)];
  if (!isCheck) writeFileSync(`${PAGE}/${name}`, table);
  else if (!readdirSync(PAGE).includes(name) || read(name) !== table) faults.push(`${PAGE}/${name} is old: run scripts/words`);
}
for (const [name, pattern] of [["language.js", /languages = \{([^}]*)\}/], ["theme.js", /\[("en"[^\]]*)\]/]]) {
  const told = [...(read(name).match(pattern)?.[1] ?? "").matchAll(/(?<!\p{L})([a-z]{2,3})(?=: "|"(?:,|$))/gu)].map(([, tag]) => tag);
  if (String(told) !== String(list.tags)) faults.push(`${PAGE}/${name} has the languages ${told}, and ${LIST} has ${list.tags}`);
}

// ---- The page's texts and the rows, both ways.

const keys = new Set(list.rows.map(({ key }) => key));
const used = new Set();
const missing = new Map();
for (const name of readdirSync(PAGE).filter((name) => !/^language-/.test(name))) {
  const found = ({ text, line, isRead }) => {
    used.add(text);
    if (isRead && !keys.has(text) && !missing.has(text)) missing.set(text, `${PAGE}/${name}:${line}: “${text}” has no row in ${LIST}`);
  };
  if (name.endsWith(".js")) textsOfScript(name, read(name), found, (fault) => faults.push(`${PAGE}/${fault}`));
  else if (name.endsWith(".html")) textsOfDocument(read(name), found);
  else if (name.endsWith(".css")) textsOfStyle(read(name), found);
}
const protocol = protocolWords();
for (const word of protocol.shown) if (!keys.has(word)) missing.set(word, `${LIST}: “${word}”, a word of the protocol, has no row`);
faults.push(...missing.values());
for (const { key, line, section } of list.rows) {
  // What the protocol says is a small letter there, and in the scripts.
  const plain = key.charAt(0).toLowerCase() + key.slice(1);
  if (!used.has(key) && !protocol.all.has(key) && !(section === OF_PROTOCOL && used.has(plain))) {
    faults.push(`${LIST}: line ${line}: “${key}” is said nowhere`);
  }
}

for (const fault of faults) console.error(fault);
const untold = others.map((tag) => `${tag} ${list.rows.filter(({ told }) => told[tag] !== "").length}`).join(", ");
console.log(`${list.rows.length} texts; told in ${untold}${faults.length ? `; ${faults.length} faults` : ""}`);
process.exitCode = faults.length > 0 && isCheck ? 1 : 0;
