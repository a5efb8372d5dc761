// @ts-check
// The big number of a recording: it counts the bar before a pass, and the first bar of each pass,
// from its first beat on.

/** @typedef {{ state: string, turn: number, next: string }} Loop */

/// Whether a pass waits for the player's next hit, and for no line.
/** @param {Loop | null | undefined} loop */
export const waitsForTap = (loop) =>
  loop?.state === "waiting" && loop.turn < 0 && loop.next === "record";

/// A pass may be told so many beats before its line.
const EARLY = 0.5;

export class RecordCount {
  /** @type {number | null} */
  #begun = null;

  /// The number, or nothing.
  /// - Parameters:
  ///   - beats: counted since bar 1; null while they are not known.
  ///   - per: the beats of a bar.
  ///   - isCountedIn: bars are counted before a pass.
  /**
   * @param {Loop | null | undefined} loop
   * @param {number | null} beats
   * @param {number} per
   * @param {boolean} isCountedIn
   */
  text(loop, beats, per, isCountedIn) {
    const isPass = loop?.state === "recording" || loop?.state === "overdubbing";
    if (!isPass) this.#begun = null;
    if (waitsForTap(loop)) return "1";
    if (!loop || beats === null) return "";
    if (isPass) {
      // The room's beat may begin anew with the pass, and may be told only after it.
      if (this.#begun !== null && beats < this.#begun - 2 * EARLY) this.#begun = null;
      // A pass begins on a bar line. Its beginning may lie shortly ahead as it is told.
      this.#begun ??= Math.max(0, Math.floor((beats + EARLY) / per) * per);
      const since = beats - this.#begun;
      return since < per - 0.001 ? this.#number(since, per) : "";
    }
    const isAwaited = loop.state === "waiting" && ["record", "overdub"].includes(loop.next);
    const left = isAwaited && isCountedIn ? loop.turn - beats : 0;
    return left > 0 && left <= per + 0.001 ? this.#number(per - left, per) : "";
  }

  /** @param {number} since @param {number} per */
  #number(since, per) { return String(Math.min(per, Math.max(1, Math.floor(since + 1.001)))); }
}
