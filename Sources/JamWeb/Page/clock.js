// The server's clock as seen from here: offset and round trip by /ping, the quickest of the last answers counting.

import { Double } from "./osc.js";

const KEPT = 48;
const BURST = 16;
// An answer that took longer may be wrong by half of it: while there is no better one, more are asked for.
const GOOD = 8;
const AGE_COST = 0.0001; // A crystal drifts by some 50 ppm: an old answer is worth less each second.

const worth = (sample, now) => sample.roundTrip + (now - sample.at) * AGE_COST;

export class Clock {
  #samples = [];
  #offset = null;
  #timer = 0;
  roundTrip = null;

  /// - Parameter send: sends an OSC message.
  constructor(send) { this.send = send; }

  /// Milliseconds since 1970 on the server's clock, at `local` of performance.now(); null until it is known.
  server(local = performance.now()) { return this.#offset === null ? null : local + this.#offset; }

  /// The other way round.
  local(server) { return this.#offset === null ? null : server - this.#offset; }

  /// Asks once.
  ask() { this.send("/ping", new Double(performance.now())); }

  start() {
    this.stop();
    this.#samples = [];
    let count = 0;
    const ask = () => {
      this.ask();
      count += 1;
      const now = performance.now();
      const best = this.#best(now);
      this.#timer = setTimeout(ask, count < BURST ? 60 : best && worth(best, now) < GOOD ? 2000 : 300);
    };
    ask();
  }

  stop() { clearTimeout(this.#timer); }

  #best(now) { return this.#samples.reduce((a, b) => (a && worth(a, now) <= worth(b, now) ? a : b), null); }

  /// Takes a /pong: what was sent, and when the server received and sent it.
  pong([asked, received, sent]) {
    const now = performance.now();
    const roundTrip = now - asked - (sent - received);
    if (!(roundTrip >= 0)) return;
    this.#samples.push({ at: now, roundTrip, offset: (received + sent - asked - now) / 2 });
    if (this.#samples.length > KEPT) this.#samples.shift();
    const best = this.#best(now);
    // At first the best answer counts at once; later small corrections come in smoothly, so that nothing that is drawn jumps.
    const settled = this.#samples.length >= BURST && Math.abs(best.offset - this.#offset) < 20;
    this.#offset = settled ? this.#offset + (best.offset - this.#offset) * 0.5 : best.offset;
    const trips = this.#samples.map((sample) => sample.roundTrip).sort((a, b) => a - b);
    this.roundTrip = trips[trips.length >> 1];
  }
}
