// @ts-check
// One note of a synthesiser by nodes of Web Audio. own-patch.js has its numbers.

import { hashOf, levelAt, numbersOf } from "./own-patch.js";

/** @typedef {import("./own-patch.js").Settings} Settings */
/** @typedef {import("./own-patch.js").Envelope} Envelope */
/** @typedef {import("./own-patch.js").Source} Source */
/** @typedef {import("./own-waves.js").OwnWaves} OwnWaves */
/**
 * @typedef {{
 *   note: number, velocity: number, own: number, at: number, from: number | null,
 *   wheel: number, ratio: number, isMono: boolean,
 * }} Start `from`: the pitch that it glides from; `ratio`: the room's pitch.
 */

/// A context renders so many frames at once.
export const BLOCK = 128;
/// Frames in which an oscillator runs up to the phase in which it begins, at least.
export const RUN_UP = 32;
/// However short a touch was, a note is heard for so long after its attack, of which at most
/// `LONGEST` counts; in seconds.
const SHORTEST = 0.02;
const LONGEST = 0.08;
/// Seconds: the shortest glide of a sounding note to another pitch.
const LEAST_GLIDE = 0.005;
/// The time constant of a moved value, in seconds.
const SMOOTH = 0.005;
/// −84 dB: a note that has fallen to it ends.
const NOTHING = 6e-5;
const MIDDLE = 60;

const hertz = (/** @type {number} */ note) => 440 * 2 ** ((note - 69) / 12);

/// One sounding note.
export class OwnNote {
  /** @type {AudioScheduledSourceNode[]} */
  #running = [];
  /** @type {AudioScheduledSourceNode[]} Those that started already. */
  #early = [];
  /** @type {{ level: AudioParam, from: number }[]} */
  #levels = [];
  /** @type {{ delay: AudioParam, sway: AudioParam, semitones: number, width: number }[]} */
  #delays = [];
  /** @type {{ frequency: AudioParam, semitones: number }[]} */
  #tuned = [];
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
    this.ratio = ratio;

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
    this.#sources(own, into, sum, slow);

    this.#bend = { key: 0, wheel, touch: numbers.pitch };
    this.#way = { from: note, to: note, start: this.at, end: this.at };
    if (from !== null && numbers.glide > 0) this.glide(note, this.at, from);
    else this.pitch.offset.setValueAtTime(this.#cents, this.at);
    for (const source of this.#running) source.start(this.at);
    this.#running.push(...this.#early);
    const { attack, decay, sustain } = numbers.amp;
    if (sustain === 0) this.#stop(this.at + attack - decay * Math.log(NOTHING));
  }

  /** @param {number} value @param {AudioNode | AudioParam} [target] */
  #gain(value, target) {
    const node = new GainNode(this.context, { gain: value });
    if (target instanceof AudioNode) node.connect(target);
    else if (target) node.connect(target);
    return node;
  }

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
    const node = this.#loop(buffer, (lfo.rate * buffer.length) / rounds / buffer.sampleRate);
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

  /** @param {AudioBuffer} buffer @param {number} [playbackRate] */
  #loop(buffer, playbackRate = 1) {
    const node = new AudioBufferSourceNode(this.context, { buffer, loop: true, playbackRate });
    this.#running.push(node);
    return node;
  }

  /**
   * @param {number} own @param {AudioNode} into @param {AudioNode} sum
   * @param {AudioNode | null} slow
   */
  #sources(own, into, sum, slow) {
    const { sources, spread, noise } = this.numbers;
    const isSpread = spread > 0;
    const merger = isSpread ? new ChannelMergerNode(this.context, { numberOfInputs: 2 }) : null;
    merger?.connect(into);
    // The first one lies on the left and the second one on the right.
    const sides = isSpread ? [[1, 1 - spread], [1 - spread, 1], [1, 1]] : [];
    const random = isSpread ? Number(hashOf(own, this.note) & 0xffffffffn) / 2 ** 32 : 0;
    const place = (/** @type {AudioNode} */ node, /** @type {number[]} */ [left, right]) => {
      if (!merger) return node.connect(into);
      for (const [input, share] of [left, right].entries()) {
        if (share === 1) node.connect(merger, 0, input);
        else if (share > 0) {
          const side = this.#gain(share);
          node.connect(side);
          side.connect(merger, 0, input);
        }
      }
    };
    for (const [index, source] of sources.entries()) {
      const level = this.#gain(0);
      level.gain.setValueAtTime(source.level, this.at);
      this.#levels.push({ level: level.gain, from: index });
      // An oscillator that is silent, and that no finger can fade in, needs no node.
      if (source.level === 0 && this.settings["height/mix"] === 0) continue;
      place(level, sides[index] ?? []);
      const frequency = this.#hertz(source.semitones);
      const phase = index === 1 ? random : 0;
      const sway = source.shape === "pulse" ? this.numbers.lfo?.width ?? 0 : 0;
      const isMoving = sway > 0 && slow !== null;
      const shape = isMoving ? "saw" : source.shape;
      const wave = this.waves.wave(shape, source.width);
      const oscillator = this.#oscillator(wave, frequency, phase, level);
      sum.connect(oscillator.detune);
      this.#tuned.push({ frequency: oscillator.frequency, semitones: source.semitones });
      if (isMoving) this.#pulse(oscillator, source, frequency, level, slow);
    }
    if (noise > 0) {
      const level = this.#gain(noise);
      this.#loop(this.waves.noise()).connect(level);
      place(level, [1, 1]);
    }
  }

  /// The frequency of an oscillator without what moves.
  /** @param {number} semitones from the note */
  #hertz(semitones) { return Math.min(hertz(this.note + semitones) * this.ratio, 23_500); }

  /// Web Audio's oscillators begin at phase 0. One that shall begin elsewhere starts a little
  /// earlier, unheard, and just as fast as brings it there. It starts with a block: in Chromium an
  /// oscillator that starts later takes its first frequencies from the block's beginning.
  /**
   * @param {PeriodicWave} wave @param {number} frequency @param {number} phase
   * @param {AudioNode} target
   */
  #oscillator(wave, frequency, phase, target) {
    const node = new OscillatorNode(this.context, { frequency, periodicWave: wave });
    // Once in 128 frames is often enough for a pitch, and takes a third of the work away.
    node.detune.automationRate = "k-rate";
    node.connect(target);
    if (phase > 0) {
      const rate = this.context.sampleRate;
      const frame = Math.round(this.at * rate);
      const first = Math.max(0, BLOCK * Math.floor((frame - RUN_UP) / BLOCK));
      const start = first / rate;
      node.frequency.setValueAtTime((phase * rate) / Math.max(1, frame - first), start);
      node.frequency.setValueAtTime(frequency, this.at);
      node.start(start);
      this.#early.push(node);
    } else {
      this.#running.push(node);
    }
    return node;
  }

  /// Makes a saw a pulse whose width moves: less the same saw a little later.
  /**
   * @param {AudioNode} saw @param {Source} source @param {number} frequency
   * @param {AudioNode} level @param {AudioNode} slow
   */
  #pulse(saw, { semitones, width }, frequency, level, slow) {
    const delay = new DelayNode(this.context, {
      delayTime: (1 - width) / frequency, maxDelayTime: 2 / Math.max(2, frequency),
    });
    saw.connect(delay);
    delay.connect(this.#gain(-1, level));
    const sway = this.#gain(-(this.numbers.lfo?.width ?? 0) / frequency, delay.delayTime);
    slow.connect(sway);
    this.#delays.push({ delay: delay.delayTime, sway: sway.gain, semitones, width });
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

  /// Widths of pulses are delays, so they follow the pitch.
  /** @param {number} at @param {number} seconds the time constant */
  #follow(at, seconds) {
    for (const { delay, sway, semitones, width } of this.#delays) {
      const frequency = hertz(this.#way.to + semitones + this.#cents / 100) * this.ratio;
      delay.setTargetAtTime((1 - width) / frequency, at, seconds);
      sway.setTargetAtTime(-(this.numbers.lfo?.width ?? 0) / frequency, at, seconds);
    }
  }

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
    this.ratio = ratio;
    for (const { frequency, semitones } of this.#tuned) {
      frequency.setTargetAtTime(this.#hertz(semitones), at, SMOOTH);
    }
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
    for (const { level, from } of this.#levels) {
      level.setTargetAtTime(numbers.sources[from].level, at, SMOOTH);
    }
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
