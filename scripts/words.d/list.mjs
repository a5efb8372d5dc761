// The list of words: Sources/JamWeb/Words/words.md, read and checked in itself.

const LANGUAGE = /^(?<name>.+) \((?<tag>[a-z]{2,3})\)$/;

/// Reads the list.
/// - Returns: `tags` of the languages, the first being the key; `rows`, each { line, section, key,
///   told: { tag: text } };
///   `synonyms`, each { say, not }; `faults` of its form.
export function readList(markdown) {
  const list = { tags: [], rows: [], synonyms: [], faults: [] };
  let [section, head] = ["", null];
  for (const [index, text] of markdown.split("\n").entries()) {
    const line = index + 1;
    if (text.startsWith("## ")) [section, head] = [text.slice(3), null];
    if (!text.startsWith("|")) {
      head = null;
      continue;
    }
    const cells = text.slice(1).replace(/\|\s*$/, "").split("|").map((cell) => cell.trim());
    if (cells.every((cell) => /^-+$/.test(cell))) continue;
    if (head === null) {
      head = cells;
      if (!isOfSynonyms(head)) takeHead(list, line, head);
    } else if (cells.length !== head.length) {
      list.faults.push(`line ${line}: ${cells.length} cells, where the head has ${head.length}`);
    } else if (isOfSynonyms(head)) {
      list.synonyms.push({ say: cells[0], not: cells[1].split(",").map((word) => word.trim()) });
    } else {
      const told = Object.fromEntries(list.tags.map((tag, place) => [tag, breakable(cells[place])]));
      list.rows.push({ line, section, key: cells[0], told });
    }
  }
  return list;
}

const isOfSynonyms = (head) => head[0] === "Say";

function takeHead(list, line, head) {
  const tags = head.map((cell) => cell.match(LANGUAGE)?.groups.tag);
  if (tags.includes(undefined)) list.faults.push(`line ${line}: a column is headed by a language and its tag, as “Deutsch (de)”`);
  if (list.tags.length === 0) list.tags = tags;
  else if (String(tags) !== String(list.tags)) list.faults.push(`line ${line}: other languages than the tables before`);
}

const places = (text) => [...new Set(text.match(/\{\d+\}/g) ?? [])].sort().join(" ");

/// What is wrong with the rows, whatever the page says.
export function faultsOfRows({ tags, rows, synonyms }) {
  const faults = [];
  const seen = new Map();
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const { line, key, told } of rows) {
    const fault = (text) => faults.push(`line ${line}: “${key}”: ${text}`);
    const plain = key.toLowerCase();
    if (seen.has(plain)) fault(seen.get(plain) === key ? "stands here twice" : `differs from “${seen.get(plain)}” by large letters alone`);
    seen.set(plain, key);
    if (key.includes("\u00ad") || key.includes("&shy;")) fault("the key has a soft hyphen");
    for (const { say, not } of synonyms) {
      for (const word of not) if (saysInstead(key, word)) fault(`says “${word}”; the word is “${say}”`);
    }
    for (const tag of tags.slice(1)) {
      const text = told[tag];
      if (text === "") continue;
      if (places(text) !== places(key)) fault(`${tag} has the values ${places(text) || "none"}, and not ${places(key) || "none"}`);
      // The page may look up what was looked up already: that must change nothing.
      const again = byKey.get(text)?.told[tag];
      if (again && again !== text) fault(`${tag} is “${text}”, which is also a key, of “${again}”`);
    }
  }
  return faults;
}

/// The name of a key on a keyboard is no word of ours.
function saysInstead(text, word) {
  const forms = new RegExp(`(?<!press |right )\\b${word.replace(/e$/i, "e?")}(?:s|d|ed|ing)?\\b`, "i");
  return forms.test(text);
}

/// The table of a language, as a script. What is as in English is left out.
export function tableOf(rows, tag) {
  const lines = rows.filter(({ key, told }) => told[tag] !== "" && told[tag] !== key)
    .map(({ key, told }) => `  ${JSON.stringify(key)}: ${JSON.stringify(told[tag])},\n`);
  return `// Made by scripts/words from Sources/JamWeb/Words/words.md.\n\nexport default {\n${lines.join("")}};\n`;
}

/// The text with the places where it may be broken.
function breakable(text) {
  return text.replaceAll("&shy;", "\u00ad").replaceAll("&#8203;", "\u200b");
}
