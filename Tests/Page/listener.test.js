// What decides how a device hears the room, stepped without a network or a clock of its own.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Listener } = await page("listener");
const { Hearing } = await page("hearing");

/**
 * A stage on which the listener plays: the server's answers are `answers`, in turn; time goes by
 * `go`.
 */
function stage(answers, { canWebRTC = true, canOgg = true, isHere = true } = {}) {
  const log = [];
  let [now, timers] = [1000, []];
  const speaker = {
    canOgg, isHeard: false, isMuted: true, arrives: true, played: 0, hasAddress: false, isBroken: false, refuses: false,
    load(track) { log.push(`load ${track}`); this.hasAddress = false; },
    open(address) { log.push(`open ${address}`); this.hasAddress = true; this.isMuted = false; },
    forgetTrack() {},
    forgetAddress() { this.hasAddress = false; },
    empty() { log.push("empty"); this.isHeard = this.hasAddress = false; },
    async play({ isMuted }) {
      if (this.refuses && !isMuted) return "refused";
      this.isMuted = isMuted;
      this.isHeard = !isMuted;
      return "played";
    },
    playMuted() { this.isMuted = true; this.isHeard = false; log.push("muted"); },
  };
  let number = 0;
  const makeLine = () => {
    const name = `line ${(number += 1)}`;
    return {
      track: name, isConnected: true, arrives: () => true, silence: () => 0, sources: () => [], stats: async () => new Map(), takeFigures: () => true,
      async dial(path, meanwhile) {
        log.push(`dial ${path}`);
        const answer = answers.shift();
        if (answer === "slow") meanwhile();
        if (answer && answer !== "slow") throw Object.assign(new Error(`answer ${answer}`), typeof answer === "number" ? { status: answer } : {});
      },
      hangUp() { log.push(`hang up ${name}`); },
      whenLost(lost) { this.lose = lost; },
    };
  };
  const ways = {
    canWebRTC, isConnected: true, isHere, identity: { player: "ann", token: "t" }, lines: [],
    path: (name, query) => `${name} ${Object.keys(query)}`,
    async line() { this.lines.push(makeLine()); return this.lines.at(-1); },
  };
  const clock = {
    now: () => now,
    forget(timer) { timers = timers.filter((other) => other !== timer); },
    after(wait, act) { const timer = { at: now + wait, act }; timers.push(timer); return timer; },
  };
  const hearing = new Hearing({ server: () => null, roundTrip: null });
  const told = { changed() {}, problem: (text) => log.push(`problem ${text.split(" ").slice(0, 3).join(" ")}`) };
  const listener = new Listener({ hearing, speaker, ways, clock, told });
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const go = async (until) => {
    now = until;
    const due = timers.filter((timer) => timer.at <= now);
    timers = timers.filter((timer) => timer.at > now);
    for (const timer of due) timer.act();
    await settle();
  };
  return { listener, hearing, speaker, ways, go, take: () => log.splice(0), settle };
}

test("sound is ready until a touch lets it out, and off until it is switched on", async () => {
  const { listener, speaker, take, settle } = stage([null, null]);
  const states = [];
  const note = () => states.push(listener.state);
  listener.begin();
  note();
  await listener.connect();
  note();
  speaker.refuses = true;
  listener.touch();
  await settle();
  note();
  speaker.refuses = false;
  listener.touch();
  await settle();
  note();
  assert.equal(listener.hears, true);
  assert.deepEqual(take(), ["dial whep ", "load line 1", "muted"]);
  listener.switchOff();
  note();
  assert.deepEqual(states, ["connecting", "ready", "ready", "playing", "off"]);
  listener.touch();
  await listener.joined(null);
  assert.deepEqual([listener.state, listener.isOff, take()], ["off", true, ["hang up line 1", "empty"]]);
  listener.chooseEar();
  await settle();
  assert.equal(listener.isOff, false);
  listener.hush();
  listener.chooseEar();
  assert.deepEqual([listener.state, listener.isWanted], ["off", false]);
});

test("whoever was put out and is in again is heard again without another touch", async () => {
  const { listener, take, settle } = stage([null, null]);
  await listener.connect();
  listener.touch();
  await settle();
  assert.equal(listener.state, "playing");
  listener.hush();
  listener.touch();
  assert.deepEqual([listener.state, take()], ["off", ["dial whep ", "load line 1", "hang up line 1", "empty"]]);
  await listener.joined(null);
  await settle();
  assert.deepEqual([listener.state, take()], ["playing", ["dial whep ", "load line 2"]]);
});

test("a lost line is dialled again, and a server that comes back is heard again", async () => {
  const { listener, ways, go, take, settle } = stage([null, "gone", null]);
  await listener.connect();
  listener.touch();
  await settle();
  assert.equal(listener.state, "playing");
  ways.lines[0].lose();
  assert.equal(listener.state, "stalled");
  take();
  await go(1299);
  assert.deepEqual(take(), []);
  ways.isConnected = false;
  await go(1300);
  assert.deepEqual([listener.state, take()], ["connecting", ["dial whep "]]);
  ways.isConnected = true;
  await listener.joined(null);
  await settle();
  assert.deepEqual([listener.state, take()], ["playing", ["dial whep ", "hang up line 1", "load line 3"]]);
});

test("where no line gets through, the endless stream is heard until one does", async () => {
  const { listener, hearing, speaker, go, take, settle } = stage(["blocked", "blocked", null]);
  await listener.connect();
  assert.deepEqual([listener.state, take(), hearing.far !== null], ["ready", ["dial whep ", "problem The close way"], true]);
  listener.touch();
  await settle();
  assert.deepEqual([listener.state, take()], ["playing", ["open listen.opus prompt"]]);
  // Told once, and dialled again after 10 s, then 20.
  await go(10_999);
  assert.deepEqual(take(), []);
  await go(11_000);
  assert.deepEqual(take(), ["dial whep "]);
  listener.lostFar();
  await settle();
  assert.deepEqual([listener.state, speaker.hasAddress], ["stalled", false]);
  await go(12_000);
  await settle();
  assert.deepEqual([listener.state, take(), hearing.far], ["playing", ["dial whep ", "load line 3"], null]);
});

test("of an endless stream for one player alone, the second that brings nothing counts as refused", async () => {
  const { listener, speaker, go, take } = stage(["blocked"], { canWebRTC: false });
  await listener.want("preview");
  listener.touch();
  await listener.connect();
  assert.deepEqual(take(), ["open listen.opus player,token,prompt"]);
  listener.lostFar();
  await go(2000);
  assert.deepEqual(take(), ["open listen.opus player,token,prompt"], "the network may have failed");
  // It is heard, and lost later: that was no refusal.
  speaker.played = 1;
  await listener.measure();
  speaker.played = 0;
  listener.lostFar();
  await go(3000);
  assert.deepEqual(take(), ["open listen.opus player,token,prompt"]);
  listener.lostFar();
  await go(4000);
  assert.deepEqual(take(), ["problem Too many people", "open listen.opus prompt"]);
});

test("a browser that can do neither says so, and nothing is dialled", async () => {
  const { listener, take } = stage([], { canWebRTC: false, canOgg: false });
  await listener.connect();
  assert.deepEqual([listener.state, take()], ["off", ["problem This browser can"]]);
});

test("while a dial takes long the endless stream is heard, and a refused one is not tried again", async () => {
  const slow = stage(["slow"]);
  slow.listener.touch();
  await slow.listener.connect();
  await slow.settle();
  assert.deepEqual(slow.take().slice(0, 3), ["dial whep ", "problem The close way", "open listen.opus prompt"]);
  const refused = stage([403]);
  refused.listener.touch();
  await refused.listener.connect();
  await refused.settle();
  assert.deepEqual(refused.take(), ["dial whep ", "open listen.opus prompt"]);
  await refused.go(500_000);
  assert.deepEqual(refused.take(), []);
});

test("a wish dials another stream, and a cue goes back after the last preview", async () => {
  const { listener, go, take } = stage([null, null, null, 503]);
  assert.deepEqual([await listener.want("click"), take()], [true, []]);
  await listener.connect();
  listener.touch();
  assert.deepEqual(take(), ["dial whep click", "load line 1"]);
  assert.deepEqual([await listener.want("click"), take()], [true, []]);
  assert.deepEqual([await listener.preview(), take()], [true, ["dial whep player,token", "hang up line 1", "load line 2"]]);
  await go(20_000);
  await listener.preview();
  await go(39_999);
  assert.deepEqual(take(), []);
  await go(40_000);
  assert.deepEqual(take().slice(0, 1), ["dial whep click"]);
  assert.deepEqual([await listener.want("focus"), take()], [false, ["dial whep player,token", "problem Too many people"]]);
});

test("where the sound is to come from elsewhere, nothing is dialled", async () => {
  const { listener, take } = stage([], { isHere: false });
  listener.begin();
  await listener.connect();
  assert.deepEqual([listener.state, await listener.want("click"), take()], ["off", true, ["empty"]]);
});
