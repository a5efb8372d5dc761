// @ts-check
// The hits that this device plays itself, as soon as they are played: which they are, and their
// numbers. The room leaves them out of this player's stream (own-switch.js). This knows no page.

/** @typedef {(address: string, otherwise?: any) => any} Get as `room.get` */

/// The largest number of an own hit. Chance and the turns of sounds go by it, here and in the room.
const MOST = 2 ** 31 - 1;
/// A note goes on until it is let go of: it counts as this long, in milliseconds.
const NOTE = 4000;
/// Milliseconds that the room takes at most to tell what sounds, beside the way.
const TELLING = 100;

/// The values of a player's own channel at rest. The page plays the dry sound, so hits of a channel
/// that changes its sound come with the room.
/** @type {[string, number][]} */
const AT_REST = [
  ["/fx/eq/low/gain", 0], ["/fx/eq/lowmid/gain", 0],
  ["/fx/eq/highmid/gain", 0], ["/fx/eq/high/gain", 0],
  ["/fx/drive/amount", 0], ["/fx/chorus/mix", 0],
  ["/fx/filter/lowpass", 20_000], ["/fx/filter/highpass", 20],
  ["/macro/1", 0.5], ["/macro/2", 0], ["/modulation", 0],
];
/** @param {number} value @param {number} rest */
const isNear = (value, rest) => Math.abs(value - rest) <= Math.max(0.01, rest * 0.001);

/// Whether the room would change the sound of this player's hits on their way.
/** @param {Get} get */
export const isChanged = (get) =>
  get("/buildup/state", "none") !== "none"
  || AT_REST.some(([address, rest]) => !isNear(get(address, rest), rest));

/// Whether the room sounds a hit on a pad at once, as itself, and once.
/** @param {Get} get @param {number} pad */
export function soundsAtOnce(get, pad) {
  if (!["oneshot", "gate"].includes(get(`/pad/${pad}/mode`, "oneshot"))) return false;
  if (get(`/pad/${pad}/plays`, "") !== "" || get(`/pad/${pad}/mute`, 0) > 0) return false;
  if (get("/repeat/all", 0) > 0 && get("/repeat", "off") !== "off") return false;
  // Grids and intervals count while the beat runs.
  const moves = get("/quantize", "off") !== "off" || get("/timing", "live") === "interval";
  if (moves && get("/play", 0) > 0) return false;
  const alone = solos(get);
  return alone.length === 0 || alone.includes(pad);
}

/// The pads that are solo.
/** @param {Get} get */
export function solos(get) {
  const found = [];
  for (let pad = 1; pad <= 16; pad += 1) if (get(`/pad/${pad}/solo`, 0) > 0) found.push(pad);
  return found;
}

/// The linear gain of own hits: the player's channel, the master, the leveller, and the player's
/// own mix. At −60 dB and below it is 0.
/** @param {Get} get @param {string} me */
export function channelGain(get, me) {
  const channel = get(`/player/${me}/gain`, get("/gain", 0));
  const faders = [channel, get("/master/gain", 0), get(`/mix/${me}/gain`, 0)];
  const mutes = [`/mix/${me}/mute`, `/player/${me}/mute`, "/mute"];
  const isMuted = mutes.some((mute) => get(mute, 0) > 0);
  if (isMuted || faders.some((each) => each <= -60)) return 0;
  const leveller = Math.min(0, get("/master/leveller/gain", 0));
  return 10 ** (faders.reduce((sum, each) => sum + each, leveller) / 20);
}

export class OwnHits {
  #get;
  #decide;
  #now;
  #mayPlay;
  #lengthOf;
  #roundTrip;
  #chance;
  #later;
  /// Whether keys sound here, too; pads alone otherwise.
  playsKeys = true;
  /// The parts that play (`OwnSounds`, `OwnVoices`, `OwnKeys`); null until they are there.
  /** @type {any} */
  sounds = null;
  /** @type {any} */
  voices = null;
  /** @type {any} */
  keys = null;
  /// The number of the next own hit of each pad and key.
  /** @type {Map<string, number>} */
  #next = new Map();
  /// Pads that go round although their mode is another one by now: the next press stops them.
  /** @type {Set<number>} */
  #round = new Set();
  /** @type {Map<number, string>} */
  #modes = new Map();

  /// - `mayPlay()`: whether anybody may hear this player, and this device may play.
  /// - `lengthOf(pad)`: how many milliseconds a hit sounds.
  /// - `roundTrip()`: milliseconds to the room and back.
  /// - `later(act)`: does something once the page rests.
  /**
   * @param {{
   *   get: Get, decide: import("./own-switch.js").OwnSwitch,
   *   now: () => number, mayPlay: () => boolean,
   *   lengthOf: (pad: number) => number, roundTrip: () => number,
   *   chance?: () => number, later?: (act: () => void) => void,
   * }} parts
   */
  constructor({
    get, decide, now, mayPlay, lengthOf, roundTrip, chance = Math.random, later = setTimeout,
  }) {
    this.#get = get;
    this.#decide = decide;
    this.#now = now;
    this.#mayPlay = mayPlay;
    this.#lengthOf = lengthOf;
    this.#roundTrip = roundTrip;
    this.#chance = chance;
    this.#later = (/** @type {() => void} */ act) => later(act);
  }

  /// Takes what is sent to the room: plays a hit on a pad or a key if it is one to be played here,
  /// and ends what a release ends.
  /// - Returns: the number to send behind the velocity; 0 where the hit comes with the room.
  /** @param {string} address @param {any[]} values */
  play(address, ...values) {
    const found = /^\/(pad|key)\/(\d+)$/.exec(address);
    const [velocity] = values;
    if (!found || typeof velocity !== "number") return 0;
    const number = Number(found[2]);
    const isPad = found[1] === "pad";
    if (velocity <= 0) {
      if (isPad) this.voices?.release(number);
      else this.keys?.release(number);
      return 0;
    }
    const now = this.#now();
    const own = this.#nextOf(address);
    const may = this.#decide.marks(now) && this.#mayPlay() && !isChanged(this.#get);
    const start = isPad ? this.#pad : this.#key;
    if (!may || !start.call(this, number, velocity, own)) {
      // The room's note ends the key's note before, which may sound here.
      if (!isPad) this.keys?.pass(number);
      return 0;
    }
    this.#next.set(address, (own % MOST) + 1);
    this.#decide.struck(now, isPad ? this.#lengthOf(number) : NOTE);
    return own;
  }

  /** @param {string} address */
  #nextOf(address) {
    let own = this.#next.get(address);
    own ??= 1 + Math.floor(this.#chance() * (MOST - 1));
    this.#next.set(address, own);
    return own;
  }

  /** @param {number} note @param {number} velocity @param {number} own */
  #key(note, velocity, own) {
    return this.playsKeys && this.keys?.press(note, velocity, own) === true;
  }

  /** @param {number} pad @param {number} velocity @param {number} own */
  #pad(pad, velocity, own) {
    if (this.#round.has(pad) || !soundsAtOnce(this.#get, pad)) return false;
    const found = this.sounds?.of(pad, velocity, own);
    if (!found) {
      this.sounds?.prefer(pad);
      return false;
    }
    const settings = this.settingsOf(this.#get, pad);
    if (!this.voices.start(pad, found, settings, velocity, own)) return false;
    // Another transposition for each hit takes a while to compute.
    const next = (own % MOST) + 1;
    const prepare = () => this.voices.prepare(this.sounds.of(pad, velocity, next), settings, next);
    if (settings.transposeRandom > 0) this.#later(prepare);
    return true;
  }

  /// A pad's settings, as `OwnVoices` takes them.
  /** @type {(get: Get, pad: number) => any} */
  settingsOf = () => ({});

  /// Takes what the room tells of a pad.
  /** @param {number} pad @param {string} what @param {any} value */
  told(pad, what, value) {
    if (what === "mode") {
      const isLit = this.#get(`/pad/${pad}/lit`, 0) > 0;
      if (this.#modes.get(pad) === "loop" && value !== "loop" && isLit) this.#round.add(pad);
      this.#modes.set(pad, value);
    } else if (what === "lit" && !(value > 0)) {
      this.#round.delete(pad);
      this.voices?.ended(pad, this.#unknown);
    } else if (what === "solo") this.voices?.solo(solos(this.#get));
    else if (what === "gain" || what === "mute") {
      this.voices?.level(pad, this.settingsOf(this.#get, pad));
    }
  }

  /// The room tells that a key of this player sounds no more.
  /** @param {number} note */
  toldOff(note) { this.keys?.ended(note, this.#unknown); }

  /// Seconds in which the room may not know of a hit, or not have told what became of it.
  get #unknown() { return (this.#roundTrip() + TELLING) / 1000; }

  /// A finger on a key moves: `y` is its height, `bend` in semitones.
  /** @param {number} note @param {string} what @param {number} value */
  move(note, what, value) {
    if (what === "y") this.keys?.height(note, value);
    else if (what === "bend") this.keys?.bend(note, value);
  }

  /// Whether anything sounds here still.
  get isSounding() { return (this.voices?.count ?? 0) > 0 || (this.keys?.isSounding ?? false); }

  /// Lets go of everything: nothing hangs.
  releaseAll() {
    this.voices?.releaseAll();
    this.keys?.releaseAll();
  }

  /// Ends everything that sounds here, by a short fade.
  silence() {
    this.voices?.silence();
    this.keys?.silence();
  }
}
