import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("what a module imports by name, the other one exports", async () => {
  const folder = new URL("../../Sources/JamWeb/Page/", import.meta.url);
  const sources = new Map(readdirSync(folder).filter((name) => name.endsWith(".js")).map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
  const names = (list) => list.split(",").map((name) => name.trim().split(/\s+as\s+/)).filter(([name]) => name);
  const exports = new Map([...sources].map(([name, text]) => [name, new Set([
    ...[...text.matchAll(/^export (?:async )?(?:function\*?|class|const|let) (\w+)/gm)].map(([, exported]) => exported),
    ...[...text.matchAll(/^export (?:const|let) \[([^\]]*)\]/gm)].flatMap(([, list]) => names(list).map(([exported]) => exported)),
    ...[...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => names(list).map((pair) => pair.at(-1))),
    ...(/^export default/m.test(text) ? ["default"] : []),
  ])]));
  const missing = [];
  for (const [name, text] of sources) {
    for (const [, list, from] of text.matchAll(/^(?:import|export) \{([^}]*)\} from "\.\/([\w-]+\.js)"/gm)) {
      // The server makes some.
      if (!sources.has(from)) continue;
      for (const [wanted] of names(list)) if (!exports.get(from).has(wanted)) missing.push(`${name}: ${wanted} of ${from}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("what the page needs to be touched is little: what hears the room, draws the beat and fills panels comes after", () => {
  const folder = new URL("../../Sources/JamWeb/Page/", import.meta.url);
  const first = new Set();
  const visit = (name) => {
    if (first.has(name)) return;
    first.add(name);
    let text;
    try {
      text = readFileSync(new URL(name, folder), "utf8");
    } catch {
      // The server makes some.
      return;
    }
    for (const [, from] of text.matchAll(/^(?:import|export)[^;"]*"\.\/([\w-]+\.js)";/gm)) visit(from);
  };
  visit("page.js");
  const later = ["listen.js", "listener.js", "whep-line.js", "hearing.js", "endless-stream.js", "beat.js", "controls.js"];
  const isLater = (name) => later.includes(name) || /^(own|my-mix)\b/.test(name);
  assert.deepEqual([...first].filter(isLater), []);
  assert.ok(first.size <= 24, `${first.size} modules: ${[...first].join(" ")}`);
});
