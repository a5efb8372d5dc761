// @ts-check
// How much later an output sounds than the browser knows, found by eight taps along with the click.

export const TAPS = 8;
/// Taps that stray by more than so many milliseconds in the middle were not along with a click.
const STEADY = 45;
/// A hand may come so much of a beat before the click; all else is late.
const AHEAD = 0.25;

/** @param {number[]} values */
const middle = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
/** @param {number} value @param {number} size */
const modulo = (value, size) => ((value % size) + size) % size;

/// How much later than the lines that lie `step` beats apart hits were taken down, in milliseconds; null where they do not agree.
/// - `most`: they are taken for less than so many steps late, and for the rest of a step early.
/** @param {number[]} beats @param {number} tempo @param {{ step?: number, most?: number, steady?: number }} facts */
export function lateness(beats, tempo, { step = 1, most = 1 - AHEAD, steady = STEADY } = {}) {
  const size = (step * 60_000) / tempo;
  const places = beats.map((each) => (modulo(each, step) / step) * size);
  // Places on a circle have no middle of their own: first where most of them lie, then the middle around that.
  const turn = (2 * Math.PI) / size;
  const sum = (/** @type {(angle: number) => number} */ part) => places.reduce((all, each) => all + part(each * turn), 0);
  const centre = Math.atan2(sum(Math.sin), sum(Math.cos)) / turn;
  const late = places.map((each) => centre + modulo(each - centre + size / 2, size) - size / 2);
  const found = middle(late);
  if (middle(late.map((each) => Math.abs(each - found))) > steady) return null;
  return (modulo(found / size + 1 - most, 1) - (1 - most)) * size;
}

/// A hand strays by 25 ms. So much of a sixteenth is more, and still less than where hits lie that follow nothing.
const STRAYS = 0.15;

/// Whether a recording lies beside the sixteenths, all of it by as much: its device is later than it says.
/** @param {number[]} beats @param {number} tempo */
export function isOdd(beats, tempo) {
  if (beats.length < TAPS) return false;
  const late = lateness(beats, tempo, { step: 0.25, most: 0.5, steady: (STRAYS * 15_000) / tempo });
  return late !== null && Math.abs(late) > 30;
}

/// What stands for an output: its id, and the names of all that there are, where the browser tells them.
/** @param {string} sink @param {{ kind: string, deviceId: string, label: string }[]} devices */
export const outputKey = (sink, devices) =>
  [sink, ...devices.filter(({ kind }) => kind === "audiooutput").map(({ deviceId, label }) => label || deviceId)].filter(Boolean).join(", ") || "default";
