// @ts-check
// What keys mean on the slots. Enter takes a block up, arrows choose a slot, Enter puts the block
// there, Escape puts the block down unmoved. This uses nothing of the page; the slots are the
// board's.

/** @typedef {import('./lane-board.js').Slot} Slot */

/// How many lanes and slots an arrow moves.
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** @type {Record<string, string>} */
const ACTS = { Enter: "take", Delete: "take off", Backspace: "take off", f: "focus", " ": "hear" };

export class BlockCarry {
  #board;
  /// The block that is carried: its name, and the slot it comes from (null: from the list).
  /** @type {{ name: string, from: Slot | null } | null} */
  #carried = null;

  /// - Parameter board: the lanes (`LaneBoard`).
  /** @param {import('./lane-board.js').LaneBoard} board */
  constructor(board) { this.#board = board; }

  get isCarrying() { return this.#carried !== null; }

  /// Takes a block up, from a slot or from the list (null).
  /// - Returns: the slot that is chosen first.
  /** @param {string} name @param {Slot | null} from */
  take(name, from) {
    this.#carried = { name, from };
    return from ?? this.#board.firstFree;
  }

  /// A key goes down on a slot.
  /// - Returns: what it means, or null where it means nothing here:
  ///   - `{ act: "go", to }`: another slot is chosen; `to` is null at an end.
  ///   - `{ act: "put", name, from }`: the carried block goes into this slot, and is no longer
  ///     carried.
  ///   - `{ act: "let be" }`: the carried block stays where it was, and is no longer carried.
  ///   - `{ act, name }` with `take`, `take off`, `focus` or `hear`: the key is for the block in
  ///     this slot.
  ///   - `{ act: "nothing" }`: the key is for a block, but the slot is empty.
  ///   - `{ act: "pass" }`: the key is for the page around the slots.
  /** @param {string} key @param {Slot} slot */
  press(key, slot) {
    if (ARROWS[key]) return { act: "go", to: this.#beside(slot, ARROWS[key]) };
    if (key === "Enter" && this.#carried) return { act: "put", ...this.#letBe() };
    // With nothing carried, Escape is for the panel: it closes the panel.
    if (key === "Escape") return { act: this.#letBe() ? "let be" : "pass" };
    const act = ACTS[key.length === 1 ? key.toLowerCase() : key];
    if (!act) return null;
    const name = this.#board.blockIn(slot);
    return name ? { act, name } : { act: "nothing" };
  }

  #letBe() {
    const carried = this.#carried;
    this.#carried = null;
    return carried;
  }

  /** @param {Slot} place @param {number[]} step */
  #beside({ lane, slot }, [lanes, slots]) {
    const to = this.#board.at(lane + lanes, slot + slots);
    return to && this.#board.isShown(to) ? to : null;
  }
}
