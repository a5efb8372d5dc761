// The list of blocks: all blocks, their look, the actions for the chosen block, and hearing a block
// alone.

import { beatsOf, draw, kindOfBlock, rhythm, want } from "./block-rhythm.js";
import { fileOf } from "./bring.js";
import { h, named, show as reveal, shown, t, toast, w, write } from "./dom.js";
import { toneOf } from "./kind.js";
import { slotAddress } from "./lane-board.js";
import { STATES } from "./lane-words.js";
import * as listen from "./listen.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

export const blocks = new Map();
/// Blocks of other rooms that a search found, by id: a lane may hold one of them.
const elsewhere = new Map();
const list = h("div.block-list", { role: "listbox", "aria-label": "Patterns: tap one to play it, drag it onto a lane, or press Enter and choose a slot" });
const themes = h("div.segments.chips", { role: "group", "aria-label": "Theme" });
const about = h("div.group.about", { hidden: true });
/// The name of a block that was saved here and is not on the list yet.
let landing = "";
let theme = "";
let chosen = "";

export const chosenBlock = () => chosen;

/// Plays a block of the list, or lets it rest (`PatternTap`).
let taps = null;

/// - Parameters:
///   - carry: takes up the block with a name, when a key asks for that.
///   - tapping: what a tap does (`PatternTap`).
/// - Returns: the list's elements.
export function make(carry, tapping) {
  taps = tapping;
  list.addEventListener("keydown", (event) => {
    const block = event.target.closest(".block");
    if (!block) return;
    const options = [...list.children];
    const at = options.indexOf(block);
    const across = columns(options);
    const next = {
      ArrowUp: at - across, ArrowDown: at + across, ArrowLeft: at - 1, ArrowRight: at + 1,
      Home: 0, End: options.length - 1,
    }[event.key];
    if (next !== undefined) options[next]?.focus();
    else if (event.key === "Enter") carry(block.dataset.block);
    else if (event.key === " ") tap(block.dataset.block, "");
    else return;
    event.preventDefault();
  });
  // Some browsers click a button as Space is let go of, although its press was taken.
  list.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
  // A click without a pointer is a press by a screen reader.
  list.addEventListener("click", (event) => {
    const block = event.target.closest(".block");
    if (block && event.detail === 0 && !event.pointerType) tap(block.dataset.block, "");
  });
  return [themes, list, about];
}

/// How many blocks lie beside each other.
const columns = (options) => {
  const top = options[0]?.offsetTop;
  return Math.max(1, options.filter((option) => option.offsetTop === top).length);
};

/// Whether a pattern of the list was tapped a moment ago: its lane is filled by that.
let tappedAt = -Infinity;
export const wasTapped = () => performance.now() - tappedAt < 2000;

/// A tap on a block. One of the list plays from the next bar line on, or rests. One on a lane is
/// heard on this device alone; `place` is the address of its slot.
export function tap(name, place) {
  choose(name);
  if (place) return preview(name, place);
  endPreview();
  tappedAt = performance.now();
  if (taps.tap(name).act === "full") toast("All lanes are full: remove a pattern first.");
  markSounding();
}

/// Marks the blocks of the list that play, and says how.
export function markSounding() {
  for (const option of list.children) {
    const state = taps?.stateOf(option.dataset.block) ?? "";
    option.classList.toggle("sounding", state !== "");
    dress(option);
  }
}

room.on("rhythms", () => {
  for (const element of document.querySelectorAll(".block")) dress(element);
});
list.addEventListener("focusin", (event) => event.target.closest(".block") && stopAt(event.target.closest(".block")));

/// Shows the block `name` on the list, as soon as the server tells of that block.
export function land(name) {
  landing = name;
  fill();
}

room.on("begun again", () => { for (const [name, block] of blocks) if (block.owner) blocks.delete(name); });
room.on("/blocks/item", ([name, kind, beats, owner, shared]) => {
  // A block that is told again may have other hits.
  const isOld = blocks.has(name);
  blocks.set(name, { name, kind: kind || "own", beats, owner, shared });
  want(name, isOld && owner !== "");
  soon();
});
room.on("/blocks/gone", ([name]) => { blocks.delete(name); soon(); });

room.on("/search/item", ([kind, id, name, theme, , , owner, , beats]) => {
  if (kind === "block" && id !== name) elsewhere.set(id, { name, kind: theme || "own", beats, owner, shared: 1 });
});

let later = 0;
function soon() {
  clearTimeout(later);
  later = setTimeout(fill, 40);
}

const KINDS = { own: "Saved here" };

function fill() {
  const pressed = [...themes.children].indexOf(document.activeElement);
  const kinds = ["", ...new Set([...blocks.values()].map((block) => block.kind))].sort((a, b) => (b === "own") - (a === "own"));
  themes.replaceChildren(...kinds.map((kind) => h("button", { type: "button", given: kind === "" ? t("All") : KINDS[kind] ? t(KINDS[kind]) : named(kind), "aria-pressed": String(kind === theme),
    onclick: () => { theme = kind; fill(); } })));
  themes.children[pressed]?.focus();
  const held = list.contains(document.activeElement) && document.activeElement.dataset.block;
  list.replaceChildren(...[...blocks.values()].filter((block) => theme === "" || block.kind === theme).map((block) => chip(block.name)));
  room.tell("blocks", []);
  const options = [...list.children];
  markPreview();
  markSounding();
  stopAt(options.find((option) => option.dataset.block === (held || chosen)) ?? options[0]);
  if (held) list.querySelector('[tabindex="0"]')?.focus();
  if (!landing || !blocks.has(landing)) return;
  if (theme !== "" && theme !== blocks.get(landing).kind) {
    theme = "";
    return fill();
  }
  const name = landing;
  landing = "";
  choose(name);
  toast(w`${name} is saved among the patterns.`);
  reveal(options.find((option) => option.dataset.block === name));
}

/// The element of a block, on the list or on a lane.
export function chip(name) {
  const element = h("button.block", { type: "button", role: "option", "aria-selected": String(name === chosen), "data-block": name },
    h("b", { given: nameOf(name) }), rhythm(), h("small"));
  dress(element);
  return element;
}

/// The id of another room's block holds the room and the owner; only the name is for people to
/// read.
export const nameOf = (id) => id.split("/").at(-1);

/// Sets a block's colour, its rhythm, and the text of its length, or of how it plays. The length may
/// be unknown at first: the server tells of lanes before the blocks that lie on them.
export function dress(element) {
  const { block: name } = element.dataset;
  const block = blocks.get(name) ?? elsewhere.get(name);
  const bars = block ? block.beats / 4 : 0;
  const long = bars === 1 ? t("1 bar") : w`${bars} bars`;
  const facts = block ? `${long}${block.owner ? ` · ${shown(block.owner)}` : ""}` : "";
  const state = element.classList.contains("sounding") ? STATES[taps.stateOf(name)] : "";
  write(element.lastChild, state ? t(state) : facts);
  element.style.setProperty("--tone", toneOf(kindOfBlock(name)));
  draw(element.children[1], name, block?.beats ?? beatsOf(name));
}

/// The list is one stop of the Tab key; arrow keys move within the list.
function stopAt(option) {
  for (const other of list.children) other.tabIndex = other === option ? 0 : -1;
}

/// Milliseconds in which the actions rest that came under the finger: the click of the tap that
/// brings them would press one.
const REST = 400;

function rest() {
  about.inert = true;
  setTimeout(() => { about.inert = false; }, REST);
}

/// Chooses the block `name`, and shows its actions.
export function choose(name) {
  chosen = name;
  const block = blocks.get(name);
  for (const option of list.children) option.setAttribute("aria-selected", String(option.dataset.block === name));
  if (block && about.hidden) rest();
  about.hidden = !block;
  if (!block) return;
  const copy = h("input.line", { type: "text", maxLength: limits.name, placeholder: "Name of the copy", "aria-label": "Name of the copy" });
  const mine = block.owner === room.player || room.get("/host") > 0;
  const save = (event) => {
    event.preventDefault();
    const wanted = copy.value.trim();
    if (wanted && room.send("/block/copy", name, wanted)) landing = wanted;
    copy.value = "";
    copying.hidden = true;
  };
  const copying = h("form.row", { hidden: true, onsubmit: save }, copy,
    h("button.text.small", { type: "submit", textContent: "Save" }));
  const begin = () => {
    copying.hidden = !copying.hidden;
    if (!copying.hidden) copy.focus();
  };
  about.replaceChildren(h("div.row.head", {}, h("h3", { given: name }),
    h("button.text.small", { type: "button", textContent: "Hear it alone", onclick: () => preview(name, "") }),
    fileOf({ kind: "block", id: name, name }),
    block.owner && !block.shared && mine ? h("button.text.small", { type: "button", textContent: "Share", onclick: () => room.send("/block/share", name) }) : null,
    h("button.text.small", { type: "button", textContent: "Copy", onclick: begin }),
    block.owner && mine ? h("button.text.small", { type: "button", textContent: "Remove", onclick: () => { room.send("/block/delete", name); about.hidden = true; } }) : null),
  copying);
}

// ---- Hearing a block alone.

let previewed = "";
let previewedAt = ""; // The address of its slot; empty for the list.

const placeOf = (block) => (block.parentElement?.matches(".slot") ? slotAddress(block.parentElement.dataset) : "");

/// Plays `name` on this device alone, from the place of the tap. A second tap at the same place
/// ends it.
export async function preview(name, place) {
  if (previewed === name && previewedAt === place) name = "";
  if (name && !listen.hears()) return toast("Turn the sound on first: it is heard on this device alone.");
  previewed = name;
  previewedAt = place;
  if (name && !(await listen.preview())) return;
  room.send("/block/preview", name);
  markPreview();
}

export function markPreview() {
  for (const element of document.querySelectorAll(".block")) {
    element.classList.toggle("previewed", previewed !== "" && element.dataset.block === previewed && placeOf(element) === previewedAt);
  }
}

export function endPreview() { if (previewed) preview(previewed, previewedAt); }

room.on("/play", ([on]) => {
  if (on || !previewed) return;
  // The preview ended with the beat.
  previewed = previewedAt = "";
  markPreview();
});
