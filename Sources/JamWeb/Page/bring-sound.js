// Sounds that this device decodes and puts on a pad: files, and what was recorded here.

import { t, w } from "./dom.js";
import { room } from "./room.js";
import { wav } from "./wav.js";

/// Seconds of the longest sound that a pad takes.
export const MOST = 60;
/// Bytes of a file; decoded, it needs several times as much memory.
const LARGEST = 300e6;

/// A file's name without its ending.
export const titleOf = (file) => file.name.replace(/\.[^.]*$/, "");

/// [sound, null], or [null, the reason why it cannot be read].
export async function decoded(blob, name) {
  if (blob.size > LARGEST) {
    return [null, w`${name} is too large to be read here: ${Math.round(blob.size / 1e6)} MB. Cut out the part that you want first.`];
  }
  let bytes;
  try {
    bytes = await blob.arrayBuffer();
  } catch {
    return [null, w`${name} cannot be read. If it is in a cloud, load it onto this device first.`];
  }
  try {
    return [await new OfflineAudioContext(2, 1, 48000).decodeAudioData(bytes), null];
  } catch {
    return [null, w`${name} is no sound that this browser can read.`];
  }
}

/// The channels of a decoded sound, two at most.
export function channelsOf(sound) {
  const count = Math.min(2, sound.numberOfChannels);
  return Array.from({ length: count }, (_, index) => sound.getChannelData(index));
}

/// Puts a sound on one of the player's pads. Returns what the server changed on it, as texts.
/// - Throws: an error with a text for people.
export async function putOnPad({ name, pad, channels, rate }) {
  // A name of dots alone would have a meaning in the address's path.
  const title = name.trim().replaceAll("/", "-").replace(/^\.+$/, "") || t("Sound");
  let answer;
  try {
    const place = `samples/${encodeURIComponent(title)}`;
    answer = await fetch(room.path(place, { player: room.player, token: room.token, pad }),
      { method: "PUT", headers: { "Content-Type": "audio/wav" }, body: wav(channels, rate) });
  } catch {
    throw new Error(t("The server does not answer."));
  }
  if (!answer.ok) throw new Error(await (await import("./words.js")).reasonOf(answer));
  return (await answer.json()).notes;
}
