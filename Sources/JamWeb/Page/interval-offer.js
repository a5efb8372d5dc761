// Offers the timing `interval` to a player who hears the room too late to play along by ear. Once a
// visit.

import { isToasting, toast, w } from "./dom.js";
import { delay } from "./listen.js";
import { recallHere, rememberHere } from "./memory.js";
import { room } from "./room.js";

/// Milliseconds: LOOK between two looks, and STANDS for how long the room must be heard late. A
/// line that begins is late only for a moment.
const [LOOK, STANDS] = [500, 8000];

let since = null;

/// How late the room is heard, in milliseconds; 0 where that is a quarter of a beat or less.
function lateness() {
  const { milliseconds } = delay();
  return milliseconds > 60_000 / room.get("/tempo", 120) / 4 ? milliseconds : 0;
}

/// Players who have chosen a timing, and listeners, get no offer. Nor does the offer replace
/// another message.
const mayChoose = () => room.isConnected && room.get("/role", "player") !== "listener" && !room.get("/timing/chosen", true) && !isToasting();

function look() {
  const late = mayChoose() ? lateness() : 0;
  if (!late) {
    since = null;
    return;
  }
  since ??= performance.now();
  if (performance.now() - since < STANDS) return;
  clearInterval(looking);
  rememberHere("interval offered", true);
  toast(w`You hear the room ${Math.round(late)} ms late, more than a quarter of a beat. Your hits can sound one loop later instead, in time for everybody.`, 15,
    [["Play one loop later", accept]]);
}

function accept() {
  room.set("/timing", "interval");
  toast("Your hits sound one loop later now.", 8, [["Undo", () => room.set("/timing", "heard")]]);
}

const looking = recallHere("interval offered") ? 0 : setInterval(look, LOOK);
