// Own hits at once: when, and never twice. The stage is a listener whose server answers as the test
// says, and a model of all streams: what each of them carries, and when it is heard.

import assert from "node:assert/strict";
import { test } from "node:test";

import { page } from "./page.js";

const { AGAIN, OwnSwitch } = await page("own-switch");

/** A switch that has measured a way so long for 3 s, and has a sound. */
function settled(late, choice = "auto", output = 5) {
  const decide = new OwnSwitch(choice);
  decide.canSound = true;
  for (let now = 0; now <= 3000; now += 500) decide.measure(late, output, now);
  return decide;
}

test("own hits sound at once where the way to the ear is long, and an output that is late saves nothing", () => {
  assert.equal(settled(80).wants(3000), true);
  assert.equal(settled(24).wants(3000), false);
  assert.equal(settled(300, "auto", 250).wants(3000), true, "50 ms are saved, also by Bluetooth");
  assert.equal(settled(300, "auto", 295).wants(3000), false);
  assert.equal(settled(80, "off").wants(3000), false);
  assert.equal(settled(10, "on").wants(3000), true);
  assert.equal(settled(80, "auto", NaN).wants(3000), true);
});

test("a way that is long or short for a moment changes nothing", () => {
  const decide = new OwnSwitch("auto");
  decide.canSound = true;
  decide.measure(80, 0, 0);
  decide.measure(20, 0, 1000);
  decide.measure(80, 0, 2000);
  decide.measure(80, 0, 3900);
  assert.equal(decide.wants(3900), false);
  decide.measure(80, 0, 4000);
  assert.equal(decide.wants(4000), true);
  // Between the bounds it stays.
  for (let now = 5000; now < 60_000; now += 1000) decide.measure(20, 0, now);
  assert.equal(decide.wants(60_000), true);
  decide.measure(12, 0, 60_000);
  decide.measure(null, 0, 64_000);
  assert.equal(decide.wants(67_999), true);
  decide.measure(12, 0, 68_000);
  assert.equal(decide.wants(68_000), false);
});

test("nothing is asked for before a sound is here, and a refusal holds for a minute", () => {
  const decide = new OwnSwitch("on");
  assert.deepEqual([decide.isWished, decide.wants(0), decide.state(0)], [true, false, "silent"]);
  decide.hears("mix", 0);
  assert.equal(decide.state(0), "fetching");
  decide.isSoundless = true;
  assert.equal(decide.state(0), "soundless");
  decide.canSound = true;
  assert.deepEqual([decide.wants(0), decide.state(0)], [true, "asking"]);
  decide.isAsked = true;
  decide.refused(1000);
  assert.deepEqual([decide.wants(1000), decide.isAsked, decide.state(1000)], [false, false, "refused"]);
  assert.equal(decide.wants(1000 + AGAIN), true);
  decide.refused(100_000);
  decide.choose("on");
  assert.equal(decide.wants(100_000), true, "who chooses it is answered now");
});

test("a hit is marked exactly while a stream without own hits is heard", () => {
  const decide = settled(80);
  assert.equal(decide.marks(3000), false);
  decide.isAsked = true;
  for (const heard of ["nothing", "mix"]) {
    decide.hears(heard, 3000);
    assert.equal(decide.marks(9000), false, heard);
  }
  decide.hears("without", 10_000);
  assert.deepEqual([10_000, 10_299, 10_300].map((now) => decide.marks(now)), [false, false, true]);
  decide.isAsked = false;
  assert.equal(decide.marks(11_000), false, "it is left");
});

test("the mix is not asked for before the beginning of the last own hit is over in it", () => {
  const decide = settled(80);
  assert.equal(decide.remains(3000, 80), 0);
  decide.hears("without", 3000);
  decide.struck(4000, 200);
  assert.deepEqual([4000, 4379, 4380].map((now) => decide.remains(now, 80)), [380, 1, 0]);
  decide.struck(5000, 60_000);
  // A long sound ends here after 4 s, for it goes on in the mix.
  assert.deepEqual([5100, 9099, 9100].map((now) => decide.remains(now, 80)), [4000, 1, 0]);
  // Where nothing is heard, only its beginning is waited for.
  decide.struck(70_000, 60_000);
  decide.hears("nothing", 70_010);
  assert.deepEqual([70_020, 70_180].map((now) => decide.remains(now, 80)), [160, 0]);
  // A way that was not measured counts as long.
  decide.struck(200_000, 10);
  assert.equal(decide.remains(200_000, null), 600);
});
