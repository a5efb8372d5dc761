// A tick of the phone when a finger hits: the finger feels it at once, while the sound comes later.

import { recall } from "./memory.js";

const MILLISECONDS = 8;

/// Whether this device can vibrate and has a touch screen.
export const canTick = Boolean(navigator.vibrate) && matchMedia("(any-pointer: coarse)").matches;

export function tick(event) {
  // Before the first touch a browser refuses to vibrate, and writes a warning.
  if (!canTick || event.pointerType !== "touch" || !navigator.userActivation?.hasBeenActive) return;
  if (recall("tick", true)) navigator.vibrate(MILLISECONDS);
}
