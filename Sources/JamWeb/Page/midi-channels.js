// @ts-check
// The state of each channel of a MIDI device, and whether the device gives each note a channel of
// its own (MPE).

/// Semitones of the full way of a wheel that belongs to one note (the default of MPE 1.0, 2.2.5).
const OWN_BEND = 48;
/// The registered parameter by which a device tells how many channels its notes have (MPE 1.0,
/// 2.1).
const MEMBERS = 6;

/** @typedef {[note: number, what: "y" | "bend", value: number]} Change */

export class Channels {
  /** @type {Map<number, number[]>} The notes that sound on a channel, the latest last. */
  #sounding = new Map();
  /** @type {Map<number, number>} The position of a channel's wheel, −1…1. */
  #bends = new Map();
  /** @type {Map<number, number>} The height of the finger on a channel, 0…1. */
  #heights = new Map();
  /** @type {Map<number, number>} By channel, the parameter that the next data belongs to. */
  #parameters = new Map();
  /** @type {Set<number>} The channels that had notes, without the first channel. */
  #used = new Set();
  #isTold = false;

  /// Whether the channel's wheel belongs to a single note. It does if the device told that its
  /// notes have channels, or if two channels after the first had notes. The first channel belongs
  /// to all notes; so does another channel that alone has notes.
  /** @param {number} channel */
  isOwn(channel) { return channel > 0 && (this.#isTold || this.#used.size > 1); }

  /// A note begins on a channel.
  /// - Returns: what the device told about the finger before the note began.
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

  /// Takes a controller, by which a device may tell about itself.
  /** @param {number} channel @param {number} controller @param {number} value */
  control(channel, controller, value) {
    if (controller === 100) this.#parameters.set(channel, value);
    if (controller === 6 && this.#parameters.get(channel) === MEMBERS && (channel === 0 || channel === 15)) this.#isTold = value > 0;
  }

  /**
   * @param {number} channel @param {"y" | "bend"} what @param {number} value
   * @returns {Change[]}
   */
  #all(channel, what, value) { return (this.#sounding.get(channel) ?? []).map((note) => [note, what, value]); }
}
