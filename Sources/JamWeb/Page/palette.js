// The colours of players: light or dark enough for the ground.

import { fromOklch, isDark, readable, toOklch } from "./colour.js";

const known = new Map();
addEventListener("themechange", () => known.clear());

/// How far two colours are from each other, in OKLab.
export function apart(a, b) {
  const [p, q] = [a, b].map((hex) => {
    const [lightness, chroma, hue] = toOklch(hex);
    return [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
  });
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/// The lightnesses of the server's two colours of a hue, on dark ground.
const [DEEP, BRIGHT] = [0.68, 0.8];
/// A lightness between the two as the server tells them.
const BETWEEN = 0.56;

/// A player's colour on this page, the same whatever kit anybody plays. `hex` is the colour from
/// the server: one of twelve hues in two lightnesses.
export function playersColour(hex) {
  if (!known.has(hex)) known.set(hex, isDark() ? onDark(hex) : readable(hex));
  return known.get(hex);
}

/// Both colours of a hue are too dark for dark ground. Each has a lightness of its own there.
function onDark(hex) {
  const [lightness, chroma, hue] = toOklch(hex);
  // A grey stands for a player whose colour is not known.
  if (chroma < 0.04) return readable(hex);
  return readable(fromOklch([lightness > BETWEEN ? BRIGHT : DEEP, chroma, hue]));
}
