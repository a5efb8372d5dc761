// The button for this device's sound. The panel Room tells how late the sound is.

import { at, redraw, say, t } from "./dom.js";

export const listenButton = document.querySelector('[data-action="listen"]');

/// `isWanted`: whether this device should play sound.
export function showListening({ state, isWanted }) {
  if (document.body.dataset.audio !== state) document.body.dataset.audio = state;
  redraw(listenButton, isWanted ? "ear" : "mute");
  say(at("listen-text"), {
    off: "Sound off", connecting: "Connecting …", ready: "Tap to hear", stalled: "Interrupted …", playing: "Sound on",
  }[state]);
  listenButton.title = state === "playing" ? t("Turn the sound of this device off") : !isWanted ? t("Turn the sound of this device on") : "";
}
