// The buttons Record and Catch. Record says what it will do. Catch is dark while there is nothing
// to catch; the server tells that as the button's light.

import { t, write } from "./dom.js";
import { room } from "./room.js";

const record = document.querySelector('[data-action="record"]');
const caught = document.querySelector('[data-action="catch"]');

/// The next deed of Record.
function deed() {
  const state = room.get("/loop/state", "empty");
  if (state === "recording") return "Finish";
  if (state === "waiting") return "Waiting";
  return room.get("/loop/layers", 0) > 0 ? "Add a layer" : "New loop";
}

function see() {
  const word = t(deed());
  // A pass ends by itself: a finger on its way to Finish must not begin another.
  record.dataset.means = room.get("/loop/state") === "recording" ? "finish" : "record";
  write(record.querySelector("span"), word);
  // The name for those who do not see the red dot.
  record.setAttribute("aria-label", `${t("Record")}: ${word}`.replaceAll("\u00ad", ""));
}
for (const address of ["/loop/state", "/loop/layers"]) room.on(address, see);
see();

function light(on) {
  caught.setAttribute("aria-disabled", String(!on));
}
room.on("connected", () => light(room.get("/loop/catch", 0) > 0));
room.on("/loop/catch", ([on]) => light(on > 0));
light(room.get("/loop/catch", 0) > 0);
caught.addEventListener("click", () => room.send("/loop/catch"));
