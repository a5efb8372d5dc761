// @ts-check
// Parses a history from the server: the steps of Undo and of Redo, in each the next step first.

/**
 * @typedef {{ text: string, isOfRoom: boolean, count: number }} Step
 *   `count` is the number of undos, or redos, that include this step
 */
/** @typedef {{ undo: Step[], redo: Step[], more: { undo: number, redo: number } }} Steps */

const OF_ROOM = "room: ";

/** @param {string} lines @returns {Step[]} */
const parted = (lines) => (lines === "" ? [] : lines.split("\n")).map((line, index) => ({
  text: line.startsWith(OF_ROOM) ? line.slice(OF_ROOM.length) : line, isOfRoom: line.startsWith(OF_ROOM), count: index + 1,
}));

/// Takes the values of `/undo/steps` or `/room/undo/steps`. `more` is the number of further steps
/// that the server did not send.
/** @param {[undo: string, redo: string, undos: number, redos: number]} values @returns {Steps} */
export function stepsOf([undoLines, redoLines, undos, redos]) {
  const [undo, redo] = [parted(undoLines), parted(redoLines)];
  return { undo, redo, more: { undo: Math.max(0, undos - undo.length), redo: Math.max(0, redos - redo.length) } };
}
