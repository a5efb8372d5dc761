// Keys: the instrument, the keyboard, and what shapes its sound.

import { byEar, choice, fader, ownChoice, stepper, toggle } from "./controls.js";
import { h, icon, say } from "./dom.js";
import * as keyboard from "./keyboard.js";
import { keyGroup } from "./key.js";
import { recall, remember } from "./memory.js";
import { lowKey, scaleOf } from "./notes.js";
import { range, settable, words } from "./ranges.js";
import { room } from "./room.js";

/// A finger's width, and a little more.
const NARROWEST = 46;
const GROUPS = {
  gain: "Level", mode: "Notes", glide: "Notes", bend: "Notes", spread: "Level", osc1: "Oscillator 1", osc2: "Oscillator 2", sub: "Below and noise",
  noise: "Below and noise", filter: "Filter", amp: "Loudness over time", lfo: "Slow movement", velocity: "Touch", height: "Touch",
};

let scale = scaleOf("C D E F G A B");
let middle = recall("keys from", 60);
let inKey = recall("keys in key", true);

/// Puts options into a list by groups, in the order in which they come; one that is there already stays.
function grouped(list) {
  const groups = new Map();
  return (title, text, value) => {
    if ([...list.options].some((option) => option.value === value)) return;
    if (!groups.has(title)) {
      groups.set(title, h("optgroup", { label: title || "other" }));
      list.append(groups.get(title));
    }
    groups.get(title).append(new Option(text, value));
  };
}

function instruments() {
  const list = h("select.line", { "aria-label": "Instrument" });
  const add = grouped(list);
  room.on("/instruments/item", ([id, name, category]) => {
    add(category, name, id);
    list.value = room.get("/instrument", "");
  });
  room.on("/instrument", ([id]) => { list.value = id; });
  list.addEventListener("change", () => room.set("/instrument", list.value));
  room.send("/instruments");
  return h("div.row.instrument", {},
    h("button.round", { type: "button", "aria-label": "Previous instrument", onclick: () => room.send("/instrument/prev") }, icon("minus")), list,
    h("button.round", { type: "button", "aria-label": "Next instrument", onclick: () => room.send("/instrument/next") }, icon("plus")));
}

const shown = (address) => address.replace(/^\/instrument\//, "").split("/").slice(1).join(" ") || address.split("/").at(-1);

function sound() {
  const groups = new Map();
  for (const address of settable("/instrument/")) {
    const [, , first] = address.split("/");
    const title = GROUPS[first] ?? "More";
    if (!groups.has(title)) groups.set(title, []);
    const label = shown(address);
    groups.get(title).push(words(address) ? choice({ address, label }) : fader({ address, label, ...steps(address) }));
  }
  return h("details.group.sound", {}, h("summary", { textContent: "Shape the sound" }),
    ...[...groups].map(([title, controls]) => h("div.sound-part", {}, h("h3", { textContent: title }), ...controls)));
}

/// High and long in ever larger steps.
function steps(address) {
  const byTimes = ["cutoff", "attack", "decay", "release", "rate", "glide"];
  if (!byTimes.some((word) => address.endsWith(word))) return { step: 0.01, show: (value) => String(Math.round(value * 100) / 100) };
  return {
    ...byEar(address, range(address)[0] || 1),
    show: (_, value) => (value >= 100 ? String(Math.round(value)) : value.toFixed(value < 1 ? 2 : 1)),
  };
}

function progressions() {
  const line = h("input.line", { type: "text", "aria-label": "Chords of the progression", placeholder: "I V vi IV, or Am F C G", spellcheck: false, enterKeyHint: "done" });
  const list = h("select", { "aria-label": "Progressions to choose from" }, new Option("Choose …", ""));
  const add = grouped(list);
  const remove = (name) => [...list.options].find((option) => option.value === name)?.remove();
  room.on("/progressions/item", ([name, style, mood, chords]) => {
    // One that people saved may have become another.
    if (style === "saved") remove(name);
    add(style, `${name} · ${mood} · ${chords}`, name);
  });
  room.on("/progressions/gone", ([name]) => remove(name));
  room.send("/progressions");
  list.addEventListener("change", () => {
    if (!list.value) return;
    room.set("/progression", list.value);
    room.set("/progression/play", 1);
    list.value = "";
  });
  room.on("/progression", ([text]) => { if (document.activeElement !== line) line.value = text; });
  line.addEventListener("change", () => room.set("/progression", line.value));
  const play = h("button.primary", { type: "button", "aria-pressed": "false", onclick: () => room.set("/progression/play", room.get("/progression/play") ? 0 : 1) });
  const chord = h("output.quiet");
  room.on("/progression/play", ([on]) => {
    play.setAttribute("aria-pressed", String(on > 0));
    say(play, on ? "Stop the chords" : "Play the chords");
  });
  room.on("/progression/chord", ([text]) => say(chord, text));
  const name = h("input.line", { type: "text", "aria-label": "A name for these chords", placeholder: "Name", maxLength: 32, enterKeyHint: "done" });
  const save = h("form.row.nowrap", {
    onsubmit: (event) => {
      event.preventDefault();
      if (!name.value.trim()) return name.focus();
      room.send("/progression/save", name.value.trim());
      name.value = "";
    },
  }, name, h("button.text", { type: "submit", textContent: "Save for all" }));
  return h("div.group", {}, h("h3", { textContent: "Progression" }), h("div.row", {}, list), line, h("div.row", {}, play, chord), save);
}

const percent = (value) => `${Math.round(value * 100)} %`;

function chords() {
  return h("div.group", {}, h("h3", { textContent: "Chords" }),
    choice({ address: "/chord/size", label: "Each key plays", words: ["0", "3", "4", "5"], names: { 0: "its note", 3: "a triad", 4: "a seventh", 5: "a ninth" }, numbers: true }),
    stepper({ address: "/chord/inversion", label: "Inversion" }), choice({ address: "/chord/spread", label: "How it lies" }),
    toggle({ address: "/chord/lead", label: "The shortest way from the last chord" }),
    toggle({ address: "/key/snap", label: "Keys outside the scale play the nearest in it" }));
}

function arpeggiator() {
  return h("div.group", {}, h("h3", { textContent: "Arpeggiator" }),
    choice({ address: "/arp/mode", label: "Order" }),
    choice({ address: "/arp/rate", label: "Rate", words: words("/arp/rate").filter((word) => word !== "off") }),
    stepper({ address: "/arp/octaves", label: "Octaves" }),
    fader({ address: "/arp/gate", label: "Length of each note", step: 0.05, reset: 0.5, show: percent }),
    toggle({ address: "/arp/latch", label: "Latch: it goes on without a finger" }));
}

export function make() {
  const name = h("output.chord", { "aria-label": "What sounds", "aria-live": "off" });
  room.on("/chord/name", ([text]) => {
    const [best, ...others] = text.split(" ");
    // An interval has two words, and no other name.
    const isChord = /^[A-G]/.test(best);
    say(name, isChord ? best : text);
    name.title = isChord && others.length ? `Also ${others.join(", ")}` : "";
  });
  const lay = () => {
    const width = keyboard.board.clientWidth || keyboard.board.parentElement?.clientWidth || 360;
    const keys = Math.max(7, Math.min(inKey ? 22 : 24, Math.floor(width / NARROWEST)));
    keyboard.lay({ scale, low: lowKey(scale, middle), count: inKey ? keys : Math.round((keys * 12) / 7), inKey });
  };
  const move = (octaves) => {
    middle = Math.min(108, Math.max(24, middle + 12 * octaves));
    remember("keys from", middle);
    keyboard.releaseAll();
    lay();
  };
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
    } }), sustain, name);
  const letters = h("input", { type: "checkbox", role: "switch" });
  const followLetters = () => keyboard.takeLetters(letters.checked && isShown);
  letters.checked = recall("letters play keys", true);
  letters.addEventListener("change", () => { remember("letters play keys", letters.checked); followLetters(); });
  const midi = ownChoice({ label: "A MIDI device plays", words: ["pads", "keys"], value: recall("midi plays", "pads"), chosen: (word) => remember("midi plays", word) });
  let isShown = false;
  room.on("/scale/notes", ([text]) => { scale = scaleOf(text); lay(); });
  new ResizeObserver(lay).observe(keyboard.board);
  return {
    element: h("div.keys-panel", {},
      h("div.keys-play", {}, instruments(), head, keyboard.board,
        choice({ address: "/pads/layout", label: "The pads are" })),
      progressions(), arpeggiator(), chords(), keyGroup(), sound(),
      h("div.group", {}, h("h3", { textContent: "Playing" }),
        h("label.switch.has-keyboard", {}, h("span.name", { textContent: "Letters of the keyboard play keys while this is open" }), letters),
        midi, fader({ address: "/bend", label: "Bend", step: 0.01 }))),
    show: () => { isShown = true; followLetters(); lay(); },
    hide: () => { isShown = false; followLetters(); keyboard.releaseAll(); },
  };
}
