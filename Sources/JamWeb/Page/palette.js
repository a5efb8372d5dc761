// The colours of players: light or dark enough for the ground, and different from the two colours
// of the player's own pads.

import { fromOklch, isDark, readable, toOklch } from "./colour.js";

/// People may confuse two colours whose distance in OKLab is smaller.
const NEAR = 0.07;

let tones = [];
const known = new Map();
addEventListener("themechange", () => known.clear());

/// Sets the colours of the pads.
export function setTones(...colours) {
  tones = colours;
  known.clear();
}

export function apart(a, b) {
  const [p, q] = [a, b].map((hex) => {
    const [lightness, chroma, hue] = toOklch(hex);
    return [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
  });
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/// A player's colour on this page. `hex` is the colour from the server: one of twelve hues in two
/// lightnesses.
export function playersColour(hex) {
  if (!known.has(hex)) known.set(hex, choose(hex));
  return known.get(hex);
}

function choose(hex) {
  const [lightness, chroma, hue] = toOklch(hex);
  // A grey stands for a player whose colour is not known.
  if (chroma < 0.04) return readable(hex);
  const [low, high] = isDark() ? [0.68, 0.8] : [0.5, 0.62];
  const isLight = lightness > 0.56;
  // A pale colour is tried as well, because no other player has a pale one.
  for (const [light, pale] of [[isLight, chroma], [isLight, 0.05], [!isLight, 0.05], [isLight, 0.02], [!isLight, 0.02]]) {
    const colour = readable(fromOklch([light ? high : low, pale, hue]));
    if (tones.every((tone) => apart(colour, tone) >= NEAR)) return colour;
  }
  return readable(hex);
}
