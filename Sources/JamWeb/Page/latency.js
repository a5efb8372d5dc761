// @ts-check
// Measures how late the room is heard here, from a tap to the ear. The page shows this latency,
// tells it to everybody, and uses it to record hits at the right place. Moments are those of
// performance.now().

import { RATE } from "./ear.js";

/// The room's constant delay between a hit's arrival and its sound, in milliseconds.
const DELAY = 5;
/// Milliseconds. The server refuses a hit whose `/heard` tells a frame from more than 2 seconds ago
/// (`Limits.heardBehind`), or from before the player joined. The page stays a little below that
/// limit.
const HEARD_MOST = 1900;

export class Latency {
  #clock;
  /// The frame at moment 0 of the server's clock.
  /** @type {number | null} */
  #origin = null;
  #joined = Infinity;
  #told = 0;
  #toldAt = -Infinity;
  /// The latency by the last measurement, in milliseconds; null before the first.
  /** @type {number | null} */
  value = null;

  /// - Parameter clock: the server's clock (`Clock`), with `server(at)` and `roundTrip`.
  /** @param {{ roundTrip: number | null, server(at: number): number | null }} clock */
  constructor(clock) { this.#clock = clock; }

  forget() { this.value = null; }

  /** @param {number} now */
  join(now) {
    this.#joined = now;
    [this.#told, this.#toldAt] = [0, -Infinity];
  }

  /// Takes a `/frame/at`: `frame` is the room's frame at `moment` of the server's clock.
  /** @param {number} frame @param {number} moment */
  takeFrame(frame, moment) { this.#origin = frame - moment * RATE; }

  /// The room's frame when a message that is sent at `sent` arrives there; null while it is not
  /// known.
  /** @param {number} sent */
  frameOnArrival(sent) {
    const server = this.#clock.server(sent + (this.#clock.roundTrip ?? 0) / 2);
    return this.#origin === null || server === null ? null : this.#origin + server * RATE;
  }

  /// Milliseconds from a tap at `at` until its sound is heard; null while they are not known.
  /// `heard` is the frame that is heard at `at`, of which the low 32 bits count.
  /** @param {number} at @param {number | null} heard */
  tapToEar(at, heard) {
    const sounds = this.frameOnArrival(at + DELAY);
    return sounds === null || heard === null ? null : (Math.round(sounds - heard) | 0) / RATE;
  }

  /** @param {number} now @param {number | null} heard */
  measure(now, heard) { this.value = this.tapToEar(now, heard) ?? this.value; }

  /// The RTP timestamp of the frame `heard`, for `/heard`; null where the server would refuse a hit
  /// with that timestamp.
  /** @param {number} at @param {number | null} heard */
  timestamp(at, heard) {
    const late = this.tapToEar(at, heard);
    if (late === null || heard === null || late < DELAY || late > HEARD_MOST || at - late < this.#joined) return null;
    const low = Math.round(heard) % 2 ** 32;
    return low < 0 ? low + 2 ** 32 : low;
  }

  /// Whether to tell everybody `value` now; if so, it counts as told. It is told when it has
  /// changed by at least 10 % and at least 5 ms, and at most every 4 seconds.
  /** @param {number} value @param {number} now */
  tell(value, now) {
    if (Math.abs(value - this.#told) < Math.max(5, this.#told * 0.1) || now - this.#toldAt < 4000) return false;
    [this.#told, this.#toldAt] = [value, now];
    return true;
  }
}
