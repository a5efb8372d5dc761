// Hearing the room: WebRTC by WHEP, muted until the first touch; the endless Ogg stream where that cannot be had.

import { at, redraw, say, toast } from "./dom.js";
import { Ear, RATE } from "./ear.js";
import { recall, remember } from "./memory.js";
import { room, roomName } from "./room.js";

const audio = at("audio");
const button = document.querySelector('[data-action="listen"]');

/// off · connecting · ready (arrives, muted) · playing · stalled
let state = "off";
/// Sound that has not come for so many milliseconds is gone.
const SILENCE = 2200;
let line = null;
let isOgg = false;
let touched = false;
let failures = 0;
let timer = 0;
let lastPackets = 0;
let lastArrival = 0;
/// From a tap to the ear, in milliseconds: what is shown, what everybody is told, and what hits are recorded by.
let latency = null;
const ear = new Ear();
/// What the endless stream was asked for, and when.
let ogg = { query: "", asked: 0 };
const wishes = new Set();

let isShut = false;
/// Switched off by the button: until it is tapped again, or the page is loaded again. Who means it for longer says so in the settings.
let isOff = false;
const wanted = () => !isShut && !isOff && recall("ear", "here") === "here";
export const isSwitchedOff = () => isOff;
const canWebRTC = typeof RTCPeerConnection === "function";
const arrives = () => (isOgg ? audio.readyState > 2 : line?.peer.connectionState === "connected" && performance.now() - lastArrival < SILENCE);
const canOgg = audio.canPlayType('audio/ogg; codecs="opus"') !== "";

function show(next) {
  state = next;
  if (document.body.dataset.audio !== state) document.body.dataset.audio = state;
  redraw(button, wanted() ? "ear" : "mute");
  say(at("listen-text"), {
    off: wanted() ? "Listen" : "Sound off", connecting: "Connecting …", ready: "Tap to hear", stalled: "Interrupted …", playing: "Sound on",
  }[state]);
  button.title = state === "playing" ? "Switch the sound of this device off" : !wanted() ? "Switch the sound of this device on" : "";
  const late = state !== "playing" || !latency ? "" : isOgg ? `${(latency / 1000).toFixed(1)} s late` : `${Math.round(latency)} ms`;
  say(at("delay"), late);
  at("delay").title = !late ? "" : isOgg
    ? "The close way (WebRTC) cannot be had: this is a second or so behind. Good for hearing, not for playing along."
    : "From your tap to your ear";
  room.tell("listening", [state, latency, isOgg]);
  tellLatency(state === "playing" ? latency ?? 0 : 0);
}

// Everybody sees how late everybody hears: told when it has changed enough to matter, and not often.
let told = 0;
let toldAt = -Infinity;

function tellLatency(value) {
  const now = performance.now();
  if (!room.isConnected || Math.abs(value - told) < Math.max(5, told * 0.1) || now - toldAt < 4000) return;
  [told, toldAt] = [value, now];
  room.send("/latency", Math.round(value));
}

/// What the stream carries: the mix, with the click, or one's own cue with previews.
function query() {
  if ((wishes.has("preview") || wishes.has("focus")) && room.token) return { player: room.player, token: room.token };
  return wishes.has("click") ? { click: 1 } : {};
}

const carried = () => JSON.stringify(query());

/// Asks for `click`, `preview` or `focus` on this device's sound, or no longer. Resolves once it is carried: whether it is.
export async function want(what, on = true) {
  const before = carried();
  if (on) wishes.add(what);
  else wishes.delete(what);
  if (carried() !== before && wanted() && state !== "off") await (isOgg ? startOgg() : connect());
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

export const hears = () => state === "playing";

// ---- WebRTC.

/// Opus is mono to Chromium, and nothing that was lost is asked for again, unless its own offer says otherwise.
function asWanted(sdp) {
  const type = sdp.match(/^a=rtpmap:(\d+) opus\/48000/m)?.[1];
  if (!type) return sdp;
  if (!sdp.includes(`a=rtcp-fb:${type} nack`)) sdp = sdp.replace(new RegExp(`^(a=rtpmap:${type} .*)$`, "m"), `$1\r\na=rtcp-fb:${type} nack`);
  const form = new RegExp(`^a=fmtp:${type} (.*)$`, "m");
  if (form.exec(sdp)?.[1].includes("stereo=1")) return sdp;
  return form.test(sdp) ? sdp.replace(form, `a=fmtp:${type} $1;stereo=1;sprop-stereo=1`)
    : sdp.replace(new RegExp(`^(a=rtpmap:${type} .*)$`, "m"), `$1\r\na=fmtp:${type} stereo=1;sprop-stereo=1`);
}

/// A peer with its offer, which costs time and needs nobody.
async function prepare() {
  const peer = new RTCPeerConnection();
  const { receiver } = peer.addTransceiver("audio", { direction: "recvonly" });
  if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
  else if ("playoutDelayHint" in receiver) receiver.playoutDelayHint = 0;
  const offer = await peer.createOffer();
  offer.sdp = asWanted(offer.sdp);
  await peer.setLocalDescription(offer);
  return { peer, receiver, place: null, offer: offer.sdp };
}

/// The first one, made while the control socket still connects.
let prepared = null;

/// How long a way through the network may take before something else is heard, and before it is given up, in ms.
const [PATIENCE, GIVEN_UP] = [3000, 12000];

async function dial(meanwhile) {
  const mine = (await prepared?.catch(() => null)) ?? (await prepare());
  prepared = null;
  const { peer } = mine;
  try {
    const answer = await fetch(room.path("whep", query()), {
      method: "POST", headers: { "Content-Type": "application/sdp" }, body: mine.offer, signal: AbortSignal.timeout(4000),
    });
    if (answer.status !== 201) {
      const problem = new Error((await answer.text()).trim() || `/whep answers ${answer.status}`);
      problem.status = answer.status;
      throw problem;
    }
    const place = answer.headers.get("Location");
    mine.place = place && new URL(place, answer.url || location.href).href;
    await peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
    await through(peer, meanwhile);
    return mine;
  } catch (problem) {
    hangUp(mine);
    throw problem;
  }
}

/// Until the peer is connected. A network that loses much lets it through late: `meanwhile` is called once, and it goes on.
async function through(peer, meanwhile) {
  let patience, end;
  try {
    await new Promise((resolve, reject) => {
      const fail = () => reject(new Error("no way through the network"));
      const look = () => {
        if (peer.connectionState === "connected") resolve();
        else if (["failed", "closed"].includes(peer.connectionState)) fail();
      };
      peer.onconnectionstatechange = look;
      look();
      patience = setTimeout(meanwhile, PATIENCE);
      end = setTimeout(fail, GIVEN_UP);
    });
  } finally {
    clearTimeout(patience);
    clearTimeout(end);
  }
}

function hangUp(old) {
  if (!old) return;
  old.peer.onconnectionstatechange = null;
  if (!old.place) return old.peer.close();
  // First the word, then the silence: closing ends the session by itself, and there would be nothing to delete.
  fetch(old.place, { method: "DELETE", keepalive: true }).catch(() => {}).finally(() => old.peer.close());
}

/// The newest dial, which alone counts, and the newest that has ended.
let [dialling, ended] = [0, 0];

async function connect() {
  clearTimeout(timer);
  if (!wanted()) return stop();
  const turn = ++dialling;
  if (!line && !isOgg) show("connecting");
  if (!canWebRTC) return startOgg();
  try {
    const next = await dial(() => { if (turn === dialling && room.isConnected && !(line && arrives())) startFar(); })
      .finally(() => ended = Math.max(ended, turn));
    if (turn !== dialling || !wanted()) return hangUp(next);
    hangUp(line);
    line = next;
    isOgg = false;
    failures = 0;
    // Another stream is as late as it is.
    latency = null;
    ear.reset();
    lastPackets = 0;
    lastArrival = performance.now();
    audio.removeAttribute("src");
    audio.srcObject = new MediaStream([line.receiver.track]);
    line.peer.onconnectionstatechange = () => {
      if (ended === dialling && ["failed", "disconnected", "closed"].includes(line?.peer.connectionState)) later(300);
    };
    await play();
  } catch (problem) {
    if (turn !== dialling) return;
    const cue = ["preview", "focus"].filter((wish) => wishes.has(wish));
    if (problem.status && cue.length) {
      // The mix goes on.
      for (const wish of cue) wishes.delete(wish);
      return toast(problem.status === 503 ? "Too many people are listening to something of their own just now. Try again in half a minute." : problem.message);
    }
    // Where the server is gone, its return is told.
    if (!room.isConnected) return show(state === "playing" ? "stalled" : "connecting");
    failures += 1;
    if (problem.status) startOgg();
    else startFar();
    // A network that lets nothing through may change its mind.
    if (!problem.status || problem.status >= 500) timer = setTimeout(connect, Math.min(5000 * 2 ** failures, 120000));
  }
}

function later(wait) {
  clearTimeout(timer);
  if (!wanted()) return;
  if (state === "playing") show("stalled");
  timer = setTimeout(connect, wait);
}

// ---- The endless stream.

/// While the network lets no WebRTC through: told once.
function startFar() {
  if (!isOgg) toast("The close way for sound (WebRTC) does not get through this network. Until it does, you hear a second or so late.", 8);
  startOgg();
}

async function startOgg() {
  if (isOgg && audio.getAttribute("src") && !audio.error && ogg.query === carried()) return;
  hangUp(line);
  line = null;
  if (!canOgg) {
    isOgg = false;
    show("off");
    return toast("This browser can neither do WebRTC here nor play Ogg Opus. Try Chrome, Firefox or a recent Safari.", 10);
  }
  isOgg = true;
  audio.srcObject = null;
  // Nothing is fetched before the first touch: it would only grow old.
  if (touched) await playOgg();
  else show("ready");
}

async function playOgg() {
  show("connecting");
  latency = null;
  audio.muted = false;
  ogg = { query: carried(), asked: performance.now() };
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
    if (!isOgg) audio.play().catch(() => {});
  }
  show(heardState());
}

const heardState = () => (audio.muted || audio.paused ? "ready" : arrives() ? "playing" : "stalled");

function stop() {
  clearTimeout(timer);
  dialling += 1;
  hangUp(line);
  line = null;
  isOgg = false;
  audio.pause();
  audio.srcObject = null;
  audio.removeAttribute("src");
  latency = null;
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
  if (isOgg && !audio.src) return playOgg();
  if (line || audio.src) play();
}
for (const type of ["pointerdown", "pointerup", "touchend", "click", "keydown"]) addEventListener(type, touch, { capture: true });

button.addEventListener("click", () => {
  if (!wanted()) return setEar(true);
  // The same tap has just unmuted it.
  if (performance.now() - unmutedAt < 600) return;
  if (state === "playing") {
    isOff = true;
    stop();
    toast("Sound is off on this device. Tap again to hear the room.");
  } else if (!line && !isOgg) connect();
});
let unmutedAt = -Infinity;
audio.addEventListener("volumechange", () => { if (!audio.muted) unmutedAt = performance.now(); });

audio.addEventListener("pause", () => { if (state === "playing" && wanted()) show("ready"); });
audio.addEventListener("playing", () => { if (wanted() && !audio.muted) show(heardState()); });
for (const end of ["ended", "error"]) audio.addEventListener(end, () => {
  if (!isOgg || !wanted() || !audio.getAttribute("src")) return;
  audio.removeAttribute("src");
  later(1000);
});
// Another network may let WebRTC through, or no longer.
addEventListener("online", () => { failures = 0; if (wanted()) connect(); });
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !wanted()) return;
  measure();
  if (line && line.peer.connectionState !== "connected") connect();
  else if (touched && (audio.paused || audio.muted)) play();
});

// ---- What arrives, and how late it is.

async function measure() {
  if (isOgg) return measureOgg();
  if (!line || document.hidden) return;
  const mine = line;
  const stats = await mine.receiver.getStats();
  if (mine !== line) return;
  const now = performance.now();
  for (const figures of stats.values()) {
    if (figures.type !== "inbound-rtp") continue;
    if (figures.packetsReceived !== lastPackets) {
      lastPackets = figures.packetsReceived;
      lastArrival = now;
      if (state === "stalled" || state === "connecting") show(heardState());
    }
    ear.takeFigures(figures);
  }
  takeCard(stats);
  latency = tapToEar(now) ?? latency;
  if (state === "playing") show(heardState());
  else tellLatency(0);
  // Where the server is gone, its return is told; a dial that still goes on may get through.
  if (now - lastArrival > 2500 && room.isConnected && ended === dialling && state !== "connecting") later(0);
}
setInterval(measure, 1000);

const OGG_MOST = 3000;

function measureOgg() {
  if (state !== "playing" || audio.currentTime === 0) return tellLatency(0);
  const now = performance.now();
  latency = tapToEar(now) ?? latency;
  show("playing");
  // What the network held up once stays late: begin again at the end.
  if (latency > OGG_MOST && now - ogg.asked > 4 * OGG_MOST) playOgg();
}

/// The browser's figures of the sound card, when they were taken last.
let card = null;

function takeCard(stats) {
  for (const { type, totalPlayoutDelay: delay, totalSamplesCount: count } of stats.values()) {
    if (type !== "media-playout") continue;
    if (card && count > card.count) ear.takeCard(((delay - card.delay) / (count - card.count)) * 1000);
    card = { delay, count };
  }
}

/// The frame at moment 0 of the server's clock: /frame tells it.
let origin = null;
room.on("/frame/at", ([frame, moment]) => { origin = frame - moment * RATE; });

/// The room's frame at a moment of performance.now(); null while it is not known.
function roomFrame(at) {
  const server = room.clock.server(at);
  return origin === null || server === null ? null : origin + server * RATE;
}

/// The frame that is heard at a moment of performance.now(), of which the low 32 bits are known; null where nothing is.
function frameAt(at) {
  if (!isOgg) return line ? ear.heard(at) : null;
  // The stream begins with what sounded when it was asked for.
  const begin = roomFrame(ogg.asked + way());
  return begin === null || audio.currentTime === 0 ? null : begin + (at - performance.now() + audio.currentTime * 1000) * RATE;
}

const way = () => (room.clock.roundTrip ?? 0) / 2;

/// The room's constant delay between a hit's arrival and its sound, in milliseconds.
const DELAY = 5;

/// How much later than a tap at `now` its sound is heard.
function tapToEar(now) {
  const [sounds, heard] = [roomFrame(now + way() + DELAY), frameAt(now)];
  if (sounds === null || heard === null) return null;
  return (Math.round(sounds - heard) | 0) / RATE;
}

/// The server refuses a hit whose player heard what was longer ago (`Limits.heardBehind`), or before it joined.
const HEARD_MOST = 1900;
let joined = Infinity;

/// The RTP timestamp that the ear is at, for `/heard`; null where this device is not what is heard, or not by a clock that is known.
/// - Parameter at: a moment of performance.now().
export function heardFrame(at) {
  if (state !== "playing") return null;
  if (!isOgg) look();
  const late = tapToEar(at);
  if (late === null || late < DELAY || late > HEARD_MOST || at - late < joined) return null;
  const low = Math.round(frameAt(at)) % 2 ** 32;
  return low < 0 ? low + 2 ** 32 : low;
}

/// How long between two looks at what is played, in milliseconds.
const LOOK = 40;

function look() { if (line) ear.take(line.receiver.getSynchronizationSources?.() ?? [], performance.now()); }
setInterval(() => { if (!document.hidden) look(); }, LOOK);

export function start() {
  show(wanted() ? "connecting" : "off");
  // First the page can be touched: a peer takes as long to make as a few frames.
  if (wanted() && canWebRTC) prepared = new Promise((resolve) => setTimeout(resolve)).then(prepare);
  // The server's first room needs no word from the control socket, unless it has a password: then that dial comes to nothing.
  let first = wanted() && canWebRTC && !roomName ? connect() : null;
  room.on("connected", async () => {
    [told, toldAt] = [0, -Infinity];
    joined = performance.now();
    room.send("/frame");
    const dialled = first;
    first = null;
    await dialled;
    if (!wanted() || (dialled && (line || isOgg))) return;
    // Also after a restart of the server, which the peer connection would notice seconds later.
    failures = 0;
    connect();
  });
}
