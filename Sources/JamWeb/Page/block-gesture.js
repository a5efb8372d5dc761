// @ts-check
// What a hand means that touches a block: hear it, put it somewhere, take it off its lane, scroll
// past it, or focus on it.
//
// A mouse lifts a block at once. Under a finger the list scrolls and a lane pans, so a finger must
// hold a block for a moment to lift it. On a lane a pull up or down lifts the block too, and a
// quick pull (a flick) takes it off the lane. Two fingers pinch: outwards to focus on a block,
// inwards to end the focus.
//
// Places are [x, y] in pixels. Times are the touch's own, in milliseconds, because a busy page
// hears of a touch late. Slots can be of any type: this file only passes them on.

const STILL = 7; // Pixels. A smaller move is no move yet.
const HOLD = { list: 150, lane: 200 }; // Milliseconds that a finger must hold a block to lift it.
const FLICK = 40; // Pixels up or down that a flick must move.
const QUICK = 300; // Milliseconds from the touch within which each such move is a flick.
// Up to LONGEST milliseconds from the touch a move is a flick if the finger still moves as it lets
// go: on average SWIFT pixels in a millisecond up or down, over the last LATELY milliseconds. A
// finger that puts a block somewhere comes to rest first.
const [LONGEST, SWIFT, LATELY] = [700, 0.2, 80];
const SNAP = 70; // Pixels from the middle of a slot, within which a block goes into that slot.
// Pixels from an edge of the scrolled area, within which it scrolls: EDGE, but at most a PART of the
// area, which is low on a half sheet.
const [EDGE, PART] = [56, 1 / 6];
// Of a pinch: a focus begins when the fingers are WIDER times as far apart as at first, and ends at
// NARROWER times. A first distance below NARROWEST pixels counts as NARROWEST.
const [WIDER, NARROWER, NARROWEST] = [1.3, 0.75, 20];

/** @typedef {[x: number, y: number]} Place */
/** @typedef {{ name: string, from: any, element?: Element }} Block */
/**
 * @typedef {Block & {
 *   id: number, start: Place, at: Place, since: number,
 *   isMouse: boolean, moved: boolean, lifted: boolean, trail: [time: number, y: number][]
 * }} Touch
 */

/** @param {Place} a @param {Place} b */
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/// The slot that a block at `place` goes into; null where no slot is near. `slots` are pairs of a
/// slot and its box.
/** @template S @param {Place} place @param {Iterable<[S, DOMRect]>} slots @returns {S | null} */
export function nearestSlot(place, slots) {
  let nearest = SNAP;
  let best = null;
  for (const [slot, box] of slots) {
    const distance = box.width ? apart(place, [(box.left + box.right) / 2, (box.top + box.bottom) / 2]) : Infinity;
    if (distance < nearest) [best, nearest] = [slot, distance];
  }
  return best;
}

/// How many pixels an area scrolls in each step, while a block is held at `place` near its edge: one
/// at least, for browsers keep whole pixels.
/// The area reaches from `from` to `to`. A block that was taken up near an edge, at `start`, has to
/// be moved towards that edge first.
/** @param {number} place @param {number} from @param {number} to @param {number} start */
export function scrollUnder(place, from, to, start = (from + to) / 2) {
  const edge = Math.min(EDGE, (to - from) * PART);
  const low = Math.min(from + edge, start - STILL);
  const high = Math.max(to - edge, start + STILL);
  const beyond = place < low ? place - low : place > high ? place - high : 0;
  if (beyond === 0) return 0;
  return Math.sign(beyond) * Math.min(14, Math.max(1, Math.abs(beyond) / 4));
}

export class BlockGesture {
  /** @type {Map<number, Place>} */
  #fingers = new Map();
  /// `isOn`: whether this pinch has begun or ended a focus; null until it has. The room tells so
  /// only later.
  /** @type {{ slot: any, from: number, isOn: boolean | null } | null} */
  #pinch = null;
  /** @type {Touch | null} */
  #touch = null;

  /// The touch of a block; null where no block is touched. `from` is the block's slot, or null for
  /// the list.
  get touch() { return this.#touch; }

  /// Whether the fingers hold something, so that they do not scroll.
  get holds() { return Boolean(this.#touch?.lifted || this.#pinch); }

  /// A finger, or the mouse's button, comes down.
  /// - Parameters:
  ///   - block: `{ name, from }` of the block under the finger, else null.
  ///   - focused: the slot in focus, or null.
  /// - Returns: `pinch` where two fingers begin a pinch, `take` where a block is touched, else
  ///   null.
  /**
   * @param {number} id @param {Place} at @param {number} time
   * @param {{ block: Block | null, isMouse: boolean, focused: any }} facts
   */
  down(id, at, time, { block, isMouse, focused }) {
    this.#fingers.set(id, at);
    // A pinch anywhere can end a focus, so it belongs to the slot in focus first.
    const pinched = this.#fingers.size === 2 ? focused ?? block?.from ?? this.#touch?.from : null;
    if (pinched) {
      this.#touch = null;
      this.#pinch = { slot: pinched, from: Math.max(NARROWEST, this.#width()), isOn: null };
      return "pinch";
    }
    if (!block) return null;
    const trail = /** @type {[number, number][]} */ ([[time, at[1]]]);
    this.#touch = { ...block, id, start: at, at, since: time, isMouse, moved: false, lifted: false, trail };
    return "take";
  }

  /// How many milliseconds a finger must hold the block to lift it.
  get holdTime() { return this.#touch?.from ? HOLD.lane : HOLD.list; }

  /// The finger has held the block for `holdTime`.
  lift() { if (this.#touch) this.#touch.lifted = true; }

  /// - Parameter isFocused: whether a slot is in focus.
  /// - Returns: `lift` where this move lifts the block, `carry` where the block was lifted before,
  ///   `scroll` where the finger scrolls, `{ focus: slot, begins }` where the focus of that slot
  ///   begins or ends; else null.
  /**
   * @param {number} id @param {Place} at @param {number} time
   * @param {(slot: any) => boolean} isFocused
   */
  move(id, at, time, isFocused) {
    if (this.#fingers.has(id)) this.#fingers.set(id, at);
    if (this.#pinch) return this.#watchPinch(isFocused);
    const touch = this.#touch;
    if (touch?.id !== id) return null;
    touch.trail.push([time, at[1]]);
    const [dx, dy] = [at[0] - touch.start[0], at[1] - touch.start[1]];
    const begins = !touch.moved && Math.hypot(dx, dy) >= STILL;
    if (begins) {
      touch.moved = true;
      const isHeld = time - touch.since >= this.holdTime;
      if (!touch.isMouse && !isHeld && (!touch.from || Math.abs(dx) > Math.abs(dy))) {
        this.#touch = null;
        return "scroll";
      }
    }
    if (!begins && !touch.lifted) return null;
    touch.at = at;
    if (touch.lifted) return "carry";
    this.lift();
    return "lift";
  }

  #width() {
    const [a, b] = this.#fingers.values();
    return apart(a, b);
  }

  /** @param {(slot: any) => boolean} isFocused */
  #watchPinch(isFocused) {
    if (this.#fingers.size < 2 || !this.#pinch) return null;
    const { slot, from } = this.#pinch;
    const isOn = this.#pinch.isOn ?? isFocused(slot);
    const now = this.#width() / from;
    if (isOn ? now >= NARROWER : now <= WIDER) return null;
    // The same fingers may go on, and take it back.
    this.#pinch = { slot, from: Math.max(NARROWEST, this.#width()), isOn: !isOn };
    return { focus: slot, begins: !isOn };
  }

  /// Whether the block would leave its lane if the finger let go of it now, over the slot `target`
  /// or over none.
  /** @param {any} target @param {number} now */
  leaves(target, now) {
    const touch = this.#touch;
    return touch !== null && touch.from !== null && (!target || this.#isFlick(touch, now));
  }

  /** @param {Touch} touch @param {number} now */
  #isFlick({ from, isMouse, since, start, at, trail }, now) {
    const [dx, dy] = [Math.abs(at[0] - start[0]), Math.abs(at[1] - start[1])];
    if (from === null || isMouse || dy < Math.max(FLICK, dx) || now - since >= LONGEST) return false;
    const [then, y] = trail.filter(([time]) => time <= now - LATELY).at(-1) ?? trail[0];
    return now - since < QUICK || Math.abs(at[1] - y) >= SWIFT * Math.max(LATELY, now - then);
  }

  /// The finger lets go over the slot `target`, or over no slot.
  /// - Returns: null where this finger touched no block; else its touch, with `act`: `hear`, `put`,
  ///   `flick` (a flick took the block off its lane), `take off` or `nothing`.
  /** @param {number} id @param {number} time @param {any} target */
  up(id, time, target) {
    this.#lose(id);
    const touch = this.#touch;
    if (touch?.id !== id) return null;
    const act = this.#settled(touch, time, target);
    this.#touch = null;
    return { ...touch, act };
  }

  /** @param {Touch} touch @param {number} time @param {any} target */
  #settled(touch, time, target) {
    const { from, moved, lifted } = touch;
    const flicked = this.#isFlick(touch, time);
    if (!moved) return "hear";
    if (!lifted) return "nothing";
    if (target && !flicked) return "put";
    return from === null ? "nothing" : flicked ? "flick" : "take off";
  }

  /// The browser uses the finger for something else, such as scrolling. Returns whether the finger
  /// touched a block.
  /** @param {number} id */
  cancel(id) {
    this.#lose(id);
    if (this.#touch?.id !== id) return false;
    this.#touch = null;
    return true;
  }

  /** @param {number} id */
  #lose(id) {
    this.#fingers.delete(id);
    if (this.#fingers.size < 2) this.#pinch = null;
  }

  /// Forgets all fingers.
  forgetFingers() {
    this.#fingers.clear();
    this.#pinch = null;
  }
}
