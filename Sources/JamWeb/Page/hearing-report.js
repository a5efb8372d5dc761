// @ts-check
// Measures how the room's sound reaches this device: what only this device can know of it, for
// `/hearing`. This uses nothing of the page. Moments are those of performance.now(), times are in
// milliseconds.

/// Milliseconds between two looks at the page's own work, and how much later a look may come before
/// it counts as held up. Browsers come some 4 ms late by themselves, and a press takes a frame or
/// two.
export const LOOK = 100;
const SLACK = 50;
/// Milliseconds. Shares of a shorter time say little.
const LEAST = 500;

/// Numbers of `RTCInboundRtpStreamStats` that only grow.
const GROWING = [
  "packetsReceived", "packetsLost", "concealedSamples", "totalSamplesReceived", "jitterBufferDelay",
  "jitterBufferEmittedCount",
];
/// Milliseconds: the server takes no longer times.
const LONGEST = 60_000;

/** @param {number} value @param {number} most */
const within = (value, most) => (value > 0 ? Math.min(value, most) : 0);
/** @param {number} part @param {number} whole */
const share = (part, whole) => (whole > 0 ? within(part / whole, 1) : 0);

/**
 * @typedef {{ [name: string]: any }} Figures
 *   `RTCInboundRtpStreamStats`; a browser may leave numbers out
 * @typedef {object} Heard
 * @property {Figures | null} figures of the line that is heard; null for the endless stream
 * @property {number | null} latency from a tap to the ear; null while it is not known
 * @property {boolean} isStalled whether nothing comes just now
 * @property {number | null} roundTrip to the server
 * @property {number} output from the browser to the ear; NaN where that is not known
 */

export class HearingReport {
  /** @type {Figures | null} */
  #before = null;
  #reported = -Infinity;
  #looked = -Infinity;
  #held = 0;
  #isFirst = true;

  /// Notes that the page could do some work. Call it every LOOK milliseconds.
  /// - Parameter isHidden: whether nobody sees the page. Browsers hold hidden pages up by
  ///   themselves.
  /** @param {number} now @param {boolean} isHidden */
  look(now, isHidden) {
    const late = now - this.#looked - LOOK;
    if (!isHidden && late > SLACK && Number.isFinite(late)) this.#held += late;
    this.#looked = isHidden ? -Infinity : now;
  }

  /// Begins with another sound: what was measured says nothing of it.
  forget() {
    this.#before = null;
    this.#isFirst = true;
  }

  /// The arguments of `/hearing` for the time since the last report; null where too little is
  /// known.
  /** @param {Heard} heard @param {number} now */
  take(heard, now) {
    const time = now - this.#reported;
    if (time < LEAST) return null;
    const busy = share(this.#held, time);
    this.#held = 0;
    this.#reported = now;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const line = heard.figures ? this.#line(heard.figures) : this.#stream(heard);
    // The first report only begins the time that the next one is about.
    if (!line || isFirst) return null;
    const { madeUp, loss, jitter, buffer } = line;
    const roundTrip = within(heard.roundTrip ?? 0, LONGEST);
    return [madeUp, loss, roundTrip, jitter, buffer, within(heard.output, LONGEST), busy];
  }

  /** @param {Figures} figures */
  #line(figures) {
    const before = this.#before;
    this.#before = figures;
    // The same figures are no news: the page was too busy to ask for others.
    if (!before || before === figures) return null;
    if (before.ssrc !== figures.ssrc || before.id !== figures.id) return null;
    const growth = GROWING.map((name) => Math.max(0, (figures[name] ?? 0) - (before[name] ?? 0)));
    const [received, lost, concealed, samples, waited, emitted] = growth;
    // A line by which nothing comes and nothing is played makes everything up.
    const madeUp = samples === 0 && received === 0 ? 1 : share(concealed, samples);
    return {
      madeUp, loss: share(lost, received + lost),
      jitter: within((figures.jitter ?? 0) * 1000, LONGEST),
      buffer: emitted > 0 ? within((waited / emitted) * 1000, LONGEST) : 0,
    };
  }

  /// The endless stream has no figures. Its buffer is the rest of its latency.
  /** @param {Heard} heard */
  #stream({ latency, isStalled, roundTrip, output }) {
    this.#before = null;
    if (latency === null) return null;
    const rest = latency - (roundTrip ?? 0) - within(output, LONGEST);
    return { madeUp: isStalled ? 1 : 0, loss: 0, jitter: 0, buffer: within(rest, LONGEST) };
  }
}
