// Undo and Redo are dark while there is nothing to undo or redo. They stay buttons that answer: the
// room says then that there is nothing.

import { room } from "./room.js";

const undo = document.querySelector('[data-action="undo"]');
const redo = document.querySelector('[data-action="redo"]');
// Further steps may be left, or none, so the server is asked.
const ask = () => room.send("/undo/list");
/// An undo takes back what waits or is being recorded, too.
const TAKEN_BACK = ["waiting", "recording", "overdubbing"];
/// The pads whose hits wait for the grid. An undo takes back these, too.
const pending = new Set();
/// Nothing is known of a server that tells no history: Undo stays bright.
let hasUndo = true;
let hasRedo = false;
let isListed = false;
let isWanted = false;

/// The topic tells when an edit has taken the redo away, and when the first edit was made. It is
/// wanted until then, and while the history's panel is open.
function want() {
  const wants = !hasUndo || hasRedo || isListed;
  if (wants === isWanted) return;
  isWanted = wants;
  room.want("history", wants);
  // An edit that was made meanwhile is not told again.
  if (wants) ask();
}

export function listSteps(on) {
  isListed = on;
  want();
}

function see() {
  const mayUndo = hasUndo || pending.size > 0 || TAKEN_BACK.includes(room.get("/loop/state"));
  undo.setAttribute("aria-disabled", String(!mayUndo));
  redo.setAttribute("aria-disabled", String(!hasRedo));
  want();
}

for (const what of ["connected", "/redone", "/undone"]) room.on(what, ask);
// A host's take-back, or a kit that cannot be had any more, empties the history, and nobody tells
// it: the answer to the next undo does.
room.on("refused", ([, , code]) => {
  if (code === "nothing-to-undo" || code === "nothing-to-redo") ask();
});
room.on("/pad/*", ([on], address) => {
  if (!address.endsWith("/pending")) return;
  const had = pending.size > 0;
  if (on > 0) pending.add(address);
  else pending.delete(address);
  if (pending.size > 0 !== had) see();
});
room.on("/undo/steps", ([, , undos, redos]) => {
  [hasUndo, hasRedo] = [undos > 0, redos > 0];
  see();
});
room.on("/loop/state", see);
