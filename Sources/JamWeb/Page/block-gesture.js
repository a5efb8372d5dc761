// @ts-check
// What a hand means that touches a block: to hear it, to put it somewhere, to take it off its lane, to scroll past it, or to focus on it.
//
// A mouse takes a block at once. Under a finger the list scrolls and a lane pans: a block is taken once it was held for a moment,
// on a lane also by a pull up or down, which as a flick takes it away. Two fingers pinch: outwards to focus on a block, inwards to end it.
// Places are [x, y] in pixels; times are the touch's own in milliseconds, since a busy page hears of it late. Slots are whatever the page
// has for them.

const STILL = 7; // Pixels that are no movement yet.
const HOLD = { list: 150, lane: 200 }; // Milliseconds.
const FLICK = 40; // Pixels up or down …
const QUICK = 300; // … within so many milliseconds of the touch.
const SNAP = 70; // Pixels from a slot's middle.
const EDGE = 56; // Pixels from an edge of what scrolls.
const [WIDER, NARROWER, NARROWEST] = [1.3, 0.75, 20]; // Of a pinch: parts of its first width, and its least first width in pixels.

/** @typedef {[x: number, y: number]} Place */
/** @typedef {{ name: string, from: any, element?: Element }} Block */
/**
 * @typedef {Block & { id: number, start: Place, at: Place, since: number, isMouse: boolean, moved: boolean, lifted: boolean }} Touch
 */

/** @param {Place} a @param {Place} b */
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/// The slot that a block at `place` goes into, of [slot, its box]; null where none is near.
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

/// How far a frame scrolls that begins at `from` and ends at `to`, under a block that is held at `place`.
/** @param {number} place @param {number} from @param {number} to */
export function scrollUnder(place, from, to) {
  const beyond = place < from + EDGE ? place - from - EDGE : place > to - EDGE ? place - to + EDGE : 0;
  return Math.max(-14, Math.min(14, beyond / 4));
}

export class BlockGesture {
  /** @type {Map<number, Place>} */
  #fingers = new Map();
  /** @type {{ slot: any, from: number } | null} */
  #pinch = null;
  /** @type {Touch | null} */
  #touch = null;

  /// The touch of a block; null where there is none: { name, from (its slot, null is the list), start, at, since, isMouse, moved, lifted }.
  get touch() { return this.#touch; }

  /// Whether the fingers hold something, so that they do not scroll.
  get holds() { return Boolean(this.#touch?.lifted || this.#pinch); }

  /// A finger, or the mouse's button, comes down.
  /// - Parameters:
  ///   - block: { name, from } where it came down on one, else null.
  ///   - focused: the slot that is focused on, or null.
  /// - Returns: `pinch`, `take`, or null: no block is touched.
  /** @param {number} id @param {Place} at @param {number} time @param {{ block: Block | null, isMouse: boolean, focused: any }} facts */
  down(id, at, time, { block, isMouse, focused }) {
    this.#fingers.set(id, at);
    // What is focused on is let go of by two fingers anywhere.
    const pinched = this.#fingers.size === 2 ? focused ?? block?.from ?? this.#touch?.from : null;
    if (pinched) {
      this.#touch = null;
      this.#pinch = { slot: pinched, from: Math.max(NARROWEST, this.#width()) };
      return "pinch";
    }
    if (!block) return null;
    this.#touch = { ...block, id, start: at, at, since: time, isMouse, moved: false, lifted: false };
    return "take";
  }

  /// For how many milliseconds the block is to be held until it is lifted.
  get holdTime() { return this.#touch?.from ? HOLD.lane : HOLD.list; }

  /// It was held for so long.
  lift() { if (this.#touch) this.#touch.lifted = true; }

  /// - Parameter isFocused: whether a slot is focused on.
  /// - Returns: `lift` where the block is lifted by that, `carry` where it was before, `scroll` where the finger is let scroll, or { focus: slot }
  ///   where the focus of that slot is to change; else null.
  /** @param {number} id @param {Place} at @param {number} time @param {(slot: any) => boolean} isFocused */
  move(id, at, time, isFocused) {
    if (this.#fingers.has(id)) this.#fingers.set(id, at);
    if (this.#pinch) return this.#watchPinch(isFocused);
    const touch = this.#touch;
    if (touch?.id !== id) return null;
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
    const now = this.#width() / from;
    if (isFocused(slot) ? now >= NARROWER : now <= WIDER) return null;
    this.#pinch = null;
    return { focus: slot };
  }

  /// Whether the block would leave its lane if it were let go of now, over `target` or no slot.
  /** @param {any} target @param {number} now */
  leaves(target, now) {
    const touch = this.#touch;
    return touch !== null && touch.from !== null && (!target || this.#isFlick(touch, now));
  }

  /** @param {Touch} touch @param {number} now */
  #isFlick({ from, isMouse, since, start, at }, now) {
    const [dx, dy] = [Math.abs(at[0] - start[0]), Math.abs(at[1] - start[1])];
    return from !== null && !isMouse && dy >= Math.max(FLICK, dx) && now - since < QUICK;
  }

  /// The finger is let go of over the slot `target`, or over none.
  /// - Returns: null where it touched no block; else its touch, and `act`: `hear`, `put`, `flick` (off the lane), `take off` or `nothing`.
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

  /// The browser has taken the finger for something else. Returns whether it touched a block.
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

  /// No finger is known any more.
  forgetFingers() {
    this.#fingers.clear();
    this.#pinch = null;
  }
}
