// @ts-check
// Reads a progression as people type it (Protocol/chords.md), and finds which of its chords sounds.
// This uses nothing of the page.

import { pitchOf } from "./notes.js";

/** @typedef {import("./notes.js").Scale} Scale */
/** @typedef {{ number: number, sign: number, isMinor: boolean, isRaised: boolean }} Numeral */

/// The signs between chords. Bar lines only concern the chords' lengths, which do not matter here.
const BETWEEN = /[\s,;\-–—→>|]+/;
const WORDS = ["I", "II", "III", "IV", "V", "VI", "VII"];
const NUMERAL = /^([b#♭♯]?)(VII|VI|V|IV|III|II|I|vii|vi|v|iv|iii|ii|i)/;
const MAJOR = [0, 2, 4, 5, 7, 9, 11];
const MINOR = [0, 2, 3, 5, 7, 8, 10];

/// The chords of a text, without their beats. `%` repeats the chord before.
/** @param {string} text @returns {string[]} */
export function chordsOf(text) {
  /** @type {string[]} */
  const chords = [];
  for (const word of text.split(BETWEEN).filter(Boolean)) {
    const chord = word.replace(/:.*$/, "");
    chords.push(chord === "%" ? chords.at(-1) ?? chord : chord);
  }
  return chords;
}

/// The pitch of each chord's root, 0…11; null for a word that is no chord.
/**
 * @param {string[]} chords @param {Scale} scale
 * @param {boolean} isBlues whether the scale has both thirds @returns {(number | null)[]}
 */
export function rootsOf(chords, scale, isBlues = false) {
  const home = homeOf(chords, scale, isBlues);
  const steps = [...scale.names.keys()];
  return chords.map((chord) => {
    const note = noteOf(chord);
    if (note !== null) return note;
    const numeral = numeralOf(chord);
    if (!numeral) return /^[1-7]/.test(chord) && steps.length > 0 ? steps[(Number(chord[0]) - 1) % steps.length] : null;
    // A chord such as V/ii counts from the chord behind the slash, as from the first note of a
    // major scale.
    const other = numeralOf(chord.split("/")[1] ?? "");
    const from = home.pitch + (other ? above(other, home.isMinor) : 0);
    return (from + above(numeral, home.isMinor && !other && !numeral.isRaised) + 12) % 12;
  });
}

/// The root's pitch of a chord that is written as a note, such as "F#m7/C#"; null for others.
/** @param {string} chord */
function noteOf(chord) {
  const [, letter, sign] = chord.match(/^([A-G])([b#♭♯]?)/) ?? [];
  return letter ? pitchOf(letter + plain(sign)) : null;
}

/** @param {string} sign */
const plain = (sign) => sign.replace("♭", "b").replace("♯", "#");

/** @param {string} chord @returns {Numeral | null} */
function numeralOf(chord) {
  const [whole, sign, word] = chord.match(NUMERAL) ?? [];
  if (!word) return null;
  const rest = plain(chord.slice(whole.length).replace(/[()]/g, ""));
  const isSmall = word === word.toLowerCase();
  const number = WORDS.indexOf(word.toUpperCase()) + 1;
  return {
    number, sign: { b: -1, "#": 1 }[plain(sign)] ?? 0,
    isMinor: isSmall || /^(?:m(?!a(?!dd))|dim|[°ºøo])/.test(rest),
    // Diminished chords on the sixth and seventh degree stand on the raised degree in minor.
    isRaised: number >= 6 && /^(?:dim|[°ºøo]|(?:m|mi|min)?7?b5)/.test(rest),
  };
}

/// Semitones from the first note up to a degree. A degree with a sign counts from the major scale.
/** @param {Numeral} numeral @param {boolean} isMinor */
const above = ({ number, sign }, isMinor) => (isMinor && sign === 0 ? MINOR[number - 1] : MAJOR[number - 1] + sign);

/// The note from which numerals count. If the scale has the other third than the chords' first
/// degree, they count from the scale's relative key, so that the notes stay in the scale.
/** @param {string[]} chords @param {Scale} scale @param {boolean} isBlues */
function homeOf(chords, scale, isBlues) {
  const firsts = chords.map(numeralOf).filter((numeral, index) => numeral?.number === 1 && numeral.sign === 0 && !numeralOf(chords[index].split("/")[1] ?? ""));
  const isMinor = firsts.length > 0 && firsts.every((numeral) => numeral?.isMinor);
  const has = (/** @type {number} */ third) => scale.names.has((scale.root + third) % 12);
  const isRelative = !isBlues && has(3) !== has(4) && has(3) !== isMinor;
  return { isMinor, pitch: scale.root + (isRelative ? (isMinor ? 9 : 3) : 0) };
}

/// Finds which chord of the progression sounds. The server tells only the chord's name, so a page
/// that comes in the middle finds the place by the names and their order.
export class Place {
  #chords = "";
  /** @type {(number | null)[]} */
  #roots = [];
  /// The places that are possible now; −1 is just before the first chord.
  /** @type {number[]} */
  #possible = [];

  /// Takes the chords, and their roots in the key of the room.
  /// - Returns: whether the chords have changed.
  /** @param {string[]} chords @param {(number | null)[]} roots */
  see(chords, roots) {
    this.#roots = roots;
    const text = chords.join(" ");
    if (text === this.#chords) return false;
    this.#chords = text;
    this.#possible = this.#possible.filter((index) => index < 0);
    return true;
  }

  /// The progression begins: the first chord comes next.
  begin() { this.#possible = [-1]; }

  rest() { this.#possible = []; }

  /// A chord with this name sounds.
  /** @param {string} name */
  hear(name) {
    const root = noteOf(name);
    const count = this.#roots.length;
    const next = count > 0 ? this.#possible.map((index) => (index + 1) % count) : [];
    const alike = [...this.#roots.keys()].filter((index) => this.#roots[index] === root);
    // If names and order disagree, a chord was missed.
    const both = next.filter((index) => alike.includes(index));
    this.#possible = both.length > 0 ? both : alike.length > 0 ? alike : next;
  }

  /// The chord's place from 0; null while it may be one of several, or none.
  get index() {
    const [index, ...others] = this.#possible;
    return index >= 0 && others.length === 0 ? index : null;
  }
}
