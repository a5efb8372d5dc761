// The step grid: sixteenths of a loop, set by hand. What was recorded shows in it too.

import { loopBeatsSince, position, signature } from "./beat.js";
import { stepper } from "./controls.js";
import { h, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { padCount, press, release } from "./pads.js";
import { room } from "./room.js";

let velocity = 1;
let columns = 0;
let rows = 0;
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
    if (what === "name" && !more && names[pad - 1]) write(names[pad - 1], value || w`Pad ${pad}`);
  });
  new MutationObserver(build).observe(document.body, { attributeFilter: ["data-pads"] });
  build();
  animate(draw);
  return h("div.stack", {},
    h("div.row", {}, loud, h("div.grow", {}, stepper({ address: "/steps", label: "Steps", step: 4 }))),
    h("div.stepscroll", {}, table));
}

const names = [];
/// How many steps go round, of each row, and where each row's playhead is.
let lengths = [];
let heads = [];
let shown = -2; // The sixteenth that they were moved to.

function build() {
  const fresh = Array.from({ length: padCount() }, (_, index) => room.get(`/steps/${index + 1}`, 0) || room.get("/steps", 16));
  if (String(fresh) === String(lengths)) return;
  lengths = fresh;
  heads = lengths.map(() => h("i.playhead", { "aria-hidden": "true", hidden: true }));
  shown = -2;
  columns = Math.max(...lengths);
  rows = lengths.length;
  cells.clear();
  table.style.setProperty("--steps", columns);
  const lines = [];
  for (let pad = 1; pad <= rows; pad += 1) {
    const name = h("button.stepname", { type: "button", tabIndex: -1, given: room.get(`/pad/${pad}/name`, "") || w`Pad ${pad}`,
      onpointerdown: () => { press(pad, velocity, "steps"); setTimeout(() => release(pad, "steps"), 150); } });
    names[pad - 1] = name;
    const line = h("div.steprow", { role: "row" }, h("div", { role: "rowheader" }, name));
    line.append(heads[pad - 1]);
    for (let step = 1; step <= lengths[pad - 1]; step += 1) {
      const cell = h("button.step", { type: "button", role: "gridcell", tabIndex: pad === 1 && step === 1 ? 0 : -1, "data-step": step, "data-row": pad,
        "aria-label": w`Step ${step}`, "aria-selected": "false" });
      if ((step - 1) % 4 === 0) cell.classList.add("beat");
      cells.set(`/step/${pad}/${step}`, cell);
      line.append(cell);
    }
    lines.push(line);
  }
  table.replaceChildren(...lines);
  for (const address of cells.keys()) see(address, room.get(address, 0));
}

function see(address, value) {
  const cell = cells.get(address);
  if (!cell) return;
  cell.setAttribute("aria-selected", String(value > 0));
  cell.style.setProperty("--v", value);
}

const addressOf = (cell) => `/step/${cell.dataset.row}/${cell.dataset.step}`;

function set(cell, value) {
  const address = addressOf(cell);
  if (room.get(address, 0) === value) return;
  room.set(address, value);
}

// ---- A finger sets a step, and paints as it moves along; upwards and sideways it scrolls until it has set one.

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
    // A shorter row is entered at its end.
    const next = cells.get(`/step/${row}/${right ? Number(cell.dataset.step) + right : Math.min(cell.dataset.step, lengths[row - 1] ?? 0)}`);
    if (next) {
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  }
  event.preventDefault();
});

function draw() {
  if (!table.isConnected) return true;
  const now = position();
  const sixteenth = now ? Math.floor(loopBeatsSince(now.beats) * (4 / signature()[1]) * 4) : -1;
  if (sixteenth === shown) return true;
  shown = sixteenth;
  for (const [row, head] of heads.entries()) {
    head.hidden = !now;
    const step = ((sixteenth % lengths[row]) + lengths[row]) % lengths[row];
    head.style.transform = `translateX(calc(var(--name) + ${step} * var(--cell)))`;
  }
  return true;
}
