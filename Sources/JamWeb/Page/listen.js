// Hearing the room on this device: the listener, the page's audio element, the button and the first touch.

import { outputKey } from "./calibration.js";
import { at, toast } from "./dom.js";
import { Hearing } from "./hearing.js";
import { listenButton, showListening } from "./listen-view.js";
import { Listener } from "./listener.js";
import { Loudspeaker } from "./loudspeaker.js";
import { recall, remember } from "./memory.js";
import { room, roomName } from "./room.js";
import { WhepLine, canWebRTC } from "./whep-line.js";

/// How long between two looks at what is played, in milliseconds: no whole number of the sound card's blocks.
const LOOK = 37;
/// A tap on the button that unmuted the sound so many milliseconds ago does not switch it off again.
const SAME_TAP = 600;

const audio = at("audio");
const hearing = new Hearing(room.clock);
/// The first line, made while the control socket still connects.
let prepared = null;

const listener = new Listener({
  hearing,
  speaker: new Loudspeaker(audio),
  ways: {
    canWebRTC,
    get isConnected() { return room.isConnected; },
    get identity() { return room; },
    get isHere() { return recall("ear", "here") === "here"; },
    path: (name, query) => room.path(name, query),
    async line() {
      const line = await prepared?.catch(() => null);
      prepared = null;
      return line ?? WhepLine.prepare();
    },
  },
  clock: { now: () => performance.now(), after: (wait, act) => setTimeout(act, wait), forget: clearTimeout.bind(window) },
  told: { changed: show, problem: toast },
});

/// How many milliseconds later the output sounds than the browser knows, as its player tapped it; kept for each output.
/// Where the browser tells no names and another device came or went, nobody knows which one sounds: what was tapped before
/// does not hold, and what is tapped now holds for this visit.
let outputName = "default";
let nameless = null;
export const output = {
  get late() { return nameless ? nameless.late : recall(`output ${outputName}`, 0); },
  set late(milliseconds) {
    if (nameless) nameless.late = milliseconds;
    else remember(`output ${outputName}`, milliseconds || null);
    hearing.beyond = milliseconds;
  },
};
async function nameOutput(change = null) {
  outputName = outputKey(audio.sinkId ?? "", await navigator.mediaDevices?.enumerateDevices?.().catch(() => []) ?? []);
  nameless = outputName !== "default" ? null : change ? { late: 0 } : nameless;
  hearing.beyond = output.late;
}
nameOutput();
navigator.mediaDevices?.addEventListener?.("devicechange", nameOutput);

export const want = (what, on) => listener.want(what, on);
export const preview = () => listener.preview();
export const hears = () => listener.hears;
/// How late the room is heard here, in milliseconds (0 where it is not), and whether by the endless
/// stream.
export const delay = () => ({ milliseconds: (listener.hears && hearing.latency) || 0, isFar: hearing.far !== null });
export const isSwitchedOff = () => listener.isOff;
/// Whoever was put out hears nothing.
export const hush = () => listener.hush();

function show() {
  showListening({ state: listener.state, isWanted: listener.isWanted });
  room.tell("listening", []);
  // Everybody sees how late everybody hears.
  const value = listener.hears ? hearing.latency ?? 0 : 0;
  if (room.isConnected && hearing.tells(value, performance.now())) room.send("/latency", Math.round(value));
}

/// Sound on this device, or the room's loudspeakers are heard and this device stays quiet; remembered.
export function setEar(here) {
  remember("ear", here ? "here" : "speakers");
  listener.chooseEar();
}

/// The RTP timestamp that the ear is at, for `/heard`; null where this device is not what is heard, or not by a clock that is known.
/// - Parameter at: a moment of performance.now().
export function heardFrame(at) {
  if (!listener.hears) return null;
  listener.look();
  return hearing.timestamp(at);
}

// Which of these events counts as a touch differs from browser to browser, so all do.
function touch(event) {
  if (event.type === "pointerdown" && navigator.userActivation && !navigator.userActivation.isActive) return;
  listener.touch();
}
for (const type of ["pointerdown", "pointerup", "touchend", "click", "keydown"]) addEventListener(type, touch, { capture: true });

let unmutedAt = -Infinity;
audio.addEventListener("volumechange", () => { if (!audio.muted) unmutedAt = performance.now(); });
listenButton.addEventListener("click", () => {
  if (!listener.isWanted) return setEar(true);
  if (performance.now() - unmutedAt < SAME_TAP) return;
  if (listener.hears) {
    listener.switchOff();
    toast("The sound of this device is off. Tap again to turn it on.");
  } else if (hearing.isNothing) listener.connect();
});

audio.addEventListener("pause", () => listener.paused());
audio.addEventListener("playing", () => listener.played());
for (const end of ["ended", "error"]) audio.addEventListener(end, () => listener.lostFar());
addEventListener("online", () => listener.tryAgain());
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !listener.isWanted) return;
  listener.measure();
  listener.wake();
});
setInterval(() => { if (!document.hidden) listener.look(); }, LOOK);
setInterval(() => { if (!document.hidden || hearing.far) listener.measure(); }, 1000);

/// - wasTouched: whether the page was touched before this was here.
export function start(wasTouched) {
  listener.begin();
  if (wasTouched) listener.touch();
  // First the page can be touched: a peer takes as long to make as a few frames.
  if (listener.isWanted && canWebRTC) prepared = new Promise((resolve) => setTimeout(resolve)).then(WhepLine.prepare);
  // The server's first room needs no word from the control socket, unless it has a password: then that dial comes to nothing.
  let first = listener.isWanted && canWebRTC && !roomName ? listener.connect() : null;
  room.on("/frame/at", ([frame, moment]) => hearing.takeFrame(frame, moment));
  const join = () => {
    hearing.join(performance.now());
    room.send("/frame");
    listener.joined(first);
    first = null;
  };
  room.on("connected", join);
  if (room.isConnected) join();
}
