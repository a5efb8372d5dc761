// @ts-check
// What this device's stream carries: the mix, with the click, or one's own cue with previews and a focused block.

/// What is heard by a cue, which a player has alone.
const CUES = ["preview", "focus"];

export class Wishes {
  /** @type {Set<string>} */
  #wishes = new Set();

  /// - Parameter what: `click`, `preview` or `focus`.
  /** @param {string} what @param {boolean} on */
  take(what, on) {
    if (on) this.#wishes.add(what);
    else this.#wishes.delete(what);
  }

  /** @param {string} what */
  has(what) { return this.#wishes.has(what); }
  get asksCue() { return CUES.some((wish) => this.#wishes.has(wish)); }
  dropCues() { for (const wish of CUES) this.#wishes.delete(wish); }

  /// The stream's address asks for them by this. A cue belongs to a player, who shows the token.
  /** @param {{ player: string, token: string | null }} identity */
  query({ player, token }) {
    if (this.asksCue && token) return { player, token };
    return this.#wishes.has("click") ? { click: 1 } : {};
  }
}
