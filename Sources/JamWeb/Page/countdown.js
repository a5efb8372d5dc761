// The build-up that runs, for everybody: where it goes, how long it takes, and the drop.

import { position, signature } from "./beat.js";
import { at, say } from "./dom.js";
import { animate } from "./frame.js";
import { room } from "./room.js";

/// `drop` is the bar line of the drop, in whole bars from the first; null while it is not known.
let run = { state: "none", target: 0, bars: 0, drop: null };
let seen = null;

/// What is to be read of it.
export function words() {
  if (run.state === "none") return "";
  const target = `${Math.round(run.target)} bpm`;
  const bars = run.bars === 1 ? "1 bar" : `${run.bars} bars`;
  if (run.state === "waiting") return `Build-up to ${target} from the next bar`;
  if (run.state === "holding") return `Holding ${target} until the drop`;
  if (run.state === "dropping") return "Drop on the next bar";
  const left = Math.ceil(beatsLeft());
  if (left <= 0) return "Drop";
  return left <= signature()[0] ? `Drop in ${left}` : `To ${target}, drop in ${bars}`;
}

/// Where the drop is, as soon as it can be said. A bar line that is told a moment early is the one to come.
function place() {
  const now = position();
  if (run.state !== "running" || run.drop !== null || !now) return;
  run.drop = Math.floor(now.bar - 1 + (now.beat + now.phase) / signature()[0] + 0.1) + run.bars;
}

/// Until the drop, whole and broken ones; bars are told as they begin, so that what is drawn by the clock may have passed the line already.
function beatsLeft() {
  const now = position();
  const beats = signature()[0];
  return now && run.drop !== null ? (run.drop - now.bar + 1) * beats - now.beat - now.phase : run.bars * beats;
}

room.on("/buildup/state", ([state, target, bars]) => {
  if (state === "running" && run.state !== "running") seen = bars;
  const isNews = state !== run.state || bars !== run.bars;
  run = { state, target, bars, drop: isNews ? null : run.drop };
  place();
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
  place();
  say(at("building-text"), words());
  if (run.state === "running" && position() && seen) {
    const done = 1 - beatsLeft() / signature()[0] / seen;
    at("building-bar").style.transform = `scaleX(${Math.min(1, Math.max(0, done)).toFixed(4)})`;
  } else at("building-bar").style.transform = `scaleX(${run.state === "waiting" ? 0 : 1})`;
  return true;
}

at("building-cancel").addEventListener("click", () => room.send("/buildup/cancel"));
