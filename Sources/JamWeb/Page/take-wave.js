// A take's waveform. It shows the playing position; a touch chooses another one.

import { fitCanvas, h, token, w } from "./dom.js";
import { clock } from "./take-words.js";

/// Seconds by which a key moves the position.
const BY = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30, Home: -Infinity, End: Infinity };

const within = (part) => Math.min(1, Math.max(0, part));

export class TakeWave {
  #peaks = [];
  #seconds = 0;
  #part = 0;
  /// Whether a finger or the mouse holds the waveform: it shows the held place then, and not the
  /// playing position.
  #isHeld = false;
  #canvas = h("canvas");
  #chosen;

  /// - `chosen` gets the chosen position, 0…1.
  constructor(chosen) {
    this.#chosen = chosen;
    this.element = h("div.takewave", { role: "slider", tabIndex: 0, "aria-label": "Where it is heard", "aria-valuemin": 0 }, this.#canvas);
    this.#takeFingers();
    this.element.addEventListener("keydown", (event) => {
      const by = BY[event.key];
      if (!by || !this.#seconds || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      chosen(within(this.#part + by / this.#seconds));
    });
    fitCanvas(this.#canvas, () => this.#draw());
    addEventListener("themechange", () => this.#draw());
  }

  #takeFingers() {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.#isHeld = true;
      element.setPointerCapture(event.pointerId);
      this.#show(this.#partAt(event));
    });
    element.addEventListener("pointermove", (event) => this.#isHeld && this.#show(this.#partAt(event)));
    element.addEventListener("pointerup", (event) => {
      if (!this.#isHeld) return;
      this.#isHeld = false;
      this.#chosen(this.#partAt(event));
    });
    // The finger scrolled the page instead.
    element.addEventListener("pointercancel", () => { this.#isHeld = false; });
  }

  #partAt({ clientX }) {
    const box = this.#canvas.getBoundingClientRect();
    return box.width ? within((clientX - box.left) / box.width) : 0;
  }

  /// - `peaks`: 0…1, evenly spaced.
  see(peaks, seconds) {
    [this.#peaks, this.#seconds] = [peaks, seconds];
    this.element.setAttribute("aria-valuemax", Math.round(seconds));
    this.#show(this.#part);
  }

  /// Shows the playing position, 0…1.
  at(part) { if (!this.#isHeld) this.#show(part); }

  #show(part) {
    this.#part = part;
    const now = part * this.#seconds;
    this.element.setAttribute("aria-valuenow", Math.round(now));
    this.element.setAttribute("aria-valuetext", w`${clock(now)} of ${clock(this.#seconds)}`);
    this.#draw();
  }

  #draw() {
    const context = this.#canvas.getContext("2d");
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, width, height);
    const [before, after] = [token("accent"), token("strong")];
    const step = width / Math.max(1, this.#peaks.length);
    for (const [index, peak] of this.#peaks.entries()) {
      context.fillStyle = (index + .5) / this.#peaks.length < this.#part ? before : after;
      const tall = Math.max(1, peak * (height - 4));
      context.fillRect(index * step, (height - tall) / 2, Math.max(1, step * .75), tall);
    }
  }
}
