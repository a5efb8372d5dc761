// The key that the room plays in.

import { h, named, say, w } from "./dom.js";
import { words } from "./ranges.js";
import { room } from "./room.js";

// One of an address's words, as a list to choose from.
function list(address, label) {
  const list = h("select", { "aria-label": label });
  list.append(...words(address).map((word) => new Option(named(word), word)));
  room.on(address, ([word]) => { list.value = word; });
  list.addEventListener("change", () => room.set(address, list.value));
  return list;
}

export function keyGroup() {
  const notes = h("p.quiet");
  room.on("/scale/notes", ([text]) => say(notes, w`Notes: ${text}`));
  return h("div.group", {}, h("h3", { textContent: "Key of the room" }),
    h("div.row", {}, list("/key/root", "Key of the room"), list("/scale", "Scale of the room")), notes);
}
