// The page of a take: a player, for everybody who has the take's link. The page joins no room, and
// asks the server only for the take.

import { at, h, redraw, say, shown, t, toast, typesText, w, write } from "./dom.js";
import { recallHere, rememberHere } from "./memory.js";
import { made, placeOf, soundForm } from "./take-file.js";
import { TakeWave } from "./take-wave.js";
import { barsOf, clock, playersOf, tempoOf, titleOf, when } from "./take-words.js";

const FILES = [["opus", "Opus"], ["flac", "FLAC"], ["wav", "WAV"]];
/// Seconds by which an arrow key moves the position.
const STEP = 5;
/// Milliseconds until the page asks the server again.
const AGAIN = 3000;

const { base, id } = placeOf(location.pathname);
/// The key under which the room's own page remembers the password, too.
const kept = `password ${base}`;
let password = new URLSearchParams(location.search).get("password") ?? recallHere(kept) ?? "";
let take = null;

const path = (name, query = {}) => {
  const text = new URLSearchParams(password ? { ...query, password } : query).toString();
  return base + name + (text ? `?${text}` : "");
};
const rest = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

for (const name of ["home", "join"]) at(name).href = base;

// ---- The take's facts from the server.

/// Shows the state of the page. `data-take` gives it to tests and style sheets.
function turn(state, text = "") {
  document.body.dataset.take = state;
  say(at("note"), text);
  at("entry").hidden = state !== "password";
  for (const part of ["player", "export"]) at(part).hidden = state !== "ready";
}

async function look() {
  let answer = null;
  let facts = null;
  try {
    answer = await fetch(path(`take/${encodeURIComponent(id)}.json`), { cache: "no-store", signal: AbortSignal.timeout(10_000) });
    if (answer.ok) facts = await answer.json();
  } catch {
    lookAgain();
    return turn("lost", "No connection …");
  }
  if (facts) return see(facts);
  if (answer.status === 401) return askPassword();
  if (answer.status === 404) return turn("gone", "This take is not here. It was removed or forgotten, or the link is not complete.");
  lookAgain();
  if (answer.status === 429) turn("waiting", "Too many wrong words came from here. Yours is tried again in a moment.");
  else turn("lost", "This take cannot be heard just now.");
}

const lookAgain = () => setTimeout(look, AGAIN);

function askPassword() {
  turn("password", password ? "That is not the word. Try again." : "");
  at("password").focus();
}

at("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  password = at("password").value;
  rememberHere(kept, password);
  look();
});

function see(facts) {
  take = facts;
  const title = titleOf(take);
  document.title = `${title} · Bandshell`;
  write(at("title"), title);
  write(at("players"), playersOf(take));
  at("players").title = take.players.map(shown).join(", ");
  const length = take.recording ? [] : [clock(take.seconds), ...(take.peaks.length ? [barsOf(take)] : [])];
  write(at("facts"), [take.name ? when(take.began) : "", ...length, tempoOf(take)].filter(Boolean).join(" · "));
  at("players").hidden = !take.players.length;
  at("facts").hidden = false;
  if (take.recording || !take.peaks.length) {
    lookAgain();
    return take.recording
      ? turn("recording", "This take is still being played. It can be heard when it is over.")
      : turn("preparing", "This take is being prepared. It can be heard in a moment.");
  }
  turn("ready");
  begin();
}

// ---- Playing.

const sound = at("sound");
const form = soundForm((type) => sound.canPlayType(type));
const wave = new TakeWave((part) => seek(part * take.seconds));
at("wave").append(wave.element);
/// Whether the sound's file has been made. An error before that does not mean that the take cannot
/// be played.
let isThere = false;
/// Whether somebody has pressed Play, even if the sound cannot be played yet.
let isWished = false;

async function begin() {
  wave.see(take.peaks.map((peak) => peak / 255), take.seconds);
  write(at("total"), clock(take.seconds));
  // The bars are part of the address, because a trimmed take is another sound. While the file is
  // not made yet, this request waits for it.
  sound.src = path(`takes/${take.id}.${form}`, bars());
  mark();
  isThere = await fetched(form, FILES.find(([one]) => one === form)[1]);
  if (!isThere) return turnUnheard();
  // The browser may have given up the request that waited.
  if (sound.error) sound.load();
  if (isWished) play();
}

const bars = () => ({ bars: `${take.first}-${take.last}` });

function turnUnheard() {
  isWished = false;
  mark();
  say(at("note"), "This take cannot be heard just now.");
}

async function play() {
  isWished = true;
  mark();
  try {
    await sound.play();
  } catch (problem) {
    // Until the file has been made, this is no error.
    if (!isThere || problem.name === "AbortError") return;
    isWished = false;
    mark();
    toast("This take cannot be heard just now.", 6);
  }
}

function toggle() {
  if (!isWished) return play();
  isWished = false;
  sound.pause();
  mark();
}

function seek(seconds) {
  sound.currentTime = Math.min(take.seconds, Math.max(0, seconds));
  mark();
}

/// Shows whether the take plays, and the playing position.
function mark() {
  const now = Math.min(sound.currentTime, take.seconds);
  redraw(at("play"), isWished ? "pause" : "play");
  at("play").setAttribute("aria-label", isWished ? w`Pause ${titleOf(take)}` : w`Hear ${titleOf(take)}`);
  write(at("elapsed"), clock(now));
  wave.at(take.seconds ? now / take.seconds : 0);
}

at("play").addEventListener("click", toggle);
for (const change of ["timeupdate", "seeked"]) sound.addEventListener(change, mark);
// The sound ended, or a media key or another program paused it.
sound.addEventListener("pause", () => { isWished = false; mark(); });
sound.addEventListener("play", () => { isWished = true; mark(); follow(); });

/// Moves the waveform's position each frame: the browser's own event comes only four times a
/// second.
function follow() {
  if (sound.paused) return;
  mark();
  requestAnimationFrame(follow);
}

addEventListener("keydown", (event) => {
  if (document.body.dataset.take !== "ready" || event.altKey || event.ctrlKey || event.metaKey || typesText(event.target)) return;
  const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (by) seek(sound.currentTime + by);
  else if (event.key === " " && !event.target.closest("button, a")) event.repeat || toggle();
  else return;
  event.preventDefault();
});

// ---- Export.

at("forms").append(...FILES.map(([form, title]) => h("button.text.small", {
  type: "button", textContent: title, "data-file": form, "aria-label": w`Export as ${t(title)}`, onclick: ({ currentTarget }) => takeAlong(form, title, currentTarget) })));

async function takeAlong(form, title, button) {
  button.disabled = true;
  const isMade = await fetched(form, title);
  button.disabled = false;
  if (!isMade) return toast("This file could not be made. Try again later.", 6);
  const link = h("a", { href: path(`takes/${take.id}.${form}`, bars()), download: `${take.name || take.id}.${form}` });
  document.body.append(link);
  link.click();
  link.remove();
}

/// Waits until a file has been made, and shows the progress. Each request asks only for the file's
/// first byte.
async function fetched(form, title) {
  let row = null;
  const part = h("progress", { max: 1, value: 0, "aria-label": w`${t(title)} is being made` });
  const told = (value) => {
    if (!row) {
      row = h("li", {}, h("span", { textContent: title }), part);
      at("making").append(row);
    }
    part.value = value;
  };
  const ask = () => fetch(path(`takes/${take.id}.${form}`, { ...bars(), wait: "0" }), { cache: "no-store", headers: { Range: "bytes=0-0" } });
  try {
    return await made(ask, told, rest);
  } catch {
    return false;
  } finally {
    row?.remove();
  }
}

look();
