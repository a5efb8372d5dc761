// The running build-up, as everybody sees it: its target, the time left, and the drop.

import { position, signature } from "./beat.js";
import { at, say, t, w } from "./dom.js";
import { DropCount } from "./drop-count.js";
import * as screen from "./drop-screen.js";
import { animate } from "./frame.js";
import { room } from "./room.js";

const count = new DropCount();

/// The line of text about the build-up.
export function words() {
  if (count.state === "none") return "";
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
  if (values[0] === "none" && count.isAtDrop(now, per)) screen.flash();
  else if (values[0] === "none") screen.hide();
  count.take(values);
  count.place(now, per);
  at("building").hidden = count.state === "none";
  document.body.dataset.buildup = count.state;
  if (count.state !== "none") animate(draw);
});
room.on("disconnected", () => {
  count.forget();
  screen.hide();
  at("building").hidden = true;
});

function draw() {
  if (count.state === "none") return false;
  const [now, per] = [position(), signature()[0]];
  count.place(now, per);
  say(at("building-text"), words());
  at("building-bar").style.transform = `scaleX(${count.done(now, per).toFixed(4)})`;
  // A build-up moves the tempo only for a while: from the drop on, the tempo is the room's set one.
  screen.show(count.number(now, per), now?.phase ?? 0, count.target, room.get("/tempo", 120));
  return true;
}

at("building-cancel").addEventListener("click", () => room.send("/buildup/cancel"));
