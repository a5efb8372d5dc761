// The history: what Undo takes back and Redo does again, step by step. The player's own steps and
// the steps of what belongs to the whole room have a list each.

import { h, say, shown, w } from "./dom.js";
import { stepsOf } from "./history-steps.js";
import { parts } from "./panel.js";
import { listSteps } from "./redo.js";
import { room } from "./room.js";
import { edit } from "./words.js";

export function make() {
  const own = list({
    told: "/undo/steps", asked: "/undo/list", undo: "/undo", redo: "/redo",
    note: "A step takes back itself and all above it, and nothing of anybody else’s. What was for everybody lies here, too, in its turn.",
    none: "You have changed nothing yet.",
  });
  const rooms = list({
    told: "/room/undo/steps", asked: "/room/undo/list", undo: "/room/undo", redo: "/room/redo",
    note: "Tempo, key, levels, scenes: what was set for everybody, whoever did it. A host takes it back here; what you set yourself lies under Mine, too.",
    none: "Nothing was changed for the room yet.",
    isOpen: () => room.get("/host") > 0,
  });
  room.on("/host", () => rooms.see());
  const panel = parts(["Mine", own.element], ["The room’s", rooms.element]);
  return {
    ...panel,
    show: ({ part = 0 } = {}) => {
      listSteps(true);
      own.ask();
      rooms.ask();
      panel.choose(part);
    },
    hide: () => listSteps(false),
  };
}

/// One history. Steps to redo stand above the line "Now", steps to undo below it.
function list({ told, asked, undo, redo, note, none, isOpen = () => true }) {
  const steps = h("ol.history", { "aria-label": "Steps, the last first" });
  const nothing = h("p.quiet", { role: "status" });
  let known = null;
  const step = ({ text, isOfRoom, count }, address, label, isUndone) => {
    const name = edit(shown(text));
    const tag = isOfRoom ? h("small", { textContent: "For everybody" }) : null;
    const act = () => room.sendTogether(...Array.from({ length: count }, () => [address]));
    return h(isUndone ? "li.undone" : "li", {}, h("button.text", { type: "button", disabled: !isOpen(), "aria-label": label(name), onclick: act },
      h("span", { given: name }), tag));
  };
  const more = (count, word) => (count ? h("li.quiet", { given: word(count) }) : null);
  function see() {
    if (!known) return;
    const { undo: done, redo: undone, more: rest } = known;
    steps.replaceChildren(...[
      more(rest.redo, (count) => w`and ${count} more to redo`), ...undone.map((each) => step(each, redo, (name) => w`Redo up to here: ${name}`, true)).reverse(),
      undone.length ? h("li.now", { textContent: "Now" }) : null,
      ...done.map((each) => step(each, undo, (name) => w`Undo down to here: ${name}`)), more(rest.undo, (count) => w`and ${count} older steps`),
    ].filter(Boolean));
    say(nothing, done.length + undone.length ? "" : none);
  }
  room.on(told, (values) => {
    known = stepsOf(values);
    see();
  });
  return { element: h("div.stack", {}, h("p.quiet", { textContent: note }), steps, nothing), see, ask: () => room.send(asked) };
}
