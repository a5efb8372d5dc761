// @ts-check
// The state of the lanes: which block lies in which slot, which slot plays, which one is in focus,
// and which slots and lanes are shown. The board uses nothing of the page.
//
// A slot is { lane, slot }, both numbers from 1. The board makes each slot once, so the same slot
// is always the same object.

/// A lane shows at least FEWEST slots, and BEHIND empty slots behind its last block.
const [FEWEST, BEHIND] = [4, 2];

/** @typedef {Readonly<{ lane: number, slot: number }>} Slot */
/**
 * @typedef {{
 *   slots: Slot[], blocks: string[], state: string, playing: number, focused: number,
 *   shown: number, kept: number, isShown: boolean
 * }} Lane
 */

/// The address of a slot's block.
/** @param {Slot} slot */
export const slotAddress = ({ lane, slot }) => `/lane/${lane}/${slot}`;

export class LaneBoard {
  /** @type {Lane[]} */
  #lanes;
  #room;

  /// - Parameters:
  ///   - lanes: the number of lanes, and `slots`: the number of slots of each.
  ///   - room: `set(address, value)` sets a value, `send(address, ...values)` sends a command.
  /**
   * @param {{ lanes: number, slots: number, room: {
   *   set(address: string, value: string): void, send(address: string, ...values: any[]): void
   * } }} parts
   */
  constructor({ lanes, slots, room }) {
    this.#room = room;
    this.#lanes = Array.from({ length: lanes }, (_, lane) => ({
      slots: Array.from({ length: slots }, (_, slot) => Object.freeze({ lane: lane + 1, slot: slot + 1 })),
      blocks: Array(slots).fill(""),
      state: "", playing: 0, focused: 0,
      // `shown`: up to which slot the lane is shown. `kept`: a slot beyond, which has the
      // keyboard's focus and stays shown; 0 is none.
      shown: slots, kept: 0, isShown: true,
    }));
  }

  /// The number of lanes.
  get count() { return this.#lanes.length; }

  /// The slots of a lane.
  /** @param {number} lane */
  slotsOf(lane) { return this.#lanes[lane - 1].slots; }

  /// All slots, lane by lane.
  get slots() { return this.#lanes.flatMap((lane) => lane.slots); }

  /// The slot with these numbers; undefined where there is none.
  /** @param {number} lane @param {number} slot */
  at(lane, slot) { return this.#lanes[lane - 1]?.slots[slot - 1]; }

  /// Takes a fact of a lane from the room.
  /// - Parameter what: `state`, `playing` or `focused` (the number of a slot; 0 is none), or a
  ///   slot's number for the name of its block.
  /** @param {number} lane @param {string} what @param {any} value */
  take(lane, what, value) {
    const facts = this.#lanes[lane - 1];
    if (/^\d+$/.test(what)) facts.blocks[Number(what) - 1] = value;
    else if (what === "state") facts.state = value;
    else if (what === "playing" || what === "focused") facts[what] = value;
  }

  // ---- Reading the state.

  /// The name of the block in a slot; empty for an empty slot.
  /** @param {Slot} slot */
  blockIn({ lane, slot }) { return this.#lanes[lane - 1].blocks[slot - 1]; }
  /// `waiting`, `playing`, `looping` or `stopped`.
  /** @param {number} lane */
  stateOf(lane) { return this.#lanes[lane - 1].state; }
  /** @param {Slot} slot */
  isPlaying({ lane, slot }) { return this.#lanes[lane - 1].playing === slot; }
  /** @param {Slot} slot */
  isFocused({ lane, slot }) { return this.#lanes[lane - 1].focused === slot; }
  /// The slot in focus, or null.
  get focused() { return this.slots.find((slot) => this.isFocused(slot)) ?? null; }

  // ---- Which slots and lanes are shown.

  /// Chooses which slots of a lane are shown, and which lanes: all lanes up to the last one with a
  /// block, and one empty lane behind it.
  /// - Parameter held: the slot with the keyboard's focus, { lane, slot }; 0 is none. This slot
  ///   stays shown, so that a person who removes the last block by key keeps the place.
  /** @param {number} lane @param {{ lane: number, slot: number }} held */
  fit(lane, held) {
    const facts = this.#lanes[lane - 1];
    facts.shown = Math.max(FEWEST, Math.min(facts.slots.length, this.#used(facts) + BEHIND));
    facts.kept = held.lane === lane ? held.slot : 0;
    const last = this.#lanes.findLastIndex((other) => this.#used(other) > 0) + 1;
    for (const [index, other] of this.#lanes.entries()) other.isShown = index <= last || held.lane === index + 1;
  }

  /// The number of a lane's last slot that holds a block.
  /** @param {Lane} lane */
  #used({ blocks }) { return blocks.findLastIndex((name) => name !== "") + 1; }

  /** @param {number} lane */
  isLaneShown(lane) { return this.#lanes[lane - 1].isShown; }

  /// Whether a slot is shown, given that its lane is.
  /** @param {Slot} slot */
  isShown({ lane, slot }) {
    const { shown, kept } = this.#lanes[lane - 1];
    return slot <= shown || slot === kept;
  }

  /// The first slot for a block that keys move: the first empty slot that is shown, else slot 1 of
  /// lane 1.
  get firstFree() { return this.slots.find((slot) => this.isShown(slot) && !this.blockIn(slot)) ?? this.at(1, 1); }

  // ---- Changes.

  /// Puts a block into a slot. If both slots are on one lane, a block that is there already moves
  /// to the slot that the new block came from.
  /// - Parameter from: the block's present slot; null is the list.
  /** @param {string} name @param {Slot} to @param {Slot | null} from */
  put(name, to, from) {
    if (from === to) return;
    if (!from) this.#room.set(slotAddress(to), name);
    else if (from.lane === to.lane) this.#room.send(`/lane/${to.lane}/${this.blockIn(to) ? "swap" : "move"}`, from.slot, to.slot);
    else this.#room.send(`/lane/${from.lane}/move`, from.slot, to.slot, to.lane);
  }

  /** @param {Slot} slot */
  takeOff(slot) { this.#room.set(slotAddress(slot), ""); }
}
