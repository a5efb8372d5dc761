// The list of takes, which the server records by itself: playing, naming, starring, trimming and
// exporting them.

import { h, icon, redraw, say, shown, t, toast, w, write } from "./dom.js";
import { ExportFiles } from "./export-files.js";
import { limits } from "./ranges.js";
import { room } from "./room.js";
import { lookUp, shareTake } from "./share-take.js";
import { TakeWave } from "./take-wave.js";
import { barsOf, clock, playersOf, tempoOf, titleOf, when } from "./take-words.js";

let takes = [];
let isOpen = false;
/// The take whose details are open, and the take that plays on this device.
let [opened, heard] = ["", ""];
const views = new Map();

const state = h("p", { role: "status" });
const list = h("ul.plain.takes", { "aria-label": "Takes" });
const none = h("p.quiet", { textContent: "Nothing was played yet. What you play is saved here by itself." });
const byHand = h("button.text", { type: "button", "data-action": "take", onclick: () => room.send(isStarted ? "/take/stop" : "/take/start") });
/// The take that plays in the room is shown here, even if it is not in the list any more.
const inRoom = h("div.row.nowrap", { hidden: true }, h("p.grow", { role: "status" }), h("button.text.small", { type: "button", textContent: "Stop it", "aria-label": "Stop the take in the room", onclick: () => room.send("/take/play/stop") }));
/// One audio element for all takes, so that two takes never play at once.
const sound = h("audio", { preload: "none" });

export function make() {
  const keep = h("div.segments", { role: "group", "aria-label": "Save the bars just gone" },
    ...[2, 4, 8, 16, 32].map((bars) => h("button", { type: "button", textContent: String(bars), "aria-label": w`Save the last ${bars} bars`, onclick: () => room.send("/take/keep", bars) })));
  seeState();
  return h("div.stack", {},
    h("div.group", {}, state, inRoom,
      h("div.choice", {}, h("span.name", { textContent: "Save the bars just gone" }), keep), h("div.row", {}, byHand),
      h("p.quiet", { textContent: "A take begins with the first sound and ends when it has been quiet for half a minute." })),
    none, list);
}

export function show() {
  isOpen = true;
  ask();
  lookUp();
}

export function hide() {
  isOpen = false;
  sound.pause();
}

// ---- Facts from the server.

let recorded = "";
/// Whether somebody began the take by hand; such a take ends by hand.
let isStarted = false;

room.on("/take/state", ([id, started]) => {
  [recorded, isStarted] = [id, Boolean(started)];
  seeState();
  if (isOpen) soon();
});
/// The take whose notes play in the room.
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
  if (playing) say(inRoom.firstChild, take ? w`In the room: ${titleOf(take)}` : "In the room: a take");
}

function seeState() {
  say(state, recorded ? "What is played now is being saved." : "It is quiet. A take begins with the first sound.");
  say(byHand, isStarted ? "Stop the take" : "Start a take here");
}

let later = 0;
function soon() {
  clearTimeout(later);
  later = setTimeout(ask, 150);
}

async function ask() {
  try {
    const answer = await fetch(room.path("takes"));
    if (answer.status === 404) return say(none, "No takes are saved here; what the server said at its start tells why.");
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

// ---- Texts.

const DAY = 86_400;
/// A text about when the server forgets the take, if that is within a week.
function ending(take) {
  if (!take.forgotten) return "";
  const days = Math.ceil((take.forgotten - Date.now() / 1000) / DAY);
  return days > 7 ? "" : days <= 1 ? t("forgotten in a day: a star keeps it") : w`forgotten in ${days} days: a star keeps it`;
}

function factsOf(take) {
  if (take.recording) return t("being played now");
  return [clock(take.seconds), barsOf(take), tempoOf(take), playersOf(take), ending(take)].filter(Boolean).join(" · ");
}

// ---- A take in the list.

class TakeView {
  #take = null;
  #title = h("b", {});
  #facts = h("small.kitname", {});
  #play = h("button.round", { type: "button", onclick: () => this.#toggle() }, icon("play"));
  #star = h("button.round.star", { type: "button", onclick: () => room.send("/take/star", this.#take.id, this.#take.starred ? 0 : 1) }, icon("star"));
  #more = h("button.text.small", { type: "button", textContent: "More", "aria-expanded": "false", onclick: () => this.#open() });
  #wave = new TakeWave((part) => this.#seek(part));
  #name = h("input.line", { type: "text", maxLength: limits.name, "aria-label": "Name of the take", placeholder: "Name it", spellcheck: false });
  #first = h("input.line.number", { type: "number", min: 1, "aria-label": "First bar" });
  #last = h("input.line.number", { type: "number", min: 1, "aria-label": "Last bar" });
  #files = new ExportFiles((file) => room.send("/take/export", this.#take.id, file));
  #again = h("button.text.small", { type: "button", onclick: () => (playing === this.#take.id ? room.send("/take/play/stop") : room.send("/take/play", this.#take.id)) });
  #share = h("button.round", { type: "button", onclick: () => shareTake(this.#take, this.#link) }, icon("share"));
  /// Where the browser does not let the page copy, the link is shown here for copying by hand.
  #link = h("input.line", { type: "text", readOnly: true, hidden: true, "aria-label": "Link to the take" });
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
    this.#details.append(rename, trim, h("h3", { textContent: "Export" }), this.#files.element,
      h("div.row", {}, this.#again, h("button.text.small", { type: "button", textContent: "Remove", onclick: () => room.send("/take/delete", this.#take.id) })));
    this.element = h("li.group.take", {},
      h("div.row.head.nowrap", {}, this.#play, h("span.who", {}, this.#title, this.#facts),
        h("span.row.nowrap", {}, this.#star, this.#share, this.#more)), this.#link, this.#wave.element, this.#details);
  }

  leave() {
    this.element.remove();
    this.#files.forget();
  }

  see(take) {
    const wasHeard = this.#take && address(this.#take) === address(take);
    this.#take = take;
    this.element.dataset.take = take.id;
    write(this.#title, titleOf(take));
    write(this.#facts, [take.name ? when(take.began) : "", factsOf(take)].filter(Boolean).join(" · "));
    this.#play.disabled = take.recording || !take.peaks.length;
    this.#star.setAttribute("aria-pressed", String(take.starred));
    this.#star.setAttribute("aria-label", t(take.starred ? "Starred: it is kept" : "Star it, and it is kept"));
    this.#more.hidden = take.recording;
    this.#share.hidden = this.#play.disabled;
    this.#share.setAttribute("aria-label", w`Share ${this.#title.textContent}`);
    this.#wave.element.hidden = !take.peaks.length;
    this.#wave.see(take.peaks.map((peak) => peak / 255), take.seconds);
    if (document.activeElement !== this.#name) this.#name.value = take.name;
    for (const field of [this.#first, this.#last]) field.max = Math.max(1, take.bars);
    if (![this.#first, this.#last].includes(document.activeElement)) [this.#first.value, this.#last.value] = [take.first, take.last];
    this.#files.see(`takes/${take.id}.`, take.name || take.id);
    if (heard === take.id && !wasHeard) stop();
    this.mark();
  }

  /// Shows whether the take plays, and the playing position.
  mark() {
    const isHeard = heard === this.#take.id;
    const plays = isHeard && !sound.paused;
    say(this.#again, playing === this.#take.id ? "Stop it in the room" : "Play it in the room");
    redraw(this.#play, plays ? "stop" : "play");
    this.#play.setAttribute("aria-label", plays ? w`Stop ${this.#title.textContent}` : w`Hear ${this.#title.textContent}`);
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
/// The bars are part of the address, because a trimmed take is another sound.
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
