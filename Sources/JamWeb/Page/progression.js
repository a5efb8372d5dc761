// @ts-check
// A progression as it is typed (Protocol/chords.md), and which of its chords sounds. Nothing here needs a page.

import { pitchOf } from "./notes.js";

/** @typedef {import("./notes.js").Scale} Scale */
/** @typedef {{ number: number, sign: number, isMinor: boolean, isRaised: boolean }} Numeral */

/// What stands between chords; a bar line tells of their lengths alone.
const BETWEEN = /[\s,;\-–—→>|]+/;
const WORDS = ["I", "II", "III", "IV", "V", "VI", "VII"];
const NUMERAL = /^([b#♭♯]?)(VII|VI|V|IV|III|II|I|vii|vi|v|iv|iii|ii|i)/;
const MAJOR = [0, 2, 4, 5, 7, 9, 11];
const MINOR = [0, 2, 3, 5, 7, 8, 10];

/// The chords, without their beats; `%` is the chord before.
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

/// The pitch of each chord's root, 0…11; null of what is no chord.
/** @param {string[]} chords @param {Scale} scale @param {boolean} isBlues whether the scale has both thirds @returns {(number | null)[]} */
export function rootsOf(chords, scale, isBlues = false) {
  const home = homeOf(chords, scale, isBlues);
  const steps = [...scale.names.keys()];
  return chords.map((chord) => {
    const note = noteOf(chord);
    if (note !== null) return note;
    const numeral = numeralOf(chord);
    if (!numeral) return /^[1-7]/.test(chord) && steps.length > 0 ? steps[(Number(chord[0]) - 1) % steps.length] : null;
    // The chord that belongs to another one counts from there, as from the first of a major scale.
    const other = numeralOf(chord.split("/")[1] ?? "");
    const from = home.pitch + (other ? above(other, home.isMinor) : 0);
    return (from + above(numeral, home.isMinor && !other && !numeral.isRaised) + 12) % 12;
  });
}

/// The pitch of a chord's root where it is written as a note: "F#m7/C#".
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
    // Where the diminished chords of minor stand.
    isRaised: number >= 6 && /^(?:dim|[°ºøo]|(?:m|mi|min)?7?b5)/.test(rest),
  };
}

/// Semitones of a degree above the first note; a sign counts from the major scale.
/** @param {Numeral} numeral @param {boolean} isMinor */
const above = ({ number, sign }, isMinor) => (isMinor && sign === 0 ? MINOR[number - 1] : MAJOR[number - 1] + sign);

/// Where numerals count from. Where the scale has the other third they follow its relative, so that the notes remain the scale's.
/** @param {string[]} chords @param {Scale} scale @param {boolean} isBlues */
function homeOf(chords, scale, isBlues) {
  const firsts = chords.map(numeralOf).filter((numeral, index) => numeral?.number === 1 && numeral.sign === 0 && !numeralOf(chords[index].split("/")[1] ?? ""));
  const isMinor = firsts.length > 0 && firsts.every((numeral) => numeral?.isMinor);
  const has = (/** @type {number} */ third) => scale.names.has((scale.root + third) % 12);
  const isRelative = !isBlues && has(3) !== has(4) && has(3) !== isMinor;
  return { isMinor, pitch: scale.root + (isRelative ? (isMinor ? 9 : 3) : 0) };
}

/// Which chord sounds. Only its name is told: whoever comes in the middle finds out by the names, and by the order in which they come.
export class Place {
  #chords = "";
  /** @type {(number | null)[]} */
  #roots = [];
  /// Where it may be; −1 is just before the first.
  /** @type {number[]} */
  #possible = [];

  /// Takes the chords, and their roots in the key of the room.
  /// - Returns: whether they are others.
  /** @param {string[]} chords @param {(number | null)[]} roots */
  see(chords, roots) {
    this.#roots = roots;
    const text = chords.join(" ");
    if (text === this.#chords) return false;
    this.#chords = text;
    this.#possible = this.#possible.filter((index) => index < 0);
    return true;
  }

  /// The first chord comes next.
  begin() { this.#possible = [-1]; }

  rest() { this.#possible = []; }

  /// A chord of that name sounds.
  /** @param {string} name */
  hear(name) {
    const root = noteOf(name);
    const count = this.#roots.length;
    const next = count > 0 ? this.#possible.map((index) => (index + 1) % count) : [];
    const alike = [...this.#roots.keys()].filter((index) => this.#roots[index] === root);
    // Where names and order disagree, one was missed.
    const both = next.filter((index) => alike.includes(index));
    this.#possible = both.length > 0 ? both : alike.length > 0 ? alike : next;
  }

  /// The chord's place from 0; null while it may be one of several, or none.
  get index() {
    const [index, ...others] = this.#possible;
    return index >= 0 && others.length === 0 ? index : null;
  }
}
