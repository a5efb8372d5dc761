// @ts-check
// The groups of pads that are muted together: their sounds have the same part in the music. This
// uses nothing of the page.

/** @typedef {{ name: string, pads: number[] }} Group */

/** @type {[string, string[]][]} */
const PARTS = [
  ["Drums", ["kick", "snare", "clap", "tom"]],
  ["Hats", ["hat", "cymbal", "percussion"]],
  ["Bass", ["bass"]],
];
/// All other sounds: chords, voices, effects, loops.
const REST = "Music";

export const partNames = [...PARTS.map(([name]) => name), REST];

/** @param {string} category */
const partOf = (category) => PARTS.find(([, kinds]) => kinds.includes(category))?.[0] ?? REST;

/// The groups of a kit, in the order of `partNames`.
/**
 * @param {(pad: number) => string} categoryOf empty where a pad has no sound
 * @param {number} padCount @returns {Group[]}
 */
export function groupsOf(categoryOf, padCount) {
  const pads = Array.from({ length: padCount }, (_, index) => index + 1).filter((pad) => categoryOf(pad) !== "");
  return partNames.map((name) => ({ name, pads: pads.filter((pad) => partOf(categoryOf(pad)) === name) })).filter((group) => group.pads.length > 0);
}

/// The effect of a tap on a group, as [pad, muted] of the pads that change: mutes the group, or
/// unmutes it where all its pads are muted.
/** @param {Group} group @param {(pad: number) => boolean} isMuted @returns {[number, boolean][]} */
export function tapped(group, isMuted) {
  const on = !group.pads.every(isMuted);
  return changes(group.pads, () => on, isMuted);
}

/// The effect of a hold on a group, as [pad, muted] of the pads that change: the group plays alone.
/// If it plays alone already, all groups play.
/**
 * @param {Group} group @param {Group[]} groups @param {(pad: number) => boolean} isMuted
 * @returns {[number, boolean][]}
 */
export function held(group, groups, isMuted) {
  const pads = groups.flatMap((each) => each.pads);
  const isOwn = (/** @type {number} */ pad) => group.pads.includes(pad);
  const alone = changes(pads, (pad) => !isOwn(pad), isMuted);
  return alone.length > 0 ? alone : changes(pads, () => false, isMuted);
}

/**
 * @param {number[]} pads @param {(pad: number) => boolean} wanted
 * @param {(pad: number) => boolean} isMuted @returns {[number, boolean][]}
 */
const changes = (pads, wanted, isMuted) => pads.filter((pad) => wanted(pad) !== isMuted(pad)).map((pad) => [pad, wanted(pad)]);
