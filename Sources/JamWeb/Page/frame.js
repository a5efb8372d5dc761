// @ts-check
// One loop for all drawings. A drawing says when it must draw again, so a page on which nothing
// changes draws nothing, and the browser has no frame to compute.

/**
 * @typedef {(now: number) => number | boolean | void} Draw
 *   draws; it returns false when it is done, the milliseconds until it must draw again, or nothing
 *   for the next frame
 */

/// Milliseconds: a drawing that is due so soon is drawn now.
const SOON = 1;

/** The browser's own frames and time. Tests pass others. */
const BROWSER = {
  now: () => performance.now(),
  /** @param {(now: number) => void} step */
  frame: (step) => { requestAnimationFrame(step); },
  /** @param {number} wait @param {() => void} act */
  after: (wait, act) => setTimeout(act, wait),
  /** @param {any} timer */
  forget: (timer) => clearTimeout(timer),
};

export class FrameLoop {
  /// When each drawing is due.
  /** @type {Map<Draw, number>} */
  #due = new Map();
  #time;
  #isAsked = false;
  /// The timer that asks for a frame, and the moment for which it is set.
  /** @type {{ timer: any, at: number } | null} */
  #waits = null;

  constructor(time = BROWSER) { this.#time = time; }

  /// Calls `draw` in the next frame, and again as it says. Adding it again while it waits brings it
  /// into the next frame.
  /** @param {Draw} draw */
  animate(draw) {
    this.#due.set(draw, -Infinity);
    this.#plan();
  }

  #step = (/** @type {number} */ now) => {
    this.#isAsked = false;
    for (const [draw, due] of this.#due) {
      if (due > this.#time.now() + SOON) continue;
      // The drawing may be asked for once more while it draws.
      this.#due.set(draw, Infinity);
      const next = draw(now);
      if (this.#due.get(draw) !== Infinity) continue;
      if (next === false) this.#due.delete(draw);
      else this.#due.set(draw, typeof next === "number" ? this.#time.now() + next : -Infinity);
    }
    this.#plan();
  };

  #plan() {
    if (this.#isAsked) return;
    let soonest = Infinity;
    for (const due of this.#due.values()) soonest = Math.min(soonest, due);
    const wait = soonest - this.#time.now();
    if (this.#waits && (wait <= SOON || this.#waits.at !== soonest)) {
      this.#time.forget(this.#waits.timer);
      this.#waits = null;
    }
    if (wait <= SOON) {
      this.#isAsked = true;
      this.#time.frame(this.#step);
    } else if (wait < Infinity && !this.#waits) {
      const timer = this.#time.after(wait, () => {
        this.#waits = null;
        this.#plan();
      });
      this.#waits = { timer, at: soonest };
    }
  }
}

const loop = new FrameLoop();

/// Calls `draw(now)` in the next frame, and again as it says: in so many milliseconds, in the next
/// frame (no value), or no more (false).
/** @param {Draw} draw */
export const animate = (draw) => loop.animate(draw);
