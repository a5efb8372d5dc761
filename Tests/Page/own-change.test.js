// Own hits, while streams come, go and are refused in any order: the listener and the switch are the
// page's, the server and the clock are the test's. A model knows what is heard at each moment. A hit
// that this device plays must never be heard once more in the stream, and nothing may hang.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Listener } = await page("listener");
const { OwnChange } = await page("own-change");
const { OwnSwitch } = await page("own-switch");

/// From a tap to the ear, by a line and by the endless stream, and how long a dial takes.
const [NEAR, FAR, DIAL] = [60, 900, 50];
const STEP = 20;

/** Numbers by a seed: SplitMix with 32 bits. */
function chance(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) % below;
  };
}

const settle = () => new Promise((go) => { setImmediate(go); });

function stage() {
  let [now, timers] = [1000, []];
  const clock = {
    now: () => now,
    after(wait, act) { const timer = { at: now + wait, act }; timers.push(timer); return timer; },
    forget(timer) { timers = timers.filter((other) => other !== timer); },
  };
  const sleep = (wait) => new Promise((go) => { clock.after(wait, go); });
  /// What is in the audio element: a query, how late it is, and since when it is heard.
  let heard = null;
  const server = { answer: null, refusesCues: false, refusesWithout: false, isUp: true };
  const speaker = {
    canOgg: true, isMuted: true, played: 0, isBroken: false, outputLatency: 5, hasAddress: false, isPlaying: false,
    get isHeard() { return this.isPlaying && !this.isMuted; },
    get arrives() { return heard !== null; },
    load(line) { this.hasAddress = false; heard = { query: line.query, late: NEAR, line }; },
    open(address) {
      this.hasAddress = true;
      this.isMuted = false;
      this.played = 0;
      const query = JSON.parse(address.slice(address.indexOf("{")));
      heard = refusal(query) ? null : { query, late: FAR, asked: now };
      if (!heard) clock.after(30, () => listener.lostFar());
      else clock.after(FAR, () => { this.played = 1; });
    },
    forgetTrack() { if (heard?.line) heard = null; },
    forgetAddress() { this.hasAddress = false; if (heard && !heard.line) heard = null; },
    empty() { this.isPlaying = this.hasAddress = false; heard = null; },
    async play({ isMuted }) { this.isMuted = isMuted; this.isPlaying = true; return "played"; },
    playMuted() {},
  };
  const refusal = (query) => ("token" in query && (server.refusesCues || (server.refusesWithout && "without" in query)) ? 503 : null);
  const lines = [];
  const makeLine = () => {
    const line = {
      isConnected: true, isUp: true, query: null, get track() { return line; },
      arrives: () => line.isUp, silence: () => (line.isUp ? 0 : 9000), sources: () => [], stats: async () => new Map(), takeFigures: () => line.isUp,
      async dial(path, meanwhile) {
        line.query = JSON.parse(path.slice(path.indexOf("{")));
        const answer = server.answer;
        await sleep(DIAL);
        if (!server.isUp) throw new Error("gone");
        const status = refusal(line.query);
        if (status) throw Object.assign(new Error("no cue"), { status });
        if (answer === "slow") { await sleep(3000); meanwhile(); await sleep(2000); }
        if (answer === "blocked") throw new Error("blocked");
      },
      hangUp() { line.isUp = false; },
      whenLost(lost) { line.lose = () => { line.isUp = line.isConnected = false; lost(); }; },
    };
    lines.push(line);
    return line;
  };
  const hearing = {
    line: null, far: null, latency: null,
    get isNothing() { return !this.line && !this.far; },
    forget() { this.latency = null; },
    change(line) { this.line?.hangUp(); this.line = line; this.far = null; this.forget(); },
    goFar() { this.line?.hangUp(); this.line = null; this.far ??= { query: null, ask(query) { this.query = query; } }; },
    hangUp() { this.line?.hangUp(); this.line = this.far = null; },
    look() {}, takeStats: () => hearing.line.isUp, isTooLate: () => false,
    measure() { this.latency = this.far ? FAR : NEAR; },
  };
  const decide = new OwnSwitch("on");
  decide.canSound = true;
  const log = [];
  const hits = [];
  const ways = {
    canWebRTC: true, get isConnected() { return server.isUp; }, identity: { player: "ann", token: "t" }, isHere: true,
    path: (name, query) => `${name}?${JSON.stringify(query)}`, line: async () => makeLine(), passed: (query) => (query.without ? null : own.passed()),
  };
  const listener = new Listener({
    hearing, speaker, ways, clock,
    told: { changed: () => own.look(), problem: (text) => log.push(text), refused: (wishes) => wishes.includes("own") && own.refused() },
  });
  const own = new OwnChange({
    decide, listener, late: () => hearing.latency, output: () => 5, clock,
    silence: () => { for (const hit of hits) hit.ends = Math.min(hit.ends, now + 5); },
  });
  /// A tap: it is marked and sounds here, or it comes with the room.
  const hit = (length) => {
    if (!decide.marks(now)) return false;
    decide.struck(now, length);
    hits.push({ at: now, length, ends: now + length });
    return true;
  };
  /// No hit is heard here and once more in the stream.
  const check = (what) => {
    const mix = speaker.isHeard && heard && (heard.line ? heard.line.isUp : true) && !("without" in heard.query) ? heard : null;
    if (!mix) return;
    for (const each of hits) {
      const inMix = now - each.at - mix.late;
      // The endless stream begins where the room was when it was asked for.
      if (inMix < 0 || inMix > each.length || (mix.asked !== undefined && now - mix.late < mix.asked)) continue;
      assert.ok(inMix > 2 * STEP, `${what}: the beginning of a hit of ${each.at} is heard twice, at ${now}`);
      assert.ok(each.ends <= now, `${what}: a hit of ${each.at} sounds twice at ${now}`);
    }
  };
  let second = now;
  const go = async (milliseconds, what) => {
    for (const end = now + milliseconds; now < end;) {
      now += STEP;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.act();
      if (now - second >= 1000) {
        second = now;
        await listener.measure();
        own.look();
      }
      await settle();
      await settle();
      check(what);
    }
  };
  return { listener, decide, own, server, speaker, lines, hearing, ways, log, hits, hit, go, heard: () => heard };
}

async function playing() {
  const made = stage();
  made.listener.begin();
  made.listener.connect();
  await made.go(200, "it dials");
  made.listener.touch();
  await made.go(2000, "it is heard");
  return made;
}

test("own hits are asked for once the room is heard, and sound once it comes without them", async () => {
  const { listener, decide, heard, hit, hits, own, go } = await playing();
  assert.deepEqual([listener.own, heard().query], ["without", { player: "ann", token: "t", without: "me" }]);
  assert.equal(hit(200), true);
  decide.choose("off");
  own.look();
  assert.equal(hit(200), false, "from now on hits come with the room");
  assert.equal(hits.length, 1);
  await go(1000, "it is switched off");
  assert.deepEqual([listener.own, heard().query], ["mix", {}]);
});

test("a sound that is longer than anybody waits ends here when the room brings it", async () => {
  const { decide, hits, hit, own, go, listener } = await playing();
  hit(60_000);
  decide.choose("off");
  own.look();
  await go(3000, "it waits");
  assert.equal(listener.own, "without");
  await go(3000, "it is over");
  assert.equal(listener.own, "mix");
  assert.ok(hits[0].ends < 9000, `it ends at ${hits[0].ends}`);
});

test("where the server has no stream without own hits, the room goes on as it was, and hits come with it", async () => {
  const made = stage();
  made.server.refusesWithout = true;
  made.listener.begin();
  made.listener.connect();
  await made.go(200, "it dials");
  made.listener.touch();
  await made.go(2000, "it is refused");
  assert.deepEqual([made.listener.own, made.listener.hears, made.decide.state(3000), made.hit(100)], ["mix", true, "refused", false]);
  assert.equal(made.log.length, 0, "nobody asked for a preview");
  made.server.refusesWithout = false;
  await made.go(61_000, "it is asked again");
  assert.equal(made.listener.own, "without");
});

test("a preview takes the stream that is there, and its end leaves it", async () => {
  const { listener, lines, go } = await playing();
  const count = lines.length;
  await listener.preview();
  await go(25_000, "the preview is over");
  assert.deepEqual([listener.own, lines.length], ["without", count]);
});

test("a lost line comes back without own hits; refused now, it comes back with them when they are over", async () => {
  const { listener, lines, server, hit, go } = await playing();
  assert.ok(hit(100));
  lines.at(-1).lose();
  await go(1000, "it is lost");
  assert.equal(listener.own, "without");
  await go(400, "it has settled");
  assert.ok(hit(2500));
  server.refusesCues = true;
  lines.at(-1).lose();
  await go(4000, "it is lost and refused");
  assert.deepEqual([listener.own, listener.hears], ["mix", true]);
});

test("by the endless stream it is the same", async () => {
  const { listener, lines, server, heard, decide, own, hit, go } = await playing();
  server.answer = "blocked";
  lines.at(-1).lose();
  await go(4000, "it goes far");
  assert.deepEqual([heard().late, listener.own], [FAR, "without"]);
  assert.ok(hit(300));
  decide.choose("off");
  own.look();
  await go(4000, "it is switched off");
  assert.deepEqual([heard().late, listener.own], [FAR, "mix"]);
});

test("a line that was dialled before the wish changed is not heard", async () => {
  const { listener, lines, server, heard, decide, own, hit, go } = await playing();
  decide.choose("off");
  own.look();
  await go(1000, "it is switched off");
  server.answer = "blocked";
  lines.at(-1).lose();
  await go(4000, "it goes far");
  server.answer = "slow";
  listener.tryAgain();
  await go(1000, "a dial that takes long");
  decide.choose("on");
  own.look();
  await go(1500, "meanwhile own hits are wanted");
  assert.deepEqual([heard().late, listener.own], [FAR, "without"]);
  assert.ok(hit(500));
  server.answer = null;
  await go(4000, "the dial comes through");
  assert.deepEqual([heard().late, listener.own], [NEAR, "without"]);
});

test("in any order of events no hit is heard twice, and in the end all is as it was chosen", async () => {
  for (let seed = 1; seed <= 80; seed += 1) {
    const below = chance(seed);
    const made = await playing();
    const { listener, decide, own, server, lines, speaker, hearing } = made;
    const events = {
      "on": () => { decide.choose("on"); own.look(); },
      "off": () => { decide.choose("off"); own.look(); },
      "a preview": () => { listener.preview(); },
      "the click": () => { listener.want("click", below(2) > 0); },
      "a mix of one's own": () => { listener.want("mix", below(2) > 0); },
      "a lost line": () => { if (hearing.line?.isUp) hearing.line.lose(); },
      "a silent line": () => { if (hearing.line) hearing.line.isUp = false; },
      "a lost stream": () => { if (hearing.far) listener.lostFar(); },
      "another answer": () => { server.answer = [null, null, "slow", "blocked"][below(4)]; },
      "cues are full": () => { server.refusesCues = below(2) > 0; },
      "they are full without": () => { server.refusesWithout = below(2) > 0; },
      "the server": () => { server.isUp = below(3) > 0; if (server.isUp) listener.joined(null); },
      "a touch": () => { listener.touch(); },
      "another network": () => { listener.tryAgain(); },
      "sound off": () => { listener.switchOff(); },
      "sound on": () => { listener.chooseEar(); },
      "a pause": () => { speaker.isPlaying = false; listener.paused(); },
    };
    const names = Object.keys(events);
    const story = [];
    for (let step = 0; step < 30; step += 1) {
      const name = names[below(names.length)];
      story.push(name);
      const what = `seed ${seed}: ${story.join(", ")}`;
      events[name]();
      for (let more = below(8); more > 0; more -= 1) {
        await made.go(STEP * (1 + below(12)), what);
        if (below(2) > 0) made.hit([80, 400, 3000, 30_000][below(4)]);
      }
    }
    Object.assign(server, { answer: null, refusesCues: false, refusesWithout: false, isUp: true });
    const last = decide.choice;
    listener.chooseEar();
    listener.joined(null);
    listener.tryAgain();
    decide.choose(last);
    await made.go(3000, "calm");
    own.look();
    await made.go(200_000 / 8, "calm");
    const what = `seed ${seed}: ${story.join(", ")}; ${JSON.stringify([listener.state, made.heard()?.query, decide.state(0)])}`;
    assert.equal(listener.own, last === "on" ? "without" : "mix", what);
    assert.equal(listener.hears, true, what);
    assert.equal(Boolean(made.heard()), true, what);
  }
});
