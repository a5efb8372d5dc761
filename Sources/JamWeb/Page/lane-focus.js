// @ts-check
// Focusing on a block: its player hears nothing else, by a cue. A room has eight cues, so a cue goes back as soon as its focus is over.
// It knows no page: the board, the sound, the room and the clock are handed in.

/// A focus is over once so many milliseconds have gone by without one: where it moves to another slot, its end may be told first.
const OVER = 60;

/** @typedef {import('./lane-board.js').Slot} Slot */
/** @typedef {{ hears(): boolean, want(what: string, on: boolean): Promise<boolean> }} Sound */
/** @typedef {{ after(milliseconds: number, act: () => void): any, forget(timer: any): void }} Time */
/** @typedef {{ changed(slot: Slot | null): void, silent(): void }} Told */

export class LaneFocus {
  #board;
  #sound;
  #room;
  #clock;
  #told;
  /** @type {any} */
  #timer = null;

  /// - `board`: the lanes (`LaneBoard`).
  /// - `sound`: `hears()`: whether this device is heard; `want("focus", on)` asks for the cue, and resolves to whether it is carried.
  /// - `room`: `send(address, ...values)`.
  /// - `clock`: `after(milliseconds, act)` gives what `forget` takes back.
  /// - `told`: `changed(slot)` with the slot that is focused on, or null; `silent()`: nothing is heard on this device.
  /** @param {{ board: import('./lane-board.js').LaneBoard, sound: Sound, room: { send(address: string, ...values: any[]): void }, clock: Time, told: Told }} parts */
  constructor({ board, sound, room, clock, told }) {
    this.#board = board;
    this.#sound = sound;
    this.#room = room;
    this.#clock = clock;
    this.#told = told;
  }

  /// Focuses on the block in a slot, or no longer.
  /** @param {Slot} slot */
  async toggle(slot) {
    const begins = !this.#board.isFocused(slot);
    if (begins && !this.#sound.hears()) return this.#told.silent();
    if (begins && !(await this.#sound.want("focus", true))) return;
    this.#send(slot, begins ? slot.slot : 0);
  }

  end() {
    const slot = this.#board.focused;
    if (slot) this.#send(slot, 0);
    this.#sound.want("focus", false);
  }

  /** @param {Slot} slot @param {number} number */
  #send({ lane }, number) { this.#room.send(`/lane/${lane}/focus`, number); }

  /// Looks at what is focused on. A focus also ends with its lane, one's own loop or the beat, by another hand, or by a refusal.
  look() {
    this.#told.changed(this.#board.focused);
    this.#clock.forget(this.#timer);
    this.#timer = this.#clock.after(OVER, () => this.#board.focused || this.#sound.want("focus", false));
  }
}
