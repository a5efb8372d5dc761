// The one stream of the microphone: who may close it, and when it is asked for anew.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { page } from "./page.js";

class Track {
  readyState = "live";
  stop() { this.readyState = "ended"; }
}
class Stream {
  tracks = [new Track()];
  getTracks() { return this.tracks; }
  get isLive() { return this.tracks.some(({ readyState }) => readyState === "live"); }
}
class Recorder {
  state = "inactive";
  constructor(stream) { this.stream = stream; }
  start() {
    if (!this.stream.isLive) throw new DOMException("it has ended", "NotSupportedError");
    this.state = "recording";
  }
  stop() {
    this.state = "inactive";
    this.ondataavailable({ data: "sound" });
    this.onstop();
  }
}

let streams = [];
const mediaDevices = {
  getUserMedia: async () => {
    streams.push(new Stream());
    return streams.at(-1);
  },
};
Object.defineProperty(globalThis, "navigator", { value: { mediaDevices }, configurable: true });
globalThis.window = globalThis;
globalThis.MediaRecorder = Recorder;
mock.timers.enable({ apis: ["setTimeout"] });

const { Recording, cut, openMicrophone, rest, shut } = await page("microphone");
/// The stream is stopped behind a promise.
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

beforeEach(async () => {
  cut();
  await settled();
  streams = [];
});

test("a pad's end and a hidden page leave a recording under Recordings alone, and the other way round", async () => {
  const take = new Recording(await openMicrophone());
  const held = new Recording(await openMicrophone());
  assert.equal(streams.length, 1);
  await held.end();
  rest();
  mock.timers.tick(9000);
  shut();
  await settled();
  assert.ok(streams[0].isLive, "the take goes on");
  await take.end();
  shut();
  await settled();
  assert.ok(!streams[0].isLive, "nothing records");
});

test("the microphone rests for a while, and is closed then", async () => {
  await new Recording(await openMicrophone()).end();
  rest();
  mock.timers.tick(7000);
  await settled();
  assert.ok(streams[0].isLive);
  mock.timers.tick(2000);
  await settled();
  assert.ok(!streams[0].isLive);
});

test("leaving closes the microphone, although something records", async () => {
  const take = new Recording(await openMicrophone());
  cut();
  await settled();
  assert.ok(!streams[0].isLive);
  await take.end();
});

test("a microphone that was unplugged is asked for anew", async () => {
  const dead = await openMicrophone();
  dead.getTracks().forEach((track) => track.stop());
  assert.throws(() => new Recording(dead), { name: "NotSupportedError" });
  const next = await openMicrophone();
  assert.equal(streams.length, 2);
  assert.ok(next.isLive);
  // The recording that could not begin keeps nothing open.
  shut();
  await settled();
  assert.ok(!next.isLive);
});
