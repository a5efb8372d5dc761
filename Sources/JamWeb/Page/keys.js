// Keys of a computer keyboard that do what they do in other programs. The pads' own keys are in
// pads.js.

import { typesText } from "./dom.js";
import { room } from "./room.js";

const action = (name) => document.querySelector(`[data-action="${name}"]`);

// A control that a finger or a mouse touched has the focus, but Space is still meant for the beat
// then.
let byHand = false;
addEventListener("pointerdown", () => { byHand = true; }, { capture: true });
addEventListener("keydown", ({ key }) => { if (key === "Tab" || key.startsWith("Arrow")) byHand = false; }, { capture: true });

const isFree = (element) => element === document.body || (byHand && !typesText(element) && !element.matches(".pad"));

/// Space stops and plays the player's own loop, or the room's beat where the player has nothing to
/// stop.
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
    // In a line of text, Undo is the browser's own.
    if (!name || typesText(target)) return;
    event.preventDefault();
    action(name).click();
  } else if (key === "?" && !typesText(target)) {
    event.preventDefault();
    import("./help.js").then((help) => help.show());
  } else if (event.code === "Space" && isFree(target)) {
    // Without this, releasing Space would press the button that has the focus.
    event.preventDefault();
    if (target !== document.body) target.blur();
    if (!event.repeat) space();
  }
});
