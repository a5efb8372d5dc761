// The picture of a sound: its peaks, and handles for its start and end.

import { fitCanvas, h, token } from "./dom.js";

/// The peaks of a decoded sound: `count` values, 0…1.
export function peaksOf(channels, count) {
  const length = channels[0].length;
  const peaks = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    const end = Math.floor(((i + 1) * length) / count);
    for (const channel of channels) for (let at = Math.floor((i * length) / count); at < end; at += 1) peaks[i] = Math.max(peaks[i], Math.abs(channel[at]));
  }
  return peaks;
}

/// A waveform with a handle at both ends of a part. `moved(start, end, which)` gets the ends as
/// parts of the whole, 0…1, and the number of the moved handle.
export class Wave {
  peaks = null;
  start = 0;
  end = 1;

  /// - carries: whether the part keeps its length when its start is moved.
  constructor({ names, moved, spoken, signal, carries = false }) {
    this.moved = moved;
    this.carries = carries;
    this.spoken = spoken;
    this.canvas = h("canvas");
    this.context = this.canvas.getContext("2d");
    this.handles = names.map((name, index) => this.#handle(name, index));
    this.element = h("div.wave", {}, this.canvas, ...this.handles);
    fitCanvas(this.canvas, () => this.draw());
    addEventListener("themechange", () => this.draw(), { signal });
  }

  #handle(name, index) {
    const handle = h("div.handle", { role: "slider", tabIndex: 0, "aria-label": name, "aria-valuemin": 0, "aria-valuemax": 100 });
    handle.addEventListener("pointerdown", (event) => this.handles[this.#meant(event, index)].setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = this.canvas.getBoundingClientRect();
      this.#move(index, (event.clientX - box.left) / box.width);
    });
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1, Home: -1, End: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.#move(index, (index ? this.end : this.start) + by);
    });
    return handle;
  }

  /// The number of the handle that the pointer means. Where both lie under the pointer, the upper
  /// half belongs to the first one, whose knob is at the top.
  #meant(event, index) {
    const boxes = this.handles.map((handle) => handle.getBoundingClientRect());
    if (!boxes.every((box) => event.clientX >= box.left && event.clientX <= box.right)) return index;
    return event.clientY < boxes[0].top + boxes[0].height / 2 ? 0 : 1;
  }

  #move(index, part) {
    if (index === 0) {
      const long = this.end - this.start;
      this.start = Math.min(Math.max(0, part), (this.carries ? 1 : this.end) - 0.005);
      if (this.carries && this.end < 1) this.end = Math.min(1, this.start + long);
    } else this.end = Math.max(Math.min(1, part), this.start + 0.005);
    this.draw();
    this.moved(this.start, this.end, index);
  }

  set(start, end) {
    this.start = Math.min(Math.max(0, start), 1);
    this.end = Math.min(Math.max(this.start, end), 1);
    this.draw();
  }

  see(peaks) {
    this.peaks = peaks;
    this.draw();
  }

  draw() {
    const { context, canvas, peaks } = this;
    const { width, height } = canvas;
    context.clearRect(0, 0, width, height);
    for (const [index, part] of [this.start, this.end].entries()) {
      const handle = this.handles[index];
      if (!handle) continue;
      // In parts of the width: a picture that has no width yet has its handles where they belong.
      handle.style.left = `${(part * 100).toFixed(3)}%`;
      handle.setAttribute("aria-valuenow", Math.round(part * 100));
      if (this.spoken) handle.setAttribute("aria-valuetext", this.spoken(part, index));
    }
    if (!peaks?.length) return;
    const [inside, outside] = [token("accent"), token("line")];
    const step = Math.max(1, width / peaks.length);
    for (let i = 0; i < peaks.length; i += 1) {
      const part = i / peaks.length;
      context.fillStyle = part >= this.start && part < this.end ? inside : outside;
      const tall = Math.max(1, peaks[i] * (height - 4));
      context.fillRect(i * (width / peaks.length), (height - tall) / 2, Math.max(1, step * 0.8), tall);
    }
  }
}
