// The panel Keys: the instrument, the keyboard, and the settings of the sound.

import { byEar, choice, chooser, fader, ownChoice, percent, stepper, toggle } from "./controls.js";
import { h, icon, named, say, style, t, w, write } from "./dom.js";
import { initial } from "./effect-facts.js";
import * as keyboard from "./keyboard.js";
import { keyGroup } from "./key.js";
import { OWN_MACROS } from "./macros.js";
import { recall, remember } from "./memory.js";
import { isBlack, keysFrom, lowKey, scaleOf } from "./notes.js";
import { momentOf, playAt } from "./pads.js";
import { preview } from "./preview.js";
import { Place, chordsOf, rootsOf } from "./progression.js";
import { range, settable, words } from "./ranges.js";
import { room } from "./room.js";
import { tick } from "./tick.js";

await style("keys");

/// Pixels: the wished width of a key, a little more than a finger's.
const NARROWEST = 46;
/// Pixels: the smallest width of a white key, with the gap beside it, where an octave would not fit
/// otherwise.
const LEAST = 34;
const GROUPS = {
  gain: "Level", mode: "Notes", glide: "Notes", bend: "Notes", spread: "Level", osc1: "Oscillator 1", osc2: "Oscillator 2", sub: "Below and noise",
  noise: "Below and noise", filter: "Filter", amp: "Loudness over time", lfo: "Slow movement", velocity: "Touch", height: "Touch",
  mod1: "Touch", mod2: "Touch", mod3: "Touch", mod4: "Touch",
};

/// Names of a choice's words that do not explain themselves.
const NAMES = { low: "Low-pass", band: "Band-pass", high: "High-pass" };
const POSITIONS = { close: "Close position", open: "Open position" };
const ORDERS = { played: "As played", "up-down": "Up and down", "up-down 2": "Up and down, ends twice" };
/// Instruments made of recorded sounds, and the settings that they have: other faders would do
/// nothing.
const sampled = new Set();
const OF_SAMPLES = new Set(["gain", "bend/range", "amp/release"].map((path) => `/instrument/${path}`));

let scale = scaleOf("C D E F G A B");
let middle = recall("keys from", 60);
let inKey = recall("keys in key", true);

const whites = (notes) => notes.filter((note) => !isBlack(note)).length;

/// Puts options into a list by groups, in the order in which they come. An option that the list
/// already has stays.
function grouped(list) {
  const groups = new Map();
  return (title, text, value) => {
    if ([...list.options].some((option) => option.value === value)) return;
    if (!groups.has(title)) {
      groups.set(title, h("optgroup", { label: named(title || "other") }));
      list.append(groups.get(title));
    }
    groups.get(title).append(new Option(text, value));
  };
}

function instruments() {
  const list = h("select.line", { "aria-label": "Instrument" });
  const add = grouped(list);
  const rows = h("ul.sounds");
  const chosen = () => {
    for (const button of rows.querySelectorAll("[data-instrument]")) button.setAttribute("aria-pressed", String(room.get("/instrument") === button.dataset.instrument));
  };
  room.on("/instruments/item", ([id, name, category, kind]) => {
    if (kind === "samples") sampled.add(id);
    add(category, name, id);
    if (![...rows.children].some((row) => row.dataset.id === id)) rows.append(instrumentRow(id, name, category));
    chosen();
    list.value = room.get("/instrument", "");
  });
  room.on("/instrument", ([id]) => { list.value = id; chosen(); });
  list.addEventListener("change", () => room.set("/instrument", list.value));
  room.send("/instruments");
  const choosing = h("div.row.instrument", {},
    h("button.round", { type: "button", "aria-label": "Previous instrument", onclick: () => room.send("/instrument/prev") }, icon("minus")), list,
    h("button.round", { type: "button", "aria-label": "Next instrument", onclick: () => room.send("/instrument/next") }, icon("plus")));
  return { choosing, hearing: h("details.group.hear", {}, h("summary", { textContent: "Hear them before you choose" }), rows) };
}

function instrumentRow(id, name, category) {
  return h("li", { "data-id": id },
    h("button.round", { type: "button", "aria-label": w`Hear ${name} alone`, onclick: () => preview("/instrument/preview", id) }, icon("ear")),
    h("button.sound", { type: "button", "data-instrument": id, onclick: () => room.set("/instrument", id) }, h("b", { given: name }), h("small", { given: named(category) })));
}

/// The name of an address without its group, which the group's title says.
const nameOf = (address) => address.replace(/^\/instrument\//, "").split("/").slice(1).join(" ") || address.split("/").at(-1);

function sound() {
  const groups = new Map();
  const controls = [];
  for (const address of settable("/instrument/")) {
    const [, , first] = address.split("/");
    const title = GROUPS[first] ?? "More";
    if (!groups.has(title)) groups.set(title, []);
    const label = named(nameOf(address));
    const control = /\/mod\d\//.test(address) ? moved(address) : words(address) ? choice({ address, label, names: NAMES }) : fader({ address, label, ...steps(address) });
    controls.push([address, control]);
    groups.get(title).push(control);
  }
  const parts = [...groups].map(([title, inside]) => h("div.sound-part", {}, h("h3", { textContent: title }), ...inside));
  const suit = () => {
    const isSampled = sampled.has(room.get("/instrument", ""));
    for (const [address, control] of controls) control.hidden = isSampled && !OF_SAMPLES.has(address);
    for (const part of parts) part.hidden = ![...part.children].some((child) => child.tagName !== "H3" && !child.hidden);
  };
  room.on("/instruments/item", suit);
  room.on("/instrument", suit);
  return h("details.group.sound", {}, h("summary", { textContent: "Shape the sound" }), ...parts);
}

/// A control of a modulation slot, which connects the touch of a finger with a value of the sound:
/// the source, the target, or the amount.
function moved(address) {
  const [, number, what] = address.match(/mod(\d)\/(\w+)$/);
  if (what === "source") return choice({ address, label: w`Touch ${number}` });
  if (what === "amount") return fader({ address, label: w`Touch ${number}: how far`, step: 0.01, reset: 0, show: (value) => `${value > 0 ? "+" : ""}${percent(value)}` });
  return chooser({ address, label: w`Touch ${number} moves`, called: calledTarget });
}

/// The name of a target: the group that it belongs to, and its own name.
function calledTarget(target) {
  const [group, ...rest] = target.split("/");
  return rest.length ? `${t(GROUPS[group])}: ${named(rest.join(" "))}` : named(target);
}

/// A fader's scale. Frequencies and times have steps that grow with the value.
function steps(address) {
  const byTimes = ["cutoff", "attack", "decay", "release", "rate", "glide"];
  if (!byTimes.some((word) => address.endsWith(word))) return { step: 0.01, show: (value) => String(Math.round(value * 100) / 100) };
  return {
    ...byEar(address, range(address)[0] || 1),
    show: (_, value) => (value >= 100 ? String(Math.round(value)) : value.toFixed(value < 1 ? 2 : 1)),
  };
}

/// Calls `act` when something is switched on. If it is on when the page first hears of it, it was
/// switched on earlier, and `act` is not called.
function whenSwitchedOn(address, act) {
  let isOff = false;
  room.on("disconnected", () => { isOff = false; });
  room.on(address, ([on]) => {
    if (on && isOff) act();
    isOff = !on;
  });
}

function progressions() {
  const line = h("input.line", { type: "text", "aria-label": "Chords of the progression", placeholder: "I V vi IV, Am F C G", spellcheck: false, enterKeyHint: "done" });
  const list = h("select", { "aria-label": "Progressions to choose from" }, new Option(t("Choose …"), ""));
  const add = grouped(list);
  const remove = (name) => [...list.options].find((option) => option.value === name)?.remove();
  const known = new Map();
  const blocks = h("ol.chord-blocks", { "aria-label": "The chords, one after the other: hold one to hear it" });
  const pressing = pressable(blocks);
  const place = new Place();
  let chords = [];
  const light = () => { for (const [index, block] of [...blocks.children].entries()) block.firstChild.classList.toggle("sounds", index === place.index); };
  const find = () => place.see(chords, rootsOf(chords, scaleOf(room.get("/scale/notes", "")), room.get("/scale") === "blues"));
  const lay = (text) => {
    const now = chordsOf(known.get(text) ?? text);
    // If the chords are the same, their blocks stay, with the finger that holds one of them.
    if (now.join(" ") !== chords.join(" ")) {
      pressing.releaseAll();
      blocks.replaceChildren(...now.map((chord, index) => h("li", {}, h("button", { type: "button", "data-step": index + 1, given: chord }))));
    }
    chords = now;
    blocks.hidden = chords.length === 0;
    const areOthers = find();
    light();
    return areOthers;
  };
  const hear = (text) => {
    if (text) place.hear(text);
    else place.rest();
    light();
  };
  for (const address of ["/scale", "/scale/notes"]) room.on(address, find);
  room.on("/progressions/item", ([name, style, mood, text]) => {
    known.set(name, text);
    // The chord that sounds may be told before the chords of the progression are known.
    if (name === room.get("/progression") && lay(name)) hear(room.get("/progression/chord", ""));
    // A progression that people saved may have changed.
    if (style === "saved") remove(name);
    add(style, [name, named(mood), text].filter(Boolean).join(" · "), name);
  });
  room.on("/progressions/gone", ([name]) => remove(name));
  room.send("/progressions");
  list.addEventListener("change", () => {
    if (!list.value) return;
    room.set("/progression", list.value);
    room.set("/progression/play", 1);
    list.value = "";
  });
  room.on("/progression", ([text]) => {
    if (document.activeElement !== line) line.value = text;
    lay(text);
  });
  line.addEventListener("change", () => room.set("/progression", line.value));
  const play = h("button.primary", { type: "button", "aria-pressed": "false", onclick: () => room.set("/progression/play", room.get("/progression/play") ? 0 : 1) });
  const chord = h("output.quiet");
  for (const address of ["/progression/play", "/play"]) whenSwitchedOn(address, () => place.begin());
  room.on("/progression/play", ([on]) => {
    play.setAttribute("aria-pressed", String(on > 0));
    say(play, on ? "Stop the chords" : "Play the chords");
  });
  room.on("/progression/chord", ([text]) => {
    write(chord, text);
    hear(text);
  });
  const name = h("input.line", { type: "text", "aria-label": "A name for these chords", placeholder: "Name", maxLength: 32, enterKeyHint: "done" });
  const save = h("form.row.nowrap", {
    onsubmit: (event) => {
      event.preventDefault();
      if (!name.value.trim()) return name.focus();
      room.send("/progression/save", name.value.trim());
      name.value = "";
    },
  }, name, h("button.text", { type: "submit", textContent: "Save for all" }));
  return { element: h("div.group", {}, h("h3", { textContent: "Progression" }), blocks, h("div.row", {}, play, chord), list, line, save), hide: pressing.releaseAll };
}

/// The velocity of a chord that a held block plays.
const PRESSED = 0.8;

/// Makes the blocks play their chords while fingers, a mouse, or Enter and Space hold them.
/// - Returns: `releaseAll()`, which lets go of all of them.
function pressable(blocks) {
  /// The block of each finger or key that holds one.
  const held = new Map();
  const isHeld = (block) => [...held.values()].includes(block);
  const play = (block, velocity, at) => playAt(at, "/progression/press", Number(block.dataset.step), velocity);
  const press = (holder, block, at) => {
    if (held.has(holder) || !room.isConnected) return;
    if (!isHeld(block)) play(block, PRESSED, at);
    held.set(holder, block);
    block.classList.add("pressed");
  };
  const release = (holder, at = performance.now()) => {
    const block = held.get(holder);
    if (!block) return;
    held.delete(holder);
    if (isHeld(block)) return;
    block.classList.remove("pressed");
    if (room.isConnected) play(block, 0, at);
  };
  const releaseAll = () => { for (const holder of [...held.keys()]) release(holder); };
  const blockOf = (event) => event.target.closest?.("[data-step]");
  blocks.addEventListener("pointerdown", (event) => {
    const block = blockOf(event);
    if (!block || event.button > 0) return;
    // The block takes no focus, so that the letter keys go on playing.
    event.preventDefault();
    press(event.pointerId, block, momentOf(event));
    tick(event);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => release(event.pointerId, momentOf(event)));
  blocks.addEventListener("contextmenu", (event) => event.preventDefault());
  blocks.addEventListener("keydown", (event) => {
    const block = blockOf(event);
    if (!block || !["Enter", "Space"].includes(event.code) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!event.repeat) press(event.code, block, momentOf(event));
  });
  blocks.addEventListener("keyup", (event) => ["Enter", "Space"].includes(event.code) && event.preventDefault());
  addEventListener("keyup", (event) => release(event.code, momentOf(event)));
  blocks.addEventListener("focusout", releaseAll);
  addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", () => document.hidden && releaseAll());
  // A click without a pointer comes from a screen reader: it plays the chord for 400 ms.
  blocks.addEventListener("click", (event) => {
    const block = blockOf(event);
    if (!block || event.detail !== 0) return;
    const holder = {};
    press(holder, block);
    setTimeout(() => release(holder), 400);
  });
  return { releaseAll };
}

function chords() {
  return h("div.group", {}, h("h3", { textContent: "Chords" }),
    choice({ address: "/chord/size", label: "Each key plays", words: ["0", "3", "4", "5"], names: { 0: "Its note", 3: "A triad", 4: "A seventh", 5: "A ninth" }, numbers: true }),
    stepper({ address: "/chord/inversion", label: "Inversion" }), choice({ address: "/chord/spread", label: "How it lies", names: POSITIONS }),
    toggle({ address: "/chord/lead", label: "The shortest way from the last chord" }),
    toggle({ address: "/key/snap", label: "Keys outside the scale play the nearest in it" }));
}

/// The player's own macros, which the panel Effects has too.
function macros() {
  return h("div.group", {}, h("h3", { textContent: "For you" }),
    OWN_MACROS.map(([address, label, show]) => fader({ address, label, step: 0.01, reset: initial(address), show })));
}

function arpeggiator() {
  return h("div.group", {}, h("h3", { textContent: "Arpeggiator" }),
    choice({ address: "/arp/mode", label: "Order", names: ORDERS }),
    choice({ address: "/arp/rate", label: "Rate" }),
    stepper({ address: "/arp/octaves", label: "Octaves" }),
    fader({ address: "/arp/gate", label: "Length of each note", step: 0.05, reset: 0.5, show: percent }),
    fader({ address: "/arp/swing", label: "Swing", step: 0.01, show: (value) => (value > 0 ? percent(value) : "As the room") }),
    fader({ address: "/arp/velocity", label: "How hard each note is", step: 0.05, show: (value) => (value > 0 ? percent(value) : "As hard as played") }),
    toggle({ address: "/arp/latch", label: "Latch: it goes on without a finger" }));
}

export function make() {
  const name = h("output.chord", { "aria-label": "What sounds", "aria-live": "off" });
  const otherNames = h("small.quiet");
  room.on("/chord/name", ([text]) => {
    const [best, ...others] = text.split(" ");
    // The name of an interval has two words, so its second word is no alternative.
    const isChord = /^[A-G]/.test(best);
    write(name, isChord ? best : text);
    write(otherNames, isChord && others.length ? w`Also ${others.join(", ")}` : "");
  });
  const lay = () => {
    const width = keyboard.board.clientWidth || keyboard.board.parentElement?.clientWidth || 360;
    const fitting = Math.max(3, Math.floor((width + 2) / LEAST));
    const keys = Math.max(Math.min(7, fitting), Math.min(inKey ? 22 : 24, Math.floor(width / NARROWEST)));
    const low = lowKey(scale, middle);
    let count = inKey ? keys : Math.round((keys * 12) / 7);
    // An octave has 7 white keys in 12, but another range may have more: then fewer keys are shown.
    while (!inKey && count > 4 && whites(keysFrom(scale, low, count, false)) > fitting) count -= 1;
    keyboard.lay({ scale, low, count, inKey });
  };
  const move = (octaves) => {
    middle = Math.min(108, Math.max(24, middle + 12 * octaves));
    remember("keys from", middle);
    keyboard.releaseAll();
    lay();
  };
  keyboard.onOctave(move);
  const sustain = h("button.text", { type: "button", textContent: "Sustain", "aria-pressed": "false", onclick: () => room.set("/sustain", room.get("/sustain") ? 0 : 1) });
  room.on("/sustain", ([on]) => sustain.setAttribute("aria-pressed", String(on > 0)));
  const head = h("div.row.keys-head", {},
    h("button.round", { type: "button", "aria-label": "An octave lower", title: "An octave lower", textContent: "−8", onclick: () => move(-1) }),
    h("button.round", { type: "button", "aria-label": "An octave higher", title: "An octave higher", textContent: "+8", onclick: () => move(1) }),
    ownChoice({ label: "Which keys", words: [true, false], names: ["In key", "All"], value: inKey, chosen: (word) => {
      inKey = word;
      remember("keys in key", word);
      keyboard.releaseAll();
      lay();
    } }), sustain);
  const letters = h("input", { type: "checkbox", role: "switch" });
  const followLetters = () => keyboard.takeLetters(letters.checked && isShown);
  letters.checked = recall("letters play keys", true);
  letters.addEventListener("change", () => { remember("letters play keys", letters.checked); followLetters(); });
  const midi = ownChoice({ label: "A MIDI device plays", words: ["auto", "pads", "keys"], names: ["By itself", "Pads", "Keys"], value: recall("midi plays", "auto"), chosen: (word) => remember("midi plays", word) });
  const { choosing, hearing } = instruments();
  let isShown = false;
  room.on("/scale/notes", ([text]) => { scale = scaleOf(text); lay(); });
  new ResizeObserver(lay).observe(keyboard.board);
  const progression = progressions();
  const parts = partly([
    ["Chords", "chords", progression.element, chords()],
    ["Arp", "arp", arpeggiator()],
    ["Scale", "key", keyGroup()],
    ["Sound", "sound", macros(), sound(), hearing],
    ["More", "more", h("div.group", {}, h("h3", { textContent: "Playing" }), choice({ address: "/pads/layout", label: "The pads are" }),
      h("label.switch.has-keyboard", {}, h("span.name", { textContent: "Letters of the keyboard play keys while this is open" }), letters),
      midi, h("p.quiet", { textContent: "By itself it plays keys while this is open, and else the pads with notes 36 to 51. Channel 10 is always the pads." }),
      fader({ address: "/bend", label: "Bend", step: 0.01 }))],
  ]);
  return {
    element: h("div.keys-panel", {},
      h("div.keys-play", {}, choosing, head, h("div.chord-names", {}, name, otherNames), keyboard.board), parts.element),
    tabs: parts.tabs,
    show: () => { isShown = true; followLetters(); parts.show(); lay(); },
    hide: () => { isShown = false; followLetters(); keyboard.releaseAll(); progression.hide(); },
  };
}

/// The settings beside the keys, as parts [title, name, ...groups]. Where there is room, all parts
/// are visible. A phone shows one part, by its tab, or none, so that the keys have the whole room.
function partly(list) {
  const element = h("div.keys-parts", {}, list.map(([, name, ...groups]) => h("section.keys-part", { "data-part": name }, ...groups)));
  let now = "";
  const choose = (name) => {
    now = name;
    element.dataset.shown = name;
    for (const section of element.children) section.classList.toggle("chosen", section.dataset.part === name);
    for (const [index, tab] of tabs.entries()) tab.setAttribute("aria-pressed", String(list[index][1] === name));
    element.scrollTop = 0;
  };
  const tabs = list.map(([title, name]) => h("button", { type: "button", textContent: title, onclick: () => {
    choose(now === name ? "" : name);
    remember("keys part", now);
  } }));
  // A phone on its side has little room, so it begins without a part.
  return { element, tabs, show: () => choose(recall("keys part", matchMedia("(max-height: 499px)").matches ? "" : "chords")) };
}
