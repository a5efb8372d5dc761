// The picture on the big screen: everybody's loops with the names of who plays, what patterns and
// hands played in this round, the playhead, and each hit where it falls.

import { countedBeats, position, signature } from "./beat.js";
import { readable } from "./colour.js";
import { fitCanvas, h, shown, token } from "./dom.js";
import { KEYS, shadeOf } from "./kind.js";
import { Trail, boxOf, isOfLoop, isUnderWay, markChord, placeOf, windowAt } from "./loop-notes.js";
import { layRows, paintHits, paintLoops } from "./loop-picture.js";
import { book, isSilent, kindIn } from "./loop-strip.js";
import { colourOf } from "./people.js";
import { room } from "./room.js";

/// Milliseconds that a hit is seen, and that somebody without a loop keeps a row after a hit.
const [SPARK, ROW] = [480, 8000];
/// The size of a hit at its end, as a part of its row's height, and its least and its largest size
/// in CSS pixels.
const [GROWS, SMALL, LARGE] = [0.34, 14, 120];
/// Notes are as large as on the strip in a picture of this width and height, in CSS pixels, and
/// grow with a larger one.
const [WIDE, TALL] = [360, 140];
/// Milliseconds between two paintings of what was played in this round.
const PAUSE = 50;

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const loopless = (player) => (
  { player, notes: [], layers: new Map(), length: 0, origin: 0, runs: true });

export class WallPicture {
  #notes = h("canvas");
  #hits = h("canvas");
  /// Hits of patterns, such as those of a groove, and of hands: no loop keeps them.
  #passing = h("canvas");
  #head = h("i", { hidden: true });
  #names = h("div.wall-rows");
  element = h("div.wall-picture", { "aria-hidden": "true" },
    this.#passing, this.#notes, this.#hits, this.#head, this.#names);
  #view = { from: 0, long: 16 };
  #rows = [];
  #isStale = true;
  #ratio = 1;
  /// The picture's own pixels for each pixel of the strip.
  get #scale() {
    const { clientWidth, clientHeight } = this.#notes;
    return this.#ratio * Math.max(1, Math.min(clientWidth / WIDE, clientHeight / TALL));
  }

  #sparks = [];
  #isClear = true;
  /// Hits that no loop plays, for a round of this picture.
  #trail = new Trail();
  /// The passing hits that are painted: their number, the first one and the last one; and when.
  #passed = [0, undefined, undefined];
  #passedAt = -Infinity;
  /// When somebody was last heard, by name.
  #heard = new Map();
  #placed = null;

  constructor() {
    const renew = () => { this.#isStale = true; };
    fitCanvas(this.#notes, (_width, _height, ratio) => {
      this.#ratio = ratio;
      renew();
    });
    fitCanvas(this.#hits);
    fitCanvas(this.#passing, renew);
    room.on("loop notes", renew);
    const facts = ["/player/loop", "/signature", "connected", "people", "tones"];
    for (const what of facts) room.on(what, renew);
    room.on("/play", ([on]) => { if (!on) this.#trail.hits = []; });
    room.on("/player/*", (_, address) => address.endsWith("/mute") && renew());
    addEventListener("themechange", () => setTimeout(renew, 60));
    room.on("/hit", ([player, pad, ...when]) => this.#hit(player, pad, ...when));
    room.on("/note", ([player, note, ...when]) => this.#hit(player, note + KEYS, ...when));
  }

  /// A hit or a note is told: at a pad, or at a key's number and 17.
  #hit(player, pad, velocity, bar, beat) {
    const at = (bar - 1) * signature()[0] + beat - 1;
    const [loop, unit] = [book.loops.get(player), countedBeats()];
    const isPassing = !isUnderWay(loop, at, unit) && !isOfLoop(loop, { player, pad, at }, unit);
    if (isPassing && room.get("/play")) this.#trail.take({ player, pad, velocity, at });
    // A hidden page draws nothing, so sparks would pile up.
    if (!this.element.closest("dialog")?.open || document.hidden) return;
    const now = performance.now();
    if (!this.#rows.some(({ loop }) => loop.player === player)) this.#isStale = true;
    this.#heard.set(player, now);
    const spark = { player, pad, velocity, start: now, at };
    this.#sparks.push(spark);
    markChord(this.#sparks, spark);
  }

  /// Draws a frame of the picture.
  draw(time) {
    const now = position();
    if (now) {
      const four = 4 * signature()[0];
      const next = windowAt(now.beats, null, book.loops.values(), countedBeats(), four);
      if (next.from !== this.#view.from || next.long !== this.#view.long) {
        this.#view = next;
        this.#isStale = true;
      }
    }
    if (now) this.#trail.pass(now.beats, this.#view.long);
    for (const [player, at] of this.#heard) {
      if (time - at <= ROW) continue;
      this.#heard.delete(player);
      this.#isStale = true;
    }
    this.#seePassing(time);
    if (this.#isStale) this.#paint();
    const part = now ? (now.beats - this.#view.from) / this.#view.long : null;
    const x = part === null ? null : Math.round(part * this.#notes.clientWidth);
    if (x !== this.#placed) {
      this.#placed = x;
      this.#head.hidden = x === null;
      this.#head.style.transform = `translateX(${x}px)`;
    }
    this.#drawHits(time, now !== null);
  }

  /// Paints the passing hits where others have come or gone.
  #seePassing(time) {
    const { hits } = this.#trail;
    const now = [hits.length, hits[0], hits.at(-1)];
    if (now.every((each, index) => each === this.#passed[index])) return;
    if (time - this.#passedAt < PAUSE) return;
    this.#passed = now;
    this.#passedAt = time;
    const isLaid = (player) => this.#rows.some(({ loop }) => loop.player === player);
    if (hits.every(({ player }) => isLaid(player))) this.#paintPassing();
    else this.#isStale = true;
  }

  #facts({ width, height }) {
    return {
      size: { width, height, ratio: this.#scale }, view: this.#view, per: signature()[0],
      unit: countedBeats(), kindIn, isSilent,
    };
  }

  #paintPassing() {
    const { width, height } = this.#passing;
    const context = this.#passing.getContext("2d");
    context.clearRect(0, 0, width, height);
    paintHits(context, this.#rows, this.#trail.hits, false, this.#facts(this.#passing));
  }

  #paint() {
    this.#isStale = false;
    const { width, height } = this.#notes;
    if (!width || !height) return;
    const loops = [...book.loops.values()].filter((loop) => loop.runs && loop.notes.length > 0);
    const passing = [...new Set(this.#trail.hits.map(({ player }) => player))].sort();
    for (const player of [...passing, ...this.#heard.keys()]) {
      if (!loops.some((loop) => loop.player === player)) loops.push(loopless(player));
    }
    this.#rows = layRows(null, loops, height, this.#scale);
    const lines = [token("line"), token("strong")];
    paintLoops(this.#notes.getContext("2d"), this.#rows, { ...this.#facts(this.#notes), lines });
    this.#paintPassing();
    // Where several players share a row, the first one's name stands there.
    const tops = new Set();
    const named = this.#rows.filter(({ top }) => !tops.has(top) && tops.add(top));
    this.#names.replaceChildren(...named.map(({ loop, top, tall }) => {
      const name = h("span", { given: shown(loop.player) });
      name.style.borderInlineStartColor = readable(colourOf(loop.player));
      name.style.insetBlockStart = `${(top / height) * 100}%`;
      name.style.maxBlockSize = `${(tall / height) * 100}%`;
      return name;
    }));
  }

  /// - isRunning: whether a beat runs. Without one, a hit's place is its pad's.
  #drawHits(time, isRunning) {
    this.#sparks = this.#sparks.filter(({ start }) => time - start < SPARK);
    if (this.#isClear && this.#sparks.length === 0) return;
    const { width, height } = this.#hits;
    const context = this.#hits.getContext("2d");
    context.clearRect(0, 0, width, height);
    this.#isClear = this.#sparks.length === 0;
    for (const spark of this.#sparks) {
      const row = this.#rows.find(({ loop }) => loop.player === spark.player);
      if (!row) continue;
      const when = isRunning ? placeOf(spark.at, this.#view.long, this.#view) ?? this.#view.from
        : this.#view.from + (this.#view.long * (Math.min(16, spark.pad) - 0.5)) / 16;
      const note = { pad: spark.pad, when, length: 0 };
      const box = boxOf(note, row, this.#view, { width, ratio: this.#scale });
      const [x, y] = [box.x + box.wide / 2, box.y + box.thick / 2];
      const done = Math.max(0, (time - spark.start) / SPARK);
      const [small, large] = [SMALL * this.#ratio, LARGE * this.#ratio];
      const whole = Math.min(large, Math.max(small, row.tall * GROWS));
      const most = whole * (0.4 + 0.6 * spark.velocity);
      context.strokeStyle = context.fillStyle = shadeOf(kindIn(spark.player, spark), spark.pad);
      context.globalAlpha = 1 - done;
      context.beginPath();
      if (isCalm.matches) context.arc(x, y, most * 0.35, 0, 2 * Math.PI);
      else context.arc(x, y, most * (0.25 + 0.75 * (1 - (1 - done) ** 3)), 0, 2 * Math.PI);
      context.lineWidth = Math.max(1, most * 0.14 * (1 - done));
      context.stroke();
      context.globalAlpha = (1 - done) ** 2;
      context.beginPath();
      context.arc(x, y, most * 0.22, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }
}
