// The row of a player who has left with music that stays: in the panels Room and Loops.

import { h, shown, w } from "./dom.js";
import { loops } from "./people.js";
import { room } from "./room.js";

/// The row's key. A row says whether a loop goes round, or lanes have music.
export const leftKey = (name) => `${name}/${loops(name) ? "loop" : "lanes"}`;

/// - tools: further buttons of the row.
export function leftRow(name, ...tools) {
  const button = (word, label, ...message) => h("button.text.small", {
    type: "button", textContent: word, "aria-label": label, onclick: () => room.send(...message),
  });
  const isLoop = loops(name);
  const about = h("small.kitname", {
    textContent: isLoop ? "has left; the loop plays on" : "has left; the music stays",
  });
  // Both end all that the player has left.
  const [word, label] = isLoop
    ? ["Stop the loop", w`Stop the loop of ${shown(name)}`]
    : ["Stop the music", w`Stop the music of ${shown(name)}`];
  return h("li.person", {}, h("i.dot"), h("span.who", {}, h("b", { given: shown(name) }), about),
    button("Take over", w`Take over what ${shown(name)} left`, "/part/take", name),
    button(word, label, `/player/${name}/kick`), ...tools);
}
