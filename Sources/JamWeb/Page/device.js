// The device's screen, which stays on while somebody plays or hears the room, and its lock screen,
// which has the room's name, play and pause. Loaded some time after the page has joined.

import { Awake } from "./awake.js";
import { at } from "./dom.js";
import { hears, isSwitchedOff, soundOff, soundOn } from "./listen.js";
import { room } from "./room.js";

// ---- The screen.

const awake = new Awake();
let lock = null;
let isAsking = false;
let lapses = 0;

/// Holds the screen on, or lets it go. The system takes the lock away when the page is hidden, or
/// when the battery is low.
async function look() {
  awake.hears = hears();
  const now = performance.now();
  clearTimeout(lapses);
  const left = awake.left(now);
  if (left !== null) lapses = setTimeout(look, left);
  const isWanted = awake.isWanted(now) && !document.hidden;
  if (isWanted && !lock && !isAsking) await hold();
  else if (!isWanted && lock) lock.release();
}

async function hold() {
  isAsking = true;
  try {
    const held = await navigator.wakeLock.request("screen");
    held.addEventListener("release", () => { if (lock === held) lock = null; });
    lock = held;
  } catch {
    // The next look asks again.
  }
  isAsking = false;
  if (lock && document.hidden) lock.release();
}

function play() {
  awake.play(performance.now());
  if (!lock) look();
}

if (navigator.wakeLock) {
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, play, { capture: true });
  // Hits of a MIDI device come by no event of the page.
  room.on("/receipt", play);
  room.on("listening", look);
  document.addEventListener("visibilitychange", look);
  play();
}

// ---- The lock screen, and the keys of a keyboard or a headset.

const session = navigator.mediaSession;

/// The name of the room or of its project, as the head of the page shows it.
function describe() {
  const project = at("room-name").textContent;
  const title = project === room.name ? project : `${room.name} · ${project}`;
  if (session.metadata?.title === title) return;
  const artwork = [192, 512].map((size) => (
    { src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" }));
  session.metadata = new MediaMetadata({ title, artist: "Bandshell", artwork });
}

function see() {
  session.playbackState = hears() ? "playing" : isSwitchedOff() ? "paused" : "none";
}

// Pause is for this device alone: the room plays on for everybody else.
const DEEDS = { play: soundOn, pause: soundOff, stop: soundOff };

if (session && typeof MediaMetadata === "function") {
  for (const [deed, act] of Object.entries(DEEDS)) {
    try {
      session.setActionHandler(deed, act);
    } catch {
      // Some browsers know fewer deeds.
    }
  }
  room.on("listening", see);
  for (const what of ["connected", "/project/state"]) room.on(what, () => setTimeout(describe));
  if (room.name) describe();
  see();
}
