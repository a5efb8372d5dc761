// @ts-check
// The notes of synthesisers that the page sounds itself. They are near to the engine's notes of the
// same patch.

import { OwnNote } from "./own-note.js";
import { BLOCK, RUN_UP } from "./own-oscillators.js";
import { numbersOf } from "./own-patch.js";
import { OwnWaves } from "./own-waves.js";

/** @typedef {import("./own-patch.js").Settings} Settings */

/// Frames by which a note begins behind the context's time, so that its attack is not cut off: the
/// context may have rendered its next block already. The run-up begins with the block after that.
const LEAD = BLOCK + RUN_UP + 2;
/// Notes at once, fewer than the engine's 64: a phone has to render them.
const MOST = 16;
/// Seconds: the fade of a note that makes room, and of all notes when they are silenced.
const STOLEN = 0.004;
const SILENCED = 0.005;

/// A player's notes of synthesisers.
///
/// Its rules are those of the engine: in the modes of one note the last key that is held sounds,
/// and gives the note back to the key before; beyond `MOST` notes the oldest that was let go of
/// ends, or else the oldest.
export class OwnSynth {
  /** @type {OwnNote[]} Oldest first. */
  #notes = [];
  /** @type {number[]} Keys of the modes of one note that are held, the last one last. */
  #held = [];
  /** @type {OwnNote | null} */
  #mono = null;
  /** @type {number | null} The pitch from which the next note glides. */
  #pitch = null;
  /// Semitones of the wheel.
  #wheel = 0;
  /// The room's pitch.
  #ratio = 1;

  /** @param {BaseAudioContext} context @param {AudioNode} output */
  constructor(context, output) {
    this.context = context;
    this.output = output;
  }

  /// Makes ready what the first note of a patch would wait for.
  /** @param {Settings} settings */
  prepare(settings) {
    const waves = OwnWaves.of(this.context);
    for (const { shape, width, level } of numbersOf(settings, 1).sources) {
      if (level > 0) waves.wave(shape, width);
    }
  }

  /// The context's time at which something may begin.
  get #soon() { return this.context.currentTime + LEAD / this.context.sampleRate; }

  /// The notes that were not told to end.
  get count() {
    return this.#sounding(this.context.currentTime).filter((note) => !note.isReleased).length;
  }

  /// Whether anything sounds still, also what was told to end.
  get isSounding() { return this.#sounding(this.context.currentTime).length > 0; }

  /// The notes of a key that is down.
  /** @param {number} key @param {number} now */
  #down(key, now) {
    return this.#sounding(now).filter((note) => note.goal === key && !note.isReleased);
  }

  /** @param {number} now */
  #sounding(now) {
    this.#notes = this.#notes.filter((note) => note.over > now);
    return this.#notes;
  }

  /// Presses a key.
  /**
   * @param {number} key a note, 0…127 @param {number} velocity 0…1 @param {number} own
   * the hit's number @param {Settings} settings
   * @param {number} [when] the context's time; left out, as soon as possible
   */
  press(key, velocity, own, settings, when = this.#soon) {
    const isMono = settings.mode !== "poly";
    if (isMono) {
      this.#held = [...this.#held.filter((held) => held !== key), key].slice(-16);
      const mono = this.#mono;
      const isOpen = mono !== null && !mono.isReleased && mono.settings.id === settings.id;
      if (settings.mode === "legato" && isOpen) {
        mono.go(key, when);
        this.#pitch = key;
        return;
      }
      this.#mono?.fade(when, STOLEN);
    } else {
      this.#held = [];
      this.#mono = null;
      this.#releaseKey(key, when);
    }
    this.#makeRoom(when);
    const note = new OwnNote(OwnWaves.of(this.context), this.output, settings, {
      note: key, velocity, own, at: when, isMono,
      from: this.#pitch, wheel: this.#wheel, ratio: this.#ratio,
    });
    this.#notes.push(note);
    this.#pitch = key;
    if (isMono) this.#mono = note;
  }

  /** @param {number} key @param {number} [when] */
  release(key, when = this.#soon) {
    this.#releaseKey(key, when);
    const last = this.#held.at(-1);
    this.#held = this.#held.filter((held) => held !== key);
    if (last !== key || !this.#mono) return;
    const before = this.#held.at(-1);
    if (before === undefined) return this.#mono.release(when);
    this.#mono.go(before, when);
    this.#pitch = before;
  }

  /** @param {number} key @param {number} when */
  #releaseKey(key, when) {
    for (const note of this.#down(key, when)) if (!note.isMono) note.release(when);
  }

  /** @param {number} when */
  #makeRoom(when) {
    const notes = this.#sounding(when);
    if (notes.length < MOST) return;
    const victim = notes.find((note) => note.isReleased) ?? notes[0];
    victim.fade(when, STOLEN);
    this.#notes = notes.filter((note) => note !== victim);
    if (this.#mono === victim) this.#mono = null;
  }

  /// The note of the held keys together is somebody else's from now on: it ends here.
  leave(when = this.context.currentTime) {
    this.#held = [];
    this.#mono?.fade(when, STOLEN);
    this.#mono = null;
  }

  /// The finger's height on the key, 0…1.
  /** @param {number} key @param {number} height @param {Settings} settings */
  height(key, height, settings, now = this.context.currentTime) {
    for (const note of this.#down(key, now)) note.shape(settings, height, now);
  }

  /// Bends one key's notes, in semitones.
  /** @param {number} key @param {number} semitones */
  bend(key, semitones, now = this.context.currentTime) {
    for (const note of this.#down(key, now)) note.bend({ key: semitones }, now);
  }

  /// Bends all notes, also those that come, in semitones.
  /** @param {number} semitones */
  wheel(semitones, now = this.context.currentTime) {
    if (semitones === this.#wheel) return;
    this.#wheel = semitones;
    for (const note of this.#sounding(now)) note.bend({ wheel: semitones }, now);
  }

  /// The room's pitch, as a ratio.
  /** @param {number} ratio */
  tune(ratio, now = this.context.currentTime) {
    if (ratio === this.#ratio) return;
    this.#ratio = ratio;
    for (const note of this.#sounding(now)) note.tune(ratio, now);
  }

  /// All keys are let go of.
  releaseAll(when = this.context.currentTime) {
    this.#held = [];
    for (const note of this.#sounding(when)) note.release(when);
  }

  /// Ends every note.
  silence(when = this.context.currentTime) {
    this.#held = [];
    this.#mono = null;
    this.#pitch = null;
    for (const note of this.#sounding(when)) note.fade(when, SILENCED);
    this.#notes = [];
  }
}
