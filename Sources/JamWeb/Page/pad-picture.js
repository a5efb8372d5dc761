// The picture on a pad: the waveform of its sound, the position in it while it plays, and the
// player who hit the pad.

import { readable } from "./colour.js";
import { h, shown, token, write } from "./dom.js";
import { animate } from "./frame.js";
import { ownColour, pads } from "./pads.js";
import { colourOf } from "./people.js";
import { room } from "./room.js";

const PARTS = 48;
/// Milliseconds: a hit fills the pad with its player's colour for FLASH, and shows the name for
/// NAMED.
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
  #hit = null;
  #nameless = 0;

  constructor(pad) {
    this.pad = pad;
    this.who = h("span.who", { hidden: true, "aria-hidden": "true" });
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
    animate(this.pad.draw);
  }

  hit(player, now) {
    const colour = readable(colourOf(player));
    this.#hit = { colour, start: now };
    this.who.hidden = player === room.player;
    if (this.who.hidden) return;
    write(this.who, shown(player));
    this.who.style.setProperty("--player", colour);
    clearTimeout(this.#nameless);
    this.#nameless = setTimeout(() => { this.who.hidden = true; }, NAMED);
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

  /// - Returns: whether to draw again in the next frame.
  draw(context, now, rings) {
    const { width, height } = context.canvas;
    if (!width || !height) return false;
    if (!this.#isDrawn || this.#still.width !== width || this.#still.height !== height) this.#prepare(width, height);
    const isAlive = this.#drawHit(context, now, width, height);
    context.drawImage(this.#still, 0, 0);
    const ring = rings.findLast((ring) => ring && !ring.over);
    let done = ring ? (now - ring.start) / ring.milliseconds : -1;
    if (ring?.turns) done %= 1;
    if (!this.peaks || !(done >= 0 && done < 1)) return isAlive;
    const [begin, end] = this.#span();
    const edge = (2 * width) / (PARTS + 4);
    const [from, to] = [begin, begin + (end - begin) * done].map((part) => edge + part * (width - 2 * edge));
    const wide = Math.max(1, to - from);
    context.drawImage(this.#past, from, 0, wide, height, from, 0, wide, height);
    context.fillStyle = ink;
    context.fillRect(to, height * 0.22, Math.max(1, width / 160), height * 0.42);
    return isAlive;
  }

  /// Fills the pad with the colour of the player who hit it, weakly enough that its name stays
  /// readable.
  #drawHit(context, now, width, height) {
    const left = this.#hit ? 1 - (now - this.#hit.start) / FLASH : 0;
    if (left <= 0) {
      this.#hit = null;
      return false;
    }
    context.globalAlpha = Math.min(1, left) * (isDark() ? 0.3 : 0.5) * (isCalm.matches ? 0.5 : 1);
    context.fillStyle = this.#hit.colour;
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 1;
    return true;
  }
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
