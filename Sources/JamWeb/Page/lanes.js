// Blocks and the lanes that they lie on: dragged by mouse and finger, carried by keys.

import { at as element, h, icon, say, show as reveal, shown, toast } from "./dom.js";
import { animate } from "./frame.js";
import * as listen from "./listen.js";
import { room } from "./room.js";

const LANES = 8;
const SLOTS = 16;
const ROWS = 2; // Of the shelf, filled column by column.
const SNAP = 70; // Pixels from a slot's middle.

const blocks = new Map();
const shelf = h("div.shelf", { role: "listbox", "aria-label": "Blocks: drag one onto a lane, or press Enter and choose a slot" });
const themes = h("div.segments.chips", { role: "group", "aria-label": "Theme" });
const about = h("div.group.about", { hidden: true });
const lanes = h("div.lanes");
const help = h("p.quiet", { textContent: "Drag a block onto a lane, with a finger once you have held it for a moment, or tap it and then a slot. Tap to hear it alone; flick it up or down or press Delete to take it away; pinch or press F to focus on it." });
/// Who focuses on a block hears nothing else: what ends it is in sight for as long.
const focusing = h("div.group.focusing", { role: "status", hidden: true }, h("span.grow"),
  h("button.primary", { type: "button", textContent: "Hear everybody", onclick: endFocus }));
/// A block that was kept here, until it is on the shelf.
let landing = "";
let theme = "";
let chosen = "";
let previewed = "";
let previewedAt = ""; // Its slot's address; empty is the shelf.

export function make() {
  const all = Array.from({ length: LANES }, (_, index) => new Lane(index + 1));
  lanes.append(...all.map((lane) => lane.element));
  for (const lane of all) lane.fit();
  return h("div.stack", {}, lanes, themes, shelf, about, help, focusing);
}

export function show() {
  room.send("/blocks");
  element("panel-body").addEventListener("touchmove", hold, { passive: false });
}

/// Nobody goes on hearing a preview or a focus whose block is not to be seen.
export function hide() {
  element("panel-body").removeEventListener("touchmove", hold);
  touches.clear();
  pinch = null;
  if (previewed) preview(previewed, previewedAt);
  endFocus();
}

/// Shows the block `name` on the shelf as soon as it is there.
export function land(name) {
  landing = name;
  fill();
}

room.on("/play", ([on]) => {
  if (on || !previewed) return;
  // It ended with the beat.
  previewed = previewedAt = "";
  markPreview();
});
room.on("connected", () => blocks.size && show());
room.on("begun again", () => { for (const [name, block] of blocks) if (block.owner) blocks.delete(name); });

room.on("/blocks/item", ([name, kind, beats, owner, shared]) => {
  blocks.set(name, { name, kind: kind || "own", beats, owner, shared });
  soon();
});
room.on("/blocks/gone", ([name]) => { blocks.delete(name); soon(); });

let later = 0;
function soon() {
  clearTimeout(later);
  later = setTimeout(fill, 40);
}

const KINDS = { own: "Kept here" };

function fill() {
  const pressed = [...themes.children].indexOf(document.activeElement);
  const kinds = ["", ...new Set([...blocks.values()].map((block) => block.kind))].sort((a, b) => (b === "own") - (a === "own"));
  themes.replaceChildren(...kinds.map((kind) => h("button", { type: "button", textContent: kind === "" ? "All" : KINDS[kind] ?? kind, "aria-pressed": String(kind === theme),
    onclick: () => { theme = kind; fill(); } })));
  themes.children[pressed]?.focus();
  const held = shelf.contains(document.activeElement) && document.activeElement.dataset.block;
  shelf.replaceChildren(...[...blocks.values()].filter((block) => theme === "" || block.kind === theme).map((block) => chip(block.name)));
  for (const block of lanes.querySelectorAll(".block")) dress(block);
  const options = [...shelf.children];
  markPreview();
  stopAt(options.find((option) => option.dataset.block === (held || chosen)) ?? options[0]);
  if (held) shelf.querySelector('[tabindex="0"]')?.focus();
  if (!landing || !blocks.has(landing)) return;
  if (theme !== "" && theme !== blocks.get(landing).kind) {
    theme = "";
    return fill();
  }
  const name = landing;
  landing = "";
  tell(name);
  toast(`${name} is kept on the shelf of blocks.`);
  reveal(options.find((option) => option.dataset.block === name));
}

function chip(name) {
  const element = h("button.block", { type: "button", role: "option", "aria-selected": String(name === chosen), "data-block": name },
    h("b", { textContent: name }), h("small"));
  dress(element);
  return element;
}

/// Its colour, and how long it is: lanes are known before the blocks that lie on them.
function dress(element) {
  const block = blocks.get(element.dataset.block);
  const bars = block ? block.beats / 4 : 0;
  say(element.lastChild, block ? `${bars === 1 ? "1 bar" : `${bars} bars`}${block.owner ? ` · ${shown(block.owner)}` : ""}` : "");
  element.style.setProperty("--hue", hueOf(block?.kind ?? element.dataset.block));
}

/// The shelf is one stop of the Tab key: arrows go on from there.
function stopAt(option) {
  for (const other of shelf.children) other.tabIndex = other === option ? 0 : -1;
}

function hueOf(text) {
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + letter.codePointAt(0)) % 360;
  return hash;
}

function tell(name) {
  chosen = name;
  const block = blocks.get(name);
  for (const option of shelf.children) option.setAttribute("aria-selected", String(option.dataset.block === name));
  about.hidden = !block;
  if (!block) return;
  const copy = h("input.line", { type: "text", maxLength: 32, placeholder: "Name of the copy", "aria-label": "Name of the copy" });
  const mine = block.owner === room.player || room.get("/host") > 0;
  about.replaceChildren(h("div.row.head", {}, h("h3", { textContent: name }),
    block.owner && !block.shared && mine ? h("button.text.small", { type: "button", textContent: "Share", onclick: () => room.send("/block/share", name) }) : null,
    block.owner && mine ? h("button.text.small", { type: "button", textContent: "Delete", onclick: () => { room.send("/block/delete", name); about.hidden = true; } }) : null),
  h("form.row", { onsubmit: (event) => { event.preventDefault(); const wanted = copy.value.trim(); if (wanted && room.send("/block/copy", name, wanted)) landing = wanted; copy.value = ""; } },
    copy, h("button.text.small", { type: "submit", textContent: "Copy" })));
}

/// Plays `name` to this device alone, from the place where it was tapped; the same again ends it.
async function preview(name, place) {
  if (previewed === name && previewedAt === place) name = "";
  if (name && !listen.hears()) return toast("Turn the sound on first: a preview is heard on this device alone.");
  previewed = name;
  previewedAt = place;
  if (name && !(await listen.preview())) return;
  room.send("/block/preview", name);
  markPreview();
}

function markPreview() {
  for (const element of document.querySelectorAll(".block")) {
    element.classList.toggle("previewed", previewed !== "" && element.dataset.block === previewed && placeOf(element) === previewedAt);
  }
}

// ---- Lanes.

const slotAddress = (slot) => `/lane/${slot.dataset.lane}/${slot.dataset.slot}`;
const placeOf = (block) => (block.parentElement?.matches(".slot") ? slotAddress(block.parentElement) : "");
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
    for (let slot = 1; slot <= SLOTS; slot += 1) {
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
    for (const [index, slot] of [...this.row.children].entries()) slot.hidden = index >= Math.max(4, Math.min(SLOTS, used + 2)) && isFree(slot);
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

// ---- Dragging. A mouse takes a block at once. Under a finger the shelf scrolls and a lane pans: a block is taken once it was held for a moment,
// on a lane also by a pull up or down, which as a flick takes it away. Times are the touch's own: a busy page hears of it late.

const STILL = 7; // Pixels that are no movement yet.
const HOLD = { shelf: 150, lane: 200 }; // Milliseconds.
const FLICK = 40; // Pixels up or down …
const QUICK = 300; // … within so many milliseconds of the touch.

let drag = null;
const touches = new Map();

document.addEventListener("pointerdown", (event) => {
  if (event.button || !lanes.isConnected || !event.target.closest?.("#panel-body")) return;
  touches.set(event.pointerId, [event.clientX, event.clientY]);
  const block = event.target.closest(".block");
  const from = block?.closest(".slot") ?? null;
  // What is focused on is let go of by two fingers anywhere.
  const pinched = touches.size === 2 ? focusedSlot() ?? from ?? drag?.from : null;
  if (pinched) return pinchFrom(pinched);
  if (!block) return;
  letBe();
  const isMouse = event.pointerType === "mouse";
  drag = { name: block.dataset.block, block, from, x: event.clientX, y: event.clientY, at: [event.clientX, event.clientY], id: event.pointerId, isMouse,
    since: event.timeStamp, moved: false, ghost: null, target: null };
  if (!isMouse) drag.hold = setTimeout(lift, holdTime(drag));
});

const holdTime = ({ from }) => (from ? HOLD.lane : HOLD.shelf);

document.addEventListener("pointermove", (event) => {
  if (touches.has(event.pointerId)) touches.set(event.pointerId, [event.clientX, event.clientY]);
  if (pinch) return watchPinch();
  if (!drag || event.pointerId !== drag.id) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(dx, dy) >= STILL) {
    drag.moved = true;
    const isHeld = event.timeStamp - drag.since >= holdTime(drag);
    // The finger scrolls.
    if (!drag.isMouse && !isHeld && (!drag.from || Math.abs(dx) > Math.abs(dy))) return letBe();
    if (!drag.ghost) lift();
  }
  if (!drag.ghost) return;
  drag.ghost.style.transform = `translate(${dx}px, ${dy}px)`;
  drag.at = [event.clientX, event.clientY];
  aim(...drag.at);
});

/// What the finger holds, it does not scroll; nor do two that pinch.
function hold(event) {
  if (event.cancelable && (drag?.ghost || pinch)) event.preventDefault();
}

const EDGE = 56; // Pixels from an edge of what scrolls.

/// What scrolls goes on under a block that is held at its edge: a lane may lie above or below what is seen.
function creep() {
  if (!drag?.ghost) return false;
  const [x, y] = drag.at;
  const slots = drag.target?.parentElement;
  for (const [element, place, from, to, scroll] of [
    [lanes.closest(".panel-body"), y, "top", "bottom", "scrollTop"], [slots, x, "left", "right", "scrollLeft"]]) {
    const box = element?.getBoundingClientRect();
    if (!box) continue;
    const by = place < box[from] + EDGE ? place - box[from] - EDGE : place > box[to] - EDGE ? place - box[to] + EDGE : 0;
    if (by) element[scroll] += Math.max(-14, Math.min(14, by / 4));
  }
  aim(x, y);
  return true;
}

function lift() {
  clearTimeout(drag.hold);
  const box = drag.block.getBoundingClientRect();
  const ghost = drag.block.cloneNode(true);
  ghost.className = "block ghost";
  for (const [side, value] of [["left", box.left], ["top", box.top], ["width", box.width], ["height", box.height]]) ghost.style[side] = `${value}px`;
  document.body.append(ghost);
  drag.ghost = ghost;
  animate(creep);
  drag.block.classList.add("away");
  lanes.classList.add("open");
}

function aim(x, y) {
  let best = null;
  let nearest = SNAP;
  for (const slot of lanes.querySelectorAll(".slot:not([hidden])")) {
    const box = slot.getBoundingClientRect();
    if (!box.width) continue;
    const apart = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
    if (apart < nearest) [nearest, best] = [apart, slot];
  }
  drag.ghost.classList.toggle("leaving", drag.from !== null && (!best || isFlick(performance.now())));
  if (best === drag.target) return;
  drag.target?.classList.remove("target");
  best?.classList.add("target");
  drag.target = best;
}

function isFlick(now) {
  const [dx, dy] = [Math.abs(drag.at[0] - drag.x), Math.abs(drag.at[1] - drag.y)];
  return drag.from !== null && !drag.isMouse && dy >= Math.max(FLICK, dx) && now - drag.since < QUICK;
}

/// The block is where it was let go at `now`.
function settle(now) {
  const { ghost, target, from, name, moved } = drag;
  const flicked = isFlick(now);
  letBe();
  if (!moved) {
    tell(name);
    return preview(name, from ? slotAddress(from) : "");
  }
  if (!ghost) return;
  if (target && !flicked) put(name, target, from);
  else if (from) {
    room.set(slotAddress(from), "");
    if (flicked) toast(`${name} is off the lane. Undo brings it back.`);
  }
}

/// Nothing is held any more.
function letBe() {
  if (!drag) return;
  const { ghost, target, block, hold } = drag;
  drag = null;
  clearTimeout(hold);
  target?.classList.remove("target");
  block.classList.remove("away");
  lanes.classList.remove("open");
  ghost?.remove();
}

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => {
  touches.delete(event.pointerId);
  if (touches.size < 2) pinch = null;
  if (drag?.id !== event.pointerId) return;
  if (end === "pointerup") settle(event.timeStamp);
  else letBe();
});

// ---- A pinch outwards focuses on a block, inwards ends it; a trackpad tells one as a wheel with Ctrl.

let pinch = null;

function spread() {
  const [a, b] = [...touches.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function pinchFrom(slot) {
  letBe();
  pinch = { slot, from: Math.max(20, spread()) };
}

function watchPinch() {
  if (touches.size < 2) return;
  const now = spread() / pinch.from;
  const isFocused = pinch.slot.classList.contains("focused");
  if ((now > 1.3 && !isFocused) || (now < 0.75 && isFocused)) {
    focus(pinch.slot);
    pinch = null;
  }
}

// A block that was tapped goes into the empty slot that is tapped next.
lanes.addEventListener("click", (event) => {
  const slot = event.target.closest(".slot");
  if (slot && chosen && !carried && !blockIn(slot)) put(chosen, slot, null);
});

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
shelf.addEventListener("focusin", (event) => event.target.closest(".block") && stopAt(event.target.closest(".block")));
shelf.addEventListener("keydown", (event) => {
  const block = event.target.closest(".block");
  if (!block) return;
  const options = [...shelf.children];
  const at = options.indexOf(block);
  const next = { ArrowUp: at - 1, ArrowDown: at + 1, ArrowLeft: at - ROWS, ArrowRight: at + ROWS, Home: 0, End: options.length - 1 }[event.key];
  if (next !== undefined) options[next]?.focus();
  else if (event.key === "Enter") carry(block.dataset.block, null);
  else if (event.key === " ") { tell(block.dataset.block); preview(block.dataset.block, ""); }
  else return;
  event.preventDefault();
});
