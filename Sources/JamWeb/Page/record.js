// The player's own sounds: from the microphone, a file, or the music just played; trimmed, and put
// on a pad.

import { MOST, channelsOf, decoded, putOnPad, titleOf } from "./bring-sound.js";
import { chosenPad, showChosen } from "./chosen.js";
import { ownChoice, padChoice, sayOnPad, soundFile } from "./controls.js";
import { h, say, shown, t, toast, w, write } from "./dom.js";
import { recall, remember } from "./memory.js";
import { Recording, canHear, hasEnded, openMicrophone, shut } from "./microphone.js";
import { open } from "./panel.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { part, wav } from "./wav.js";
import { Wave, peaksOf } from "./wave.js";

export function make() {
  return { element: h("div", {}, h("label.row", {}, h("span", { textContent: "For pad" }), padChoice("Pad for the sound")), reading, trimmer(), file(), microphone(), played()) };
}

export function show() { showChosen("record", true); }

// ---- The sound that is being trimmed.

let sound = null;
const wave = new Wave({ names: ["Begins", "Ends"], moved: change, spoken: (part) => (sound ? w`${(part * sound.duration).toFixed(2)} seconds` : "") });
const length = h("span.quiet");
const whole = h("p.quiet", { hidden: true });
const title = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "Name of the sound" });
const trim = h("form.group", { hidden: true, onsubmit: bring });
const send = h("button.primary", { type: "submit", textContent: "Put it on the pad" });
const hearing = h("button.text", { type: "button", textContent: "Hear it", onclick: hear });
const done = h("button.primary", { type: "button", textContent: "Done", onclick: throwAway });
const remove = h("button.text", { type: "button", textContent: "Remove", onclick: throwAway });
let player = null;

function trimmer() {
  trim.append(h("h3", { textContent: "Trim" }), wave.element, h("div.row.nowrap", {}, title, length), whole,
    h("div.row", {}, hearing, send, done, remove));
  title.addEventListener("input", sayThere);
  room.on("pad chosen", sayThere);
  sayThere();
  return trim;
}

/// `seen()` is the present state of the sound and the chosen pad; `there` is the state that was put
/// on a pad last.
const seen = () => [turn, title.value, wave.start, wave.end, chosenPad()].join("\n");
let there = "";
const isThere = () => there === seen();
/// When the sound is on its pad in its present state, Done is the main button; otherwise it is the
/// button that puts the sound there.
function sayThere() {
  send.className = isThere() ? "text" : "primary";
  done.hidden = !isThere();
  remove.hidden = isThere();
}

function change() {
  keepShort();
  sayThere();
}

const seconds = (count) => (count < 59.995 ? `${count.toFixed(2)} s` : `${Math.floor(Math.round(count) / 60)}:${String(Math.round(count) % 60).padStart(2, "0")} min`);

let lastEnd = 1;

/// Keeps the part at or below a pad's longest sound: moving one end draws the other one along.
function keepShort() {
  if (!sound) return;
  const most = MOST / sound.duration;
  if (wave.end - wave.start > most) wave.set(...(wave.end > lastEnd ? [wave.end - most, wave.end] : [wave.start, wave.start + most]));
  lastEnd = wave.end;
  write(length, seconds((wave.end - wave.start) * sound.duration));
}

function channels() {
  const from = Math.floor(wave.start * sound.length);
  const to = Math.max(from + 1, Math.floor(wave.end * sound.length));
  return channelsOf(sound).map((channel) => part(channel, from, to, sound.sampleRate));
}

/// Counts the readings. Reading takes a while, and only the latest one counts.
let turn = 0;
const reading = h("p.quiet", { role: "status", hidden: true });

/// Reads a sound for trimming. Returns whether that succeeded and no later reading has begun.
async function take(blob, name) {
  const mine = ++turn;
  say(reading, w`Reading ${name} …`);
  reading.hidden = false;
  const [read, problem] = await decoded(blob, name);
  if (mine !== turn) return false;
  reading.hidden = true;
  if (problem) {
    toast(problem, 8);
    return false;
  }
  sound = read;
  const all = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  const peaks = peaksOf(all, 400);
  // At first, silence at both ends is trimmed off.
  const loud = Math.max(...peaks) * 0.02;
  const first = peaks.findIndex((peak) => peak > loud);
  const last = peaks.findLastIndex((peak) => peak > loud);
  trim.hidden = false;
  there = "";
  title.value = name.replaceAll("/", "-").slice(0, limits.name);
  wave.set(first > 0 ? first / 400 : 0, last > 0 ? (last + 1) / 400 : 1);
  wave.see(peaks);
  lastEnd = 1;
  keepShort();
  sayThere();
  whole.hidden = sound.duration <= MOST;
  say(whole, w`Of ${seconds(sound.duration)}: a pad takes a minute at most. Move either end to choose which.`);
  trim.scrollIntoView({ block: "nearest" });
  return true;
}

function throwAway() {
  hush();
  trim.hidden = true;
  sound = null;
}

function hush() {
  if (!player) return;
  player.pause();
  URL.revokeObjectURL(player.src);
  player = null;
}

function hear() {
  hush();
  player = new Audio(URL.createObjectURL(new Blob([wav(channels(), sound.sampleRate)], { type: "audio/wav" })));
  player.play().catch(() => toast("This browser does not play it before it is on a pad."));
}

async function bring(event) {
  event.preventDefault();
  if (sound && (isThere() || await put())) throwAway();
}

/// Puts the sound on the chosen pad. Returns whether that succeeded.
async function put() {
  const isCut = sound.duration > MOST;
  const pad = chosenPad();
  send.disabled = true;
  try {
    const notes = await putOnPad({ name: title.value, pad, channels: channels(), rate: sound.sampleRate });
    toast([isCut ? w`The minute that you chose is on pad ${pad}.` : w`It is on pad ${pad}.`, notes.length ? `${notes.join("; ")}.` : t("Everybody can choose it.")].join(" "));
    return true;
  } catch (problem) {
    toast(problem.message, 8);
    return false;
  } finally {
    send.disabled = false;
  }
}

// ---- From the microphone.

/// Ends the recording; null while there is none.
let endRecording = null;
/// The request for the microphone that counts. If the player leaves this part before the browser
/// answers, none counts.
let asking = null;

/// Leaving this part stops the recording and the playing of the sound.
export function hide() {
  showChosen("record", false);
  hush();
  asking = null;
  if (!endRecording) return;
  endRecording();
  toast("The microphone is off. What it took waits under Kits, Recordings.");
}

/// Empties the sixteen pads, for sounds of the player's own: one edit.
function emptyPads() {
  room.setTogether(Array.from({ length: 16 }, (_, index) => [`/pad/${index + 1}/sample`, ""]));
  toast("All your pads are empty. Undo brings their sounds back.", 6);
}

function microphone() {
  const can = canHear();
  const words = h("p.quiet");
  const button = h("button.text", { type: "button", textContent: "Record from the microphone" });
  if (!can) {
    // Browsers allow the microphone only on secure addresses.
    say(words, window.isSecureContext
      ? "This browser has no microphone for pages. Record with the phone’s own recorder and choose the file above."
      : "Browsers give the microphone to secure addresses alone: https, or localhost on the server’s own machine. Record with the phone’s own recorder and choose the file above; or allow this address in Chrome under chrome://flags/#unsafely-treat-insecure-origin-as-secure.");
    if (!window.isSecureContext) words.append(" ", h("a", { href: "/trust.html", target: "_blank", textContent: "How to make this address secure" }));
    button.disabled = true;
  }
  button.addEventListener("click", async () => {
    if (endRecording) return endRecording();
    if (asking) return;
    const mine = asking = {};
    let recording;
    try {
      const stream = await openMicrophone();
      if (asking !== mine) {
        // A later request has the same stream.
        if (!asking) shut();
        return;
      }
      recording = new Recording(stream);
    } catch (problem) {
      if (asking === mine) asking = null;
      return say(words, hasEnded(problem) ? "Nothing was heard. Is the microphone covered, or off?"
        : "The microphone was not allowed. The sign beside the address opens the site’s permissions.");
    }
    asking = null;
    const end = async () => {
      if (endRecording !== end) return;
      endRecording = null;
      clearTimeout(limit);
      say(button, "Record from the microphone");
      say(words, "");
      const blob = await recording.end();
      if (!endRecording && !asking) shut();
      take(blob, w`Take ${new Date().toTimeString().slice(0, 5).replace(":", ".")}`);
    };
    const limit = setTimeout(end, MOST * 1000);
    endRecording = end;
    // A microphone that goes away ends it, too.
    recording.ended.then(end);
    say(button, "Stop");
    say(words, "Recording. A minute at most; headphones keep the room out of it.");
  });
  const server = h("button.text", { type: "button", textContent: "Record from the server’s input" });
  room.on("/sample/recording", ([who]) => {
    say(server, who === "" ? "Record from the server’s input" : who === room.player ? "Stop the server’s recording" : w`${shown(who)} records`);
    server.disabled = who !== "" && who !== room.player;
  });
  server.addEventListener("click", () => (room.get("/sample/recording") === room.player ? room.send("/sample/stop") : room.send("/sample/record", chosenPad())));
  const held = ownChoice({ label: "A held empty pad records", words: ["microphone", "room"], names: ["The microphone", "The room"],
    value: can ? recall("sample from", "microphone") : "room", chosen: (word) => remember("sample from", word) });
  // Without a microphone there is nothing to choose.
  held.hidden = !can;
  const empty = h("button.text", { type: "button", textContent: "Empty all my pads", onclick: emptyPads });
  return h("div.group", {}, h("h3", { textContent: "Microphone" }), h("div.row", {}, button, server), words,
    h("h3", { textContent: "On the pads" }), h("p.quiet", { textContent: "An empty pad records while it is held." }), held, h("div.row", {}, empty));
}

// ---- From a file. The browser decodes it, so that a phone's own formats work.

/// Puts a file's sound on the chosen pad at once, and opens it here for trimming. A sound that is
/// too long must be trimmed first.
export async function takeFile(chosen) {
  if (!chosen || !await take(chosen, titleOf(chosen)) || sound.duration > MOST) return;
  // If the player trims meanwhile, the pad does not have the trimmed sound.
  const sent = seen();
  if (!await put()) return;
  there = sent;
  sayThere();
}

function file() {
  const input = soundFile("sound-file", takeFile);
  const group = h("div.group", {}, h("h3", { textContent: "A file" }), h("p.quiet", { textContent: "Any sound that this device can play. Dropping it here works, too." }),
    h("label.text.filelabel", { for: "sound-file", textContent: "Choose a file" }), input);
  group.addEventListener("dragover", (event) => { event.preventDefault(); group.classList.add("target"); });
  group.addEventListener("dragleave", () => group.classList.remove("target"));
  group.addEventListener("drop", async (event) => {
    event.preventDefault();
    group.classList.remove("target");
    await takeFile(event.dataTransfer.files[0]);
  });
  return group;
}

// ---- From the music just played.

function played() {
  let count = 4;
  const bars = ownChoice({ label: "The last bars, cut on the bar line", words: [1, 2, 4, 8], value: count, chosen: (value) => { count = value; } });
  const grab = (...whose) => {
    const pad = chosenPad();
    sayOnPad(pad, `${w`It is on pad ${pad}.`} ${t("Everybody can choose it.")}`);
    room.send("/sample/grab", pad, count, ...whose);
  };
  const keep = h("a.text.filelabel", { textContent: "Export the last minute" });
  keep.addEventListener("pointerdown", aim);
  keep.addEventListener("focus", aim);
  aim();
  function aim() {
    keep.href = room.path("last.wav", { seconds: 60 });
    keep.download = `${room.name ?? "bandshell"} ${new Date().toISOString().slice(0, 16).replace("T", " ").replace(":", ".")}.wav`;
  }
  return h("div.group", {}, h("h3", { textContent: "What was just played" }),
    bars,
    h("div.row", {}, h("button.text", { type: "button", textContent: "Of everybody", onclick: () => grab() }),
      h("button.text", { type: "button", textContent: "Of me alone", onclick: () => grab(room.player) }),
      h("button.text", { type: "button", textContent: "Trim it on its pad", onclick: () => open("settings", { pad: chosenPad() }) })), keep);
}
