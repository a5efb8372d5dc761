// Everybody's loops with their notes, as the server tells them, and where those fall in a stretch of time. Nothing here needs a page.

/// What goes round, or is about to.
const RUNS = ["playing", "overdubbing", "recording"];
/// What takes hits down.
const TAKES = ["recording", "overdubbing"];
/// Beats by which a hit may lie before its pass and still be of it.
const EARLY = 0.5;

export class LoopBook {
  /// By player, in the order in which they were told.
  loops = new Map();
  #coming = new Map();

  /// - ask: asks the server for a player's notes; changed: is told whenever something is to be drawn anew.
  constructor(ask, changed) {
    this.ask = ask;
    this.changed = changed;
  }

  /// Takes a `/player/loop`.
  told([player, state, layers, bars, length = 0, origin = 0, turn = -1, next = "", mark = 0]) {
    const loop = this.loops.get(player) ?? { player, notes: [], layers: new Map(), held: 0, asked: 0 };
    Object.assign(loop, { state, count: layers, bars, length, origin, turn, next, mark, runs: RUNS.includes(state) });
    this.loops.set(player, loop);
    if (mark === 0) {
      loop.notes = [];
      loop.layers.clear();
      loop.held = loop.asked = 0;
    }
    this.#fetch(loop);
    this.changed();
  }

  #fetch(loop) {
    if (loop.mark === loop.held || loop.mark === loop.asked) return;
    loop.asked = loop.mark;
    this.ask(loop.player);
  }

  #of(player) {
    if (!this.#coming.has(player)) this.#coming.set(player, { notes: [], layers: new Map() });
    return this.#coming.get(player);
  }

  /// Takes a `/loop/note`.
  note([player, layer, number, pad, beat, velocity, length, cycle]) {
    this.#of(player).notes.push({ layer, number, pad, beat, velocity, length, cycle });
  }

  /// Takes a `/loop/layer`.
  layer([player, number, muted, gain, steps]) {
    this.#of(player).layers.set(number, { muted: muted > 0, gain, steps: steps > 0 });
  }

  /// Takes a `/loop/notes/end`.
  end([player, mark]) {
    const { notes, layers } = this.#of(player);
    this.#coming.delete(player);
    const loop = this.loops.get(player);
    if (!loop) return;
    loop.notes = notes;
    loop.layers = layers;
    loop.held = mark;
    loop.inDoubt = false;
    // They may be others by now.
    this.#fetch(loop);
    this.changed();
  }

  /// Somebody left, or has another name: what plays on is asked for once more.
  gone(player) {
    const loop = this.loops.get(player);
    if (!loop) return;
    if (!loop.runs) this.loops.delete(player);
    else {
      loop.inDoubt = true;
      this.ask(player);
    }
    this.changed();
  }

  /// Nobody has such a loop.
  refused() {
    for (const loop of [...this.loops.values()]) if (loop.inDoubt) this.loops.delete(loop.player);
    this.changed();
  }

  clear() {
    this.loops.clear();
    this.#coming.clear();
    this.changed();
  }
}

/// Whether a hit at a place, in counted beats, is of the pass that its player takes down now.
/// Passes before it have come back as notes.
/// - unit: counted beats of a quarter note.
export function isUnderWay(loop, at, unit) {
  if (!TAKES.includes(loop?.state)) return false;
  const long = loop.length * unit;
  return !(long > 0 && loop.turn >= 0 && loop.held === loop.mark) || at >= loop.turn - long - EARLY;
}

/// The first time from `from` on, of what sounds at `at` and every `cycle` beats before and behind.
/// A whisker early, so that nothing is lost to rounding at the beginning of what is shown.
const firstFrom = (from, at, cycle) => at + Math.ceil((from - at) / cycle - 1e-6) * cycle;

/// Where in the stretch that is shown a hit of a pass will sound; null where it will not.
/// It comes back with its own loop, however long the stretch is.
/// In a first pass it is where it was played.
export function placeOf(at, long, view) {
  if (!(long > 0)) return at >= view.from && at < view.from + view.long ? at : null;
  const place = firstFrom(view.from, at, long);
  return place < view.from + view.long ? place : null;
}

/// Calls `each(note, at)` for every time that a note of the loop sounds from `from` up to `to`, in counted beats.
/// - unit: counted beats of a quarter note.
export function fall(loop, unit, from, to, each) {
  for (const note of loop.notes) {
    const cycle = note.cycle * unit;
    if (!(cycle > 0)) continue;
    const first = firstFrom(from, loop.origin + note.beat * unit, cycle);
    for (let at = first; at < to - 1e-6; at += cycle) each(note, at);
  }
}

/// The stretch of time that is shown at `beats`: one round of one's own loop, else of the longest that goes round, else `otherwise` beats.
export function windowAt(beats, own, loops, unit, otherwise) {
  const length = (loop) => loop.length * unit;
  const lead = own && length(own) > 0 ? own : [...loops].filter((loop) => loop.runs && length(loop) > 0).sort((a, b) => length(b) - length(a))[0];
  const long = Math.max(1, lead ? length(lead) : otherwise);
  const origin = lead?.origin ?? 0;
  const from = origin + Math.floor((beats - origin) / long + 1e-9) * long;
  return { from, long };
}

/// Where a note is drawn in its row, in the picture's own pixels.
/// - row: its top and height; view: the stretch of time that is shown; picture: its width, and its pixels for one of the page's.
export function boxOf({ pad, when, length }, { top, tall }, { from, long }, { width, ratio }) {
  const place = (beat) => ((beat - from) / long) * width;
  const thick = Math.max(3 * ratio, Math.min(tall / 7, 9 * ratio));
  const x = place(when);
  const wide = Math.max(4 * ratio, Math.min(place(when + (length || 0.22)) - x - ratio, width / 8));
  return { x, y: top + ratio + (1 - height(pad)) * Math.max(0, tall - thick - 2 * ratio), wide, thick };
}

/// So near, in the page's pixels, a finger is to the note that it means; another player's counts as half as far again.
const [REACH, OTHERS] = [22, 1.5];

/// The note that a finger at `x`, `y` means, as { loop, note }: the nearest of all rows; null where none is near.
/// - rows: { loop, top, tall }; unit: counted beats of a quarter note; own: the player whose finger it is.
export function noteNear(x, y, { rows, view, picture, unit, own }) {
  let best = null;
  for (const { loop, ...row } of rows) {
    const times = loop.player === own ? 1 : OTHERS;
    fall(loop, unit, view.from, view.from + view.long, (note, when) => {
      const box = boxOf({ pad: note.pad, when, length: note.length * unit }, row, view, picture);
      const apart = times * Math.hypot(Math.max(box.x - x, 0, x - box.x - box.wide), Math.max(box.y - y, 0, y - box.y - box.thick));
      if (apart <= REACH * picture.ratio && apart < (best?.apart ?? Infinity)) best = { loop, note, apart };
    });
  }
  return best;
}

/// How far up in its row a note is drawn, 0…1: the sixteen pads from below, keys by their pitch.
export const height = (pad) => (pad <= 16 ? (pad - 1) / 15 : Math.min(1, Math.max(0, (pad - 17 - 24) / 72)));
