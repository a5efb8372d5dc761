// MIDI pad boxes and keyboards, in browsers with Web MIDI. They play the pads 1 to 16, by default
// with the notes from 36 up, or the keys.

import { toast } from "./dom.js";
import { Channels } from "./midi-channels.js";
import { playsPad, shapesKeys } from "./midi-target.js";
import { momentOf, moveKey, panic, playAt, press, release } from "./pads.js";
import { recall, remember } from "./memory.js";
import { room } from "./room.js";

let access = null;
/// The function that releases each pressed note, by device, channel and note. A release therefore
/// always ends what its press began, even if settings have changed meanwhile.
const pressed = new Map();
/// The pressed notes that play keys.
const heldKeys = new Set();
/// The state of the channels (`Channels`) of each device.
const devices = new Map();
/// Whether a sustain pedal is down.
let isPedalDown = false;

export async function start(ask = false) {
  if (!navigator.requestMIDIAccess) return false;
  if (!ask) {
    // The browser asks for a permission; this must not happen before somebody wishes for MIDI.
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
  const there = new Set();
  for (const input of access.inputs.values()) {
    if (input.state === "disconnected") continue;
    there.add(input.id);
    input.onmidimessage = (event) => hear(event, input.id);
  }
  // A device that was unplugged cannot release its notes, so the page does.
  for (const id of devices.keys()) if (!there.has(id)) forget(id);
  room.tell("midi", names());
}

function forget(device) {
  devices.delete(device);
  for (const holder of [...pressed.keys()]) if (holder.startsWith(`${device} `)) lift(holder, performance.now());
  if (isPedalDown) setPedal(false);
}

function setPedal(isDown) {
  isPedalDown = isDown;
  room.set("/sustain", isDown ? 1 : 0);
}

const LOWEST = 36;
const lowest = () => recall("midi note", LOWEST);

function setting() {
  return { choice: recall("midi plays", "auto"), lowest: lowest(), isOpen: document.body.dataset.panel === "piano", areDrums: room.get("/pads/layout", "drums") === "drums" };
}

function hear(event, device) {
  const [status, first, second] = event.data;
  const [kind, channel] = [status & 0xf0, status & 0x0f];
  if (!devices.has(device)) devices.set(device, new Channels());
  const channels = devices.get(device);
  const isOwn = channels.isOwn(channel);
  const holder = `${device} ${channel} ${first}`;
  if (kind === 0x80 || (kind === 0x90 && second === 0)) {
    channels.lift(channel, first);
    lift(holder, momentOf(event));
  } else if (kind === 0x90) {
    lift(holder, momentOf(event));
    if (playsPad(setting(), channel, first, isOwn)) pressPad(event, holder);
    else pressKey(event, channels, holder);
  } else if (kind === 0xb0 && first === 64) {
    if (second < 64 ? isPedalDown : shapesKeys(setting().choice, channel, isOwn)) setPedal(second >= 64);
  } else if (kind === 0xa0) {
    if (heldKeys.has(holder)) moveKey(first, "y", 0.5 + second / 254);
  } else if (shapesKeys(setting().choice, channel, isOwn)) shape(channels, kind, channel, first, second);
}

function lift(holder, at) {
  pressed.get(holder)?.(at);
  pressed.delete(holder);
  heldKeys.delete(holder);
}

function pressPad(event, holder) {
  const [, note, velocity] = event.data;
  const pad = note - lowest() + 1;
  if (pad < 1 || pad > 16) return;
  press(pad, velocity / 127, holder, momentOf(event));
  pressed.set(holder, (at) => release(pad, holder, at));
}

function pressKey(event, channels, holder) {
  const [status, note, velocity] = event.data;
  const channel = status & 0x0f;
  playAt(momentOf(event), `/key/${note}`, velocity / 127);
  pressed.set(holder, (at) => playAt(at, `/key/${note}`, 0));
  heldKeys.add(holder);
  // An MPE device tells the wheel and the height of a finger before the note begins.
  const wasOwn = channels.isOwn(channel);
  for (const [what, value] of channels.press(channel, note)) moveKey(note, what, value);
  // This note has shown that the device's wheels belong to single notes, so the common bend goes
  // back to 0.
  if (!wasOwn && channels.isOwn(channel) && room.get("/bend")) room.set("/bend", 0);
}

/// Wheels, pressure and sliders, for the notes of one channel or for all notes.
function shape(channels, kind, channel, first, second) {
  if (kind === 0xd0) tell(channels.height(channel, 0.5 + first / 254));
  else if (kind === 0xe0) {
    const bend = ((second << 7) + first - 8192) / 8192;
    if (channels.isOwn(channel)) tell(channels.bend(channel, bend));
    else room.set("/bend", bend);
  } else if (kind === 0xb0 && first === 74) tell(channels.height(channel, second / 127));
  else if (kind === 0xb0 && first === 123) panic();
  else if (kind === 0xb0) channels.control(channel, first, second);
}

function tell(changes) { for (const [note, what, value] of changes) moveKey(note, what, value); }

export async function connect() {
  try {
    if (!(await start(true))) toast("This browser has no Web MIDI on this address. Chrome has it on https and on localhost.");
  } catch {
    toast("The browser was told not to allow MIDI. Its site settings change that.");
  }
}
