// The chosen pad. All panels that ask for a pad share it.

import { padCount, pads } from "./pads.js";
import { room } from "./room.js";

let number = 0;
const askers = new Set();

/// The number of the chosen pad. Until somebody touches or chooses a pad, it is the last visible
/// pad, so that a new sound does not overwrite a kick.
export const chosenPad = () => number || padCount();

export function choosePad(wanted) {
  number = wanted;
  mark();
  room.tell("pad chosen", [number]);
}

/// While `asker` needs a pad, the pads show which one is chosen.
export function showChosen(asker, on) {
  if (on) askers.add(asker);
  else askers.delete(asker);
  document.body.toggleAttribute("data-choosing", askers.size > 0);
  mark();
}

function mark() {
  for (const pad of pads) pad.element.classList.toggle("chosen", askers.size > 0 && pad.number === chosenPad());
}
