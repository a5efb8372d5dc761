// What is seen of the sound of this device: its button, and how late it is.

import { at, redraw, say } from "./dom.js";

export const listenButton = document.querySelector('[data-action="listen"]');

/// `isWanted`: whether this device is to sound; `latency`: in milliseconds, or null; `isFar`: whether the endless stream is heard.
export function showListening({ state, isWanted, latency, isFar }) {
  if (document.body.dataset.audio !== state) document.body.dataset.audio = state;
  redraw(listenButton, isWanted ? "ear" : "mute");
  say(at("listen-text"), {
    off: isWanted ? "Listen" : "Sound off", connecting: "Connecting …", ready: "Tap to hear", stalled: "Interrupted …", playing: "Sound on",
  }[state]);
  listenButton.title = state === "playing" ? "Switch the sound of this device off" : !isWanted ? "Switch the sound of this device on" : "";
  const late = state !== "playing" || !latency ? "" : isFar ? `${(latency / 1000).toFixed(1)} s late` : `${Math.round(latency)} ms`;
  say(at("delay"), late);
  at("delay").title = !late ? "" : isFar
    ? "The close way (WebRTC) cannot be had: this is a second or so behind. Good for hearing, not for playing along."
    : "From your tap to your ear";
}
