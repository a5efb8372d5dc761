// Tells a player once that the room is heard too late to play along by ear, and offers help.
// A player who knows the page is offered the timing `interval`, too.

import { at, isToasting, t, toast, untoast, w } from "./dom.js";
import { Lasting } from "./lasting.js";
import { delay } from "./listen.js";
import { recall, remember } from "./memory.js";
import { open } from "./panel.js";
import { room } from "./room.js";

/// Milliseconds between two looks.
const LOOK = 500;
/// The number of hints for newcomers (hints.js). A player who has not seen all of them is a
/// beginner.
const HINTS = 3;

const trouble = new Lasting();
/// The message that was shown. A player who is out of the room hears nothing late.
let said = "";
for (const what of ["left", "/kicked"]) room.on(what, () => untoast(said));

/// How late the room is heard, in milliseconds; 0 where that is a quarter of a beat or less.
function lateness() {
  const { milliseconds } = delay();
  return milliseconds > 60_000 / room.get("/tempo", 120) / 4 ? milliseconds : 0;
}

/// Players who have chosen a timing, and listeners, get no offer.
const mayChoose = () =>
  room.isConnected && room.get("/role", "player") !== "listener" && !room.get("/timing/chosen", true);

function look() {
  const late = mayChoose() ? lateness() : 0;
  // The message waits until no other one is there.
  if (!trouble.see(late > 0, performance.now()) || isToasting()) return;
  clearInterval(looking);
  remember("interval offered", true);
  const told = w`You hear the room ${Math.round(late)} ms late, more than a quarter of a beat.`;
  const help = ["Show help", showHelp];
  const isNew = recall("hints seen", []).length < HINTS;
  const offer = t("Your hits can sound one loop later, in time for everybody.");
  said = isNew ? told : `${told} ${offer}`;
  toast(said, 15, isNew ? [help] : [help, ["Play one loop later", accept]]);
}

/// Shows this device's light, with its cause and its remedy.
async function showHelp() {
  await open("people");
  const light = at("light");
  if (light) light.open = true;
}

function accept() {
  room.set("/timing", "interval");
  toast("Your hits sound one loop later now.", 8, [["Undo", () => room.set("/timing", "heard")]]);
}

const looking = recall("interval offered") ? 0 : setInterval(look, LOOK);
