"""What is put into a page to measure it."""

# What the page's own <audio> gets, looked at as often as the browser allows.
EAR = """() => {
  const context = new AudioContext({ sampleRate: 48000, latencyHint: "interactive" });
  const source = context.createMediaStreamSource(document.getElementById("audio").srcObject);
  const split = context.createChannelSplitter(2);
  source.connect(split);
  const sides = [0, 1].map((side) => {
    const ear = context.createAnalyser();
    ear.fftSize = 256;
    split.connect(ear, side);
    return ear;
  });
  const silent = context.createGain();
  silent.gain.value = 0;
  sides[0].connect(silent);
  silent.connect(context.destination);
  const frames = new Float32Array(256);
  window.peak = (side) => {
    sides[side].getFloatTimeDomainData(frames);
    return frames.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  };
  window.tapToEar = (pad) => new Promise((resolve) => {
    const element = document.querySelector(`[data-pad="${pad}"]`);
    const start = performance.now();
    for (const type of ["pointerdown", "pointerup"]) element.dispatchEvent(new PointerEvent(type, { pointerId: 77, bubbles: true, button: 0 }));
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const passed = performance.now() - start;
      if (window.peak(0) > 0.01 || passed > 2000) resolve(passed);
      else channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
  });
  // Where nobody has touched the page yet, it begins with the first touch.
  addEventListener("pointerdown", () => context.resume(), { capture: true });
  context.resume();
}"""

# Before the page's own scripts: its connections are kept, and how long it takes from the first answer until one stands.
PEERS = """
  window.peers = [];
  window.answered = window.dialled = null;
  const Real = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Real {
    constructor(...all) {
      super(...all);
      peers.push(this);
    }
    setRemoteDescription(answer) {
      window.answered ??= performance.now();
      this.addEventListener("connectionstatechange", () => { if (this.connectionState === "connected") window.dialled ??= performance.now() - answered; });
      return super.setRemoteDescription(answer);
    }
  };"""

# What the page's own connection says of the sound that came.
INBOUND = """async () => {
  for (const report of (await peers.at(-1).getStats()).values()) if (report.type === "inbound-rtp") return report;
}"""

# An hour at ten hits a second, as fast as the page takes it, in slices that let it draw.
HOUR = """async ([from, count]) => {
  const { room } = await import("/room.js");
  const pads = [...document.querySelectorAll("[data-pad]")];
  for (let i = from; i < from + count; i += 1) {
    const pad = pads[i % 16];
    for (const type of ["pointerdown", "pointerup"]) pad.dispatchEvent(new PointerEvent(type, { pointerId: i % 5, bubbles: true, button: 0 }));
    room.apply("/hit", ["somebody", (i % 16) + 1, 1, 1, 1]);
    room.apply("/meter", ["master", -6, -9]);
    if (i % 50 === 49) await new Promise(requestAnimationFrame);
  }
}"""

# Each frame's length and every long task from now on, in milliseconds.
FRAMES = """() => {
  window.frames_ = [];
  window.long = [];
  new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => Math.round(entry.duration))))
    .observe({ entryTypes: ["longtask"] });
  let last = performance.now();
  const frame = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}"""

# The beat that the page would draw at a moment of the wall clock, in milliseconds since 1970.
BEAT_AT = "moment => bandshellBeat(moment - performance.timeOrigin)"


def heap(tool) -> int:
    """Bytes of JavaScript in use, without what nobody holds any more. `tool`: the page's CDP session."""
    def look():
        tool.send("HeapProfiler.collectGarbage")
        return tool.send("Runtime.getHeapUsage")["usedSize"]

    # What is under way at one moment is not at another: the least of some looks is what stays.
    return min(look() for _ in range(12))


def apart(pages, times=5):
    """By how many milliseconds the beats that `pages` draw at one moment differ, `times` times; at 120 bpm. Without end where one draws none."""
    found = []
    for _ in range(times):
        moment = pages[0].evaluate("Date.now() + 50")
        beats = [page.evaluate(BEAT_AT, moment) for page in pages]
        found.append(float("inf") if None in beats else (max(beats) - min(beats)) * 500)
        pages[0].wait_for_timeout(300)
    return found
