// Four hints, each shown once, after what must come first: the page for the pads, some hits for
// recording, a playing loop for inviting, somebody else's loop for borrowing.

import { at, givePlace, h, icon, say, takePlace } from "./dom.js";
import { recall, remember } from "./memory.js";
import { leftLoops, people, toldLoops } from "./people.js";
import { room } from "./room.js";

/// Seconds that a hint stays. It goes earlier when the player follows it.
const STAYS = 20;
/// The number of hits after which a player knows the pads.
const PLAYED = 8;

const HINTS = [
  { name: "tap", at: "#pads", text: "Tap a pad: everybody hears it." },
  { name: "record", at: "[data-action=record]", text: "New loop: what you play goes round, from your first tap on." },
  { name: "invite", at: "[data-action=people]", text: "Invite somebody: Room has a link, and a code for phones." },
  { name: "borrow", at: "#loopview", text: "Tap what somebody else plays up here: you can borrow it." },
];

const seen = new Set(recall("hints seen", []));
const text = h("span");
const close = h("button.toast-close", {
  type: "button", "aria-label": "Close", onclick: () => done(shown.name),
}, icon("close"));
/// A hint lies where messages lie, and covers nothing. The control that it is about is marked.
const line = h("p.hint", { role: "status", hidden: true }, text, close);
let shown = null;
let timer = 0;
let hits = 0;

/// Whether somebody else's loop plays that can be borrowed. A loop that was left behind can only be
/// taken over.
const isLent = ([player, state, layers]) =>
  player !== room.player && state === "playing" && layers > 0 && !leftLoops().includes(player);
const mayBorrow = () => [...toldLoops.values()].some(isLent);

/// Whether hints have a place of their own. On a low page they take that of the strip, so that none
/// may speak of it.
const hasPlace = () => line.parentElement.clientHeight > 0;

/// The button that a hint is about. The pads are marked by nothing.
const marked = ({ at: where }) => document.querySelector(`button${where}`);

function show(name) {
  const hint = HINTS.find((hint) => hint.name === name);
  if (seen.has(name) || shown || !document.querySelector(hint.at)?.getClientRects().length) return;
  shown = hint;
  line.hidden = false;
  say(text, hint.text);
  takePlace(line);
  marked(hint)?.classList.add("hinted");
  timer = setTimeout(() => done(name), STAYS * 1000);
}

function done(name) {
  if (seen.has(name)) return;
  seen.add(name);
  remember("hints seen", [...seen]);
  if (shown?.name === name) hide();
}

function hide() {
  if (!shown) return;
  clearTimeout(timer);
  marked(shown)?.classList.remove("hinted");
  shown = null;
  line.hidden = true;
  givePlace(line);
}

let isStarted = false;

export function start() {
  if (isStarted) return;
  isStarted = true;
  at("toast").before(line);
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
      if (hits < PLAYED) return;
      if (room.get("/loop/state", "empty") === "empty") show("record");
      // The place is asked for last, because the browser may lay out the page for it.
      if (!seen.has("borrow") && !shown && mayBorrow() && hasPlace()) show("borrow");
    });
  }
  room.on("/loop/state", ([state]) => {
    if (state === "empty") return;
    done("record");
    if (state === "playing" && people.length < 2) show("invite");
  });
  room.on("theirs", () => done("borrow"));
  document.querySelector("[data-action=people]").addEventListener("click", () => done("invite"));
  room.on("disconnected", hide);
}
