// @ts-check
// The server's clock as seen from here: its offset and the round trip, measured by `/ping`. Of the
// last answers only the quickest counts.

import { Double } from "./osc.js";

/// How many of the last answers are kept.
const KEPT = 48;
/// How many questions follow one another quickly at the start.
const BURST = 16;
/// Milliseconds. An answer with a longer round trip may be wrong by half of it: until a better
/// answer comes, the page asks more often.
const GOOD = 8;
// A crystal drifts by some 50 ppm, so an old answer is worth less each second.
const AGE_COST = 0.0001;

/** @typedef {{ at: number, roundTrip: number, offset: number }} Sample */

/** The browser's own time. Tests pass another one. */
const BROWSER = {
  now: () => performance.now(),
  /** @param {number} wait @param {() => void} act */
  after: (wait, act) => setTimeout(act, wait),
  /** @param {any} timer */
  forget: (timer) => clearTimeout(timer),
};

/** @param {Sample} sample @param {number} now */
const worth = (sample, now) => sample.roundTrip + (now - sample.at) * AGE_COST;

export class Clock {
  /** @type {Sample[]} */
  #samples = [];
  /** @type {number | null} */
  #offset = null;
  /** @type {any} */
  #timer = 0;
  #time;
  /** @type {number | null} */
  roundTrip = null;

  /// - Parameter send: sends an OSC message.
  /** @param {(address: string, value: Double) => void} send */
  constructor(send, time = BROWSER) {
    this.send = send;
    this.#time = time;
  }

  /// Milliseconds since 1970 on the server's clock, at `local` of performance.now(); null until the
  /// offset is known.
  server(local = this.#time.now()) { return this.#offset === null ? null : local + this.#offset; }

  /// The reverse of `server`: the moment of performance.now() for a server time.
  /** @param {number} server */
  local(server) { return this.#offset === null ? null : server - this.#offset; }

  /// Asks once.
  ask() { this.send("/ping", new Double(this.#time.now())); }

  start() {
    this.stop();
    this.#samples = [];
    let count = 0;
    const ask = () => {
      this.ask();
      count += 1;
      const now = this.#time.now();
      const best = this.#best(now);
      this.#timer = this.#time.after(count < BURST ? 60 : best && worth(best, now) < GOOD ? 2000 : 300, ask);
    };
    ask();
  }

  stop() { this.#time.forget(this.#timer); }

  /** @param {number} now */
  #best(now) {
    return this.#samples.reduce((a, b) => (a && worth(a, now) <= worth(b, now) ? a : b), /** @type {Sample | null} */ (null));
  }

  /// Takes a `/pong`: when the `/ping` was sent (`asked`, by this device's clock), and when the
  /// server received and answered it (by the server's clock).
  /** @param {number[]} times */
  pong([asked, received, sent]) {
    const now = this.#time.now();
    const roundTrip = now - asked - (sent - received);
    if (!(roundTrip >= 0)) return;
    this.#samples.push({ at: now, roundTrip, offset: (received + sent - asked - now) / 2 });
    if (this.#samples.length > KEPT) this.#samples.shift();
    const { offset } = this.#best(now) ?? this.#samples[0];
    // At first the best answer counts at once. Later, half of each small correction is taken, so
    // that nothing on the screen jumps.
    const isSettled = this.#offset !== null && this.#samples.length >= BURST && Math.abs(offset - this.#offset) < 20;
    this.#offset = isSettled ? /** @type {number} */ (this.#offset) + (offset - /** @type {number} */ (this.#offset)) * 0.5 : offset;
    const trips = this.#samples.map((sample) => sample.roundTrip).sort((a, b) => a - b);
    this.roundTrip = trips[trips.length >> 1];
  }
}
