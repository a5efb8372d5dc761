import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { Clock } = await page("clock");

/** A clock whose time is stepped; `ahead` is the server's clock less ours. */
function stage(ahead = 5000) {
  let now = 0;
  let timers = [];
  const asked = [];
  const time = {
    now: () => now,
    after(wait, act) { const timer = { at: now + wait, act }; timers.push(timer); return timer; },
    forget(timer) { timers = timers.filter((other) => other !== timer); },
  };
  const clock = new Clock((address, { value }) => asked.push([address, value]), time);
  const go = (until) => {
    now = until;
    const due = timers.filter((timer) => timer.at <= now);
    timers = timers.filter((timer) => timer.at > now);
    for (const timer of due) timer.act();
  };
  /**
   * An answer to what was asked now: so long there and so long back, with the server's clock off by
   * `error` more.
   */
  const answer = (there, back, error = 0) => {
    const sent = now;
    now += there + back;
    clock.pong([sent, sent + there + ahead + error, sent + there + ahead + error]);
  };
  return { clock, go, answer, asked, waits: () => timers.map((timer) => timer.at - now) };
}

test("the server's time is not known before the first answer, and then to half of what the ways differ", () => {
  const { clock, answer } = stage();
  assert.equal(clock.server(), null);
  assert.equal(clock.local(5000), null);
  answer(4, 4);
  assert.equal(clock.server(100), 5100);
  assert.equal(clock.local(5100), 100);
  assert.equal(clock.roundTrip, 8);
});

test("the quickest answer counts: one that was held up on its way moves nothing", () => {
  const { clock, answer } = stage();
  answer(2, 2);
  answer(2, 300);
  assert.equal(clock.server(0), 5000);
  answer(1, 1, 0.5);
  assert.equal(clock.server(0), 5000.5);
});

test("an answer loses worth as it ages, so a drift is followed", () => {
  const { clock, answer, go } = stage();
  answer(1, 1);
  go(20_000);
  // 50 ppm in 20 s is 1 ms; the old answer is worth 2 ms less by now.
  answer(1.5, 1.5, 1);
  assert.equal(clock.server(0), 5001);
});

test("once it is settled, a small correction comes in by half, and a jump at once", () => {
  const { clock, answer, go } = stage();
  for (let count = 0; count < 16; count += 1) answer(2, 2);
  answer(1, 1, 4);
  assert.equal(clock.server(0), 5002);
  go(1000);
  answer(0.4, 0.4, 1000);
  assert.equal(clock.server(0), 6000);
});

test("it asks in a burst, then every two seconds, and more often while no answer was quick", () => {
  const { clock, go, answer, asked, waits } = stage();
  clock.start();
  for (let count = 1; count < 16; count += 1) {
    assert.deepEqual(waits(), [60]);
    go(count * 60);
  }
  assert.equal(asked.length, 16);
  assert.deepEqual(waits(), [300]);
  answer(1, 1);
  go(1500);
  assert.deepEqual(waits(), [2000]);
  clock.stop();
  assert.deepEqual(waits(), []);
});

test("an answer that says that it came before it was asked for is left out", () => {
  const { clock } = stage();
  clock.pong([10, 5000, 5010]);
  clock.pong([NaN, 0, 0]);
  assert.equal(clock.server(), null);
});
