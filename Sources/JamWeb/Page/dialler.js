// @ts-check
// Which dial of the close way (WebRTC) counts, and what comes of one that failed.

/// Milliseconds until it is dialled again: twice as long after each failure.
const [AGAIN, AGAIN_MOST] = [5000, 120_000];

export class Dialler {
  /// The newest dial, which alone counts, and the newest that has ended.
  #newest = 0;
  #ended = 0;
  #failures = 0;

  /// Whether a dial goes on: it may still get through.
  get isDialling() { return this.#ended !== this.#newest; }

  /// The number of a new dial: those before count no more.
  begin() { return (this.#newest += 1); }

  /** @param {number} dial */
  counts(dial) { return dial === this.#newest; }

  /** @param {number} dial */
  end(dial) { this.#ended = Math.max(this.#ended, dial); }

  hangUp() { this.#ended = this.#newest += 1; }

  /// What failed so far may get through another network.
  forgive() { this.#failures = 0; }

  /// What to do when a dial failed: with the server's `status`, or without one where the network let nothing through. After `again`
  /// milliseconds it is dialled again, if ever; a server that is gone tells its return.
  /** @param {number} dial @param {{ status?: number, asksCue: boolean, isConnected: boolean }} facts */
  failed(dial, { status, asksCue, isConnected }) {
    if (!this.counts(dial)) return { act: "nothing" };
    if (status && asksCue) return { act: "keep the mix" };
    if (!isConnected) return { act: "wait" };
    this.#failures += 1;
    // A network that lets nothing through may change its mind.
    const mayChange = !status || status >= 500;
    return { act: "listen from afar", again: mayChange ? Math.min(AGAIN * 2 ** this.#failures, AGAIN_MOST) : null };
  }
}
