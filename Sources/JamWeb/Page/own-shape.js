// @ts-check
// A hit in numbers, as the room and the engine compute them: chance, gains, fades. It uses nothing
// of the page.

import { resampled } from "./own-kernel.js";

/**
 * @typedef {{ sampleRate: number, length: number, numberOfChannels: number,
 *   getChannelData: (channel: number) => Float32Array }} Frames
 *   a decoded sound: an AudioBuffer
 * @typedef {{
 *   hash: string, buffer: Frames, loop: [number, number] | null, endsLoud: boolean,
 * }} Sound
 *   its loop in frames of 48 kHz
 * @typedef {{ sound: Sound, gain: number }} Found
 *   the sound of a hit, and the gain of its layer
 * @typedef {{ gain: number, gainRandom: number, pan: number, panRandom: number,
 *   start: number, decay: number, release: number, transpose: number, transposeRandom: number,
 *   mute: any, choke: number, voices: number, mode: string }} Settings
 *   of a pad, in the units of OSC
 * @typedef {{ left: number, right: number, level: number, rate: number,
 *   startFrame: number, decayFrames: number, releaseFrames: number, isGated: boolean,
 *   choke: number, voices: number }} Shape
 *   a hit's numbers, in frames of 48 kHz
 */

/// Frames of 48 kHz in a second.
const RATE = 48000;

/// Lengths of fades, in frames of 48 kHz, as the engine's `Fade` has them.
export const FADE = {
  steal: 96, note: 192, release: 384, silence: 240, decay: 480, end: 96, attack: 48, seam: 240,
};

/// The shortest loop that repeats, in frames of 48 kHz.
const SHORTEST_LOOP = 128;

// ---- Chance.

const MASK = (1n << 64n) - 1n;
/** @type {Record<string, bigint>} */
const STREAMS = { pan: 1n, transpose: 2n, gain: 3n };

/// A value in −1…1 for the hit with that number, as the room's `Chance` has it.
/** @param {number} number @param {"pan" | "transpose" | "gain"} stream */
export function chance(number, stream) {
  let x = (BigInt(number) * 0x9E3779B97F4A7C15n + STREAMS[stream] * 0xD1B54A32D192ED03n) & MASK;
  x = ((x ^ (x >> 30n)) * 0xBF58476D1CE4E5B9n) & MASK;
  x = ((x ^ (x >> 27n)) * 0x94D049BB133111EBn) & MASK;
  x ^= x >> 31n;
  return Number(x >> 40n) / 8388608 - 1;
}

// ---- Gains.

/// The linear gain of decibels: 0 at −60 and below.
/** @param {number} decibels */
export const gainOf = (decibels) => (decibels > -60 ? 10 ** (Math.min(decibels, 200) / 20) : 0);

/// Both sides' gains for a pan of −1…1: constant power, 1 in the middle.
/** @param {number} pan @returns {[number, number]} */
export function panGains(pan) {
  if (!pan) return [1, 1];
  const angle = ((Math.min(Math.max(pan, -1), 1) + 1) * Math.PI) / 4;
  // Beside the ends the sine and the cosine are not quite 0.
  const side = (/** @type {number} */ gain) => (gain < 1e-9 ? 0 : gain * Math.SQRT2);
  return [side(Math.cos(angle)), side(Math.sin(angle))];
}

/// The settings of a pad that nobody has changed.
/** @type {Settings} */
export const PLAIN = {
  gain: 0, gainRandom: 0, pan: 0, panRandom: 0, start: 0, decay: 0, release: 0,
  transpose: 0, transposeRandom: 0, mute: false, choke: 0, voices: 8, mode: "oneshot",
};

/// The settings of a pad, from the values that the room tells.
/**
 * @param {(address: string, otherwise: any) => any} get @param {number} pad 1…16
 * @returns {Settings}
 */
export function settingsOf(get, pad) {
  /** @param {string} what @param {any} otherwise */
  const of = (what, otherwise) => get(`/pad/${pad}/${what}`, otherwise);
  return {
    gain: of("gain", 0), gainRandom: of("gain/random", 0),
    pan: of("pan", 0), panRandom: of("pan/random", 0),
    start: of("start", 0), decay: of("decay", 0), release: of("release", 0),
    transpose: of("transpose", 0), transposeRandom: of("transpose/random", 0),
    mute: of("mute", false), choke: of("choke", 0), voices: of("voices", 8),
    mode: of("mode", "oneshot"),
  };
}

/// The linear level of a pad.
/** @param {{ gain: number, mute: any }} settings */
export const levelOf = ({ gain, mute }) => (mute ? 0 : gainOf(gain));

/// All numbers of a hit.
/**
 * @param {Found} found
 * @param {Partial<Settings>} given
 * @param {number} velocity above 0, at most 1
 * @param {number} own the hit's number for chance
 * @returns {Shape}
 */
export function shapeOf(found, given, velocity, own) {
  const settings = { ...PLAIN, ...given };
  /** @param {number} width @param {"pan" | "transpose" | "gain"} stream */
  const stray = (width, stream) => (width ? width * chance(own, stream) : 0);
  const strength = velocity * velocity * found.gain * gainOf(stray(settings.gainRandom, "gain"));
  const [left, right] = panGains(settings.pan + stray(settings.panRandom, "pan"));
  const semitones = settings.transpose + stray(settings.transposeRandom, "transpose");
  return {
    left: left * strength,
    right: right * strength,
    level: levelOf(settings),
    rate: Math.min(Math.max(2 ** (semitones / 12), 1 / 64), 64),
    startFrame: Math.trunc(settings.start * 48),
    decayFrames: Math.trunc(settings.decay * 48),
    releaseFrames: Math.max(FADE.release, Math.trunc(settings.release * 48)),
    isGated: settings.mode === "gate",
    choke: settings.choke,
    voices: Math.min(Math.max(settings.voices, 1), 8),
  };
}

// ---- Fades.

/// The rest of a fade of `length` frames, with `left` of them to go: 1…0, as the engine's `Curve`.
/** @param {number} left @param {number} length */
export function rest(left, length) {
  if (length <= 96) {
    const isNearEnd = left <= length - left;
    const v = (isNearEnd ? left : length - left) / length;
    const part = v ** 4 * (35 - v * (84 - v * (70 - v * 20)));
    return isNearEnd ? part : 1 - part;
  }
  const isFirstHalf = left > length - left;
  const share = (isFirstHalf ? length - left : left) / length;
  return isFirstHalf ? 1 - 2 * share * share : 2 * share * share;
}

/// A fade from `level` to 0 as points of a curve, for `setValueCurveAtTime`.
/** @param {number} seconds @param {number} level */
export function fadeCurve(seconds, level) {
  const points = Math.min(Math.max(Math.ceil(seconds * 8000), 17), 1024);
  const frames = seconds * RATE;
  const left = (/** @type {number} */ i) => frames * (1 - i / (points - 1));
  return Float32Array.from({ length: points }, (_, i) => level * rest(left(i), frames));
}

// ---- The body of a voice: its frames before gains and releases.

/**
 * @typedef {{ first: number, frames: number, untilFade: number, fade: number, attack: number,
 *   loop: [number, number] | null }} Plan
 *   in frames of the sound's buffer (`first`, `loop`) and of the output (the others)
 */

/// Plans a voice.
/**
 * @param {Sound} sound @param {Shape} shape
 * @returns {Plan | null} null where nothing of the sound would be heard
 */
export function planOf(sound, shape) {
  const scale = sound.buffer.sampleRate / RATE;
  const first = Math.round(shape.startFrame * scale);
  const [begin, end] = (shape.isGated && sound.loop) || [0, 0];
  const isHeld = shape.startFrame < end && end - begin >= SHORTEST_LOOP;
  const count = isHeld ? Math.round(end * scale) : sound.buffer.length;
  if (count <= first) return null;
  /** @type {[number, number] | null} */
  const loop = isHeld ? [Math.round(begin * scale), count] : null;
  const attack = first > 0 ? Math.round(FADE.attack * scale) : 0;
  const all = Math.ceil((count - first) / shape.rate);
  if (loop) return { first, frames: all, untilFade: Infinity, fade: 0, attack, loop };
  let untilFade = sound.endsLoud ? Math.max(0, all - Math.round(FADE.end * scale)) : Infinity;
  // A release takes the place of a decay that has not begun: a held voice has its decay as a gain.
  if (shape.decayFrames > 0 && !shape.isGated) {
    untilFade = Math.min(untilFade, Math.round(shape.decayFrames * scale));
  }
  if (untilFade >= all) return { first, frames: all, untilFade: Infinity, fade: 0, attack, loop };
  const fade = Math.max(1, Math.min(Math.round(FADE.decay * scale), all - untilFade));
  return { first, frames: Math.min(all, untilFade + fade), untilFade, fade, attack, loop };
}

/// Whether the sound as it is decoded is the body.
/** @param {Plan} plan @param {Shape} shape */
export const isPlain = (plan, shape) =>
  plan.first === 0 && shape.rate === 1 && plan.fade === 0 && plan.loop === null;

/** @param {Float32Array} body @param {number} from @param {number} length */
function fadeIn(body, from, length) {
  for (let i = 0; i < length && from + i < body.length; i += 1) {
    body[from + i] *= 1 - rest(length - i, length);
  }
}

/// The body's channels.
/** @param {Sound} sound @param {Shape} shape @param {Plan} plan */
export function bodyOf(sound, shape, plan) {
  const { buffer } = sound;
  return Array.from({ length: buffer.numberOfChannels }, (_, number) => {
    const source = buffer.getChannelData(number);
    const body = shape.rate === 1
      ? source.slice(plan.first, plan.first + plan.frames)
      : resampled(source, plan.first, shape.rate, plan.frames);
    fadeIn(body, 0, plan.attack);
    for (let i = plan.untilFade; i < body.length; i += 1) {
      body[i] *= rest(plan.untilFade + plan.fade - i, plan.fade);
    }
    return body;
  });
}

/// The channels of a sound whose loop repeats while it is held: the end of each round fades into
/// the frames in front of the loop's beginning.
/** @param {Sound} sound @param {Plan} plan */
export function roundOf(sound, plan) {
  const { buffer } = sound;
  const [start, end] = plan.loop ?? [0, buffer.length];
  const wanted = Math.round((FADE.seam * buffer.sampleRate) / RATE);
  const seam = Math.min(wanted, start, Math.floor((end - start) / 2));
  return Array.from({ length: buffer.numberOfChannels }, (_, number) => {
    const body = buffer.getChannelData(number).slice(0, end);
    for (let i = 1; i < seam; i += 1) {
      const place = end - seam + i;
      body[place] += (body[place - (end - start)] - body[place]) * (i / seam);
    }
    fadeIn(body, plan.first, plan.attack);
    return body;
  });
}
