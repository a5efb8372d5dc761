// Everybody's loops with their notes, as the server tells them, and the times at which the notes
// sound. This uses nothing of the page.

import { isHighKey } from "./kind.js";

/// The states of a loop that plays, or will play.
const RUNS = ["playing", "overdubbing", "recording"];
/// The states in which hits are recorded.
const TAKES = ["recording", "overdubbing"];
/// A hit may lie up to this many beats before a pass and still belong to that pass.
const EARLY = 0.5;

export class LoopBook {
  /// The loops by player, in the order in which the server told them.
  loops = new Map();
  #coming = new Map();

  /// - ask: asks the server for a player's notes; changed: called whenever the loops must be drawn
  ///   anew.
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
  note([player, layer, number, pad, beat, velocity, length, cycle, category = ""]) {
    this.#of(player).notes.push({ layer, number, pad, beat, velocity, length, cycle, category });
  }

  /// Takes a `/loop/layer`.
  layer([player, number, muted, gain, steps, owner = "", borrower = ""]) {
    this.#of(player).layers.set(number, { muted: muted > 0, gain, steps: steps > 0, owner, borrower });
  }

  /// Takes a `/loop/notes/end`.
  end([player, mark]) {
    const { notes, layers } = this.#of(player);
    this.#coming.delete(player);
    const loop = this.loops.get(player);
    if (!loop) return;
    for (const chord of chordsOf(notes)) for (const note of chord) note.isChord = true;
    loop.notes = notes;
    loop.layers = layers;
    loop.held = mark;
    loop.inDoubt = false;
    // The loop may have changed again since the server sent these notes.
    this.#fetch(loop);
    this.changed();
  }

  /// A player left, or has another name. If the loop still plays, its notes are asked for once
  /// more.
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

  /// The server refused to send notes: no player has the loops in doubt, so they are deleted.
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

/// Counted beats: a hit of a loop's pad that far from its note is the note itself.
const SAME = 0.1;

/// Whether a hit is a note of its player's loop that goes round.
/// - unit: counted beats in a quarter note.
export function isOfLoop(loop, { pad, at }, unit) {
  if (!loop?.runs) return false;
  return loop.notes.some((note) => {
    const cycle = note.cycle * unit;
    if (note.pad !== pad || !(cycle > 0)) return false;
    const apart = at - loop.origin - note.beat * unit;
    return Math.abs(apart - Math.round(apart / cycle) * cycle) < SAME;
  });
}

/// Different keys of one player, at one time, are a chord: of a triad two may lie above the bass.
const isChord = (notes) => new Set(notes.map(({ pad }) => pad)).size >= 2;

/// The chords among a loop's notes, each as a list of its notes.
function chordsOf(notes) {
  const keys = notes.filter(({ pad }) => isHighKey(pad));
  keys.sort((a, b) => a.layer - b.layer || a.beat - b.beat);
  const groups = [];
  for (const note of keys) {
    const first = groups.at(-1)?.[0];
    if (first?.layer === note.layer && note.beat - first.beat < SAME) groups.at(-1).push(note);
    else groups.push([note]);
  }
  return groups.filter(isChord);
}

/// Sets `isChord` of a hit, and of those hits that sound with it, if they are a chord together.
export function markChord(hits, { player, pad, at }) {
  if (!isHighKey(pad)) return;
  const together = hits.filter((hit) => (
    hit.player === player && isHighKey(hit.pad) && Math.abs(hit.at - at) < SAME));
  if (isChord(together)) for (const hit of together) hit.isChord = true;
}

/// The hits that no loop plays: of hands, and of patterns on lanes. Each is seen until the playhead
/// comes back to it.
export class Trail {
  hits = [];

  /// Takes a hit { player, pad, velocity, at }, at a place in counted beats.
  take(hit) {
    this.hits.push(hit);
    if (this.hits.length > Trail.most) this.hits.shift();
    markChord(this.hits, hit);
  }

  /// Forgets what the playhead has come back to.
  /// - Returns: whether anything was forgotten.
  pass(beats, long) {
    const left = this.hits.filter(({ at }) => at > beats - long && at < beats + long);
    const isLess = left.length < this.hits.length;
    this.hits = left;
    return isLess;
  }

  /// Forgets what came into a new layer of a loop: it would stand there twice, and elsewhere, since
  /// the room moves it to where its player heard the beat.
  /// - before: the layers that the loop had.
  kept(loop, before) {
    const isNew = ({ layer }) => !before.has(layer);
    const pads = new Set(loop.notes.filter(isNew).map(({ pad }) => pad));
    this.hits = this.hits.filter(({ player, pad }) => player !== loop.player || !pads.has(pad));
  }

  static most = 512;
}

/// Whether a hit at a place, in counted beats, belongs to the pass that its player is recording
/// now. Hits of earlier passes come back as notes.
/// - unit: counted beats in a quarter note.
export function isUnderWay(loop, at, unit) {
  if (!TAKES.includes(loop?.state)) return false;
  const long = loop.length * unit;
  return !(long > 0 && loop.turn >= 0 && loop.held === loop.mark) || at >= loop.turn - long - EARLY;
}

/// A note sounds at `at`, and every `cycle` beats before and after. This is its first time from
/// `from` on. A tolerance of a millionth of a cycle makes sure that rounding loses nothing at the
/// beginning of the view.
const firstFrom = (from, at, cycle) => at + Math.ceil((from - at) / cycle - 1e-6) * cycle;

/// Where in the visible stretch a hit of a pass will sound again; null where it will not. The hit
/// repeats with its own loop, however long the visible stretch is. In a first pass, which has no
/// length yet, it is where it was played.
export function placeOf(at, long, view) {
  if (!(long > 0)) return at >= view.from && at < view.from + view.long ? at : null;
  const place = firstFrom(view.from, at, long);
  return place < view.from + view.long ? place : null;
}

/// Calls `each(note, at)` for every time from `from` up to `to`, in counted beats, at which a note
/// of the loop sounds.
/// - unit: counted beats in a quarter note.
export function fall(loop, unit, from, to, each) {
  for (const note of loop.notes) {
    const cycle = note.cycle * unit;
    if (!(cycle > 0)) continue;
    const first = firstFrom(from, loop.origin + note.beat * unit, cycle);
    for (let at = first; at < to - 1e-6; at += cycle) each(note, at);
  }
}

/// The steps of a pad's row, from 1, that a loop which is longer than the row plays in some of the
/// row's rounds and not in others.
/// - count: the steps of the row, which are sixteenths.
export function stepsOfSomeRounds(notes, pad, count) {
  const mine = notes.filter((note) => note.pad === pad);
  // The rounds of a note's cycle; all cycles together come round after the longest.
  const of = ({ cycle }) => Math.max(1, Math.ceil(Math.round(cycle * 4) / count));
  const most = Math.max(1, ...mine.map(of));
  const rounds = new Map();
  for (const note of mine) {
    const place = Math.floor(note.beat * 4 + 0.5);
    const step = (place % count) + 1;
    if (!rounds.has(step)) rounds.set(step, new Set());
    const first = Math.floor(place / count) % of(note);
    for (let round = first; round < most; round += of(note)) rounds.get(step).add(round);
  }
  return [...rounds].filter(([, played]) => played.size < most).map(([step]) => step);
}

/// The stretch of time that is visible at `beats`: one round of the player's own loop, else of the
/// longest loop that plays, else `otherwise` beats.
export function windowAt(beats, own, loops, unit, otherwise) {
  const length = (loop) => loop.length * unit;
  const lead = own && length(own) > 0 ? own : [...loops].filter((loop) => loop.runs && length(loop) > 0).sort((a, b) => length(b) - length(a))[0];
  const long = Math.max(1, lead ? length(lead) : otherwise);
  const origin = lead?.origin ?? 0;
  const from = origin + Math.floor((beats - origin) / long + 1e-9) * long;
  return { from, long };
}

/// Where a note is drawn in its row, in the canvas's own pixels.
/// - row: its top and height; view: the visible stretch of time; picture: the canvas's width, and
///   its number of pixels per CSS pixel.
export function boxOf({ pad, when, length }, { top, tall }, { from, long }, { width, ratio }) {
  const place = (beat) => ((beat - from) / long) * width;
  const thick = Math.max(3 * ratio, Math.min(tall / 7, 9 * ratio));
  const x = place(when);
  const wide = Math.max(4 * ratio, Math.min(place(when + (length || 0.22)) - x - ratio, width / 8));
  return { x, y: top + ratio + (1 - height(pad)) * Math.max(0, tall - thick - 2 * ratio), wide, thick };
}

/// REACH: the largest distance in CSS pixels between a finger and the note that it means. Distances
/// to another player's notes count OTHERS times.
const [REACH, OTHERS] = [22, 1.5];

/// The note that a finger at `x`, `y` means, as { loop, note }: the nearest one of all rows; null
/// where none is near.
/// - rows: { loop, top, tall }; unit: counted beats in a quarter note; own: the player who touches;
///   reach: the largest distance, in CSS pixels.
export function noteNear(x, y, { rows, view, picture, unit, own, reach = REACH }) {
  let best = null;
  for (const { loop, ...row } of rows) {
    const times = loop.player === own ? 1 : OTHERS;
    fall(loop, unit, view.from, view.from + view.long, (note, when) => {
      const box = boxOf({ pad: note.pad, when, length: note.length * unit }, row, view, picture);
      const apart = times * Math.hypot(Math.max(box.x - x, 0, x - box.x - box.wide), Math.max(box.y - y, 0, y - box.y - box.thick));
      if (apart <= reach * picture.ratio && apart < (best?.apart ?? Infinity)) best = { loop, note, apart };
    });
  }
  return best;
}

/// How high in its row a note is drawn, 0…1: the sixteen pads from the bottom up, keys by their
/// pitch.
export const height = (pad) => (pad <= 16 ? (pad - 1) / 15 : Math.min(1, Math.max(0, (pad - 17 - 24) / 72)));
