// @ts-check
// Waves and buffers that the page's own notes share.

import { partialsOf } from "./own-patch.js";

/// Waves that are kept; each takes half a megabyte.
const MOST = 12;
/// Frames of one round of a slow wave, and rounds of one that jumps at random.
const ROUND = 1024;
const ROUNDS = 32;

/// The values of slow waves over one round.
/** @type {Record<string, (phase: number) => number>} */
const SLOW = {
  sine: (phase) => Math.sin(2 * Math.PI * phase),
  triangle: (phase) => 1 - 4 * Math.abs(((phase + 0.25) % 1) - 0.5),
  saw: (phase) => 1 - 2 * phase,
  square: (phase) => (phase < 0.5 ? 1 : -1),
};

export class OwnWaves {
  /** @type {Map<string, PeriodicWave>} */
  #waves = new Map();
  /** @type {Map<string, AudioBuffer>} */
  #buffers = new Map();

  /** @param {BaseAudioContext} context */
  constructor(context) { this.context = context; }

  /** @type {WeakMap<BaseAudioContext, OwnWaves>} */
  static #all = new WeakMap();
  /// The waves of a context.
  /** @param {BaseAudioContext} context */
  static of(context) {
    const known = OwnWaves.#all.get(context) ?? new OwnWaves(context);
    OwnWaves.#all.set(context, known);
    return known;
  }

  /** @param {string} shape @param {number} width */
  wave(shape, width) {
    const key = shape === "pulse" ? `pulse ${width.toFixed(3)}` : shape;
    const known = this.#waves.get(key);
    if (known) return known;
    const { real, imag } = partialsOf(shape, width);
    const wave = this.context.createPeriodicWave(real, imag, { disableNormalization: true });
    if (this.#waves.size >= MOST) this.#waves.clear();
    this.#waves.set(key, wave);
    return wave;
  }

  /// Two seconds of noise.
  noise() {
    return this.#buffer("noise", 2 * this.context.sampleRate, () => Math.random() * 2 - 1);
  }

  /// A slow wave, which is played round and round, and the rounds in its buffer.
  /** @param {string} shape */
  slow(shape) {
    const value = SLOW[shape];
    if (value) return { rounds: 1, buffer: this.#buffer(shape, ROUND, (i) => value(i / ROUND)) };
    let step = 0;
    const buffer = this.#buffer("random", ROUND * ROUNDS, (i) => {
      if (i % ROUND === 0) step = Math.random() * 2 - 1;
      return step;
    });
    return { rounds: ROUNDS, buffer };
  }

  /** @param {string} key @param {number} frames @param {(frame: number) => number} value */
  #buffer(key, frames, value) {
    const known = this.#buffers.get(key);
    if (known) return known;
    const buffer = this.context.createBuffer(1, frames, this.context.sampleRate);
    const channel = buffer.getChannelData(0);
    for (let i = 0; i < frames; i += 1) channel[i] = value(i);
    this.#buffers.set(key, buffer);
    return buffer;
  }
}
