import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { FrameLoop } = await page("frame");

/** Frames and time by hand: `frame(at)` is the browser's next frame, `pass(to)` lets timers come. */
function hand() {
  const hand = { now: 0, asked: 0, timers: [] };
  let step = null;
  hand.time = {
    now: () => hand.now,
    frame: (next) => {
      hand.asked += 1;
      step = next;
    },
    after: (wait, act) => {
      const timer = { at: hand.now + wait, act };
      hand.timers.push(timer);
      return timer;
    },
    forget: (timer) => { hand.timers = hand.timers.filter((each) => each !== timer); },
  };
  hand.frame = (at) => {
    hand.now = at;
    const go = step;
    step = null;
    go?.(at);
    return go !== null;
  };
  hand.pass = (to) => {
    hand.now = to;
    for (const timer of hand.timers.filter(({ at }) => at <= to)) {
      hand.timers = hand.timers.filter((each) => each !== timer);
      timer.act();
    }
  };
  return hand;
}

test("a drawing goes on frame by frame until it is done, and then no frame is asked for", () => {
  const clock = hand();
  const loop = new FrameLoop(clock.time);
  let left = 3;
  loop.animate(() => (left -= 1) > 0);
  for (const at of [16, 33, 50]) assert.ok(clock.frame(at));
  assert.equal(left, 0);
  assert.equal(clock.frame(66), false);
  assert.deepEqual(clock.timers, []);
});

test("a drawing that rests for a time costs no frame meanwhile", () => {
  const clock = hand();
  const loop = new FrameLoop(clock.time);
  const seen = [];
  loop.animate((now) => {
    seen.push(now);
    return 500;
  });
  clock.frame(16);
  assert.equal(clock.frame(33), false, "nothing was asked for");
  clock.pass(400);
  assert.equal(clock.asked, 1);
  clock.pass(516);
  clock.frame(520);
  assert.deepEqual(seen, [16, 520]);
});

test("of two drawings each rests as long as it says, and one that is asked for draws at once", () => {
  const clock = hand();
  const loop = new FrameLoop(clock.time);
  const seen = { slow: [], quick: [] };
  const slow = (now) => {
    seen.slow.push(now);
    return 1000;
  };
  loop.animate(slow);
  loop.animate((now) => {
    seen.quick.push(now);
    return 100;
  });
  clock.frame(10);
  clock.pass(110);
  clock.frame(112);
  assert.deepEqual(seen, { slow: [10], quick: [10, 112] });
  loop.animate(slow);
  clock.frame(130);
  assert.deepEqual(seen.slow, [10, 130]);
  clock.pass(212);
  clock.frame(220);
  assert.deepEqual(seen, { slow: [10, 130], quick: [10, 112, 220] });
});

test("what asks for a drawing while it draws gets one more, though that one was the last", () => {
  const clock = hand();
  const loop = new FrameLoop(clock.time);
  let count = 0;
  const draw = () => {
    count += 1;
    if (count === 1) loop.animate(draw);
    return false;
  };
  loop.animate(draw);
  clock.frame(16);
  clock.frame(33);
  assert.equal(count, 2);
  assert.equal(clock.frame(50), false);
});

test("a drawing that rests for ever by an unknown time does not keep others from their frames", () => {
  const clock = hand();
  const loop = new FrameLoop(clock.time);
  let count = 0;
  loop.animate(() => Infinity);
  loop.animate(() => {
    count += 1;
    return 50;
  });
  clock.frame(16);
  clock.pass(70);
  clock.frame(80);
  assert.equal(count, 2);
});
