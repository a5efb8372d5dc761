// The step grid: the sixteenths of a loop for pads and notes, set by hand. Recorded hits show in
// it, too.

import { loopBeatsSince, onBeat, position, signature, until } from "./beat.js";
import { stepper } from "./controls.js";
import { h, t, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { kindOf, toneOf } from "./kind.js";
import { stepsOfSomeRounds } from "./loop-notes.js";
import { own } from "./loop-strip.js";
import { keysFrom, lowKey, nameOf, scaleOf } from "./notes.js";
import { padCount, playAt, press, release } from "./pads.js";
import { room } from "./room.js";

/// Milliseconds for which a tap on a row's name plays its sound.
const HEARD = 150;
/// The notes to choose from: OCTAVES octaves from C2 (LOW) on.
const [LOW, OCTAVES] = [36, 4];

/// Where there is no width for sixteen steps beside each other, a row is folded into lines of so
/// many.
const PER_LINE = 8;
/// Pixels: from this width on there is room, for a finger and for a mouse.
const [FINGERS, MOUSES] = [590, 400];
const isFine = matchMedia("(hover: hover) and (pointer: fine)");

let velocity = 1;
const cells = new Map();
const table = h("div.stepgrid", { role: "grid", "aria-label": "Steps: arrow keys move, space sets" });

export function make() {
  const loud = h("div.segments", { role: "group", "aria-label": "Loudness of the steps that you set" });
  loud.append(...[[0.4, "Soft"], [0.7, "Medium"], [1, "Full"]].map(([value, name]) => h("button", {
    type: "button", textContent: name, "aria-pressed": String(value === velocity),
    onclick: (event) => {
      velocity = value;
      for (const button of loud.children) button.setAttribute("aria-pressed", String(button === event.currentTarget));
    },
  })));
  room.on("/steps", build);
  room.on("/steps/*", build);
  room.on("/step/*", ([value], address) => see(address, value));
  room.on("/pad/*", ([value], address) => {
    const [, , pad, what, more] = address.split("/");
    const row = rows[pad - 1];
    if (what === "name" && !more && row?.pad === Number(pad)) write(row.name, value || w`Pad ${pad}`);
    if (what === "category" && row?.pad === Number(pad)) dye(row);
  });
  room.on("/key/*", ([value], address) => {
    const note = address.match(KEY_STEP)?.[1];
    if (note === undefined) return;
    if (value > 0) addNote(Number(note));
    see(address, value);
  });
  room.on("/scale/notes", ([text]) => {
    scale = scaleOf(text);
    for (const { note, name } of rows) if (note !== undefined) write(name, nameOf(scale, note));
    listNotes();
  });
  new MutationObserver(build).observe(document.body, { attributeFilter: ["data-pads"] });
  room.on("loop notes", seeRounds);
  const scroll = h("div.stepscroll", {}, table);
  new ResizeObserver(([{ contentRect }]) => {
    isFolded = contentRect.width < (isFine.matches ? MOUSES : FINGERS);
    table.classList.toggle("folded", isFolded);
    shown = -2;
  }).observe(scroll);
  build();
  onBeat(() => animate(draw));
  return h("div.stack", {},
    h("div.row", {}, loud, h("div.grow", {}, stepper({ address: "/steps", label: "Steps", step: 4 }))),
    scroll, striped, h("div.row", {}, more));
}

/// The rows of the pads, and below them the rows of notes: { pad or note, length in steps, name and
/// head (the playhead) }.
let rows = [];
/// Whether the rows are folded into lines.
let isFolded = false;
let shown = -2; // The sixteenth at which the playheads are drawn; -2 before the first drawing.

// ---- Notes: a row for each note that has steps or was chosen.

const KEY_STEP = /^\/key\/(\d+)\/step\/\d+$/;
const notes = new Set();
let scale = scaleOf("C D E F G A B");
const more = h("select", { "aria-label": "Add a row for a note", onchange: () => {
  const note = Number(more.value);
  addNote(note);
  cells.get(`/key/${note}/step/1`)?.scrollIntoView({ block: "nearest" });
} });

function addNote(note) {
  if (notes.has(note)) return;
  notes.add(note);
  build();
  listNotes();
}

function listNotes() {
  const all = keysFrom(scale, lowKey(scale, LOW), OCTAVES * scale.names.size + 1, true);
  more.replaceChildren(new Option(t("Add a note …"), ""), ...all.filter((note) => !notes.has(note)).map((note) => new Option(nameOf(scale, note), note)));
}

/// The rows that the grid should have, without their elements.
function wanted() {
  const whole = room.get("/steps", 16);
  const pads = Array.from({ length: padCount() }, (_, index) => ({ pad: index + 1, length: room.get(`/steps/${index + 1}`, 0) || whole }));
  // The highest note comes first, as in other piano rolls.
  return [...pads, ...[...notes].sort((a, b) => b - a).map((note) => ({ note, length: whole }))];
}

const placeOf = ({ pad, note }) => (note === undefined ? `/step/${pad}` : `/key/${note}/step`);

function nameButton({ pad, note }) {
  const sound = note === undefined
    ? () => { press(pad, velocity, "steps"); setTimeout(() => release(pad, "steps"), HEARD); }
    : () => { playAt(performance.now(), `/key/${note}`, velocity); setTimeout(() => playAt(performance.now(), `/key/${note}`, 0), HEARD); };
  return h("button.stepname", { type: "button", tabIndex: -1, onpointerdown: sound,
    given: note === undefined ? room.get(`/pad/${pad}/name`, "") || w`Pad ${pad}` : nameOf(scale, note) });
}

/// Gives a row the colour of its sound.
function dye({ pad, note, name }) {
  const place = pad ?? note + 17;
  const kind = kindOf(room.get(`/pad/${place}/category`, ""), place);
  name.closest(".steprow").style.setProperty("--tone", toneOf(kind, place));
}

function build() {
  const fresh = wanted();
  const told = (list) => list.map((row) => `${placeOf(row)} ${row.length}`).join("\n");
  if (told(fresh) === told(rows)) return;
  const focused = addressOf(table.querySelector(".step:focus"));
  rows = fresh.map((row) => ({ ...row, name: nameButton(row), head: h("i.playhead", { "aria-hidden": "true", hidden: true }) }));
  shown = -2;
  cells.clear();
  table.style.setProperty("--steps", Math.max(...rows.map(({ length }) => length)));
  table.replaceChildren(...rows.map((row, index) => {
    const line = h("div.steprow", { role: "row" }, h("div", { role: "rowheader" }, row.name), row.head);
    line.style.setProperty("--lines", Math.ceil(row.length / PER_LINE));
    for (let step = 1; step <= row.length; step += 1) {
      const cell = h("button.step", { type: "button", role: "gridcell", tabIndex: index === 0 && step === 1 ? 0 : -1, "data-step": step, "data-row": index + 1,
        "aria-label": w`Step ${step}`, "aria-selected": "false" });
      if ((step - 1) % 4 === 0) cell.classList.add("beat");
      cells.set(`${placeOf(row)}/${step}`, cell);
      line.append(cell);
    }
    return line;
  }));
  rows.forEach(dye);
  seeRounds();
  for (const address of cells.keys()) see(address, room.get(address, 0));
  focus(cells.get(focused));
}

/// Gives a cell the focus. The Tab key comes to the cell that had the focus last.
function focus(cell) {
  if (!cell) return;
  for (const other of table.querySelectorAll('.step[tabindex="0"]')) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

function see(address, value) {
  const cell = cells.get(address);
  if (!cell) return;
  cell.setAttribute("aria-selected", String(value > 0));
  cell.style.setProperty("--v", value);
}

const striped = h("p.quiet", {
  hidden: true,
  textContent: "A striped step does not sound in every round. A step that you set does.",
});

/// Stripes the steps that a longer loop plays in some rounds of the grid.
function seeRounds() {
  const { notes = [], layers = new Map() } = own() ?? {};
  // The grid's own notes come again with their row, whose length may have changed since then.
  const isOfGrid = (note) => layers.get(note.layer)?.steps;
  const ofRow = ({ length }) => notes.map((note) => (
    isOfGrid(note) ? { ...note, cycle: length / 4 } : note));
  const some = new Set(rows.flatMap((row) => {
    const steps = stepsOfSomeRounds(ofRow(row), row.pad ?? row.note + 17, row.length);
    return steps.map((step) => `${placeOf(row)}/${step}`);
  }));
  for (const [address, cell] of cells) {
    cell.classList.toggle("some", some.has(address));
    cell.title = some.has(address) ? t("Not in every round") : "";
  }
  striped.hidden = some.size === 0;
}

const addressOf = (cell) => (cell ? `${placeOf(rows[cell.dataset.row - 1])}/${cell.dataset.step}` : "");

function set(cell, value) {
  const address = addressOf(cell);
  if (room.get(address, 0) === value) return;
  room.set(address, value);
}

// ---- A mouse sets a step, and paints as it moves on. A finger sets a step by a tap, and scrolls
// as it moves.

let painting = null;
table.addEventListener("pointerdown", (event) => {
  const cell = event.target.closest(".step");
  if (!cell || event.button) return;
  if (event.pointerType !== "mouse") return;
  event.preventDefault();
  painting = room.get(addressOf(cell), 0) > 0 ? 0 : velocity;
  set(cell, painting);
});
table.addEventListener("pointerover", (event) => {
  if (painting === null) return;
  const cell = event.target.closest(".step");
  if (cell) set(cell, painting);
});
addEventListener("pointerup", () => { painting = null; });
table.addEventListener("click", (event) => {
  const cell = event.target.closest(".step");
  if (!cell || (event.pointerType === "mouse" && event.detail !== 0)) return;
  set(cell, room.get(addressOf(cell), 0) > 0 ? 0 : velocity);
});
table.addEventListener("keydown", (event) => {
  const cell = event.target.closest(".step");
  if (!cell) return;
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
  if (event.key === "Delete" || event.key === "Backspace") set(cell, 0);
  else if (!down && !right) return;
  else {
    const row = Number(cell.dataset.row) + down;
    // In a shorter row the focus goes to the row's last step.
    const there = rows[row - 1];
    if (there) focus(cells.get(`${placeOf(there)}/${right ? Number(cell.dataset.step) + right : Math.min(cell.dataset.step, there.length)}`));
  }
  event.preventDefault();
});

/// - Returns: the milliseconds until the playheads move on; false while nobody sees them move.
function draw() {
  if (!table.isConnected || table.closest("[hidden]")) return false;
  const now = position();
  const each = signature()[1] / 16;
  const beats = now ? loopBeatsSince(now.beats) : 0;
  const sixteenth = now ? Math.floor(beats / each) : -1;
  const wait = now ? until(now.beats + (sixteenth + 1) * each - beats) : false;
  if (sixteenth === shown) return wait;
  shown = sixteenth;
  for (const { head, length } of rows) {
    head.hidden = !now;
    const step = ((sixteenth % length) + length) % length;
    const [column, line] = isFolded ? [step % PER_LINE, Math.floor(step / PER_LINE)] : [step, 0];
    head.style.transform = `translate(calc(var(--name) + ${column} * var(--cell)), ${line * 100}%)`;
  }
  return wait;
}
