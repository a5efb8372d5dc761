// The panel that starts a build-up. While a build-up runs, everybody sees it above the pads
// (countdown.js).

import { bound, choice, listed, toggle } from "./controls.js";
import { h, named, say, t, w } from "./dom.js";
import { keep, start as startBuildUp, target as wishedTarget, wish } from "./build-wish.js";
import { bounded, range } from "./ranges.js";
import { room } from "./room.js";

const CURVES = ["linear", "ease", "late"];

export function make() {
  const dropButton = document.querySelector('[data-action="drop"]');
  const home = dropButton.parentElement;

  const [slowest, fastest] = range("/tempo");
  const target = h("input.line.bpmbox", { type: "number", min: slowest, max: fastest, step: 1, inputMode: "numeric", "aria-label": "Target tempo" });
  let byHand = false;
  const follow = () => { if (!byHand && document.activeElement !== target) target.value = wishedTarget(); };
  room.on("/tempo", follow);
  target.addEventListener("change", () => {
    byHand = true;
    target.value = Math.round(bounded("/tempo", Number(target.value) || room.get("/tempo", 120) * wish.times));
    mark();
  });
  const by = h("div.segments", { role: "group", "aria-label": "How much faster" });
  by.append(...[[1.1, "+10 %"], [1.25, "+25 %"], [1.5, "+50 %"], [2, "Double"]].map(([times, name]) => h("button", {
    type: "button", textContent: name, onclick: () => { wish.times = times; byHand = false; keep(); follow(); mark(); } })));
  const bars = h("div.segments", { role: "group", "aria-label": "Bars" });
  bars.append(...[1, 2, 4, 8, 16, 32].map((count) => h("button", { type: "button", textContent: String(count), onclick: () => { wish.bars = count; keep(); mark(); } })));
  const curve = h("div.segments", { role: "group", "aria-label": "Curve" });
  curve.append(...CURVES.map((word) => h("button", { type: "button", onclick: () => { wish.curve = word; keep(); mark(); } }, sketch(word), named(word))));
  function mark() {
    for (const button of bars.children) button.setAttribute("aria-pressed", String(button.textContent === String(wish.bars)));
    for (const [index, button] of [...curve.children].entries()) button.setAttribute("aria-pressed", String(CURVES[index] === wish.curve));
    for (const [index, button] of [...by.children].entries()) button.setAttribute("aria-pressed", String(!byHand && [1.1, 1.25, 1.5, 2][index] === wish.times));
  }
  mark();

  const start = h("button.primary.big", { type: "button", "data-action": "start-buildup", textContent: "Start on the next bar",
    onclick: () => startBuildUp(Number(target.value) || wishedTarget()) });
  const row = h("div.row", {}, start);
  const state = h("p.quiet", { role: "status" });
  room.on("/buildup/state", ([word, bpm, left]) => {
    const text = { waiting: "Waits for the bar line.", running: left === 1 ? w`On its way to ${Math.round(bpm)} bpm, 1 bar to the drop.` : w`On its way to ${Math.round(bpm)} bpm, ${left} bars to the drop.`,
      holding: w`Holds ${Math.round(bpm)} bpm until somebody drops.`, dropping: "Drops on the next bar line.", none: "Everybody in the room goes along, and sees the countdown." };
    say(state, text[word] ?? "");
  });
  const rollPad = bound("/buildup/pad", h("select", { "aria-label": "Pad of the roll" }), Number);
  const fillPads = () => {
    rollPad.replaceChildren(new Option(t("The first snare"), 0), ...Array.from({ length: 16 }, (_, i) => new Option(`${i + 1} ${room.get(`/pad/${i + 1}/name`, "")}`, i + 1)));
    rollPad.value = room.get("/buildup/pad", 0);
  };
  room.on("/kit", fillPads);
  room.on("/buildup/pad", fillPads);
  fillPads();

  const element = h("div", {},
    h("div.group", {},
      h("div.choice", {}, h("span.name", { textContent: "Target" }), h("div.row", {}, target, h("span.quiet", { textContent: "bpm" }), by)),
      h("div.choice", {}, h("span.name", { textContent: "Over so many bars" }), bars),
      h("div.choice", {}, h("span.name", { textContent: "Curve" }), curve),
      row, h("div.row", {}, h("button.text", { type: "button", textContent: "Cancel", onclick: () => room.send("/buildup/cancel") })), state),
    h("div.group", {}, h("h3", { textContent: "What is heard of it" }),
      toggle({ address: "/buildup/roll", label: "Roll", note: "Faster and faster, on one pad" }),
      listed("Rolls on", rollPad),
      toggle({ address: "/buildup/riser", label: "Riser", note: "High-pass and pitch rise, on the whole mix" }),
      toggle({ address: "/buildup/impact", label: "Impact", note: "At the drop" }),
      toggle({ address: "/buildup/silence", label: "Silence", note: "For the beat before the drop" }),
      toggle({ address: "/buildup/hold", label: "Hold", note: "Stay at the target until somebody drops" })));
  return {
    element,
    // The page has only one drop button. This panel takes it while open; otherwise it stands in the
    // countdown.
    show: () => { row.append(dropButton); follow(); },
    hide: () => home.append(dropButton),
  };
}

function sketch(word) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 14");
  svg.setAttribute("class", "sketch");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", { linear: "M2 12 22 2", ease: "M2 12C10 12 14 2 22 2", late: "M2 12C16 12 20 10 22 2" }[word]);
  svg.append(path);
  return svg;
}
