// The players who moved the room's pitch, filter and macros last. Each control returns to rest a
// bar after that player has left the room.

import { h, shown, t, w, write } from "./dom.js";
import { room } from "./room.js";

/// The controls' addresses and names.
const CONTROLS = [
  ["/pitch", "Pitch"], ["/modulation", "Filter"], ["/room/macro/throw", "Throw"], ["/room/macro/wash", "Wash"],
  ["/room/macro/cut", "Cut"], ["/room/macro/crush", "Crush"],
];

const holder = (address) => room.get(`${address}/holder`, "");

/// The line at a control that says who holds it, while somebody else does.
export function holderLine(address, signal) {
  const line = h("small.holder");
  const see = () => {
    const name = holder(address);
    const isAnother = name !== "" && name !== room.player;
    write(line, isAnother ? shown(name) : "");
    line.title = isAnother ? w`Moved by ${shown(name)}` : "";
  };
  for (const what of [`${address}/holder`, "connected"]) room.on(what, see, signal);
  see();
  return line;
}

/// The line in a player's channel of the mixer that names what the player holds.
export function holdsLine(name, signal) {
  const line = h("small.quiet.holds", { hidden: true });
  const see = () => {
    const held = CONTROLS.filter(([address]) => holder(address) === name).map(([, label]) => t(label));
    line.hidden = held.length === 0;
    write(line, held.length > 0 ? w`holds: ${held.join(", ")}` : "");
  };
  for (const [address] of CONTROLS) room.on(`${address}/holder`, see, signal);
  see();
  return line;
}
