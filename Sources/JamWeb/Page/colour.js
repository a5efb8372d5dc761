// @ts-check
// Changes the colours of people to a lightness that is readable on a dark or a light ground.

/** @param {number} channel */
function linear(channel) {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** @param {number} value */
function encoded(value) {
  const bounded = Math.min(Math.max(value, 0), 1);
  return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
}

/// OKLCH of `#rrggbb`. Source: Björn Ottosson, "A perceptual color space for image processing".
/** @param {string} hex */
export function toOklch(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16)));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, bb), Math.atan2(bb, a)];
}

/** @param {number[]} colour */
export function fromOklch([lightness, chroma, hue]) {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${rgb.map((value) => encoded(value).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string | undefined} text */
export const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text ?? "");

export const isDark = () => document.documentElement.dataset.theme === "dark";

/// `hex` made light or dark enough for the page's ground, as a mark or as text, and with bounded
/// chroma.
/** @param {string} hex */
export function readable(hex, asText = false) {
  const [lightness, chroma, hue] = toOklch(hex);
  const [low, high] = isDark() ? [0.68, 0.8] : asText ? [0.4, 0.5] : [0.5, 0.62];
  return fromOklch([Math.min(Math.max(lightness, low), high), Math.min(chroma, 0.16), hue]);
}
