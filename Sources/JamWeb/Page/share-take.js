// A take's link, handed on by the system's share sheet or by the clipboard.

import { shareLink } from "./copy.js";
import { toast } from "./dom.js";
import { joinAddress } from "./join-address.js";
import { base } from "./room.js";
import { titleOf } from "./take-words.js";

/// The address at which others find the room. It is looked up in advance, because a browser lets a
/// page copy only shortly after a tap.
let others = location.origin + base;

export const lookUp = () => joinAddress().then((found) => { others = found ?? others; });

/// Shares `take`. Call it from a tap. `line` is an input that shows the link for copying by hand
/// where the browser does not let the page copy.
export async function shareTake(take, line) {
  const url = `${others}take/${take.id}`;
  line.value = url;
  const how = await shareLink(titleOf(take), url, line);
  if (how === "copied") toast("Link copied.");
  else if (how === "selected") toast("Copy it by hand: it is selected.");
}
