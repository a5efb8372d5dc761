// @ts-check
// What the server last said, by address, and who wants to hear of it.

/** @typedef {(values: any[], address: string, time: number | null) => void} Heard */

/// What is told of nothing: 0, or no text.
/** @param {any[]} values */
export const nothing = (values) => values.map((value) => (typeof value === "string" ? "" : 0));

export class State {
  /** @type {Map<string, any[]>} */
  #values = new Map();
  /** @type {Map<string, Set<Heard>>} */
  #exact = new Map();
  /** @type {{ prefix: string, heard: Heard }[]} */
  #below = [];

  /// All arguments, or undefined.
  /** @param {string} address */
  all(address) { return this.#values.get(address); }

  /// The first argument.
  /** @param {string} address @param {any} [otherwise] */
  get(address, otherwise) {
    const values = this.#values.get(address);
    return values === undefined || values.length === 0 ? otherwise : values[0];
  }

  /// What is known below `prefix`, as [address, values].
  /** @param {string} prefix */
  below(prefix) { return [...this.#values].filter(([address]) => address.startsWith(prefix)); }

  /// Calls `heard(values, address, time)` at each message of `address`; one that ends with `*` means all that begin so.
  /// Values that are known already are told at once.
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

  /// Keeps and tells.
  /** @param {string} address @param {any[]} values @param {number | null} time */
  apply(address, values, time = null) {
    if (State.#passing.has(address)) return this.tell(address, values, time);
    this.#values.set(address, values);
    // Somebody who hears of it may set it anew. All have heard of that by then:
    // nobody is told the old one.
    this.tell(address, values, time, () => this.#values.get(address) === values);
  }

  /// - `holds`: whether the rest is to be told, too.
  /**
   * @param {string} address @param {any[]} values @param {number | null} time
   * @param {() => boolean} holds
   */
  tell(address, values, time = null, holds = () => true) {
    for (const heard of this.#exact.get(address) ?? []) if (holds()) heard(values, address, time);
    for (const entry of [...this.#below]) if (address.startsWith(entry.prefix) && holds()) entry.heard(values, address, time);
  }

  /// Whatever is known below the prefixes is nothing again.
  /** @param {string[]} prefixes */
  empty(...prefixes) {
    for (const [address, values] of [...this.#values]) {
      if (prefixes.some((prefix) => address.startsWith(prefix))) this.apply(address, nothing(values));
    }
  }

  // Moments, which nobody reads later.
  static #passing = new Set([
    "/hit", "/beat", "/beat/next", "/meter", "/clip", "/loudness", "/chat", "/chats/item", "/error", "/receipt", "/late", "/pong", "/kits/item",
    "/samples/item", "/blocks/item", "/blocks/gone", "/block/hit", "/kicked", "/stopped",
    "/notice", "/undone", "/redone", "/room/undone", "/room/redone", "/buildup/replaced", "/position", "/player/gone",
    "/loop/note", "/loop/layer", "/loop/notes/end",
    "/projects/item", "/projects/gone", "/project/version", "/search/item", "/search/end",
  ]);
}
