// The macros of a player's own sound, which several panels show.

import { part, percent } from "./controls.js";
import { w } from "./dom.js";

const filter = (value) => {
  const far = percent(Math.abs(value - 0.5) * 2);
  return value === 0.5 ? "Neutral" : value < 0.5 ? w`Dark ${far}` : w`Thin ${far}`;
};

/// Each macro's address, its name, and the function that makes the text of its value.
export const OWN_MACROS = [["/macro/1", "Filter", filter], ["/macro/2", "Drive", part], ["/macro/3", "Space", part]];
