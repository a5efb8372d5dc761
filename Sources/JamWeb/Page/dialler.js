// @ts-check
// Decides which dial of the close way (WebRTC) counts, and what happens after a dial failed.

/// Milliseconds until the next dial: AGAIN is doubled after each failure, up to AGAIN_MOST.
const [AGAIN, AGAIN_MOST] = [5000, 120_000];

export class Dialler {
  /// The number of the newest dial, which alone counts, and the number of the newest dial that has
  /// ended.
  #newest = 0;
  #ended = 0;
  #failures = 0;

  /// Whether a dial is going on, and may still succeed.
  get isDialling() { return this.#ended !== this.#newest; }

  /// Begins a dial and returns its number. Earlier dials do not count from now on.
  begin() { return (this.#newest += 1); }

  /** @param {number} dial */
  counts(dial) { return dial === this.#newest; }

  /** @param {number} dial */
  end(dial) { this.#ended = Math.max(this.#ended, dial); }

  hangUp() { this.#ended = this.#newest += 1; }

  /// Forgets the failures so far: on another network a dial may succeed.
  forgive() { this.#failures = 0; }

  /// Says what to do after a dial failed. `status` is the server's HTTP status; it is missing where
  /// the network let nothing through.
  /// - Returns: `act`, and for `listen from afar` also `again`: the milliseconds until the next
  ///   dial, or null for no further dial. While the server is gone the page waits (`wait`), because
  ///   the page notices when the server returns.
  /**
   * @param {number} dial
   * @param {{ status?: number, asksCue: boolean, isConnected: boolean }} facts
   */
  failed(dial, { status, asksCue, isConnected }) {
    if (!this.counts(dial)) return { act: "nothing" };
    if (status && asksCue) return { act: "keep the mix" };
    if (!isConnected) return { act: "wait" };
    this.#failures += 1;
    // A network that lets nothing through now may do so later; so may a server with an error of its
    // own (5xx).
    const mayChange = !status || status >= 500;
    return { act: "listen from afar", again: mayChange ? Math.min(AGAIN * 2 ** this.#failures, AGAIN_MOST) : null };
  }
}
