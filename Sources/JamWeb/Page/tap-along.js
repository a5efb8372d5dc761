// Eight taps along with the click correct the latency of an output. The settings offer this, and so
// does the first recording that lies beside the beat.

import { TAPS, isOdd, lateness } from "./calibration.js";
import { toast, w } from "./dom.js";
import { delay, output, want } from "./listen.js";
import { recall, remember } from "./memory.js";
import { room } from "./room.js";

/// Milliseconds without a tap, after which the page gives the taps up.
const PATIENCE = 15_000;

/// The taps under way: their beats, and the settings that they changed; null while nobody taps
/// along.
let taps = null;
/// The beats of the hits in the present recording.
let recorded = [];

const tempo = () => room.get("/tempo", 120);
const isLive = () => room.get("/timing", "live") === "live" && room.get("/timing/chosen", true);

/// Asks for eight taps. The metronome is on for them, and no grid moves them.
export async function begin(patience = PATIENCE) {
  if (isLive()) return toast("Your timing is Live: hits count when they arrive. Taps put nothing right there.", 8);
  if (!delay().milliseconds) return toast("Turn the sound on first: it is heard on this device alone.", 8);
  taps?.giveBack();
  const changed = [["/metronome", 1, 0], ["/quantize", "off", "off"]].flatMap(([address, wanted, otherwise]) => {
    const before = room.get(address, otherwise);
    return before === wanted ? [] : [[address, wanted, before]];
  });
  const mine = { beats: [], patience, timer: 0, giveBack };
  function giveBack() {
    clearTimeout(mine.timer);
    taps = null;
    for (const [address, , before] of changed) room.set(address, before);
  }
  taps = mine;
  wait();
  // First a stream that carries the click, then the click.
  await want("click", true);
  if (taps !== mine) return;
  for (const [address, wanted] of changed) room.set(address, wanted);
  toast("The metronome is on. Tap a pad with it, eight times.", 10);
}

/// Taps that do not come are not waited for: what is played later is no tap.
function wait() {
  clearTimeout(taps.timer);
  taps.timer = setTimeout(() => {
    taps.giveBack();
    toast("Nobody tapped along: nothing has changed.", 6);
  }, taps.patience);
}

function end(beats) {
  const late = lateness(beats, tempo());
  if (late === null) return toast("These taps do not agree. Try once more.", 8, [["Tap along", () => begin()]]);
  const before = output.late;
  output.late = Math.round(before + late);
  toast(w`What you record goes by your taps now: ${Math.round(output.late)} ms.`, 8, [["Undo", () => { output.late = before; }]]);
}

room.on("/receipt", ([, , beat]) => {
  if (["recording", "overdubbing"].includes(room.get("/loop/state"))) recorded.push(beat);
  if (!taps) return;
  taps.beats.push(beat);
  if (taps.beats.length < TAPS) return wait();
  const { beats } = taps;
  taps.giveBack();
  end(beats);
});

room.on("/loop/state", ([state]) => {
  if (state === "recording" || state === "overdubbing") return;
  const beats = recorded;
  recorded = [];
  if (taps || isLive() || !delay().milliseconds || room.get("/quantize", "off") !== "off" || recall("tap along offered") || output.late || !isOdd(beats, tempo())) return;
  remember("tap along offered", true);
  toast("What you recorded lies beside the beat. Eight taps put that right.", 12, [["Tap along", () => begin()]]);
});
