// @ts-check
// One note of a synthesiser by nodes of Web Audio. own-patch.js has its numbers.

import { OwnOscillators, SMOOTH, gainNode } from "./own-oscillators.js";
import { levelAt, numbersOf } from "./own-patch.js";

/** @typedef {import("./own-patch.js").Settings} Settings */
/** @typedef {import("./own-patch.js").Envelope} Envelope */
/** @typedef {import("./own-waves.js").OwnWaves} OwnWaves */
/**
 * @typedef {{
 *   note: number, velocity: number, own: number, at: number, from: number | null,
 *   wheel: number, ratio: number, isMono: boolean,
 * }} Start `from`: the pitch that it glides from; `ratio`: the room's pitch.
 */

/// However short a touch was, a note is heard for so long after its attack, of which at most
/// `LONGEST` counts; in seconds.
const SHORTEST = 0.02;
const LONGEST = 0.08;
/// Seconds: the shortest glide of a sounding note to another pitch.
const LEAST_GLIDE = 0.005;
/// −84 dB: a note that has fallen to it ends.
const NOTHING = 6e-5;
const MIDDLE = 60;

/// One sounding note.
export class OwnNote {
  /** @type {AudioScheduledSourceNode[]} */
  #running = [];
  /** @type {BiquadFilterNode | null} */
  #filter = null;
  /// The pitch's way, in semitones by the context's time.
  #way = { from: 0, to: 0, start: 0, end: 0 };
  #bend = { key: 0, wheel: 0, touch: 0 };
  #isFading = false;
  /// When its key was let go of, and when all of it is over.
  released = Infinity;
  over = Infinity;

  /**
   * @param {OwnWaves} waves
   * @param {AudioNode} output
   * @param {Settings} settings
   * @param {Start} start
   */
  constructor(waves, output, settings, start) {
    const { note, velocity, own, at, from, wheel, ratio, isMono } = start;
    const numbers = numbersOf(settings, velocity);
    const { context } = waves;
    this.waves = waves;
    this.context = context;
    this.settings = settings;
    this.numbers = numbers;
    this.velocity = velocity;
    this.note = note;
    this.goal = note;
    // On a frame, so that phases are exact.
    this.at = Math.round(at * context.sampleRate) / context.sampleRate;
    this.isMono = isMono;

    this.output = this.#gain(1);
    this.output.connect(output);
    this.loudness = this.#gain(numbers.loudness, this.output);
    const tremolo = this.#gain(1, this.loudness);
    const amp = this.#gain(0, tremolo);
    this.amp = amp.gain;
    this.#rise(this.amp, numbers.amp, 0, 1);

    // In cents, for all oscillators at once.
    this.pitch = this.#constant(0);
    const sum = this.#gain(1);
    this.pitch.connect(sum);

    const into = this.#filterInto(amp, sum);
    const slow = this.#slow(sum, tremolo);
    const fades = settings["height/mix"] !== 0;
    const begins = { note, own, at: this.at, ratio, fades };
    this.oscillators = new OwnOscillators(waves, numbers, begins, { into, sum, slow });
    const { starting, started } = this.oscillators;

    this.#bend = { key: 0, wheel, touch: numbers.pitch };
    this.#way = { from: note, to: note, start: this.at, end: this.at };
    if (from !== null && numbers.glide > 0) this.glide(note, this.at, from);
    else this.pitch.offset.setValueAtTime(this.#cents, this.at);
    this.#running.push(...starting);
    for (const source of this.#running) source.start(this.at);
    this.#running.push(...started);
    const { attack, decay, sustain } = numbers.amp;
    if (sustain === 0) this.#stop(this.at + attack - decay * Math.log(NOTHING));
  }

  /** @param {number} value @param {AudioNode | AudioParam} [target] */
  #gain(value, target) { return gainNode(this.context, value, target); }

  /** @param {number} value */
  #constant(value) {
    const node = new ConstantSourceNode(this.context, { offset: value });
    this.#running.push(node);
    return node;
  }

  /// An envelope from its beginning on: straight up, then falling to its sustain.
  /**
   * @param {AudioParam} param @param {Envelope} envelope
   * @param {number} low @param {number} high
   */
  #rise(param, { attack, sustain, decay }, low, high) {
    param.setValueAtTime(low, this.at);
    param.linearRampToValueAtTime(high, this.at + attack);
    param.setTargetAtTime(low + (high - low) * sustain, this.at + attack, decay);
  }

  /// An envelope falls to nothing from `at` on.
  /**
   * @param {AudioParam} param @param {Envelope} envelope
   * @param {number} high @param {number} at
   */
  #fall(param, envelope, high, at) {
    const since = at - this.at;
    param.cancelScheduledValues(at);
    const level = high * levelAt(envelope, since);
    // A rise that is cut short keeps its slope until then.
    if (since <= envelope.attack) param.linearRampToValueAtTime(level, at);
    else param.setValueAtTime(level, at);
    param.setTargetAtTime(0, at, envelope.release);
  }

  /// The filter in front of the level, or the level itself where the patch has none.
  /** @param {AudioNode} amp @param {AudioNode} sum of all that moves the pitch, in cents */
  #filterInto(amp, sum) {
    const { filter } = this.numbers;
    if (!filter) return amp;
    this.#filter = new BiquadFilterNode(this.context, {
      type: filter.mode === "high" ? "highpass" : filter.mode === "band" ? "bandpass" : "lowpass",
      frequency: this.#cutoffOf(filter),
      // Web Audio takes the Q of low-passes and high-passes in dB.
      Q: filter.mode === "band" ? filter.q : 20 * Math.log10(filter.q),
    });
    this.#filter.connect(amp);
    this.#rise(this.#filter.detune, filter.shape, 0, 1200 * filter.envelope);
    if (filter.tracking > 0) sum.connect(this.#gain(filter.tracking, this.#filter.detune));
    return this.#filter;
  }

  /// The cutoff in Hz without what moves.
  /** @param {{ octaves: number, tracking: number }} filter */
  #cutoffOf({ octaves, tracking }) {
    const all = octaves + (tracking * (this.note - MIDDLE)) / 12;
    return Math.min(10 * 2 ** all, this.context.sampleRate / 2);
  }

  /// The slow oscillator, and all that it moves but widths.
  /** @param {AudioNode} sum @param {GainNode} tremolo */
  #slow(sum, tremolo) {
    const { lfo } = this.numbers;
    if (!lfo) return null;
    const { buffer, rounds } = this.waves.slow(lfo.shape);
    const playbackRate = (lfo.rate * buffer.length) / rounds / buffer.sampleRate;
    const node = new AudioBufferSourceNode(this.context, { buffer, loop: true, playbackRate });
    this.#running.push(node);
    const depth = this.#gain(lfo.attack > 0 ? 0 : 1);
    node.connect(depth);
    if (lfo.attack > 0) {
      depth.gain.setValueAtTime(0, this.at);
      depth.gain.linearRampToValueAtTime(1, this.at + lfo.attack);
    }
    if (lfo.pitch > 0) depth.connect(this.#gain(100 * lfo.pitch, sum));
    if (lfo.filter > 0 && this.#filter) {
      depth.connect(this.#gain(1200 * lfo.filter, this.#filter.detune));
    }
    if (lfo.level > 0) {
      tremolo.gain.value = 1 - lfo.level / 2;
      depth.connect(this.#gain(lfo.level / 2, tremolo.gain));
    }
    return depth;
  }

  // ---- What happens to it.

  get #cents() { return 100 * (this.#bend.key + this.#bend.wheel + this.#bend.touch); }
  get isReleased() { return this.released < Infinity; }

  /// The pitch without bends, in semitones.
  /** @param {number} at */
  pitchAt(at) {
    const { from, to, start, end } = this.#way;
    if (at >= end) return to;
    return at <= start ? from : from + ((to - from) * (at - start)) / (end - start);
  }

  /** @param {number} note @param {number} at @param {number} [from] */
  glide(note, at, from = this.pitchAt(at)) {
    const end = at + Math.max(LEAST_GLIDE, this.numbers.glide);
    this.#way = { from, to: note, start: at, end };
    const { offset } = this.pitch;
    offset.cancelScheduledValues(at);
    offset.setValueAtTime(100 * (from - this.note) + this.#cents, at);
    offset.linearRampToValueAtTime(100 * (note - this.note) + this.#cents, end);
    this.#follow(at, Math.max(LEAST_GLIDE, this.numbers.glide) / 4);
  }

  /// The widths of pulses follow the pitch.
  /** @param {number} at @param {number} seconds the time constant */
  #follow(at, seconds) { this.oscillators.follow(this.#way.to + this.#cents / 100, at, seconds); }

  /// The note belongs to another key from now on.
  /** @param {number} key @param {number} at */
  go(key, at) {
    this.goal = key;
    this.#bend.key = 0;
    this.glide(key, at);
  }

  /// The room has another pitch. The cutoff does not follow that.
  /** @param {number} ratio @param {number} at */
  tune(ratio, at) {
    this.oscillators.tune(ratio, at);
    this.#follow(at, SMOOTH);
  }

  /** @param {Partial<{ key: number, wheel: number }>} bend in semitones @param {number} at */
  bend(bend, at) {
    const before = this.#cents;
    Object.assign(this.#bend, bend);
    const { to, end } = this.#way;
    const { offset } = this.pitch;
    const target = 100 * (to - this.note) + this.#cents;
    this.#follow(at, SMOOTH);
    if (at >= end) {
      offset.setTargetAtTime(target, at, SMOOTH);
      return;
    }
    // Within a glide the way goes on to the bent pitch. Without the first value the whole glide
    // would be taken back.
    offset.cancelScheduledValues(at);
    offset.setValueAtTime(100 * (this.pitchAt(at) - this.note) + before, at);
    offset.linearRampToValueAtTime(target, end);
  }

  /// The finger lies at another height, or the patch has other settings: what can follow, does.
  /** @param {Settings} settings @param {number} height @param {number} at */
  shape(settings, height, at) {
    const numbers = numbersOf(settings, this.velocity, height);
    this.settings = settings;
    this.loudness.gain.setTargetAtTime(numbers.loudness, at, SMOOTH);
    this.oscillators.shape(numbers.sources, at);
    if (this.#filter && numbers.filter) {
      this.#filter.frequency.setTargetAtTime(this.#cutoffOf(numbers.filter), at, SMOOTH);
    }
  }

  /** @param {number} at */
  release(at) {
    if (this.isReleased) return;
    const { amp, filter } = this.numbers;
    const moment = Math.max(at, this.at + SHORTEST + Math.min(amp.attack, LONGEST));
    this.released = moment;
    this.#fall(this.amp, amp, 1, moment);
    if (filter && this.#filter) {
      this.#fall(this.#filter.detune, filter.shape, 1200 * filter.envelope, moment);
    }
    const level = levelAt(amp, moment - this.at);
    this.#stop(moment + (level > NOTHING ? amp.release * Math.log(level / NOTHING) : 0));
  }

  /// Ends by a fade.
  /** @param {number} at @param {number} seconds */
  fade(at, seconds) {
    if (this.#isFading) return;
    this.#isFading = true;
    this.released = Math.min(this.released, at);
    this.output.gain.setValueAtTime(1, at);
    this.output.gain.linearRampToValueAtTime(0, at + seconds);
    this.#stop(at + seconds);
  }

  /** @param {number} at */
  #stop(at) {
    if (at >= this.over) return;
    this.over = at;
    for (const source of this.#running) source.stop(at);
    this.pitch.onended = () => this.output.disconnect();
  }
}
