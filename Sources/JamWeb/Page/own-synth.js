// @ts-check
// The notes of a synthesiser that the page sounds itself, by nodes of Web Audio. They are near to
// the engine's notes of the same patch; own-patch.js has the numbers.

import { hashOf, levelAt, numbersOf, partialsOf } from "./own-patch.js";

/** @typedef {import("./own-patch.js").Settings} Settings */
/** @typedef {import("./own-patch.js").Envelope} Envelope */

/// A context renders so many frames at once.
const BLOCK = 128;
/// Frames in which an oscillator runs up to the phase in which it begins, at least.
const RUN_UP = 32;
/// Frames by which a note begins behind the context's time, so that its attack is not cut off: the
/// context may have rendered its next block already. The run-up begins with the block after that.
const LEAD = BLOCK + RUN_UP + 2;
/// Notes at once, fewer than the engine's 64: a phone has to render them.
const MOST = 16;
/// Seconds: the fade of a note that makes room, and of all notes when they are silenced.
const STOLEN = 0.004;
const SILENCED = 0.005;
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
/// Waves that are kept; each takes half a megabyte.
const WAVES = 12;
const MIDDLE = 60;

const hertz = (/** @type {number} */ note) => 440 * 2 ** ((note - 69) / 12);

/// Buffers and waves that notes share, for one context.
class Waves {
  /** @type {Map<string, PeriodicWave>} */
  #waves = new Map();
  /** @type {Map<string, AudioBuffer>} */
  #buffers = new Map();

  /** @param {BaseAudioContext} context */
  constructor(context) { this.context = context; }

  /** @param {string} shape @param {number} width */
  wave(shape, width) {
    const key = `${shape} ${shape === "pulse" ? width.toFixed(3) : ""}`;
    const known = this.#waves.get(key);
    if (known) return known;
    const { real, imag } = partialsOf(shape, width);
    const wave = this.context.createPeriodicWave(real, imag, { disableNormalization: true });
    if (this.#waves.size >= WAVES) this.#waves.clear();
    this.#waves.set(key, wave);
    return wave;
  }

  /// Two seconds of noise.
  noise() { return this.#buffer("noise", 2 * this.context.sampleRate, () => Math.random() * 2 - 1); }

  /// One round of a slow wave; of `random` many, one step each.
  /** @param {string} shape */
  slow(shape) {
    const turns = shape === "random" ? 32 : 1;
    const frames = 1024 * turns;
    let step = 0;
    return {
      turns,
      buffer: this.#buffer(shape, frames, (i) => {
        const phase = i / frames;
        if (shape === "sine") return Math.sin(2 * Math.PI * phase);
        if (shape === "triangle") return phase < 0.25 ? 4 * phase : phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4;
        if (shape === "saw") return 1 - 2 * phase;
        if (shape === "square") return phase < 0.5 ? 1 : -1;
        if (i % 1024 === 0) step = Math.random() * 2 - 1;
        return step;
      }),
    };
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

/// One sounding note.
class Note {
  /** @type {AudioScheduledSourceNode[]} */
  #running = [];
  /** @type {AudioScheduledSourceNode[]} Those that started already. */
  #early = [];
  /** @type {{ level: AudioParam, from: number }[]} */
  #levels = [];
  /** @type {{ delay: AudioParam, sway: AudioParam, semitones: number, width: number }[]} */
  #delays = [];
  /** @type {AudioParam | null} */
  #cutoff = null;
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
   * @param {Waves} waves
   * @param {AudioNode} output
   * @param {Settings} settings
   * @param {{ note: number, velocity: number, own: number, height: number, at: number, from: number | null, wheel: number, ratio: number, isMono: boolean }} start
   */
  constructor(waves, output, settings, { note, velocity, own, height, at, from, wheel, ratio, isMono }) {
    const numbers = numbersOf(settings, velocity, height);
    const { context } = waves;
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
    this.#sources(waves, own, into, sum, slow);

    this.#bend = { key: 0, wheel, touch: numbers.pitch };
    this.#way = { from: note, to: note, start: this.at, end: this.at };
    if (from !== null && numbers.glide > 0) this.glide(note, this.at, from);
    else this.pitch.offset.setValueAtTime(this.#cents, this.at);
    for (const source of this.#running) source.start(this.at);
    this.#running.push(...this.#early);
    if (numbers.amp.sustain === 0) this.#stop(this.at + numbers.amp.attack - numbers.amp.decay * Math.log(NOTHING));
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
  /** @param {AudioParam} param @param {Envelope} envelope @param {number} low @param {number} high */
  #rise(param, { attack, sustain, decay }, low, high) {
    param.setValueAtTime(low, this.at);
    param.linearRampToValueAtTime(high, this.at + attack);
    param.setTargetAtTime(low + (high - low) * sustain, this.at + attack, decay);
  }

  /// An envelope falls to nothing from `at` on.
  /** @param {AudioParam} param @param {Envelope} envelope @param {number} high @param {number} at */
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
    const octaves = filter.octaves + (filter.tracking * (this.note - MIDDLE)) / 12;
    this.#filter = new BiquadFilterNode(this.context, {
      type: filter.mode === "high" ? "highpass" : filter.mode === "band" ? "bandpass" : "lowpass",
      frequency: Math.min(10 * 2 ** octaves, this.context.sampleRate / 2),
      // Web Audio takes the Q of low-passes and high-passes in dB.
      Q: filter.mode === "band" ? filter.q : 20 * Math.log10(filter.q),
    });
    this.#filter.connect(amp);
    this.#cutoff = this.#filter.detune;
    this.#rise(this.#cutoff, filter.shape, 0, 1200 * filter.envelope);
    if (filter.tracking > 0) sum.connect(this.#gain(filter.tracking, this.#filter.detune));
    return this.#filter;
  }

  /// The slow oscillator, and all that it moves but widths.
  /** @param {AudioNode} sum @param {GainNode} tremolo */
  #slow(sum, tremolo) {
    const { lfo } = this.numbers;
    if (!lfo) return null;
    const { buffer, turns } = waves(this.context).slow(lfo.shape);
    const rate = (lfo.rate * buffer.length) / turns / buffer.sampleRate;
    const node = new AudioBufferSourceNode(this.context, { buffer, loop: true, playbackRate: rate });
    this.#running.push(node);
    const depth = this.#gain(lfo.attack > 0 ? 0 : 1);
    node.connect(depth);
    if (lfo.attack > 0) {
      depth.gain.setValueAtTime(0, this.at);
      depth.gain.linearRampToValueAtTime(1, this.at + lfo.attack);
    }
    if (lfo.pitch > 0) depth.connect(this.#gain(100 * lfo.pitch, sum));
    if (lfo.filter > 0 && this.#filter) depth.connect(this.#gain(1200 * lfo.filter, this.#filter.detune));
    if (lfo.level > 0) {
      tremolo.gain.value = 1 - lfo.level / 2;
      depth.connect(this.#gain(lfo.level / 2, tremolo.gain));
    }
    return depth;
  }

  /** @param {Waves} shared @param {number} own @param {AudioNode} into @param {AudioNode} sum @param {AudioNode | null} slow */
  #sources(shared, own, into, sum, slow) {
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
      const frequency = Math.min(hertz(this.note + source.semitones) * this.ratio, 23_500);
      const phase = index === 1 ? random : 0;
      const width = source.shape === "pulse" && slow && this.numbers.lfo ? this.numbers.lfo.width : 0;
      if (width > 0) this.#moving(shared, source, { frequency, phase, width, level, sum, slow });
      else sum.connect(this.#oscillator(shared.wave(source.shape, source.width), frequency, phase, level).detune);
    }
    if (noise > 0) {
      const buffer = shared.noise();
      const node = new AudioBufferSourceNode(this.context, { buffer, loop: true });
      this.#running.push(node);
      const level = this.#gain(noise);
      node.connect(level);
      place(level, [1, 1]);
    }
  }

  /// Web Audio's oscillators begin at phase 0. One that shall begin elsewhere starts a little
  /// earlier, unheard, and just as fast as brings it there. It starts with a block: in Chromium an
  /// oscillator that starts later takes its first frequencies from the block's beginning.
  /** @param {PeriodicWave} wave @param {number} frequency @param {number} phase @param {AudioNode} target */
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

  /// A pulse whose width moves: a saw less the same saw a little later.
  /** @param {Waves} shared @param {{ semitones: number, width: number }} source
   * @param {{ frequency: number, phase: number, width: number, level: AudioNode, sum: AudioNode, slow: AudioNode | null }} with_ */
  #moving(shared, source, { frequency, phase, width, level, sum, slow }) {
    const saw = this.#oscillator(shared.wave("saw", 0.5), frequency, phase, level);
    sum.connect(saw.detune);
    const base = (1 - source.width) / frequency;
    const delay = new DelayNode(this.context, { delayTime: base, maxDelayTime: 2 / Math.max(2, frequency) });
    saw.connect(delay);
    delay.connect(this.#gain(-1, level));
    const sway = this.#gain(-width / frequency, delay.delayTime);
    slow?.connect(sway);
    this.#delays.push({ delay: delay.delayTime, sway: sway.gain, semitones: source.semitones, width: source.width });
  }

  // ---- What happens to it.

  get #cents() { return 100 * (this.#bend.key + this.#bend.wheel + this.#bend.touch); }
  get isReleased() { return this.released < Infinity; }

  /// The pitch without bends, in semitones.
  /** @param {number} at */
  pitchAt(at) {
    const { from, to, start, end } = this.#way;
    return at >= end ? to : at <= start ? from : from + ((to - from) * (at - start)) / (end - start);
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
    for (const { level, from } of this.#levels) level.setTargetAtTime(numbers.sources[from].level, at, SMOOTH);
    if (this.#filter && numbers.filter && this.numbers.filter) {
      const octaves = numbers.filter.octaves + (numbers.filter.tracking * (this.note - MIDDLE)) / 12;
      this.#filter.frequency.setTargetAtTime(Math.min(10 * 2 ** octaves, this.context.sampleRate / 2), at, SMOOTH);
    }
  }

  /** @param {number} at */
  release(at) {
    if (this.isReleased) return;
    const { amp, filter } = this.numbers;
    const moment = Math.max(at, this.at + SHORTEST + Math.min(amp.attack, LONGEST));
    this.released = moment;
    this.#fall(this.amp, amp, 1, moment);
    if (filter && this.#cutoff) this.#fall(this.#cutoff, filter.shape, 1200 * filter.envelope, moment);
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

/// Waves by context: notes of all synthesisers share them.
/** @type {WeakMap<BaseAudioContext, Waves>} */
const all = new WeakMap();
/** @param {BaseAudioContext} context */
function waves(context) {
  const known = all.get(context) ?? new Waves(context);
  all.set(context, known);
  return known;
}

/// A player's notes of synthesisers.
///
/// Its rules are those of the engine: in the modes of one note the last key that is held sounds,
/// and gives the note back to the key before; beyond `MOST` notes the oldest that was let go of
/// ends, or else the oldest.
export class OwnSynth {
  /** @type {Note[]} Oldest first. */
  #notes = [];
  /** @type {number[]} Keys of the modes of one note that are held, the last one last. */
  #held = [];
  /** @type {Note | null} */
  #mono = null;
  /** @type {number | null} The pitch from which the next note glides. */
  #pitch = null;
  /// Semitones of the wheel.
  #wheel = 0;
  /// The room's pitch, for notes that begin.
  ratio = 1;

  /** @param {BaseAudioContext} context @param {AudioNode} output */
  constructor(context, output) {
    this.context = context;
    this.output = output;
  }

  /// Makes ready what the first note of a patch would wait for.
  /** @param {Settings} settings */
  prepare(settings) {
    for (const { shape, width, level } of numbersOf(settings, 1).sources) if (level > 0) waves(this.context).wave(shape, width);
  }

  /// The context's time at which something may begin.
  get #soon() { return this.context.currentTime + LEAD / this.context.sampleRate; }

  /// The notes that were not told to end.
  get count() { return this.#sounding(this.context.currentTime).filter((note) => !note.isReleased).length; }

  /** @param {number} now */
  #sounding(now) {
    this.#notes = this.#notes.filter((note) => note.over > now);
    return this.#notes;
  }

  /// Presses a key.
  /** @param {number} key a note, 0…127 @param {number} velocity 0…1 @param {number} own the hit's number
   * @param {Settings} settings @param {number} [when] the context's time; left out, as soon as possible */
  press(key, velocity, own, settings, when = this.#soon) {
    const isMono = settings.mode !== "poly";
    if (isMono) {
      this.#held = [...this.#held.filter((held) => held !== key), key].slice(-16);
      if (settings.mode === "legato" && this.#mono && !this.#mono.isReleased && this.#mono.settings.id === settings.id) {
        this.#mono.go(key, when);
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
    const note = new Note(waves(this.context), this.output, settings, {
      note: key, velocity, own, height: 0.5, at: when, from: this.#pitch, wheel: this.#wheel, ratio: this.ratio, isMono,
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
    for (const note of this.#sounding(when)) if (note.goal === key && !note.isMono) note.release(when);
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
    for (const note of this.#sounding(now)) if (note.goal === key && !note.isReleased) note.shape(settings, height, now);
  }

  /// Bends one key's notes, in semitones.
  /** @param {number} key @param {number} semitones */
  bend(key, semitones, now = this.context.currentTime) {
    for (const note of this.#sounding(now)) if (note.goal === key && !note.isReleased) note.bend({ key: semitones }, now);
  }

  /// Bends all notes, also those that come, in semitones.
  /** @param {number} semitones */
  wheel(semitones, now = this.context.currentTime) {
    if (semitones === this.#wheel) return;
    this.#wheel = semitones;
    for (const note of this.#sounding(now)) note.bend({ wheel: semitones }, now);
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
