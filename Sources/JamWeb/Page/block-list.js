// The list of blocks: all blocks, their look, the actions for the chosen block, and hearing a block
// alone.

import { fileOf } from "./bring.js";
import { h, named, say, show as reveal, shown, t, toast, w, write } from "./dom.js";
import { slotAddress } from "./lane-board.js";
import * as listen from "./listen.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

const ROWS = 2; // Rows of the list, which is filled column by column.

export const blocks = new Map();
/// Blocks of other rooms that a search found, by id: a lane may hold one of them.
const elsewhere = new Map();
const list = h("div.block-list", { role: "listbox", "aria-label": "Patterns: drag one onto a lane, or press Enter and choose a slot" });
const themes = h("div.segments.chips", { role: "group", "aria-label": "Theme" });
const about = h("div.group.about", { hidden: true });
/// The name of a block that was saved here and is not on the list yet.
let landing = "";
let theme = "";
let chosen = "";

export const chosenBlock = () => chosen;

/// - Parameter carry: takes up the block with a name, when a key asks for that.
/// - Returns: the list's elements.
export function make(carry) {
  list.addEventListener("keydown", (event) => {
    const block = event.target.closest(".block");
    if (!block) return;
    const options = [...list.children];
    const at = options.indexOf(block);
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, ArrowLeft: at - ROWS, ArrowRight: at + ROWS, Home: 0, End: options.length - 1 }[event.key];
    if (next !== undefined) options[next]?.focus();
    else if (event.key === "Enter") carry(block.dataset.block);
    else if (event.key === " ") { choose(block.dataset.block); preview(block.dataset.block, ""); }
    else return;
    event.preventDefault();
  });
  return [themes, list, about];
}
list.addEventListener("focusin", (event) => event.target.closest(".block") && stopAt(event.target.closest(".block")));

/// Shows the block `name` on the list, as soon as the server tells of that block.
export function land(name) {
  landing = name;
  fill();
}

room.on("begun again", () => { for (const [name, block] of blocks) if (block.owner) blocks.delete(name); });
room.on("/blocks/item", ([name, kind, beats, owner, shared]) => {
  blocks.set(name, { name, kind: kind || "own", beats, owner, shared });
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
    h("b", { given: nameOf(name) }), h("small"));
  dress(element);
  return element;
}

/// The id of another room's block holds the room and the owner; only the name is for people to
/// read.
export const nameOf = (id) => id.split("/").at(-1);

/// Sets a block's colour and the text of its length. The length may be unknown at first: the server
/// tells of lanes before the blocks that lie on them.
export function dress(element) {
  const block = blocks.get(element.dataset.block) ?? elsewhere.get(element.dataset.block);
  const bars = block ? block.beats / 4 : 0;
  write(element.lastChild, block ? `${bars === 1 ? t("1 bar") : w`${bars} bars`}${block.owner ? ` · ${shown(block.owner)}` : ""}` : "");
  element.style.setProperty("--hue", hueOf(block?.kind ?? element.dataset.block));
}

/// The list is one stop of the Tab key; arrow keys move within the list.
function stopAt(option) {
  for (const other of list.children) other.tabIndex = other === option ? 0 : -1;
}

function hueOf(text) {
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + letter.codePointAt(0)) % 360;
  return hash;
}

/// Chooses the block `name`, and shows its actions.
export function choose(name) {
  chosen = name;
  const block = blocks.get(name);
  for (const option of list.children) option.setAttribute("aria-selected", String(option.dataset.block === name));
  about.hidden = !block;
  if (!block) return;
  const copy = h("input.line", { type: "text", maxLength: limits.name, placeholder: "Name of the copy", "aria-label": "Name of the copy" });
  const mine = block.owner === room.player || room.get("/host") > 0;
  about.replaceChildren(h("div.row.head", {}, h("h3", { given: name }), fileOf({ kind: "block", id: name, name }),
    block.owner && !block.shared && mine ? h("button.text.small", { type: "button", textContent: "Share", onclick: () => room.send("/block/share", name) }) : null,
    block.owner && mine ? h("button.text.small", { type: "button", textContent: "Remove", onclick: () => { room.send("/block/delete", name); about.hidden = true; } }) : null),
  h("form.row", { onsubmit: (event) => { event.preventDefault(); const wanted = copy.value.trim(); if (wanted && room.send("/block/copy", name, wanted)) landing = wanted; copy.value = ""; } },
    copy, h("button.text.small", { type: "submit", textContent: "Copy" })));
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
