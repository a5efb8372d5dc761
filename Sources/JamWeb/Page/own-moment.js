// @ts-check
// The moment at which an own hit begins to sound. A sound card takes several blocks at once, and in
// between the context's time stands still: of two hits one would be heard sooner than the other. A
// hit that would be early waits, so that hits are heard more evenly. It uses nothing of the page.

/// Hits that are remembered.
const KEPT = 32;
/// Seconds: no output is later than that, or the browser's answer is an old one, as after a rest.
const LATEST = 1;
/// Seconds that a hit waits at most.
const LONGEST = 0.02;

export class OwnMoment {
  /** @type {number[]} Seconds by which the context was ahead of its output at the last hits. */
  #ahead = [];
  #context;
  #now;

  /// - now: the time of `performance.now()`.
  /** @param {AudioContext} context @param {() => number} now */
  constructor(context, now = () => performance.now()) {
    this.#context = context;
    this.#now = now;
  }

  /// The context's time for a hit of now; one that is over means at once.
  next() {
    const { contextTime = 0, performanceTime = 0 } = this.#context.getOutputTimestamp?.() ?? {};
    const played = contextTime + (this.#now() - performanceTime) / 1000;
    const { currentTime } = this.#context;
    const ahead = currentTime - played;
    if (performanceTime <= 0 || !(ahead >= 0 && ahead <= LATEST)) return 0;
    this.#ahead = [...this.#ahead, ahead].slice(-KEPT);
    // The earliest quarter waits: the hit in the middle is not delayed.
    const sorted = [...this.#ahead].sort((a, b) => a - b);
    return Math.min(played + sorted[sorted.length >> 2], currentTime + LONGEST);
  }
}
