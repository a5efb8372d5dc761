// The countdown to the drop, large in the strip of loops of everybody in the room. It covers no pad.

import { at, h, say, w, write } from "./dom.js";

const FLASH = 700; // Milliseconds that the drop is shown.

const number = h("b");
const tempo = h("span");
const element = h("div.dropscreen", { "aria-hidden": "true", hidden: true }, number, tempo);
at("loopview").append(element);

/// - `count`: the result of `DropCount.number`, or null; `phase`: of the beat, 0…1; `target` and
///   `after`: the tempo at the end of the build-up and from the drop on, in bpm.
export function show(count, phase, target, after) {
  element.hidden = !count && !element.classList.contains("flash");
  if (!count) return;
  write(number, String(count.number));
  const aim = `${Math.round(target)} bpm`;
  write(tempo, count.isBeat ? `→ ${Math.round(after)} bpm` : count.number === 1 ? w`bar to ${aim}` : w`bars to ${aim}`);
  element.classList.toggle("soft", !count.isBeat);
  element.style.opacity = String(1 - 0.5 * Math.max(0, phase));
}

/// Shows the drop for FLASH milliseconds.
export function flash() {
  say(number, "Drop");
  write(tempo, "");
  element.hidden = false;
  element.style.opacity = "";
  element.classList.remove("soft");
  element.classList.add("flash");
  setTimeout(hide, FLASH);
}

export function hide() {
  element.classList.remove("flash");
  element.hidden = true;
}
