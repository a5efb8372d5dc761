// A strip: a slider for a thumb, vertical or horizontal as its place is. It springs back when it is
// released, or stays.

import { h, say, t, w } from "./dom.js";
import { holderLine } from "./holders.js";
import { recall, remember } from "./memory.js";
import { range } from "./ranges.js";
import { room } from "./room.js";

const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 4, PageDown: -4, End: Infinity };
const BACK = ["Home", "Backspace", "Escape"];
/// Pixels from each end of the track to the middle of the thumb there: half of the thumb, and the
/// gap around it.
const EDGE = 22;
const DOUBLE = 350; // Milliseconds within which a second tap counts as a double tap.

export class Strip {
  #isHeld = false;
  #tap = { at: -Infinity, along: 0 };
  /// Whether the finger's double tap has reset the strip and the finger has not moved since.
  #isBack = false;

  /// - rest: the value to which the strip springs back, and to which a double tap sets it.
  /// - springs: whether the strip springs back until somebody chooses otherwise; undefined for a
  ///   strip that always stays.
  constructor({ address, label, rest, step, show, springs }) {
    const [min, max] = range(address);
    Object.assign(this, { address, label, min, max, rest, step, show });
    this.key = `springs ${address}`;
    this.thumb = h("i");
    this.value = h("output", {});
    this.track = h("div.track", { role: "slider", tabIndex: 0, "aria-label": label,
      "aria-valuemin": min, "aria-valuemax": max }, h("u"), this.thumb);
    this.track.style.setProperty("--rest", (rest - min) / (max - min));
    this.element = h("div.strip", {}, h("span.name", {}, h("span", { textContent: label }), holderLine(address)), this.track, this.value);
    if (springs !== undefined) {
      this.latch = h("button.latch", { type: "button", onclick: () => {
        this.setSprings(!this.springs);
        if (this.springs) this.set(rest);
      } });
      this.element.append(this.latch);
      this.setSprings(recall(this.key, springs));
    }
    new ResizeObserver(() => this.track.setAttribute("aria-orientation", this.#lies ? "horizontal" : "vertical")).observe(this.track);
    room.on(address, ([value]) => this.see(value));
    if (room.get(address) === undefined) this.see(rest);
    this.#takeFingers();
    this.#takeKeys();
  }

  get #lies() { return this.track.clientWidth > this.track.clientHeight; }

  #takeFingers() {
    const { track } = this;
    const along = (event) => (this.#lies ? event.clientX : event.clientY);
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.#isHeld = true;
      track.setPointerCapture(event.pointerId);
      track.classList.add("held");
      // The second tap of a double tap resets the strip and does not move it to the tapped place. A
      // strip that springs back has no double taps.
      this.#isBack = !this.springs && event.timeStamp - this.#tap.at < DOUBLE && Math.abs(along(event) - this.#tap.along) < EDGE;
      this.#tap = { at: this.#isBack || this.springs ? -Infinity : event.timeStamp, along: along(event) };
      if (this.#isBack) this.set(this.rest);
      else this.#follow(event);
    });
    track.addEventListener("pointermove", (event) => {
      if (!track.hasPointerCapture(event.pointerId)) return;
      if (Math.abs(along(event) - this.#tap.along) >= EDGE) {
        this.#isBack = false;
        this.#tap.at = -Infinity;
      }
      if (!this.#isBack) this.#follow(event);
    });
    track.addEventListener("lostpointercapture", () => this.letGo());
    // If the page closes while the strip is held, the strip is reset, so that the room does not
    // stay out of tune.
    addEventListener("pagehide", () => this.springs && this.#isHeld && room.send(this.address, this.rest));
  }

  #follow({ clientX, clientY }) {
    const { min, max, rest, step } = this;
    const box = this.track.getBoundingClientRect();
    const [way, length] = this.#lies ? [clientX - box.left, box.width] : [box.bottom - clientY, box.height];
    const part = Math.min(1, Math.max(0, (way - EDGE) / (length - 2 * EDGE)));
    const raw = min + part * (max - min);
    // The strip snaps to its resting value when the thumb is near it (2 % of the range).
    this.set(Math.abs(raw - rest) < (max - min) * 0.02 ? rest : Math.round(raw / step) * step);
  }

  #takeKeys() {
    const { track, min, max, rest } = this;
    track.addEventListener("keydown", (event) => {
      const steps = STEPS[event.key];
      // In a panel Escape closes the panel, and the strip's value stays.
      if (event.key === "Escape" && this.element.closest(".panel")) return;
      if (steps) {
        this.#isHeld = true;
        this.set(Math.min(max, Math.max(min, room.get(this.address, rest) + (steps * (max - min)) / 24)));
      } else if (BACK.includes(event.key)) this.set(rest);
      else return;
      event.preventDefault();
    });
    // Releasing the key releases the strip.
    track.addEventListener("keyup", (event) => event.key in STEPS && this.letGo());
    track.addEventListener("blur", () => this.letGo());
  }

  /// The hand releases the strip. Only the page that holds the strip lets it spring back, because
  /// another player may hold it, too.
  letGo() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.track.classList.remove("held");
    if (this.springs) this.set(this.rest);
  }

  set(value) { if (value !== room.get(this.address)) room.set(this.address, value); }

  see(value) {
    const { min, max, rest, track } = this;
    const place = (number) => (number - min) / (max - min);
    track.style.setProperty("--part", place(value).toFixed(4));
    track.style.setProperty("--low", place(Math.min(value, rest)).toFixed(4));
    track.style.setProperty("--high", place(Math.max(value, rest)).toFixed(4));
    const text = t(this.show(value));
    say(this.value, text);
    track.setAttribute("aria-valuenow", value);
    track.setAttribute("aria-valuetext", text);
  }

  setSprings(on) {
    this.springs = on;
    remember(this.key, on);
    say(this.latch, on ? "Snaps back" : "Stays");
    this.latch.setAttribute("aria-label", on ? w`${t(this.label)} snaps back when let go; tap to let it stay` : w`${t(this.label)} stays where it is; tap to let it snap back`);
  }
}
