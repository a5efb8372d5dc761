// The reasons why nobody would hear this player's pads: the pads show the reason, and a hit tells
// it.

import { at, say, toast, untoast } from "./dom.js";
import { room } from "./room.js";

const REASONS = {
  offline: "Not connected: nobody hears your pads.",
  listening: "You are here to listen. Under Room, People, you choose to play.",
  "made a listener": "A host made you a listener: nobody hears your pads until a host lets you play.",
  "muted by a host": "A host has muted you: nobody hears your pads.",
  muted: "You are muted: nobody hears your pads. Mute me, behind More, lets you be heard again.",
  "not solo": "Others are heard solo: nobody hears your pads until that is over.",
};
/// The short reasons, which the pads show.
const SHORT = { offline: "offline", listening: "listening", "made a listener": "listening", "muted by a host": "muted", muted: "muted", "not solo": "not solo" };

/// The message after something was tapped or set without a connection.
export const UNSENT = "Not connected: that did not get through.";

let reason = "";
/// Whether the page was connected, or has said that no server answers. Before that the pads only
/// wait for the first answer.
let isAwaited = false;
/// Whether somebody else made this player a listener.
let isMade = false;

const channel = (what) => room.get(`/player/${room.player}/${what}`, 0) > 0;

/// Whether others are heard solo, and this player is not.
export function soloElsewhere() {
  if (channel("solo")) return false;
  return room.below("/player/").some(([address, [value]]) => address.endsWith("/solo") && value > 0);
}

function find() {
  if (!room.isConnected) return isAwaited ? "offline" : "";
  if (room.get("/role") === "listener") return isMade ? "made a listener" : "listening";
  if (channel("mute")) return "muted by a host";
  if (room.get("/mute", 0) > 0) return "muted";
  return soloElsewhere() ? "not solo" : "";
}

function see() {
  const now = find();
  if (now === reason) return;
  const before = reason;
  reason = now;
  const short = SHORT[now] ?? "";
  if (short) at("pads").dataset.silent = short;
  else delete at("pads").dataset.silent;
  if (before === "offline") for (const text of [REASONS.offline, UNSENT]) untoast(text);
  // The head of the page shows a lost connection. A change that the player made needs no message; a
  // change by a host does.
  if (["muted by a host", "made a listener"].includes(now)) toast(REASONS[now], 8);
  else if (["muted by a host", "made a listener"].includes(before) && now === "") toast("You are heard again.");
  if (now && now !== "offline") say(at("status"), REASONS[now]);
}

/// Whether nobody would hear a hit.
export const isSilent = () => reason !== "";

/// Says the reason, if there is one.
export function explain() { if (reason) toast(REASONS[reason]); }

let was = "";
room.on("/role", ([role]) => {
  if (role !== was) isMade = role === "listener" && !room.hasSent("/role") && ["player", "host"].includes(was);
  was = role;
  see();
});
room.on("/mute", see);
room.on("/player/*", ([value], address) => {
  // A player who has left cannot be muted or solo any more.
  // Whether that player waited at the door stays as it was: an empty value would mean that it
  // waits.
  if (address === "/player/gone") {
    room.empty(...["gain", "mute", "solo", "role"].map((what) => `/player/${value}/${what}`));
  }
  else if (/\/(mute|solo)$/.test(address)) see();
});
for (const what of ["connected", "unreached"]) room.on(what, () => { isAwaited = true; see(); });
for (const what of ["disconnected", "heard again", "quiet"]) room.on(what, see);
