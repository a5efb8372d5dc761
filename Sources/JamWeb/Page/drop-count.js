// @ts-check
// A build-up as everybody sees it come: how long it is until the drop. It knows no page.

/** @typedef {{ bar: number, beat: number, phase: number } | null} Now where the beat is (`BeatLine.position`) */

export class DropCount {
  state = "none";
  target = 0;
  bars = 0;
  /// How many bars it had as it began to run.
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

  /// Where the drop is, as soon as it can be said. A bar line that is told a moment early is the one to come.
  /** @param {Now} now @param {number} beatsPerBar */
  place(now, beatsPerBar) {
    if (this.#drop !== null || !now) return;
    const bars = now.bar - 1 + (now.beat + now.phase) / beatsPerBar + 0.1;
    if (this.state === "running") this.#drop = Math.floor(bars) + this.bars;
    else if (this.state === "dropping") this.#drop = Math.floor(bars) + 1;
  }

  /// Until the drop, whole and broken ones; null while nobody can say. Bars are told as they begin, so what is drawn by the clock may have
  /// passed the line already.
  /** @param {Now} now @param {number} beatsPerBar */
  beatsLeft(now, beatsPerBar) {
    if (now && this.#drop !== null) return (this.#drop - now.bar + 1) * beatsPerBar - now.beat - now.phase;
    return this.state === "running" ? this.bars * beatsPerBar : null;
  }

  /// How much of its way is behind it, 0…1.
  /** @param {Now} now @param {number} beatsPerBar */
  done(now, beatsPerBar) {
    const left = this.beatsLeft(now, beatsPerBar);
    if (this.state === "running" && now && this.#whole && left !== null) return Math.min(1, Math.max(0, 1 - left / beatsPerBar / this.#whole));
    return this.state === "waiting" ? 0 : 1;
  }

  /// The number over the whole screen: each beat of the last bar counts down to 1, and before that the bars, as each begins; null between.
  /** @param {Now} now @param {number} beatsPerBar @returns {{ number: number, isBeat: boolean } | null} */
  number(now, beatsPerBar) {
    const left = this.beatsLeft(now, beatsPerBar);
    if (!now || left === null || left <= 0) return null;
    if (left <= beatsPerBar) return { number: Math.ceil(left), isBeat: true };
    return now.beat === 0 ? { number: Math.ceil(left / beatsPerBar), isBeat: false } : null;
  }

  /// Whether a build-up that ends now ends with its drop, and was not called off.
  /** @param {Now} now @param {number} beatsPerBar */
  isAtDrop(now, beatsPerBar) {
    const left = this.beatsLeft(now, beatsPerBar);
    return (this.state === "running" || this.state === "dropping") && now !== null && left !== null && left < 0.5;
  }
}
