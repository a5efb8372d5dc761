// The picture of the loops: whose notes lie in which row, and the notes in the colours of their
// sounds. The strip above the pads and the big screen draw it. It knows no server.

import { shades } from "./kind.js";
import { boxOf, fall, placeOf } from "./loop-notes.js";

/// More rows than this would be too thin to tell apart: if more players have loops, several loops
/// share a row.
const MOST = 7;
/// The height of the player's own row: OWN CSS pixels where the picture is low, but at most the
/// part OWN_SHARE of the picture. It leaves OTHERS CSS pixels to each other row, for its name, as far
/// as it is not lower than these itself.
const [OWN, OWN_SHARE, OTHERS] = [28, 0.6, 13];
/// The part of its height that the softest note has. A note of another colour, or a paler one,
/// would be another sound, or invisible.
const SOFTEST = 0.45;
/// The part of its height that a hit has which no loop plays.
const PASSING = 0.5;

/// The rows of a picture: { loop, top, tall }, with the row's top and height.
/// - mine: the player's own loop, or null; it lies on top. others: all other loops.
/// - tall: the height of the picture; ratio: its pixels per CSS pixel.
export function layRows(mine, others, tall, ratio) {
  const count = Math.min(MOST, others.length);
  const wanted = Math.max(0.45, Math.min(OWN_SHARE, (OWN * ratio) / tall));
  const own = Math.max(1 / (count + 1), Math.min(wanted, 1 - (count * OTHERS * ratio) / tall));
  const share = mine ? (count ? own : 1) : 0;
  const rows = mine ? [{ loop: mine, top: 0, tall: tall * share }] : [];
  for (const [index, loop] of others.entries()) {
    const high = (tall * (1 - share)) / count;
    rows.push({ loop, top: tall * share + (index % count) * high, tall: high });
  }
  return rows;
}

/// A function that draws a note of a loop, or a hit, in the loop's row.
/// - facts: as for `paintLoops`.
function drawer(context, { size, view, kindIn }) {
  const { ratio } = size;
  const shade = shades();
  context.lineWidth = ratio;
  return (loop, row, note, { when, length = 0, strength, isHollow = false }) => {
    const { x, y, wide, thick } = boxOf({ pad: note.pad, when, length }, row, view, size);
    const high = Math.max(2 * ratio, thick * strength);
    const top = y + (thick - high) / 2;
    context.fillStyle = context.strokeStyle = shade(kindIn(loop.player, note), note.pad);
    // The frame lies on whole pixels, so that its thin line does not spread over two of them.
    if (!isHollow) return context.fillRect(x, top, wide, high);
    const [left, up] = [Math.round(x) + ratio / 2, Math.round(top) + ratio / 2];
    const inner = Math.max(ratio, Math.round(high - ratio));
    context.strokeRect(left, up, Math.round(wide - ratio), inner);
  };
}

const strengthOf = ({ velocity }) => SOFTEST + (1 - SOFTEST) * velocity;

/// Draws lines for bars and beats, and the notes of the rows' loops, on an empty picture.
/// - Parameters:
///   - size: { width, height, ratio } of the picture.
///   - view: the visible stretch of time, { from, long }.
///   - per: the beats of a bar; unit: the counted beats of a quarter note.
///   - lines: the colours of a beat's line and of a bar's.
///   - kindIn: the kind of a player's note or hit; isSilent: whether a note of a loop is muted.
export function paintLoops(context, rows, facts) {
  const { size, view, per, unit, lines, isSilent } = facts;
  const { width, height, ratio } = size;
  context.clearRect(0, 0, width, height);
  const place = (beat) => ((beat - view.from) / view.long) * width;
  for (let beat = Math.ceil(view.from); beat < view.from + view.long; beat += 1) {
    const isBar = beat % per === 0;
    if (!isBar && width / view.long < 5 * ratio) continue;
    context.fillStyle = lines[isBar ? 1 : 0];
    context.fillRect(Math.round(place(beat)), 0, Math.max(1, ratio / 2), height);
  }
  const draw = drawer(context, facts);
  for (const { loop, ...row } of rows) {
    fall(loop, unit, view.from, view.from + view.long, (note, when) => draw(loop, row, note, {
      when, length: note.length * unit, strength: strengthOf(note), isHollow: isSilent(loop, note),
    }));
  }
}

/// Draws hits of hands in the rows of their players.
/// - hits: { player, pad, velocity, at }. isTaken: whether they are those of the passes that are
///   recorded, which come back with their loops; the others are passing.
/// - facts: as for `paintLoops`.
export function paintHits(context, rows, hits, isTaken, facts) {
  if (hits.length === 0) return;
  const { view, unit } = facts;
  const draw = drawer(context, facts);
  const rowOf = new Map(rows.map((row) => [row.loop.player, row]));
  for (const hit of hits) {
    const row = rowOf.get(hit.player);
    if (!row) continue;
    const when = placeOf(hit.at, isTaken ? row.loop.length * unit : view.long, view);
    const strength = isTaken ? strengthOf(hit) : PASSING;
    if (when !== null) draw(row.loop, row, hit, { when, strength });
  }
}
