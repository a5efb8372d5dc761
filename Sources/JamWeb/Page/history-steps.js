// @ts-check
// A history as the server tells it, taken apart: what Undo takes back and what Redo does again, the next step first.

/** @typedef {{ text: string, isOfRoom: boolean, count: number }} Step `count` is how many undos, or redos, lead behind it */
/** @typedef {{ undo: Step[], redo: Step[], more: { undo: number, redo: number } }} Steps */

const OF_ROOM = "room: ";

/** @param {string} lines @returns {Step[]} */
const parted = (lines) => (lines === "" ? [] : lines.split("\n")).map((line, index) => ({
  text: line.startsWith(OF_ROOM) ? line.slice(OF_ROOM.length) : line, isOfRoom: line.startsWith(OF_ROOM), count: index + 1,
}));

/// Takes the values of `/undo/steps` or `/room/undo/steps`. `more` is how many older steps there are that are not told.
/** @param {[undo: string, redo: string, undos: number, redos: number]} values @returns {Steps} */
export function stepsOf([undoLines, redoLines, undos, redos]) {
  const [undo, redo] = [parted(undoLines), parted(redoLines)];
  return { undo, redo, more: { undo: Math.max(0, undos - undo.length), redo: Math.max(0, redos - redo.length) } };
}
