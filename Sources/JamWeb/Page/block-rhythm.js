// Patterns as pictures of their rhythm: a row for each sound, in the colour of its kind.

import { KINDS, kindOf, mostly, toneOf } from "./kind.js";
import { room } from "./room.js";

const SVG = "http://www.w3.org/2000/svg";
/// The picture's own units. A hit is a fifth of a beat wide, and no narrower than LEAST.
const [WIDE, TALL, LEAST] = [200, 40, 2.4];
/// Milliseconds: between two questions, so that a full shelf asks for its patterns one by one; and
/// after a hit without another one, until the answer is whole. The server does not mark its end.
const [PAUSE, WHOLE] = [15, 60];
/// Milliseconds: an answer comes sooner.
const PATIENCE = 1000;

/// The hits of patterns by name, as { pad, beat, velocity, kind }.
const known = new Map();
const coming = new Map();
const wanted = new Set();
/// By performance.now(). A question without an answer is asked again, if it is asked for.
const askedAt = new Map();
/// The names that are asked for again, once the answer that comes is whole.
const stale = new Set();
let asking = 0;
let settling = 0;

/// Asks for the hits of a pattern of the list or of the own groove, if they are not known, or
/// `again`. Of others, such as those of other rooms, the server may tell nothing, and would say so.
export function want(name, again = false) {
  if (!again && known.has(name)) return;
  if (coming.has(name) && performance.now() - askedAt.get(name) < PATIENCE) {
    // Two answers at once would be one of twice the hits.
    if (again) stale.add(name);
    return;
  }
  wanted.add(name);
  asking ||= setInterval(askNext, PAUSE);
}

function askNext() {
  const [name] = wanted;
  if (name === undefined) {
    clearInterval(asking);
    asking = 0;
    return;
  }
  wanted.delete(name);
  coming.set(name, []);
  askedAt.set(name, performance.now());
  if (!room.send("/block/hits", name)) coming.delete(name);
}

room.on("/block/hit", ([name, pad, beat, velocity, , category = ""]) => {
  if (!coming.has(name)) coming.set(name, []);
  // An older server tells no category.
  const ofPad = () => partOf(name) ?? kindOf(room.get(`/pad/${pad}/category`, ""), pad);
  const kind = category ? kindOf(category) : ofPad();
  coming.get(name).push({ pad, category, beat, velocity, kind });
  clearTimeout(settling);
  settling = setTimeout(settle, WHOLE);
});

function settle() {
  for (const [name, hits] of coming) {
    if (hits.length === 0) continue;
    known.set(name, hits);
    coming.delete(name);
    if (stale.delete(name)) want(name, true);
  }
  room.tell("rhythms", []);
}

// The list is told anew after a reconnection, and asks for what may have changed.
room.on("connected", () => {
  coming.clear();
  wanted.clear();
  stale.clear();
});
room.on("/blocks/gone", ([name]) => known.delete(name));

/// A groove's patterns are called after their part, and are on no list.
const PART = /^groove (drums|bass|chords)$/;

/// The part of a groove that a pattern is.
const partOf = (name) => name.match(PART)?.[1];

/// The parts of all grooves have the same names: the hits are another's whenever a lane changes.
export function wantGroove(name) {
  if (partOf(name)) want(name, true);
}

/// The kind that a pattern is mostly of; `other` while its hits are not known.
export function kindOfBlock(name) {
  return partOf(name) ?? mostly((known.get(name) ?? []).map(({ kind }) => kind));
}

/// The beats of the bars in which a pattern has hits, for one of which no list tells the length.
export function beatsOf(name) {
  const last = Math.max(0, ...(known.get(name) ?? []).map(({ beat }) => beat));
  return (Math.floor(last / 4) + 1) * 4;
}

/// The rows of a pattern, from the lowest up: the kinds in their order, in a kind its pads.
function rowsOf(hits) {
  const place = ({ kind }) => (KINDS.indexOf(kind) + KINDS.length + 1) % (KINDS.length + 1);
  const names = new Map(hits.map((hit) => [`${hit.category} ${hit.pad}`, hit]));
  const sorted = [...names].sort(([, a], [, b]) => place(a) - place(b) || a.pad - b.pad);
  return sorted.map(([name]) => name);
}

/// The hits and the length that each picture shows.
const drawn = new WeakMap();

/// Draws a pattern's rhythm into a picture that `rhythm` made.
/// - beats: its length in quarter notes.
export function draw(picture, name, beats) {
  const hits = known.get(name) ?? [];
  const before = drawn.get(picture);
  if (before?.hits === hits && before.beats === beats) return;
  drawn.set(picture, { hits, beats });
  const rows = rowsOf(hits);
  const high = TALL / Math.max(2, rows.length);
  const width = Math.max(LEAST, (WIDE / Math.max(1, beats)) * 0.2);
  const paths = new Map();
  for (const hit of hits) {
    const row = rows.indexOf(`${hit.category} ${hit.pad}`);
    const tone = toneOf(hit.kind, row);
    const tall = high * (0.4 + 0.45 * hit.velocity);
    const top = TALL - (row + 0.5) * high - tall / 2;
    const left = Math.min(WIDE - width, (hit.beat / Math.max(1, beats)) * WIDE);
    const [x, y, wide, thick] = [left, top, width, tall].map((value) => value.toFixed(1));
    paths.set(tone, `${paths.get(tone) ?? ""}M${x} ${y}h${wide}v${thick}h-${wide}z`);
  }
  picture.replaceChildren(...[...paths].map(([tone, line]) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", line);
    path.style.fill = tone;
    return path;
  }));
}

/// An empty picture for a rhythm. Readers hear the pattern's name.
export function rhythm() {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${WIDE} ${TALL}`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("rhythm");
  return picture;
}
