// Why nobody would hear this player's pads: seen on the pads, and told where somebody hits one.

import { at, say, toast, untoast } from "./dom.js";
import { room } from "./room.js";

const REASONS = {
  offline: "Not connected: nobody hears your pads.",
  listening: "You are here to listen. Under Room, People, you choose to play.",
  "made a listener": "A host made you a listener: nobody hears your pads until a host lets you play.",
  "muted by a host": "A host has muted you: nobody hears your pads.",
  muted: "You are muted: nobody hears your pads. The mixer lets you be heard again.",
  "not solo": "Others are heard solo: nobody hears your pads until that is over.",
};
/// What is written on the pads.
const SHORT = { offline: "offline", listening: "listening", "made a listener": "listening", "muted by a host": "muted", muted: "muted", "not solo": "not solo" };

/// What the page says of what was tapped or set meanwhile.
export const UNSENT = "Not connected: that did not get through.";

let reason = "";
let everConnected = false;
/// Whether the listening was not wished for here.
let isMade = false;

const channel = (what) => room.get(`/player/${room.player}/${what}`, 0) > 0;

function soloElsewhere() {
  if (channel("solo")) return false;
  return room.below("/player/").some(([address, [value]]) => address.endsWith("/solo") && value > 0);
}

function find() {
  if (!room.isConnected) return everConnected ? "offline" : "";
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
  // The head of the page says that the connection is lost; of what was done here the page need not tell.
  if (["muted by a host", "made a listener"].includes(now)) toast(REASONS[now], 8);
  else if (["muted by a host", "made a listener"].includes(before) && now === "") toast("You are heard again.");
  if (now && now !== "offline") say(at("status"), REASONS[now]);
}

/// Whether a hit would be heard of nobody.
export const isSilent = () => reason !== "";

/// Says why, if it is so.
export function explain() { if (reason) toast(REASONS[reason]); }

let was = "";
room.on("/role", ([role]) => {
  if (role !== was) isMade = role === "listener" && !room.hasSent("/role") && ["player", "host"].includes(was);
  was = role;
  see();
});
room.on("/mute", see);
room.on("/player/*", ([value], address) => {
  // Whoever has left is heard by nobody.
  if (address === "/player/gone") room.empty(`/player/${value}/`);
  else if (/\/(mute|solo)$/.test(address)) see();
});
room.on("connected", () => { everConnected = true; see(); });
for (const what of ["disconnected", "heard again", "quiet"]) room.on(what, see);
