// @ts-check
// Decides when this device plays the player's own hits at once, and sees to it that no own hit is
// heard twice. A hit that the page plays itself says so (it is marked), and the room leaves it out
// of the streams that were asked for without the player's own hits. All other streams carry it.
//
// - A hit is marked exactly while a stream without own hits is heard.
// - A stream that carries own hits is asked for only when the last marked hit is over in it.
//
// Moments are those of performance.now(), times are in milliseconds.

/** @typedef {"auto" | "on" | "off"} Choice */
/**
 * @typedef {"without" | "mix" | "nothing"} Heard
 *   what this device hears: a stream without the player's own hits, one that carries them, or none
 */

/// From a tap to the ear. Above the first number own hits at once help, below the second they do
/// not; between the two it stays as it is.
const [HELPS, HELPS_NOT] = [25, 18];
/// How much sooner an own hit has to be heard, likewise: an output that is late delays both.
const [SAVES, SAVES_NOT] = [10, 5];
/// A way to the ear counts as long or short once it has been so for this time.
const [STEADY_LONG, STEADY_SHORT] = [2000, 8000];
/// The first packets of a stream may come from before its cue was there.
const SETTLED = 300;
/// Added to what is known of delays, before the mix is asked for.
const MARGIN = 100;
/// A long sound is waited for so long; then it ends here, and goes on in the mix.
const HOLD = 4000;
/// The delay of a stream that has not been measured, and the longest that counts.
const [UNKNOWN, LONGEST] = [500, 4000];
/// After the server refused a stream without own hits it is asked again.
export const AGAIN = 60_000;

export class OwnSwitch {
  /** @type {Choice} */
  choice;
  /// Whether a sound of the player's kit has come.
  canSound = false;
  /// Whether none has come, and none will.
  isSoundless = false;
  /// Whether a stream without own hits was asked for, and not given back or refused since.
  isAsked = false;
  #helps = false;
  /// Since when the way to the ear has said the opposite of `#helps`; null while it does not.
  /** @type {number | null} */
  #otherwise = null;
  #refusedUntil = -Infinity;
  /** @type {Heard} */
  #heard = "nothing";
  #since = 0;
  /// The moments at which the last marked hit began, and at which all marked hits are over here.
  #last = -Infinity;
  #end = -Infinity;
  /// The moment at which the mix was first wished for since the last marked hit.
  /** @type {number | null} */
  #leaving = null;

  /** @param {Choice} choice */
  constructor(choice) { this.choice = choice; }

  // ---- Whether own hits are to sound at once.

  /// Takes how late the stream is heard, from a tap to the ear, and the part of it that the output
  /// takes, which own hits wait for, too. Unknown is null, or NaN.
  /** @param {number | null} late @param {number} output @param {number} now */
  measure(late, output, now) {
    if (late === null) return;
    const saved = late - (Number.isFinite(output) ? Math.max(0, output) : 0);
    const isLong = late > HELPS && saved >= SAVES;
    const isShort = late < HELPS_NOT || saved < SAVES_NOT;
    const isOther = this.#helps ? isShort : isLong;
    if (!isOther) this.#otherwise = null;
    else if (now - (this.#otherwise ??= now) >= (this.#helps ? STEADY_SHORT : STEADY_LONG)) {
      this.#helps = !this.#helps;
      this.#otherwise = null;
    }
  }

  /// Whether the sounds of the player's kit are needed on this device.
  get isWished() { return this.choice === "on" || (this.choice === "auto" && this.#helps); }

  /// Whether this device is to hear a stream without the player's own hits.
  /** @param {number} now */
  wants(now) { return this.isWished && this.canSound && now >= this.#refusedUntil; }

  /// The server has no such stream left.
  /** @param {number} now */
  refused(now) {
    this.isAsked = false;
    this.#refusedUntil = now + AGAIN;
  }

  /** @param {Choice} choice */
  choose(choice) {
    this.choice = choice;
    // Somebody who chooses wants to know now.
    this.#refusedUntil = -Infinity;
  }

  // ---- Which hits sound here.

  /** @param {Heard} heard @param {number} now */
  hears(heard, now) {
    if (heard === this.#heard) return;
    this.#heard = heard;
    this.#since = now;
  }

  /// Whether a hit of this moment sounds here, and is marked.
  /** @param {number} now */
  marks(now) { return this.isAsked && this.#heard === "without" && now - this.#since >= SETTLED; }

  /// Notes a marked hit, which sounds here for `length`.
  /** @param {number} now @param {number} length */
  struck(now, length) {
    this.#last = now;
    this.#end = Math.max(this.#end, now + length);
    this.#leaving = null;
  }

  /// How long to wait until a stream may be asked for that carries own hits; 0 is not at all. By
  /// then the beginning of each marked hit is over in that stream. A sound that still goes on here
  /// has to end here then, because the stream goes on with it.
  /** @param {number} now @param {number | null} late of the stream that is heard */
  remains(now, late) {
    const way = Math.min(late ?? UNKNOWN, LONGEST) + MARGIN;
    const begun = this.#last + way;
    const over = this.#end + way;
    if (now >= over) return 0;
    this.#leaving ??= now;
    // While nothing is heard, silence is worse than a sound that ends early.
    const patience = this.#heard === "without" ? this.#leaving + HOLD : now;
    return Math.max(0, Math.max(begun, Math.min(over, patience)) - now);
  }

  /// How it is, for the player.
  /**
   * @param {number} now
   * @returns {"off" | "near" | "fetching" | "soundless" | "refused" | "silent" | "asking" | "on"}
   */
  state(now) {
    if (this.choice === "off") return "off";
    if (!this.isWished) return "near";
    if (this.#heard === "nothing") return "silent";
    if (!this.canSound) return this.isSoundless ? "soundless" : "fetching";
    if (now < this.#refusedUntil) return "refused";
    return this.#heard === "without" ? "on" : "asking";
  }
}
