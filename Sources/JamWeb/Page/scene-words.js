// @ts-check
// Parses the text of a scene. This uses nothing of the page.

/**
 * @typedef {{
 *   player: string, hasLoop: boolean, without: number[], lanes: number[], pads: number[],
 *   isMuted: boolean
 * }} Part
 *   one player's part of the scene; `without` are the muted layers of the loop, `pads` the muted
 *   pads
 */

/// Reads a text such as `ann loop layer2 lane1* pad7; bob mute`, player by player.
/** @param {string} text @returns {Part[]} */
export function partsOf(text) {
  return text.split(";").map((part) => part.trim()).filter(Boolean).map((part) => {
    const [player, ...words] = part.split(" ");
    const numbers = (/** @type {string} */ what) => words.filter((word) => word.startsWith(what)).map((word) => parseInt(word.slice(what.length), 10));
    return { player, hasLoop: words.includes("loop"), without: numbers("layer"), lanes: numbers("lane"), pads: numbers("pad"), isMuted: words.includes("mute") };
  });
}
