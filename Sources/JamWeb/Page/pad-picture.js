// The picture on a pad: the waveform of its sound, the position in it while it plays, and the
// player who hit the pad.

import { readable } from "./colour.js";
import { h, shown, token, write } from "./dom.js";
import { animate } from "./frame.js";
import { ownColour, pads } from "./pads.js";
import { colourOf } from "./people.js";
import { room } from "./room.js";

const PARTS = 48;
/// The width of both rings, in lines.
const RINGS = 2.5;
/// Milliseconds: a hit fills the pad with its sound's colour for FLASH, and shows its player's name
/// for NAMED.
const FLASH = 340;
const NAMED = 1100;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const isDark = () => document.documentElement.dataset.theme === "dark";
let ink = token("ink");

class PadPicture {
  peaks = null;
  #still = document.createElement("canvas");
  #past = document.createElement("canvas");
  #isDrawn = false;
  /// The light of a hit, which fades without the page, and its animation.
  #light = h("span.hitlight");
  #fades = null;
  #lit = "";
  /// The player of the last hit, and its moment; empty for the player's own hits.
  hitter = "";
  hitAt = -Infinity;
  /// The colour behind the name.
  #named = "";
  /// How far the playing position is drawn, in pixels of the canvas; null while nothing plays.
  #drawn = null;
  /// The top and the bottom of what the playing position passes, and of its line, in whole pixels:
  /// of a part of a pixel something would stay where the line has passed.
  #box = [0, 0];
  #mark = [0, 0];

  constructor(pad) {
    this.pad = pad;
    this.who = h("span.who", { hidden: true, "aria-hidden": "true" });
    pad.canvas.before(this.#light);
    pad.element.append(this.who);
    const address = pad.address("/sample");
    room.on(address, async ([id]) => {
      const peaks = await peaksOf(id);
      if (room.get(address, "") !== id) return;
      this.peaks = peaks;
      this.fresh();
    });
    for (const what of ["/start", "/seconds", "/plays"]) room.on(pad.address(what), () => this.fresh());
  }

  fresh() {
    this.#isDrawn = false;
    this.pad.renew();
  }

  /// Fills the pad with the colour of its sound, weakly enough that its name stays readable, and
  /// shows the name of the player who hit it.
  hit(player) {
    const colour = ownColour(this.pad);
    const strength = (isDark() ? 0.3 : 0.5) * (isCalm.matches ? 0.5 : 1);
    // The last two digits of a colour are its opacity.
    const light = colour + Math.round(255 * strength).toString(16).padStart(2, "0");
    if (this.#lit !== light) this.#light.style.backgroundColor = light;
    this.#lit = light;
    this.#fades ??= this.#light.animate({ opacity: [1, 0] }, FLASH);
    this.#fades.currentTime = 0;
    this.#fades.play();
    this.hitter = player === room.player ? "" : player;
    if (this.hitter) this.hitAt = performance.now();
    named.add(this);
    animate(name);
  }

  /// Shows who hit the pad, or nobody where that was too long ago.
  /// - Returns: whether a name is shown.
  name(now) {
    const isOver = this.hitter === "" || now - this.hitAt > NAMED;
    this.who.hidden = isOver;
    if (isOver) return false;
    const colour = readable(colourOf(this.hitter));
    write(this.who, shown(this.hitter));
    if (this.#named !== colour) this.who.style.setProperty("--player", colour);
    this.#named = colour;
    return true;
  }

  /// The start and the end of the part of the sound that a hit plays, as parts of the whole sound,
  /// 0…1.
  #span() {
    const at = (what, otherwise) => room.get(this.pad.address(what), otherwise);
    const whole = Math.max(0.01, at("/seconds", 0.5)) * 1000;
    const start = Math.min(0.99, at("/start", 0) / whole);
    const length = (whole * (1 - start)) / 2 ** (at("/transpose", 0) / 12);
    return [start, start + (1 - start) * Math.min(1, this.pad.milliseconds / length)];
  }

  /// Draws the two states of the waveform once; from then on they are only copied.
  #prepare(width, height) {
    this.#isDrawn = true;
    const [begin] = this.#span();
    // The waveform lies between the number at the top and the name at the bottom.
    const ratio = width / (this.pad.canvas.clientWidth || width);
    const [top, bottom] = [24 * ratio, height - 30 * ratio];
    const [middle, most] = [(top + bottom) / 2, Math.max(8 * ratio, Math.min(height * 0.42, bottom - top))];
    const step = width / (PARTS + 4);
    const [high, low] = [middle - most / 2, middle + most / 2];
    this.#mark = [Math.round(height * 0.22), Math.round(height * 0.64)];
    this.#box = [
      Math.min(Math.floor(high), this.#mark[0]), Math.max(Math.ceil(low), this.#mark[1]),
    ];
    for (const [canvas, strength] of [[this.#still, 0.55], [this.#past, 1]]) {
      canvas.width = width;
      canvas.height = height;
      if (!this.peaks || room.get(this.pad.address("/plays"))) continue;
      const context = canvas.getContext("2d");
      context.fillStyle = ownColour(this.pad);
      for (const [part, peak] of this.peaks.entries()) {
        context.globalAlpha = (part + 0.5) / PARTS < begin ? strength * 0.35 : strength;
        const tall = Math.max(step * 0.5, peak * most);
        context.fillRect((part + 2) * step, middle - tall / 2, step * 0.68, tall);
      }
    }
  }

  /// Draws the sound, of which nothing plays.
  draw(context) {
    const { width, height } = context.canvas;
    this.#drawn = null;
    if (!width || !height) return;
    if (!this.#isDrawn || this.#still.width !== width || this.#still.height !== height) this.#prepare(width, height);
    context.drawImage(this.#still, 0, 0);
  }

  /// Draws the playing position on, as far as it has come.
  /// - done: the part of the hit that is over, 0…1; null while nothing plays.
  /// - Returns: whether it drew over the place of the rings.
  go(context, done) {
    const { width, height } = context.canvas;
    if (done === null || !this.peaks || !width || !height) return false;
    const [begin, end] = this.#span();
    const edge = (2 * width) / (PARTS + 4);
    const placeOf = (part) => edge + part * (width - 2 * edge);
    const line = Math.max(1, Math.round(width / 160));
    const to = Math.round(placeOf(begin + (end - begin) * done));
    const from = this.#drawn ?? Math.floor(placeOf(begin));
    if (to <= this.#drawn) return false;
    // The line's last place is part of what is drawn over.
    const [wide, [top, bottom]] = [Math.max(1, to - from), this.#box];
    context.clearRect(from, top, wide + line, bottom - top);
    context.drawImage(this.#past, from, top, wide, bottom - top, from, top, wide, bottom - top);
    context.fillStyle = ink;
    context.fillRect(to, this.#mark[0], line, this.#mark[1] - this.#mark[0]);
    this.#drawn = to;
    const rings = this.pad.line * RINGS;
    return from < rings || to + line > width - rings || top < rings || bottom > height - rings;
  }
}

// ---- Names. All are set in one frame: each text that changes makes the browser lay out its pad.

/// Milliseconds for which a name stays at least: nobody reads it sooner.
const READ = 250;
const named = new Set();
let lastNamed = -Infinity;

function name(now) {
  const wait = lastNamed + READ - now;
  if (wait > 0) return wait;
  lastNamed = now;
  for (const picture of named) if (!picture.name(now)) named.delete(picture);
  return named.size > 0 && READ;
}

// ---- Peaks. Those of a whole kit are loaded at once, because most pads play sounds of one kit.

const known = new Map();

function fetched(path, read) {
  if (!known.has(path)) {
    known.set(path, fetch(room.path(`waveforms/${path.split("/").map(encodeURIComponent).join("/")}`))
      .then(async (answer) => (answer.ok ? read(await answer.json()) : null))
      .catch(() => {
        // The next request may reach the server again.
        known.delete(path);
        return null;
      }));
  }
  return known.get(path);
}

/// Reduces `all` to `count` parts, each with its largest value.
function fewer(all, count) {
  const edge = (part) => Math.floor((part * all.length) / count);
  return Array.from({ length: count }, (_, part) => Math.max(...all.slice(edge(part), Math.max(edge(part) + 1, edge(part + 1)))));
}

/// Reads two hexadecimal digits for each part, as 0…1.
const levels = (digits) => Array.from({ length: digits.length / 2 }, (_, part) => parseInt(digits.slice(2 * part, 2 * part + 2), 16) / 255);

/// The peaks of a sound by its id, such as `dub/3` or `own/…`; null where none are known.
async function peaksOf(id) {
  if (!id) return null;
  const [, kit, pad] = id.match(/^([^/]+)\/(\d+)$/) ?? [];
  if (!kit || kit === "own") return fetched(id, ({ peaks }) => fewer(peaks.map((peak) => peak / 255), PARTS));
  const found = await fetched(kit, ({ pads }) => pads.map(({ peaks }) => (peaks ? fewer(levels(peaks), PARTS) : null)));
  return found?.[pad - 1] ?? null;
}

// A kit that was saved again under its name may have other sounds.
room.on("/kits/item", ([, id]) => known.delete(id));

function freshen() {
  ink = token("ink");
  for (const pad of pads) pad.picture.fresh();
}

for (const pad of pads) pad.picture = new PadPicture(pad);
freshen();
// The pads' colours are set a little later than the theme.
addEventListener("themechange", () => setTimeout(freshen, 60));
room.on("tones", freshen);
