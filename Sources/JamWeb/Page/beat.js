// The room's beat on the shared clock: where it is at any moment, told a beat ahead by /beat/next. Nothing is drawn
// from when a message arrived.

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

/// The position at server time `now`: whole and broken beats since bar 1; null while unknown.
export const beatsAt = (now) => (room.get("/play") ? line.beatsAt(now) : null);

/// The server's time of a position that is near.
export const timeOf = (beats) => line.timeOf(beats);

/// Bar, beat and how far into it, at the present.
export const position = () => (room.get("/play") ? line.position(room.clock.server()) : null);

// ---- Where the loop is: how long it is and where it began, as everybody is told.

let loop = null;

/// How many counted beats a quarter note has.
export const countedBeats = () => signature()[1] / 4;

room.on("/player/loop", ([player, , , , length = 0, origin = 0]) => {
  if (player === room.player) loop = length > 0 ? { length: length * countedBeats(), start: origin } : null;
});

/// Beats since the loop began; without a loop, since bar 1.
export const loopBeatsSince = (beats) => beats - (loop?.start ?? 0);

// ---- What is seen of it.

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
}
animate(draw);

/// For whoever measures: the beat as it is drawn, at a moment of performance.now().
window.bandshellBeat = (local = performance.now()) => beatsAt(room.clock.server(local));
