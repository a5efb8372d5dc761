// Pitch and modulation beside the pads: for the whole room. They spring back, or stay.

import { at, h, say } from "./dom.js";
import { signed } from "./controls.js";
import { recall, remember } from "./memory.js";
import { range } from "./ranges.js";
import { room } from "./room.js";

let started = false;

const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 4, PageDown: -4 };

class Strip {
  constructor({ address, label, rest, step, show, springs }) {
    const [min, max] = range(address);
    Object.assign(this, { address, label, min, max, rest, step, show });
    this.key = `springs ${address}`;
    this.springs = recall(this.key, springs);
    this.thumb = h("i");
    this.value = h("output", {});
    this.track = h("div.track", { role: "slider", tabIndex: 0, "aria-label": label, "aria-orientation": "vertical",
      "aria-valuemin": min, "aria-valuemax": max }, h("u"), this.thumb);
    this.latch = h("button.latch", { type: "button", onclick: () => this.setSprings(!this.springs) });
    this.element = h("div.strip", {}, h("span.name", { textContent: label }), this.track, this.value, this.latch);
    this.setSprings(this.springs);
    room.on(address, ([value]) => this.see(value));
    if (room.get(address) === undefined) this.see(rest);
    const move = (event) => {
      const box = this.track.getBoundingClientRect();
      const part = 1 - Math.min(1, Math.max(0, (event.clientY - box.top - 14) / (box.height - 28)));
      const raw = min + part * (max - min);
      // The middle of a strip that has one holds a little.
      this.set(Math.abs(raw - rest) < (max - min) * 0.02 ? rest : Math.round(raw / step) * step);
    };
    this.track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.track.setPointerCapture(event.pointerId);
      this.track.classList.add("held");
      move(event);
    });
    this.track.addEventListener("pointermove", (event) => this.track.hasPointerCapture(event.pointerId) && move(event));
    const letGo = () => { if (this.springs) this.set(rest); };
    this.track.addEventListener("lostpointercapture", () => {
      this.track.classList.remove("held");
      letGo();
    });
    // Whoever leaves while holding it leaves the room in tune.
    addEventListener("pagehide", () => this.springs && this.track.classList.contains("held") && room.send(address, rest));
    // A key that is let go is a strip that is let go.
    this.track.addEventListener("keyup", (event) => event.key in STEPS && letGo());
    this.track.addEventListener("blur", letGo);
    this.track.addEventListener("dblclick", () => this.set(rest));
    this.track.addEventListener("keydown", (event) => {
      const steps = STEPS[event.key];
      const big = (max - min) / 24;
      if (steps) this.set(Math.min(max, Math.max(min, room.get(address, rest) + steps * big)));
      else if (["Home", "Backspace", "Escape"].includes(event.key)) this.set(rest);
      else return;
      event.preventDefault();
    });
  }

  set(value) { if (value !== room.get(this.address)) room.set(this.address, value); }

  see(value) {
    const part = (value - this.min) / (this.max - this.min);
    this.thumb.style.setProperty("--part", part.toFixed(4));
    const text = this.show(value);
    say(this.value, text);
    this.track.setAttribute("aria-valuenow", value);
    this.track.setAttribute("aria-valuetext", text);
  }

  setSprings(on) {
    this.springs = on;
    remember(this.key, on);
    say(this.latch, on ? "Springs" : "Stays");
    this.latch.setAttribute("aria-label", `${this.label} ${on ? "springs back when let go; tap to let it stay" : "stays where it is; tap to let it spring back"}`);
    if (on && started) this.set(this.rest);
  }
}

export function start() {
  if (started) return;
  at("strips").append(
    new Strip({ address: "/pitch", label: "Pitch", rest: 0, step: 0.1, springs: true, show: (v) => signed(v, Number.isInteger(v) ? 0 : 1) }).element,
    new Strip({ address: "/modulation", label: "Filter", rest: 0, step: 0.01, springs: false, show: (v) => `${Math.round(v * 100)} %` }).element,
  );
  started = true;
}
