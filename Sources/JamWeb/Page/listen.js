// Hearing the room: WebRTC by WHEP, muted until the first touch; the endless Ogg stream where that cannot be had.

import { Dialler } from "./dialler.js";
import { at, toast } from "./dom.js";
import { Ear } from "./ear.js";
import { EndlessStream } from "./endless-stream.js";
import { Latency } from "./latency.js";
import { listenButton, showListening } from "./listen-view.js";
import { recall, remember } from "./memory.js";
import { room, roomName } from "./room.js";
import { WhepLine, canWebRTC } from "./whep-line.js";

const audio = at("audio");
const canOgg = audio.canPlayType('audio/ogg; codecs="opus"') !== "";

const dialler = new Dialler();
const ear = new Ear();
const latency = new Latency(room.clock);
/// What is heard: a line, or from afar the endless stream.
let line = null;
let far = null;
/// off · connecting · ready (arrives, muted) · playing · stalled
let state = "off";
let touched = false;

let isShut = false;
/// Switched off by the button: until it is tapped again, or the page is loaded again. Who means it for longer says so in the settings.
let isOff = false;
const wanted = () => !isShut && !isOff && recall("ear", "here") === "here";
export const isSwitchedOff = () => isOff;
export const hears = () => state === "playing";

function show(next) {
  state = next;
  showListening({ state, isWanted: wanted(), latency: latency.value, isFar: far !== null });
  room.tell("listening", []);
  tellLatency();
}

// Everybody sees how late everybody hears.
function tellLatency() {
  const value = hears() ? latency.value ?? 0 : 0;
  if (room.isConnected && latency.tell(value, performance.now())) room.send("/latency", Math.round(value));
}

// ---- What the stream carries: the mix, with the click, or one's own cue with previews.

const wishes = new Set();
const cues = () => ["preview", "focus"].filter((wish) => wishes.has(wish));

function query() {
  if (cues().length && room.token) return { player: room.player, token: room.token };
  return wishes.has("click") ? { click: 1 } : {};
}

const carried = () => JSON.stringify(query());

/// Asks for `click`, `preview` or `focus` on this device's sound, or no longer. Resolves once it is carried: whether it is.
export async function want(what, on = true) {
  const before = carried();
  if (on) wishes.add(what);
  else wishes.delete(what);
  if (carried() !== before && wanted() && state !== "off") await (far ? startFar() : connect());
  return wishes.has(what);
}

/// A cue for a preview: a room has eight, so it goes back soon after the last one.
const PREVIEW = 20_000;
let lastPreview = 0;

export async function preview() {
  clearTimeout(lastPreview);
  lastPreview = setTimeout(() => want("preview", false), PREVIEW);
  return want("preview");
}

// ---- The close way, by WebRTC.

let timer = 0;
/// The first line, made while the control socket still connects.
let prepared = null;

async function dial(meanwhile) {
  const next = (await prepared?.catch(() => null)) ?? (await WhepLine.prepare());
  prepared = null;
  await next.dial(room.path("whep", query()), meanwhile);
  return next;
}

async function connect() {
  clearTimeout(timer);
  if (!wanted()) return stop();
  const turn = dialler.begin();
  if (!line && !far) show("connecting");
  if (!canWebRTC) return startFar();
  try {
    const next = await dial(() => { if (dialler.counts(turn) && room.isConnected && !line?.arrives(performance.now())) sayFar(); })
      .finally(() => dialler.end(turn));
    if (!dialler.counts(turn) || !wanted()) return next.hangUp();
    await change(next);
  } catch (problem) {
    recover(problem, dialler.failed(turn, { status: problem.status, asksCue: cues().length > 0, isConnected: room.isConnected }));
  }
}

async function change(next) {
  line?.hangUp();
  line = next;
  far = null;
  dialler.forgive();
  // Another stream is as late as it is.
  latency.forget();
  ear.reset();
  audio.removeAttribute("src");
  audio.srcObject = new MediaStream([line.track]);
  line.whenLost(() => dialler.isDialling || later(300));
  await play();
}

function recover({ status, message }, { act, again }) {
  if (act === "keep the mix") {
    for (const wish of cues()) wishes.delete(wish);
    toast(status === 503 ? "Too many people are listening to something of their own just now. Try again in half a minute." : message);
  } else if (act === "wait") {
    show(state === "playing" ? "stalled" : "connecting");
  } else if (act === "listen from afar") {
    if (status) startFar();
    else sayFar();
    if (again) timer = setTimeout(connect, again);
  }
}

function later(wait) {
  clearTimeout(timer);
  if (!wanted()) return;
  if (state === "playing") show("stalled");
  timer = setTimeout(connect, wait);
}

// ---- From afar, by the endless stream.

/// While the network lets no WebRTC through: told once.
function sayFar() {
  if (!far) toast("The close way for sound (WebRTC) does not get through this network. Until it does, you hear a second or so late.", 8);
  startFar();
}

async function startFar() {
  if (far && audio.getAttribute("src") && !audio.error && far.query === carried()) return;
  line?.hangUp();
  line = null;
  if (!canOgg) {
    far = null;
    show("off");
    return toast("This browser can neither do WebRTC here nor play Ogg Opus. Try Chrome, Firefox or a recent Safari.", 10);
  }
  far ??= new EndlessStream();
  audio.srcObject = null;
  // Nothing is fetched before the first touch: it would only grow old.
  if (touched) await playFar();
  else show("ready");
}

async function playFar() {
  show("connecting");
  latency.forget();
  audio.muted = false;
  far.ask(carried(), performance.now());
  // Browsers hand on what they get in large blocks: these are filled soon.
  audio.src = room.path("listen.opus", { ...query(), prompt: 1 });
  await play();
}

// ---- Sound on, sound off.

async function play() {
  if (touched) audio.muted = false;
  try {
    await audio.play();
  } catch (problem) {
    if (problem.name === "AbortError") return;
    // What cannot be fetched or played is no refusal: the first touch has been.
    if (problem.name !== "NotAllowedError") return show("stalled");
    touched = false;
    audio.muted = true;
    if (!far) audio.play().catch(() => {});
  }
  show(heardState());
}

const arrives = () => (far ? audio.readyState > 2 : line?.arrives(performance.now()));
const heardState = () => (audio.muted || audio.paused ? "ready" : arrives() ? "playing" : "stalled");

function stop() {
  clearTimeout(timer);
  dialler.hangUp();
  line?.hangUp();
  line = far = null;
  audio.pause();
  audio.srcObject = null;
  audio.removeAttribute("src");
  latency.forget();
  show("off");
}

/// No more sound, and none by the next touch: whoever was put out hears nothing. It is not remembered.
export function hush() {
  isShut = true;
  stop();
}

/// Sound on this device, or the room's loudspeakers are heard and this device stays quiet; remembered.
export function setEar(here) {
  isOff = false;
  remember("ear", here ? "here" : "speakers");
  if (here) {
    touched = true;
    connect();
  } else stop();
}

// The first touch anywhere lets sound out. Which of these events counts differs from browser to browser, so all do.
function touch(event) {
  if (!wanted() || (state === "playing" && !audio.paused && !audio.muted)) return;
  if (event.type === "pointerdown" && navigator.userActivation && !navigator.userActivation.isActive) return;
  touched = true;
  if (far && !audio.src) return playFar();
  if (line || audio.src) play();
}
for (const type of ["pointerdown", "pointerup", "touchend", "click", "keydown"]) addEventListener(type, touch, { capture: true });

listenButton.addEventListener("click", () => {
  if (!wanted()) return setEar(true);
  // The same tap has just unmuted it.
  if (performance.now() - unmutedAt < 600) return;
  if (state === "playing") {
    isOff = true;
    stop();
    toast("Sound is off on this device. Tap again to hear the room.");
  } else if (!line && !far) connect();
});
let unmutedAt = -Infinity;
audio.addEventListener("volumechange", () => { if (!audio.muted) unmutedAt = performance.now(); });

audio.addEventListener("pause", () => { if (state === "playing" && wanted()) show("ready"); });
audio.addEventListener("playing", () => { if (wanted() && !audio.muted) show(heardState()); });
for (const end of ["ended", "error"]) audio.addEventListener(end, () => {
  if (!far || !wanted() || !audio.getAttribute("src")) return;
  audio.removeAttribute("src");
  later(1000);
});
// Another network may let WebRTC through, or no longer.
addEventListener("online", () => {
  dialler.forgive();
  if (wanted()) connect();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !wanted()) return;
  measure();
  if (line && !line.isConnected) connect();
  else if (touched && (audio.paused || audio.muted)) play();
});

// ---- What arrives, and how late it is.

/// How long between two looks at what is played, in milliseconds.
const LOOK = 40;

function look() {
  const now = performance.now();
  if (far) far.take(audio.currentTime * 1000, now);
  else if (line) ear.take(line.sources(), now);
}
setInterval(() => { if (!document.hidden) look(); }, LOOK);

/// The frame that is heard at a moment of performance.now(), of which the low 32 bits are known; null where nothing is.
const frameAt = (at) => (far ? far.heard(at, latency.frameOnArrival(far.asked)) : line ? ear.heard(at) : null);

/// The RTP timestamp that the ear is at, for `/heard`; null where this device is not what is heard, or not by a clock that is known.
/// - Parameter at: a moment of performance.now().
export function heardFrame(at) {
  if (!hears()) return null;
  look();
  return latency.timestamp(at, frameAt(at));
}

async function measure() {
  if (far) return measureFar();
  if (!line || document.hidden) return;
  const mine = line;
  const stats = await mine.stats();
  if (mine !== line) return;
  const now = performance.now();
  for (const figures of stats.values()) {
    if (figures.type === "media-playout") ear.takePlayout(figures);
    if (figures.type !== "inbound-rtp") continue;
    if (line.takeFigures(figures, now) && (state === "stalled" || state === "connecting")) show(heardState());
    ear.takeFigures(figures);
  }
  latency.measure(now, frameAt(now));
  if (state === "playing") show(heardState());
  else tellLatency();
  // Where the server is gone, its return is told; a dial that still goes on may get through.
  if (line.silence(now) > 2500 && room.isConnected && !dialler.isDialling && state !== "connecting") later(0);
}
setInterval(measure, 1000);

function measureFar() {
  if (state !== "playing" || audio.currentTime === 0) return tellLatency();
  look();
  const now = performance.now();
  latency.measure(now, frameAt(now));
  show("playing");
  if (far.isTooLate(latency.value, now)) playFar();
}

export function start() {
  show(wanted() ? "connecting" : "off");
  // First the page can be touched: a peer takes as long to make as a few frames.
  if (wanted() && canWebRTC) prepared = new Promise((resolve) => setTimeout(resolve)).then(WhepLine.prepare);
  // The server's first room needs no word from the control socket, unless it has a password: then that dial comes to nothing.
  let first = wanted() && canWebRTC && !roomName ? connect() : null;
  room.on("/frame/at", ([frame, moment]) => latency.takeFrame(frame, moment));
  room.on("connected", async () => {
    latency.join(performance.now());
    room.send("/frame");
    const dialled = first;
    first = null;
    await dialled;
    if (!wanted() || (dialled && (line || far))) return;
    // Also after a restart of the server, which the peer connection would notice seconds later.
    dialler.forgive();
    connect();
  });
}
