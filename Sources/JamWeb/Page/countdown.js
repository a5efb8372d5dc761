// The running build-up, as everybody sees it: its target, the time left, and the drop.

import { position, signature } from "./beat.js";
import { at, say, t, w, write } from "./dom.js";
import { DropCount } from "./drop-count.js";
import * as screen from "./drop-screen.js";
import { animate } from "./frame.js";
import { room } from "./room.js";

/// Milliseconds for which the page says that a build-up is over. Its place stays as it was: a finger
/// that comes late for Drop or Cancel touches nothing else.
const SAYS_OVER = 3000;

const count = new DropCount();
/// The words about a build-up that has just ended; otherwise empty.
let over = "";
let overTimer = 0;

/// The line of text about the build-up.
export function words() {
  if (count.state === "none") return over;
  const target = `${Math.round(count.target)} bpm`;
  const bars = count.bars === 1 ? t("1 bar") : w`${count.bars} bars`;
  if (count.state === "waiting") return w`Build-up to ${target} from the next bar`;
  if (count.state === "holding") return w`Holding ${target} until the drop`;
  if (count.state === "dropping") return "Drop on the next bar";
  const per = signature()[0];
  const left = Math.ceil(count.beatsLeft(position(), per) ?? 0);
  if (left <= 0) return "Drop";
  return left <= per ? w`Drop in ${left}` : w`To ${target}, drop in ${bars}`;
}

room.on("/buildup/state", (values) => {
  const [now, per] = [position(), signature()[0]];
  const isDrop = count.isAtDrop(now, per);
  const wasOn = count.state !== "none";
  if (values[0] === "none" && isDrop) screen.flash();
  else if (values[0] === "none") screen.hide();
  count.take(values);
  count.place(now, per);
  if (count.state !== "none") begin();
  else if (wasOn) sayOver(isDrop);
});
room.on("disconnected", () => {
  count.forget();
  screen.hide();
  end();
});

function begin() {
  clearTimeout(overTimer);
  over = "";
  at("building").hidden = false;
  document.body.dataset.buildup = count.state;
  animate(draw);
}

/// A build-up moves the tempo only for a while: from its end on, the tempo is the room's set one.
function sayOver(isDrop) {
  const bpm = Math.round(room.get("/tempo", 120) * 10) / 10;
  over = isDrop ? w`Dropped: back to ${bpm} bpm` : w`The build-up is over: ${bpm} bpm`;
  document.body.dataset.buildup = "over";
  write(at("building-text"), over);
  clearTimeout(overTimer);
  overTimer = setTimeout(end, SAYS_OVER);
}

function end() {
  clearTimeout(overTimer);
  over = "";
  at("building").hidden = true;
  document.body.dataset.buildup = "none";
}

function draw() {
  if (count.state === "none") return false;
  const [now, per] = [position(), signature()[0]];
  count.place(now, per);
  say(at("building-text"), words());
  at("building-bar").style.transform = `scaleX(${count.done(now, per).toFixed(4)})`;
  // From the drop on, the tempo is the room's set one.
  screen.show(count.number(now, per), now?.phase ?? 0, count.target, room.get("/tempo", 120));
  return true;
}

at("building-cancel").addEventListener("click", () => room.send("/buildup/cancel"));
