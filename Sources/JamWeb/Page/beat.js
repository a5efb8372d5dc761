// The room's beat on the shared clock: where it is at any moment, told a beat ahead by /beat/next. Nothing is drawn
// from when a message arrived.

import { animate } from "./frame.js";
import { at, h, say } from "./dom.js";
import { room } from "./room.js";

/// Two neighbouring beats: server time in milliseconds, bar and beat, quarter notes per minute.
let last = null;
let next = null;

export const signature = () => room.all("/signature") ?? [4, 4];
const beatsPerBar = () => signature()[0];
const beatMilliseconds = (bpm) => (60000 / bpm) * (4 / signature()[1]);
const count = (mark) => (mark.bar - 1) * beatsPerBar() + mark.beat - 1;

room.on("/beat/next", ([bar, beat, bpm], _, time) => {
  if (time === null) return;
  const mark = { bar, beat, bpm, time };
  if (next && next.time <= time - 1) last = next;
  next = mark;
});
room.on("disconnected", () => { last = next = null; });
room.on("/play", ([on]) => { if (!on) last = next = null; });

/// The position at server time `now`: whole and broken beats since bar 1; null while unknown.
export function beatsAt(now) {
  if (now === null || !next || !room.get("/play")) return null;
  const apart = last ? count(next) - count(last) : 0;
  if (last && apart === 1 && now < next.time) {
    return count(last) + (now - last.time) / (next.time - last.time);
  }
  return count(next) + (now - next.time) / beatMilliseconds(next.bpm);
}

/// The server's time of a position that is near.
export function timeOf(beats) {
  return next ? next.time + (beats - count(next)) * beatMilliseconds(next.bpm) : null;
}

/// Bar, beat and how far into it, at the present.
export function position() {
  const beats = beatsAt(room.clock.server());
  if (beats === null) return null;
  const per = beatsPerBar();
  const whole = Math.floor(beats);
  return { beats, bar: Math.floor(whole / per) + 1, beat: ((whole % per) + per) % per, phase: beats - whole };
}

// ---- Where the loop is: told 30 times a second, but asked for only until its length and the bar that it began on are
// known; then it is drawn from the clock.

let loop = null;
let firstSeen = null;

room.on("/loop/position", ([phase]) => {
  const beats = beatsAt(room.clock.server());
  if (beats === null || loop) return;
  if (!firstSeen || phase < firstSeen.phase) {
    firstSeen = { beats, phase };
    return;
  }
  const passed = beats - firstSeen.beats;
  if (passed < 1) return;
  const per = beatsPerBar();
  const measured = passed / (phase - firstSeen.phase);
  // A pass that was ended early made a shorter loop than was ordered.
  const ordered = room.get("/loop/bars", 4) * per;
  const length = Math.abs(measured / ordered - 1) < 0.15 ? ordered : Math.max(1, Math.round(measured / per)) * per;
  loop = { length, start: Math.round((beats - phase * length) / per) * per };
  room.want("position", false);
});

function learnLoop() {
  loop = firstSeen = null;
  room.want("position", ["playing", "overdubbing", "recording"].includes(room.get("/loop/state")));
}
for (const address of ["/loop/state", "/loop/layers", "/signature"]) room.on(address, learnLoop);

export const loopBeats = () => loop?.length ?? room.get("/loop/bars", 4) * beatsPerBar();

/// How far the loop has gone round, 0 ..< 1; without a loop, how far the same number of bars of the room has.
export function loopPhase(beats) {
  const turns = (beats - (loop?.start ?? 0)) / loopBeats();
  return turns - Math.floor(turns);
}

// ---- What is seen of it.

const dots = at("beats");
let lit = -1;
let shownBar = "";

function makeDots() {
  const wanted = Math.min(beatsPerBar(), 16);
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
    say(at("position"), bar);
  }
  if (now) at("loopbar").style.transform = `scaleX(${loopPhase(now.beats).toFixed(4)})`;
}
animate(draw);

/// For whoever measures: the beat as it is drawn, at a moment of performance.now().
window.bandshellBeat = (local = performance.now()) => beatsAt(room.clock.server(local));

/// Beats since the loop began; without a loop, since bar 1.
export const loopBeatsSince = (beats) => beats - (loop?.start ?? 0);
