// @ts-check
// Computes where the beat is at any moment, from the beats that the server tells ahead. It uses
// nothing of the page. Times are the server's, in milliseconds.

/**
 * @typedef {{ bar: number, beat: number, bpm: number, time: number }} Mark
 *   a beat, and the tempo from there on, in quarter notes per minute
 */

/// The line through two neighbouring beats.
export class BeatLine {
  /** @type {Mark | null} */
  #last = null;
  /** @type {Mark | null} */
  #next = null;
  /** The beats of a bar, and the note that is one of them: 4 is a quarter. */
  signature = [4, 4];

  get beatsPerBar() { return this.signature[0]; }

  /// Takes a beat that is told ahead.
  /** @param {Mark} mark */
  take(mark) {
    if (this.#next && this.#next.time <= mark.time - 1) this.#last = this.#next;
    this.#next = mark;
  }

  /// Forgets both beats: the beat has stopped, or the connection is gone.
  forget() { this.#last = this.#next = null; }

  /** @param {Mark} mark */
  #count({ bar, beat }) { return (bar - 1) * this.beatsPerBar + beat - 1; }

  /** @param {number} bpm */
  #beatMilliseconds(bpm) { return (60000 / bpm) * (4 / this.signature[1]); }

  /// Beats since bar 1, with fractions; null while no beat is known.
  /** @param {number | null} now */
  beatsAt(now) {
    const [last, next] = [this.#last, this.#next];
    if (now === null || !next) return null;
    if (last && now < next.time && this.#count(next) - this.#count(last) === 1) {
      return this.#count(last) + (now - last.time) / (next.time - last.time);
    }
    return this.#count(next) + (now - next.time) / this.#beatMilliseconds(next.bpm);
  }

  /// The time of a position in beats, which must be near the next beat: the tempo may change
  /// further on. Null while no beat is known.
  /** @param {number} beats */
  timeOf(beats) {
    const next = this.#next;
    return next ? next.time + (beats - this.#count(next)) * this.#beatMilliseconds(next.bpm) : null;
  }

  /// Bar, beat, and how far into the beat (`phase`, 0…1); null while no beat is known.
  /** @param {number | null} now */
  position(now) {
    const beats = this.beatsAt(now);
    if (beats === null) return null;
    const [whole, per] = [Math.floor(beats), this.beatsPerBar];
    return { beats, bar: Math.floor(whole / per) + 1, beat: ((whole % per) + per) % per, phase: beats - whole };
  }
}
