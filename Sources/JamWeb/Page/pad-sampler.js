// Sampling on the pads: an empty pad that is held records the microphone, or the room, until it is
// let go of. The button Sample does the same for a pad that has a sound.

import { beatsAt, signature, timeOf } from "./beat.js";
import { MOST, channelsOf, decoded, putOnPad } from "./bring-sound.js";
import { sayOnPad } from "./controls.js";
import { h, icon, style, t, toast, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { delay } from "./listen.js";
import { recall, remember } from "./memory.js";
import { Recording, canHear, cut, hasEnded, openMicrophone, rest, shut } from "./microphone.js";
import { nameOf, scaleOf } from "./notes.js";
import { pads, sampleWith } from "./pads.js";
import { room } from "./room.js";
import { gainFor, nearestNote, pitchIn, soundingPart, transposed } from "./sample-shape.js";
import { part } from "./wav.js";

// Nothing of it is shown before it has its looks.
await style("sampler");

/// Milliseconds that a finger holds before anything is recorded: less is a tap.
const HOLD = 220;
/// Milliseconds behind a bar line until the room has its last bar for certain.
const SURE = 120;
/// A pitch that lies nearer to a note than this, in semitones, is left as it is.
const IN_TUNE = 0.05;

/// The source of a held pad: `microphone`, where the browser gives it, or `room`.
const source = () => (canHear() ? recall("sample from", "microphone") : "room");

/// The pad that is held, and how far that is: { pad, timer, recording, began, beats, state }.
let hold = null;

// ---- What a pad shows.

for (const pad of pads) {
  pad.element.append(h("span.hollow", { "aria-hidden": "true" },
    icon("mic"), h("span", { textContent: "Hold to record" })));
}
const DESCRIBED = "aria-description";
function describe() {
  for (const pad of pads) {
    if (pad.isEmpty) pad.element.setAttribute(DESCRIBED, t("Hold to record"));
    else pad.element.removeAttribute(DESCRIBED);
  }
}
room.on("/pad/*", (_, address) => address.endsWith("/name") && describe());
describe();

const level = h("i");
const said = h("b");
const sign = h("span.sampling", {}, level, said);

function show(mine, text) {
  if (sign.parentElement !== mine.pad.element) mine.pad.element.append(sign);
  write(said, text);
}

function hide(mine) {
  if (sign.parentElement === mine.pad.element) sign.remove();
}

/// How loud the room is: 0 is −48 dB, 1 full scale. It is told while the room is recorded.
let heard = 0;
room.on("/meter", ([name, ...sides]) => {
  if (name === "master") heard = Math.min(1, Math.max(0, 1 + Math.max(...sides) / 48));
});
function hearLevel(on) {
  heard = 0;
  // The open mixer wants the meters, too.
  if (on || document.body.dataset.panel !== "mixer") room.want("meters", on);
}

function draw() {
  if (!hold?.began || hold.isDone) return false;
  const seconds = (performance.now() - hold.began) / 1000;
  if (hold.recording) {
    show(hold, `${seconds.toFixed(1)} s`);
    level.style.transform = `scaleY(${hold.recording.level.toFixed(3)})`;
  } else {
    const bars = barsOf(hold);
    if (bars === null) show(hold, `${seconds.toFixed(1)} s`);
    else show(hold, bars === 1 ? t("1 bar") : w`${bars} bars`);
    level.style.transform = `scaleY(${heard.toFixed(3)})`;
  }
  return true;
}

// ---- A hold.

function begins(pad) {
  if (hold) return hold.pad === pad || pad.isEmpty;
  if (!pad.isEmpty && !isArmed) return false;
  begin(pad);
  return true;
}

function begin(pad) {
  const mine = hold = { pad, was: room.get(pad.address("/name"), "") };
  const hear = source() === "room" ? hearRoom : hearMicrophone;
  mine.timer = setTimeout(() => hear(mine), HOLD);
}

function ends(pad) {
  if (hold?.pad !== pad) return false;
  end();
  return true;
}

function end() {
  const mine = hold;
  hold = null;
  clearTimeout(mine.timer);
  clearTimeout(mine.limit);
  if (mine.isDone) return;
  if (!mine.began && !mine.asks) return toast("Hold the pad: it records until you let go.");
  arm(false);
  // If the browser still asks for the microphone, `hearMicrophone` answers.
  if (mine.began) finish(mine);
}

/// After a minute the recording ends, although the pad is still held.
function limit(mine) {
  mine.limit = setTimeout(() => {
    mine.isDone = true;
    arm(false);
    finish(mine);
  }, MOST * 1000);
}

const UNHEARD = "Nothing was heard. Is the microphone covered, or off?";
const REFUSED = "The microphone was not allowed. The sign beside the address opens the site’s permissions.";
const reasonOf = (problem) => {
  if (hasEnded(problem)) return UNHEARD;
  return problem.name === "NotFoundError" ? "This device has no microphone." : REFUSED;
};

async function hearMicrophone(mine) {
  mine.asks = true;
  show(mine, "…");
  level.style.transform = "scaleY(0)";
  try {
    const stream = await openMicrophone();
    if (mine === hold) mine.recording = new Recording(stream);
  } catch (problem) {
    hide(mine);
    mine.isDone = true;
    return toast(reasonOf(problem), 12, [["Record the room", recordRoom]]);
  }
  if (mine !== hold) {
    rest();
    hide(mine);
    return toast("The microphone is ready. Hold the pad again.");
  }
  mine.began = performance.now();
  limit(mine);
  animate(draw);
}

function recordRoom() {
  remember("sample from", "room");
  toast("A held pad records the room now: everything that sounds.");
}

const showTrust = () => window.open("/trust.html", "_blank");
let isTold = false;
function hearRoom(mine) {
  mine.began = performance.now();
  mine.beats = beatsAt(room.clock.server());
  hearLevel(true);
  limit(mine);
  animate(draw);
  if (isTold || canHear()) return;
  isTold = true;
  toast("It records the room: browsers give the microphone to secure addresses alone.", 8,
    window.isSecureContext ? [] : [["How to make this address secure", showTrust]]);
}

async function finish(mine) {
  show(mine, "…");
  level.style.transform = "scaleY(0)";
  try {
    if (!mine.recording) {
      hearLevel(false);
      return await takeRoom(mine);
    }
    const blob = await mine.recording.end();
    // A page that is hidden lets go of its pads, and needs no microphone for the next one.
    if (document.hidden) shut();
    else rest();
    await take(mine, blob, { isVoice: true });
  } catch (problem) {
    toast(problem.message, 8);
  } finally {
    // Another hold may record on this pad by now.
    if (hold === mine || hold?.pad !== mine.pad) hide(mine);
  }
}

// ---- What was recorded, on its pad.

const timeOfDay = () => new Date().toTimeString().slice(0, 5).replace(":", ".");

/// Reads a recording, cuts out what sounds, and puts it on the pad: a voice as loud as other
/// sounds, and on a note of the room's key if it has a pitch.
/// - span: the part to keep, in seconds before the end: [from, to].
async function take(mine, blob, { isVoice = false, span = null }) {
  const name = w`Take ${timeOfDay()}`;
  const [sound, problem] = await decoded(blob, name);
  // A recording that holds nothing cannot be read either.
  if (problem) throw new Error(isVoice ? t(UNHEARD) : problem);
  const rate = sound.sampleRate;
  let channels = channelsOf(sound);
  if (span) {
    const frame = (seconds) => sound.length - Math.round(seconds * rate);
    const [from, to] = span.map((seconds) => Math.min(sound.length, Math.max(0, frame(seconds))));
    channels = channels.map((channel) => channel.subarray(from, Math.max(from + 1, to)));
  }
  const sounding = soundingPart(channels, rate);
  if (!sounding) throw new Error(t(isVoice ? UNHEARD : "Nothing sounded in the room meanwhile."));
  channels = channels.map((channel) => part(channel, sounding.from, sounding.to, rate));
  if (!isVoice) return put(mine, name, channels, rate);
  const gain = gainFor(sounding.peak);
  for (const channel of channels) for (let i = 0; i < channel.length; i += 1) channel[i] *= gain;
  const hertz = pitchIn(channels, rate);
  if (hertz === null) return put(mine, name, channels, rate);
  const scale = scaleOf(room.get("/scale/notes", ""));
  const { note, semitones } = nearestNote(hertz, scale.names.keys());
  if (Math.abs(semitones) < IN_TUNE) return put(mine, name, channels, rate);
  const plain = () => put(mine, name, channels, rate).catch((problem) => toast(problem.message, 8));
  const tuned = channels.map((channel) => transposed(channel, semitones));
  return put(mine, name, tuned, rate, nameOf(scale, note), [["As recorded", plain]]);
}

/// - note: the note that the sound was tuned to, if it was.
async function put({ pad, was }, name, channels, rate, note = "", actions = []) {
  await putOnPad({ name, pad: pad.number, channels, rate });
  const { number } = pad;
  const place = note ? w`It is on pad ${number}, tuned to ${note}.` : w`It is on pad ${number}.`;
  toast(withUndo(place, was), actions.length ? 8 : 4, actions);
}

/// The text, and how the sound comes back that was on the pad.
const withUndo = (text, was) => (was ? `${text} ${w`Undo brings ${was} back.`}` : text);

// ---- The room's own sound.

/// Bars that a hold of the room stands for; null while no beat runs.
function barsOf(mine) {
  const now = beatsAt(room.clock.server());
  if (mine.beats === null || now === null) return null;
  return Math.max(1, Math.round((now - mine.beats) / signature()[0]));
}

/// While the beat runs, the bars that lie nearest to the hold are grabbed, cut on the bar lines.
/// Without a beat, exactly what sounded meanwhile is taken.
async function takeRoom(mine) {
  const bars = barsOf(mine);
  if (bars === null) return takeLast(mine, performance.now());
  const now = room.clock.server();
  const [per, beats] = [signature()[0], beatsAt(now)];
  const inBar = ((beats % per) + per) % per;
  if (inBar > per / 2) {
    const line = timeOf(beats - inBar + per);
    await new Promise((resolve) => { setTimeout(resolve, Math.max(0, line - now) + SURE); });
  }
  const number = mine.pad.number;
  sayOnPad(number, withUndo(w`It is on pad ${number}.`, mine.was));
  room.send("/sample/grab", number, bars);
}

async function takeLast(mine, over) {
  const long = (over - mine.began) / 1000;
  const late = delay().milliseconds / 1000;
  let answer;
  try {
    const seconds = Math.min(MOST, long + late + 0.2).toFixed(2);
    answer = await fetch(room.path("last.wav", { seconds }));
  } catch {
    throw new Error(t("The server does not answer."));
  }
  if (!answer.ok) throw new Error(await (await import("./words.js")).reasonOf(answer));
  await take(mine, await answer.blob(), { span: [long + late, late] });
}

// ---- The button Sample: a tap lets the next held pad record, whatever is on it; a hold records at
// once.

const button = document.querySelector('[data-action="sample"]');
let isArmed = false;

function arm(on) {
  if (isArmed === on) return;
  isArmed = on;
  document.body.toggleAttribute("data-sampling", on);
  button?.setAttribute("aria-pressed", String(on));
}

/// The pad that the held button records on: the first empty one that is seen, else the last one.
function target() {
  const seen = pads.filter((pad) => !pad.element.hidden);
  return seen.find((pad) => pad.isEmpty) ?? seen.at(-1);
}

/// The button is pressed: until it is let go of it is a hold.
export function press() {
  if (hold || !room.isConnected) return;
  begin(target());
  hold.byButton = true;
}

/// Whether the press that is over now was a hold.
let wasHeld = false;

/// The button is let go of.
export function letGo() {
  if (!hold?.byButton) return;
  wasHeld = Boolean(hold.began || hold.asks || hold.isDone);
  if (wasHeld) return end();
  clearTimeout(hold.timer);
  hold = null;
}

/// A tap on the button, or a key.
export function tap() {
  if (wasHeld) {
    wasHeld = false;
    return;
  }
  arm(!isArmed);
  if (!isArmed) return;
  if (source() === "room") toast("Hold a pad: it records the room until you let go.", 6);
  else toast("Hold a pad: it records the microphone until you let go.", 6);
}

addEventListener("keydown", (event) => { if (event.key === "Escape") arm(false); });
document.addEventListener("visibilitychange", () => { if (document.hidden) shut(); });
for (const what of ["left", "/kicked"]) room.on(what, cut);

sampleWith({ begins, ends });
