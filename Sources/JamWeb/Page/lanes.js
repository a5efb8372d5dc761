// Blocks and the lanes that they lie on: dragged by mouse and finger, carried by keys.

import { BlockGesture, nearestSlot, scrollUnder } from "./block-gesture.js";
import { at as element, h, icon, say, toast } from "./dom.js";
import { animate } from "./frame.js";
import * as listen from "./listen.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { blocks, chip, choose, chosenBlock, dress, endPreview, make as makeBlockList, markPreview, preview, slotAddress } from "./block-list.js";

export { land } from "./block-list.js";

const lanes = h("div.lanes");
const help = h("p.quiet", { textContent: "Drag a block onto a lane, with a finger once you have held it for a moment, or tap it and then a slot. Tap to hear it alone; flick it up or down or press Delete to take it away; pinch or press F to focus on it." });
/// Who focuses on a block hears nothing else: what ends it is in sight for as long.
const focusing = h("div.group.focusing", { role: "status", hidden: true }, h("span.grow"),
  h("button.primary", { type: "button", textContent: "Hear everybody", onclick: endFocus }));

export function make() {
  const all = Array.from({ length: limits.lanes }, (_, index) => new Lane(index + 1));
  lanes.append(...all.map((lane) => lane.element));
  for (const lane of all) lane.fit();
  return h("div.stack", {}, lanes, ...makeBlockList((name) => carry(name, null)), help, focusing);
}

export function show() {
  room.send("/blocks");
  element("panel-body").addEventListener("touchmove", stay, { passive: false });
}

/// Nobody goes on hearing a preview or a focus whose block is not to be seen.
export function hide() {
  element("panel-body").removeEventListener("touchmove", stay);
  gesture.forgetFingers();
  endPreview();
  endFocus();
}

room.on("connected", () => blocks.size && show());
room.on("blocks", () => { for (const block of lanes.querySelectorAll(".block")) dress(block); });

// ---- Lanes.

const blockIn = (slot) => room.get(slotAddress(slot), "");

class Lane {
  constructor(number) {
    this.number = number;
    const send = (what) => () => room.send(`/lane/${number}/${what}`);
    this.state = h("small", {});
    this.row = h("div.slots", { role: "list", "aria-label": `Lane ${number}` });
    this.element = h("section.lane", { "aria-label": `Lane ${number}` },
      h("div.row.head", {}, h("span.lanename", {}, h("b", { textContent: `Lane ${number}` }), this.state),
        h("button.text.small", { type: "button", textContent: "Play", onclick: send("play") }),
        h("button.text.small", { type: "button", textContent: "Loop", onclick: send("loop") }),
        h("button.text.small", { type: "button", textContent: "Stop", onclick: send("stop") }),
        h("button.round", { type: "button", "aria-label": `Clear lane ${number}`, onclick: send("clear") }, icon("bin"))),
      this.row);
    for (let slot = 1; slot <= limits.slots; slot += 1) {
      this.row.append(h("div.slot", { role: "listitem", tabIndex: slot === 1 ? 0 : -1, "data-lane": number, "data-slot": slot, "aria-label": `Slot ${slot}: empty` }));
    }
    room.on(`/lane/${number}/*`, ([value], address) => this.see(address.split("/")[3], value));
  }

  see(what, value) {
    if (what === "state") {
      say(this.state, { waiting: "next bar", playing: "plays once", looping: "goes round", stopped: "" }[value] ?? "");
      this.element.dataset.state = value;
    } else if (what === "playing" || what === "focused") {
      for (const slot of this.row.children) slot.classList.toggle(what, value > 0 && Number(slot.dataset.slot) === value);
      if (what === "focused") seeFocus();
    } else if (/^\d+$/.test(what)) {
      const slot = this.row.children[what - 1];
      slot.replaceChildren(...(value ? [chip(value)] : []));
      slot.firstChild?.setAttribute("tabindex", "-1");
      slot.firstChild?.removeAttribute("role");
      slot.setAttribute("aria-label", `Slot ${what}: ${value || "empty"}`);
      markPreview();
      this.fit();
    }
  }

  /// Some empty slots behind the last block; lanes that are not used yet wait behind the first one that is empty.
  fit() {
    const used = [...this.row.children].findLastIndex((slot) => slot.firstChild) + 1;
    // Not what has the focus: whoever took the last block away goes on from there.
    const isFree = (element) => !element.contains(document.activeElement);
    for (const [index, slot] of [...this.row.children].entries()) slot.hidden = index >= Math.max(4, Math.min(limits.slots, used + 2)) && isFree(slot);
    this.element.dataset.used = used > 0 ? "yes" : "no";
    const all = [...lanes.children];
    const lastUsed = all.findLastIndex((lane) => lane.dataset.used === "yes");
    for (const [index, lane] of all.entries()) lane.hidden = index > lastUsed + 1 && isFree(lane);
  }
}

function put(name, slot, from) {
  if (from === slot) return;
  if (!from) return room.set(slotAddress(slot), name);
  const { lane } = from.dataset;
  const places = [Number(from.dataset.slot), Number(slot.dataset.slot)];
  if (lane === slot.dataset.lane) room.send(`/lane/${lane}/${blockIn(slot) ? "swap" : "move"}`, ...places);
  else room.send(`/lane/${lane}/move`, ...places, Number(slot.dataset.lane));
}

async function focus(slot) {
  const lane = slot.dataset.lane;
  const on = room.get(`/lane/${lane}/focused`, 0) !== Number(slot.dataset.slot);
  if (on && !listen.hears()) return toast("Turn the sound on first: a focused block is heard on this device alone.");
  if (on && !(await listen.want("focus"))) return;
  room.send(`/lane/${lane}/focus`, on ? Number(slot.dataset.slot) : 0);
}

const focusedSlot = () => lanes.querySelector(".slot.focused");

function endFocus() {
  const slot = focusedSlot();
  if (slot) room.send(`/lane/${slot.dataset.lane}/focus`, 0);
  listen.want("focus", false);
}

/// A focus ends here, with its lane, one's own loop or the beat, or by another hand: a room has eight cues, and this one goes back.
let focusSeen = 0;
function seeFocus() {
  const slot = focusedSlot();
  focusing.hidden = !slot;
  if (slot) say(focusing.firstChild, `You alone hear ${blockIn(slot)}, and nothing else.`);
  clearTimeout(focusSeen);
  focusSeen = setTimeout(() => focusedSlot() || listen.want("focus", false), 60);
}
room.on("refused", ([where]) => { if (/^\/lane\/\d+\/focus$/.test(where)) seeFocus(); });

// ---- Dragging and pinching.

const gesture = new BlockGesture();
/// What is drawn of a block that is lifted: the ghost under the finger, the slot that it would go into, and the block itself.
let [ghost, target, taken] = [null, null, null];
/// Until a block that a finger holds is lifted.
let held = 0;

const pointAt = (event) => [event.clientX, event.clientY];

document.addEventListener("pointerdown", (event) => {
  if (event.button || !lanes.isConnected || !event.target.closest?.("#panel-body")) return;
  const element = event.target.closest(".block");
  const block = element && { element, name: element.dataset.block, from: element.closest(".slot") };
  const before = gesture.touch;
  const isMouse = event.pointerType === "mouse";
  const act = gesture.down(event.pointerId, pointAt(event), event.timeStamp, { block, isMouse, focused: focusedSlot() });
  if (act && before) letBe();
  if (act === "take" && !isMouse) {
    held = setTimeout(() => {
      gesture.lift();
      lift();
    }, gesture.holdTime);
  }
});

document.addEventListener("pointermove", (event) => {
  const act = gesture.move(event.pointerId, pointAt(event), event.timeStamp, (slot) => slot.classList.contains("focused"));
  if (act?.focus) focus(act.focus);
  else if (act === "scroll") letBe();
  if (act === "lift") lift();
  if (act !== "lift" && act !== "carry") return;
  const { at, start } = gesture.touch;
  ghost.style.transform = `translate(${at[0] - start[0]}px, ${at[1] - start[1]}px)`;
  aim();
});

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => {
  if (end === "pointercancel") return gesture.cancel(event.pointerId) && letBe();
  const touch = gesture.up(event.pointerId, event.timeStamp, target);
  if (!touch) return;
  const slot = target;
  letBe();
  settle(touch, slot);
});

function settle({ act, name, from }, slot) {
  if (act === "hear") {
    choose(name);
    preview(name, from ? slotAddress(from) : "");
  } else if (act === "put") put(name, slot, from);
  else if (act === "flick" || act === "take off") {
    room.set(slotAddress(from), "");
    if (act === "flick") toast(`${name} is off the lane. Undo brings it back.`);
  }
}

/// What the fingers hold, they do not scroll.
function stay(event) {
  if (event.cancelable && gesture.holds) event.preventDefault();
}

/// What scrolls goes on under a block that is held at its edge: a lane may lie above or below what is seen.
function creep() {
  if (!ghost) return false;
  const [x, y] = gesture.touch.at;
  const slots = target?.parentElement;
  for (const [element, place, from, to, scroll] of [
    [lanes.closest(".panel-body"), y, "top", "bottom", "scrollTop"], [slots, x, "left", "right", "scrollLeft"]]) {
    const box = element?.getBoundingClientRect();
    const by = box ? scrollUnder(place, box[from], box[to]) : 0;
    if (by) element[scroll] += by;
  }
  aim();
  return true;
}

function lift() {
  clearTimeout(held);
  taken = gesture.touch.element;
  const box = taken.getBoundingClientRect();
  ghost = taken.cloneNode(true);
  ghost.className = "block ghost";
  for (const [side, value] of [["left", box.left], ["top", box.top], ["width", box.width], ["height", box.height]]) ghost.style[side] = `${value}px`;
  document.body.append(ghost);
  animate(creep);
  taken.classList.add("away");
  lanes.classList.add("open");
}

function aim() {
  const slots = [...lanes.querySelectorAll(".slot:not([hidden])")].map((slot) => [slot, slot.getBoundingClientRect()]);
  const best = nearestSlot(gesture.touch.at, slots);
  ghost.classList.toggle("leaving", gesture.leaves(best, performance.now()));
  if (best === target) return;
  target?.classList.remove("target");
  best?.classList.add("target");
  target = best;
}

/// Nothing is held any more.
function letBe() {
  clearTimeout(held);
  target?.classList.remove("target");
  taken?.classList.remove("away");
  lanes.classList.remove("open");
  ghost?.remove();
  ghost = target = taken = null;
}

// A block that was tapped goes into the empty slot that is tapped next.
lanes.addEventListener("click", (event) => {
  const slot = event.target.closest(".slot");
  if (slot && chosenBlock() && !carried && !blockIn(slot)) put(chosenBlock(), slot, null);
});

// A trackpad tells a pinch as a wheel with Ctrl.
lanes.addEventListener("wheel", (event) => {
  const slot = event.target.closest(".slot");
  if (!event.ctrlKey || !slot?.firstChild) return;
  event.preventDefault();
  if ((event.deltaY < 0) !== slot.classList.contains("focused")) focus(slot);
}, { passive: false });

// ---- Keys: Enter takes a block up, arrows choose a slot, Enter puts it there.

let carried = null;

function carry(name, from) {
  carried = { name, from };
  lanes.classList.add("open");
  const empty = from ?? lanes.querySelector(".slot:not([hidden]):empty") ?? lanes.querySelector(".slot");
  goTo(empty);
  toast(`${name}: arrows choose a slot, Enter puts it there, Escape lets it be.`);
}

function letGo() {
  carried = null;
  lanes.classList.remove("open");
  lanes.querySelector(".slot.target")?.classList.remove("target");
}

function goTo(slot) {
  if (!slot || slot.hidden) return;
  lanes.querySelector('.slot[tabindex="0"]')?.setAttribute("tabindex", "-1");
  slot.setAttribute("tabindex", "0");
  slot.focus();
  lanes.querySelector(".slot.target")?.classList.remove("target");
  if (carried) slot.classList.add("target");
}

function takeOff(slot) {
  if (!blockIn(slot)) return;
  goTo(slot);
  room.set(slotAddress(slot), "");
}

lanes.addEventListener("keydown", (event) => {
  const slot = event.target.closest(".slot");
  if (!slot) return;
  const name = blockIn(slot);
  const lane = [...lanes.children][slot.dataset.lane - 1];
  const beside = (by) => lane.querySelector(`[data-slot="${Number(slot.dataset.slot) + by}"]`);
  const above = (by) => lanes.children[Number(slot.dataset.lane) - 1 + by]?.querySelector(`[data-slot="${slot.dataset.slot}"]`);
  const act = {
    ArrowLeft: () => goTo(beside(-1)), ArrowRight: () => goTo(beside(1)), ArrowUp: () => goTo(above(-1)), ArrowDown: () => goTo(above(1)),
    Enter: () => {
      if (carried) { put(carried.name, slot, carried.from); letGo(); } else if (name) carry(name, slot);
    },
    Escape: () => carried && letGo(),
    Delete: () => takeOff(slot), Backspace: () => takeOff(slot),
    f: () => name && focus(slot), " ": () => name && preview(name, slotAddress(slot)),
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  // Escape closes the panel only where nothing is carried.
  if (event.key !== "Escape" || carried) event.stopPropagation();
  event.preventDefault();
  act();
});
