// @ts-check
// How long a build-up has until its drop, as everybody sees it. This uses nothing of the page.

/**
 * @typedef {{ bar: number, beat: number, phase: number } | null} Now
 *   where the beat is (`BeatLine.position`)
 */

export class DropCount {
  state = "none";
  target = 0;
  bars = 0;
  /// How many bars the build-up had when it began to run.
  /** @type {number | null} */
  #whole = null;
  /// The bar line of the drop, in whole bars from the first; null while it is not known.
  /** @type {number | null} */
  #drop = null;

  /// Takes `/buildup/state`.
  /** @param {[state: string, target: number, bars: number]} values */
  take([state, target, bars]) {
    if (state === "running" && this.state !== "running") this.#whole = bars;
    if (state !== this.state || bars !== this.bars) this.#drop = null;
    [this.state, this.target, this.bars] = [state, target, bars];
  }

  forget() { this.take(["none", 0, 0]); }

  /// Finds the bar line of the drop, as soon as the state allows that. The state may arrive up to a
  /// tenth of a bar early; it then counts from the coming bar line.
  /** @param {Now} now @param {number} beatsPerBar */
  place(now, beatsPerBar) {
    if (this.#drop !== null || !now) return;
    const bars = now.bar - 1 + (now.beat + now.phase) / beatsPerBar + 0.1;
    if (this.state === "running") this.#drop = Math.floor(bars) + this.bars;
    else if (this.state === "dropping") this.#drop = Math.floor(bars) + 1;
  }

  /// Beats until the drop, with fractions; null while they are not known. The server tells each bar
  /// as it begins, but the drawing follows the clock, which may be past the bar line already.
  /** @param {Now} now @param {number} beatsPerBar */
  beatsLeft(now, beatsPerBar) {
    if (now && this.#drop !== null) return (this.#drop - now.bar + 1) * beatsPerBar - now.beat - now.phase;
    return this.state === "running" ? this.bars * beatsPerBar : null;
  }

  /// The part of the build-up that is over, 0…1.
  /** @param {Now} now @param {number} beatsPerBar */
  done(now, beatsPerBar) {
    const left = this.beatsLeft(now, beatsPerBar);
    if (this.state === "running" && now && this.#whole && left !== null) return Math.min(1, Math.max(0, 1 - left / beatsPerBar / this.#whole));
    return this.state === "waiting" ? 0 : 1;
  }

  /// The number over the whole screen; null for no number. In the last bar each beat counts down to
  /// 1. Before that each bar's first beat shows the number of bars left.
  /**
   * @param {Now} now @param {number} beatsPerBar
   * @returns {{ number: number, isBeat: boolean } | null}
   */
  number(now, beatsPerBar) {
    const left = this.beatsLeft(now, beatsPerBar);
    if (!now || left === null || left <= 0) return null;
    if (left <= beatsPerBar) return { number: Math.ceil(left), isBeat: true };
    return now.beat === 0 ? { number: Math.ceil(left / beatsPerBar), isBeat: false } : null;
  }

  /// Whether a build-up that ends now reached its drop, instead of being cancelled.
  /** @param {Now} now @param {number} beatsPerBar */
  isAtDrop(now, beatsPerBar) {
    const left = this.beatsLeft(now, beatsPerBar);
    return (this.state === "running" || this.state === "dropping") && now !== null && left !== null && left < 0.5;
  }
}
