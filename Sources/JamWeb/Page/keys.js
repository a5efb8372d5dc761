// Keys that do here what they do everywhere. The pads' own keys are with the pads.

import { typesText } from "./dom.js";
import { room } from "./room.js";

const action = (name) => document.querySelector(`[data-action="${name}"]`);

// A control that a finger or a mouse touched has the focus, and yet not the keys: Space is meant for the beat.
let byHand = false;
addEventListener("pointerdown", () => { byHand = true; }, { capture: true });
addEventListener("keydown", ({ key }) => { if (key === "Tab" || key.startsWith("Arrow")) byHand = false; }, { capture: true });

const isFree = (element) => element === document.body || (byHand && !typesText(element) && !element.matches(".pad"));

/// Whatever of this player's goes round, or else the room's beat.
function space() {
  const own = action("stop");
  if (!own.disabled) return own.click();
  room.send(room.get("/play") ? "/stop" : "/play");
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey) {
    const letter = key.toLowerCase();
    const name = letter === "z" ? (event.shiftKey ? "redo" : "undo") : letter === "y" && !event.shiftKey ? "redo" : null;
    // A line of text takes back its own letters.
    if (!name || typesText(target)) return;
    event.preventDefault();
    action(name).click();
  } else if (key === "?" && !typesText(target)) {
    event.preventDefault();
    import("./help.js").then((help) => help.show());
  } else if (event.code === "Space" && isFree(target)) {
    // Let go of, it would press the button that has the focus.
    event.preventDefault();
    if (target !== document.body) target.blur();
    if (!event.repeat) space();
  }
});
