// The take that was played last, on one line above the project: its link is one tap away.

import { h, w, write } from "./dom.js";
import { room } from "./room.js";
import { lookUp, shareTake } from "./share-take.js";
import { clock, titleOf } from "./take-words.js";

let last = null;
const title = h("b", {});
const facts = h("small.kitname", {});
const link = h("input.line", { type: "text", readOnly: true, hidden: true, "aria-label": "Link to the take" });
const share = h("button.text.small", { type: "button", textContent: "Share", "data-action": "share-take", onclick: () => shareTake(last, link) });
export const element = h("div.group", { hidden: true },
  h("div.row.head.nowrap", {}, h("span.who", {}, title, facts), share), link);

/// Asks the server for the last take that has ended.
export async function show() {
  lookUp();
  try {
    const answer = await fetch(room.path("takes"));
    last = answer.ok ? (await answer.json()).takes.find((take) => !take.recording && take.peaks.length) ?? null : null;
  } catch {
    return;
  }
  element.hidden = !last;
  if (!last) return;
  const name = titleOf(last);
  write(title, w`Last take: ${name}`);
  write(facts, clock(last.seconds));
  share.setAttribute("aria-label", w`Share ${name}`);
}
