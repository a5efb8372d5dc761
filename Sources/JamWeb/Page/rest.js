// @ts-check
// Where the page's controls were a moment ago. A control that has come by itself to where another
// one was rests for a second: a finger that comes down there was meant for the other one. A finger
// that goes on tapping there prolongs the rest. This uses nothing of the page.
//
// Places are boxes in pixels. Times are in milliseconds.

/// For how long a control rests after a change.
export const REST = 1000;
/// How long a control rests at most, while taps go on there.
export const LONGEST = 6000;
/// A change within this time after a touch is the touch's own effect.
const OWN = 500;
/// Pixels. A touch that is nearer than this to the one before is at the same place.
const NEAR = 32;
/// Pixels. A smaller move of an edge is no move.
const SLIGHT = 4;

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/**
 * @typedef {{ control: any, box: Box, means: string, rank: number, label(): string }} Place
 *   `control`: null is a surface that covers what lies under it, and does nothing itself. `means`:
 *   what the control does now, where that changes. `rank`: controls of a higher rank lie over the
 *   others.
 * @typedef {Omit<Place, "box" | "rank">} Found a control that a finger comes down on
 * @typedef {{ x: number, y: number, at: number, plays: boolean }} Touch
 *   `plays`: it was on something that is played
 * @typedef {{ places: Place[], since: number, until: number, cause: Touch | null,
 *   late: Touch | null }} Picture
 *   `since`: when the places changed; `until`: the same, or when the last touch was kept from what
 *   came; `late`: a touch shortly before that met no control
 */

/** @param {Box} box @param {number} x @param {number} y */
const holds = (box, x, y) => x >= box.left && x < box.right && y >= box.top && y < box.bottom;

/** @param {Box} one @param {Box} other */
const isMoved = (one, other) => Math.max(
  Math.abs(one.left - other.left), Math.abs(one.top - other.top),
  Math.abs(one.right - other.right), Math.abs(one.bottom - other.bottom)) > SLIGHT;

export class Rest {
  /** @type {Place[]} */
  #places = [];
  /// The places before each change of the last second.
  /** @type {Picture[]} */
  #past = [];
  /** @type {Touch} */
  #touch = { x: 0, y: 0, at: -Infinity, plays: false };
  /// The last touch that no control took: it met none, or was kept from the one that it met.
  /** @type {Touch} */
  #missed = { x: -Infinity, y: -Infinity, at: -Infinity, plays: false };

  /// Takes where all controls are.
  /// - Parameter changed: when they came there; the earliest moment that may be.
  /** @param {Place[]} places @param {number} changed */
  see(places, changed) {
    const before = this.#places;
    this.#places = places;
    if (before.length === 0 || !this.#differ(before, places)) return;
    const isOwn = changed - this.#touch.at < OWN;
    this.#past = this.#past.filter(({ until }) => changed - until < REST);
    const cause = isOwn ? this.#touch : null;
    const late = changed - this.#missed.at < REST ? this.#missed : null;
    this.#past.push({ places: before, since: changed, until: changed, cause, late });
  }

  /// Takes where all controls are after a hand has scrolled, or turned the device.
  /** @param {Place[]} places */
  follow(places) {
    this.#places = places;
    this.#past = [];
  }

  /** @param {Place[]} before @param {Place[]} places */
  #differ(before, places) {
    if (before.length !== places.length) return true;
    const known = new Map(before.map((place) => [place.control, place]));
    return places.some(({ control, box, means }) => {
      if (!control) return false;
      const was = known.get(control);
      return !was || was.means !== means || isMoved(was.box, box);
    });
  }

  /// Whether some control may rest.
  /** @param {number} now */
  rests(now) { return this.#past.some(({ until }) => now - until < REST); }

  /// A finger comes down where no control is, or on something that is never kept from it.
  /// - plays: whether that is played, such as a pad.
  /** @param {number} x @param {number} y @param {number} now @param {boolean} plays */
  touch(x, y, now, plays = false) {
    this.#touch = { x, y, at: now, plays };
    if (!plays) this.#missed = this.#touch;
  }

  /// A finger comes down on a control.
  /// - Returns: whether the control takes the touch. It does not while it rests.
  /** @param {Found} control @param {number} x @param {number} y @param {number} now */
  press(control, x, y, now) {
    const recent = this.#past.filter(({ until }) => now - until < REST);
    const others = recent.filter((was) => this.#wasOther(was, control, x, y));
    const touch = { x, y, at: now, plays: false };
    if (others.length > 0) {
      // A finger that goes on tapping has not seen yet what came.
      for (const was of others) if (now - was.since < LONGEST - REST) was.until = now;
      this.#missed = touch;
      return false;
    }
    this.#touch = touch;
    return true;
  }

  /// Whether a finger would have met something else there.
  /** @param {Picture} was @param {Found} control @param {number} x @param {number} y */
  #wasOther({ places, cause, late }, { control, means, label }, x, y) {
    const there = places.filter(({ box }) => holds(box, x, y));
    const highest = Math.max(...there.map(({ rank }) => rank));
    const top = there.filter(({ control, rank }) => control && rank === highest);
    // Nothing was there, and a finger tapped there all the same: it was late for something that had
    // gone before.
    if (top.length === 0) return late !== null && this.#isNear(late, x, y);
    const itself = top.find((place) => place.control === control);
    // A hand that has changed what a control means may go on with it. A hit is no such
    // hand: whoever plays touches something all the time, also while a pass ends by itself.
    if (itself) return itself.means !== means && (!cause || cause.plays);
    // A hand that has opened something elsewhere knows what it finds there.
    if (cause && !this.#isNear(cause, x, y)) return false;
    // A list that was made anew has the same control at the same place.
    const name = label();
    return !top.some((place) => place.label() === name);
  }

  /** @param {Touch} touch @param {number} x @param {number} y */
  #isNear(touch, x, y) { return Math.hypot(x - touch.x, y - touch.y) < NEAR; }
}
