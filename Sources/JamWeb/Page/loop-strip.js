// The strip above the pads: a picture of all loops with everybody's notes, the progress of a
// recording, and the count before it.

import { beatMilliseconds, countedBeats, onBeat, position, signature, until } from "./beat.js";
import { at, fitCanvas, h, shown, style, t, toast, token, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { KEYS, kindOf } from "./kind.js";
import {
  LoopBook, Trail, isOfLoop, isUnderWay, markChord, noteNear, windowAt,
} from "./loop-notes.js";
import { layRows, paintHits, paintLoops } from "./loop-picture.js";
import { recall, remember } from "./memory.js";
import { open } from "./panel.js";
import { kindPlayed, toldLoops } from "./people.js";
import { Playhead } from "./playhead.js";
import { RecordCount, waitsForTap } from "./record-count.js";
import { room } from "./room.js";
import { showNames } from "./strip-names.js";

const action = (name) => document.querySelector(`[data-action="${name}"]`);

/// How the player's own loop is, for the strip's name.
const STATES = {
  recording: "Recording", overdubbing: "Overdub", waiting: "Waits for the beat",
  playing: "Goes round", stopped: "Stopped",
};

// ---- Facts from the server.

/// isStale: whether the picture shows something old. isGroundStale: whether the loops on it are.
let [isOn, isStale, isGroundStale] = [false, true, true];
/// Paints the hits anew soon.
const refresh = () => {
  isStale = true;
  if (isOn) animate(draw);
};
/// Paints the whole picture anew in the next frame.
const renew = () => {
  isGroundStale = true;
  refresh();
};
export const book = new LoopBook((player) => room.send("/loop/notes", player), () => {
  renew();
  seeName();
  const unit = countedBeats();
  fresh = fresh.filter((hit) => isUnderWay(book.loops.get(hit.player), hit.at, unit));
  room.tell("loop notes", []);
});
export const own = () => book.loops.get(room.player);

// A hit that is being recorded shows at once, before it comes back as a note.
let fresh = [];
/// The hits of hands and of patterns, beside the loops.
const trail = new Trail();
/// A hit of a pad, or of a key: its place is its number and KEYS.
function hear(player, pad, velocity, bar, beat) {
  const hit = { player, pad, velocity, at: (bar - 1) * signature()[0] + beat - 1 };
  const [loop, unit] = [book.loops.get(player), countedBeats()];
  if (isUnderWay(loop, hit.at, unit)) {
    fresh.push(hit);
    markChord(fresh, hit);
  } else if (room.get("/play") && !isOfLoop(loop, hit, unit)) trail.take(hit);
  else return;
  refresh();
}
room.on("/hit", (values) => hear(...values));
room.on("/note", ([player, note, ...when]) => hear(player, note + KEYS, ...when));
room.on("/play", ([on]) => {
  if (on || trail.hits.length === 0) return;
  trail.hits = [];
  renew();
});
for (const values of toldLoops.values()) book.told(values);
room.on("/player/loop", (values) => book.told(values));
room.on("/loop/note", (values) => book.note(values));
room.on("/loop/layer", (values) => book.layer(values));
room.on("/loop/notes/end", (values) => {
  const [player] = values;
  const before = book.loops.get(player)?.layers;
  book.end(values);
  if (before) trail.kept(book.loops.get(player), before);
});
room.on("/player/gone", ([player]) => book.gone(player));
room.on("refused", ([where]) => where === "/loop/notes" && book.refused());
// Without a connection the picture stays. After a reconnection the server tells all loops anew.
let isOld = false;
room.on("disconnected", () => { isOld = true; });
room.on("connected", () => {
  if (isOld) book.clear();
  isOld = false;
});

// ---- The picture.

const canvas = at("loopcanvas");
const context = canvas.getContext("2d");
const head = h("i", { hidden: true, "aria-hidden": "true" });
at("loopview").insertBefore(head, at("looptext"));
const playhead = new Playhead(head);
let ratio = 1;
let view = { from: 0, long: 16 };
/// The loops that are shown, one row each, with the row's top and height.
let rows = [];

fitCanvas(canvas, (_width, _height, by) => {
  ratio = by;
  renew();
});
/// The colours of the lines. To ask the style sheet costs as much as to draw a hundred notes.
let lines = null;
addEventListener("themechange", () => setTimeout(() => {
  lines = null;
  renew();
}, 60));
for (const what of ["people", "tones", "/signature"]) room.on(what, renew);

/// Whether a note is inaudible because its player or its pad is muted. The server does not tell
/// which pads other players have muted.
const isMuted = (player, pad) => room.get(`/player/${player}/mute`, 0) > 0
  || (player === room.player && (room.get("/mute", 0) > 0 || room.get(`/pad/${pad}/mute`, 0) > 0));
for (const what of ["/mute", "/pad/*", "/player/*"]) {
  room.on(what, (_, address) => address.endsWith("/mute") && renew());
}

/// A player who has no loop, for the row of what that player plays.
const loopless = (player) => ({
  player, notes: [], layers: new Map(), length: 0, origin: 0, runs: false,
});

function arrange(tall) {
  const playing = new Set([...fresh, ...trail.hits].map(({ player }) => player));
  const hasNotes = (loop) => loop.notes.length > 0 || playing.has(loop.player);
  const mine = own() ?? loopless(room.player);
  const isHeard = (loop) => (loop.runs && loop.notes.length > 0) || playing.has(loop.player);
  const others = [...book.loops.values()].filter((loop) => loop.player !== room.player && isHeard(loop));
  // Hits come and go: rows of players without a loop are ordered by name, so that none jumps.
  for (const player of [...playing].sort()) {
    if (player !== room.player && !book.loops.has(player)) others.push(loopless(player));
  }
  rows = layRows(hasNotes(mine) ? mine : null, others, tall, ratio);
}

/// Whether a note of a loop is not heard.
export const isSilent = (loop, { layer, pad }) => (
  loop.layers.get(layer)?.muted || !loop.runs || isMuted(loop.player, pad));

/// A note of a loop keeps the sound that it was played with, so the server tells its category.
export const kindIn = (player, { pad, category = "", isChord = false }) => (
  category ? kindOf(category, pad, isChord) : kindPlayed(player, pad, isChord));

/// Lines and loops, which seldom change, apart from the hits of hands, which come all the time.
const ground = h("canvas");
/// The rows that are painted there.
let laid = [];
const isLaid = ({ loop, top, tall }, index) => (
  loop.player === laid[index].loop.player && top === laid[index].top && tall === laid[index].tall);
/// Milliseconds between two paintings of hits alone: 30 a second are enough for an eye.
const PAUSE = 33;
let painted = -Infinity;

/// Milliseconds until the picture has to be painted; Infinity where it shows what is.
const untilPaint = () => {
  if (!isStale) return Infinity;
  return isGroundStale ? 0 : Math.max(0, painted + PAUSE - performance.now());
};

function paint() {
  isStale = false;
  painted = performance.now();
  const { width, height } = canvas;
  arrange(height);
  showNames(rows, ratio, room.player);
  if (!width || !height) return;
  lines ??= [token("line"), token("strong")];
  const facts = {
    size: { width, height, ratio }, view, per: signature()[0], unit: countedBeats(),
    lines, kindIn, isSilent,
  };
  if (isGroundStale || rows.length !== laid.length || !rows.every(isLaid)) {
    isGroundStale = false;
    laid = rows;
    Object.assign(ground, { width, height });
    paintLoops(ground.getContext("2d"), rows, facts);
  }
  context.clearRect(0, 0, width, height);
  paintHits(context, rows, trail.hits, false, facts);
  context.drawImage(ground, 0, 0);
  paintHits(context, rows, fresh, true, facts);
}

// ---- The text on the picture, and the count before a pass.

const bars = (beats) => {
  const count = Math.max(1, Math.ceil(beats / signature()[0] - 0.02));
  return count === 1 ? t("1 bar") : w`${count} bars`;
};
const whole = (beats) => {
  const count = Math.max(1, Math.ceil(beats - 0.02));
  return count === 1 ? t("1 beat") : w`${count} beats`;
};
const DEEDS = { record: "Records", overdub: "Overdubs", play: "Plays", stop: "Stops", clear: "Is cleared" };

function words(loop, now) {
  const left = loop && loop.turn >= 0 && now ? loop.turn - now.beats : null;
  // The notice says why: nothing is missing.
  if (room.isOut) return "";
  if (!room.isConnected) return rows.length ? t("No connection …") : "";
  switch (loop?.state) {
    case "recording": return left === null ? t("Recording") : w`Recording · ${bars(left)} left`;
    case "overdubbing": return left === null ? t("Overdub") : w`Overdub · ${bars(left)} left of this round`;
    case "waiting": return waitsForTap(loop) ? t("Tap a pad: that is beat 1") : left === null ? t("Waits for the beat") : w`${t(DEEDS[loop.next] ?? "Goes on")} in ${whole(left)}`;
    case "stopped": return t("Stopped");
    case "playing": return "";
    default: return rows.some(({ loop }) => loop.notes.length > 0) ? "" : t("Play, then Catch; or New loop");
  }
}

/// A screen reader reads the strip's name alone, so its state stands there.
function seeName() {
  const loop = own();
  const state = t(STATES[loop?.state] ?? "Empty");
  const others = [...book.loops.values()].filter((each) => each !== loop && each.runs).length;
  const mine = loop?.count > 1
    ? w`Notes of my loop: ${state}, ${loop.count} layers`
    : w`Notes of my loop: ${state}`;
  const more = others === 1 ? w`${mine}; one other loop goes round` : w`${mine}; ${others} other loops go round`;
  const name = others === 0 ? mine : more;
  if (at("loopview").ariaLabel !== name) at("loopview").setAttribute("aria-label", name);
}

const counter = h("b.countin", { "aria-hidden": "true", hidden: true });
at("loopview").append(counter);
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const counting = new RecordCount();
let counted = "";

function count(loop, now) {
  const text = counting.text(loop, now?.beats ?? null, signature()[0], room.get("/loop/countin", 0) > 0);
  if (text === counted) return;
  counted = text;
  write(counter, text);
  counter.hidden = !text;
  counter.classList.toggle("waits", waitsForTap(loop));
  // Record shows it where the strip cannot (page.css).
  const { dataset } = action("record");
  if (text) dataset.count = text;
  else delete dataset.count;
  if (text && !isCalm.matches) counter.animate?.([{ scale: 1.2, opacity: 0.4 }, { scale: 1, opacity: 1 }], { duration: 130, easing: "ease-out" });
}

/// Moves the playhead over the visible stretch of time. While the server is silent it stands still.
function moveHead(now) {
  const width = canvas.width / ratio;
  if (!now && !room.isConnected) return playhead.hold();
  if (!now || !width) return playhead.hide();
  const length = view.long * beatMilliseconds();
  playhead.run({ width, length, done: ((now.beats - view.from) / view.long) * length });
}

/// Milliseconds between two looks at the text while a pass is under way or comes.
const LOOK = 60;
const PASSES = ["waiting", "recording", "overdubbing"];

function draw() {
  const now = position();
  const loop = own();
  if (now) {
    const next = windowAt(now.beats, loop, book.loops.values(), countedBeats(), room.get("/loop/bars", 4) * signature()[0]);
    if (next.from !== view.from || next.long !== view.long) {
      view = next;
      renew();
    }
  }
  if (now && trail.pass(now.beats, view.long)) isStale = true;
  if (untilPaint() === 0) paint();
  moveHead(now);
  write(at("looptext"), words(loop, now));
  count(loop, now);
  if (!now) return isStale ? untilPaint() : false;
  const [beat, round] = [until(Math.floor(now.beats) + 1), until(view.from + view.long)];
  const wait = Math.min(untilPaint(), beat, round);
  return PASSES.includes(loop?.state) ? Math.min(wait, LOOK) : wait;
}

// ---- Touching the picture.

/// The picture, as `noteNear` reads it.
const drawing = () => ({
  rows, view, picture: { width: canvas.width, ratio }, unit: countedBeats(), own: room.player,
});

/// The note that a finger at a place of the picture means, with its loop; else only the loop of the
/// row at that place; null where there is no row.
function meant(x, y) {
  const near = noteNear(x, y, drawing());
  return near ?? rows.find(({ top, tall }) => y >= top && y < top + tall) ?? null;
}

at("loopview").addEventListener("click", (event) => {
  const box = canvas.getBoundingClientRect();
  const [x, y] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  // A click by Enter or by a screen reader has no place in the picture.
  const found = event.detail === 0 ? null : meant(x, y);
  const player = found?.loop.player ?? room.player;
  if (player !== room.player) return room.tell("theirs", [player, found?.note?.layer]);
  if (!own()?.notes.length) return toast("Nothing of yours goes round yet. Play, then Catch.");
  if (found?.note) return open("notes", { layer: found.note.layer, note: found.note.number });
  // Beside all notes: the nearest of one's own is in sight then, and none is chosen.
  const mine = rows.filter(({ loop }) => loop.player === room.player);
  const next = found && noteNear(x, y, { ...drawing(), rows: mine, reach: Infinity })?.note;
  open("notes", next ? { layer: next.layer, near: next.number } : {});
});

room.on("/mute", ([on]) => {
  const button = action("mute");
  button.setAttribute("aria-pressed", String(on > 0));
  button.title = t(on > 0 ? "Let everybody hear me again" : "Mute me for everybody");
});
action("mute").addEventListener("click", () => room.set("/mute", room.get("/mute") > 0 ? 0 : 1));

// ---- Helps for a beginner's recording: no bar is counted before it, and hits are moved nearer to
// the sixteenths. The browser remembers what the player chose.

const FIRST = { "/loop/quantize": ["tidy", "1/16"], "/loop/countin": ["count in", 0] };
for (const [address, [key, first]] of Object.entries(FIRST)) {
  // The first value from the server is from before this page came, so it is not the player's
  // choice.
  let [isNew, value] = [true, undefined];
  const settle = () => {
    // While the server is out of reach, the page sends nothing and remembers nothing.
    if (value === undefined || !room.isConnected) return;
    if (!isNew) return remember(key, value);
    isNew = false;
    const wanted = recall(key, first);
    if (value !== wanted && room.get("/role") !== "listener") room.set(address, wanted);
  };
  room.on("connected", () => { [isNew, value] = [true, undefined]; });
  room.on("heard again", settle);
  room.on(address, ([told]) => {
    value = told;
    settle();
  });
}
room.on("/loop/quantize", ([grid]) => action("tidy").setAttribute("aria-pressed", String(grid !== "off")));
action("tidy").addEventListener("click", () => {
  const on = room.get("/loop/quantize", "off") === "off";
  room.set("/loop/quantize", on ? "1/16" : "off");
  toast(on ? "What you record comes nearer to the sixteenths." : "What you record stays as you play it.");
});

export function start() {
  seeName();
  style("play");
  isOn = true;
  animate(draw);
  onBeat(() => animate(draw));
}
