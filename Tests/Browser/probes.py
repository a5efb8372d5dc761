"""What is put into a page to measure it."""

# What the page's own <audio> gets, looked at as often as the browser allows: the last 256 frames.
EAR = """() => {
  const context = new AudioContext({ sampleRate: 48000, latencyHint: "interactive" });
  const source = context.createMediaStreamSource(document.getElementById("audio").srcObject);
  const split = context.createChannelSplitter(2);
  source.connect(split);
  const sides = [0, 1].map((side) => {
    const ear = context.createAnalyser();
    ear.fftSize = SIZE;
    split.connect(ear, side);
    return ear;
  });
  const silent = context.createGain();
  silent.gain.value = 0;
  sides[0].connect(silent);
  silent.connect(context.destination);
  const frames = new Float32Array(SIZE);
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
      // A tap that nobody hears does not go on for ever.
      if (window.peak(0) > 0.01) resolve(passed);
      else if (passed > 20000) resolve(Infinity);
      else channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
  });
  // Where nobody has touched the page yet, it begins with the first touch.
  addEventListener("pointerdown", () => context.resume(), { capture: true });
  context.resume();
}"""
# The last 0.7 s: a machine that looks away for less than that misses no sound.
LONG_EAR = EAR.replace("SIZE", "32768")
EAR = EAR.replace("SIZE", "256")

# The same in the decoded track itself, which the audio element plays: without the way into Web Audio, which EAR takes and no listener.
TRACK = """() => {
  const track = peers.at(-1).getReceivers()[0].track.clone();
  const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
  let tapped = 0;
  addEventListener("pointerdown", () => { tapped = performance.now(); }, { capture: true });
  (async () => {
    for (;;) {
      const { value } = await reader.read();
      const frames = new Float32Array(value.numberOfFrames);
      value.copyTo(frames, { planeIndex: 0, format: "f32-planar" });
      value.close();
      if (!tapped || frames.every((frame) => Math.abs(frame) <= 0.01)) continue;
      window.decodedAfter = performance.now() - tapped;
      tapped = 0;
    }
  })();
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

# Somebody who plays pad 9 along with the click as it is decoded, `taps` times, one for each beat, into a loop of as many beats; then
# listens to the decoded mix until the loop has gone round. The pad sounds on the left alone. In milliseconds: how far each of the loop's
# hits is from its click (`off`), and how far the room says that each tap was moved (`shifts`). `held` counts the taps that this machine held
# up, and those in whose stead it held up what was heard.
BY_EAR = """async (taps) => {
  const { room } = await import("/room.js");
  const { delay } = await import("/listen.js");
  const track = peers.at(-1).getReceivers()[0].track.clone();
  const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
  const heard = { clicks: [], hits: [] };
  const loud = { clicks: -Infinity, hits: -Infinity };
  // From the stream's own time to this page's, for each block: some come two at once.
  const ways = [];
  let over = false;
  const listening = (async () => {
    while (!over) {
      const { value } = await reader.read();
      ways.push(performance.now() - value.timestamp / 1000);
      const [left, right] = [0, 1].map((side) => {
        const frames = new Float32Array(value.numberOfFrames);
        value.copyTo(frames, { planeIndex: Math.min(side, value.numberOfChannels - 1), format: "f32-planar" });
        return frames;
      });
      for (let i = 0; i < left.length; i += 1) {
        const later = (i * 1000) / value.sampleRate;
        const at = value.timestamp / 1000 + later;
        for (const [what, level] of [["clicks", Math.abs(right[i])], ["hits", Math.abs(left[i] - right[i])]]) {
          if (level < 0.03) continue;
          if (at - loud[what] > 80) heard[what].push({ at });
          loud[what] = at;
        }
      }
      value.close();
    }
    track.stop();
  })();
  const end = performance.now() + 240000;
  const wait = (time) => {
    if (performance.now() > end) throw new Error("the room does not go on");
    return new Promise((resolve) => setTimeout(resolve, time));
  };
  const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const beat = 60000 / room.get("/tempo");
  // Who has heard the last eight clicks knows when the next one comes.
  const next = (from) => {
    const known = heard.clicks.slice(-8).map(({ at }) => at);
    const last = known.at(-1);
    let at = last + middle(ways.slice(-200)) + middle(known.map((time) => ((time - last) % beat + 1.5 * beat) % beat - beat / 2));
    while (at < from) at += beat;
    return at;
  };
  const shifts = [];
  const signal = new AbortController();
  room.on("/receipt", ([, , , shift]) => shifts.push(shift), signal.signal);
  room.set("/loop/bars", Math.ceil(taps / 4));
  room.set("/pad/9/pan", -1);
  while (heard.clicks.length < 8) await wait(20);
  room.send("/loop/overdub");
  while (room.get("/loop/state") !== "overdubbing") await wait(2);
  const element = document.querySelector('[data-pad="9"]');
  const shown = [];
  let held = 0;
  const first = ways.length;
  for (let i = 0; i < taps; i += 1) {
    const moment = next(performance.now() + beat / 4);
    while (performance.now() < moment - 8) await wait(1);
    while (performance.now() < moment);
    if (performance.now() - moment > 3) held += 1;
    for (const type of ["pointerdown", "pointerup"]) element.dispatchEvent(new PointerEvent(type, { pointerId: 77, bubbles: true, button: 0 }));
    shown.push(Math.round(delay().milliseconds));
  }
  room.send("/loop/play");
  const blocks = ways.slice(first);
  held += Math.round((taps * blocks.filter((way) => Math.abs(way - middle(blocks)) > 15).length) / blocks.length);
  await wait(3 * beat);
  heard.clicks.length = heard.hits.length = 0;
  await wait(4 * Math.ceil(taps / 4) * beat);
  over = true;
  await listening;
  signal.abort();
  room.send("/loop/clear");
  // Whoever taps to the decoded track is ahead of its ear by the output's delay, and is taken down earlier by as much.
  const playout = [...(await peers.at(-1).getStats()).values()].find(({ type }) => type === "media-playout");
  const card = playout?.totalSamplesCount ? (playout.totalPlayoutDelay / playout.totalSamplesCount) * 1000 : 0;
  const off = heard.hits.map(({ at }) => heard.clicks.map((click) => at - click.at + card).reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a), Infinity));
  return { off, shifts, shown, held, timing: room.get("/timing") };
}"""

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
