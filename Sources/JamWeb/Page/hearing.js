// Computes which frame of the room is heard on this device, by a line or by the endless stream, and
// how late that frame is. Moments are those of performance.now().

import { Ear } from "./ear.js";
import { EndlessStream } from "./endless-stream.js";
import { Latency } from "./latency.js";

export class Hearing {
  #ear = new Ear();
  #latency;
  /// A line (`WhepLine`), or `far`, the endless stream for distant devices; at most one of them is
  /// not null.
  line = null;
  far = null;
  /// The line's last `RTCInboundRtpStreamStats`; null before the first.
  figures = null;

  /// - Parameter clock: the server's (`Clock`).
  constructor(clock) { this.#latency = new Latency(clock); }

  /// Milliseconds that the output sounds later than the browser knows.
  set beyond(milliseconds) { this.#ear.beyond = milliseconds; }
  get latency() { return this.#latency.value; }
  get isNothing() { return !this.line && !this.far; }
  /// Another stream has another latency, so the measured one is forgotten.
  forget() { this.#latency.forget(); }
  takeFrame(frame, moment) { this.#latency.takeFrame(frame, moment); }
  join(now) { this.#latency.join(now); }
  /// Whether to tell everybody now that this device hears the room `value` milliseconds late.
  tells(value, now) { return this.#latency.tell(value, now); }

  change(line) {
    this.line?.hangUp();
    this.line = line;
    this.far = this.figures = null;
    this.forget();
    this.#ear.reset();
  }

  /// Milliseconds from the browser to the ear.
  /// - Parameter told: the output's delay as the browser tells it apart from lines.
  output(told) { return this.line ? this.#ear.output : told() + this.#ear.beyond; }

  /// From now on the endless stream is heard.
  goFar() {
    this.line?.hangUp();
    this.line = null;
    this.far ??= new EndlessStream();
  }

  hangUp() {
    this.line?.hangUp();
    this.line = this.far = null;
  }

  /// Reads the playing position.
  /// - Parameter played: how much of the endless stream was played, in milliseconds.
  look(played, now) {
    if (this.far) this.far.take(played, now);
    else if (this.line) this.#ear.take(this.line.sources(), now);
  }

  /// The frame that is heard at a moment, of which the low 32 bits are known; null where nothing is
  /// heard.
  #frame(at) {
    return this.far ? this.far.heard(at, this.#latency.frameOnArrival(this.far.asked)) : this.line ? this.#ear.heard(at) : null;
  }

  /// The RTP timestamp of the frame that is heard at a moment; null where the server would refuse a
  /// hit with that timestamp.
  timestamp(at) { return this.#latency.timestamp(at, this.#frame(at)); }
  measure(now) { this.#latency.measure(now, this.#frame(now)); }

  /// Takes the line's `RTCStatsReport`. Returns whether packets have come since the last report.
  /// - Parameter outputLatency: the output's delay in milliseconds, for browsers that do not tell
  ///   the playout delay of the line itself.
  takeStats(stats, now, outputLatency = () => NaN) {
    let hasArrived = false;
    const isTold = [...stats.values()].some(({ type }) => type === "media-playout");
    const latency = isTold ? NaN : outputLatency();
    if (Number.isFinite(latency)) this.#ear.takeCard(latency);
    for (const figures of stats.values()) {
      if (figures.type === "media-playout") this.#ear.takePlayout(figures);
      if (figures.type !== "inbound-rtp") continue;
      hasArrived = this.line.takeFigures(figures, now) || hasArrived;
      this.#ear.takeFigures(figures);
      this.figures = figures;
    }
    return hasArrived;
  }

  isTooLate(now) { return this.far.isTooLate(this.latency, now); }
}
