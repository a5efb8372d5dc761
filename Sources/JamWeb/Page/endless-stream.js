// @ts-check
// The endless Ogg stream, through which distant devices listen: what it carries, and which frame of
// it is heard.

import { RATE } from "./ear.js";

/// Milliseconds. The stream does not make up for a delay in the network, so it stays late. If it is
/// later than this, the page begins the stream anew at its newest frame.
const MOST = 3000;

export class EndlessStream {
  /// The query that the stream was asked with, and the moment of asking; null before the first.
  /** @type {string | null} */
  query = null;
  asked = 0;
  #played = 0;
  #looked = 0;

  /** @param {string} query @param {number} now */
  ask(query, now) {
    this.query = query;
    this.asked = now;
    this.#played = 0;
  }

  /// Takes how many milliseconds of the stream were played by `now`.
  /** @param {number} played @param {number} now */
  take(played, now) {
    this.#played = played;
    this.#looked = now;
  }

  /// The frame that is heard at a moment; null until the stream plays.
  /// - Parameter begin: the stream's first frame, which is the room's frame at the moment of
  ///   asking.
  /** @param {number} at @param {number | null} begin */
  heard(at, begin) { return begin === null || this.#played === 0 ? null : begin + (at - this.#looked + this.#played) * RATE; }

  /** @param {number} latency @param {number} now */
  isTooLate(latency, now) { return latency > MOST && now - this.asked > 4 * MOST; }
}
