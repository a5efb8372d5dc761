// The build-up that runs, for everybody: where it goes, how long it takes, and the drop.

import { position, signature } from "./beat.js";
import { at, say } from "./dom.js";
import { animate } from "./frame.js";
import { room } from "./room.js";

let run = { state: "none", target: 0, bars: 0 };
let seen = null;

/// What is to be read of it.
export function words() {
  if (run.state === "none") return "";
  const target = `${Math.round(run.target)} bpm`;
  const bars = run.bars === 1 ? "1 bar" : `${run.bars} bars`;
  if (run.state === "waiting") return `Build-up to ${target} from the next bar`;
  if (run.state === "holding") return `Holding ${target} until the drop`;
  if (run.state === "dropping") return "Drop on the next bar";
  const now = position();
  const left = now ? run.bars * signature()[0] - now.beat : 0;
  return run.bars <= 1 && left > 0 ? `Drop in ${left}` : `To ${target}, drop in ${bars}`;
}

room.on("/buildup/state", ([state, target, bars]) => {
  if (state === "running" && run.state !== "running") seen = bars;
  run = { state, target, bars };
  at("building").hidden = state === "none";
  document.body.dataset.buildup = state;
  if (state !== "none") animate(draw);
});
room.on("disconnected", () => {
  run.state = "none";
  at("building").hidden = true;
});

function draw() {
  if (run.state === "none") return false;
  say(at("building-text"), words());
  const now = position();
  if (run.state === "running" && now && seen) {
    const done = 1 - (run.bars - (now.beat + now.phase) / signature()[0]) / seen;
    at("building-bar").style.transform = `scaleX(${Math.min(1, Math.max(0, done)).toFixed(4)})`;
  } else at("building-bar").style.transform = `scaleX(${run.state === "waiting" ? 0 : 1})`;
  return true;
}

at("building-cancel").addEventListener("click", () => room.send("/buildup/cancel"));
