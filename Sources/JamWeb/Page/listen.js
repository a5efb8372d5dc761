// Hearing the room on this device: connects the listener with the page's audio element, the sound
// button and the first touch.

import { outputKey } from "./calibration.js";
import { at, toast } from "./dom.js";
import { Hearing } from "./hearing.js";
import { listenButton, showListening } from "./listen-view.js";
import { Listener } from "./listener.js";
import { Loudspeaker } from "./loudspeaker.js";
import { recall, remember } from "./memory.js";
import { room, roomName } from "./room.js";
import { WhepLine, canWebRTC } from "./whep-line.js";

/// Milliseconds between two looks at the playing position. It is no multiple of the sound card's
/// block length, so that the looks fall at different places in a block.
const LOOK = 37;
/// Milliseconds. If a tap on the sound button has just unmuted the sound, the same tap must not
/// switch the sound off.
const SAME_TAP = 600;

const audio = at("audio");
const hearing = new Hearing(room.clock);
/// The first line, prepared while the control socket is still connecting.
let prepared = null;

const speaker = new Loudspeaker(audio);
const listener = new Listener({
  hearing,
  speaker,
  ways: {
    canWebRTC,
    get isConnected() { return room.isConnected; },
    get identity() { return room; },
    get isHere() { return recall("ear", "here") === "here"; },
    path: (name, query) => room.path(name, query),
    passed: (query) => (query.without ? null : own?.passed() ?? null),
    async line() {
      const line = await prepared?.catch(() => null);
      prepared = null;
      return line ?? WhepLine.prepare();
    },
  },
  clock: { now: () => performance.now(), after: (wait, act) => setTimeout(act, wait), forget: clearTimeout.bind(window) },
  told: {
    changed: show, problem: toast,
    refused: (wishes) => room.tell("refused streams", wishes),
  },
});

/// How many milliseconds later the output sounds than the browser knows, as the player's taps told.
/// The page keeps it for each output. Some browsers tell no names of outputs. There the page does
/// not know which one sounds after a device came or went: earlier taps do not count then, and new
/// ones count for this visit.
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
/// How late the room is heard here, in milliseconds (0 where it is not heard), and whether it comes
/// by the endless stream.
export const delay = () => ({ milliseconds: (listener.hears && hearing.latency) || 0, isFar: hearing.far !== null });
export const isSwitchedOff = () => listener.isOff;
/// The sound of this device, off and on again, as the lock screen of a phone asks for it.
export const soundOff = () => listener.switchOff();
export const soundOn = () => listener.chooseEar();
/// Ends the sound of a player who was removed from the room.
export const hush = () => listener.hush();

/// The player's own hits, which sound at once, once the room is heard (own-start.js).
let own = null;
let ownComes = null;
async function soundOwn() {
  try {
    own = (await import("./own-start.js")).start({ listener, hearing, speaker });
  } catch (problem) {
    console.error(problem);
  }
}
/// How it is with own hits: a state of `OwnSwitch`, or null before the room is heard.
export const ownState = () => own?.state ?? null;
/// Chooses `auto`, `on` or `off`. The page remembers the choice.
export function chooseOwn(choice) {
  remember("own hits", choice);
  own?.choose(choice);
}
/// Chooses whether keys sound at once, too. The page remembers the choice.
export function chooseOwnKeys(on) {
  remember("own keys", on);
  own?.chooseKeys(on);
}

/// This device's light, once it hears the room.
let light = null;
async function showLight() {
  try {
    (await import("./light.js")).start({ listener, hearing, speaker });
  } catch {
    light = null;
  }
}

function show() {
  showListening({ state: listener.state, isWanted: listener.isWanted });
  if (listener.hears) {
    light ??= showLight();
    ownComes ??= soundOwn();
  }
  own?.look();
  room.tell("listening", []);
  // Everybody sees the latency of everybody.
  const value = listener.hears ? hearing.latency ?? 0 : 0;
  if (room.isConnected && hearing.tells(value, performance.now())) room.send("/latency", Math.round(value));
}

/// Chooses whether this device plays sound, or stays quiet because the room has loudspeakers. The
/// page remembers the choice.
export function setEar(here) {
  remember("ear", here ? "here" : "speakers");
  listener.chooseEar();
}

/// The RTP timestamp of the frame that is heard at `at`, for `/heard`; null where this device plays
/// no sound, or where its latency is not known.
/// - Parameter at: a moment of performance.now().
export function heardFrame(at) {
  if (!listener.hears) return null;
  listener.look();
  return hearing.timestamp(at);
}

// Browsers differ in which of these events counts as a touch that allows sound, so the page listens
// to all.
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
setInterval(() => own?.look(), 1000);

/// - wasTouched: whether somebody touched the page before this file was loaded.
export function start(wasTouched) {
  listener.begin();
  if (wasTouched) listener.touch();
  // A peer connection takes as long to make as a few frames, so the page becomes touchable first.
  if (listener.isWanted && canWebRTC) prepared = new Promise((resolve) => setTimeout(resolve)).then(WhepLine.prepare);
  // The server's first room can be dialled before the control socket is open. If that room has a
  // password, the dial fails, and `joined` dials again.
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
  room.on("/mix/*", hearOwnMix);
}

const TAKEN =
  "All streams with a mix of one’s own are taken: you hear the room as everybody does.";

/// A mix of the player's own needs the player's cue.
let ownMix = null;
async function hearOwnMix([value], address) {
  if (!ownMix && (address === "/mix/level" || Number(value) === 0)) return;
  ownMix ??= followOwnMix();
  try {
    (await ownMix).look();
  } catch (problem) {
    // Without a network the file did not come: the next change asks for it again.
    ownMix = null;
    console.error(problem);
  }
}

async function followOwnMix() {
  const { follower } = await import("./my-mix.js");
  const follows = follower({
    state: room, want: (what, on) => listener.want(what, on),
    after: (wait, act) => setTimeout(act, wait), problem: () => toast(TAKEN, 8),
  });
  room.on("refused streams", (wishes) => wishes.includes("mix") && follows.refused());
  return follows;
}
