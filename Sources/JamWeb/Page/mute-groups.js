// @ts-check
// Which pads are muted together: those whose sounds have the same part in the music. It knows no page.

/** @typedef {{ name: string, pads: number[] }} Group */

/** @type {[string, string[]][]} */
const PARTS = [
  ["Drums", ["kick", "snare", "clap", "tom"]],
  ["Hats", ["hat", "cymbal", "percussion"]],
  ["Bass", ["bass"]],
];
/// Chords, voices, effects, loops.
const REST = "Music";

export const partNames = [...PARTS.map(([name]) => name), REST];

/** @param {string} category */
const partOf = (category) => PARTS.find(([, kinds]) => kinds.includes(category))?.[0] ?? REST;

/// The parts that a kit has, in the order of `partNames`.
/** @param {(pad: number) => string} categoryOf empty where a pad has no sound @param {number} padCount @returns {Group[]} */
export function groupsOf(categoryOf, padCount) {
  const pads = Array.from({ length: padCount }, (_, index) => index + 1).filter((pad) => categoryOf(pad) !== "");
  return partNames.map((name) => ({ name, pads: pads.filter((pad) => partOf(categoryOf(pad)) === name) })).filter((group) => group.pads.length > 0);
}

/// What a tap makes of a group: [pad, muted] of the pads that change.
/** @param {Group} group @param {(pad: number) => boolean} isMuted @returns {[number, boolean][]} */
export function tapped(group, isMuted) {
  const on = !group.pads.every(isMuted);
  return changes(group.pads, () => on, isMuted);
}

/// What a hold makes of it: it plays alone, or all do where it does already.
/** @param {Group} group @param {Group[]} groups @param {(pad: number) => boolean} isMuted @returns {[number, boolean][]} */
export function held(group, groups, isMuted) {
  const pads = groups.flatMap((each) => each.pads);
  const isOwn = (/** @type {number} */ pad) => group.pads.includes(pad);
  const alone = changes(pads, (pad) => !isOwn(pad), isMuted);
  return alone.length > 0 ? alone : changes(pads, () => false, isMuted);
}

/** @param {number[]} pads @param {(pad: number) => boolean} wanted @param {(pad: number) => boolean} isMuted @returns {[number, boolean][]} */
const changes = (pads, wanted, isMuted) => pads.filter((pad) => wanted(pad) !== isMuted(pad)).map((pad) => [pad, wanted(pad)]);
