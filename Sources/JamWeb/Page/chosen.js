// The chosen pad: one for everything that asks for a pad.

import { padCount, pads } from "./pads.js";
import { room } from "./room.js";

let number = 0;
const askers = new Set();

/// Until one was touched or chosen it is the last one that is seen: what lands there overwrites no kick.
export const chosenPad = () => number || padCount();

export function choosePad(wanted) {
  number = wanted;
  mark();
  room.tell("pad chosen", [number]);
}

/// While `asker` asks for a pad, the pads show which one it is.
export function showChosen(asker, on) {
  if (on) askers.add(asker);
  else askers.delete(asker);
  document.body.toggleAttribute("data-choosing", askers.size > 0);
  mark();
}

function mark() {
  for (const pad of pads) pad.element.classList.toggle("chosen", askers.size > 0 && pad.number === chosenPad());
}
