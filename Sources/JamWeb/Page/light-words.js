// @ts-check
// A player's light in words: how well the room is heard, what is wrong, and what helps.

import { t, w } from "./language.js";

/** @typedef {{ light: number, cause: string, remedy: string }} Light as `/player/light` tells */

/** @type {Record<string, string>} */
const SHORT = {
  network: "the network", buffer: "the buffer", output: "the headphones or loudspeakers",
  computer: "a busy device", server: "the server", silence: "no report",
  delay: "the way to the ear",
};
/** @type {Record<string, string>} */
const CAUSE = {
  network: "The way between this device and the server is long, or loses sound.",
  buffer: "Too much sound waits in this browser before it is played.",
  output: "The headphones or loudspeakers sound late, as over Bluetooth.",
  computer: "This device is busy with other work.",
  server: "The server comes too late with the sound, for everybody.",
  silence: "This device has not said for a while how it hears the room.",
  delay: "The hits say that the room is heard late. They do not say which part of the way is long.",
};
/** @type {Record<string, string>} */
const REMEDY = {
  cable: "Use a cable instead of Wi-Fi, or go nearer to the router.",
  interval: "Play one loop later: tap the tempo, and choose so under “Timing”.",
  reload: "Load the page again.",
  udp: "Have the firewalls let UDP through to the server.",
  wire: "Use headphones or loudspeakers with a wire.",
  programs: "Close other tabs and programs.",
  relieve: "Tell a host: the server needs a faster machine, or fewer listeners.",
  look: "Is the device asleep, or the network gone? Load the page there again.",
  shorten: "Use a smaller buffer, a wire instead of Bluetooth, and a cable instead of Wi-Fi.",
};

/// The word for the lamp in the style sheet.
/** @param {number | undefined} light */
export function lamp(light) {
  if (light === undefined || light < 0) return "off";
  return light < 0.25 ? "red" : light < 0.75 ? "amber" : "green";
}

/// One line about somebody: the lamp in words, with the cause.
/** @param {Light} told */
export function line({ light, cause }) {
  const about = t(SHORT[cause] ?? cause);
  const lines = {
    off: "", green: t("hears well"), amber: w`hears late: ${about}`, red: w`hears badly: ${about}`,
  };
  return lines[lamp(light)];
}

/// The whole explanation: sentences, the remedy last.
/** @param {Light} told */
export function explanation({ light, cause, remedy }) {
  if (lamp(light) === "green") return [t("The sound comes in time, and none of it is made up.")];
  return [CAUSE[cause], REMEDY[remedy]].filter(Boolean).map((text) => t(text));
}
