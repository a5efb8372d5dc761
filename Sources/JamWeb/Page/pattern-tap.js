// @ts-check
// What a tap on a pattern of the list does: it plays from the next bar line on, in place of the
// pattern of its kind that an earlier tap began; tapped again, it rests. This uses nothing of the
// page.

/** @typedef {import("./lane-board.js").LaneBoard} Board */
/** @typedef {{ act: "play" | "rest" | "full", lane: number }} Done */

export class PatternTap {
  #board;
  #room;
  #kindOf;
  /// The lanes on which taps have put their patterns.
  /** @type {Set<number>} */
  #lanes = new Set();

  /// - Parameters:
  ///   - board: the lanes (`LaneBoard`).
  ///   - room: `send(address, ...values)` sends a command.
  ///   - kindOf: the kind that a pattern is mostly of. A bass goes on beside drums.
  /**
   * @param {{ board: Board, kindOf(name: string): string,
   *   room: { send(address: string, ...values: any[]): void } }} parts
   */
  constructor({ board, room, kindOf }) {
    this.#board = board;
    this.#room = room;
    this.#kindOf = kindOf;
  }

  /// The only pattern of a lane; null where it has none, or several.
  /** @param {number} lane */
  #only(lane) {
    const names = this.#board.slotsOf(lane).map((slot) => this.#board.blockIn(slot)).filter(Boolean);
    return names.length === 1 ? names[0] : null;
  }

  /// Whether a lane has one pattern, in its first slot.
  /** @param {number} lane */
  #hasFirstAlone(lane) {
    return this.#only(lane) !== null && this.#board.blockIn(this.#board.slotsOf(lane)[0]) !== "";
  }

  /** @param {number} lane */
  #isEmpty(lane) {
    return this.#board.slotsOf(lane).every((slot) => this.#board.blockIn(slot) === "");
  }

  /** @param {number} lane */
  #runs(lane) { return ["waiting", "playing", "looping"].includes(this.#board.stateOf(lane)); }

  get #all() { return Array.from({ length: this.#board.count }, (_, index) => index + 1); }

  /// How a pattern plays that has a lane of its own: `waiting`, `playing`, `looping`, or empty.
  /** @param {string} name */
  stateOf(name) {
    const lane = this.#all.find((each) => this.#only(each) === name && this.#runs(each));
    return lane ? this.#board.stateOf(lane) : "";
  }

  /** @param {string} name @returns {Done} */
  tap(name) {
    const running = this.#all.filter((lane) => this.#only(lane) === name && this.#runs(lane));
    if (running.length > 0) {
      for (const lane of running) this.#room.send(`/lane/${lane}/stop`);
      return { act: "rest", lane: running[0] };
    }
    const lane = this.#laneFor(name);
    if (!lane) return { act: "full", lane: 0 };
    if (this.#only(lane) !== name) this.#board.put(name, this.#board.slotsOf(lane)[0], null);
    for (const other of this.#lanes) {
      if (other === lane || !this.#runs(other) || !this.#isSameKind(other, name)) continue;
      this.#room.send(`/lane/${other}/stop`);
    }
    this.#room.send(`/lane/${lane}/loop`);
    this.#lanes.add(lane);
    return { act: "play", lane };
  }

  /** @param {number} lane @param {string} name */
  #isSameKind(lane, name) {
    const other = this.#only(lane);
    return other !== null && this.#kindOf(other) === this.#kindOf(name);
  }

  /// A lane that has the pattern already; else one on which an earlier tap's pattern rests; else an
  /// empty one. 0 where all have something of the player's own.
  /** @param {string} name */
  #laneFor(name) {
    const rests = (/** @type {number} */ lane) => !this.#runs(lane);
    return this.#all.find((lane) => this.#only(lane) === name && rests(lane))
      ?? this.#all.find((lane) => this.#lanes.has(lane) && rests(lane) && this.#hasFirstAlone(lane))
      ?? this.#all.find((lane) => this.#isEmpty(lane) && rests(lane)) ?? 0;
  }
}
