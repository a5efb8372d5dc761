// @ts-check
// Whether a trouble has lasted so long that it is worth a message. One that passes by itself is
// not.

/// Milliseconds that a trouble must last.
export const LASTS = 30_000;

export class Lasting {
  /** @type {number | null} */
  #since = null;

  /// Takes whether the trouble is there at `now`, in milliseconds.
  /// - Returns: whether it has lasted long enough.
  /** @param {boolean} isThere @param {number} now */
  see(isThere, now) {
    if (isThere) this.#since ??= now;
    else this.#since = null;
    return this.#since !== null && now - this.#since >= LASTS;
  }
}
