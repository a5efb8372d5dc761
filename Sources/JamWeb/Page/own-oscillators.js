// @ts-check
// The oscillators and the noise of one note of a synthesiser, by nodes of Web Audio.

import { hashOf } from "./own-patch.js";

/** @typedef {import("./own-patch.js").Source} Source */
/** @typedef {import("./own-waves.js").OwnWaves} OwnWaves */
/** @typedef {ReturnType<typeof import("./own-patch.js").numbersOf>} Numbers */

/// A context renders so many frames at once.
export const BLOCK = 128;
/// Frames in which an oscillator runs up to the phase in which it begins, at least.
export const RUN_UP = 32;
/// The time constant of a moved value, in seconds.
export const SMOOTH = 0.005;

const hertz = (/** @type {number} */ note) => 440 * 2 ** ((note - 69) / 12);

/// A gain, in front of `target`.
/**
 * @param {BaseAudioContext} context @param {number} value @param {AudioNode | AudioParam} [target]
 */
export function gainNode(context, value, target) {
  const node = new GainNode(context, { gain: value });
  if (target instanceof AudioNode) node.connect(target);
  else if (target) node.connect(target);
  return node;
}

export class OwnOscillators {
  /// Those that begin with the note.
  /** @type {AudioScheduledSourceNode[]} */
  starting = [];
  /// Those that run already, unheard.
  /** @type {AudioScheduledSourceNode[]} */
  started = [];
  /** @type {{ level: AudioParam, from: number }[]} */
  #levels = [];
  /** @type {{ delay: AudioParam, sway: AudioParam, semitones: number, width: number }[]} */
  #delays = [];
  /** @type {{ frequency: AudioParam, semitones: number }[]} */
  #tuned = [];
  #context;
  #waves;
  #numbers;
  #note;
  #ratio;
  #at;

  /// - `at`: when the note begins, on a frame; `ratio`: the room's pitch; `fades`: whether a finger
  ///   can fade oscillators in.
  /// - `into`: what they sound into; `sum`: all that moves the pitch, in cents; `slow`: the slow
  ///   oscillator.
  /**
   * @param {OwnWaves} waves @param {Numbers} numbers
   * @param {{ note: number, own: number, at: number, ratio: number, fades: boolean }} start
   * @param {{ into: AudioNode, sum: AudioNode, slow: AudioNode | null }} nodes
   */
  constructor(waves, numbers, { note, own, at, ratio, fades }, { into, sum, slow }) {
    this.#waves = waves;
    this.#context = waves.context;
    this.#numbers = numbers;
    this.#note = note;
    this.#ratio = ratio;
    this.#at = at;
    const { sources, spread, noise } = numbers;
    const random = spread > 0 ? Number(hashOf(own, note) & 0xffffffffn) / 2 ** 32 : 0;
    const place = this.#placing(into, spread > 0);
    // The first one lies on the left and the second one on the right.
    const sides = [[1, 1 - spread], [1 - spread, 1], [1, 1]];
    for (const [index, source] of sources.entries()) {
      const level = gainNode(this.#context, 0);
      level.gain.setValueAtTime(source.level, at);
      this.#levels.push({ level: level.gain, from: index });
      // An oscillator that is silent, and that no finger can fade in, needs no node.
      if (source.level === 0 && !fades) continue;
      place(level, sides[index]);
      this.#sound(source, index === 1 ? random : 0, { level, sum, slow });
    }
    if (noise > 0) {
      const level = gainNode(this.#context, noise);
      const node = new AudioBufferSourceNode(this.#context, { buffer: waves.noise(), loop: true });
      this.starting.push(node);
      node.connect(level);
      place(level, [1, 1]);
    }
  }

  /// - Returns: connects a node, so loud on the left and on the right.
  /** @param {AudioNode} into @param {boolean} isSpread */
  #placing(into, isSpread) {
    if (!isSpread) return (/** @type {AudioNode} */ node) => { node.connect(into); };
    const merger = new ChannelMergerNode(this.#context, { numberOfInputs: 2 });
    merger.connect(into);
    return (/** @type {AudioNode} */ node, /** @type {number[]} */ sides) => {
      for (const [input, share] of sides.entries()) {
        if (share === 1) node.connect(merger, 0, input);
        else if (share > 0) {
          const side = gainNode(this.#context, share);
          node.connect(side);
          side.connect(merger, 0, input);
        }
      }
    };
  }

  /**
   * @param {Source} source @param {number} phase
   * @param {{ level: AudioNode, sum: AudioNode, slow: AudioNode | null }} nodes
   */
  #sound(source, phase, { level, sum, slow }) {
    const frequency = this.#hertz(source.semitones);
    const sway = source.shape === "pulse" ? this.#numbers.lfo?.width ?? 0 : 0;
    const isMoving = sway > 0 && slow !== null;
    const wave = this.#waves.wave(isMoving ? "saw" : source.shape, source.width);
    const oscillator = this.#oscillator(wave, frequency, phase, level);
    sum.connect(oscillator.detune);
    this.#tuned.push({ frequency: oscillator.frequency, semitones: source.semitones });
    if (isMoving) this.#pulse(oscillator, source, frequency, level, slow);
  }

  /// The frequency of an oscillator without what moves.
  /** @param {number} semitones from the note */
  #hertz(semitones) { return Math.min(hertz(this.#note + semitones) * this.#ratio, 23_500); }

  /// Web Audio's oscillators begin at phase 0. One that shall begin elsewhere starts a little
  /// earlier, unheard, and just as fast as brings it there. It starts with a block: in Chromium an
  /// oscillator that starts later takes its first frequencies from the block's beginning.
  /**
   * @param {PeriodicWave} wave @param {number} frequency @param {number} phase
   * @param {AudioNode} target
   */
  #oscillator(wave, frequency, phase, target) {
    const node = new OscillatorNode(this.#context, { frequency, periodicWave: wave });
    // Once in 128 frames is often enough for a pitch, and takes a third of the work away.
    node.detune.automationRate = "k-rate";
    node.connect(target);
    if (phase > 0) {
      const rate = this.#context.sampleRate;
      const frame = Math.round(this.#at * rate);
      const first = Math.max(0, BLOCK * Math.floor((frame - RUN_UP) / BLOCK));
      const start = first / rate;
      node.frequency.setValueAtTime((phase * rate) / Math.max(1, frame - first), start);
      node.frequency.setValueAtTime(frequency, this.#at);
      node.start(start);
      this.started.push(node);
    } else {
      this.starting.push(node);
    }
    return node;
  }

  /// Makes a saw a pulse whose width moves: less the same saw a little later.
  /**
   * @param {AudioNode} saw @param {Source} source @param {number} frequency
   * @param {AudioNode} level @param {AudioNode} slow
   */
  #pulse(saw, { semitones, width }, frequency, level, slow) {
    const delay = new DelayNode(this.#context, {
      delayTime: (1 - width) / frequency, maxDelayTime: 2 / Math.max(2, frequency),
    });
    saw.connect(delay);
    delay.connect(gainNode(this.#context, -1, level));
    const depth = -(this.#numbers.lfo?.width ?? 0) / frequency;
    const sway = gainNode(this.#context, depth, delay.delayTime);
    slow.connect(sway);
    this.#delays.push({ delay: delay.delayTime, sway: sway.gain, semitones, width });
  }

  // ---- What happens to them.

  /// Widths of pulses are delays, so they follow the pitch: the note with its bends. `seconds` is
  /// the time constant.
  /** @param {number} pitch @param {number} at @param {number} seconds */
  follow(pitch, at, seconds) {
    for (const { delay, sway, semitones, width } of this.#delays) {
      const frequency = hertz(pitch + semitones) * this.#ratio;
      delay.setTargetAtTime((1 - width) / frequency, at, seconds);
      sway.setTargetAtTime(-(this.#numbers.lfo?.width ?? 0) / frequency, at, seconds);
    }
  }

  /// The room has another pitch.
  /** @param {number} ratio @param {number} at */
  tune(ratio, at) {
    this.#ratio = ratio;
    for (const { frequency, semitones } of this.#tuned) {
      frequency.setTargetAtTime(this.#hertz(semitones), at, SMOOTH);
    }
  }

  /** @param {Source[]} sources with other levels @param {number} at */
  shape(sources, at) {
    for (const { level, from } of this.#levels) {
      level.setTargetAtTime(sources[from].level, at, SMOOTH);
    }
  }
}
