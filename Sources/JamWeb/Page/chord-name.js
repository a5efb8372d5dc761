// @ts-check
// The name of what sounds together in a room. The server names a player's own chord; this names the
// notes of all players, of which it tells only which ones begin and end.

import { nameOf } from "./notes.js";

/** @typedef {import("./notes.js").Scale} Scale */

/// The chords by how they are written behind the root, as semitones above it. A plainer one comes
/// first.
/** @type {[string, number[]][]} */
const TYPES = [
  ["", [0, 4, 7]], ["m", [0, 3, 7]], ["7", [0, 4, 7, 10]], ["m7", [0, 3, 7, 10]],
  ["maj7", [0, 4, 7, 11]], ["5", [0, 7]], ["sus4", [0, 5, 7]], ["sus2", [0, 2, 7]],
  ["dim", [0, 3, 6]], ["aug", [0, 4, 8]], ["6", [0, 4, 7, 9]], ["m6", [0, 3, 7, 9]],
  ["m7b5", [0, 3, 6, 10]], ["dim7", [0, 3, 6, 9]], ["7sus4", [0, 5, 7, 10]],
  ["mmaj7", [0, 3, 7, 11]], ["add9", [0, 2, 4, 7]], ["madd9", [0, 2, 3, 7]],
  ["9", [0, 2, 4, 7, 10]], ["m9", [0, 2, 3, 7, 10]], ["maj9", [0, 2, 4, 7, 11]],
];

/// A pitch's name without its octave.
/** @param {Scale} scale @param {number} pitch */
const written = (scale, pitch) => nameOf(scale, 60 + pitch).replace(/-?\d+$/, "");

/// The chord that the notes are, such as `Am7` or `C/E`; empty where they are none.
/// - notes: MIDI numbers, in any order; scale: the room's, which says how notes are written.
/** @param {Iterable<number>} notes @param {Scale} scale */
export function chordOf(notes, scale) {
  const all = [...notes].sort((a, b) => a - b);
  const pitches = [...new Set(all.map((note) => note % 12))];
  if (pitches.length < 2) return "";
  const bass = all[0] % 12;
  // Notes may lack the fifth of a chord of four. The bass is tried as the root first.
  const roots = [bass, ...pitches.filter((pitch) => pitch !== bass)];
  for (const mayLack of [false, true]) {
    for (const root of roots) {
      const found = TYPES.find(([, steps]) => isMadeOf(pitches, root, steps, mayLack));
      // Two notes are a power chord over their root, and nothing over the other one.
      if (!found || (found[1].length === 2 && root !== bass)) continue;
      const name = `${written(scale, root)}${found[0]}`;
      return root === bass ? name : `${name}/${written(scale, bass)}`;
    }
  }
  return "";
}

/**
 * @param {number[]} pitches @param {number} root
 * @param {number[]} steps @param {boolean} mayLack
 */
function isMadeOf(pitches, root, steps, mayLack) {
  const wanted = mayLack ? steps.filter((step) => step !== 7) : steps;
  if (mayLack && (steps.length < 4 || wanted.length === steps.length)) return false;
  if (pitches.length !== wanted.length) return false;
  return wanted.every((step) => pitches.includes((root + step) % 12));
}

/// The notes that sound in a room, and the last chord that they were.
export class Chord {
  /** @type {Map<string, number>} */
  #sounding = new Map();
  #name = "";
  #namedAt = -Infinity;

  /// A key of a player sounds, or ends.
  /** @param {string} player @param {number} note @param {boolean} on */
  take(player, note, on) {
    if (on) this.#sounding.set(`${note} ${player}`, note);
    else this.#sounding.delete(`${note} ${player}`);
  }

  clear() {
    this.#sounding.clear();
    this.#name = "";
  }

  /// The chord, which stays for a while behind its last note, as hands lift between two chords.
  /// - stays: milliseconds that it stays.
  /** @param {Scale} scale @param {number} now @param {number} stays */
  name(scale, now, stays) {
    const name = chordOf(this.#sounding.values(), scale);
    if (name) [this.#name, this.#namedAt] = [name, now];
    else if (now - this.#namedAt > stays) this.#name = "";
    return this.#name;
  }
}
