// The panel Kits: the kits, their sounds, and the player's own sounds.

import { bringFile } from "./bring.js";
import { chosenPad, showChosen } from "./chosen.js";
import { padChoice, putSound, sender, soundFile } from "./controls.js";
import { h, icon, named, show, t, toast, w } from "./dom.js";
import { Finder, endHearing } from "./finder.js";
import { kindOf, toneOf } from "./kind.js";
import { keyChooser } from "./kit-key.js";
import { kitFacts } from "./people.js";
import { close, parts } from "./panel.js";
import { limits } from "./ranges.js";
import { preview } from "./preview.js";
import { room } from "./room.js";

export function make() {
  const record = h("div");
  const pad = h("label.row", {}, h("span", { textContent: "Sounds go on pad" }), padChoice("Pad for the sound"));
  const finder = new Finder({ label: "Search kits, patterns and sounds", between: pad });
  const panel = parts(["Kits", kitList(bringOwn).element, { show: ask }], ["Sounds", h("div", {}, sounds().element), { show: showSounds, hide: () => showChosen("sounds", false) }],
    ["Search", h("div.stack", {}, finder.element, bringFile()), {
      show: () => { showChosen("finder", true); finder.ask(); },
      hide: () => { showChosen("finder", false); endHearing(); } }],
    ["Recordings", record, {
      show: async () => {
        const recording = await import("./record.js");
        if (!record.firstChild) record.append(recording.make().element);
        if (record.checkVisibility()) recording.show();
      },
      hide: () => record.firstChild && import("./record.js").then((it) => it.hide()) }]);
  async function bringOwn(file) {
    panel.choose(3);
    await (await import("./record.js")).takeFile(file);
  }
  // A file is trimmed under Recordings, for the chosen pad.
  return { ...panel, show: (wish) => (wish?.file ? bringOwn(wish.file) : panel.show()) };
}

// ---- Kits.

const kits = new Map();
const list = h("ul.kits");
const search = h("input.line", {
  type: "search", placeholder: "Search", "aria-label": "Search kits", oninput: () => filter(),
});
const filters = h("div.segments.chips", { role: "group", "aria-label": "Category" });
const nothing = h("p.quiet", { textContent: "No kit is called that.", hidden: true });
const saveName = h("input.line", { type: "text", maxLength: limits.name, placeholder: "Name of your kit", "aria-label": "Name of your kit" });
let category = "";
/// The name of the kit that was saved here and is not in the list yet.
let kept = null;

/// - Parameter bringOwn: takes a file with a sound of the player's own.
function kitList(bringOwn) {
  const keep = sender("/kit/save", saveName, (name) => { kept = name; });
  const save = h("form.row", { onsubmit: (event) => { event.preventDefault(); keep(); } }, saveName, h("button.text", { type: "submit", textContent: "Save my pads as a kit" }));
  const own = h("label.text.small.filelabel", { title: "A sound of your own, from a file, for the pad that you touched last" }, "Own sound", soundFile("own-sound", bringOwn));
  return { element: h("div.stack", {}, h("div.row.nowrap.kitsearch", {}, search, keyChooser(), own), filters, list, nothing, save) };
}

function ask() { room.send("/kits"); }
room.on("connected", () => kits.size && ask());

room.on("/kits/item", ([index, id, name, kind, description]) => {
  if (kits.has(id)) return land(id);
  const swatch = h("span.swatch", { "aria-hidden": "true" });
  const element = h("li", {}, h("button.kit", { type: "button", "data-kit": id, "aria-pressed": "false", onclick: () => choose(id) },
    swatch, h("b", { given: name }), h("small.kind", { given: named(kind) }), h("small.what", { given: description })),
  h("button.round", { type: "button", "aria-label": w`Hear ${name} alone`, onclick: () => taste(id) }, icon("ear")));
  kits.set(id, { index, id, name, kind, description, element, swatch });
  list.append(element);
  mark();
  dress(id);
  categories();
  filter();
  land(id);
});

/// Shows the kit that was just saved, whatever the search was.
function land(id) {
  const kit = kits.get(id);
  if (kit.name !== kept) return;
  kept = null;
  search.value = category = "";
  for (const button of filters.children) button.setAttribute("aria-pressed", String(button === filters.firstChild));
  filter();
  show(kit.element);
  toast(w`${kit.name} is saved, for everybody to choose.`);
}

/// Draws the kit as its sixteen pads in the colours of their sounds.
async function dress(id) {
  const kit = kits.get(id);
  // A kit that was saved a moment ago is not known yet.
  const facts = (await kitFacts()).get(id) ?? (await kitFacts(true)).get(id);
  const categories = facts?.categories ?? [];
  kit.swatch.replaceChildren(...categories.map((category, index) => {
    const spot = h("i");
    if (category) spot.style.backgroundColor = toneOf(kindOf(category), index + Math.floor(index / 4));
    return spot;
  }));
}

function categories() {
  const kinds = ["", ...new Set([...kits.values()].map((kit) => kit.kind).filter(Boolean))];
  if (filters.childElementCount === kinds.length) return;
  filters.replaceChildren(...kinds.map((kind) => h("button", {
    type: "button", given: named(kind || "All"), "aria-pressed": String(kind === category),
    onclick: (event) => {
      category = kind;
      for (const button of filters.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      filter();
    },
  })));
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let seen = 0;
  for (const kit of kits.values()) {
    const text = `${kit.name} ${kit.kind} ${named(kit.kind)} ${kit.description}`.toLowerCase();
    kit.element.hidden = !words.every((word) => text.includes(word)) || (category !== "" && kit.kind !== category);
    if (!kit.element.hidden) seen += 1;
  }
  nothing.hidden = seen > 0;
}

function mark() {
  const own = room.get("/kit");
  for (const kit of kits.values()) kit.element.firstChild.setAttribute("aria-pressed", String(kit.id === own));
}
room.on("/kit", mark);

let tasting = 0;
let tastes = 0;

/// Plays a bar of the kit's first pads at the room's tempo, on this player's cue.
async function taste(id) {
  clearTimeout(tasting);
  const turn = ++tastes;
  const has = (await kitFacts()).get(id)?.pads ?? (await kitFacts(true)).get(id)?.pads ?? [];
  const pads = [1, 4, 2, 4, 1, 3, 2, 5].map((pad) => (has.includes(pad) ? pad : has[(pad - 1) % has.length]));
  if (turn !== tastes || has.length === 0) return;
  const beat = 60000 / room.get("/tempo", 120);
  let next = 0;
  const step = async () => {
    if (!(await preview("/sample/preview", `${id}/${pads[next]}`))) return;
    next += 1;
    if (next < pads.length) tasting = setTimeout(step, beat / 2);
  };
  step();
}

function choose(id) {
  // A second tap on the kit that is on goes back to the pads.
  if (room.get("/kit") === id) return close();
  room.send("/kit", id);
  // On a phone, choosing a kit leads back to the pads, which have the kit's sounds now.
  if (matchMedia("(max-width: 599px), (max-height: 499px) and (min-aspect-ratio: 1)").matches) close();
}

// ---- Sounds of any kit, for any pad.

const samples = new Map();
const soundList = h("ul.sounds");
const soundSearch = h("input.line", { type: "search", placeholder: "Search sounds", "aria-label": "Search sounds", oninput: () => filterSounds() });
const soundKinds = h("div.segments.chips", { role: "group", "aria-label": "Category" });
let soundKind = "";

room.on("pad chosen", markSounds);

function sounds() {
  return { element: h("div.stack", {}, h("label.row", {}, h("span", { textContent: "For pad" }), padChoice("Pad for the sound")), soundSearch, soundKinds, soundList) };
}

/// Whether the page asked for the list of all sounds. The server tells everybody about later ones
/// by itself.
let hasAsked = false;

function showSounds() {
  showChosen("sounds", true);
  markSounds();
  if (hasAsked) return;
  hasAsked = true;
  room.send("/samples");
}
// After a restart the server may have other sounds.
room.on("connected", () => {
  if (!hasAsked) return;
  samples.clear();
  room.send("/samples");
});

const WORDS = ["own", "kick", "snare", "clap", "hat", "cymbal", "tom", "percussion", "bass", "chord", "lead", "voice", "fx", "riser", "impact", "loop", "other"];
soundKinds.append(...["", ...WORDS].map((kind) => h("button", {
  type: "button", given: kind === "own" ? t("Own sounds") : named(kind || "All"), "aria-pressed": String(kind === soundKind),
  onclick: (event) => {
    soundKind = kind;
    for (const button of soundKinds.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
    filterSounds();
  },
})));

let late = 0;
room.on("/samples/item", ([id, name, kind]) => {
  samples.set(id, { id, name, kind, text: `${name} ${kind} ${named(kind)} ${id}`.toLowerCase() });
  clearTimeout(late);
  late = setTimeout(filterSounds, 60);
});

function filterSounds() {
  const words = soundSearch.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = [...samples.values()].filter((sound) => words.every((word) => sound.text.includes(word))
    && (soundKind === "" || sound.kind === soundKind || (soundKind === "own" && sound.id.startsWith("own/"))));
  soundList.replaceChildren(...fits.slice(0, 120).map(soundRow));
  if (fits.length > 120) soundList.append(h("li.quiet", { textContent: w`and ${fits.length - 120} more: search, or choose a category` }));
  if (fits.length === 0) soundList.append(h("li.quiet", { textContent: soundKind === "own" ? "There are no own sounds yet: make one under Recordings." : "Nothing here is called that." }));
}

function soundRow(sound) {
  const kit = sound.id.startsWith("own/") ? t("Own sound") : kits.get(sound.id.split("/")[0])?.name ?? sound.id.split("/")[0];
  return h("li", {},
    h("button.round", { type: "button", "aria-label": w`Hear ${sound.name} alone`, onclick: () => preview("/sample/preview", sound.id) }, icon("ear")),
    h("button.sound", { type: "button", "data-sound": sound.id, "aria-pressed": String(room.get(`/pad/${chosenPad()}/sample`) === sound.id), onclick: () => putSound(chosenPad(), sound) },
      h("b", { given: sound.name }), h("small", { given: `${named(sound.kind)} · ${kit}` }),
      spotOf(sound.kind)));
}

/// A spot in the colour of a sound's kind.
function spotOf(category) {
  const spot = h("i.spot", { "aria-hidden": "true" });
  spot.style.backgroundColor = toneOf(kindOf(category));
  return spot;
}

function markSounds() {
  const sample = room.get(`/pad/${chosenPad()}/sample`);
  for (const button of soundList.querySelectorAll(".sound")) button.setAttribute("aria-pressed", String(sample === button.dataset.sound));
}
room.on("/pad/*", (_, address) => { if (address === `/pad/${chosenPad()}/sample`) markSounds(); });
