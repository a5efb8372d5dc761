// Three hints, each shown once, after what must come first: the page for the pads, some hits for
// recording, a playing loop for inviting.

import { h, say } from "./dom.js";
import { recall, remember } from "./memory.js";
import { people } from "./people.js";
import { room } from "./room.js";

/// Seconds that a hint stays. It goes earlier when the player follows it.
const STAYS = 20;
/// The number of hits after which a player knows the pads.
const PLAYED = 8;

const HINTS = [
  { name: "tap", at: "#pads", text: "Tap a pad: everybody hears it." },
  { name: "record", at: "[data-action=record]", text: "New loop: what you play goes round, from your first tap on." },
  { name: "invite", at: "[data-action=people]", text: "Invite somebody: Room has a link, and a code for phones." },
];

const seen = new Set(recall("hints seen", []));
const bubble = h("p.hint", { role: "status", hidden: true });
let shown = null;
let timer = 0;
let hits = 0;

/// Places the hint in the middle of the pads, or else above or below the button that it is about.
function place() {
  if (!shown) return;
  const box = document.querySelector(shown.at).getBoundingClientRect();
  const own = bubble.getBoundingClientRect();
  const middle = box.left + box.width / 2;
  const isLarge = box.height > 3 * own.height;
  const isLow = box.top > innerHeight / 2;
  const left = Math.min(innerWidth - own.width - 8, Math.max(8, middle - own.width / 2));
  const top = isLarge ? box.top + (box.height - own.height) / 2 : isLow ? box.top - own.height - 10 : box.bottom + 10;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${top}px`;
  bubble.style.setProperty("--tip", `${middle - left}px`);
  bubble.dataset.tip = isLarge ? "none" : isLow ? "below" : "above";
}

function show(name) {
  const hint = HINTS.find((hint) => hint.name === name);
  if (seen.has(name) || shown || !document.querySelector(hint.at)?.getClientRects().length) return;
  shown = hint;
  bubble.hidden = false;
  say(bubble, hint.text);
  place();
  timer = setTimeout(() => done(name), STAYS * 1000);
}

function done(name) {
  if (seen.has(name)) return;
  seen.add(name);
  remember("hints seen", [...seen]);
  if (shown?.name !== name) return;
  clearTimeout(timer);
  shown = null;
  bubble.hidden = true;
}

let isStarted = false;

export function start() {
  if (isStarted) return;
  isStarted = true;
  document.body.append(bubble);
  addEventListener("resize", place);
  const isPlayer = () => room.get("/role", "player") !== "listener";
  const first = () => {
    // The server may be out of reach just then.
    if (!room.isConnected) setTimeout(first, 500);
    else if (isPlayer()) show("tap");
  };
  setTimeout(first, 1500);
  for (const played of ["/hit", "/note"]) {
    room.on(played, ([player]) => {
      if (player !== room.player) return;
      hits += 1;
      done("tap");
      if (hits >= PLAYED && room.get("/loop/state", "empty") === "empty") show("record");
    });
  }
  room.on("/loop/state", ([state]) => {
    if (state === "empty") return;
    done("record");
    if (state === "playing" && people.length < 2) show("invite");
  });
  document.querySelector("[data-action=people]").addEventListener("click", () => done("invite"));
  room.on("disconnected", () => { bubble.hidden = true; shown = null; clearTimeout(timer); });
}
