// Reactions: what a player says to the others by one tap. They float in the strip of loops, which
// is never over a pad, and on the big screen.

import { at, h, icon, shown, style, t, toast, w, write } from "./dom.js";
import { people } from "./people.js";
import { room } from "./room.js";

await style("play");

/// How many float at once, and for how many milliseconds.
const [MOST, LONG] = [4, 2600];
/// Milliseconds that the row stays open without a tap.
const OPEN = 8000;

/// The words of the reactions, on a button and in the strip.
const WORDS = { love: "I love it", more: "4 more bars", turn: "Your turn" };

// ---- Reactions of others.

/// The places in which they float.
const places = [];

/// Lets reactions float in an element, too.
export function floatIn(element) {
  const floats = h("div.floats", { "aria-hidden": "true" });
  element.append(floats);
  places.push(floats);
}
floatIn(at("loopview"));

function float(floats, reaction, what, player) {
  const chip = h("span.float", {}, reaction === "love" ? icon("heart") : h("b", { given: what }), h("span", { given: shown(player) }));
  chip.dataset.reaction = reaction;
  floats.append(chip);
  while (floats.childElementCount > MOST) floats.firstChild.remove();
  setTimeout(() => chip.remove(), LONG);
}

/// Shows a `/reacted`.
function show([player, reaction, to]) {
  if (!(reaction in WORDS)) return;
  const isForMe = reaction === "turn" && to === room.player && player !== room.player;
  const what = to && reaction === "turn" ? w`${shown(to)}: your turn` : t(WORDS[reaction]);
  for (const floats of places) float(floats, reaction, what, player);
  write(at("status"), w`${shown(player)}: ${what}`);
  if (isForMe) toast(w`It is your turn, says ${shown(player)}.`, 6);
}

// ---- Reactions of this player.

const send = (reaction, ...to) => room.send("/react", reaction, ...to);

function buttons(chosen) {
  return Object.entries(WORDS).map(([reaction, text]) => h("button.text", {
    type: "button", "data-reaction": reaction, "aria-label": text, title: text, onclick: () => chosen(reaction),
  }, reaction === "love" ? icon("heart") : h("span", { textContent: text })));
}

/// The row of the panel Room, with a list of those whose turn it may be.
export function row() {
  const whose = h("select", { "aria-label": "The player whose turn it is" });
  const fill = () => {
    const names = people.map(({ name }) => name).filter((name) => name !== room.player);
    const chosen = whose.value;
    whose.replaceChildren(new Option(t("Anybody"), ""), ...names.map((name) => new Option(shown(name), name)));
    whose.value = names.includes(chosen) ? chosen : "";
  };
  room.on("people", fill);
  fill();
  const tell = (reaction) => (reaction === "turn" && whose.value ? send(reaction, whose.value) : send(reaction));
  return h("div.row.reactions", { role: "group", "aria-label": "Reactions" }, ...buttons(tell), whose);
}

const button = h("button", { type: "button", "data-action": "react", "aria-expanded": "false", title: "♥, 4 more bars, your turn", onclick: toggle },
  icon("heart"), h("span", { textContent: "React" }));
let open = null;
let timer = 0;

function close() {
  if (!open) return;
  clearTimeout(timer);
  const hadFocus = open.contains(document.activeElement);
  open.remove();
  open = null;
  at("extra").removeAttribute("data-reacts");
  button.setAttribute("aria-expanded", "false");
  if (hadFocus) button.focus();
}

/// Opens or closes the row of reactions. It takes the place of the buttons beside React, so it
/// covers neither the strip, in which reactions float, nor a pad; and nothing moves.
function toggle() {
  if (open) return close();
  open = h("div.reactrow", { role: "group", "aria-label": "Reactions" }, ...buttons((reaction) => {
    send(reaction);
    close();
  }));
  const extra = at("extra");
  const { width, height } = extra.getBoundingClientRect();
  extra.style.setProperty("--wide", `${width}px`);
  extra.style.setProperty("--high", `${height}px`);
  button.before(open);
  extra.toggleAttribute("data-reacts", true);
  button.setAttribute("aria-expanded", "true");
  timer = setTimeout(close, OPEN);
}

export function start() {
  at("extra").append(button);
  room.on("/reacted", show);
  addEventListener("keydown", ({ key }) => key === "Escape" && close());
  addEventListener("morechange", close);
}
