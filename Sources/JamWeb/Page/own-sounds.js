// @ts-check
// The sounds of this page's own pads and keys: what they are, and the sounds themselves, as the
// page needs them to sound its hits itself. It uses nothing of the page.
//
// The server describes the pads (`GET play`), and each sound is fetched by the name of its content,
// which the browser's cache keeps for good: first all as Ogg Opus, so that all pads play soon, and
// then, one at a time, as FLAC, which is the sound to the bit.

/** @typedef {import("./own-shape.js").Sound} Sound */
/** @typedef {import("./own-shape.js").Found} Found */

/**
 * @typedef {{ upTo: number, gain: number, sounds: number[] }} Layer
 * @typedef {{ pad: number, sample: string, stretch: number, layers: Layer[] }} Place
 * @typedef {{
 *   low: number, high: number, root: number, tune: number, gain: number, layers: Layer[],
 * }} Zone
 * @typedef {{
 *   hash: string, frames: number, channels: number, loop?: [number, number], endsLoud?: boolean,
 * }} Part
 * @typedef {{
 *   kit: string, pads: Place[], instrument: string, zones: Zone[], sounds: Part[],
 * }} Description
 * @typedef {{ player: string, token: string }} Who
 */

/// Fetches at once: a phone's line takes no more.
const AT_ONCE = 4;
/// Milliseconds: several changes are asked about once, and a failed answer is asked for again.
const PAUSE = 120;
const AGAIN = 2000;
/// How often in a row.
const TRIES = 4;
/// Bytes of decoded sounds: a kit of a minute and a half in stereo. A small phone takes half.
const MOST_BYTES = 64 << 20;

export class OwnSounds {
  /** @type {Description | null} */
  #told = null;
  /** @type {Map<string, Sound & { isExact: boolean }>} */
  #sounds = new Map();
  #bytes = 0;
  /// Sounds that are being fetched.
  /** @type {Set<string>} */
  #coming = new Set();
  /// How often in a row a sound did not come: it rests until the next description.
  /** @type {Map<string, number>} */
  #failures = new Map();
  /** @type {Set<string>} */
  #resting = new Set();
  /// Pads that were hit, the last one first.
  /** @type {number[]} */
  #wanted = [];
  /** @type {Who | null} */
  #who = null;
  #tries = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  #stopped = new AbortController();
  /// Whether the browser reads Ogg Opus, to the frame.
  #readsOpus = true;
  #isTooLarge = false;
  #context;
  #path;
  #get;
  #fetch;
  #changed;
  #most;

  /// - context: decodes; it may be suspended.
  /// - path: the address of a file of the room, as `room.path`.
  /// - get: a value that the room told, as `room.get`: a pad whose sound has changed since is not
  ///   sounded with the old one.
  /// - changed: called after each sound that came.
  /**
   * @param {{ context: BaseAudioContext,
   *   path: (name: string, query?: Record<string, any>) => string,
   *   get?: (address: string, otherwise?: any) => any, fetch?: typeof fetch, changed?: () => void,
   *   most?: number }} ways
   */
  constructor({ context, path, get, fetch: ask, changed = () => {}, most }) {
    this.#context = context;
    this.#path = path;
    this.#get = get ?? ((/** @type {string} */ _, /** @type {any} */ otherwise) => otherwise);
    this.#fetch = ask ?? ((/** @type {any} */ address, /** @type {any} */ options) =>
      fetch(address, options));
    this.#changed = changed;
    const device = /** @type {{ deviceMemory?: number }} */ (globalThis.navigator ?? {});
    this.#most = most ?? ((device.deviceMemory ?? 8) <= 2 ? MOST_BYTES / 2 : MOST_BYTES);
  }

  // ---- What they are.

  /// The pads may have changed, or the player is there: asks what they are, and fetches new sounds.
  /** @param {Who | null} [who] */
  look(who = this.#who) {
    this.#who = who;
    this.#tries = 0;
    this.#failures.clear();
    this.#lookIn(PAUSE);
  }

  /** @param {number} milliseconds */
  #lookIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  async #look() {
    const who = this.#who;
    if (!who) return;
    const { signal } = this.#stopped;
    const address = this.#path("play", who);
    const options = /** @type {RequestInit} */ ({ cache: "no-store", signal });
    const told = await this.#answer(address, options, (answer) => answer.json());
    if (signal.aborted || who !== this.#who) return;
    if (told) {
      this.#told = told;
      this.#isTooLarge = false;
      this.#resting = new Set([...this.#failures.keys()].filter((hash) => this.#isGivenUp(hash)));
      this.#forget();
      this.#fill();
      this.#changed();
    }
    // A stretched sound comes a moment after its setting was told.
    const isOld = (/** @type {Place} */ place) => !this.#isNow(place);
    if (!told || told.pads.some(isOld)) this.#tryAgain();
  }

  #tryAgain() {
    this.#tries += 1;
    if (this.#tries <= TRIES) this.#lookIn(AGAIN);
    else this.#changed();
  }

  /**
   * @param {string} address @param {RequestInit} options
   * @param {(answer: Response) => Promise<any>} read
   */
  async #answer(address, options, read) {
    try {
      const answer = await this.#fetch(address, options);
      return answer.ok ? await read(answer) : null;
    } catch {
      return null;
    }
  }

  /// Whether the pad is still as it was told.
  /** @param {Place} place */
  #isNow({ pad, sample, stretch }) {
    /** @param {string} what @param {any} otherwise */
    const of = (what, otherwise) => this.#get(`/pad/${pad}/${what}`, otherwise);
    const isStretched = Math.abs(of("stretch", stretch) - stretch) < 1e-6;
    return of("sample", sample) === sample && isStretched && !of("beats", 0);
  }

  // ---- The sounds of hits.

  /// The id of the instrument that was described; empty before the first answer.
  get instrument() { return this.#told?.instrument ?? ""; }
  /// Its zones, if it is a sampled one.
  get zones() { return this.#told?.zones ?? []; }

  /** @param {number} pad 1…16 */
  #place(pad) {
    const place = this.#told?.pads.find((each) => each.pad === pad);
    return place && this.#isNow(place) ? place : null;
  }

  /** @param {number} note */
  #zone(note) {
    const told = this.#told;
    if (!told || this.#get("/instrument", told.instrument) !== told.instrument) return null;
    return told.zones.find(({ low, high }) => low <= note && note <= high) ?? null;
  }

  /**
   * @param {Layer[]} layers @param {number} velocity @param {number} own @returns {Found | null}
   */
  #choose(layers, velocity, own) {
    const layer = layers.find(({ upTo }) => velocity <= upTo) ?? layers[layers.length - 1];
    const sound = layer && this.#sound(layer.sounds[own % layer.sounds.length]);
    return sound ? { sound, gain: layer.gain } : null;
  }

  /** @param {number} number */
  #sound(number) {
    const part = this.#told?.sounds[number];
    return part && this.#sounds.get(part.hash);
  }

  /// The sound of a pad's hit; null where it is not here yet, or the page never sounds it.
  /**
   * @param {number} pad 1…16 @param {number} velocity @param {number} own @returns {Found | null}
   */
  of(pad, velocity, own) {
    const place = this.#place(pad);
    const found = place && this.#choose(place.layers, velocity, own);
    if (place && !found) this.prefer(pad);
    return found;
  }

  /// The sound of a sampled instrument's key, with the semitones by which it is transposed, and the
  /// gain of its zone in decibels.
  /** @param {number} note @param {number} velocity @param {number} own */
  ofKey(note, velocity, own) {
    const zone = this.#zone(note);
    const found = zone && this.#choose(zone.layers, velocity, own);
    if (!zone || !found) return null;
    const transpose = Math.min(Math.max(note - zone.root + zone.tune / 100, -24), 24);
    return { ...found, transpose, decibels: zone.gain };
  }

  /// Whether all sounds of the pad are here.
  /** @param {number} pad */
  isReady(pad) {
    const place = this.#place(pad);
    const numbers = place?.layers.flatMap(({ sounds }) => sounds);
    return numbers?.every((number) => this.#sound(number)) ?? false;
  }

  /// How far the sounds have come: of so many pads so many are ready. `isExact`: all sounds are
  /// here to the bit. `isTooLarge`: not all of them fit into the page's memory; the pads that were
  /// hit, and the first ones, sound. `isDone`: no more come until the pads change.
  get state() {
    const pads = this.#told?.pads ?? [];
    const ready = pads.filter(({ pad }) => this.isReady(pad)).length;
    const isExact =
      this.#told?.sounds.every(({ hash }) => this.#sounds.get(hash)?.isExact) ?? false;
    return {
      pads: pads.length, ready, isExact, bytes: this.#bytes,
      isTooLarge: this.#isTooLarge, isDone: this.#isDone,
    };
  }

  get #isDone() {
    if (!this.#told) return this.#tries > TRIES;
    if (this.#coming.size > 0) return false;
    const isOver = (/** @type {Part} */ { hash }) =>
      this.#sounds.has(hash) || this.#isGivenUp(hash);
    return this.#isTooLarge || this.#told.sounds.every(isOver);
  }

  /** @param {string} hash */
  #isGivenUp(hash) { return (this.#failures.get(hash) ?? 0) >= TRIES; }

  /// The sounds of a pad that was hit come first.
  /** @param {number} pad */
  prefer(pad) {
    if (this.#wanted[0] === pad || this.isReady(pad)) return;
    this.#wanted = [pad, ...this.#wanted.filter((each) => each !== pad)];
    this.#fill();
  }

  /// Forgets everything.
  stop() {
    clearTimeout(this.#timer);
    this.#stopped.abort();
    this.#stopped = new AbortController();
    this.#who = null;
    this.#told = null;
    this.#coming.clear();
    this.#failures.clear();
    this.#resting.clear();
    this.#sounds.clear();
    this.#bytes = 0;
  }

  // ---- Fetching.

  /// The sounds in the order in which they are fetched: those of the pads that were hit, then one
  /// of each pad, the loudest, then the others of the loudest layers, then the rest.
  #order() {
    const told = this.#told;
    if (!told) return [];
    /** @param {{ layers: Layer[] }} place */
    const loudestFirst = ({ layers }) => [...layers].reverse().flatMap(({ sounds }) => sounds);
    const all = [...told.pads, ...told.zones].map(loudestFirst);
    /** @param {number} pad */
    const placeOf = (pad) => told.pads.findIndex((place) => place.pad === pad);
    const wanted = this.#wanted.flatMap((pad) => all[placeOf(pad)] ?? []);
    const turns = Math.max(0, ...all.map(({ length }) => length));
    const rest = [...Array(turns).keys()].flatMap((turn) => all.map((sounds) => sounds[turn]));
    const numbers = new Set([...wanted, ...rest].filter((number) => number !== undefined));
    return [...numbers].map((number) => told.sounds[number]);
  }

  /** @param {Part} part */
  #bytesOf({ frames, channels }) {
    return Math.ceil((frames * this.#context.sampleRate) / 48000) * channels * 4;
  }

  /// Begins as many fetches as may run.
  #fill() {
    const order = this.#order();
    const isComing = (/** @type {Part} */ { hash }) => this.#coming.has(hash);
    const coming = order.filter((part) => isComing(part) && !this.#sounds.has(part.hash));
    let bytes = coming.reduce((sum, part) => sum + this.#bytesOf(part), this.#bytes);
    for (const part of order) {
      if (this.#coming.size >= AT_ONCE) return;
      if (this.#sounds.has(part.hash) || isComing(part) || this.#resting.has(part.hash)) continue;
      if (bytes + this.#bytesOf(part) > this.#most) {
        this.#isTooLarge = true;
        continue;
      }
      bytes += this.#bytesOf(part);
      void this.#bring(part, this.#readsOpus ? "opus" : "flac");
    }
    // One at a time: the room's stream needs the line more.
    if (this.#coming.size > 0 || this.#savesData) return;
    const isRough = (/** @type {Part} */ { hash }) => this.#sounds.get(hash)?.isExact === false;
    const next = order.find((part) => isRough(part) && !this.#resting.has(part.hash));
    if (next) void this.#bring(next, "flac");
  }

  get #savesData() {
    /** @type {any} */
    const device = globalThis.navigator ?? {};
    return device.connection?.saveData ?? false;
  }

  /** @param {Part} part @param {"opus" | "flac"} form */
  async #bring(part, form) {
    const { hash } = part;
    const { signal } = this.#stopped;
    this.#coming.add(hash);
    const sound = await this.#fetched(part, form, signal);
    if (signal.aborted) return;
    this.#coming.delete(hash);
    if (!sound) this.#failed(hash, (this.#failures.get(hash) ?? 0) + 1);
    else if (sound === "unreadable") this.#failed(hash, TRIES);
    else if (this.#told?.sounds.some((each) => each.hash === hash)) {
      this.#sounds.set(hash, sound);
      this.#count();
    }
    this.#fill();
    this.#changed();
  }

  /** @param {string} hash @param {number} failures in a row */
  #failed(hash, failures) {
    this.#failures.set(hash, failures);
    this.#resting.add(hash);
    // The server may be busy, or the pads may be others by now.
    if (failures < TRIES) this.#lookIn(AGAIN);
  }

  /// A browser that reads no Ogg Opus, or not to the frame, gets FLAC alone from then on.
  /// - Returns: null where nothing came, `unreadable` where the browser reads neither form.
  /**
   * @param {Part} part @param {"opus" | "flac"} form @param {AbortSignal} signal
   * @returns {Promise<Sound & { isExact: boolean } | "unreadable" | null>}
   */
  async #fetched(part, form, signal) {
    const address = this.#path(`play/${part.hash}.${form}`);
    /** @type {RequestInit & { priority?: string }} */
    const options = this.#sounds.has(part.hash) ? { signal, priority: "low" } : { signal };
    const bytes = await this.#answer(address, options, (answer) => answer.arrayBuffer());
    if (!bytes || signal.aborted) return null;
    const buffer = await this.#context.decodeAudioData(bytes).catch(() => null);
    const frames = (part.frames * this.#context.sampleRate) / 48000;
    if (buffer && Math.abs(buffer.length - frames) <= 2) {
      const { loop = null, endsLoud = false } = part;
      return { hash: `${part.hash} ${form}`, buffer, loop, endsLoud, isExact: form === "flac" };
    }
    if (form === "flac") return "unreadable";
    this.#readsOpus = false;
    return this.#fetched(part, "flac", signal);
  }

  #count() {
    this.#bytes = 0;
    for (const { buffer } of this.#sounds.values()) {
      this.#bytes += buffer.length * buffer.numberOfChannels * 4;
    }
  }

  /// Lets go of the sounds that no pad has any more. A voice that sounds keeps its own.
  #forget() {
    const needed = new Set(this.#told?.sounds.map(({ hash }) => hash));
    for (const hash of [...this.#sounds.keys()]) if (!needed.has(hash)) this.#sounds.delete(hash);
    this.#count();
  }
}
