// The build-up that this device starts next: the same as the last one it started.

import { recall, remember } from "./memory.js";
import { bounded } from "./ranges.js";
import { room } from "./room.js";

/// How many times as fast the tempo becomes, over how many bars, and along which curve.
export const wish = recall("build-up", { times: 1.25, bars: 8, curve: "ease" });
export const keep = () => remember("build-up", wish);

/// The tempo that the wished build-up reaches from the present tempo, in whole bpm.
export const target = () => Math.round(bounded("/tempo", room.get("/tempo", 120) * wish.times));
/// Drops on the next bar line. A drop that is under way is not asked for again: the server would
/// refuse it once it has dropped.
export function drop() {
  if (room.get("/buildup/state") === "dropping" || room.hasSent("/buildup/drop")) return;
  room.send("/buildup/drop");
}

export const start = (bpm = target()) => room.send("/buildup", bpm, wish.bars, wish.curve);
