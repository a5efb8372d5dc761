// The room's beat on the shared clock. `/beat/next` tells each beat ahead of its time, so that
// drawing does not depend on when a message arrives.

import { BeatLine } from "./beat-line.js";
import { animate } from "./frame.js";
import { at, h, write } from "./dom.js";
import { room } from "./room.js";

const line = new BeatLine();

export const signature = () => line.signature;

room.on("/signature", (values) => { line.signature = values; });
room.on("/beat/next", ([bar, beat, bpm], _, time) => { if (time !== null) line.take({ bar, beat, bpm, time }); });
room.on("disconnected", () => line.forget());
room.on("/play", ([on]) => { if (!on) line.forget(); });

/// Whether the beat goes round here. While nothing comes from the server, nobody knows whether the
/// room still plays.
const isKnown = () => room.get("/play") > 0 && room.isConnected;

/// Beats since bar 1, with fractions, at server time `now`; null while they are not known.
export const beatsAt = (now) => (isKnown() ? line.beatsAt(now) : null);

/// The server's time of a position in beats that is near the present.
export const timeOf = (beats) => line.timeOf(beats);

/// Bar, beat and phase at the present; null while they are not known.
export const position = () => (isKnown() ? line.position(room.clock.server()) : null);

/// Milliseconds from now until a position in beats, which must be near the present; 0 where it is
/// past.
export const until = (beats) => Math.max(0, line.timeOf(beats) - room.clock.server());

/// Milliseconds that a beat lasts from the next one on.
export const beatMilliseconds = () => line.timeOf(1) - line.timeOf(0);

/// Calls `act` whenever the beat may go on otherwise than before: it is told, starts or stops, or
/// the server falls silent.
export function onBeat(act) {
  const changes = ["/beat/next", "/play", "/signature", "disconnected", "quiet"];
  for (const what of changes) room.on(what, act);
  room.on("heard again", act);
}

// ---- The player's loop: its length, and where it began, as the server tells everybody.

let loop = null;

/// How many counted beats a quarter note has.
export const countedBeats = () => signature()[1] / 4;

room.on("/player/loop", ([player, , , , length = 0, origin = 0]) => {
  if (player === room.player) loop = length > 0 ? { length: length * countedBeats(), start: origin } : null;
});

/// Beats since the loop began; without a loop, since bar 1.
export const loopBeatsSince = (beats) => beats - (loop?.start ?? 0);

// ---- Drawing.

const dots = at("beats");
let lit = -1;
let shownBar = "";

function makeDots() {
  const wanted = Math.min(line.beatsPerBar, 16);
  if (dots.childElementCount !== wanted) dots.replaceChildren(...Array.from({ length: wanted }, () => h("i")));
  lit = -1;
}
room.on("/signature", makeDots);
makeDots();

function draw() {
  const now = position();
  const beat = now ? now.beat : -1;
  if (beat !== lit) {
    dots.children[lit]?.classList.remove("on");
    dots.children[beat]?.classList.add("on");
    lit = beat;
  }
  const bar = now ? `${now.bar}.${now.beat + 1}` : "–";
  if (bar !== shownBar) {
    shownBar = bar;
    write(at("position"), bar);
  }
  return now ? until(Math.floor(now.beats) + 1) : false;
}
onBeat(() => animate(draw));
animate(draw);

/// For measurements: the beat as it is drawn, at the moment `local` of performance.now().
window.bandshellBeat = (local = performance.now()) => beatsAt(room.clock.server(local));
