// The chosen pad. All panels that ask for a pad share it.

import { padCount, pads } from "./pads.js";
import { room } from "./room.js";

let number = 0;
const askers = new Set();

/// The first empty pad, which a new sound takes nothing from; else the first pad.
const first = () => pads.slice(0, padCount()).find((pad) => room.get(pad.address("/name"), "") === "")?.number ?? 1;

/// The number of the chosen pad: the one that the player chose, or played last before a panel
/// asked. A player who has played none begins with an empty pad.
export const chosenPad = () => number || first();

export function choosePad(wanted) {
  number = wanted;
  mark();
  room.tell("pad chosen", [number]);
}

/// The player plays a pad, by whatever hand. A panel that asks for a pad keeps the one that it has.
export function playedPad(played) {
  if (askers.size === 0) number = played;
}

/// While `asker` needs a pad, the pads show which one is chosen. It stays chosen when it is empty
/// no more.
export function showChosen(asker, on) {
  if (on) askers.add(asker);
  else askers.delete(asker);
  if (on && !number) choosePad(chosenPad());
  document.body.toggleAttribute("data-choosing", askers.size > 0);
  mark();
}

function mark() {
  for (const pad of pads) pad.element.classList.toggle("chosen", askers.size > 0 && pad.number === chosenPad());
}
