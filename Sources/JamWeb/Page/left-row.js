// The row of a player who has left, but whose loop still plays: in the panels Room and Loops.

import { h, shown, w } from "./dom.js";
import { room } from "./room.js";

/// - tools: further buttons of the row.
export function leftRow(name, ...tools) {
  const button = (word, label, ...message) => h("button.text.small", {
    type: "button", textContent: word, "aria-label": label, onclick: () => room.send(...message),
  });
  const about = h("small.kitname", { textContent: "has left; the loop plays on" });
  return h("li.person", {}, h("i.dot"), h("span.who", {}, h("b", { given: shown(name) }), about),
    button("Take over", w`Take over what ${shown(name)} left`, "/part/take", name),
    button("Stop the loop", w`Stop the loop of ${shown(name)}`, `/player/${name}/kick`), ...tools);
}
