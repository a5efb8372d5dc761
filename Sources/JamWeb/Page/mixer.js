// The panel Mixer: everybody's meters and clip lights, and faders that work where the player may
// move them. Its other parts are the player's own mix, and the effects.

import { readable } from "./colour.js";
import { decibels, toggle } from "./controls.js";
import { arrange, fitCanvas, h, say, shown, t, token, w, write } from "./dom.js";
import { animate } from "./frame.js";
import { holdsLine } from "./holders.js";
import { colourOf, heard, leftLoops } from "./people.js";
import { parts } from "./panel.js";
import { range } from "./ranges.js";
import { room } from "./room.js";

const channels = new Map();
const list = h("div.mixer");
let isOpen = false;

export function make() {
  return parts(
    ["Levels", ...levels()], ["My mix", ...later(() => import("./my-mix-panel.js"))],
    ["Effects", ...later(() => import("./effects.js"))]);
}

/// A part whose code is loaded when it is first opened.
function later(load) {
  const holder = h("div");
  let made = null;
  const show = async () => {
    if (made) return;
    made = (await load()).make();
    holder.replaceChildren(made.element);
  };
  return [holder, { show, hide: () => made?.hide?.() }];
}

function levels() {
  room.on("people", sync);
  room.on("/host", () => [...channels.values()].forEach((channel) => channel.allow()));
  room.on("/meter", ([name, left, right]) => {
    channels.get(name)?.meter.see(left, right);
    if (isOpen && Math.max(left, right) > FLOOR) animate(draw);
  });
  const loudness = h("p.quiet.loudness");
  room.on("/loudness", ([, shortTerm, limited]) => {
    const level = shortTerm > FLOOR ? `${shortTerm.toFixed(0).replace("-", "−")} LUFS` : t("silent");
    say(loudness, limited >= 0.5 ? w`Loudness of the mix: ${level}; the limiter takes ${limited.toFixed(0)} dB` : w`Loudness of the mix: ${level}`);
  });
  const leveller = toggle({ address: "/master/leveller", label: "Keep the mix at one loudness, however many play" });
  const allowLeveller = () => { leveller.hidden = !(room.get("/host") > 0); };
  room.on("/host", allowLeveller);
  allowLeveller();
  room.on("/clip", ([name]) => channels.get(name)?.clip());
  sync();
  return [
    h("div", {}, list, h("div.group", {}, loudness, leveller), h("p.quiet", { textContent: "The lights show full scale; tap one to put it out. Hosts move everybody’s faders, you your own." })),
    {
      show: () => { isOpen = true; room.want("meters"); sync(); animate(draw); },
      hide: () => { isOpen = false; room.want("meters", false); },
    },
  ];
}

function sync() {
  const names = ["master", ...heard()];
  for (const [name, channel] of channels) if (!names.includes(name)) { channel.leave(); channels.delete(name); }
  for (const name of names) if (!channels.has(name)) channels.set(name, new Channel(name));
  const left = leftLoops();
  for (const [name, channel] of channels) channel.seeLeft(left.includes(name));
  arrange(list, names.map((name) => channels.get(name).element));
}

class Channel {
  #scope = new AbortController();

  get #called() { return this.name === "master" ? t("Master") : shown(this.name); }

  constructor(name) {
    this.name = name;
    const { signal } = this.#scope;
    const isMaster = name === "master";
    const gainAddress = isMaster ? "/master/gain" : `/player/${name}/gain`;
    const [lowest, highest] = range(gainAddress);
    this.range = h("input", { type: "range", min: lowest, max: highest, step: 0.5, "aria-label": w`${this.#called}: volume` });
    const out = h("output.quiet", {});
    room.on(gainAddress, ([gain]) => {
      this.range.value = gain;
      out.value = decibels(gain);
      this.range.setAttribute("aria-valuetext", out.value);
    }, signal);
    const own = () => !isMaster && name === room.player && !room.get("/host");
    this.range.addEventListener("input", () => {
      const gain = Number(this.range.value);
      out.value = decibels(gain);
      // The player's own channel has an address of its own, which does not need a host's rights.
      if (own()) room.set("/gain", gain);
      else room.set(gainAddress, gain);
    });
    this.range.addEventListener("dblclick", () => { this.range.value = 0; this.range.dispatchEvent(new Event("input")); });
    this.meter = new Meter();
    this.light = h("button.clip", { type: "button", "aria-label": w`${this.#called} is not clipping`, onclick: () => this.unclip() });
    this.mute = this.#switch("Mute", "mute", signal, own);
    this.solo = this.#switch("Solo", "solo", signal);
    const dot = h("i.dot");
    if (!isMaster) dot.style.backgroundColor = readable(colourOf(name));
    const called = h("b", { given: this.#called });
    if (!isMaster) called.title = this.#called;
    // The number of the player's fader on a mixer, `/seat/<n>/…`.
    const seat = h("small", { hidden: true });
    if (!isMaster) {
      room.on(`/player/${name}/seat`, ([number]) => {
        seat.hidden = false;
        seat.textContent = number;
        seat.title = w`Seat ${number}`;
      }, signal);
    }
    this.left = h("small.quiet", { hidden: true, textContent: "has left; the music stays" });
    const mine = h("small.quiet", { hidden: true });
    if (!isMaster) room.on(`/mix/${name}/*`, () => this.#sayMine(mine), signal);
    const head = h("div.row.head", {}, isMaster ? null : dot, called, seat, out, this.light);
    this.element = h("div.channel.group", {}, head, this.meter.canvas, isMaster ? scale() : null, h("div.row.nowrap", {}, this.range, isMaster ? null : this.mute, isMaster ? null : this.solo), this.left, mine, isMaster ? null : holdsLine(name, signal));
    if (isMaster) this.element.classList.add("master");
    this.allow();
  }

  #switch(label, what, signal, own) {
    const address = `/player/${this.name}/${what}`;
    const button = h("button.text.small", { type: "button", textContent: label, "aria-label": `${t(label)} ${shown(this.name)}`,
      onclick: () => { const on = room.get(address) ? 0 : 1; if (own?.()) room.set("/mute", on); else room.set(address, on); } });
    room.on(address, ([on]) => button.setAttribute("aria-pressed", String(on > 0)), signal);
    return button;
  }

  /// Shows the own mix beside the levels for everybody, so that nobody takes one for the other.
  #sayMine(place) {
    const [gain, mute] = ["gain", "mute"].map((what) => room.get(`/mix/${this.name}/${what}`, 0));
    place.hidden = gain === 0 && Number(mute) === 0;
    write(place, mute > 0 ? t("for me: muted") : w`for me: ${decibels(gain)}`);
  }

  /// Music that somebody left has a level and a mute still, and no solo.
  seeLeft(hasLeft) {
    this.left.hidden = !hasLeft;
    this.solo.hidden = hasLeft;
  }

  allow() {
    const may = room.get("/host") > 0;
    const mine = this.name === room.player || this.name === "master";
    this.range.disabled = !may && !mine;
    this.mute.disabled = !may && !mine;
    this.solo.disabled = !may;
  }

  clip() {
    if (this.light.classList.contains("on")) return;
    this.light.classList.add("on");
    this.light.setAttribute("aria-label", w`${this.#called} clipped; tap to put the light out`);
  }

  unclip() {
    this.light.classList.remove("on");
    this.light.setAttribute("aria-label", w`${this.#called} is not clipping`);
  }

  leave() { this.#scope.abort(); }
}

// The server sends 20 values a second. Between two of them the bar falls by itself.
const FALL = 24; // dB per second
const FLOOR = -60;
const MARKS = [-40, -24, -12, -6, -3]; // dB relative to full scale
const MARK = 4; // The height of a mark, in pixels.

class Meter {
  levels = [FLOOR, FLOOR];
  peaks = [FLOOR, FLOOR];
  last = 0;
  /// Whether nothing falls any more.
  still = false;
  /// Whether the meter is in sight, and the places at which its bars were drawn.
  #isSeen = true;
  #drawn = "";

  constructor() {
    this.canvas = h("canvas.meter", { "aria-hidden": "true" });
    this.context = this.canvas.getContext("2d");
    fitCanvas(this.canvas, () => this.draw(performance.now(), true));
    new IntersectionObserver((looks) => {
      this.#isSeen = looks.at(-1).isIntersecting;
      if (this.#isSeen) this.draw(performance.now(), true);
    }).observe(this.canvas);
  }

  see(left, right) {
    for (const [side, value] of [left, right].entries()) {
      this.levels[side] = Math.max(this.levels[side], value);
      this.peaks[side] = Math.max(this.peaks[side], value);
    }
  }

  draw(now, force = false) {
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    const { context, canvas } = this;
    const { width, height } = canvas;
    if (!force && this.still && this.levels.every((level) => level <= FLOOR)) return;
    this.still = true;
    for (const side of [0, 1]) {
      this.levels[side] = Math.max(FLOOR, this.levels[side] - FALL * passed);
      this.peaks[side] = Math.max(FLOOR, this.peaks[side] - (FALL / 3) * passed);
      if (this.peaks[side] > FLOOR) this.still = false;
    }
    const places = [...this.levels, ...this.peaks].map((level) => Math.round(place(level) * width));
    const loud = this.levels.map((level) => level > -1);
    const told = [...places, ...loud].join(" ");
    if (!force && (!this.#isSeen || told === this.#drawn)) return;
    this.#drawn = told;
    context.clearRect(0, 0, width, height);
    const bar = Math.floor((height - MARK - 2) / 2);
    for (const side of [0, 1]) {
      const top = side * (bar + 2);
      context.fillStyle = colours.line;
      context.fillRect(0, top, width, bar);
      context.fillStyle = loud[side] ? colours.accent : colours.strong;
      context.fillRect(0, top, places[side], bar);
      context.fillStyle = colours.ink;
      if (this.peaks[side] > FLOOR) context.fillRect(places[2 + side] - 2, top, 2, bar);
    }
    context.fillStyle = colours.strong;
    for (const level of MARKS) context.fillRect(Math.round(place(level) * width), height - MARK, 1, MARK);
  }
}

/// The figures under the marks of all meters, in dB.
const scale = () => h("div.meterscale", { "aria-hidden": "true" }, MARKS.map((level) => {
  const mark = h("span", { given: `−${-level}` });
  mark.style.insetInlineStart = `${place(level) * 100}%`;
  return mark;
}));

const place = (level) => Math.min(1, Math.max(0, (level - FLOOR) / -FLOOR)) ** 1.4;
let colours = {};
function readColours() { colours = Object.fromEntries(["line", "accent", "strong", "ink"].map((name) => [name, token(name)])); }
addEventListener("themechange", () => {
  readColours();
  for (const { meter } of channels.values()) meter.draw(performance.now(), true);
});
readColours();

/// - Returns: whether a bar still falls, and somebody sees it.
function draw(now) {
  for (const channel of channels.values()) channel.meter.draw(now);
  return isOpen && [...channels.values()].some(({ meter }) => !meter.still);
}
