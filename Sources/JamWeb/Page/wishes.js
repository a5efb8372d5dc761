// @ts-check
// The content of this device's stream: the mix, with or without the click, or the player's own cue
// with previews, a focused block, and what a newcomer plays at the door.

/// Wishes that need a cue, a stream for one player alone.
const CUES = ["preview", "focus", "door"];

export class Wishes {
  /** @type {Set<string>} */
  #wishes = new Set();

  /// - Parameter what: `click`, `preview`, `focus` or `door`.
  /** @param {string} what @param {boolean} on */
  take(what, on) {
    if (on) this.#wishes.add(what);
    else this.#wishes.delete(what);
  }

  /** @param {string} what */
  has(what) { return this.#wishes.has(what); }
  get asksCue() { return CUES.some((wish) => this.#wishes.has(wish)); }
  dropCues() { for (const wish of CUES) this.#wishes.delete(wish); }

  /// The query of the stream's address. A cue belongs to a player, so the query shows the player's
  /// token.
  /** @param {{ player: string, token: string | null }} identity */
  query({ player, token }) {
    if (this.asksCue && token) return { player, token };
    return this.#wishes.has("click") ? { click: 1 } : {};
  }
}
