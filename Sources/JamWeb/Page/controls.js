// Controls bound to addresses: they show the server's value, and send what the hand sets.

import { chosenPad, choosePad } from "./chosen.js";
import { h, icon, named, t, toast, w } from "./dom.js";
import { range as rangeOf, words as wordsOf } from "./ranges.js";
import { room } from "./room.js";

const decimals = (step) => (step >= 1 ? 0 : step >= 0.1 ? 1 : 2);

/// A fader with its name and value, over the whole range of its address. A double click or
/// Backspace resets it: to the value `initial`, or else to the fader's place `reset`. `show(place,
/// value)` makes the text of the value. `reach(max)` changes the fader's upper end.
export function fader({
  address, label, read = (v) => v, write = (v) => v, min = read(rangeOf(address)[0]), max = read(rangeOf(address)[1]), step = 1,
  reset = 0, initial, show, signal, cls = "",
}) {
  const text = (place, value) => (show ? t(show(place, value)) : place.toFixed(decimals(step)));
  const out = h("output", {});
  const range = h("input", { type: "range", min, max, step, "aria-label": label });
  const fill = () => range.style.setProperty("--fill", `${((range.value - min) / (range.max - min)) * 100}%`);
  const see = (value) => {
    range.value = read(value);
    out.value = text(Number(range.value), value);
    range.setAttribute("aria-valuetext", out.value);
    fill();
  };
  const move = () => {
    const value = write(Number(range.value));
    out.value = text(Number(range.value), value);
    range.setAttribute("aria-valuetext", out.value);
    fill();
    room.set(address, value);
  };
  range.addEventListener("input", move);
  const back = () => {
    if (initial !== undefined) return room.set(address, initial);
    range.value = reset;
    move();
  };
  range.addEventListener("dblclick", back);
  range.addEventListener("keydown", (event) => event.key === "Backspace" && back());
  room.on(address, ([value]) => see(value), signal);
  if (room.get(address) === undefined) see(initial ?? write(reset));
  const reach = (most) => {
    if (Number(range.max) === most) return;
    range.max = most;
    see(room.get(address, initial ?? write(reset)));
  };
  return Object.assign(h(`label.fader${cls}`, {}, h("span.name", { textContent: label }), out, range), { reach });
}

/// How many steps a fader by ear has.
const STEPS_BY_EAR = 240;

/// A fader's scale with steps that sound equal: the ear compares pitches and times by their ratio.
/// - least: where the equal steps begin, in case the address takes smaller values too. The fader's
///   lower end is always the smallest value of the address.
export function byEar(address, least = rangeOf(address)[0]) {
  const [lowest, most] = rangeOf(address);
  const octaves = Math.log2(most / least);
  return {
    step: 1,
    read: (value) => (value <= least ? 0 : (STEPS_BY_EAR * Math.log2(value / least)) / octaves),
    write: (place) => {
      if (place <= 0) return lowest;
      if (place >= STEPS_BY_EAR) return most;
      return Number((least * 2 ** ((place / STEPS_BY_EAR) * octaves)).toPrecision(3));
    },
  };
}

/// A switch.
export function toggle({ address, label, signal, note }) {
  const box = h("input", { type: "checkbox", role: "switch" });
  box.addEventListener("change", () => room.set(address, box.checked ? 1 : 0));
  room.on(address, ([value]) => { box.checked = value > 0; }, signal);
  return h("label.switch", {}, h("span.name", {}, label, note ? h("small", { textContent: note }) : null), box);
}

/// A choice among a few words, side by side.
export function choice({ address, label, words = wordsOf(address), names = {}, signal, heard, numbers = false }) {
  const group = h(words.length > 5 ? "div.segments.many" : "div.segments", { role: "group", "aria-label": label });
  const buttons = words.map((word) => h("button", {
    type: "button", given: names[word] ? t(names[word]) : named(String(word)),
    onclick: () => { room.set(address, numbers ? Number(word) : word); heard?.(word); },
  }));
  group.append(...buttons);
  room.on(address, ([value]) => {
    for (const [index, button] of buttons.entries()) button.setAttribute("aria-pressed", String(String(words[index]) === String(value)));
  }, signal);
  return h("div.choice", {}, h("span.name", { textContent: label }), group);
}

/// A list of an address's words, to choose one from.
/// - called: gives the name that a word has here.
export function wordList(address, { label, called = named } = {}) {
  const list = h("select", { "aria-label": label }, ...(wordsOf(address) ?? []).map((word) => new Option(called(word), word)));
  return bound(address, list);
}

/// Makes a list show the server's value of `address`, and send the chosen one. `read` turns the
/// list's text into the value to send, such as a number.
export function bound(address, list, read = (value) => value) {
  room.on(address, ([value]) => { list.value = value; });
  list.addEventListener("change", () => room.set(address, read(list.value)));
  return list;
}

/// A list in a line with its name.
export const listed = (label, list) => h("label.switch", {}, h("span.name", { textContent: label }), list);

/// An address's words as a list in a line with its name.
export const chooser = ({ address, label, called }) => listed(label, wordList(address, { called }));

/// A choice that only this page knows; the server has no address for it.
export function ownChoice({ label, words, names = words, value, chosen }) {
  const group = h("div.segments", { role: "group", "aria-label": label });
  const mark = (now) => {
    for (const [index, button] of [...group.children].entries()) button.setAttribute("aria-pressed", String(words[index] === now));
  };
  group.append(...words.map((word, index) => h("button", { type: "button", textContent: names[index], onclick: () => { mark(word); chosen(word); } })));
  mark(value);
  return Object.assign(h("div.choice", {}, h("span.name", { textContent: label }), group), { mark });
}

/// A number with − and +.
export function stepper({ address, label, step = 1, signal, show = String }) {
  const [min, max] = rangeOf(address);
  const out = h("output", {});
  const move = (by) => room.set(address, Math.min(max, Math.max(min, room.get(address, min) + by)));
  room.on(address, ([value]) => { out.value = t(show(value)); }, signal);
  return h("div.stepper", { role: "group", "aria-label": label }, h("span.name", { textContent: label }),
    h("button.round", { type: "button", "aria-label": w`${t(label)}: less`, onclick: () => move(-step) }, icon("minus")), out,
    h("button.round", { type: "button", "aria-label": w`${t(label)}: more`, onclick: () => move(step) }, icon("plus")));
}

/// A button that sends a message.
export function trigger(label, ...messageParts) {
  return h("button.text", { type: "button", textContent: label, onclick: () => room.send(...messageParts) });
}

const [SILENCE] = rangeOf("/gain");
export const decibels = (value) => (value <= SILENCE ? "−∞ dB" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)} dB`);
export const percent = (value) => `${Math.round(value * 100)} %`;
/// The text of an amount, which is "Off" at 0.
export const part = (value) => (value < 0.005 ? "Off" : percent(value));
export const signed = (value, digits = 0) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;

/// A list that chooses a pad by name. All such lists show the same chosen pad.
export function padChoice(label) {
  const select = h("select", { "aria-label": label });
  const see = () => { select.value = chosenPad(); };
  const fill = () => {
    select.replaceChildren(...Array.from({ length: 16 }, (_, i) => new Option(`${i + 1} · ${room.get(`/pad/${i + 1}/name`, "") || t("Empty")}`, i + 1)));
    see();
  };
  room.on("pad chosen", see);
  let soon = 0;
  room.on("/pad/*", (_, address) => {
    if (!address.endsWith("/name")) return;
    clearTimeout(soon);
    soon = setTimeout(fill, 30);
  });
  fill();
  select.addEventListener("change", () => choosePad(Number(select.value)));
  return select;
}

let awaited = null;

/// Asks for an audio file from this device. `id` is the element's id, for a label around or beside
/// it.
export function soundFile(id, chosen) {
  const input = h("input.offscreen", { type: "file", accept: "audio/*,video/mp4,.wav,.flac,.aiff,.m4a,.ogg,.opus,.mp3", id });
  input.addEventListener("change", async () => {
    await chosen(input.files[0]);
    input.value = "";
  });
  return input;
}

/// Says `text` once the pad has the sound `id`, or without an `id` any other sound within 8
/// seconds. On a phone the panel hides the pads, so the page says it in words.
export function sayOnPad(number, text, id = null) {
  awaited = { address: `/pad/${number}/sample`, text, id, until: id ? Infinity : performance.now() + 8000 };
}
room.on("/pad/*", ([value], address) => {
  if (address !== awaited?.address || performance.now() > awaited.until || (awaited.id ?? value) !== value) return;
  toast(awaited.text);
  awaited = null;
});

/// Chooses a sound for a pad, and says so once the pad has it.
export function putSound(number, { id, name }) {
  sayOnPad(number, w`${name} is on pad ${number}.`, id);
  const address = `/pad/${number}/sample`;
  // A sound of the own kit is there at once, and the server tells everybody of it but its sender.
  // Any other one it reads first, and tells the sender, too.
  if (id.startsWith(`${room.get("/kit")}/`)) room.set(address, id);
  else room.send(address, id);
}

/// Returns a function that sends the typed text to `address` and empties the line; a refusal puts
/// the text back. `went` is told the sent text.
export function sender(address, line, went) {
  let sent = { text: "", at: -Infinity };
  room.on("refused", ([where]) => { if (where === address && line.value === "" && performance.now() - sent.at < 3000) line.value = sent.text; });
  return () => {
    const text = line.value.trim();
    if (!text || !room.send(address, text)) return;
    sent = { text, at: performance.now() };
    line.value = "";
    went?.(text);
  };
}
