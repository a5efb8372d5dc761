// The strip above the pads: a picture of all loops with everybody's notes, the progress of a
// recording, and the count before it.

import { countedBeats, position, signature } from "./beat.js";
import { readable } from "./colour.js";
import { at, fitCanvas, h, shown, style, t, toast, token, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { LoopBook, boxOf, fall, isUnderWay, noteNear, placeOf, windowAt } from "./loop-notes.js";
import { recall, remember } from "./memory.js";
import { open } from "./panel.js";
import { colourOf, toldLoops } from "./people.js";
import { room } from "./room.js";

const action = (name) => document.querySelector(`[data-action="${name}"]`);

/// How the player's own loop is, for the strip's name.
const STATES = {
  recording: "Recording", overdubbing: "Overdub", waiting: "Waits for the beat",
  playing: "Goes round", stopped: "Stopped",
};

// ---- Facts from the server.

let isStale = true;
export const book = new LoopBook((player) => room.send("/loop/notes", player), () => {
  isStale = true;
  seeName();
  const unit = countedBeats();
  fresh = fresh.filter((hit) => isUnderWay(book.loops.get(hit.player), hit.at, unit));
  room.tell("loop notes", []);
});
export const own = () => book.loops.get(room.player);

// A hit that is being recorded shows at once, before it comes back as a note.
let fresh = [];
room.on("/hit", ([player, pad, velocity, bar, beat]) => {
  const hit = { player, pad, velocity, at: (bar - 1) * signature()[0] + beat - 1 };
  if (!isUnderWay(book.loops.get(player), hit.at, countedBeats())) return;
  fresh.push(hit);
  isStale = true;
});
for (const values of toldLoops.values()) book.told(values);
room.on("/player/loop", (values) => book.told(values));
room.on("/loop/note", (values) => book.note(values));
room.on("/loop/layer", (values) => book.layer(values));
room.on("/loop/notes/end", (values) => book.end(values));
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
let ratio = 1;
let view = { from: 0, long: 16 };
/// The loops that are shown, one row each, with the row's top and height.
let rows = [];
/// More rows than this would be too thin to tell apart: if more players have loops, several loops
/// share a row.
const MOST = 7;
/// The height of the player's own row: OWN CSS pixels where the picture is low, but at most the
/// part OWN_SHARE of the picture.
const [OWN, OWN_SHARE] = [28, 0.6];

const renew = () => { isStale = true; };
fitCanvas(canvas, (_width, _height, by) => {
  ratio = by;
  renew();
});
addEventListener("themechange", () => setTimeout(renew, 60));
for (const what of ["people", "tones", "/signature"]) room.on(what, renew);

/// Whether a note is inaudible because its player or its pad is muted. The server does not tell
/// which pads other players have muted.
const isMuted = (player, pad) => room.get(`/player/${player}/mute`, 0) > 0
  || (player === room.player && (room.get("/mute", 0) > 0 || room.get(`/pad/${pad}/mute`, 0) > 0));
for (const what of ["/mute", "/pad/*", "/player/*"]) {
  room.on(what, (_, address) => address.endsWith("/mute") && renew());
}

function arrange(tall) {
  const mine = own();
  const hasNotes = (loop) => loop.notes.length > 0 || fresh.some(({ player }) => player === loop.player);
  const all = [...book.loops.values()];
  const others = all.filter((loop) => loop !== mine && loop.runs && hasNotes(loop));
  const hasMine = mine && hasNotes(mine);
  const count = Math.min(MOST, others.length);
  const wanted = Math.max(0.45, 1 / (count + 1), Math.min(OWN_SHARE, (OWN * ratio) / tall));
  const share = hasMine ? (count ? wanted : 1) : 0;
  rows = hasMine ? [{ loop: mine, top: 0, tall: tall * share }] : [];
  for (const [index, loop] of others.entries()) {
    const high = (tall * (1 - share)) / count;
    rows.push({ loop, top: tall * share + (index % count) * high, tall: high });
  }
}

function paint() {
  isStale = false;
  const { width, height: tall } = canvas;
  context.clearRect(0, 0, width, tall);
  const [per] = signature();
  const place = (beat) => ((beat - view.from) / view.long) * width;
  const [faint, strong] = [token("line"), token("strong")];
  for (let beat = Math.ceil(view.from); beat < view.from + view.long; beat += 1) {
    const isBar = beat % per === 0;
    if (!isBar && width / view.long < 5 * ratio) continue;
    context.fillStyle = isBar ? strong : faint;
    context.fillRect(Math.round(place(beat)), 0, Math.max(1, ratio / 2), tall);
  }
  arrange(tall);
  const unit = countedBeats();
  for (const { loop, ...row } of rows) {
    const draw = (pad, when, velocity, length, isQuiet) => {
      const { x, y, wide, thick } = boxOf({ pad, when, length }, row, view, { width, ratio });
      // A muted note is drawn hollow: a colour paler than that of the softest note would be
      // invisible.
      context.globalAlpha = isQuiet ? 1 : 0.55 + 0.45 * velocity;
      // The frame lies on whole pixels, so that its thin line does not spread over two of them.
      const [left, top] = [Math.round(x) + ratio / 2, Math.round(y) + ratio / 2];
      if (isQuiet) context.strokeRect(left, top, Math.round(wide - ratio), Math.round(thick - ratio));
      else context.fillRect(x, y, wide, thick);
    };
    context.fillStyle = context.strokeStyle = readable(colourOf(loop.player));
    context.lineWidth = ratio;
    fall(loop, unit, view.from, view.from + view.long, ({ layer, pad, velocity, length }, when) => {
      draw(pad, when, velocity, length * unit, loop.layers.get(layer)?.muted || !loop.runs || isMuted(loop.player, pad));
    });
    for (const { player, pad, velocity, at: when } of fresh) {
      const place = player === loop.player ? placeOf(when, loop.length * unit, view) : null;
      if (place !== null) draw(pad, place, velocity, 0, false);
    }
  }
  context.globalAlpha = 1;
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
  if (!room.isConnected) return rows.length ? t("No connection …") : "";
  switch (loop?.state) {
    case "recording": return left === null ? t("Recording") : w`Recording · ${bars(left)} left`;
    case "overdubbing": return left === null ? t("Overdub") : w`Overdub · ${bars(left)} left of this round`;
    case "waiting": return left === null ? t("Waits for the beat") : w`${t(DEEDS[loop.next] ?? "Goes on")} in ${whole(left)}`;
    case "stopped": return t("Stopped");
    case "playing": return "";
    default: return rows.length ? "" : t("Record to make a loop");
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
document.body.append(counter);
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
let counted = "";

/// Counts the last bar before a pass of the player's own, large and over the pads.
function count(loop, now) {
  const [per] = signature();
  const counts = loop?.state === "waiting" && ["record", "overdub"].includes(loop.next) && room.get("/loop/countin", 0) > 0 && now;
  const left = counts ? loop.turn - now.beats : 0;
  const text = left > 0 && left <= per + 0.001 ? String(Math.min(per, Math.max(1, Math.floor(per - left + 1.001)))) : "";
  if (text === counted) return;
  counted = text;
  write(counter, text);
  counter.hidden = !text;
  if (text && !isCalm.matches) counter.animate?.([{ scale: 1.2, opacity: 0.4 }, { scale: 1, opacity: 1 }], { duration: 130, easing: "ease-out" });
}

let placed = null;
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
  if (isStale) paint();
  const x = now ? Math.round((((now.beats - view.from) / view.long) * canvas.width * 2) / ratio) / 2 : null;
  if (x !== placed) {
    placed = x;
    head.hidden = x === null;
    head.style.transform = `translateX(${x}px)`;
  }
  write(at("looptext"), words(loop, now));
  count(loop, now);
  return true;
}

// ---- Touching the picture.

/// The note that a finger at a place of the picture means, with its loop; else only the loop of the
/// row at that place; null where there is no row.
function meant(x, y) {
  const near = noteNear(x, y, { rows, view, picture: { width: canvas.width, ratio }, unit: countedBeats(), own: room.player });
  return near ?? rows.find(({ top, tall }) => y >= top && y < top + tall) ?? null;
}

at("loopview").addEventListener("click", (event) => {
  const box = canvas.getBoundingClientRect();
  // A click by Enter or by a screen reader has no place in the picture.
  const found = event.detail === 0 ? null : meant((event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio);
  const player = found?.loop.player ?? room.player;
  if (player !== room.player) return toast(w`That is what ${shown(player)} plays.`);
  if (!own()?.notes.length) return toast("Nothing of yours goes round yet. Record, and play.");
  open("notes", found?.note ? { layer: found.note.layer, note: found.note.number } : {});
});

room.on("/mute", ([on]) => {
  const button = action("mute");
  button.setAttribute("aria-pressed", String(on > 0));
  button.title = t(on > 0 ? "Let everybody hear me again" : "Mute me for everybody");
});
action("mute").addEventListener("click", () => room.set("/mute", room.get("/mute") > 0 ? 0 : 1));

// ---- Helps for a beginner's recording: one bar is counted before it, and hits are moved nearer to
// the sixteenths. The browser remembers what the player chose.

const FIRST = { "/loop/quantize": ["tidy", "1/16"], "/loop/countin": ["count in", 1] };
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
  animate(draw);
}
