// The names in front of the strip's rows: each player's in its colour.

import { readable } from "./colour.js";
import { at, h, shown } from "./dom.js";
import { colourOf } from "./people.js";

/// The least height in CSS pixels of a row that has a name: that of its letters. Lower rows have the
/// colour alone.
const LEAST = 12;

const view = at("loopview");
const list = h("em.loopnames", { "aria-hidden": "true", hidden: true });
view.append(list);
let drawn = "";

/// Rows at one place hold the loops of several players.
function places(rows, ratio) {
  const found = new Map();
  for (const { loop, top, tall } of rows) {
    const place = found.get(top) ?? { top: top / ratio, tall: tall / ratio, players: [] };
    place.players.push(loop.player);
    found.set(top, place);
  }
  return [...found.values()];
}

/// - rows: those of the picture; own: the player of this page, who needs no name while nobody else
///   plays.
export function showNames(rows, ratio, own) {
  const isAlone = rows.every(({ loop }) => loop.player === own);
  const found = isAlone ? [] : places(rows, ratio);
  const colours = found.map(({ players }) => readable(colourOf(players[0]), true));
  const now = JSON.stringify([found, colours]);
  if (now === drawn) return;
  drawn = now;
  const hasNames = found.some(({ tall }) => tall >= LEAST);
  view.classList.toggle("named", hasNames);
  view.classList.toggle("marked", !isAlone && !hasNames);
  list.hidden = isAlone;
  list.replaceChildren(...found.map(({ top, tall, players }, index) => {
    const name = h("b", { given: tall >= LEAST ? players.map(shown).join(", ") : "" });
    name.style.setProperty("--player", colours[index]);
    name.style.top = `${top}px`;
    name.style.height = `${tall}px`;
    return name;
  }));
}
