// The keys and the gestures, on one sheet.

import { cover, uncover } from "./back.js";
import { h } from "./dom.js";
import { MIDDLE } from "./notes.js";
import { letterOf, pads } from "./pads.js";

const isApple = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);
const control = isApple ? "⌘" : "Ctrl";

let dialog = null;

export function show() {
  if (dialog) return;
  const keys = pads.filter((pad) => !pad.element.hidden).map((pad) => pad.key.textContent);
  const rows = [
    [`${keys[0]} … ${keys.at(-1)}`, "The pads, as their corners say; with Shift half as loud"],
    [`${letterOf(MIDDLE[0])} … ${letterOf(MIDDLE.at(-1))}`, "While Keys is open, its keys, as they say; with Shift softer"],
    [`${letterOf("KeyZ")}, ${letterOf("KeyX")}`, "While Keys is open, an octave lower or higher"],
    ["Space bar", "Stops and plays your loop; while nothing of yours goes round, the beat of everybody"],
    [`${control} + Z`, "Undo"],
    [`${control} + Shift + Z`, "Redo"],
    ["Tab, arrows, Enter", "From control to control, and press it"],
    ["Esc", "Closes a panel"],
    ["?", "This sheet"],
  ];
  const gestures = [
    ["Tap a pad", "It sounds for everybody"],
    ["Hold an empty pad", "It records until you let go"],
    ["Touch a pad, then Settings; or a right click on it", "Its settings"],
    ["Double tap a fader", "Back to where it was"],
    ["Tap a note in the strip of loops", "Its loop’s notes, to be moved, made louder or removed"],
    ["Tap what somebody else plays there", "Borrow it, or mute that player for yourself"],
    ["Hold Undo", "The history, step by step"],
    ["Hold a mute group", "Only its pads are heard"],
    ["Tap a pattern", "It plays from the next bar on; tap it again, and it rests"],
    ["Drag a pattern", "Into a lane, or from one to another; two fingers make the lanes wider"],
    ["Slide over keys", "Plays what lies under the finger; higher up is brighter"],
  ];
  const close = () => dialog?.close();
  const done = h("button.primary", { type: "button", textContent: "Done", onclick: close });
  dialog = h("dialog.sheet", { "aria-label": "Keys and gestures", onclose: () => {
    uncover(close);
    dialog.remove();
    dialog = null;
  } }, h("div.has-keyboard", {}, h("h2", { textContent: "Keyboard shortcuts" }),
    h("dl", {}, rows.flatMap(([key, what]) => [h("dt", {}, h("kbd", { textContent: key })), h("dd", { textContent: what })]))),
  h("h2", { textContent: "Gestures" }),
  h("dl", {}, gestures.flatMap(([gesture, what]) => [h("dt", { textContent: gesture }), h("dd", { textContent: what })])), done);
  dialog.addEventListener("keydown", (event) => { if (event.key === "?") close(); });
  document.body.append(dialog);
  dialog.showModal();
  // The sheet's button is at the end and takes the focus, which scrolls the sheet down: back to the
  // top.
  dialog.scrollTop = 0;
  cover(close);
}
