// A keyboard for fingers, in the key of the room or with all notes. A finger that slides plays each
// key that it reaches, and its height on the key shapes the note.

import { h, typesText, write } from "./dom.js";
import { readable } from "./colour.js";
import { keysFrom, isBlack, isIn, letterKeys, nameOf } from "./notes.js";
import { letGo, letterOf, momentOf, moveKey, playAt } from "./pads.js";
import { colourOf } from "./people.js";
import { room } from "./room.js";
import { tick } from "./tick.js";

const VELOCITY = 0.8;
/// Letter keys that move the keyboard, and by how many octaves.
const OCTAVES = { KeyZ: -1, KeyX: 1 };
/// The smallest change of height that is sent; a key's whole height is 1.
const STEP = 0.02;

const element = h("div.keyboard", { role: "group", "aria-label": "Keyboard" });
/// The keys' elements by note, and the notes by letter key.
let faces = new Map();
let letters = new Map();
/// The note that each holder (a finger's or a key's id) holds down, and the height of each finger.
const held = new Map();
const heights = new Map();
/// The notes that sound, with the names of the players who play them.
const sounding = new Map();

export const board = element;

/// Builds the keys anew.
export function lay({ scale, low, count, inKey }) {
  const notes = keysFrom(scale, low, count, inKey);
  faces = new Map(notes.map((note) => [note, face(note, scale, inKey)]));
  letters = letterKeys(notes, inKey);
  for (const [code, note] of letters) faces.get(note)?.append(h("kbd", { "aria-hidden": "true", given: letterOf(code) }));
  element.dataset.keys = inKey ? "scale" : "all";
  element.style.setProperty("--whites", notes.filter((note) => inKey || !isBlack(note)).length);
  let white = 0;
  for (const [note, key] of faces) {
    if (!inKey && isBlack(note)) key.style.setProperty("--place", white);
    else white += 1;
  }
  element.replaceChildren(...faces.values());
  for (const note of sounding.keys()) paint(note);
}

function face(note, scale, inKey) {
  const kinds = [isBlack(note) && !inKey ? "black" : "white", isIn(scale, note) ? "in" : "out", note % 12 === scale.root ? "root" : ""];
  return h(`button.key-${kinds[0]}`, { type: "button", "data-note": note, "data-in": kinds[1], "data-root": kinds[2] || undefined, "aria-label": nameOf(scale, note) },
    h("span", { given: nameOf(scale, note) }));
}

// ---- Playing.

export function press(note, velocity, holder, at = performance.now()) {
  if (held.has(holder) || !room.isConnected) return;
  held.set(holder, note);
  paint(note);
  playAt(at, `/key/${note}`, velocity);
}

export function release(holder, at = performance.now()) {
  const note = held.get(holder);
  if (note === undefined) return;
  held.delete(holder);
  heights.delete(holder);
  paint(note);
  if ([...held.values()].includes(note)) return;
  if (!room.isConnected) return letGo(`/key/${note}`);
  playAt(at, `/key/${note}`, 0);
}

export function releaseAll() { for (const holder of [...held.keys()]) release(holder); }

/// Sends a note's height, 0…1, at most once a frame.
const wanted = new Map();
function shape(holder, height) {
  const before = heights.get(holder);
  if (before !== undefined && Math.abs(before - height) < STEP) return;
  heights.set(holder, height);
  if (wanted.size === 0) requestAnimationFrame(sendHeights);
  wanted.set(holder, height);
}
function sendHeights() {
  for (const [holder, height] of wanted) {
    const note = held.get(holder);
    if (note === undefined) continue;
    moveKey(note, "y", height);
    faces.get(note)?.style.setProperty("--height", height);
  }
  wanted.clear();
}

const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".keyboard [data-note]");
const heightOn = (key, event) => {
  const box = key.getBoundingClientRect();
  return Math.min(1, Math.max(0, 1 - (event.clientY - box.top) / box.height));
};

/// A finger reaches a key: its height on the key shapes the note from the beginning.
function finger(event, key, velocity) {
  press(Number(key.dataset.note), velocity, event.pointerId, momentOf(event));
  if (!held.has(event.pointerId)) return;
  const height = heightOn(key, event);
  heights.set(event.pointerId, height);
  wanted.set(event.pointerId, height);
  sendHeights();
}

element.addEventListener("pointerdown", (event) => {
  const key = event.target.closest("[data-note]");
  if (!key || event.button > 0) return;
  event.preventDefault();
  key.releasePointerCapture?.(event.pointerId);
  const velocity = event.pressure > 0 && event.pressure !== 0.5 ? 0.3 + 0.7 * Math.min(1, event.pressure * 1.25) : VELOCITY;
  finger(event, key, velocity);
  tick(event);
});
element.addEventListener("pointermove", (event) => {
  const note = held.get(event.pointerId);
  if (note === undefined) return;
  const key = under(event);
  if (!key) return;
  if (Number(key.dataset.note) === note) return shape(event.pointerId, heightOn(key, event));
  release(event.pointerId, momentOf(event));
  finger(event, key, VELOCITY);
});
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => release(event.pointerId, momentOf(event)));
element.addEventListener("contextmenu", (event) => event.preventDefault());

// Enter and Space hold the key that has the focus.
element.addEventListener("keydown", (event) => {
  const key = event.target.closest("[data-note]");
  if (!key || !["Enter", "Space"].includes(event.code)) return;
  event.preventDefault();
  if (!event.repeat) press(Number(key.dataset.note), VELOCITY, event.code, momentOf(event));
});
element.addEventListener("keyup", (event) => ["Enter", "Space"].includes(event.code) && event.preventDefault());

let move = null;
/// `moved(octaves)` is called when a letter key moves the keyboard.
export const onOctave = (moved) => { move = moved; };

/// Letter keys play this keyboard while `on`; otherwise they play the pads.
export function takeLetters(on) {
  if (on) document.body.dataset.letters = "keys";
  else delete document.body.dataset.letters;
  if (!on) releaseAll();
}
addEventListener("keydown", (event) => {
  if (document.body.dataset.letters !== "keys" || event.ctrlKey || event.metaKey || event.altKey || typesText(event.target)) return;
  const [note, octaves] = [letters.get(event.code), OCTAVES[event.code]];
  if (note === undefined && octaves === undefined) return;
  event.preventDefault();
  if (event.repeat) return;
  if (octaves) return move?.(octaves);
  // The letter on this key may differ from what the browser told before: the key shows the letter
  // that it really typed.
  const letter = faces.get(note)?.querySelector("kbd");
  if (letter && event.key.length === 1 && !event.shiftKey) write(letter, event.key.toUpperCase());
  if (!document.body.dataset.keys) document.body.dataset.keys = "yes";
  press(note, event.shiftKey ? 0.5 : VELOCITY, event.code, momentOf(event));
});
addEventListener("keyup", (event) => release(event.code, momentOf(event)));
addEventListener("blur", releaseAll);
document.addEventListener("visibilitychange", () => document.hidden && releaseAll());

// ---- The notes that sound, by any player.

room.on("/note", ([player, note]) => {
  const players = sounding.get(note) ?? new Set();
  sounding.set(note, players.add(player));
  paint(note);
});
room.on("/note/off", ([player, note]) => {
  const players = sounding.get(note);
  players?.delete(player);
  if (players?.size === 0) sounding.delete(note);
  paint(note);
});
room.on("disconnected", () => {
  sounding.clear();
  for (const note of faces.keys()) paint(note);
});

function paint(note) {
  const key = faces.get(note);
  if (!key) return;
  const player = [...(sounding.get(note) ?? [])].at(-1);
  const isOwn = [...held.values()].includes(note) || player === room.player;
  key.classList.toggle("lit", isOwn || player !== undefined);
  key.style.setProperty("--player", isOwn || player === undefined ? "var(--accent)" : readable(colourOf(player)));
  if (!isOwn) key.style.removeProperty("--height");
  write(key.firstChild, key.getAttribute("aria-label"));
}
