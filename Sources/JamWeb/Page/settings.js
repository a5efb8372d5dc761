// The settings of a pad, and of this page.

import { chosenPad, choosePad, showChosen } from "./chosen.js";
import { choice, decibels, fader, ownChoice, padChoice, signed, stepper, toggle } from "./controls.js";
import { h, languages, named, say, t, w, write } from "./dom.js";
import * as listen from "./listen.js";
import { KINDS, toneOf } from "./kind.js";
import { recall, remember } from "./memory.js";
import { parts } from "./panel.js";
import { setPadCount } from "./pads.js";
import { preview } from "./preview.js";
import { room } from "./room.js";
import { canTick } from "./tick.js";
import { Wave } from "./wave.js";

export function make() {
  const pad = new PadSettings();
  const panel = parts(["This pad", pad.element, pad], ["This page", page()]);
  return { ...panel, show: (wish) => {
    if (wish?.pad) panel.choose(0);
    else panel.show();
  } };
}

// ---- A pad.

class PadSettings {
  number = 0;
  #scope = null;
  #isOpen = false;

  constructor() {
    this.body = h("div");
    this.element = h("div", {}, h("label.row", {}, padChoice("Pad"), h("span.quiet.besides", { textContent: "or touch one" })), this.body);
    room.on("pad chosen", () => this.#isOpen && this.#see());
  }

  show() {
    this.#isOpen = true;
    // The pad that is shown here becomes the chosen one, so that it stays chosen when the number of
    // visible pads changes.
    choosePad(chosenPad());
    this.#see();
    showChosen(this, true);
  }

  hide() {
    this.#isOpen = false;
    showChosen(this, false);
  }

  #see() {
    const number = chosenPad();
    if (number === this.number) return;
    this.number = number;
    this.#scope?.abort();
    this.#scope = new AbortController();
    this.body.replaceChildren(...this.#build(number, this.#scope.signal));
  }

  #build(number, signal) {
    const at = (what) => `/pad/${number}/${what}`;
    const make = (facts) => fader({ ...facts, address: at(facts.what), signal });
    const title = h("h3");
    const sound = h("span.quiet");
    const names = () => {
      write(title, `${number} · ${room.get(at("name"), "") || t("Empty")}`);
      const isEmpty = room.get(at("name"), "") === "";
      const seconds = `${room.get(at("seconds"), 0).toFixed(2)} s`;
      write(sound, isEmpty ? "" : `${named(room.get(at("category"), ""))} · ${seconds}`);
    };
    for (const what of ["name", "category", "seconds"]) room.on(at(what), names, signal);
    const button = (label, ...parts) => h("button.text", { type: "button", textContent: label, onclick: () => room.send(...parts) });
    return [
      h("div.group", {}, h("div.row.head", {}, title, sound),
        this.#wave(number, signal),
        h("div.row", {},
          h("button.text", { type: "button", textContent: "Hear it alone", onclick: () => preview(at("preview")) }),
          button("Previous sound", at("sample/prev")), button("Next sound", at("sample/next")), button("Reset", at("reset")),
          h("button.text", {
            type: "button", textContent: "Empty it", onclick: () => room.set(at("sample"), ""),
          }))),
      h("div.group", {},
        make({ what: "gain", label: "Volume", step: 0.5, show: decibels }),
        make({ what: "pan", label: "Pan", step: 0.02, show: (v) => (v === 0 ? "Middle" : v < 0 ? w`${Math.round(-v * 100)} % left` : w`${Math.round(v * 100)} % right`) }),
        make({ what: "transpose", label: "Transpose", step: 1, show: (v) => w`${signed(v)} semitones` }),
        make({ what: "stretch", label: "Stretch, same pitch", step: 0.01, show: (v) => `× ${(2 ** v).toFixed(2)}`, read: Math.log2, write: (v) => Math.round(2 ** v * 100) / 100 }),
        choice({ address: at("stretch/quality"), label: "Stretched", signal }),
        stepper({ address: at("beats"), label: "Follows the tempo", signal, show: (v) => (v === 1 ? "1 beat" : v ? w`${v} beats` : "No") })),
      h("div.group", {},
        choice({ address: at("mode"), label: "When it is pressed", names: { oneshot: "Plays", gate: "While held", loop: "Loops", repeat: "Rolls" }, signal }),
        make({ what: "release", label: "Let go of, it fades over", step: 10, show: (v) => (v > 0 ? `${v} ms` : t("no time")) }),
        stepper({ address: at("voices"), label: "Hits that sound at once", signal }),
        stepper({ address: at("choke"), label: "Choke group", signal, show: (v) => (v ? String(v) : "None") })),
      h("div.group", {}, h("h3", { textContent: "Chance" }),
        make({ what: "gain/random", label: "Volume strays by", step: 0.1, show: (v) => `${v.toFixed(1)} dB` }),
        make({ what: "pan/random", label: "Pan strays by", step: 0.02, show: (v) => `${Math.round(v * 100)} %` }),
        make({ what: "transpose/random", label: "Pitch strays by", step: 0.1, show: (v) => w`${v.toFixed(1)} semitones` })),
      h("div.group", {},
        toggle({ address: at("mute"), label: "Mute", signal }),
        toggle({ address: at("solo"), label: "Solo, among your own pads", signal })),
    ];
  }

  /// Start and decay: handles on the waveform, where the server has one, and faders.
  #wave(number, signal) {
    const at = (what) => `/pad/${number}/${what}`;
    const seconds = () => Math.max(0.01, room.get(at("seconds"), 1));
    const wave = new Wave({
      names: ["Start", "Decay"], signal, carries: true, spoken: (part) => `${Math.round(part * seconds() * 1000)} ms`,
      // One handle is one setting, so that a whole drag is one edit.
      moved: (start, end, which) => {
        if (which === 0) room.set(at("start"), Math.round(start * seconds() * 1000));
        else room.set(at("decay"), end >= 0.999 ? 0 : Math.max(1, Math.round((end - start) * seconds() * 1000)));
      },
    });
    const place = () => {
      const start = room.get(at("start"), 0) / 1000 / seconds();
      const decay = room.get(at("decay"), 0) / 1000 / seconds();
      wave.set(start, decay > 0 ? start + decay : 1);
      for (const end of [starts, decays]) end.reach(most());
    };
    // The faders' upper end, in milliseconds: another sound, or another stretch, changes it.
    const most = () => Math.ceil(seconds() * 1000);
    const starts = fader({ address: at("start"), label: "Start", min: 0, max: most(), step: 1, signal, show: (v) => `${v} ms` });
    // The value 0, the whole sound, is the longest decay: the fader shows it at its upper end.
    const decays = fader({ address: at("decay"), label: "Decay", min: 1, max: most(), step: 1, signal, reset: Number.MAX_SAFE_INTEGER,
      read: (v) => (v > 0 ? v : most()), write: (v) => (v >= most() ? 0 : v), show: (v) => (v >= most() ? "Whole sound" : `${v} ms`) });
    for (const what of ["start", "decay", "seconds"]) room.on(at(what), place, signal);
    room.on(at("sample"), async ([id]) => {
      const peaks = await peaksFrom(id);
      if (signal.aborted) return;
      wave.element.hidden = !peaks;
      if (peaks) wave.see(peaks);
    }, signal);
    return h("div", {}, wave.element, starts, decays);
  }
}

const known = new Map();

/// A sound's peaks from the server, 0…1; null where it has none.
async function peaksFrom(id) {
  if (!id) return null;
  if (!known.has(id)) {
    known.set(id, fetch(room.path(`waveforms/${id.split("/").map(encodeURIComponent).join("/")}`)).then(async (answer) => {
      if (!answer.ok) return null;
      const { peaks } = await answer.json();
      return peaks.map((peak) => peak / 255);
    }).catch(() => null));
  }
  return known.get(id);
}

// ---- This page.

function earChoice(parts) {
  const element = ownChoice(parts);
  // The sound button in the head of the page changes this choice, too.
  room.on("listening", () => element.mark(listen.isSwitchedOff() ? null : recall("ear", "here")));
  return element;
}

/// How it is with own hits, by the states of `OwnSwitch`.
const OWN = {
  off: "You hear your own hits together with the room, a little late.",
  near: "Not needed now: you hear your hits soon enough anyway.",
  silent: "This device plays no sound now.",
  fetching: "The sounds of your kit are coming. Until then you hear your hits with the room.",
  soundless: "This device cannot play the sounds of your kit itself: you hear your hits with the room.",
  asking: "A moment: it is being switched on.",
  refused: "Too many here hear something of their own just now. It is tried again in a minute.",
  on: "It is on: you hear your own hits at once, and everybody else as before.",
};

function ownHits() {
  const note = h("p.quiet", { id: "own-hits", "aria-live": "polite" });
  const see = () => {
    const before = recall("own hits", "auto") === "off" ? "off" : "silent";
    const state = listen.ownState() ?? before;
    say(note, OWN[state]);
  };
  room.on("own hits", see);
  room.on("listening", see);
  const choose = (word) => {
    listen.chooseOwn(word);
    see();
  };
  see();
  return [
    ownChoice({
      label: "My own hits at once", words: ["auto", "on", "off"], names: ["By itself", "On", "Off"],
      value: recall("own hits", "auto"), chosen: choose,
    }),
    note,
    ownChoice({
      label: "Keys at once, too", words: [true, false], names: ["On", "Off"],
      value: recall("own keys", true), chosen: listen.chooseOwnKeys,
    }),
  ];
}

/// The choice of how a hit's velocity is found. The button Touch near the pads changes it, too.
function hardness(parts) {
  const element = ownChoice(parts);
  addEventListener("velocitychoice", () => element.mark(recall("velocity", "full")));
  return element;
}

function page() {
  const midi = h("p.quiet");
  const sayMidi = ([names]) => say(midi, names?.length ? w`Plays along: ${names.join(", ")}.` : "A pad box plays the pads with notes 36 to 51, a keyboard the keys. Under Keys you choose otherwise.");
  sayMidi([[]]);
  room.on("midi", (names) => sayMidi([names]));
  return h("div", {},
    h("div.group", {}, h("h3", { textContent: "Playing" }),
      ownChoice({ label: "Pads", words: ["auto", 8, 16], names: ["As it fits", "8", "16"], value: recall("pads", "auto"), chosen: setPadCount }),
      hardness({ label: "How hard a hit is", words: ["full", "pressure", "position"], names: ["Always full", "Pressure", "Where touched"], value: recall("velocity", "full"), chosen: (word) => {
        remember("velocity", word);
        dispatchEvent(new Event("velocitychoice"));
      } }),
      h("p.quiet", { textContent: "Where touched: the top of a pad is loud, its bottom soft. On a keyboard, Shift plays half as loud." }),
      ownChoice({ label: "Pitch and filter by the pads", words: ["auto", true, false], names: ["As it fits", "Always", "Never"], value: recall("strips", "auto"), chosen: (word) => { remember("strips", word); dispatchEvent(new Event("stripschoice")); } }),
      ...(canTick ? [ownChoice({ label: "The phone ticks at a hit", words: [true, false], names: ["On", "Off"], value: recall("tick", true), chosen: (word) => remember("tick", word) })] : [])),
    h("div.group", {}, h("h3", { textContent: "Sound on this device" }),
      earChoice({ label: "I hear", words: ["here", "speakers"], names: ["This device", "The loudspeakers"], value: recall("ear", "here"), chosen: (word) => listen.setEar(word === "here") }),
      h("p.quiet", { textContent: "With the loudspeakers in earshot, this device stays quiet, so that nobody hears two beats." }),
      ...ownHits(),
      h("p.quiet", { textContent: "Does what you record come late? Eight taps with the metronome put that right." }),
      h("button.text", { type: "button", textContent: "Tap along", onclick: async () => (await import("./tap-along.js")).begin() })),
    h("div.group", {}, h("h3", { textContent: "MIDI" }), midi,
      h("button.text", { type: "button", textContent: "Connect MIDI", onclick: async () => (await import("./midi.js")).connect() })),
    h("div.group", {}, h("h3", { textContent: "Looks" }),
      ownChoice({ label: "Theme", words: ["system", "light", "dark", "black", "clear"], names: ["As the system", "Light", "Dark", "Black, for a stage", "Clear for every eye"], value: recall("theme", "system"), chosen: (word) => { remember("theme", word); dispatchEvent(new Event("themechoice")); } }),
      ownChoice({
        label: "Colours of sounds", words: ["bright", "clear"], names: ["Bright", "For every eye"],
        value: recall("colours", "bright"), chosen: (word) => {
          remember("colours", word);
          dispatchEvent(new Event("themechoice"));
        },
      }),
      legend(),
      languageChoice()),
    h("div.group", {}, h("h3", { textContent: "Help" }),
      h("button.text", { type: "button", textContent: "Keys and gestures", onclick: async () => (await import("./help.js")).show() })));
}

const KIND_NAMES = {
  drums: "Drums", cymbals: "Cymbals", percussion: "Percussion", bass: "Bass", chords: "Chords", lead: "Lead",
  voice: "Voice", effects: "Effects",
};

/// The kinds of sounds, each with its colour.
function legend() {
  return h("ul.kinds", { "aria-label": "Colours of sounds" }, ...KINDS.map((kind) => {
    const spot = h("i", { "aria-hidden": "true" });
    spot.style.backgroundColor = toneOf(kind);
    return h("li", {}, spot, h("span", { textContent: KIND_NAMES[kind] }));
  }));
}

/// The page reads its words when it starts, so a new language reloads the page.
function languageChoice() {
  const list = h("select", { id: "language", onchange: () => {
    remember("language", list.value || null);
    location.reload();
  } });
  list.append(new Option(t("As the browser"), ""), ...Object.entries(languages).map(([tag, name]) => {
    const option = new Option(name, tag);
    option.lang = tag;
    return option;
  }));
  list.value = recall("language", "");
  return h("label.row", {}, h("span", { textContent: "Language" }), list);
}
