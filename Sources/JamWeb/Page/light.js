// This device's light: tells the server how the sound reaches this device, and shows what the
// server makes of that at the sound button. Loaded when the room is heard for the first time.

import { t } from "./dom.js";
import { HearingReport, LOOK } from "./hearing-report.js";
import { lamp, line } from "./light-words.js";
import { listenButton } from "./listen-view.js";
import { lights } from "./people.js";
import { room } from "./room.js";

/// Milliseconds between two reports.
const EACH = 2000;

/// - `listener`, `hearing`, `speaker`: what plays the room here.
export function start({ listener, hearing, speaker }) {
  const report = new HearingReport();
  let isTold = false;
  let heard = null;

  async function tell() {
    // A hidden page does not measure by itself.
    if (document.hidden && hearing.line) await listener.measure();
    const isHeard = listener.hears || listener.state === "stalled";
    if (!room.isConnected || !isHeard || hearing.isNothing) {
      report.forget();
      if (isTold && room.isConnected && room.send("/hearing")) isTold = false;
      return;
    }
    // Of a line that has just begun, nothing is known.
    if (hearing.line && !hearing.figures) return;
    const now = hearing.line ?? hearing.far;
    if (now !== heard) report.forget();
    heard = now;
    const values = report.take({
      figures: hearing.line && hearing.figures, latency: hearing.latency,
      isStalled: listener.state === "stalled", roundTrip: room.clock.roundTrip,
      output: hearing.output(() => speaker.outputLatency),
    }, performance.now());
    if (!values) return;
    room.send("/hearing", ...values.map((value) => Math.round(value * 1e4) / 1e4));
    isTold = true;
  }
  setInterval(tell, EACH);
  setInterval(() => report.look(performance.now(), document.hidden), LOOK);
  // Another connection is another one's light.
  room.on("connected", () => { isTold = false; });

  const dot = document.createElement("i");
  dot.className = "lamp";
  dot.setAttribute("role", "img");
  function show() {
    const told = lights.get(room.player);
    const word = lamp(told?.light);
    if (dot.dataset.lamp === word) return;
    dot.dataset.lamp = word;
    dot.setAttribute("aria-label", told ? line(told) : "");
    dot.title = told ? `${line(told)} · ${t("Room")}` : "";
    if (word === "off") dot.remove();
    else if (!dot.isConnected) listenButton.append(dot);
  }
  room.on("lights", show);
  show();
}
