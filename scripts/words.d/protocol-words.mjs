// The words that come from the server, and which of them the page shows: with their first letters
// large, as `named` does.

import { readFileSync, readdirSync, existsSync } from "node:fs";

const named = (word) => word.charAt(0).toUpperCase() + word.slice(1);
/// Words for which the page has other names of its own.
const EXPLAINED = new Set([
  // Choices.
  "low", "band", "high", "close", "open", "played", "up-down", "up-down 2", "oneshot", "gate", "repeat", "peak", "rms", "free", "vote", "own", "none",
  // Labels of faders.
  "q", "makeup", "detector", "lowpass", "highpass", "pingpong", "predelay", "lowcut", "lowmid", "highmid", "beats", "to",
]);
const isNote = (word) => /^[A-G][#b]?$/.test(word);
const read = (path) => readFileSync(path, "utf8");

/// The entries of Protocol/osc: [address, the words of its first argument, whether it is a setter]. An entry's head goes
/// up to its backslash.
function addresses() {
  const pages = readdirSync("Protocol/osc").filter((name) => name.endsWith(".md")).map((name) => read(`Protocol/osc/${name}`));
  return [...pages.join("").matchAll(/^- \*\*`(\/[^`]*)`\*\*(?: \(([a-z ]+), \w+\))?([^\\]*)\\$/gm)].map(([, address, access, rest]) => {
    const [argument] = rest.trim().split(/\s+/).join(" ").split(" · ");
    const choice = argument.match(/^`\w\??\*?:[^`]*` ((?:`[^`]+` ?)+)$/)?.[1] ?? "";
    return [address, [...choice.matchAll(/`([^`]+)`/g)].map(([, word]) => word), access === "setter"];
  });
}

function categories() {
  const found = new Set();
  for (const folder of ["Kits", "Packs"]) {
    for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []) {
      if (/(?:^|\/)(?:kit|instrument)\.json$/.test(name)) found.add(JSON.parse(read(`${folder}/${name}`)).category);
    }
  }
  return [...found].filter(Boolean);
}

/// Kinds of music of the blocks and progressions that come with the server.
function styles() {
  const blocks = read("Sources/JamKit/Blocks/ReadyMadeBlocks.swift");
  const progressions = read("Sources/JamCore/Harmony/Progression+Shipped.swift");
  const cases = [...progressions.matchAll(/^ {4}case (.+)$/gm)].flatMap(([, list]) => list.split(", "));
  return [
    ...[...blocks.matchAll(/^ {4}\(\s*"([^"]+)", "[^"]+",/gm)].map(([, theme]) => theme),
    ...cases.map((name) => name.match(/"([^"]+)"/)?.[1] ?? name),
  ];
}

/// - Returns: `shown`, the words that the page certainly shows; `all`, whatever the server may say.
export function protocolWords() {
  const rows = addresses();
  const shown = new Set([...categories(), ...styles()]);
  const all = new Set(shown);
  for (const [address, words, isSetter] of rows) {
    const parts = address.split("/").filter((part) => part && !part.startsWith("<"));
    for (const word of [...words, ...parts]) all.add(word);
    if (!isSetter) continue;
    // Where a value's name is chosen, the page says its group and the name.
    for (const word of words) shown.add(/^[a-z]\w*\/[a-z]+$/.test(word) ? word.split("/").at(-1) : word);
    if (/^\/(?:instrument|fx|room\/fx)\//.test(address)) shown.add(parts.at(-1));
  }
  for (const path of ["Sources/JamWire/Undone+Words.swift", "Sources/JamCore/Harmony/SavedProgression.swift", "Sources/JamWire/Progression+Words.swift"]) {
    for (const [, text] of read(path).matchAll(/"([^"\\]+)/g)) all.add(text.trim());
  }
  const isShown = (word) => /[a-z]{2}/i.test(word) && !isNote(word) && !EXPLAINED.has(word) && !/^\d+\/\d+T?$/.test(word);
  return { shown: [...shown].filter(isShown).map(named), all: new Set([...all].flatMap((word) => [word, named(word)])) };
}
