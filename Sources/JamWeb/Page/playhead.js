// The playhead of a stretch of time that goes round. The browser's compositor moves it, so the page
// computes no frame for it.

/// CSS pixels: a playhead that is so far off is put right.
const OFF = 0.5;

export class Playhead {
  #element;
  /// The motion that runs, how long one round of it lasts in milliseconds, and the width that it
  /// crosses in CSS pixels; null while the playhead is hidden.
  #motion = null;

  constructor(element) { this.#element = element; }

  /// Runs from the left edge to `width` within `length` milliseconds, again and again; it is at
  /// `done` milliseconds of them now. Calling this again puts right what has changed since.
  run({ width, length, done }) {
    this.#element.hidden = false;
    if (this.#motion?.width !== width) return this.#begin(width, length, done);
    const { animation } = this.#motion;
    if (Math.abs(this.#motion.length - length) > 0.01) {
      this.#motion.length = length;
      animation.effect.updateTiming({ duration: length });
      animation.currentTime = done;
    }
    if (animation.playState !== "running") animation.play();
    // A round later is the same place.
    const ahead = ((animation.currentTime ?? 0) - done) % length;
    const apart = ((ahead + 1.5 * length) % length) - length / 2;
    if (Math.abs(apart) * width > OFF * length) animation.currentTime = done;
  }

  /// Stands still where it is.
  hold() { this.#motion?.animation.pause(); }

  hide() {
    this.#element.hidden = true;
    this.#motion?.animation.cancel();
    this.#motion = null;
  }

  #begin(width, length, done) {
    this.#motion?.animation.cancel();
    // In steps of half a pixel the line is as sharp as where it stands still.
    const easing = `steps(${Math.max(1, Math.round(2 * width))})`;
    const frames = [{ transform: "translateX(0)" }, { transform: `translateX(${width}px)` }];
    const timing = { duration: length, easing, iterations: Infinity };
    const animation = this.#element.animate(frames, timing);
    animation.currentTime = done;
    this.#motion = { animation, length, width };
  }
}
