// A piano roll for drums: a row for each pad, and notes to tap, drag, make louder and remove. It
// does not know the server: its owner reads and changes the notes.

import { fitCanvas, h, token, w, write } from "./dom.js";

const ROW = 30; // The height of a row, in pixels.
// The least and the largest width of the names' column, in pixels.
const [NAMES, LONG_NAMES] = [76, 100];
const FONT = "600 12px system-ui, sans-serif";
const AROUND = 14; // The pixels on both sides of a name.
const BARS = 18; // The height of the line with the bars' numbers, in pixels.
const SLACK = 7; // Pixels that a finger may move and still tap.
// Pixels per beat. At less than half of LEAST the grid is an overview: its notes are too narrow to
// touch.
const [LEAST, MOST] = [14, 400];

/// The owner has the functions add(row, beat), change(note, { beat, row }), remove(note),
/// louder(note, by), and chosen(note or null).
export class NoteGrid {
  rows = [];
  notes = [];
  /// In quarter notes: the length of the loop, the length of a bar, and the distance of the lines
  /// that notes snap to.
  length = 4;
  bar = 4;
  snap = 0.25;
  /// Whether the notes are a step grid or a pattern: these always lie on sixteenths.
  isSteps = false;
  /// The colour of a note.
  colourOf = () => "#888";
  chosen = null;
  /// The place that the arrow keys have moved to.
  cursor = { row: 0, step: 0 };
  #names = NAMES;
  #perBeat = 0;
  #drag = null;
  #fingers = new Map();
  #pinch = null;
  #ratio = 1;
  #head = null;

  get step() { return this.isSteps ? 0.25 : this.snap; }

  constructor(owner) {
    this.owner = owner;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.context = this.canvas.getContext("2d");
    this.space = h("div.notegrid-space", { "aria-hidden": "true" });
    this.head = h("i.playhead", { "aria-hidden": "true", hidden: true });
    this.spoken = h("span.offscreen", { role: "status" });
    this.element = h("div.notegrid", {
      role: "application", tabIndex: 0,
      "aria-label": "Notes: arrows move, Space sets or chooses, Shift with arrows moves the note, plus and minus make it louder or softer, press Delete to remove it",
    }, this.canvas, this.space);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerdown", (event) => this.#down(event));
    this.element.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, (event) => this.#up(event));
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX);
    }, { passive: false });
    this.element.addEventListener("focus", () => this.draw());
    this.element.addEventListener("blur", () => this.draw());
    new ResizeObserver(() => this.lay()).observe(this.element);
    fitCanvas(this.canvas, (_width, _height, ratio) => {
      this.#ratio = ratio;
      this.draw();
    });
  }

  /// Shows another loop, or the same one with other notes. A chosen note that is still there stays
  /// chosen.
  see({ rows, notes, length, bar, colourOf, steps }) {
    Object.assign(this, { rows, notes, length, bar, colourOf, isSteps: steps });
    if (this.chosen) this.choose(notes.find(({ number }) => number === this.chosen.number) ?? this.#likely(this.chosen));
    this.lay();
  }

  /// A note gets another number when it is made louder. It is found by its place then.
  #likely(old) { return this.notes.find((note) => note.pad === old.pad && Math.abs(note.beat - old.beat) < 0.002) ?? null; }

  choose(note) {
    this.chosen = note;
    if (note) this.cursor = { row: this.#rowOf(note), step: Math.floor(note.beat / this.step + 1e-6) };
    this.owner.chosen(note);
    this.draw();
  }

  /// Scrolls to a note, and chooses it.
  show(number) {
    const note = this.notes.find((note) => note.number === number);
    if (!note) return;
    this.choose(note);
    this.#reveal(this.#rowOf(note), note.beat);
  }

  /// Scrolls to a note that is not to be chosen.
  seek(number) {
    const note = this.notes.find((note) => note.number === number);
    if (note) this.#reveal(this.#rowOf(note), note.beat);
  }

  #reveal(row, beat) {
    const box = this.element;
    const [x, y] = [beat * this.perBeat, row * ROW];
    const high = box.clientHeight - BARS;
    if (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth - this.#names - 40) box.scrollLeft = x - (box.clientWidth - this.#names) / 2;
    if (y < box.scrollTop || y + ROW > box.scrollTop + high) box.scrollTop = y - high / 2;
    this.draw();
  }

  get perBeat() { return Math.max(this.#perBeat || Math.max(LEAST, this.#whole), this.#whole); }
  /// Pixels per beat at which the whole loop is visible.
  get #whole() { return Math.max(0.5, (this.element.clientWidth - this.#names - 2) / this.length); }
  get #isOverview() { return this.perBeat < LEAST / 2; }

  zoom(by, x = this.element.clientWidth / 2) {
    const box = this.element;
    const beat = (box.scrollLeft + x - this.#names) / this.perBeat;
    this.#perBeat = Math.min(MOST, Math.max(this.#whole, this.perBeat * by));
    this.lay();
    box.scrollLeft = beat * this.perBeat - x + this.#names;
  }

  lay() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width) return;
    this.#names = this.#widthOfNames(width);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.space.style.width = `${Math.floor(this.#names + this.length * this.perBeat)}px`;
    this.space.style.height = `${Math.max(0, BARS + this.rows.length * ROW - height)}px`;
    this.draw();
  }

  /// As wide as the longest name needs, as long as the notes keep three quarters of the width.
  #widthOfNames(width) {
    const { context } = this;
    context.font = FONT;
    const wide = ({ name }) => Math.ceil(context.measureText(name).width) + AROUND;
    const longest = Math.max(0, ...this.rows.map(wide));
    return Math.max(NAMES, Math.min(longest, LONG_NAMES, Math.floor(width / 4)));
  }

  /// Sets the playing position, in quarter notes from the loop's beginning; null while the beat
  /// stands.
  playAt(beat) {
    const x = beat === null ? null : Math.round(beat * this.perBeat);
    if (x === this.#head) return;
    this.#head = x;
    this.draw();
  }

  #rowOf(note) { return Math.max(0, this.rows.findIndex(({ pad }) => pad === note.pad)); }

  draw() {
    const { context, element } = this;
    const [left, top] = [element.scrollLeft, element.scrollTop];
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    const [width, height] = [element.clientWidth, element.clientHeight];
    context.clearRect(0, 0, width, height);
    const x = (beat) => this.#names + beat * this.perBeat - left;
    const end = Math.min(width, x(this.length));
    const [ink, strong] = [token("ink"), token("strong")];
    // Rows, in two colours that alternate.
    for (const [index] of this.rows.entries()) {
      const y = BARS + index * ROW - top;
      if (y > height || y < -ROW) continue;
      context.fillStyle = token(index % 2 ? "sunk" : "card");
      context.fillRect(this.#names, y, end - this.#names, ROW);
      context.fillStyle = strong;
      context.fillRect(this.#names, y + ROW - 1, end - this.#names, 1);
    }
    // Lines: of the snap steps where there is room, else of beats, else of bars.
    const step = [this.step, 1, this.bar].find((beats) => this.perBeat * beats >= 9) ?? this.bar * 4;
    const foot = Math.min(height, BARS + this.rows.length * ROW - top);
    for (let beat = Math.max(0, Math.floor(left / this.perBeat / step) * step); beat <= this.length + 1e-6 && x(beat) <= width; beat += step) {
      const isBar = Math.abs(beat / this.bar - Math.round(beat / this.bar)) < 1e-6;
      context.fillStyle = isBar ? ink : strong;
      context.fillRect(Math.round(x(beat)), 0, isBar ? 2 : 1, foot);
    }
    for (const note of this.notes) this.#drawNote(note, x, top, height, ink);
    if (document.activeElement === element) {
      context.strokeStyle = token("accent");
      context.lineWidth = 2;
      context.setLineDash([4, 3]);
      context.strokeRect(x(this.cursor.step * this.step), BARS + this.cursor.row * ROW - top + 1, Math.max(8, this.step * this.perBeat), ROW - 2);
      context.setLineDash([]);
    }
    if (this.#head !== null) {
      context.fillStyle = ink;
      context.fillRect(this.#names + this.#head - left, 0, 2, height);
    }
    // The names and the bars' numbers do not scroll with the grid.
    context.fillStyle = token("ground");
    context.fillRect(0, 0, this.#names, height);
    context.font = FONT;
    context.textBaseline = "middle";
    context.fillStyle = ink;
    for (const [index, { name }] of this.rows.entries()) {
      const y = BARS + index * ROW - top + ROW / 2;
      if (y > -ROW && y < height + ROW) context.fillText(fitted(context, name, this.#names - AROUND), 7, y);
    }
    this.#drawBars(x, width, ink);
    context.fillStyle = strong;
    context.fillRect(this.#names - 1, 0, 1, height);
  }

  #drawBars(x, width, ink) {
    const { context } = this;
    context.fillStyle = token("ground");
    context.fillRect(0, 0, width, BARS);
    context.fillStyle = ink;
    // As many numbers as there is room for: of each bar, or of each second, fourth … one.
    const apart = [1, 2, 4, 8, 16, 32].find((bars) => bars * this.bar * this.perBeat >= 26) ?? 64;
    for (let bar = 0; bar * this.bar < this.length - 1e-6; bar += apart) {
      const place = x(bar * this.bar);
      if (place >= this.#names - 1 && place < width) context.fillText(String(bar + 1), place + 3, BARS / 2);
    }
  }

  #drawNote(note, x, top, height, ink) {
    const { context } = this;
    const moved = this.#drag?.note === note ? this.#drag : null;
    const row = moved?.row ?? this.#rowOf(note);
    const beat = moved?.beat ?? note.beat;
    const y = BARS + row * ROW - top;
    if (y > height || y < -ROW) return;
    const wide = Math.max(this.#isOverview ? 2 : 8, Math.min((note.length || this.step) * this.perBeat - 1, (this.length - beat) * this.perBeat));
    const isChosen = note.number === this.chosen?.number;
    context.globalAlpha = note.muted ? 0.4 : 1;
    // The louder a note is, the taller it is drawn.
    const tall = (ROW - 6) * (0.35 + 0.65 * note.velocity);
    const colour = this.colourOf(note);
    context.fillStyle = colour;
    context.fillRect(x(beat), y + ROW - 3 - tall, wide, tall);
    context.globalAlpha = 1;
    context.strokeStyle = isChosen ? ink : colour;
    context.lineWidth = isChosen ? 2.5 : 1;
    context.strokeRect(x(beat) + 0.5, y + 3, wide - 1, ROW - 6);
  }

  // ---- Hands.

  #place(event) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { x, y, beat: (x - this.#names + this.element.scrollLeft) / this.perBeat, row: y < BARS ? -1 : Math.floor((y - BARS + this.element.scrollTop) / ROW) };
  }

  #noteAt({ beat, row, x }) {
    if (x < this.#names || this.#isOverview) return null;
    const reach = 12 / this.perBeat;
    const near = this.notes.filter((note) => this.#rowOf(note) === row && beat > note.beat - reach && beat < note.beat + Math.max(note.length || this.step, 8 / this.perBeat) + reach);
    return near.sort((a, b) => Math.abs(a.beat - beat) - Math.abs(b.beat - beat))[0] ?? null;
  }

  #down(event) {
    if (event.button > 0) return;
    this.#fingers.set(event.pointerId, event);
    if (this.#fingers.size === 2) {
      this.#drag = null;
      const [a, b] = [...this.#fingers.values()];
      this.#pinch = { apart: Math.abs(a.clientX - b.clientX) + 1, perBeat: this.perBeat };
      return;
    }
    const place = this.#place(event);
    const note = this.#noteAt(place);
    this.element.setPointerCapture(event.pointerId);
    this.#drag = { note, begin: place, x: event.clientX, y: event.clientY, left: this.element.scrollLeft, top: this.element.scrollTop, isMoved: false };
    if (note) this.choose(note);
  }

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, event);
    if (this.#pinch && this.#fingers.size === 2) {
      const [a, b] = [...this.#fingers.values()];
      const wanted = (this.#pinch.perBeat * (Math.abs(a.clientX - b.clientX) + 1)) / this.#pinch.apart;
      return this.zoom(wanted / this.perBeat, (a.clientX + b.clientX) / 2 - this.element.getBoundingClientRect().left);
    }
    const drag = this.#drag;
    if (!drag) return;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoved && Math.hypot(right, down) < SLACK) return;
    drag.isMoved = true;
    if (!drag.note) {
      // Dragging the empty grid scrolls it.
      this.element.scrollLeft = drag.left - right;
      this.element.scrollTop = drag.top - down;
      return;
    }
    const place = this.#place(event);
    drag.beat = this.#snapped(drag.note.beat + place.beat - drag.begin.beat);
    drag.row = drag.note.pad > 16 ? undefined : Math.min(this.rows.length - 1, Math.max(0, place.row));
    this.draw();
  }

  #up(event) {
    if (!this.#fingers.delete(event.pointerId)) return;
    if (this.#pinch) {
      if (this.#fingers.size === 0) this.#pinch = null;
      return;
    }
    const drag = this.#drag;
    this.#drag = null;
    if (!drag || event.type === "pointercancel") return this.draw();
    if (drag.note && drag.isMoved && drag.beat !== undefined) this.owner.change(drag.note, { beat: drag.beat, row: drag.row ?? this.#rowOf(drag.note) });
    else if (!drag.note && !drag.isMoved && drag.begin.x >= this.#names && drag.begin.row < this.rows.length && drag.begin.beat < this.length) {
      // A tap zooms in where notes are too narrow to touch, and above the rows.
      if (this.#isOverview || drag.begin.row < 0) return this.zoom((LEAST * 2) / this.perBeat, drag.begin.x);
      this.cursor = { row: drag.begin.row, step: Math.floor(drag.begin.beat / this.step) };
      if (this.chosen) this.choose(null);
      else this.owner.add(drag.begin.row, this.cursor.step * this.step);
    }
    this.draw();
  }

  /// The nearest snap line within the loop.
  #snapped(beat) { return Math.min(Math.max(0, Math.round(beat / this.step) * this.step), this.length - Math.min(this.step, this.length / 2)); }

  // ---- Keys.

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
    const { cursor } = this;
    const there = this.notes.find((note) => this.#rowOf(note) === cursor.row && Math.floor(note.beat / this.step + 1e-6) === cursor.step) ?? null;
    if (down || right) {
      const row = Math.min(this.rows.length - 1, Math.max(0, cursor.row + down));
      const step = Math.min(Math.ceil(this.length / this.step - 1e-6) - 1, Math.max(0, cursor.step + right));
      if (event.shiftKey && there) this.owner.change(there, { beat: step * this.step, row: there.pad > 16 ? this.#rowOf(there) : row });
      this.cursor = { row, step };
      const note = this.notes.find((note) => this.#rowOf(note) === row && Math.floor(note.beat / this.step + 1e-6) === step) ?? null;
      if (!event.shiftKey) this.choose(note);
      this.#reveal(row, step * this.step);
      this.#tell(note);
    } else if (event.key === " " || event.key === "Enter") {
      if (there) this.choose(there);
      else this.owner.add(cursor.row, cursor.step * this.step);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (there) this.owner.remove(there);
    } else if (event.key === "+" || event.key === "-") {
      if (there) this.owner.louder(there, event.key === "+" ? 1 : -1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #tell(note) {
    const { row, step } = this.cursor;
    const beat = step * this.step;
    const place = w`${this.rows[row]?.name}, bar ${Math.floor(beat / this.bar) + 1}, beat ${((beat % this.bar) + 1).toFixed(2).replace(/\.?0+$/, "")}`;
    write(this.spoken, note ? w`${place}: a note, ${Math.round(note.velocity * 100)} %` : place);
  }
}

function fitted(context, text, most) {
  if (context.measureText(text).width <= most) return text;
  let short = text;
  while (short.length > 1 && context.measureText(`${short}…`).width > most) short = short.slice(0, -1);
  return `${short}…`;
}
