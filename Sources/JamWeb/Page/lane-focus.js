// @ts-check
// Focusing on a block: the player hears only this block, by a cue. A room has only sixteen cues, so
// a cue is given back as soon as the focus is over. This uses nothing of the page: the constructor
// takes the board, the sound, the room and the clock.

/// Milliseconds without a focus after which the focus is over. When a focus moves to another slot,
/// the server may tell its end first.
const OVER = 60;

/** @typedef {import('./lane-board.js').Slot} Slot */
/** @typedef {{ hears(): boolean, want(what: string, on: boolean): Promise<boolean> }} Sound */
/**
 * @typedef {{
 *   after(milliseconds: number, act: () => void): any, forget(timer: any): void
 * }} Time
 */
/** @typedef {{ changed(slot: Slot | null): void, silent(): void }} Told */

export class LaneFocus {
  #board;
  #sound;
  #room;
  #clock;
  #told;
  /** @type {any} */
  #timer = null;
  /// Counts what was wished: a cue may come when another thing is wished already.
  #turn = 0;

  /// - `board`: the lanes (`LaneBoard`).
  /// - `sound`: `hears()` tells whether this device plays sound; `want("focus", on)` asks for the
  ///   cue, and resolves to whether the stream carries it.
  /// - `room`: `send(address, ...values)`.
  /// - `clock`: `after(milliseconds, act)` returns a timer for `forget`.
  /// - `told`: `changed(slot)` gets the slot in focus, or null; `silent()` is called where this
  ///   device plays no sound.
  /**
   * @param {{
   *   board: import('./lane-board.js').LaneBoard, sound: Sound,
   *   room: { send(address: string, ...values: any[]): void }, clock: Time, told: Told
   * }} parts
   */
  constructor({ board, sound, room, clock, told }) {
    this.#board = board;
    this.#sound = sound;
    this.#room = room;
    this.#clock = clock;
    this.#told = told;
  }

  /// Focuses on the block in a slot, or ends its focus.
  /** @param {Slot} slot */
  async toggle(slot) { await this.set(slot, !this.#board.isFocused(slot)); }

  /// Begins or ends the focus on the block in a slot. An end also ends a beginning that waits for
  /// its cue.
  /** @param {Slot} slot @param {boolean} begins */
  async set(slot, begins) {
    this.#turn += 1;
    const turn = this.#turn;
    if (!begins) return this.#send(slot, 0);
    if (!this.#sound.hears()) return this.#told.silent();
    if (!(await this.#sound.want("focus", true)) || turn !== this.#turn) return;
    this.#send(slot, slot.slot);
  }

  end() {
    this.#turn += 1;
    const slot = this.#board.focused;
    if (slot) this.#send(slot, 0);
    this.#sound.want("focus", false);
  }

  /** @param {Slot} slot @param {number} number */
  #send({ lane }, number) { this.#room.send(`/lane/${lane}/focus`, number); }

  /// Looks for a change of the focus. A focus also ends when its lane, the player's own loop or the
  /// beat stops, when another device of the player ends it, or when the server refuses it.
  look() {
    this.#told.changed(this.#board.focused);
    this.#clock.forget(this.#timer);
    this.#timer = this.#clock.after(OVER, () => this.#board.focused || this.#sound.want("focus", false));
  }
}
