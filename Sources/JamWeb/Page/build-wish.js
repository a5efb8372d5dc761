// The build-up that one starts: as the last one was, on this device.

import { recall, remember } from "./memory.js";
import { bounded } from "./ranges.js";
import { room } from "./room.js";

/// How many times as fast it gets, over so many bars, and how.
export const wish = recall("build-up", { times: 1.25, bars: 8, curve: "ease" });
export const keep = () => remember("build-up", wish);

/// Where it would lead from the present tempo, in whole bpm.
export const target = () => Math.round(bounded("/tempo", room.get("/tempo", 120) * wish.times));
export const start = (bpm = target()) => room.send("/buildup", bpm, wish.bars, wish.curve);
