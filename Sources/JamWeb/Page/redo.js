// Redo is dark while there is nothing to redo. It stays a button that answers: the room says then
// that there is nothing.

import { room } from "./room.js";

const button = document.querySelector('[data-action="redo"]');
let isThere = false;
let isListed = false;

/// The topic tells when an edit has taken the redo away. It is wanted while there is one, and while
/// the history's panel is open.
const want = () => room.want("history", isThere || isListed);

export function listSteps(on) {
  isListed = on;
  want();
}

function see(count) {
  isThere = count > 0;
  button.setAttribute("aria-disabled", String(!isThere));
  want();
}

room.on("connected", () => room.send("/undo/list"));
room.on("/undo/steps", ([, , , redos]) => see(redos));
room.on("/undone", () => see(1));
// Further steps may be left to redo, so the server is asked.
room.on("/redone", () => room.send("/undo/list"));
