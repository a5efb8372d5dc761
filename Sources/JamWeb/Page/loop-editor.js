// Shows, plays and edits the notes of the player's own loop, layer by layer (the step grid is a
// layer too), and of the player's own blocks.

import { countedBeats, loopBeatsSince, onBeat, position, signature } from "./beat.js";
import { h, icon, style, t, toast, w } from "./dom.js";
import { animate } from "./frame.js";
import { shadeOf } from "./kind.js";
import { kindIn, own } from "./loop-strip.js";
import { NoteGrid } from "./note-grid.js";
import { nameOf, scaleOf } from "./notes.js";
import { padCount, press, release } from "./pads.js";
import { room } from "./room.js";

await style("play");

const LOUDER = 0.15;
let shownPart = "";

const parts = h("select.grow", { "aria-label": "Which notes" });
const louder = hand("Louder", () => grid.chosen && loudly(grid.chosen, 1));
const softer = hand("Softer", () => grid.chosen && loudly(grid.chosen, -1));
const remove = hand("Remove", () => grid.chosen && source().remove(grid.chosen));
const earlier = hand("Earlier", () => shift(-1));
const later = hand("Later", () => shift(1));
const hands = [softer, louder, earlier, later, remove];

function hand(text, onclick) { return h("button.text.small", { type: "button", textContent: text, disabled: true, onclick }); }

const grid = new NoteGrid({
  add: (row, beat) => {
    const { pad } = grid.rows[row];
    if (pad > 16) return;
    sound(pad, 0.8);
    source().add(pad, beat, 0.8);
  },
  change: (note, { beat, row }) => source().change(note, beat, note.velocity, grid.rows[row].pad),
  remove: (note) => source().remove(note),
  louder: (note, by) => loudly(note, by),
  chosen: (note) => {
    for (const button of hands) button.disabled = !note;
  },
});

/// Plays a note that is touched.
function sound(pad, velocity) {
  press(pad, velocity, "notes");
  setTimeout(() => release(pad, "notes"), 150);
}

function loudly(note, by) {
  const velocity = Math.min(1, Math.max(0.1, Math.round((note.velocity + by * LOUDER) * 100) / 100));
  if (velocity !== note.velocity) source().change(note, note.beat, velocity, note.pad);
}

function shift(by) {
  const note = grid.chosen;
  if (!note) return;
  const beat = note.beat + by * grid.step;
  if (beat >= 0 && beat < grid.length) source().change(note, beat, note.velocity, note.pad);
}

// ---- The source of the notes: a layer, or a block.

class LayerSource {
  constructor(number) { this.number = number; }

  get layer() { return own()?.layers.get(this.number); }
  get notes() {
    const { muted = false } = this.layer ?? {};
    return (own()?.notes ?? []).filter(({ layer }) => layer === this.number).map((note) => ({ ...note, muted }));
  }
  /// The length in quarter notes.
  get length() { return Math.max(1, ...this.notes.map(({ cycle }) => cycle), this.layer?.steps ? 0 : own()?.length ?? 0); }
  get steps() { return this.layer?.steps ?? false; }

  add(pad, beat, velocity) { room.send(`/layer/${this.number}/add`, pad, beat, velocity); }
  change(note, beat, velocity, pad) {
    room.send(`/layer/${this.number}/note`, note.number, beat, velocity, ...(pad === note.pad ? [] : [pad]));
  }
  remove(note) { room.send(`/layer/${this.number}/note`, note.number, note.beat, 0); }
}

/// Only a block's hits on sixteenths can be edited.
class BlockSource {
  steps = true;
  notes = [];
  length = 4;
  #coming = [];

  constructor(name, length) {
    this.name = name;
    this.length = length;
    this.ask();
  }

  ask() {
    this.#coming = [];
    room.send("/block/hits", this.name);
    clearTimeout(this.soon);
    // The server does not mark the end of its answer.
    this.soon = setTimeout(() => {
      this.notes = this.#coming;
      refresh();
    }, 150);
  }

  hit([block, pad, beat, velocity, length, category]) {
    if (block === this.name && pad > 0) this.#coming.push({ number: this.#coming.length, pad, beat, velocity, length, category });
  }

  #step(pad, beat, velocity) { room.send("/block/step", this.name, pad, Math.round(beat * 4) + 1, velocity); }
  add(pad, beat, velocity) {
    this.#step(pad, beat, velocity);
    this.ask();
  }
  change(note, beat, velocity, pad) {
    if (pad > 16) return toast("Notes of keys in patterns stay as they are.");
    // The new hit is set before the old one is removed, because a block must always have a hit.
    this.#step(pad, beat, velocity);
    if (Math.round(beat * 4) !== Math.round(note.beat * 4) || pad !== note.pad) this.#step(note.pad, note.beat, 0);
    this.ask();
  }
  remove(note) {
    this.#step(note.pad, note.beat, 0);
    this.ask();
  }
}

const blocks = new Map();
const sources = new Map();

function source() {
  if (!sources.has(shownPart)) {
    const [kind, ...name] = shownPart.split(" ");
    sources.set(shownPart, kind === "block" ? new BlockSource(name.join(" "), blocks.get(name.join(" "))) : new LayerSource(Number(name[0])));
  }
  return sources.get(shownPart);
}

room.on("/block/hit", (values) => sources.get(shownPart)?.hit?.(values));
room.on("/blocks/item", ([name, , beats, owner]) => {
  if (owner !== room.player) return;
  blocks.set(name, beats);
  list();
});
room.on("/blocks/gone", ([name]) => {
  blocks.delete(name);
  list();
});

function list() {
  const layers = [...(own()?.layers ?? [])].map(([number, { steps }]) => [`layer ${number}`, steps ? t("Step grid") : w`Layer ${number}`]);
  const all = [...layers, ...[...blocks.keys()].map((name) => [`block ${name}`, w`Pattern “${name}”`])];
  if (!all.some(([part]) => part === shownPart)) shownPart = all.at(-1)?.[0] ?? "";
  const text = all.flat().join("\n");
  if (list.told !== text) parts.replaceChildren(...all.map(([part, name]) => new Option(name, part)));
  list.told = text;
  parts.value = shownPart;
}

function rowsOf(notes) {
  const scale = scaleOf(room.get("/scale/notes", ""));
  const pads = Array.from({ length: Math.max(padCount(), ...notes.filter(({ pad }) => pad <= 16).map(({ pad }) => pad)) }, (_, index) => index + 1);
  const keys = [...new Set(notes.filter(({ pad }) => pad > 16).map(({ pad }) => pad))].sort((a, b) => b - a);
  return [...keys.map((pad) => ({ pad, name: nameOf(scale, pad - 17) })), ...pads.reverse().map((pad) => ({ pad, name: room.get(`/pad/${pad}/name`, "") || w`Pad ${pad}` }))];
}

/// A note has the colour of its sound.
const dyed = (note) => shadeOf(kindIn(room.player, note), note.pad);

function refresh() {
  list();
  if (!shownPart) return grid.see({ rows: rowsOf([]), notes: [], length: 4, bar: 4, colourOf: () => "#888", steps: false });
  const { notes, length, steps } = source();
  grid.see({ rows: rowsOf(notes), notes, length, steps, bar: signature()[0] / countedBeats(), colourOf: dyed });
  seeSnap();
}

const snap = h("div.segments", { role: "group", "aria-label": "Notes snap to" });
const SNAPS = [[0.25, "1/16"], [0.125, "1/32"], [1 / 12, "1/32T"], [1 / 96, "Free"]];
snap.append(...SNAPS.map(([step, name]) => h("button", {
  type: "button", textContent: name,
  onclick: () => {
    grid.snap = step;
    seeSnap();
    grid.draw();
  },
})));
function seeSnap() {
  for (const [index, [step]] of SNAPS.entries()) {
    snap.children[index].setAttribute("aria-pressed", String(step === grid.step));
    snap.children[index].disabled = grid.isSteps && step !== grid.step;
  }
}
seeSnap();
parts.addEventListener("change", () => {
  shownPart = parts.value;
  grid.choose(null);
  refresh();
});

let isShown = false;
function draw() {
  const now = position();
  // A block does not run with the loop, so it has no playing position.
  const beats = now && shownPart.startsWith("layer") && own()?.runs ? loopBeatsSince(now.beats) / countedBeats() : null;
  grid.playAt(beats === null ? null : ((beats % grid.length) + grid.length) % grid.length);
  return isShown && beats !== null;
}

for (const what of ["loop notes", "tones", "people", "/scale/notes"]) room.on(what, () => isShown && refresh());
room.on("/pad/*", (_, address) => isShown && /^\/pad\/\d+\/name$/.test(address) && refresh());
addEventListener("themechange", () => setTimeout(() => isShown && refresh(), 60));
onBeat(() => isShown && animate(draw));

export function make() {
  return {
    element: h("div.notes-panel", {},
      h("div.row.nowrap", {}, parts,
        h("button.round", { type: "button", "aria-label": "Smaller", onclick: () => grid.zoom(1 / 1.5) }, icon("minus")),
        h("button.round", { type: "button", "aria-label": "Larger", onclick: () => grid.zoom(1.5) }, icon("plus"))),
      // The buttons stand above the notes: below them they would be out of sight on a phone.
      h("div.row.note-hands", {}, hands),
      grid.element, snap, grid.spoken),
    show: ({ layer, note, near, block } = {}) => {
      isShown = true;
      room.send("/blocks");
      if (layer) shownPart = `layer ${layer}`;
      if (block) shownPart = `block ${block}`;
      refresh();
      if (note !== undefined) grid.show(note);
      else if (near !== undefined) grid.seek(near);
      animate(draw);
    },
    hide: () => { isShown = false; },
  };
}
