// @ts-check
// Decides whether a note of a MIDI device plays a pad or a key.

/** @typedef {"auto" | "pads" | "keys"} Choice */
/** @typedef {{ choice: Choice, lowest: number, isOpen: boolean, areDrums: boolean }} Setting */

/// The drum channel, counted from 0 (General MIDI 1, channel 10).
const DRUMS = 9;
const PADS = 16;

/// Whether a note plays a pad; else it plays a key. With the choice `auto`, notes play keys while
/// the panel Keys is open (`isOpen`); otherwise the sixteen notes from `lowest` on play the pads.
/// Channel 10 always plays the pads, unless each note of the device has a channel of its own.
/**
 * @param {Setting} setting @param {number} channel 0…15 @param {number} note
 * @param {boolean} isOwn whether the channel is one note's
 */
export function playsPad({ choice, lowest, isOpen, areDrums }, channel, note, isOwn) {
  if (choice !== "auto") return choice === "pads";
  if (isDrums(channel, isOwn)) return true;
  return !isOpen && areDrums && note >= lowest && note < lowest + PADS;
}

/// Whether wheels, pedals and pressure on this channel are for the keys.
/** @param {Choice} choice @param {number} channel @param {boolean} isOwn */
export const shapesKeys = (choice, channel, isOwn) => (choice === "auto" ? !isDrums(channel, isOwn) : choice === "keys");

/** @param {number} channel @param {boolean} isOwn */
const isDrums = (channel, isOwn) => channel === DRUMS && !isOwn;
