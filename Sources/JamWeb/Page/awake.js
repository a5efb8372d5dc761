// @ts-check
// Whether this device should stay awake: while somebody plays on it, or hears the room by it. This
// uses nothing of the page; moments are milliseconds of one clock.

/// Milliseconds: whoever has played so recently still plays.
export const PLAYS = 120_000;

export class Awake {
  hears = false;
  #played = -Infinity;

  /// Somebody plays on this device.
  /** @param {number} now */
  play(now) { this.#played = now; }

  /** @param {number} now */
  isWanted(now) { return this.hears || now - this.#played < PLAYS; }

  /// Milliseconds until the device may sleep if nothing happens; null where that is not known, or
  /// is so already.
  /** @param {number} now */
  left(now) { return this.hears || !this.isWanted(now) ? null : this.#played + PLAYS - now; }
}
