// The pads. A press sends its hit at once; a ring around the pad shows how long the sound plays.

import { readable } from "./colour.js";
import { at, fitCanvas, h, t, typesText, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { kindOf, paintKinds, shadeOf, toneOf } from "./kind.js";
import { recall, remember } from "./memory.js";
import { colourOf, people } from "./people.js";
import { room } from "./room.js";
import { explain, isSilent } from "./silence.js";
import { tick } from "./tick.js";

/// The pads' keys, row by row as they lie on a keyboard, by their US letters. The page learns which
/// letters are really printed on them.
const ROWS = ["1234", "QWER", "ASDF", "ZXCV"];
/// The keys where eight pads lie in a row.
const LONG_ROWS = ["12345678", "QWERTYUI"];
/// The keys where two pads lie in a row: the left half of the keyboard, then the right half.
const TALL_ROWS = ["12", "QW", "AS", "ZX", "34", "ER", "DF", "CV"];
const codesOf = (rows) => [...rows.join("")].map((key) => (/\d/.test(key) ? `Digit${key}` : `Key${key}`));
let codes = codesOf(ROWS);
let printed = null;
const SIGNS = { Semicolon: ";", Quote: "'" };

/// The letter on a key of this keyboard, as far as the browser tells it.
export const letterOf = (code) => (printed?.get(code) ?? SIGNS[code] ?? code.slice(-1)).toUpperCase();
const RING = 4;

const grid = at("pads");
export const pads = [];
let heardFrame = () => null;

/// `heard` takes a moment of performance.now() and returns the RTP timestamp of the frame that is
/// heard then, or null.
export const hearWith = (heard) => { heardFrame = heard; };

class PadFace {
  rings = [];
  held = new Set();
  /// The lines along which rings are drawn, and the canvas's context. They are made for the first
  /// ring, so that the page becomes touchable sooner.
  paths = null;
  context = null;
  /// The player of the last hit since the last frame; null for none.
  hitter = null;
  /// Whether the canvas must be drawn from its empty state: what was drawn on it holds no longer.
  isStale = true;
  /// The picture of its sound and of the player who hit it (pad-picture.js); null until it is
  /// loaded.
  picture = null;

  constructor(number) {
    this.number = number;
    this.name = h("span.name");
    this.key = h("kbd.key", { given: codes[number - 1].slice(-1) });
    this.canvas = h("canvas.ring");
    this.element = h("button.pad", { type: "button", "data-pad": number, "aria-label": w`Pad ${number}` },
      h("span.flash"), this.canvas, h("span.number", { given: number }), this.key, this.name);
    fitCanvas(this.canvas, () => {
      this.paths = null;
      this.renew();
    });
  }

  /// Draws all of the canvas anew in the next frame.
  renew() {
    this.isStale = true;
    animate(this.draw);
  }

  address(what = "") { return `/pad/${this.number}${what}`; }

  get holds() {
    return this.element.classList.contains("plays") || room.get("/repeat/all") > 0 || ["gate", "repeat"].includes(room.get(this.address("/mode")));
  }

  /// The kind of its sound. Where the pads are a keyboard, that of the note that it plays is not
  /// told.
  get kind() {
    if (this.element.classList.contains("plays")) return "lead";
    return kindOf(room.get(this.address("/category"), ""));
  }
  /// One of its kind's two shades, 0 or 1: neighbours have different ones.
  get shade() { return this.element.dataset.tone === "b" ? 1 : 0; }

  /// Gives the pad the colour of its sound.
  dye() {
    this.element.dataset.kind = this.kind;
    this.element.style.setProperty("--tone", toneOf(this.kind, this.shade));
  }
  get isEmpty() { return this.element.classList.contains("empty"); }

  /// How long a hit sounds, in milliseconds.
  get milliseconds() {
    const at = (what, otherwise) => room.get(this.address(what), otherwise);
    // `seconds` includes the time stretch of the sound, but not its transposition.
    const whole = at("/seconds", 0.5) * 1000 - at("/start", 0);
    const length = whole / 2 ** (at("/transpose", 0) / 12);
    const decay = at("/decay", 0);
    return Math.max(60, decay > 0 && at("/mode") !== "loop" ? Math.min(length, decay) : length);
  }

  measure() {
    const { width, height } = this.canvas;
    const line = RING * (width / (this.canvas.clientWidth || 1));
    // Edges lie on whole pixels: a part of a pixel would grow darker where a ring is drawn again.
    const inset = (lane) => line / 2 + Math.round(lane * line * 1.4);
    this.paths = [0, 1].map((lane) => outline(width, height, inset(lane), line));
    this.line = line;
  }

  ring(colour, lane, milliseconds) {
    if (!this.canvas.width) return;
    const turns = room.get(this.address("/mode")) === "loop";
    this.rings[lane] = { colour, start: performance.now(), milliseconds, turns, drawn: 0 };
    this.renew();
  }

  /// Shows a hit, by a hand or by a loop, in the next frame: of several the last.
  hitBy(player) {
    this.hitter = player;
    animate(this.draw);
  }

  endRing(lane) {
    if (this.rings[lane]) this.rings[lane].over = true;
  }

  /// Draws what has come since the last frame: a ring and the sound's playing position only grow.
  /// Where a ring begins or ends, all of the canvas is drawn.
  draw = (now) => {
    const { canvas } = this;
    if (!canvas.width) return false;
    if (!this.paths) this.measure();
    if (this.hitter !== null) this.picture?.hit(this.hitter);
    this.hitter = null;
    for (const [lane, ring] of this.rings.entries()) if (ring) this.#age(lane, ring, now);
    const context = (this.context ??= canvas.getContext("2d"));
    if (this.isStale) {
      this.isStale = false;
      context.clearRect(0, 0, canvas.width, canvas.height);
      for (const ring of this.rings) if (ring) ring.drawn = 0;
      this.picture?.draw(context);
    }
    const isOver = this.picture?.go(context, this.rings.findLast((ring) => ring)?.done ?? null);
    for (const [lane, ring] of this.rings.entries()) {
      if (!ring) continue;
      if (isOver) ring.drawn = 0;
      this.#grow(context, ring, this.paths[lane]);
    }
    return this.rings.some((ring) => ring);
  };

  /// How far a ring has come (`done`, 0…1); takes a ring away that has ended.
  #age(lane, ring, now) {
    const done = Math.max(0, (now - ring.start) / ring.milliseconds);
    if (ring.over || (done >= 1 && !ring.turns)) {
      this.rings[lane] = null;
      this.isStale = true;
      return;
    }
    ring.done = done % 1;
    // It begins its next turn.
    if (ring.done * this.paths[lane].length < ring.drawn) this.isStale = true;
  }

  #grow(context, ring, { path, length }) {
    const to = ring.done * length;
    // The ends of two pieces overlap, so that no seam shows between them.
    const from = Math.max(0, ring.drawn - 0.5);
    if (to - ring.drawn < 0.5) return;
    context.lineWidth = this.line;
    context.strokeStyle = ring.colour;
    context.setLineDash([to - from, length]);
    context.lineDashOffset = -from;
    context.stroke(path);
    ring.drawn = to;
  }
}

/// A rounded frame that runs clockwise from the middle of its top, and its length.
function outline(width, height, inset, line) {
  const path = new Path2D();
  const radius = Math.max(2, Math.min(14 * (line / RING) - inset, width / 2, height / 2));
  const [left, top, right, bottom] = [inset, inset, width - inset, height - inset];
  const middle = width / 2;
  path.moveTo(middle, top);
  path.arcTo(right, top, right, bottom, radius);
  path.arcTo(right, bottom, left, bottom, radius);
  path.arcTo(left, bottom, left, top, radius);
  path.arcTo(left, top, middle, top, radius);
  path.lineTo(middle, top);
  return { path, length: 2 * (right - left + bottom - top) - (8 - 2 * Math.PI) * radius };
}

// ---- Playing.

/// Whether hits are recorded at the beat that the player hears. They are not where the player has
/// chosen the timing `live`.
const isByEar = () => room.get("/timing", "live") !== "live" || !room.get("/timing/chosen", true);

/// Plays the player's own hits on this device (own-hits.js); null until that is there.
let own = null;
export const soundWith = (player) => { own = player; };

/// Records on pads that are held (pad-sampler.js); null until that is there. `begins(pad)` tells
/// whether it takes a press, and `ends(pad)` whether it took the press that is over now.
let sampler = null;
export const sampleWith = (taker) => { sampler = taker; };

/// Sends a hit or a release, with the frame that is heard at that moment, where it is known. A hit
/// that this device plays itself sounds first, and has a number behind its velocity.
export function playAt(at, ...hit) {
  const number = own?.play(...hit) ?? 0;
  if (number > 0) hit.push(number);
  const frame = isByEar() ? heardFrame(at) : null;
  if (frame === null) room.send(...hit);
  else room.sendTogether(["/heard", BigInt(frame)], hit);
}

/// Sends how a finger moves on a key: `y` is its height, `bend` in semitones.
export function moveKey(note, what, value) {
  own?.move(note, what, value);
  room.send(`/key/${note}/${what}`, value);
}

/// Ends all that this player sounds.
export function panic() {
  own?.silence();
  room.send("/panic");
}

/// Ends an own hit on this device, also where the room cannot be told of the release.
export const letGo = (address) => own?.play(address, 0);

/// The moment of a hand's movement: earlier than the page's event, if the page was busy.
export const momentOf = (event) => {
  const now = performance.now();
  return event.timeStamp > now - 500 && event.timeStamp <= now ? event.timeStamp : now;
};

/// Plays pad `number`. `holder` is the id of the finger, key or note that holds the pad; `at` is
/// the moment of the press, by performance.now().
export function press(number, velocity, holder, at = performance.now()) {
  const pad = pads[number - 1];
  if (!pad || pad.held.has(holder)) return;
  // Without a connection the pad must not look as if it played.
  if (!room.isConnected) return refuse(pad);
  pad.held.add(holder);
  pad.element.classList.add("pressed");
  if (sampler?.begins(pad)) return;
  playAt(at, pad.address(), Math.max(0.01, Math.min(1, velocity)));
  const waits = room.get("/quantize", "off") !== "off" || room.get("/timing") === "interval";
  played?.(number);
  // A listener gets the server's refusal instead.
  if (room.get("/role") !== "listener") explain();
  if (waits || isSilent()) return;
  pad.ring(ownColour(pad), 0, pad.milliseconds);
  pad.hitBy(room.player);
}

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

function refuse(pad) {
  explain();
  if (!isCalm.matches) pad.element.animate?.([{ translate: "-3px" }, { translate: "3px" }, { translate: "-2px" }, { translate: "0" }], { duration: 180 });
}

export function release(number, holder, at = performance.now()) {
  const pad = pads[number - 1];
  if (!pad?.held.delete(holder)) return;
  if (pad.held.size > 0) return;
  pad.element.classList.remove("pressed");
  if (sampler?.ends(pad)) return;
  letGo(pad.address());
  if (!pad.holds || !room.isConnected) return;
  playAt(at, pad.address(), 0);
  if (room.get(pad.address("/mode")) !== "gate") return;
  // The server's `lit` goes on for the whole length of the sound, which this release ends early.
  pad.endRing(0);
  pad.element.classList.remove("lit");
}

export function releaseAll() {
  for (const pad of pads) for (const holder of [...pad.held]) release(pad.number, holder);
}

export const ownColour = (pad) => shadeOf(pad.kind, pad.shade);

function velocityOf(event, element) {
  const choice = recall("velocity", "full");
  if (choice === "pressure") {
    // A device that cannot measure pressure reports 0.5 or 0.
    return event.pressure > 0 && event.pressure !== 0.5 ? 0.15 + 0.85 * Math.min(1, event.pressure * 1.25) : 1;
  }
  if (choice === "position") {
    const box = element.getBoundingClientRect();
    return 1 - 0.85 * Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
  }
  return 1;
}

const fingers = new Map();

grid.addEventListener("pointerdown", (event) => {
  const element = event.target.closest(".pad");
  if (!element || event.button > 0) return;
  // The pad takes no focus, so that letter keys go on playing.
  event.preventDefault();
  const number = Number(element.dataset.pad);
  if (instead?.(number)) return;
  fingers.set(event.pointerId, number);
  press(number, velocityOf(event, element), event.pointerId, momentOf(event));
  tick(event);
  touched?.(number);
});
// A finger that slides to another pad releases the last pad and plays the new one.
grid.addEventListener("pointermove", (event) => {
  const from = fingers.get(event.pointerId);
  if (from === undefined) return;
  const element = document.elementFromPoint(event.clientX, event.clientY)?.closest(".pad");
  const number = Number(element?.dataset.pad ?? from);
  if (number === from) return;
  fingers.set(event.pointerId, number);
  const at = momentOf(event);
  release(from, event.pointerId, at);
  press(number, velocityOf(event, element), event.pointerId, at);
  tick(event);
});
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => {
  const number = fingers.get(event.pointerId);
  if (number === undefined) return;
  fingers.delete(event.pointerId);
  release(number, event.pointerId, momentOf(event));
});

// A click without a pointer is a press by a screen reader.
let clicks = 0;
grid.addEventListener("click", (event) => {
  const element = event.target.closest(".pad");
  if (!element || event.detail !== 0) return;
  const number = Number(element.dataset.pad);
  // Each click has a holder of its own, because the next click may come before this one is
  // released.
  const holder = `click ${clicks += 1}`;
  press(number, 1, holder);
  setTimeout(() => release(number, holder), 120);
});
grid.addEventListener("contextmenu", (event) => {
  event.preventDefault();
  const element = event.target.closest(".pad");
  if (element && event.pointerType !== "touch") wished?.(Number(element.dataset.pad));
});

let touched = null;
let played = null;
let wished = null;
let instead = null;
/// `touch(number)` is called for each pad that is touched, `play(number)` for each that is played
/// by whatever hand, `settings(number)` for a pad whose settings are wanted.
export const onPads = ({ touch, play, settings }) => {
  [touched, played, wished] = [touch, play, settings];
};
/// `take(number)` is called before a touch plays, and returns whether the touch is for something
/// else.
export const touchInstead = (take) => { instead = take; };

// Enter and Space hold the pad with the focus. Clicks therefore come only from screen readers.
const focused = (event) => (["Enter", "Space"].includes(event.code) ? event.target.closest?.(".pad") : null);
grid.addEventListener("keydown", (event) => {
  const element = focused(event);
  if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.repeat && !instead?.(Number(element.dataset.pad))) press(Number(element.dataset.pad), event.shiftKey ? 0.5 : 1, event.code, momentOf(event));
});
grid.addEventListener("keyup", (event) => focused(event) && event.preventDefault());

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typesText(event.target) || document.querySelector("dialog[open]")) return;
  // While the panel Keys is open, its keyboard may use the letter keys.
  if (document.body.dataset.letters === "keys") return;
  const number = codes.indexOf(event.code) + 1;
  if (number === 0 || number > pads.filter((pad) => !pad.element.hidden).length) return;
  event.preventDefault();
  if (event.repeat) return;
  if (!document.body.dataset.keys) document.body.dataset.keys = "yes";
  if (event.key.length === 1) write(pads[number - 1].key, event.key.toUpperCase());
  press(number, event.shiftKey ? 0.5 : 1, event.code, momentOf(event));
});
addEventListener("keyup", (event) => {
  // The key may belong to another pad by now, so every pad that this key holds is released.
  for (const pad of pads) release(pad.number, event.code, momentOf(event));
});
addEventListener("blur", releaseAll);
document.addEventListener("visibilitychange", () => document.hidden && releaseAll());

// ---- Other players' hits, and the server's facts about this player's pads.

room.on("/hit", ([player, number]) => {
  const pad = pads[number - 1];
  // On a phone half of the pads are not there.
  if (!pad || pad.element.hidden) return;
  if (player !== room.player) {
    pad.ring(readable(colourOf(player)), 1, pad.milliseconds);
    return pad.hitBy(player);
  }
  if (isSilent()) return;
  const running = pad.rings[0];
  // The player's own hit was drawn when the pad was pressed. This hit is a quantised one, or comes
  // from a roll or a loop.
  if (!running || performance.now() - running.start > 250) {
    pad.ring(ownColour(pad), 0, pad.milliseconds);
    pad.hitBy(player);
  }
});

room.on("/pad/*", ([value], address) => {
  const [, , number, what, more] = address.split("/");
  const pad = pads[number - 1];
  if (!pad || more) return;
  if (what === "name" || what === "plays") {
    // Where the pads are a keyboard, a pad's name is the note that it plays.
    const [sound, note] = [room.get(pad.address("/name"), ""), room.get(pad.address("/plays"), "")];
    const called = note || sound;
    write(pad.name, called);
    seeName(pad);
    pad.element.classList.toggle("empty", called === "");
    pad.element.classList.toggle("plays", note !== "");
    dye(pad);
  } else if (what === "category") {
    dye(pad);
  } else if (what === "lit") {
    pad.element.classList.toggle("lit", value > 0);
    if (!value && pad.held.size === 0) pad.endRing(0);
  } else if (what === "pending") pad.element.classList.toggle("pending", value > 0);
  else if (what === "mute") {
    pad.element.classList.toggle("muted", value > 0);
    seeName(pad);
  }
  else if (what === "solo") seeSolo();
  else if (what === "mode") pad.element.dataset.mode = value;
});

/// While a pad is solo, all other pads are silent.
function seeSolo() {
  const isSolo = (pad) => room.get(pad.address("/solo"), 0) > 0;
  const any = pads.some(isSolo);
  for (const pad of pads) {
    pad.element.classList.toggle("hushed", any && !isSolo(pad));
    seeName(pad);
  }
}

/// A screen reader reads a pad's name alone, so it says there what the pad's looks say.
function seeName(pad) {
  const called = pad.name.textContent;
  const name = called ? w`Pad ${pad.number}: ${called}` : w`Pad ${pad.number}, empty`;
  const { classList } = pad.element;
  const state = classList.contains("muted") ? t("Muted") : classList.contains("hushed") ? t("Not solo") : "";
  const text = state ? `${name}, ${state}` : name;
  if (pad.element.getAttribute("aria-label") !== text) pad.element.setAttribute("aria-label", text);
}

// ---- The arrangement of the pads.

function wantedCount() {
  const choice = recall("pads", "auto");
  if (choice !== "auto") return choice;
  return Math.min(innerWidth, innerHeight) < 600 ? 8 : 16;
}

export const padCount = () => pads.filter((pad) => !pad.element.hidden).length;

export function setPadCount(count) {
  remember("pads", count);
  arrange();
}

/// The largest that the grid has been while the page had this size and so many pads, in pixels.
let largest = { key: "", width: 0, height: 0 };
/// The smallest pad for a finger, with the gap beside it, in pixels.
const SMALLEST = 56;

/// The columns that bring the shape of a pad nearest to 1.5 times as wide as high.
function columnsFor(width, height, count) {
  const cost = (columns) => {
    const shape = width / columns / (height / (count / columns));
    return Math.abs(Math.log(shape / 1.5));
  };
  return [2, 4, 8].filter((columns) => columns <= count).reduce((a, b) => (cost(b) < cost(a) ? b : a));
}

/// The columns of the grid. A panel or a toolbar that takes a part of the grid moves no pad from
/// its place: fingers and letter keys know where it is. Only where pads became too small are they
/// arranged anew.
function columnsNow(width, height, count) {
  const key = `${innerWidth} ${innerHeight} ${count}`;
  const isLarger = width * height > largest.width * largest.height;
  if (key !== largest.key || isLarger) largest = { key, width, height };
  const columns = columnsFor(largest.width, largest.height, count);
  const [wide, high] = [width / columns, height / (count / columns)];
  const isFit = Math.min(wide, high) >= SMALLEST && wide / high < 5 && high / wide < 2.5;
  return isFit ? columns : columnsFor(width, height, count);
}

function arrange() {
  const count = wantedCount();
  const { clientWidth: width, clientHeight: height } = grid;
  if (!width || !height) return;
  const columns = columnsNow(width, height, count);
  grid.style.setProperty("--columns", columns);
  grid.style.setProperty("--rows", count / columns);
  for (const [index, pad] of pads.entries()) {
    pad.element.hidden = index >= count;
    const row = Math.floor(index / columns);
    pad.element.dataset.tone = (row + (index % columns)) % 2 ? "b" : "a";
    pad.dye();
  }
  const now = codesOf({ 2: TALL_ROWS, 8: LONG_ROWS }[columns] ?? ROWS);
  if (now.some((code, index) => code !== codes[index])) {
    codes = now;
    printKeys();
  }
  grid.dataset.count = count;
  document.body.dataset.pads = count;
}

function printKeys() {
  for (const [index, pad] of pads.entries()) write(pad.key, letterOf(codes[index]));
}

/// A pad has another sound: its colour may be another one. A new kit tells sixteen at once.
let dyed = 0;
function dye(pad) {
  pad.dye();
  clearTimeout(dyed);
  dyed = setTimeout(() => room.tell("tones", []), 30);
}

/// The ground or the choice of colours is another one.
function paint() {
  paintKinds();
  room.tell("people", [people]);
  room.tell("tones", []);
}

export function start() {
  for (let number = 1; number <= 16; number += 1) pads.push(new PadFace(number));
  // The size is read before the pads are added: afterwards the browser would have to lay them out
  // for it, and then once more.
  arrange();
  grid.append(...pads.map((pad) => pad.element));
  new ResizeObserver(arrange).observe(grid);
  paintKinds();
  addEventListener("themechange", paint);
  navigator.keyboard?.getLayoutMap?.().then((map) => {
    printed = map;
    printKeys();
  }).catch(() => {});
}
