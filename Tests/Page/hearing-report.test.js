import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { HearingReport } = await page("hearing-report");
// The language of what is said: language.js reads it from the document.
globalThis.document = { documentElement: { lang: "en" } };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
const { lamp, line, explanation } = await page("light-words");

/// `RTCInboundRtpStreamStats` after `seconds` of a line that loses, makes up and holds back so much
/// in each second.
const figures = (seconds, { lost = 0, concealed = 0, waits = 0.04, jitter = 0.002, ssrc = 7 } = {}) => ({
  id: "in", ssrc, jitter, packetsReceived: (50 - lost) * seconds, packetsLost: lost * seconds, concealedSamples: concealed * seconds,
  totalSamplesReceived: 48_000 * seconds, jitterBufferEmittedCount: 48_000 * seconds, jitterBufferDelay: waits * 48_000 * seconds,
});
const heard = (line, more = {}) => ({ figures: line, latency: 60, isStalled: false, roundTrip: 12, output: 20, ...more });
const NAMES = ["madeUp", "loss", "roundTrip", "jitter", "buffer", "output", "busy"];
const named = (values) => values && Object.fromEntries(values.map((value, index) => [NAMES[index], value]));

/// The report on the seconds from 2 to 4, of a line as `facts` say.
function second(facts, more, report = new HearingReport()) {
  report.take(heard(figures(2, facts), more), 2000);
  return named(report.take(heard(figures(4, facts), more), 4000));
}

test("the first figures are only the beginning of what is told", () => {
  const report = new HearingReport();
  assert.equal(report.take(heard(figures(2, { concealed: 48_000 })), 2000), null);
  assert.deepEqual(named(report.take(heard(figures(4, { concealed: 48_000 })), 4000)).madeUp, 1);
});

test("shares are of the time since the last report", () => {
  const { madeUp, loss, roundTrip, jitter, buffer, output, busy } = second({ lost: 5, concealed: 2400, waits: 0.08, jitter: 0.012 });
  assert.deepEqual([madeUp, loss, roundTrip, output, busy], [0.05, 0.1, 12, 20, 0]);
  assert.ok(Math.abs(jitter - 12) < 1e-9 && Math.abs(buffer - 80) < 1e-6, `${jitter} ${buffer}`);
});

test("a line by which nothing comes makes everything up", () => {
  const report = new HearingReport();
  report.take(heard(figures(2)), 2000);
  report.take(heard(figures(4)), 4000);
  assert.equal(named(report.take(heard(figures(4)), 6000)).madeUp, 1);
});

test("figures that were not asked for anew are no news", () => {
  const [report, same] = [new HearingReport(), figures(4)];
  report.take(heard(figures(2)), 2000);
  report.take(heard(same), 4000);
  assert.equal(report.take(heard(same), 6000), null);
});

test("another line begins anew, and so does the sound after a pause", () => {
  const report = new HearingReport();
  report.take(heard(figures(2)), 2000);
  assert.equal(report.take(heard(figures(1, { ssrc: 8 })), 4000), null);
  assert.notEqual(report.take(heard(figures(3, { ssrc: 8 })), 6000), null);
  report.forget();
  assert.equal(report.take(heard(figures(5, { ssrc: 8 })), 8000), null);
});

test("numbers that a browser does not know are 0, and nothing is NaN", () => {
  const report = new HearingReport();
  const bare = (packetsReceived) => heard({ id: "in", packetsReceived }, { roundTrip: null, output: NaN });
  report.take(bare(100), 2000);
  assert.deepEqual(report.take(bare(200), 4000), [0, 0, 0, 0, 0, 0, 0]);
});

test("the endless stream's buffer is what is left of its latency; a stalled one makes everything up", () => {
  const report = new HearingReport();
  const far = (isStalled) => heard(null, { latency: 1500, isStalled, roundTrip: 30, output: 70 });
  report.take(far(false), 2000);
  assert.deepEqual(report.take(far(false), 4000), [0, 0, 30, 0, 1400, 70, 0]);
  assert.equal(named(report.take(far(true), 6000)).madeUp, 1);
  assert.equal(report.take(heard(null, { latency: null }), 8000), null, "how late it is is not known yet");
});

test("work that is held up counts, but not of a hidden page", () => {
  const report = new HearingReport();
  const looks = (from, to, each, isHidden) => { for (let now = from; now <= to; now += each) report.look(now, isHidden); };
  looks(0, 2000, 100, false);
  report.take(heard(figures(2)), 2000);
  looks(2100, 3000, 100, false);
  // Held up for 600 ms, of which one look was due anyway.
  looks(3600, 4000, 100, false);
  assert.equal(named(report.take(heard(figures(4)), 4000)).busy, 0.25);
  looks(4100, 6000, 1000, true);
  looks(6000, 6100, 100, false);
  assert.equal(named(report.take(heard(figures(6)), 6100)).busy, 0);
});

test("a light is told in words, whatever the server knows that this page does not", () => {
  assert.deepEqual([1, 0.5, 0, -1, undefined].map(lamp), ["green", "amber", "red", "off", "off"]);
  assert.equal(line({ light: 1, cause: "", remedy: "" }), "hears well");
  assert.equal(line({ light: 0.5, cause: "network", remedy: "cable" }), "hears late: the network");
  assert.equal(explanation({ light: 0, cause: "output", remedy: "wire" }).at(-1), "Use headphones or loudspeakers with a wire.");
  assert.equal(line({ light: 0.5, cause: "delay", remedy: "shorten" }), "hears late: the way to the ear");
  assert.equal(explanation({ light: 0.5, cause: "delay", remedy: "shorten" }).length, 2);
  assert.deepEqual(explanation({ light: 0, cause: "moon", remedy: "wait" }), []);
});
