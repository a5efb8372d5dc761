// @ts-check
// The endless Ogg stream, which is heard from afar: what it carries, and which frame of it is heard.

import { RATE } from "./ear.js";

/// What the network held up once stays late: a stream that is so many milliseconds late begins again at the end.
const MOST = 3000;

export class EndlessStream {
  /// What it was asked to carry, and when; null until it was asked for.
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

  /// Takes how many milliseconds were played at `now`.
  /** @param {number} played @param {number} now */
  take(played, now) {
    this.#played = played;
    this.#looked = now;
  }

  /// The frame that is heard at a moment; null until the stream plays.
  /// - Parameter begin: the frame that the stream begins with: what sounded when it was asked for.
  /** @param {number} at @param {number | null} begin */
  heard(at, begin) { return begin === null || this.#played === 0 ? null : begin + (at - this.#looked + this.#played) * RATE; }

  /** @param {number} latency @param {number} now */
  isTooLate(latency, now) { return latency > MOST && now - this.asked > 4 * MOST; }
}
