// @ts-check
// The last values from the server, by address, and the functions that are called for new ones.

/** @typedef {(values: any[], address: string, time: number | null) => void} Heard */

/// The empty values of the same types: 0, or an empty text.
/** @param {any[]} values */
export const nothing = (values) => values.map((value) => (typeof value === "string" ? "" : 0));

export class State {
  /** @type {Map<string, any[]>} */
  #values = new Map();
  /** @type {Map<string, Set<Heard>>} */
  #exact = new Map();
  /** @type {{ prefix: string, heard: Heard }[]} */
  #below = [];

  /// All values of an address; undefined if there are none.
  /** @param {string} address */
  all(address) { return this.#values.get(address); }

  /// The first value of an address, or `otherwise`.
  /** @param {string} address @param {any} [otherwise] */
  get(address, otherwise) {
    const values = this.#values.get(address);
    return values === undefined || values.length === 0 ? otherwise : values[0];
  }

  /// All addresses that begin with `prefix`, as [address, values].
  /** @param {string} prefix */
  below(prefix) { return [...this.#values].filter(([address]) => address.startsWith(prefix)); }

  /// Calls `heard(values, address, time)` for each message of `address`. If `address` ends with
  /// `*`, it means all addresses that begin with the text before. Values that are known already are
  /// passed at once.
  /** @param {string} address @param {Heard} heard @param {AbortSignal} [signal] */
  on(address, heard, signal) {
    if (address.endsWith("*")) {
      const entry = { prefix: address.slice(0, -1), heard };
      this.#below.push(entry);
      signal?.addEventListener("abort", () => this.#below.splice(this.#below.indexOf(entry), 1));
      for (const [known, values] of this.#values) if (known.startsWith(entry.prefix)) heard(values, known, null);
      return;
    }
    const all = this.#exact.get(address) ?? new Set();
    this.#exact.set(address, all);
    all.add(heard);
    signal?.addEventListener("abort", () => all.delete(heard));
    const values = this.#values.get(address);
    if (values) heard(values, address, null);
  }

  /// Stores the values and tells the listeners.
  /** @param {string} address @param {any[]} values @param {number | null} time */
  apply(address, values, time = null) {
    if (State.#passing.has(address)) return this.tell(address, values, time);
    this.#values.set(address, values);
    // A listener may set the address anew. All listeners have been told the new values by then, so
    // the rest are not told the old ones.
    this.tell(address, values, time, () => this.#values.get(address) === values);
  }

  /// - `holds`: asked before each call; while false, no further listener is told.
  /**
   * @param {string} address @param {any[]} values @param {number | null} time
   * @param {() => boolean} holds
   */
  tell(address, values, time = null, holds = () => true) {
    for (const heard of this.#exact.get(address) ?? []) if (holds()) heard(values, address, time);
    for (const entry of [...this.#below]) if (address.startsWith(entry.prefix) && holds()) entry.heard(values, address, time);
  }

  /// Sets all known values below the prefixes to empty ones.
  /** @param {string[]} prefixes */
  empty(...prefixes) {
    for (const [address, values] of [...this.#values]) {
      if (prefixes.some((prefix) => address.startsWith(prefix))) this.apply(address, nothing(values));
    }
  }

  // Messages about a moment. Their values are not stored.
  static #passing = new Set([
    "/hit", "/beat", "/beat/next", "/meter", "/clip", "/loudness", "/chat", "/chats/item", "/error", "/receipt", "/late", "/pong", "/kits/item",
    "/samples/item", "/blocks/item", "/blocks/gone", "/block/hit",
    "/kicked", "/stopped", "/reacted",
    "/monitor", "/monitor/more",
    "/notice", "/undone", "/redone", "/room/undone", "/room/redone", "/buildup/replaced", "/position", "/player/gone",
    "/loop/note", "/loop/layer", "/loop/notes/end",
    "/controllers/item", "/controllers/end",
    "/projects/item", "/projects/gone", "/project/version", "/search/item", "/search/end",
  ]);
}
