// @ts-check
// The kinds of sounds, and their colours: the same on pads, in every panel, on the strip, in
// patterns and on the wall.

import { fromOklch, isDark } from "./colour.js";

/**
 * @typedef {"drums" | "cymbals" | "percussion" | "bass" | "chords" | "lead" | "voice" | "effects"
 *   | "other"} Kind
 */

/// The kinds in the order in which they are listed; `other` is a sound of which nobody knows one.
/** @type {readonly Kind[]} */
export const KINDS = ["drums", "cymbals", "percussion", "bass", "chords", "lead", "voice", "effects"];

/** @type {Record<string, Kind>} */
const OF = {
  kick: "drums", snare: "drums", clap: "drums", tom: "drums", loop: "drums",
  hat: "cymbals", cymbal: "cymbals",
  percussion: "percussion", bass: "bass", chord: "chords", lead: "lead", voice: "voice",
  fx: "effects", riser: "effects", impact: "effects",
};
/// The places of keys begin behind those of pads.
export const KEYS = 17;
/// Keys below C3 are a bass, where nothing else is known of their sound.
const C3 = 48;

/// Whether a place is a key's above the bass: such keys may be parts of a chord.
export const isHighKey = (/** @type {number} */ place) => place >= KEYS + C3;

/// The kind of a sound by its category in kits.
/// - place: the pad, or a key's number and 17, for a sound that has no category; isChord: whether
///   the key sounds as a part of a chord.
/** @param {string | undefined} category @returns {Kind} */
export function kindOf(category, place = 0, isChord = false) {
  const known = OF[category ?? ""];
  if (known) return known;
  if (place < KEYS) return "other";
  if (!isHighKey(place)) return "bass";
  return isChord ? "chords" : "lead";
}

/** @typedef {[first: number, second: number, hue: number, chroma: number]} Colour */
/** @typedef {Record<"light" | "dark", Record<Kind, Colour>>} Colours */

/// Hues in degrees of OKLCH, and the chroma.
/** @type {Record<Kind, [hue: number, chroma: number]>} */
const HUES = {
  drums: [25, 0.17], percussion: [58, 0.14], cymbals: [95, 0.14], chords: [148, 0.15],
  effects: [200, 0.11], bass: [255, 0.15], voice: [300, 0.15], lead: [348, 0.16], other: [80, 0.015],
};
/** @param {number} first @param {number} second */
const lit = (first, second) => /** @type {Colours["light"]} */ (Object.fromEntries(
  Object.entries(HUES).map(([kind, [hue, chroma]]) => [kind, [first, second, hue, chroma]])));

/// Colours by ground and kind: the lightnesses of the two shades, hue and chroma, in OKLCH. The
/// kinds of the bright ones differ in hue alone.
/** @type {Colours} */
const BRIGHT = { light: lit(0.56, 0.46), dark: lit(0.78, 0.66) };

/// For every eye: kinds whose hues look alike to somebody differ in lightness. They were found by a
/// search for the set whose nearest two are farthest from each other, for all four kinds of eyes.
/** @type {Colours} */
const CLEAR = {
  light: {
    drums: [0.56, 0.505, 38, 0.18], percussion: [0.41, 0.355, 73, 0.15],
    cymbals: [0.3, 0.245, 89, 0.19], chords: [0.52, 0.465, 173, 0.115],
    effects: [0.35, 0.295, 232, 0.075], bass: [0.6, 0.545, 246, 0.185],
    voice: [0.425, 0.37, 304, 0.19], lead: [0.6, 0.545, 332, 0.165], other: [0.48, 0.43, 80, 0.015],
  },
  dark: {
    drums: [0.67, 0.615, 50, 0.18], percussion: [0.81, 0.755, 69, 0.18],
    cymbals: [0.95, 0.895, 98, 0.165], chords: [0.765, 0.82, 170, 0.125],
    effects: [0.58, 0.525, 225, 0.175], bass: [0.945, 1, 260, 0.175],
    voice: [0.78, 0.725, 292, 0.14], lead: [0.585, 0.53, 4, 0.1], other: [0.7, 0.64, 80, 0.015],
  },
};

const isClear = () => document.documentElement.dataset.colours === "clear";

/// The colours that were made, by ground and set.
/** @type {Map<string, Map<Kind, string[]>>} */
const made = new Map();

/// The kinds' colours on the page's ground as it is now, for pictures that ask for thousands: a
/// function that answers as `shadeOf` does.
/** @returns {(kind: Kind, number?: number) => string} */
export function shades() {
  const ground = isDark() ? "dark" : "light";
  const isOther = isClear();
  const key = `${ground} ${isOther}`;
  const kinds = made.get(key) ?? new Map();
  made.set(key, kinds);
  return (kind, number = 0) => {
    const known = kinds.get(kind);
    if (known) return known[Math.abs(number) % 2];
    const [first, second, hue, chroma] = (isOther ? CLEAR : BRIGHT)[ground][kind];
    const turn = (hue * Math.PI) / 180;
    const both = [first, second].map((lightness) => fromOklch([lightness, chroma, turn]));
    kinds.set(kind, both);
    return both[Math.abs(number) % 2];
  };
}

/// A kind's colour on the page's ground.
/// - number: a pad's number, or a place in a row; neighbours get two shades in turn.
/** @param {Kind} kind */
export const shadeOf = (kind, number = 0) => shades()(kind, number);

/// The same for style sheets: a variable of the root, which follows the theme.
/** @param {Kind} kind */
export const toneOf = (kind, number = 0) => `var(--${kind}-${Math.abs(number) % 2})`;

/// Sets these variables; again whenever the theme or the colours are others.
export function paintKinds() {
  const { style } = document.documentElement;
  for (const kind of [...KINDS, /** @type {Kind} */ ("other")]) {
    for (const number of [0, 1]) style.setProperty(`--${kind}-${number}`, shadeOf(kind, number));
  }
}

/// The kind that a pattern or a kit is mostly of, of the kinds of its sounds; drums, cymbals and
/// percussion count together as drums.
/** @param {Iterable<Kind>} kinds @returns {Kind} */
export function mostly(kinds) {
  /** @type {Map<Kind, number>} */
  const counts = new Map();
  for (const kind of kinds) {
    const counted = kind === "cymbals" || kind === "percussion" ? "drums" : kind;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "other";
}
