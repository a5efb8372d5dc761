// @ts-check
// The voices of this page's own hits, as Web Audio nodes: what the engine would play for them.
//
// Everything that is known when a voice begins is computed into its buffer: a plain address has no
// AudioWorklet, and a gain that is set for a moment may come one hardware buffer late. Gains move
// only what a hand decides later: releases, chokes, levels. It uses nothing of the page.

import { costOf } from "./own-kernel.js";
import {
  FADE, bodyOf, fadeCurve, isPlain, levelOf, planOf, roundOf, shapeOf,
} from "./own-shape.js";

export { chance, panGains, settingsOf, shapeOf } from "./own-shape.js";

/** @typedef {import("./own-shape.js").Sound} Sound */
/** @typedef {import("./own-shape.js").Found} Found */
/** @typedef {import("./own-shape.js").Shape} Shape */
/** @typedef {import("./own-shape.js").Plan} Plan */
/** @typedef {import("./own-shape.js").Settings} Settings */

/// Pads have the numbers 1…16, and the key of a note the number KEYS + note.
export const KEYS = 17;
/// A phone would not carry as many voices as the server does.
const MOST_VOICES = 48;
/// Multiplications that a hit may wait for. A body that takes more is computed ahead, by `prepare`.
const COST_OF_HIT = 600_000;
/// Bytes of bodies that are kept.
const MOST_BYTES = 24 << 20;
/// Seconds: what is left of a sound that the room takes for over counts as over.
const LEFT_OVER = 0.1;
/// Seconds in which a level goes most of its way.
const GLIDE = 0.0015;

/// The bodies of voices that are no plain sounds, kept for the next hit of the same kind.
class Bodies {
  /** @type {Map<string, AudioBuffer>} */
  #kept = new Map();
  #bytes = 0;
  #context;

  /** @param {BaseAudioContext} context */
  constructor(context) { this.#context = context; }

  /** @param {Sound} sound @param {Shape} shape @param {Plan} plan */
  #name(sound, shape, plan) {
    const rate = plan.loop ? "round" : shape.rate;
    return [sound.hash, plan.first, rate, plan.untilFade, plan.fade].join(" ");
  }

  /// - Returns: null where it is not there, and would take too long now.
  /**
   * @param {Sound} sound @param {Shape} shape @param {Plan} plan @param {number} most
   * @returns {AudioBuffer | null}
   */
  body(sound, shape, plan, most) {
    if (isPlain(plan, shape)) return /** @type {AudioBuffer} */ (sound.buffer);
    const name = this.#name(sound, shape, plan);
    const known = this.#kept.get(name);
    if (known) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
      return known;
    }
    const isCopied = plan.loop !== null || shape.rate === 1;
    const { numberOfChannels, sampleRate } = sound.buffer;
    if (!isCopied && costOf(plan.frames, shape.rate) * numberOfChannels > most) return null;
    const channels = plan.loop ? roundOf(sound, plan) : bodyOf(sound, shape, plan);
    const frames = Math.max(1, channels[0].length);
    const made = this.#context.createBuffer(channels.length, frames, sampleRate);
    for (const [number, channel] of channels.entries()) made.copyToChannel(channel, number);
    this.#keep(name, made);
    return made;
  }

  /** @param {string} name @param {AudioBuffer} body */
  #keep(name, body) {
    const bytes = (/** @type {AudioBuffer} */ each) => each.length * each.numberOfChannels * 4;
    this.#kept.set(name, body);
    this.#bytes += bytes(body);
    for (const [oldest, each] of this.#kept) {
      if (this.#bytes <= MOST_BYTES || oldest === name) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes(each);
    }
  }
}

/// One voice.
class OwnVoice {
  isReleased = false;
  isLeaving = false;
  #source;
  /// The gain that a release moves; a voice that is not held has none.
  /** @type {GainNode | null} */
  #held = null;
  #cut;
  /** @type {AudioNode[]} */
  #nodes;
  /// The time at which its decay begins, where that is a gain's.
  #decay = Infinity;
  /// The time at which its sound is over: a fade is as short as what is left of it.
  #end = Infinity;
  /// The time at which the room takes it for over, whatever the room's pitch is.
  told = Infinity;

  /**
   * @param {{
   *   context: BaseAudioContext, target: AudioNode, pad: number, shape: Shape, plan: Plan,
   *   body: AudioBuffer, rate: number, offset: number, time: number, pitch: number,
   *   ended: (voice: OwnVoice) => void,
   * }} start
   */
  constructor({ context, target, pad, shape, plan, body, rate, offset, time, pitch, ended }) {
    this.pad = pad;
    this.shape = shape;
    this.time = time;
    const isWide = Math.abs(shape.left - shape.right) > 1e-6;
    const source = context.createBufferSource();
    this.#source = source;
    source.buffer = body;
    source.playbackRate.value = rate * pitch;
    this.rate = rate;
    if (!plan.loop) {
      this.#end = time + plan.frames / body.sampleRate / pitch;
      const decay = (shape.decayFrames || Infinity) / 48000;
      this.told = time + Math.min(plan.frames / body.sampleRate, decay);
    }
    if (plan.loop) {
      source.loop = true;
      source.loopStart = plan.loop[0] / body.sampleRate;
      source.loopEnd = plan.loop[1] / body.sampleRate;
    }
    this.#cut = context.createGain();
    this.#cut.gain.value = isWide ? 1 : shape.left;
    this.#nodes = [source, this.#cut];
    if (shape.isGated) {
      this.#held = context.createGain();
      this.#nodes.splice(1, 0, this.#held);
      if (shape.decayFrames > 0 && !plan.loop) {
        this.#decay = time + shape.decayFrames / 48000;
        const seconds = FADE.decay / 48000;
        this.#held.gain.setValueCurveAtTime(fadeCurve(seconds, 1), this.#decay, seconds);
      }
    }
    for (const [place, node] of this.#nodes.entries()) {
      if (place > 0) this.#nodes[place - 1].connect(node);
    }
    if (isWide) this.#widen(context, target, body.numberOfChannels, shape);
    else this.#cut.connect(target);
    source.onended = () => {
      for (const node of this.#nodes) node.disconnect();
      ended(this);
    };
    source.start(time, offset);
    if (this.#decay < Infinity) source.stop(this.#decay + FADE.decay / 48000);
  }

  /**
   * @param {BaseAudioContext} context @param {AudioNode} target @param {number} channels
   * @param {Shape} shape
   */
  #widen(context, target, channels, { left, right }) {
    const sides = context.createChannelMerger(2);
    const split = channels === 2 ? context.createChannelSplitter(2) : null;
    if (split) this.#cut.connect(split);
    for (const [side, gain] of [left, right].entries()) {
      const node = context.createGain();
      node.gain.value = gain;
      if (split) split.connect(node, side);
      else this.#cut.connect(node);
      node.connect(sides, 0, side);
      this.#nodes.push(node);
    }
    if (split) this.#nodes.push(split);
    this.#nodes.push(sides);
    sides.connect(target);
  }

  /// The key or the pad was let go of. A tap is heard however short it was.
  /** @param {number} time */
  release(time) {
    if (!this.#held || this.isReleased || this.isLeaving) return;
    this.isReleased = true;
    const at = Math.max(time, this.time);
    if (at >= this.#decay) return;
    const seconds = this.#fitting(this.shape.releaseFrames, at);
    this.#held.gain.cancelScheduledValues(at);
    this.#held.gain.setValueCurveAtTime(fadeCurve(seconds, 1), at, seconds);
    this.#source.stop(at + seconds);
  }

  /// The seconds of a fade that begins then.
  /** @param {number} frames of 48 kHz @param {number} at */
  #fitting(frames, at) { return Math.max(1 / 48000, Math.min(frames / 48000, this.#end - at)); }

  /// Another voice takes its place, or everything ends.
  /** @param {number} time @param {number} frames */
  leave(time, frames) {
    if (this.isLeaving) return;
    this.isLeaving = true;
    const at = Math.max(time, this.time);
    const seconds = this.#fitting(frames, at);
    this.#cut.gain.setValueCurveAtTime(fadeCurve(seconds, this.#cut.gain.value), at, seconds);
    this.#source.stop(at + seconds);
  }

  /// The room's pitch changed.
  /** @param {number} pitch @param {number} time */
  bend(pitch, time) { this.#source.playbackRate.setTargetAtTime(this.rate * pitch, time, 0.02); }
}

/// All voices of one player.
export class OwnVoices {
  #context;
  #target;
  #bodies;
  /** @type {OwnVoice[]} */
  #voices = [];
  /// The level of each pad or key that has sounded.
  /** @type {Map<number, GainNode>} */
  #levels = new Map();
  /** @type {Map<number, number>} */
  #own = new Map();
  /** @type {number[]} */
  #soloed = [];
  #pitch = 1;

  /// - target: the player's channel.
  /** @param {BaseAudioContext} context @param {AudioNode} target */
  constructor(context, target) {
    this.#context = context;
    this.#target = target;
    this.#bodies = new Bodies(context);
  }

  /// The context's time at which a hit of now is to begin; 0 is at once.
  moment = () => 0;

  get count() { return this.#voices.length; }

  /// Computes ahead what the hit with that number needs, if that takes longer than a hit may wait.
  /// Call it while the page rests.
  /** @param {Found | null} found @param {Partial<Settings>} settings @param {number} own */
  prepare(found, settings, own) {
    if (!found) return;
    const shape = shapeOf(found, settings, 1, own);
    const plan = planOf(found.sound, shape);
    if (plan) this.#bodies.body(found.sound, shape, plan, Infinity);
  }

  /// Starts a voice.
  /// - when: the context's time; 0 is at once.
  /// - Returns: null where the page does not sound the hit.
  /**
   * @param {number} pad @param {Found} found @param {Partial<Settings>} settings
   * @param {number} velocity @param {number} own @param {number} [when] @returns {OwnVoice | null}
   */
  start(pad, found, settings, velocity, own, when = 0) {
    if (settings.mode === "loop") return null;
    const shape = shapeOf(found, settings, velocity, own);
    const plan = planOf(found.sound, shape);
    if (!plan) return null;
    const time = Math.max(when || this.moment(), this.#context.currentTime);
    const body = this.#bodies.body(found.sound, shape, plan, COST_OF_HIT);
    this.#choke(pad, shape.choke, when);
    this.#makeRoom(pad, shape.voices, when);
    const target = this.#level(pad, shape.level);
    const offset = plan.loop ? plan.first / found.sound.buffer.sampleRate : 0;
    const rate = plan.loop ? shape.rate : 1;
    const given = body ? { body, rate, offset } : this.#quick(found.sound, shape);
    // The next hit sounds as it should.
    if (!body && !settings.transposeRandom) {
      setTimeout(() => this.prepare(found, settings, own), 50);
    }
    const voice = new OwnVoice({
      context: this.#context, target, pad, shape, plan, ...given, time, pitch: this.#pitch,
      ended: (over) => { this.#voices = this.#voices.filter((each) => each !== over); },
    });
    this.#voices.push(voice);
    return voice;
  }

  /// A transposed body that nobody has computed yet: the browser transposes it, with less of its
  /// high frequencies.
  /** @param {Sound} sound @param {Shape} shape */
  #quick(sound, shape) {
    const straight = { ...shape, rate: 1, decayFrames: Math.round(shape.decayFrames * shape.rate) };
    const plan = /** @type {Plan} */ (planOf(sound, straight));
    const body = /** @type {AudioBuffer} */ (this.#bodies.body(sound, straight, plan, Infinity));
    return { body, rate: shape.rate, offset: 0 };
  }

  /// - Returns: the time from which on a gain can move: what the output has computed already stays.
  /** @param {number} when */
  #soon(when) {
    if (when > 0) return Math.max(when, this.#context.currentTime);
    /** @type {{ currentTime: number, baseLatency?: number }} */
    const { currentTime, baseLatency } = this.#context;
    return currentTime + (baseLatency ?? 0) + 0.003;
  }

  /// A pad's gain without a step in it, for what sounds too.
  /** @param {number} pad @param {number} level */
  #level(pad, level) {
    let node = this.#levels.get(pad);
    const isNew = node === undefined;
    if (!node) {
      node = this.#context.createGain();
      node.connect(this.#target);
      this.#levels.set(pad, node);
    }
    const isHeard = pad >= KEYS || !this.#soloed.length || this.#soloed.includes(pad);
    this.#own.set(pad, level);
    const wanted = isHeard ? level : 0;
    if (isNew || !this.#voices.some((voice) => voice.pad === pad)) {
      node.gain.cancelScheduledValues(0);
      node.gain.value = wanted;
    } else if (node.gain.value !== wanted) {
      node.gain.setTargetAtTime(wanted, this.#context.currentTime, GLIDE);
    }
    return node;
  }

  /** @param {number} pad @param {number} choke @param {number} when */
  #choke(pad, choke, when) {
    if (!choke || pad >= KEYS) return;
    for (const voice of this.#voices) {
      const isOther = voice.pad !== pad && voice.pad < KEYS;
      if (isOther && voice.shape.choke === choke) voice.leave(this.#soon(when), FADE.steal);
    }
  }

  /** @param {number} pad @param {number} most @param {number} when */
  #makeRoom(pad, most, when) {
    const sounding = this.#voices.filter((voice) => !voice.isLeaving);
    const ofPad = sounding.filter((voice) => voice.pad === pad);
    // A key has only the one voice that it is pressed for.
    const isKey = pad >= KEYS;
    const over = isKey ? ofPad : ofPad.slice(0, Math.max(0, ofPad.length - most + 1));
    for (const voice of over) voice.leave(this.#soon(when), isKey ? FADE.note : FADE.steal);
    const others = sounding.filter((voice) => !voice.isLeaving);
    const beyond = others.slice(0, Math.max(0, others.length - MOST_VOICES + 1));
    for (const voice of beyond) voice.leave(this.#soon(when), FADE.steal);
  }

  /// The pad or the key was let go of.
  /** @param {number} pad @param {number} [when] */
  release(pad, when = 0) {
    for (const voice of this.#voices) if (voice.pad === pad) voice.release(this.#soon(when));
  }

  /** @param {number} [when] */
  releaseAll(when = 0) { for (const voice of this.#voices) voice.release(this.#soon(when)); }

  /// Ends everything by a short fade.
  /** @param {number} [when] */
  silence(when = 0) {
    for (const voice of this.#voices) voice.leave(this.#soon(when), FADE.silence);
  }

  /// The room sounds nothing on the pad any more. It has ended early there what would go on here:
  /// another pad's hit has choked it, or somebody has silenced everybody. A hit of the last
  /// `seconds` may not have reached the room yet, and a release ends by itself.
  /** @param {number} pad @param {number} seconds */
  ended(pad, seconds) {
    const { currentTime } = this.#context;
    for (const voice of this.#voices) {
      if (voice.pad !== pad || voice.isReleased || voice.time > currentTime - seconds) continue;
      if (voice.told > currentTime + LEFT_OVER) voice.leave(this.#soon(0), FADE.silence);
    }
  }

  /// A pad's gain or mute changed: for what sounds, too.
  /** @param {number} pad @param {{ gain: number, mute: any }} settings */
  level(pad, settings) { if (this.#levels.has(pad)) this.#level(pad, levelOf(settings)); }

  /// The soloed pads; none is all.
  /** @param {number[]} pads */
  solo(pads) {
    this.#soloed = pads;
    for (const [pad, level] of this.#own) this.#level(pad, level);
  }

  get pitch() { return this.#pitch; }
  /// The room's pitch, as a ratio.
  set pitch(ratio) {
    this.#pitch = ratio;
    for (const voice of this.#voices) voice.bend(ratio, this.#context.currentTime);
  }
}
