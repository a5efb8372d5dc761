// The strips for the whole room: pitch, which springs back at first, and filter, which stays at
// first.

import { at } from "./dom.js";
import { signed } from "./controls.js";
import { Strip } from "./strip.js";

const strips = () => [
  new Strip({ address: "/pitch", label: "Pitch", rest: 0, step: 0.1, springs: true, show: (v) => signed(v, Number.isInteger(v) ? 0 : 1) }).element,
  new Strip({ address: "/modulation", label: "Filter", rest: 0, step: 0.01, springs: false, show: (v) => `${Math.round(v * 100)} %` }).element,
];

/// Fills a row with the strips, unless it has them already.
export const fill = (row) => row.firstChild || row.append(...strips());

/// Shows the strips below the pads, or beside them.
export const start = () => fill(at("strips"));
