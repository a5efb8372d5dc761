// Pad boxes and keyboards where the browser gives Web MIDI: notes from 36 up are pads 1 to 16.

import { toast } from "./dom.js";
import { momentOf, press, release } from "./pads.js";
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
