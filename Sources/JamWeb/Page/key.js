// The key that the room plays in.

import { wordList } from "./controls.js";
import { h, say, w } from "./dom.js";
import { room } from "./room.js";

export function keyGroup() {
  const notes = h("p.quiet");
  room.on("/scale/notes", ([text]) => say(notes, w`Notes: ${text}`));
  return h("div.group", {}, h("h3", { textContent: "Key of the room" }),
    h("div.row", {}, wordList("/key/root", { label: "Key of the room" }), wordList("/scale", { label: "Scale of the room" })), notes);
}
