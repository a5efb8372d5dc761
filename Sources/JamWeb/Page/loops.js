// The panel Loops: the layers of the player's own loop, the step grid, the patterns and the scenes.

import { loanLine, others } from "./borrow.js";
import { decibels, fader, stepper, trigger } from "./controls.js";
import { arrange, h, icon, say, show as showHere, w } from "./dom.js";
import { leftKey, leftRow } from "./left-row.js";
import { open, parts } from "./panel.js";
import { leftLoops } from "./people.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

export function make() {
  const steps = h("div");
  const blocks = h("div");
  const scenes = h("div");
  const theirs = others();
  const panel = parts(
    ["Layers", layers(async (name) => {
      panel.choose(2);
      (await import("./lanes.js")).land(name);
    }, theirs.element)],
    ["Steps", steps, { show: async () => steps.firstChild || steps.append((await import("./steps.js")).make()) }],
    ["Patterns", blocks, { show: async () => {
      const lanes = await import("./lanes.js");
      if (!blocks.firstChild) blocks.append(lanes.make());
      lanes.show();
    }, hide: () => import("./lanes.js").then((lanes) => lanes.hide()) }],
    ["Scenes", scenes, { show: async () => scenes.firstChild || scenes.append((await import("./scenes-panel.js")).make()) }]);
  const { show } = panel;
  /// - whose: the player whose layers are shown, if any.
  panel.show = ({ whose } = {}) => {
    if (whose === undefined) return show();
    panel.choose(0);
    const row = theirs.find(whose);
    if (row) showHere(row);
  };
  return panel;
}

const STATES = {
  empty: "You have no loop yet. New loop records from your first tap on; Catch makes a loop of what you just played.",
  waiting: "Begins on the next bar line, or with your first tap.",
  recording: "Recording one pass. Tap Finish to end it early.",
  overdubbing: "Each pass in which you hit something becomes a layer. Tap Overdub again to let it go round.",
  playing: "Going round.",
  stopped: "Stopped. Play begins on the next bar line.",
};

/// - Parameters:
///   - kept: called with the name of each block that was saved from a layer.
///   - theirs: the list of others' layers.
function layers(kept, theirs) {
  const state = h("p", { role: "status" });
  room.on("/loop/state", ([word]) => say(state, STATES[word] ?? word));
  const bars = h("div.segments", { role: "group", "aria-label": "Length in bars" });
  bars.append(...[1, 2, 4, 8, 16].map((count) => h("button", { type: "button", textContent: String(count), onclick: () => room.set("/loop/bars", count) })));
  room.on("/loop/bars", ([count]) => {
    for (const button of bars.children) button.setAttribute("aria-pressed", String(button.textContent === String(count)));
  });

  const list = h("ul.plain");
  let scope = null;
  room.on("/loop/layers", ([count]) => {
    if (list.childElementCount === count) return;
    const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
    scope?.abort();
    scope = new AbortController();
    list.replaceChildren(...Array.from({ length: count }, (_, index) => layer(index + 1, scope.signal, kept)));
    // After a layer is deleted, the keyboard's focus goes to the next layer, or to the length.
    if (focused >= 0) (list.children[Math.min(focused, count - 1)] ?? bars).querySelector("button").focus();
  });
  return h("div", {},
    h("div.group", {}, state,
      h("div.choice", {}, h("span.name", { textContent: "Length of the next recording, in bars" }), bars),
      stepper({ address: "/loop/countin", label: "Count in, bars" }),
      h("div.row", {}, trigger("Play", "/loop/play"), trigger("Stop", "/loop/stop"), trigger("Clear", "/loop/clear"),
        h("button.text", { type: "button", textContent: "History", onclick: () => open("history") }))),
    list, theirs, left());
}

/// The music of players who have left. It plays on, and belongs to nobody who could stop it here.
function left() {
  const rows = new Map();
  const list = h("ul.plain");
  const group = h("div.group", { hidden: true }, h("h3", { textContent: "Left behind" }), list);
  const see = () => {
    const left = new Map(leftLoops().map((name) => [leftKey(name), name]));
    for (const key of rows.keys()) if (!left.has(key)) rows.delete(key);
    for (const [key, name] of left) if (!rows.has(key)) rows.set(key, leftRow(name));
    arrange(list, [...left.keys()].map((key) => rows.get(key)));
    group.hidden = left.size === 0;
  };
  room.on("people", see);
  see();
  return group;
}

function layer(number, signal, kept) {
  const mute = h("button.text.small", { type: "button", textContent: "Mute", onclick: () => room.set(`/layer/${number}/mute`, room.get(`/layer/${number}/mute`) ? 0 : 1) });
  room.on(`/layer/${number}/mute`, ([on]) => mute.setAttribute("aria-pressed", String(on > 0)), signal);
  const name = h("input.line", { type: "text", maxLength: limits.name, placeholder: "Name", "aria-label": w`Name of the pattern of layer ${number}` });
  let sent = "";
  const keep = h("form.row", { hidden: true, onsubmit: (event) => {
    event.preventDefault();
    sent = name.value.trim();
    if (sent) room.send("/block/save", sent, number);
  } }, name, h("button.text", { type: "submit", textContent: "Save" }));
  // The form stays open until the server has saved the block, because it may refuse the name.
  room.on("/blocks/item", ([block]) => {
    if (keep.hidden || block !== sent) return;
    keep.hidden = true;
    sent = "";
    kept(block);
  }, signal);
  return h("li.group", {},
    h("div.row.head", {}, h("h3", { textContent: w`Layer ${number}` }), mute,
      h("button.text.small", { type: "button", textContent: "Save as pattern", onclick: () => { keep.hidden = !keep.hidden; if (!keep.hidden) name.focus(); } }),
      h("button.round", { type: "button", "aria-label": w`Remove layer ${number}`, onclick: () => room.send(`/layer/${number}/delete`) }, icon("bin"))),
    loanLine(number, signal), keep,
    fader({ address: `/layer/${number}/gain`, label: "Volume", step: 0.5, show: decibels, signal }));
}
