// Eight taps along with the click correct the latency of an output. The settings offer this, and so
// does the first recording that lies beside the beat.

import { TAPS, isOdd, lateness } from "./calibration.js";
import { toast, w } from "./dom.js";
import { delay, output } from "./listen.js";
import { recallHere, rememberHere } from "./memory.js";
import { room } from "./room.js";

/// The beats of the taps so far; null while nobody taps along.
let taps = null;
/// The beats of the hits in the present recording.
let recorded = [];

const tempo = () => room.get("/tempo", 120);

export function begin() {
  taps = [];
  toast("Turn on the metronome. Tap a pad with it, eight times.", 10);
}

function end(beats) {
  const late = lateness(beats, tempo());
  if (late === null) return toast("These taps do not agree. Try once more.", 8, [["Tap along", begin]]);
  const before = output.late;
  output.late = Math.round(before + late);
  toast(w`What you record goes by your taps now: ${Math.round(output.late)} ms.`, 8, [["Undo", () => { output.late = before; }]]);
}

room.on("/receipt", ([, , beat]) => {
  if (["recording", "overdubbing"].includes(room.get("/loop/state"))) recorded.push(beat);
  if (!taps) return;
  taps.push(beat);
  if (taps.length < TAPS) return;
  const all = taps;
  taps = null;
  end(all);
});

room.on("/loop/state", ([state]) => {
  if (state === "recording" || state === "overdubbing") return;
  const beats = recorded;
  recorded = [];
  if (taps || !delay().milliseconds || room.get("/quantize", "off") !== "off" || recallHere("tap along offered") || output.late || !isOdd(beats, tempo())) return;
  rememberHere("tap along offered", true);
  toast("What you recorded lies beside the beat. Eight taps put that right.", 12, [["Tap along", begin]]);
});
