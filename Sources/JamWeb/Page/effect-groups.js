// Every setting of the effects: folded groups of faders, each with a button that resets the effect.

import { byEar, choice, decibels, fader, part, percent, signed, toggle } from "./controls.js";
import { h, say, t, w } from "./dom.js";
import { effects, initial, unit } from "./effect-facts.js";
import { range, words } from "./ranges.js";
import { room } from "./room.js";

/// The groups' names, and what they do, where the name does not say it.
const OWN = {
  eq: ["Equaliser", "Makes what is low or high louder or softer."],
  drive: ["Distortion", "Rough and dense, as an amplifier that is turned up too far."],
  compressor: ["Compressor", "Turns loud moments down, so that all of it can be louder."],
  chorus: ["Chorus", "Copies of you that sway in pitch."],
  filter: ["Filters", "Remove what lies above or below."],
};
const ROOM = {
  delay: ["Delay", "Echoes in time with the beat, of what is sent into it."],
  reverb: ["Reverb", "A space around what is sent into it."],
  glue: ["Glue", "A slow compressor that holds the mix together."],
  filter: ["Filters", "Remove what lies above or below, of the whole mix."],
  crush: ["Crusher", "The whole mix through an old sampler."],
};
const BANDS = { low: "Bass", lowmid: "Lower middle", highmid: "Upper middle", high: "Treble" };

/// The faders' names, by the ends of their addresses.
const LABELS = {
  q: "How narrow", "drive/tone": "Cut above", "compressor/threshold": "What is louder than", "compressor/makeup": "Gain behind it",
  "compressor/detector": "Goes by", "chorus/mix": "Amount", "chorus/rate": "Speed", "filter/lowpass": "Cut above", "filter/highpass": "Cut below",
  "delay/beats": "From echo to echo", "delay/tone": "Cut above", "delay/lowcut": "Cut below", "delay/pingpong": "Left and right in turn",
  "delay/send": "The whole mix goes in", "reverb/decay": "Length", "reverb/damping": "The treble ends sooner", "reverb/predelay": "Begins after",
  "reverb/lowcut": "Cut below", "reverb/send": "The whole mix goes in",
};
const WORDS = { peak: "Peaks", rms: "Mean power" };

/// Settings whose initial value has no effect on the sound.
const IDLE = new Set([
  "/fx/drive/tone", "/fx/compressor/ratio", "/fx/filter/lowpass", "/fx/filter/highpass", "/room/fx/filter/lowpass", "/room/fx/filter/highpass",
]);

/// Lengths of notes, in quarter notes.
const LENGTHS = [
  [1 / 16, "1/64"], [1 / 8, "1/32"], [1 / 6, "1/16T"], [1 / 4, "1/16"], [1 / 3, "1/8T"], [3 / 8, "1/16D"], [1 / 2, "1/8"],
  [2 / 3, "1/4T"], [3 / 4, "1/8D"], [1, "1/4"], [1.5, "1/4D"], [2, "1/2"], [3, "1/2D"], [4, "4 beats"], [6, "6 beats"], [8, "8 beats"],
];

/// Whether two numbers are equal on the server, which keeps them with 32 bits.
const same = (one, other) => one === other || Math.fround(one) === Math.fround(other);

function hertz(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} kHz`;
  return `${value >= 20 ? Math.round(value) : value.toFixed(2)} Hz`;
}

function milliseconds(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

const gain = (value) => `${signed(value, 1)} dB`;
const width = (value) => `${value.toFixed(1)} dB`;

/// A fader's scale and the texts of its values, by the unit of its address.
function ways(address) {
  const [least, most] = range(address);
  const idle = (show) => (_, value) => (IDLE.has(address) && same(value, initial(address)) ? "Off" : show(value));
  if (address.endsWith("/beats")) return notes();
  switch (unit(address)) {
    case "Hz": return { ...byEar(address), show: idle(hertz) };
    case "ms": return { ...byEar(address, least || 1), show: idle(milliseconds) };
    case "s": return { ...byEar(address), show: idle((value) => `${value.toFixed(1)} s`) };
    case "dB": return { step: 0.5, show: address.endsWith("/level") ? decibels : least < 0 ? gain : width };
  }
  if (most <= 1) return { step: 0.01, show: /\/(amount|mix|send|delay|reverb)$/.test(address) ? part : percent };
  if (address.endsWith("/ratio")) return { ...byEar(address), show: idle((value) => `${value.toFixed(1)} : 1`) };
  return least > 0 ? { ...byEar(address), show: idle((value) => value.toFixed(2)) } : {};
}

/// A fader that moves from one note length to the next. Another length that somebody set is shown
/// as a number of beats.
function notes() {
  const nearest = (value) => LENGTHS.reduce((best, [length], index) =>
    (Math.abs(Math.log(length / value)) < Math.abs(Math.log(LENGTHS[best][0] / value)) ? index : best), 0);
  return {
    step: 1, read: nearest, write: (place) => LENGTHS[place][0],
    show: (place, value) => (same(value, LENGTHS[place][0]) ? LENGTHS[place][1] : w`${value.toFixed(2)} beats`),
  };
}

/// The control of an address: a choice, a switch or a fader, by the kind of its values.
export function control(address, label = labelOf(address)) {
  if (words(address)) return choice({ address, label, names: WORDS });
  if (!range(address)) return toggle({ address, label });
  return fader({ address, label, ...ways(address), initial: initial(address) });
}

/// The name of an address's fader.
function labelOf(address) {
  const words = address.split("/");
  const last = words.at(-1);
  return LABELS[words.slice(-2).join("/")] ?? LABELS[last] ?? `${last[0].toUpperCase()}${last.slice(1)}`;
}

/// Groups `list` by `key`, each group and the groups in the order in which they come.
function together(list, key) {
  const found = new Map();
  for (const each of list) found.set(key(each), [...(found.get(key(each)) ?? []), each]);
  return [...found];
}

/// The button that resets `addresses`. It can be pressed while one of them differs from its initial
/// value; `changed` is told whether one does.
export function reset(name, addresses, changed) {
  const set = () => addresses.filter((address) => !same(room.get(address, initial(address)), initial(address)));
  const button = h("button.text.small", { type: "button", textContent: "Reset", "aria-label": w`Reset: ${t(name)}`,
    onclick: () => room.setTogether(set().map((address) => [address, initial(address)])) });
  const see = () => {
    const isChanged = set().length > 0;
    button.disabled = !isChanged;
    changed?.(isChanged);
  };
  for (const address of addresses) room.on(address, see);
  see();
  return button;
}

/// The button that switches off all effects of `addresses`, by the trigger at `address`. It stands
/// in place of `instead` while one of them differs from its initial value.
export function allOff(address, title, addresses, instead) {
  const first = (each) => (WHEELS.includes(each) ? 0 : initial(each));
  const button = h("button.text.small.alloff", { type: "button", "data-off": address, textContent: "All effects off", "aria-label": w`All effects off: ${t(title)}`,
    onclick: () => room.send(address) });
  const see = () => {
    const isOn = addresses.some((each) => !same(room.get(each, first(each)), first(each)));
    // The keyboard's focus stays beside a button that goes.
    if (!isOn && document.activeElement === button) button.closest(".group")?.querySelector("[role=slider]")?.focus();
    button.hidden = !isOn;
    instead.hidden = isOn;
  };
  for (const each of addresses) room.on(each, see);
  see();
  return button;
}

/// The wheels of the whole mix: they go off with the room's effects, and each rests at 0.
const WHEELS = ["/pitch", "/modulation"];

/// The addresses of all that `/effects/off` and `/room/effects/off` switch off.
export const ownEffects = () => [...effects("/").filter((each) => !each.startsWith("/room/")), "/duck/player"];
export const roomEffects = () => [...effects("/room/"), ...WHEELS];

function group(name, text, addresses) {
  const mark = h("small");
  const back = reset(name, addresses, (isChanged) => say(mark, isChanged ? "Changed" : ""));
  const parts = together(addresses, (address) => BANDS[address.split("/").at(-2)]).map(([band, inside]) =>
    h("div.sound-part", band ? { role: "group", "aria-label": band } : {},
      band && h("h4", { textContent: band }), ...inside.map((address) => control(address))));
  return h("details.group.effect", {}, h("summary", {}, name, " ", mark), h("p.quiet", { textContent: text }), ...parts, h("div.row", {}, back));
}

/// The groups of all effect settings whose address begins with `begin`.
function groups(begin, names) {
  const found = together(effects(begin), (address) => address.slice(begin.length).split("/")[0]);
  return found.map(([id, addresses]) => group(...(names[id] ?? [id, ""]), addresses));
}

export const ownGroups = () => groups("/fx/", OWN);
export const roomGroups = () => groups("/room/fx/", ROOM);
