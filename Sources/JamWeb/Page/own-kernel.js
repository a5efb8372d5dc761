// @ts-check
// Plays a sound at another rate as the engine does, by the engine's own kernels. A browser's
// playbackRate draws straight lines between the frames: a hat an octave up would ring at wrong
// pitches. It uses nothing of the page.

/// Each kernel: the highest rate that it is for, its taps, and its cosines (`KernelShape`). Cosines
/// below 0.00001 are left out: together they lie below −85 dB.
/** @type {[number, number, number[]][]} */
const SHAPES = [
  [2 / 3, 40, [
    0.025, 0.04999913, 0.05000445, 0.04999365, 0.04999697, 0.05003033, 0.0499278, 0.05011355,
    0.04986928,
    0.05009929, 0.0499965, 0.04984575, 0.05034763, 0.04947353, 0.05062973, 0.04936692, 0.05068621,
    0.0444538,
    0.01940686, 0.00250339]],
  [1.1, 16, [
    0.0625, 0.1249916, 0.12497849, 0.12535257, 0.12399956, 0.12649192, 0.11788432, 0.07080938,
    0.01968435,
    0.00140776]],
  [1.18, 16, [
    0.0625, 0.12504507, 0.12501418, 0.12431097, 0.12639778, 0.1195509, 0.07755187, 0.02515022, 0.00260415]],
  [1.25, 16, [
    0.0625, 0.12505716, 0.12486712, 0.12456215, 0.12666997, 0.10970814, 0.05791216, 0.01322291, 0.00059935]],
  [1.38, 20, [
    0.05, 0.09999619, 0.10017215, 0.09976353, 0.09972046, 0.10100434, 0.08070125, 0.03629842,
    0.00672434,
    0.00025412]],
  [1.501, 20, [
    0.05, 0.10003531, 0.10002098, 0.09943888, 0.10113382, 0.09526775, 0.06038734, 0.01840046,
    0.00159982]],
  [1.75, 24, [
    0.04166667, 0.08330461, 0.08341632, 0.08333699, 0.08288671, 0.08428641, 0.06566696, 0.02609475,
    0.00341546,
    0.0000237]],
  [2.002, 28, [
    0.03571429, 0.07139981, 0.07153236, 0.07136383, 0.07111099, 0.07221049, 0.05679516, 0.02369408,
    0.00357695,
    0.00005932]],
  [2.4, 36, [
    0.02777778, 0.05555544, 0.05552397, 0.05574349, 0.05518351, 0.05587754, 0.05443889, 0.03657506,
    0.01204692,
    0.00122363]],
  [2.83, 40, [
    0.025, 0.04999349, 0.05001135, 0.05009357, 0.04961052, 0.05076853, 0.04377377, 0.02171234,
    0.00430964,
    0.00013526]],
  [3.36, 48, [
    0.02083333, 0.04166237, 0.04166879, 0.04176388, 0.04132869, 0.04227533, 0.03775774, 0.02029715,
    0.00461236,
    0.00020243]],
  [3.7, 56, [
    0.01785714, 0.03570448, 0.03575013, 0.03573162, 0.03547303, 0.03625233, 0.03151857, 0.01674275,
    0.00414416,
    0.00031121]],
  [4.002, 60, [
    0.01666667, 0.03333181, 0.03338843, 0.03327136, 0.03320377, 0.03375025, 0.02788108, 0.01357845,
    0.00297213,
    0.00018075]],
  [5.66, 64, [
    0.015625, 0.03124765, 0.0311337, 0.03152788, 0.02994704, 0.01841587, 0.00476418, 0.00022967]],
  [64, 64, [
    0.015625, 0.03096949, 0.02632469, 0.01363291, 0.00277558, 0.00006968]],
];

const PHASES = 128;

/** @typedef {{ taps: number, rows: Float32Array }} Kernel */

/** @type {(Kernel | undefined)[]} */
const made = [];

/// The kernel for a rate, as a row of weights for each of 128 places between two frames, and one
/// more.
/** @param {number} rate @returns {Kernel} */
export function kernelFor(rate) {
  const found = SHAPES.findIndex(([highest]) => rate <= highest);
  const place = found < 0 ? SHAPES.length - 1 : found;
  const known = made[place];
  if (known) return known;
  const [, taps, cosines] = SHAPES[place];
  const rows = new Float32Array((PHASES + 1) * taps);
  for (let phase = 0; phase <= PHASES; phase += 1) {
    for (let tap = 0; tap < taps; tap += 1) {
      const angle = (2 * Math.PI * (taps / 2 - 1 - tap + phase / PHASES)) / taps;
      let sum = 0;
      for (let k = 0; k < cosines.length; k += 1) sum += cosines[k] * Math.cos(k * angle);
      rows[phase * taps + tap] = sum;
    }
  }
  return (made[place] = { taps, rows });
}

/// How many multiplications `resampled` takes for one channel: a moment for a million of them.
/** @param {number} frames @param {number} rate */
export const costOf = (frames, rate) => frames * kernelFor(rate).taps;

/// `count` frames of a sound from the frame `first` on, at `rate` of its frames for each.
/** @param {Float32Array} source @param {number} first @param {number} rate @param {number} count */
export function resampled(source, first, rate, count) {
  const { taps, rows } = kernelFor(rate);
  const before = taps / 2 - 1;
  const output = new Float32Array(count);
  const length = source.length;
  for (let i = 0; i < count; i += 1) {
    const place = first + i * rate;
    const whole = Math.floor(place);
    const along = (place - whole) * PHASES;
    const phase = Math.floor(along);
    const share = along - phase;
    const row = phase * taps;
    const from = whole - before;
    let low = 0;
    let high = 0;
    const begin = from < 0 ? -from : 0;
    const end = from + taps > length ? length - from : taps;
    for (let tap = begin; tap < end; tap += 1) {
      const value = source[from + tap];
      low += value * rows[row + tap];
      high += value * rows[row + taps + tap];
    }
    output[i] = low + (high - low) * share;
  }
  return output;
}
