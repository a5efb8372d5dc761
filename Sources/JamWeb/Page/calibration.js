// @ts-check
// Finds how much later an output sounds than the browser knows, from eight taps along with the
// click.

export const TAPS = 8;
/// Milliseconds. Taps whose median distance from their common lateness is larger were not along
/// with a click.
const STEADY = 45;
/// A tap may come up to this part of a beat before the click; any other tap counts as late.
const AHEAD = 0.25;

/** @param {number[]} values */
const middle = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
/** @param {number} value @param {number} size */
const modulo = (value, size) => ((value % size) + size) % size;

/// How many milliseconds later hits were recorded than the nearest grid lines, which lie `step`
/// beats apart; null where the hits do not agree.
/// - `most`: a hit counts as late up to this many beats of each step, and as early for the rest of
///   the step.
/// - `steady`: milliseconds. Hits disagree where their median distance from the result is larger.
/**
 * @param {number[]} beats @param {number} tempo
 * @param {{ step?: number, most?: number, steady?: number }} facts
 */
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

/// A hand strays by 25 ms. This share of a sixteenth is more than that, and less than the spread of
/// hits that follow nothing.
const STRAYS = 0.15;

/// Whether all hits of a recording miss the sixteenths by the same amount. Then the recording
/// device has a longer delay than it tells.
/** @param {number[]} beats @param {number} tempo */
export function isOdd(beats, tempo) {
  if (beats.length < TAPS) return false;
  const late = lateness(beats, tempo, { step: 0.25, most: 0.5, steady: (STRAYS * 15_000) / tempo });
  return late !== null && Math.abs(late) > 30;
}

/// The key of an output: its id, with the names of all outputs where the browser tells them.
/** @param {string} sink @param {{ kind: string, deviceId: string, label: string }[]} devices */
export const outputKey = (sink, devices) =>
  [sink, ...devices.filter(({ kind }) => kind === "audiooutput").map(({ deviceId, label }) => label || deviceId)].filter(Boolean).join(", ") || "default";
