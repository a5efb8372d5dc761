// Searches the server's kits, blocks and sounds of all rooms by words. One tap on a hit uses it.

import { fileOf } from "./bring.js";
import { chosenPad } from "./chosen.js";
import { putSound } from "./controls.js";
import { h, icon, named, say, shown, t, toast, w } from "./dom.js";
import { kindOf, toneOf } from "./kind.js";
import { preview } from "./preview.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { words } from "./words.js";

const PAUSE = 150; // Milliseconds without a key, after which the search for the typed words begins.

const KIND = { kit: "Kit", block: "Pattern", sound: "Sound" };
const KINDS = { "": "All", kit: "Kits", block: "Patterns", sound: "Sounds" };

/// All search fields on the page. An answer goes to the field that asked with the same words.
const finders = [];
let hits = [];

room.on("/search/item", ([kind, id, name, theme, category, bpm, author, uses, beats]) => {
  hits.push({ kind, id, name, theme, category, bpm, author, uses, beats });
});
room.on("/search/end", ([asked]) => {
  const found = hits;
  hits = [];
  for (const finder of finders) if (finder.asked === asked) finder.fill(found);
});
room.on("refused", ([where, reason, code]) => {
  if (where === "/search") for (const finder of finders) if (finder.isWaiting) finder.fail(words(reason, code));
});
// After a reconnection every field asks again: uses change the order of hits, and people share
// more.
room.on("connected", () => { for (const finder of finders) if (finder.element.isConnected) finder.ask(); });

export class Finder {
  #kind;
  #isFixed;
  #later = 0;
  #line = h("p.quiet", { role: "status" });
  #list = h("ul.sounds.hits", { "aria-label": "Hits" });
  /// The last words that this field asked for, as they were sent.
  asked = null;
  isWaiting = false;

  /// - Parameters:
  ///   - kind: `block` searches only blocks; without a kind a row of buttons chooses one.
  ///   - isQuiet: shows nothing until something is typed.
  ///   - between: an element over the hits.
  constructor({ kind = "", label, isQuiet = false, between = null }) {
    [this.#kind, this.#isFixed, this.isQuiet] = [kind, kind !== "", isQuiet];
    this.field = h("input.line", { type: "search", maxLength: 200, placeholder: label, "aria-label": label, autocomplete: "off", oninput: () => this.#soon() });
    const kinds = h("div.segments.chips", { role: "group", "aria-label": "Kind" }, ...Object.entries(KINDS).map(([one, name]) => h("button", {
      type: "button", textContent: name, "aria-pressed": String(one === kind),
      onclick: (event) => {
        this.#kind = one;
        for (const button of kinds.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
        this.ask();
      },
    })));
    this.element = h("div.stack.finder", {}, this.field, this.#isFixed ? null : kinds, between, this.#line, this.#list);
    this.#line.hidden = this.#list.hidden = isQuiet;
    finders.push(this);
  }

  #soon() {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.ask(), PAUSE);
  }

  ask() {
    clearTimeout(this.#later);
    const typed = this.field.value.trim();
    this.#line.hidden = this.#list.hidden = this.isQuiet && typed === "";
    if (this.#list.hidden) return;
    this.asked = `${this.#kind ? `kind:${this.#kind} ` : ""}${typed}`;
    this.isWaiting = room.send("/search", this.asked);
  }

  fill(found) {
    this.isWaiting = false;
    this.#list.replaceChildren(...found.map((hit) => this.#row(hit)));
    const typed = this.field.value.trim();
    if (found.length === 0) say(this.#line, typed ? "Nothing here is called that. Fewer words match more." : "There is nothing yet.");
    else say(this.#line, typed ? "The best first, and what is used most." : "What is used most.");
  }

  fail(text) {
    this.isWaiting = false;
    this.#list.replaceChildren();
    say(this.#line, text);
  }

  #row(hit) {
    const spot = hit.kind === "sound" ? h("i.spot", { "aria-hidden": "true" }) : null;
    spot?.style.setProperty("background-color", toneOf(kindOf(hit.category)));
    return h("li", {},
      hit.kind === "kit" ? null : h("button.round", { type: "button", "aria-label": w`Hear ${hit.name} alone`, onclick: () => hear(hit) }, icon("ear")),
      h("button.sound", { type: "button", "data-hit": `${hit.kind} ${hit.id}`, onclick: () => use(hit) },
        h("b", { given: hit.name }), h("small", { given: factsOf(hit, this.#isFixed) }), spot),
      hit.kind === "sound" ? null : fileOf(hit));
  }
}

/// The facts of a hit, in one line.
function factsOf(hit, isKindKnown) {
  const bars = hit.beats / 4;
  return [
    isKindKnown ? "" : t(KIND[hit.kind]), hit.kind === "sound" ? homeOf(hit.id) : named(hit.theme), hit.kind === "sound" ? named(hit.category) : "",
    hit.kind === "block" ? bars === 1 ? t("1 bar") : w`${Math.round(bars * 100) / 100} bars` : "",
    hit.bpm ? `${Math.round(hit.bpm)} bpm` : "", hit.author ? w`by ${shown(hit.author)}` : "",
    hit.uses === 1 ? t("used once") : hit.uses ? w`used ${hit.uses} times` : "",
  ].filter(Boolean).join(" · ");
}

/// The kit that a sound comes from. Sounds need it, because many of them are named Kick.
const homeOf = (id) => (id.startsWith("own/") ? t("Own sound") : id.split("/")[0]);

let heard = "";

/// Plays a hit on this device alone; a second press on a block ends it.
async function hear(hit) {
  if (hit.kind === "sound") return preview("/sample/preview", hit.id);
  const wanted = heard === hit.id ? "" : hit.id;
  if (await preview("/block/preview", wanted)) heard = wanted;
}

/// Ends the preview of a block when its hit goes out of sight.
export function endHearing() {
  if (heard) room.send("/block/preview", "");
  heard = "";
}

function use(hit) {
  if (hit.kind === "kit") {
    if (room.send("/kit", hit.id)) toast(w`You play ${hit.name}.`);
  } else if (hit.kind === "sound") {
    putSound(chosenPad(), hit);
  } else {
    const place = firstFree();
    if (!place) return toast("All lanes are full: remove a pattern first.");
    put(place, hit);
  }
}

/// The slot behind the last block of the first lane with a free slot: { lane, slot }, or null.
function firstFree() {
  for (let lane = 1; lane <= limits.lanes; lane += 1) {
    let last = limits.slots;
    while (last > 0 && !room.get(`/lane/${lane}/${last}`, "")) last -= 1;
    if (last < limits.slots) return { lane, slot: last + 1 };
  }
  return null;
}

/// The text to say once the block is in its slot. A block of another room is fetched first, which
/// takes a moment.
let awaited = null;

function put({ lane, slot }, hit) {
  awaited = { address: `/lane/${lane}/${slot}`, text: w`${hit.name} is on lane ${lane}, slot ${slot}: Play under Loops, Patterns.` };
  room.send(awaited.address, hit.id);
}
room.on("/lane/*", ([block], address) => {
  if (!block || address !== awaited?.address) return;
  toast(awaited.text);
  awaited = null;
});
