// The row of how pads play: note repeat, velocity by the place of the touch, and the pads that cut
// each other off (choke).

import { at, h, toast, w } from "./dom.js";
import { recall, remember } from "./memory.js";
import { pads, touchInstead } from "./pads.js";
import { room } from "./room.js";

const RATES = ["1/8", "1/16", "1/16T", "1/32"];

function repeats() {
  const buttons = RATES.map((rate) => h("button", {
    type: "button", "data-rate": rate, textContent: rate, "aria-label": w`Repeat ${rate}`, title: w`Pads repeat each ${rate} while they are held`,
    onclick: () => {
      const isOn = room.get("/repeat/all") > 0 && room.get("/repeat") === rate;
      room.set("/repeat", rate);
      room.set("/repeat/all", isOn ? 0 : 1);
    },
  }));
  const see = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(room.get("/repeat/all") > 0 && room.get("/repeat") === button.dataset.rate));
  };
  for (const address of ["/repeat", "/repeat/all"]) room.on(address, see);
  see();
  return h("div.rates", { role: "group", "aria-label": "Repeat while held" }, h("span", { textContent: "Repeat", "aria-hidden": "true" }), buttons);
}

function touch() {
  const isOn = () => recall("velocity", "full") === "position";
  const button = h("button", {
    type: "button", "data-action": "touch", textContent: "Touch", title: "How hard by where a pad is touched: its top is loud",
    onclick: () => {
      // Switching it off brings the earlier choice back.
      if (isOn()) remember("velocity", recall("velocity before", "full"));
      else {
        remember("velocity before", recall("velocity", "full"));
        remember("velocity", "position");
      }
      dispatchEvent(new Event("velocitychoice"));
    },
  });
  const see = () => button.setAttribute("aria-pressed", String(isOn()));
  addEventListener("velocitychoice", see);
  see();
  return button;
}

// ---- Choke: while it is on, touching a pad adds it to the pads that cut each other off, or
// removes it.

const GROUP = 1;

function choke() {
  let isOn = false;
  const button = h("button", {
    type: "button", "data-action": "choke", textContent: "Choke", "aria-pressed": "false", title: "Choose the pads that cut each other off",
    onclick: () => turn(!isOn),
  });
  const chokes = (number) => room.get(`/pad/${number}/choke`, 0) > 0;
  const see = () => {
    for (const pad of pads) pad.element.classList.toggle("chokes", isOn && chokes(pad.number));
  };
  function turn(on) {
    isOn = on;
    button.setAttribute("aria-pressed", String(on));
    document.body.toggleAttribute("data-choke", on);
    if (on) toast("Touch the pads that cut each other off, then Choke again.", 6);
    see();
  }
  touchInstead((number) => {
    if (isOn) room.set(`/pad/${number}/choke`, chokes(number) ? 0 : GROUP);
    return isOn;
  });
  room.on("/pad/*", (_, address) => address.endsWith("/choke") && see());
  addEventListener("keydown", ({ key }) => key === "Escape" && isOn && turn(false));
  return button;
}

export function start() {
  at("playrow").append(repeats(), touch(), choke());
}
