// The door: until a host lets a newcomer in, it plays for itself, on its own cue. Hosts are told who
// waits.

import { at, shown, toast, w } from "./dom.js";
import { waits } from "./people.js";
import { room } from "./room.js";

/// Milliseconds until a newcomer asks again for a cue, because all of the room's may be taken.
const AGAIN = 30_000;

let isOutside = false;
let timer = 0;
/// The names that this host was told of.
const told = new Set();

export const letIn = (name) => room.send(`/player/${name}/admit`);

/// Asks for the player's cue on this device's sound, or gives it back.
async function hear() {
  clearTimeout(timer);
  const listen = await import("./listen.js");
  const carries = await listen.want("door", isOutside);
  if (isOutside && !carries) timer = setTimeout(hear, AGAIN);
}

function see() {
  const now = room.isConnected && waits(room.player);
  if (now === isOutside) return;
  isOutside = now;
  at("at-door").hidden = !now;
  hear();
  if (!now && room.isConnected) toast("A host has let you in: everybody hears you now.", 6);
}

room.on("/player/*", ([value], address) => {
  if (address === "/player/gone") return told.delete(value);
  const name = address.match(/^\/player\/(.+)\/admit$/)?.[1];
  if (name === undefined) return;
  see();
  if (value > 0) return told.delete(name);
  if (name === room.player || told.has(name) || !(room.get("/host") > 0)) return;
  told.add(name);
  toast(w`${shown(name)} waits at the door.`, 12, [["Let in", () => letIn(name)]]);
});
room.on("connected", see);
