// @ts-check
// Computes which frame of the room is heard on this device at a moment. It follows what the browser
// says of the packets that it plays, so a longer way through the network and a longer buffer both
// count, and no clock has to agree with the server's.

/// Frames per millisecond. RTP timestamps are the low 32 bits of the room's frame number.
export const RATE = 48;
/// Milliseconds of samples that count. A browser that catches up decodes ahead for a moment and
/// reports those packets; the median of the samples is not misled by them.
const WINDOW = 400;
/// Milliseconds. Browsers play blocks of 10 ms. When a browser decodes a packet, it reports that
/// packet at once, but first plays the rest of the packets before: less than one block. Until that
/// rest is known, half a block is assumed.
const BLOCK = 10;
/// If the last RUN samples all lie more than JUMP milliseconds to the same side of the median, the
/// stream's delay has changed, and the older samples are dropped. A browser that catches up also
/// decodes ahead, but never RUN times in a row.
const [RUN, JUMP] = [3, 25];

/// The last AGES looks tell how many blocks the sound card takes at once: the newest packet is at
/// most as old as the time that these blocks last. A packet of AGE_MOST milliseconds or older was
/// held up and does not count.
const [AGES, AGE_MOST] = [100, 100];

/// The difference of two timestamps, which wrap at 32 bits.
/** @param {number} a @param {number} b */
const apart = (a, b) => (a - b) | 0;

/** @param {number[]} values */
const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export class Ear {
  /** @type {{ at: number, timestamp: number, start: number }[]} */
  #samples = [];
  /// The timestamp that is decoded at moment 0 of performance.now(); null until the first packet.
  /** @type {number | null} */
  #decoded = null;
  #left = BLOCK / 2;
  #card = 0;
  /// Milliseconds from the point that the browser knows to the ear, as the player's taps told.
  beyond = 0;
  /** @type {{ delay: number, count: number } | null} */
  #playout = null;
  /// How old the newest packet was at each of the last looks, in milliseconds.
  /** @type {number[]} */
  #ages = [];

  /// Begins with another stream: nothing is known of its timestamps yet.
  reset() {
    this.#samples = [];
    this.#decoded = null;
    this.#left = BLOCK / 2;
  }

  /// Takes what `RTCRtpReceiver.getSynchronizationSources()` says at `now` of performance.now().
  /** @param {{ timestamp: number, rtpTimestamp: number }[]} sources @param {number} now */
  take([source], now) {
    if (!source) return;
    const played = source.timestamp > 1e12 ? source.timestamp - performance.timeOrigin : source.timestamp;
    // A time from another clock does not fit the page's clock: the present is taken instead.
    const at = played <= now + 1 && played > now - 1000 ? played : now;
    if (now - at < AGE_MOST) this.#ages = [...this.#ages.slice(1 - AGES), now - at];
    const last = this.#samples.at(-1);
    if (last?.timestamp === source.rtpTimestamp) return;
    const base = this.#decoded ?? source.rtpTimestamp - at * RATE;
    this.#samples.push({ at, timestamp: source.rtpTimestamp, start: base + apart(source.rtpTimestamp, Math.round(base + at * RATE)) });
    this.#samples = this.#samples.filter((sample) => sample.at > at - WINDOW);
    const start = this.#middle;
    const run = this.#samples.slice(-RUN).map((sample) => (sample.start - start) / RATE);
    if (run.every((off) => off > JUMP) || run.every((off) => off < -JUMP)) this.#samples = this.#samples.slice(-RUN);
    this.#decoded = this.#middle;
  }

  /// Milliseconds from the middle to the newest of the blocks that the sound card takes at once.
  /// The browser reports only the newest one.
  get #ahead() {
    if (this.#ages.length < AGES) return 0;
    // Ages are spread evenly over the time that the blocks last, so the 10th percentile and the
    // median lie 0.4 of that time apart. Packets that were held up are older than the median.
    const ages = [...this.#ages].sort((a, b) => a - b);
    const blocks = Math.round((ages[AGES / 2] - ages[AGES / 10]) / (0.4 * BLOCK));
    return ((Math.max(1, blocks) - 1) * BLOCK) / 2;
  }

  get #middle() { return middle(this.#samples.map((sample) => sample.start)); }

  /// Takes the stream's `RTCInboundRtpStreamStats`. The difference between all samples that were
  /// decoded or concealed and all samples that were played is the rest before the newest packet.
  /// While the browser catches up it also holds whole blocks, so only the remainder of a block
  /// counts.
  /** @param {Record<string, number>} figures */
  takeFigures({ jitterBufferEmittedCount, concealedSamples, insertedSamplesForDeceleration, removedSamplesForAcceleration, totalSamplesReceived }) {
    const made = jitterBufferEmittedCount + concealedSamples + insertedSamplesForDeceleration - removedSamplesForAcceleration;
    const left = (made - totalSamplesReceived) / RATE;
    if (Number.isFinite(left)) this.#left = ((left % BLOCK) + BLOCK) % BLOCK;
  }

  /// Takes the sound card's `RTCAudioPlayoutStats`, and computes the mean delay since the last
  /// figures.
  /** @param {Record<string, number>} figures */
  takePlayout({ totalPlayoutDelay: delay, totalSamplesCount: count }) {
    if (this.#playout && count > this.#playout.count) this.takeCard(((delay - this.#playout.delay) / (count - this.#playout.count)) * 1000);
    this.#playout = { delay, count };
  }

  /// Takes the sound card's delay in milliseconds, as the browser says it. The whole delay counts:
  /// a player who plays along hears the click that much later.
  /** @param {number} milliseconds */
  takeCard(milliseconds) { this.#card = Math.max(0, milliseconds); }

  /// Milliseconds from the point that the browser knows to the ear, with the sound card.
  get output() { return this.#card + this.beyond; }

  /// The timestamp that is heard at a moment of performance.now(), as a number that does not wrap;
  /// null until the first packet.
  /** @param {number} at */
  heard(at) { return this.#decoded === null ? null : this.#decoded + (at - this.#left - this.#ahead - this.#card - this.beyond) * RATE; }
}
