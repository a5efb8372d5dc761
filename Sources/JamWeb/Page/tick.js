// A tick of the phone as a finger hits: it is felt at once, where the sound comes later.

import { recall } from "./memory.js";

const MILLISECONDS = 8;

/// Whether this device has something to tick with.
export const canTick = Boolean(navigator.vibrate) && matchMedia("(any-pointer: coarse)").matches;

export function tick(event) {
  // A browser lets a page tick once it was touched, and complains until then.
  if (!canTick || event.pointerType !== "touch" || !navigator.userActivation?.hasBeenActive) return;
  if (recall("tick", true)) navigator.vibrate(MILLISECONDS);
}
