// Pad boxes and keyboards where the browser gives Web MIDI: notes from 36 up are pads 1 to 16.

import { toast } from "./dom.js";
import { momentOf, playAt, press, release } from "./pads.js";
import { recall, remember } from "./memory.js";
import { room } from "./room.js";

let access = null;

export async function start(ask = false) {
  if (!navigator.requestMIDIAccess) return false;
  if (!ask) {
    // Nobody is asked for a permission before they wished for it.
    const held = await navigator.permissions?.query({ name: "midi" }).catch(() => null);
    if (held?.state !== "granted") return false;
  }
  access = await navigator.requestMIDIAccess();
  remember("midi", true);
  listen();
  access.addEventListener("statechange", listen);
  return true;
}

export const names = () => (access ? [...access.inputs.values()].map((input) => input.name) : []);

function listen() {
  for (const input of access.inputs.values()) input.onmidimessage = hear;
  room.tell("midi", names());
}

function hear(event) {
  const [status, note, velocity] = event.data;
  const kind = status & 0xf0;
  if (recall("midi plays", "pads") === "keys") return hearKeys(event);
  const pad = note - recall("midi note", 36) + 1;
  if (pad < 1 || pad > 16) return;
  const holder = `midi ${status & 0x0f} ${note}`;
  if (kind === 0x90 && velocity > 0) press(pad, velocity / 127, holder, momentOf(event));
  else if (kind === 0x80 || kind === 0x90) release(pad, holder, momentOf(event));
}

export async function connect() {
  try {
    if (!(await start(true))) toast("This browser has no Web MIDI on this address. Chrome has it on https and on localhost.");
  } catch {
    toast("The browser was told not to allow MIDI. Its site settings change that.");
  }
}

// ---- Keys: notes as they are, the wheel, the pedal, aftertouch as height, and devices with a channel for each note.

/// What sounds on a channel, the latest last.
const channels = new Map();
/// Semitones of a note's own wheel, as such devices have it.
const OWN_BEND = 48;

function hearKeys(event) {
  const [status, first, second] = event.data;
  const [kind, channel] = [status & 0xf0, status & 0x0f];
  const sounding = channels.get(channel) ?? [];
  channels.set(channel, sounding);
  // The first channel is all notes' own; on another a note is alone, where the device gives each its own.
  const own = channel > 0 && sounding.length === 1 ? sounding[0] : null;
  if (kind === 0x90 && second > 0) {
    sounding.push(first);
    playAt(momentOf(event), `/key/${first}`, second / 127);
  } else if (kind === 0x80 || kind === 0x90) {
    channels.set(channel, sounding.filter((note) => note !== first));
    playAt(momentOf(event), `/key/${first}`, 0);
  } else if (kind === 0xa0) room.send(`/key/${first}/y`, second / 127);
  else if (kind === 0xd0) for (const note of sounding) room.send(`/key/${note}/y`, 0.5 + first / 254);
  else if (kind === 0xe0) {
    const bend = ((second << 7) + first - 8192) / 8192;
    if (own === null) room.set("/bend", bend);
    else room.send(`/key/${own}/bend`, bend * OWN_BEND);
  } else if (kind === 0xb0 && first === 64) room.set("/sustain", second >= 64 ? 1 : 0);
  else if (kind === 0xb0 && first === 74) for (const note of sounding) room.send(`/key/${note}/y`, second / 127);
  else if (kind === 0xb0 && first === 123) room.send("/panic");
}
