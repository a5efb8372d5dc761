// @ts-check
// How late the room is heard here: from a tap to the ear. It is what is shown, what everybody is told, and what hits are recorded by.
// Moments are those of performance.now().

import { RATE } from "./ear.js";

/// The room's constant delay between a hit's arrival and its sound, in milliseconds.
const DELAY = 5;
/// The server refuses a hit whose player heard what was longer ago (`Limits.heardBehind`), or before it joined.
const HEARD_MOST = 1900;

export class Latency {
  #clock;
  /// The frame at moment 0 of the server's clock.
  /** @type {number | null} */
  #origin = null;
  #joined = Infinity;
  #told = 0;
  #toldAt = -Infinity;
  /// As it was measured last, in milliseconds; null until it was.
  /** @type {number | null} */
  value = null;

  /// - Parameter clock: the server's (`Clock`): `server(at)` and `roundTrip`.
  /** @param {{ roundTrip: number | null, server(at: number): number | null }} clock */
  constructor(clock) { this.#clock = clock; }

  forget() { this.value = null; }

  /** @param {number} now */
  join(now) {
    this.#joined = now;
    [this.#told, this.#toldAt] = [0, -Infinity];
  }

  /// Takes what /frame tells: `frame` is at `moment` of the server's clock.
  /** @param {number} frame @param {number} moment */
  takeFrame(frame, moment) { this.#origin = frame - moment * RATE; }

  /// The room's frame as what is sent at a moment arrives there; null while it is not known.
  /** @param {number} sent */
  frameOnArrival(sent) {
    const server = this.#clock.server(sent + (this.#clock.roundTrip ?? 0) / 2);
    return this.#origin === null || server === null ? null : this.#origin + server * RATE;
  }

  /// How much later than a tap at `at` its sound is heard, where frame `heard` is what is heard then; null while it is not known.
  /// Of `heard` the low 32 bits count.
  /** @param {number} at @param {number | null} heard */
  tapToEar(at, heard) {
    const sounds = this.frameOnArrival(at + DELAY);
    return sounds === null || heard === null ? null : (Math.round(sounds - heard) | 0) / RATE;
  }

  /** @param {number} now @param {number | null} heard */
  measure(now, heard) { this.value = this.tapToEar(now, heard) ?? this.value; }

  /// The RTP timestamp of `heard`, for `/heard`; null where the server would refuse a hit by it.
  /** @param {number} at @param {number | null} heard */
  timestamp(at, heard) {
    const late = this.tapToEar(at, heard);
    if (late === null || heard === null || late < DELAY || late > HEARD_MOST || at - late < this.#joined) return null;
    const low = Math.round(heard) % 2 ** 32;
    return low < 0 ? low + 2 ** 32 : low;
  }

  /// Whether everybody is to be told `value` now, which then counts as told: when it has changed enough to matter, and not often.
  /** @param {number} value @param {number} now */
  tell(value, now) {
    if (Math.abs(value - this.#told) < Math.max(5, this.#told * 0.1) || now - this.#toldAt < 4000) return false;
    [this.#told, this.#toldAt] = [value, now];
    return true;
  }
}
