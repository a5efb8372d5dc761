// @ts-check
// What sounds on each channel of a MIDI device, and whether the device gives each note a channel of its own (MPE).

/// Semitones of a note's own wheel, as such devices have it (MPE 1.0, 2.2.5).
const OWN_BEND = 48;
/// The parameter by which a device says how many channels its notes have (MPE 1.0, 2.1).
const MEMBERS = 6;

/** @typedef {[note: number, what: "y" | "bend", value: number]} Change */

export class Channels {
  /** @type {Map<number, number[]>} What sounds on a channel, the latest last. */
  #sounding = new Map();
  /** @type {Map<number, number>} Where a channel's wheel stands, −1…1. */
  #bends = new Map();
  /** @type {Map<number, number>} How high its finger lies. */
  #heights = new Map();
  /** @type {Map<number, number>} By channel, the parameter that data is meant for. */
  #parameters = new Map();
  /** @type {Set<number>} The channels beyond the first that had notes. */
  #used = new Set();
  #isTold = false;

  /// Whether the channel's wheel is one note's: the device said that its notes have channels, or two of them had some. The first
  /// channel is all notes' own, and so is any other that is alone.
  /** @param {number} channel */
  isOwn(channel) { return channel > 0 && (this.#isTold || this.#used.size > 1); }

  /// - Returns: what was told of the finger before.
  /** @param {number} channel @param {number} note @returns {["y" | "bend", number][]} */
  press(channel, note) {
    const notes = this.#sounding.get(channel) ?? [];
    this.#sounding.set(channel, [...notes.filter((other) => other !== note), note]);
    if (channel > 0) this.#used.add(channel);
    if (!this.isOwn(channel)) return [];
    /** @type {["y" | "bend", number][]} */
    const told = [];
    const [bend, height] = [this.#bends.get(channel), this.#heights.get(channel)];
    if (bend) told.push(["bend", bend * OWN_BEND]);
    if (height !== undefined) told.push(["y", height]);
    return told;
  }

  /** @param {number} channel @param {number} note */
  lift(channel, note) {
    this.#sounding.set(channel, (this.#sounding.get(channel) ?? []).filter((other) => other !== note));
  }

  /** @param {number} channel @param {number} bend −1…1 @returns {Change[]} */
  bend(channel, bend) {
    this.#bends.set(channel, bend);
    return this.#all(channel, "bend", bend * OWN_BEND);
  }

  /** @param {number} channel @param {number} height 0…1 @returns {Change[]} */
  height(channel, height) {
    if (this.isOwn(channel)) this.#heights.set(channel, height);
    return this.#all(channel, "y", height);
  }

  /// Takes what a device says of itself.
  /** @param {number} channel @param {number} controller @param {number} value */
  control(channel, controller, value) {
    if (controller === 100) this.#parameters.set(channel, value);
    if (controller === 6 && this.#parameters.get(channel) === MEMBERS && (channel === 0 || channel === 15)) this.#isTold = value > 0;
  }

  /** @param {number} channel @param {"y" | "bend"} what @param {number} value @returns {Change[]} */
  #all(channel, what, value) { return (this.#sounding.get(channel) ?? []).map((note) => [note, what, value]); }
}
