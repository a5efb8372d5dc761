// The colours of players: light or dark enough for the ground.

import { readable, toOklch } from "./colour.js";

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

/// A player's colour on this page, the same whatever kit anybody plays. `hex` is the colour from
/// the server: one of twelve hues in two lightnesses.
export function playersColour(hex) {
  if (!known.has(hex)) known.set(hex, readable(hex));
  return known.get(hex);
}
