// @ts-check
// Where the ear is: which frame of the room is heard here at a moment. It follows what the browser says of the packets that
// it plays, so a longer way through the network and a longer buffer both count, and no clock has to agree with the server's.

/// Frames in a millisecond. RTP timestamps are the low 32 bits of the room's frames.
export const RATE = 48;
/// Milliseconds of samples that count. While the browser catches up it decodes ahead and says so: the middle one is not led astray.
const WINDOW = 400;
/// Browsers play blocks of 10 ms. When one decodes a packet, it names that packet, and first plays what is left of those before:
/// less than a block. Where that is not known it is taken for half of one.
const BLOCK = 10;
/// So many samples, one after the other, that all lie so many milliseconds to one side of the middle one: the stream's delay has
/// changed. A browser that catches up decodes ahead in between, never so many times at once.
const [RUN, JUMP] = [3, 25];

/// So many looks tell how many blocks the sound card takes at once: the newest packet is at most as old as these last. One that is older
/// than so many milliseconds was held up.
const [AGES, AGE_MOST] = [100, 100];

/// The difference of two timestamps, which wrap.
/** @param {number} a @param {number} b */
const apart = (a, b) => (a - b) | 0;

/** @param {number[]} values */
const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export class Ear {
  /** @type {{ at: number, timestamp: number, start: number }[]} */
  #samples = [];
  /// The timestamp that is decoded at moment 0 of performance.now(); null until something was heard.
  /** @type {number | null} */
  #decoded = null;
  #left = BLOCK / 2;
  #card = 0;
  /// Milliseconds from what the browser knows of to the ear: the taps of its player told.
  beyond = 0;
  /** @type {{ delay: number, count: number } | null} */
  #playout = null;
  /// How old the newest packet was at each of the last looks, in milliseconds.
  /** @type {number[]} */
  #ages = [];

  /// Another stream, of which nothing is known yet.
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
    // What another clock says is no moment of ours.
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

  /// Of blocks that are taken at once only the newest is seen: so many milliseconds before it lies the middle one.
  get #ahead() {
    if (this.#ages.length < AGES) return 0;
    // Ages are spread evenly over that time: from the tenth to the half lie four tenths of it. What is held up is older.
    const ages = [...this.#ages].sort((a, b) => a - b);
    const blocks = Math.round((ages[AGES / 2] - ages[AGES / 10]) / (0.4 * BLOCK));
    return ((Math.max(1, blocks) - 1) * BLOCK) / 2;
  }

  get #middle() { return middle(this.#samples.map((sample) => sample.start)); }

  /// Takes the stream's `RTCInboundRtpStreamStats`: all that was decoded or made up for what was lost, less all that was played, is what
  /// is left, and whole blocks while the browser catches up.
  /** @param {Record<string, number>} figures */
  takeFigures({ jitterBufferEmittedCount, concealedSamples, insertedSamplesForDeceleration, removedSamplesForAcceleration, totalSamplesReceived }) {
    const made = jitterBufferEmittedCount + concealedSamples + insertedSamplesForDeceleration - removedSamplesForAcceleration;
    const left = (made - totalSamplesReceived) / RATE;
    if (Number.isFinite(left)) this.#left = ((left % BLOCK) + BLOCK) % BLOCK;
  }

  /// Takes the sound card's `RTCAudioPlayoutStats`: what its delay was since those before.
  /** @param {Record<string, number>} figures */
  takePlayout({ totalPlayoutDelay: delay, totalSamplesCount: count }) {
    if (this.#playout && count > this.#playout.count) this.takeCard(((delay - this.#playout.delay) / (count - this.#playout.count)) * 1000);
    this.#playout = { delay, count };
  }

  /// Takes the sound card's delay in milliseconds, as the browser says it. All of it counts: who plays along has the click in the ear.
  /** @param {number} milliseconds */
  takeCard(milliseconds) { this.#card = Math.max(0, milliseconds); }

  /// The timestamp that is heard at a moment of performance.now(), a number that does not wrap; null until it is known.
  /** @param {number} at */
  heard(at) { return this.#decoded === null ? null : this.#decoded + (at - this.#left - this.#ahead - this.#card - this.beyond) * RATE; }
}
