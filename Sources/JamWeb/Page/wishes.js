// @ts-check
// The content of this device's stream: the mix, with or without the click, or the player's own cue
// with previews, a focused block, what a newcomer plays at the door, and a mix of the player's own
// (`mix`); the cue is without the hits that the page plays itself where `own` is wished.

/// Wishes that need a cue, a stream for one player alone.
const CUES = ["preview", "focus", "door", "mix", "own"];

export class Wishes {
  /** @type {Set<string>} */
  #wishes = new Set();

  /// - Parameter what: `click`, `preview`, `focus`, `door`, `mix` or `own`.
  /** @param {string} what @param {boolean} on */
  take(what, on) {
    if (on) this.#wishes.add(what);
    else this.#wishes.delete(what);
  }

  /** @param {string} what */
  has(what) { return this.#wishes.has(what); }
  get asksCue() { return CUES.some((wish) => this.#wishes.has(wish)); }

  /// Drops what the server has just refused: the wish to be without own hits, if there is one, for
  /// another cue may still be free; else all that needs a cue.
  /// - Returns: the wishes that were dropped.
  drop() {
    const cues = CUES.filter((wish) => this.#wishes.has(wish));
    const dropped = cues.includes("own") ? ["own"] : cues;
    for (const wish of dropped) this.#wishes.delete(wish);
    return dropped;
  }

  /// The query of the stream's address. A cue belongs to a player, so the query shows the player's
  /// token.
  /**
   * @param {{ player: string, token: string | null }} identity
   * @returns {{ player?: string, token?: string, without?: string, click?: number }}
   */
  query({ player, token }) {
    if (this.asksCue && token) {
      return this.#wishes.has("own") ? { player, token, without: "me" } : { player, token };
    }
    return this.#wishes.has("click") ? { click: 1 } : {};
  }
}
