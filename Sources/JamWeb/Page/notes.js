// @ts-check
// Notes, scales, and the order of keys. This uses nothing of the page.

/** @typedef {{ root: number, names: Map<number, string> }} Scale */

/** @type {Record<string, number>} */
const LETTERS = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const PLAIN = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

/// The lowest and the highest MIDI note.
export const LOWEST = 0;
export const HIGHEST = 127;

/// How many semitones a written note, such as "F#", "Bb" or "Ebb", lies above C, 0…11.
/** @param {string} name */
export function pitchOf(name) {
  return (LETTERS[name[0]] + signsOf(name) + 12) % 12;
}
/** @param {string} name */
const signsOf = (name) => [...name.slice(1)].reduce((sum, sign) => sum + (sign === "#" ? 1 : sign === "b" ? -1 : 0), 0);

/// Reads a scale from the room's list of its notes, such as "D E F# G A B C#": the name of each
/// note by its pitch, and the pitch of the first one, the root.
/** @param {string} text @returns {Scale} */
export function scaleOf(text) {
  const written = text.split(" ").filter((name) => name[0] in LETTERS);
  return { root: written.length ? pitchOf(written[0]) : 0, names: new Map(written.map((name) => [pitchOf(name), name])) };
}

/** @param {number} note */
export const isBlack = (note) => [1, 3, 6, 8, 10].includes(note % 12);
/** @param {Scale} scale @param {number} note */
export const isIn = (scale, note) => scale.names.has(note % 12);

/// A note's name with its octave, such as "F#4". Middle C is C4.
/** @param {Scale} scale @param {number} note */
export function nameOf(scale, note) {
  const letter = scale.names.get(note % 12) ?? PLAIN[note % 12];
  // B# belongs to the octave below the C that sounds the same, and Cb to the octave above the B.
  const octave = Math.floor((note - signsOf(letter)) / 12) - 1;
  return `${letter}${octave}`;
}

/// At least `count` notes from `low` on: only those of the scale, or all. Where all notes are
/// shown, a black key never lies at an end, because half of it would be outside: its white
/// neighbour is added.
/** @param {Scale} scale @param {number} low @param {number} count @param {boolean} inKey */
export function keysFrom(scale, low, count, inKey) {
  const begin = Math.max(LOWEST, low);
  const notes = [];
  for (let note = !inKey && isBlack(begin) ? begin - 1 : begin; note <= HIGHEST; note += 1) {
    const isWhole = inKey || !isBlack(notes.at(-1) ?? note);
    if (notes.length >= count && isWhole) break;
    if (!inKey || isIn(scale, note)) notes.push(note);
  }
  return notes;
}

/// The lowest key that is shown for `note`: the root of the scale in the octave below it.
/** @param {Scale} scale @param {number} note */
export function lowKey(scale, note) {
  const low = note - (((note - scale.root) % 12) + 12) % 12;
  return Math.min(HIGHEST - 24, Math.max(LOWEST, low));
}

/// The letter keys that play notes, from the left: the middle row of letters. Where all notes are
/// shown, the row above it plays the black keys.
export const MIDDLE = ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG", "KeyH", "KeyJ", "KeyK", "KeyL", "Semicolon", "Quote"];
/** @type {Record<number, string | null>} */
const ABOVE = { 0: null, 1: "KeyW", 2: "KeyE", 3: null, 4: "KeyT", 5: "KeyY", 6: "KeyU", 7: null, 8: "KeyO", 9: "KeyP" };

/** @param {number[]} notes @param {boolean} inKey @returns {Map<string, number>} */
export function letterKeys(notes, inKey) {
  const keys = new Map();
  if (inKey) {
    for (const [index, code] of MIDDLE.entries()) if (notes[index] !== undefined) keys.set(code, notes[index]);
    return keys;
  }
  // The letters begin at the lowest C, as on other software keyboards.
  const begin = notes.find((note) => note % 12 === 0);
  if (begin === undefined) return keys;
  let white = 0;
  for (let note = begin; white < MIDDLE.length && note <= HIGHEST; note += 1) {
    if (isBlack(note)) {
      const code = ABOVE[white];
      if (code) keys.set(code, note);
    } else {
      keys.set(MIDDLE[white], note);
      white += 1;
    }
  }
  return keys;
}
