// What was played, kept by itself: heard again, named, starred, trimmed, taken along.

import { h, icon, redraw, say, shown, toast, token, fitCanvas } from "./dom.js";
import { ExportFiles } from "./export-files.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";

let takes = [];
let isOpen = false;
/// The take whose details are open, and the one that is heard.
let [opened, heard] = ["", ""];
const views = new Map();

const state = h("p", { role: "status" });
const list = h("ul.plain.takes", { "aria-label": "Takes" });
const none = h("p.quiet", { textContent: "Nothing was played yet. What you play is kept here by itself." });
const byHand = h("button.text", { type: "button", "data-action": "take", onclick: () => room.send(isStarted ? "/take/stop" : "/take/start") });
/// What is played in the room stands here, whatever of the list is open, or is still there.
const inRoom = h("div.row.nowrap", { hidden: true }, h("p.grow", { role: "status" }), h("button.text.small", { type: "button", textContent: "End it", "aria-label": "End the take in the room", onclick: () => room.send("/take/play/stop") }));
/// One sound for all of them: nobody hears two takes at once.
const sound = h("audio", { preload: "none" });

export function make() {
  const keep = h("div.segments", { role: "group", "aria-label": "Keep the bars just gone" },
    ...[2, 4, 8, 16, 32].map((bars) => h("button", { type: "button", textContent: String(bars), "aria-label": `Keep the last ${bars} bars`, onclick: () => room.send("/take/keep", bars) })));
  seeState();
  return h("div.stack", {},
    h("div.group", {}, state, inRoom,
      h("div.choice", {}, h("span.name", { textContent: "Keep the bars just gone" }), keep), h("div.row", {}, byHand),
      h("p.quiet", { textContent: "A take begins with the first sound and ends when it has been quiet for half a minute." })),
    none, list);
}

export function show() {
  isOpen = true;
  ask();
}

export function hide() {
  isOpen = false;
  sound.pause();
}

// ---- What the server says.

let recorded = "";
/// Somebody began it by hand, and ends it so.
let isStarted = false;

room.on("/take/state", ([id, started]) => {
  [recorded, isStarted] = [id, Boolean(started)];
  seeState();
  if (isOpen) soon();
});
/// The take whose notes are played in the room.
let playing = "";
room.on("/take/playing", ([id]) => {
  playing = id;
  seeInRoom();
  markAll();
});
for (const news of ["/takes/item", "/takes/gone"]) room.on(news, () => isOpen && soon());

function seeInRoom() {
  inRoom.hidden = !playing;
  const take = takes.find((take) => take.id === playing);
  if (playing) say(inRoom.firstChild, `In the room: ${take ? take.name || when(take.began) : "a take"}`);
}

function seeState() {
  say(state, recorded ? "What is played now is being kept." : "It is quiet. A take begins with the first sound.");
  say(byHand, isStarted ? "End the take" : "Start a take here");
}

let later = 0;
function soon() {
  clearTimeout(later);
  later = setTimeout(ask, 150);
}

async function ask() {
  try {
    const answer = await fetch(room.path("takes"));
    if (answer.status === 404) return say(none, "No takes are kept here; what the server said at its start tells why.");
    if (!answer.ok) return;
    takes = (await answer.json()).takes;
  } catch {
    return;
  }
  fill();
}

function fill() {
  for (const [id, view] of views) if (!takes.some((take) => take.id === id)) {
    view.leave();
    views.delete(id);
  }
  for (const take of takes) {
    if (!views.has(take.id)) views.set(take.id, new TakeView());
    views.get(take.id).see(take);
  }
  const elements = takes.map((take) => views.get(take.id).element);
  for (const [index, element] of elements.entries()) if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  none.hidden = takes.length > 0;
  seeInRoom();
}

// ---- How it is said.

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function when(seconds) {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? `today, ${date.toLocaleTimeString([], { timeStyle: "short" })}` : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

const DAY = 86_400;
/// When it is forgotten, where that is soon.
function ending(take) {
  if (!take.forgotten) return "";
  const days = Math.ceil((take.forgotten - Date.now() / 1000) / DAY);
  return days <= 7 ? `forgotten in ${days <= 1 ? "a day" : `${days} days`}: a star keeps it` : "";
}

function factsOf(take) {
  if (take.recording) return "being played now";
  const bars = take.first === 1 && take.last === take.bars ? `${take.bars} ${take.bars === 1 ? "bar" : "bars"}`
    : `${take.first === take.last ? `bar ${take.first}` : `bars ${take.first}–${take.last}`} of ${take.bars}`;
  return [clock(take.seconds), take.bars ? bars : "being prepared …", `${Math.round(take.bpm * 10) / 10} bpm`, take.players.map(shown).join(", "), ending(take)].filter(Boolean).join(" · ");
}

// ---- One of them.

class TakeView {
  #take = null;
  #title = h("b", {});
  #facts = h("small.kitname", {});
  #play = h("button.round", { type: "button", onclick: () => this.#toggle() }, icon("play"));
  #star = h("button.round.star", { type: "button", onclick: () => room.send("/take/star", this.#take.id, this.#take.starred ? 0 : 1) }, icon("star"));
  #more = h("button.text.small", { type: "button", textContent: "More", "aria-expanded": "false", onclick: () => this.#open() });
  #wave = new Strip((part) => this.#seek(part));
  #name = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "Name of the take", placeholder: "Name it", spellcheck: false });
  #first = h("input.line.number", { type: "number", min: 1, "aria-label": "First bar" });
  #last = h("input.line.number", { type: "number", min: 1, "aria-label": "Last bar" });
  #files = new ExportFiles((file) => room.send("/take/export", this.#take.id, file));
  #again = h("button.text.small", { type: "button", onclick: () => (playing === this.#take.id ? room.send("/take/play/stop") : room.send("/take/play", this.#take.id)) });
  #details = h("div.stack", { hidden: true });

  constructor() {
    const rename = h("form.row.nowrap", { onsubmit: (event) => {
      event.preventDefault();
      room.send("/take/name", this.#take.id, this.#name.value.trim());
      this.#name.blur();
    } }, this.#name, h("button.text", { type: "submit", textContent: "Name it" }));
    const trim = h("form.row.nowrap", { onsubmit: (event) => {
      event.preventDefault();
      room.send("/take/trim", this.#take.id, Number(this.#first.value) || 1, Number(this.#last.value) || this.#take.bars);
    } }, h("span.quiet", { textContent: "Bars" }), this.#first, h("span.quiet", { textContent: "to" }), this.#last, h("button.text", { type: "submit", textContent: "Trim" }),
      h("button.text", { type: "button", textContent: "All", "aria-label": "All of its bars", onclick: () => room.send("/take/trim", this.#take.id) }));
    this.#details.append(rename, trim, h("h3", { textContent: "Take it along" }), this.#files.element,
      h("div.row", {}, this.#again, h("button.text.small", { type: "button", textContent: "Delete", onclick: () => room.send("/take/delete", this.#take.id) })));
    this.element = h("li.group.take", {},
      h("div.row.head.nowrap", {}, this.#play, h("span.who", {}, this.#title, this.#facts), this.#star, this.#more), this.#wave.element, this.#details);
  }

  leave() {
    this.element.remove();
    this.#files.forget();
  }

  see(take) {
    const wasHeard = this.#take && address(this.#take) === address(take);
    this.#take = take;
    this.element.dataset.take = take.id;
    say(this.#title, take.name || when(take.began));
    say(this.#facts, [take.name ? when(take.began) : "", factsOf(take)].filter(Boolean).join(" · "));
    this.#play.disabled = take.recording || !take.peaks.length;
    this.#star.setAttribute("aria-pressed", String(take.starred));
    this.#star.setAttribute("aria-label", take.starred ? "Starred: it is kept" : "Star it, and it is kept");
    this.#more.hidden = take.recording;
    this.#wave.element.hidden = !take.peaks.length;
    this.#wave.see(take.peaks.map((peak) => peak / 255), take.seconds);
    if (document.activeElement !== this.#name) this.#name.value = take.name;
    for (const field of [this.#first, this.#last]) field.max = Math.max(1, take.bars);
    if (![this.#first, this.#last].includes(document.activeElement)) [this.#first.value, this.#last.value] = [take.first, take.last];
    this.#files.see(`takes/${take.id}.`, take.name || take.id);
    if (heard === take.id && !wasHeard) stop();
    this.mark();
  }

  /// Shows whether it is heard, and how far.
  mark() {
    const isHeard = heard === this.#take.id;
    const plays = isHeard && !sound.paused;
    say(this.#again, playing === this.#take.id ? "End it in the room" : "Play it in the room");
    redraw(this.#play, plays ? "stop" : "play");
    this.#play.setAttribute("aria-label", `${plays ? "Stop" : "Hear"} ${this.#title.textContent}`);
    this.#wave.at(isHeard && this.#take.seconds ? sound.currentTime / this.#take.seconds : 0);
  }

  #open() {
    opened = opened === this.#take.id ? "" : this.#take.id;
    for (const view of views.values()) view.#showDetails();
  }

  #showDetails() {
    this.#details.hidden = opened !== this.#take.id;
    this.#more.setAttribute("aria-expanded", String(!this.#details.hidden));
  }

  #toggle() {
    if (heard === this.#take.id && !sound.paused) return stop();
    this.#hear(0);
  }

  #seek(part) {
    if (!this.#play.disabled) this.#hear(part * this.#take.seconds);
  }

  async #hear(from) {
    if (heard !== this.#take.id || !sound.src) {
      heard = this.#take.id;
      sound.src = address(this.#take);
    }
    sound.currentTime = from;
    try {
      await sound.play();
    } catch (problem) {
      if (problem.name !== "AbortError") toast("This take cannot be heard just now.", 6);
    }
    markAll();
  }
}

const kind = sound.canPlayType('audio/ogg; codecs="opus"') ? "opus" : "flac";
/// The bars that are heard are a part of the address: trimmed, it is another sound.
const address = (take) => room.path(`takes/${take.id}.${kind}`, { bars: `${take.first}-${take.last}` });

function stop() {
  sound.pause();
  sound.removeAttribute("src");
  heard = "";
  markAll();
}

function markAll() { for (const view of views.values()) view.mark(); }
for (const change of ["timeupdate", "pause", "play"]) sound.addEventListener(change, markAll);
sound.addEventListener("ended", stop);

/// A take's waveform, which is touched where it is to be heard from.
class Strip {
  #peaks = [];
  #seconds = 0;
  #part = 0;
  #canvas = h("canvas");

  constructor(chosen) {
    this.element = h("div.takewave", { role: "slider", tabIndex: 0, "aria-label": "Where it is heard", "aria-valuemin": 0 }, this.#canvas);
    this.element.addEventListener("click", (event) => {
      const box = this.#canvas.getBoundingClientRect();
      chosen(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
    });
    this.element.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30, Home: -Infinity, End: Infinity }[event.key];
      if (!by || !this.#seconds) return;
      event.preventDefault();
      event.stopPropagation();
      chosen(Math.min(1, Math.max(0, this.#part + by / this.#seconds)));
    });
    fitCanvas(this.#canvas, () => this.#draw());
    addEventListener("themechange", () => this.#draw());
  }

  see(peaks, seconds) {
    [this.#peaks, this.#seconds] = [peaks, seconds];
    this.element.setAttribute("aria-valuemax", Math.round(seconds));
    this.at(this.#part);
  }

  at(part) {
    this.#part = part;
    const now = part * this.#seconds;
    this.element.setAttribute("aria-valuenow", Math.round(now));
    this.element.setAttribute("aria-valuetext", `${clock(now)} of ${clock(this.#seconds)}`);
    this.#draw();
  }

  #draw() {
    const context = this.#canvas.getContext("2d");
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, width, height);
    const [before, after] = [token("accent"), token("strong")];
    const step = width / Math.max(1, this.#peaks.length);
    for (const [index, peak] of this.#peaks.entries()) {
      context.fillStyle = (index + .5) / this.#peaks.length < this.#part ? before : after;
      const tall = Math.max(1, peak * (height - 4));
      context.fillRect(index * step, (height - tall) / 2, Math.max(1, step * .75), tall);
    }
  }
}
