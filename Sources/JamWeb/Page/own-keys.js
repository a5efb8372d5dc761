// @ts-check
// The keys that the page sounds itself: which presses it may sound at once, and what plays them.

import { settingsOf } from "./own-patch.js";
import { OwnSynth } from "./own-synth.js";

/** @typedef {(address: string, otherwise?: any) => any} Get As `room.get`. */
/**
 * @typedef {{
 *   instrument: string, zones: any[],
 *   ofKey: (note: number, velocity: number, own: number) => any,
 * }} Sounds Of `OwnSounds`.
 */
/** @typedef {{ bend: (pitch: number, time: number) => void }} Voice */
/** @typedef {{ start: Function, release: Function, pitch: number }} Voices Of `OwnVoices`. */

/// Synthesisers that Web Audio does not come near enough: their keys come by the stream.
/** @type {Set<string>} */
export const LEFT_TO_STREAM = new Set();

/// A key's number among pads, as the server counts.
const padOf = (/** @type {number} */ note) => note + 17;

/// Whether a press of a key plays just this key, at once: the room makes nothing else of it.
/** @param {Get} get */
export function playsAsItIs(get) {
  if (get("/role", "") === "listener" || get("/repeat/all", 0) > 0) return false;
  if (get("/chord/size", 0) > 0 || get("/key/snap", 0) > 0) return false;
  if (get("/arp/mode", "off") !== "off") return false;
  // Grids and intervals count while the beat runs.
  const waits = get("/quantize", "off") !== "off" || get("/timing", "live") === "interval";
  return !waits || !(get("/play", 0) > 0);
}

/// Whether the page's notes of a synthesiser's patch are near enough to the engine's.
/** @param {Record<string, any>} settings */
export function isNear(settings) {
  if (LEFT_TO_STREAM.has(settings.id)) return false;
  // Its jumps are the engine's own: the page would sway the note otherwise than the loop does.
  const moves = ["pitch", "filter", "level", "width"].some((what) => settings[`lfo/${what}`] > 0);
  return settings["lfo/shape"] !== "random" || !moves;
}

export class OwnKeys {
  /// Keys that sound, or may, and the context's time of their presses.
  /** @type {Map<number, number>} */
  #own = new Map();
  /** @type {Set<number>} Keys that were let go of while the pedal was down. */
  #sustained = new Set();

  /**
   * @param {BaseAudioContext} context
   * @param {AudioNode} output the player's channel
   * @param {{ get: Get, sounds: Sounds | null, voices: Voices | null }} parts `voices` for recorded
   * sounds; without `sounds` all keys are left to the stream
   */
  constructor(context, output, { get, sounds, voices }) {
    this.get = get;
    this.sounds = sounds;
    this.voices = voices;
    this.synth = new OwnSynth(context, output);
  }

  /// The voices of recorded sounds whose keys are down, and what bends them, in semitones.
  /** @type {Map<number, { voice: Voice, bend: number }>} */
  #recorded = new Map();
  #wheel = 0;

  /// Sounds a press, if the page can.
  /// - Returns: whether it sounds: then the press is sent with its number `own`.
  /** @param {number} note 0…127 @param {number} velocity 0…1 @param {number} own */
  press(note, velocity, own) {
    this.#sustained.delete(note);
    if (playsAsItIs(this.get) && this.#start(note, velocity, own)) {
      this.#own.set(note, this.synth.context.currentTime);
      return true;
    }
    this.pass(note);
    return false;
  }

  /// A press that comes by the stream. The engine ends the key's note before, and takes the one
  /// note of a mono patch.
  /** @param {number} note */
  pass(note) {
    this.#end(note);
    this.synth.leave();
  }

  /// Makes ready what the first note of the instrument would wait for.
  prepare() { this.synth.prepare(settingsOf(this.get)); }

  /** @param {number} note @param {number} velocity @param {number} own */
  #start(note, velocity, own) {
    const { sounds, voices, synth } = this;
    const id = this.get("/instrument", "");
    // The server may have described the sounds of the instrument before.
    if (!sounds || sounds.instrument !== id) return false;
    this.#wheel = this.get("/bend", 0) * this.get("/instrument/bend/range", 2);
    if (sounds.zones.length > 0) {
      const found = sounds.ofKey(note, velocity, own);
      if (!found || !voices) return false;
      const gain = found.decibels + this.get("/instrument/gain", 0);
      const voice = voices.start(padOf(note), found, {
        mode: "gate", voices: 1, transpose: Math.min(24, Math.max(-24, found.transpose)),
        gain: Math.min(12, Math.max(-60, gain)), release: this.get("/instrument/amp/release", 150),
      }, velocity, own);
      if (!voice) return false;
      this.#recorded.set(note, { voice, bend: 0 });
      if (this.#wheel !== 0) this.#bendRecorded(note);
      return true;
    }
    const settings = settingsOf(this.get);
    if (!isNear(settings)) return false;
    this.tune(this.get("/pitch", 0));
    synth.wheel(this.#wheel);
    synth.press(note, velocity, own, settings);
    return true;
  }

  /// A key was let go of. Nothing happens where the page did not sound it.
  /** @param {number} note */
  release(note) {
    if (!this.#own.has(note)) return;
    if (this.get("/sustain", 0)) this.#sustained.add(note);
    else this.#end(note);
  }

  /** @param {number} note */
  #end(note) {
    if (!this.#own.delete(note)) return;
    this.#sustained.delete(note);
    this.synth.release(note);
    this.voices?.release(padOf(note));
    this.#recorded.delete(note);
  }

  /// The room sounds the key no more, as after everybody was silenced. A press of the last
  /// `seconds` may not have reached the room yet.
  /** @param {number} note @param {number} seconds */
  ended(note, seconds) {
    const at = this.#own.get(note);
    if (at !== undefined && at <= this.synth.context.currentTime - seconds) this.#end(note);
  }

  /** @param {number} note */
  #bendRecorded(note) {
    const recorded = this.#recorded.get(note);
    if (!recorded || !this.voices) return;
    const ratio = 2 ** ((recorded.bend + this.#wheel) / 12);
    recorded.voice.bend(this.voices.pitch * ratio, this.synth.context.currentTime);
  }

  /// The pedal, as the server tells it.
  /** @param {boolean} isDown */
  pedal(isDown) {
    if (isDown) return;
    for (const note of [...this.#sustained]) this.#end(note);
  }

  /// The finger's height on a key, 0…1.
  /** @param {number} note @param {number} height */
  height(note, height) {
    if (this.#own.has(note)) this.synth.height(note, height, settingsOf(this.get));
  }

  /// One key's own bend, in semitones.
  /** @param {number} note @param {number} semitones */
  bend(note, semitones) {
    if (!this.#own.has(note)) return;
    this.synth.bend(note, semitones);
    const recorded = this.#recorded.get(note);
    if (recorded) recorded.bend = semitones;
    this.#bendRecorded(note);
  }

  /// The wheel, −1…1.
  /** @param {number} bend */
  wheel(bend) {
    this.#wheel = bend * this.get("/instrument/bend/range", 2);
    this.synth.wheel(this.#wheel);
    for (const note of this.#recorded.keys()) this.#bendRecorded(note);
  }

  /// The room's pitch, in semitones. The owner of `voices` tunes recorded sounds.
  /** @param {number} semitones */
  tune(semitones) { this.synth.tune(2 ** (semitones / 12)); }

  /// Whether a note of a synthesiser sounds, also one that was let go of.
  get isSounding() { return this.synth.isSounding; }

  /// All keys are let go of, as after a lost connection.
  releaseAll() { for (const note of [...this.#own.keys()]) this.#end(note); }

  /// All is silent at once. The voices of recorded sounds are ended by their owner.
  silence() {
    this.#own.clear();
    this.#sustained.clear();
    this.#recorded.clear();
    this.synth.silence();
  }
}
