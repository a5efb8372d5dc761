"""What decides how a device hears the room, stepped in a browser without a page, a network or a clock of its own."""

import unittest

from case import BrowserCase

# A stage on which the listener plays: the server's answers are `answers`, in turn; time goes by `go`.
STAGE = """
  const { Listener } = await import("/listener.js");
  const { Hearing } = await import("/hearing.js");
  const stage = (answers, { canWebRTC = true, canOgg = true, isHere = true } = {}) => {
    const log = [];
    let [now, timers] = [1000, []];
    const speaker = {
      canOgg, isHeard: false, isMuted: true, arrives: true, played: 0, hasAddress: false, isBroken: false, refuses: false,
      load(track) { log.push(`load ${track}`); this.hasAddress = false; },
      open(address) { log.push(`open ${address}`); this.hasAddress = true; this.isMuted = false; },
      forgetTrack() {}, forgetAddress() { this.hasAddress = false; },
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
        hangUp() { log.push(`hang up ${name}`); }, whenLost(lost) { this.lose = lost; },
      };
    };
    const ways = {
      canWebRTC, isConnected: true, isHere, identity: { player: "ann", token: "t" }, lines: [],
      path: (name, query) => `${name} ${Object.keys(query)}`,
      async line() { this.lines.push(makeLine()); return this.lines.at(-1); },
    };
    const clock = {
      now: () => now, forget(timer) { timers = timers.filter((other) => other !== timer); },
      after(wait, act) { const timer = { at: now + wait, act }; timers.push(timer); return timer; },
    };
    const hearing = new Hearing({ server: () => null, roundTrip: null });
    const listener = new Listener({ hearing, speaker, ways, clock, told: { changed() {}, problem: (text) => log.push(`problem ${text.split(" ").slice(0, 3).join(" ")}`) } });
    const settle = () => new Promise((resolve) => setTimeout(resolve));
    const go = async (until) => {
      now = until;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.act();
      await settle();
    };
    const take = () => log.splice(0);
    return { listener, hearing, speaker, ways, go, take, settle };
  };
"""

CLOSE = """async () => {""" + STAGE + """
  const { listener, speaker, ways, take } = stage([null, null]);
  const found = { states: [] };
  const note = () => found.states.push(listener.state);
  listener.begin();
  note();
  await listener.connect();
  note();
  speaker.refuses = true;
  listener.touch();
  await 0; await 0;
  note();
  speaker.refuses = false;
  listener.touch();
  await 0; await 0;
  note();
  found.hears = listener.hears;
  found.log = take();
  listener.switchOff();
  note();
  listener.touch();
  await listener.joined(null);
  found.staysOff = [listener.state, listener.isOff, take()];
  listener.chooseEar();
  await 0; await 0; await 0; await 0;
  found.on = listener.isOff;
  listener.hush();
  listener.chooseEar();
  found.shut = [listener.state, listener.isWanted];
  return found;
}"""

LOST = """async () => {""" + STAGE + """
  const { listener, ways, go, take, settle } = stage([null, "gone", null]);
  await listener.connect();
  listener.touch();
  await settle();
  const found = { before: listener.state };
  ways.lines[0].lose();
  found.lost = listener.state;
  take();
  await go(1299);
  found.early = take();
  ways.isConnected = false;
  await go(1300);
  found.serverGone = [listener.state, take()];
  ways.isConnected = true;
  await listener.joined(null);
  await settle();
  found.back = [listener.state, take()];
  return found;
}"""

FAR = """async () => {""" + STAGE + """
  const { listener, hearing, speaker, ways, go, take, settle } = stage(["blocked", "blocked", null]);
  await listener.connect();
  const found = { untouched: [listener.state, take(), hearing.far !== null] };
  listener.touch();
  await settle();
  found.touched = [listener.state, take()];
  // Told once, and dialled again after 10 s, then 20.
  await go(10_999);
  found.early = take();
  await go(11_000);
  found.again = take();
  listener.lostFar();
  await settle();
  found.broken = [listener.state, speaker.hasAddress];
  await go(12_000);
  await settle();
  found.close = [listener.state, take(), hearing.far];
  const neither = stage([], { canWebRTC: false, canOgg: false });
  await neither.listener.connect();
  found.neither = [neither.listener.state, neither.take()];
  const slow = stage(["slow"]);
  slow.listener.touch();
  await slow.listener.connect();
  await slow.settle();
  found.slow = slow.take();
  const refused = stage([403]);
  refused.listener.touch();
  await refused.listener.connect();
  await refused.settle();
  found.refused = refused.take();
  await refused.go(500_000);
  found.refusedForGood = refused.take();
  return found;
}"""

WISHES = """async () => {""" + STAGE + """
  const { listener, go, take, settle } = stage([null, null, null, 503]);
  const found = { off: await listener.want("click"), dialled: take() };
  await listener.connect();
  listener.touch();
  found.carried = take();
  found.same = [await listener.want("click"), take()];
  found.cue = [await listener.preview(), take()];
  await go(20_000);
  await listener.preview();
  await go(39_999);
  found.kept = take();
  await go(40_000);
  found.goesBack = take();
  found.full = [await listener.want("focus"), take()];
  const speakers = stage([], { isHere: false });
  speakers.listener.begin();
  await speakers.listener.connect();
  found.elsewhere = [speakers.listener.state, await speakers.listener.want("click"), speakers.take()];
  return found;
}"""


class ListenerTests(BrowserCase):
    def ask(self, script):
        return self.open().evaluate(script)

    def test_sound_is_ready_until_a_touch_lets_it_out_and_off_until_it_is_switched_on(self):
        found = self.ask(CLOSE)
        self.assertEqual(found["states"], ["connecting", "ready", "ready", "playing", "off"])
        self.assertTrue(found["hears"])
        self.assertEqual(found["log"], ["dial whep ", "load line 1", "muted"])
        self.assertEqual(found["staysOff"], ["off", True, ["hang up line 1", "empty"]])
        self.assertFalse(found["on"])
        self.assertEqual(found["shut"], ["off", False])

    def test_a_lost_line_is_dialled_again_and_a_server_that_comes_back_is_heard_again(self):
        found = self.ask(LOST)
        self.assertEqual((found["before"], found["lost"]), ("playing", "stalled"))
        self.assertEqual(found["early"], [])
        self.assertEqual(found["serverGone"], ["connecting", ["dial whep "]])
        self.assertEqual(found["back"], ["playing", ["dial whep ", "hang up line 1", "load line 3"]])

    def test_where_no_line_gets_through_the_endless_stream_is_heard_until_one_does(self):
        found = self.ask(FAR)
        self.assertEqual(found["untouched"], ["ready", ["dial whep ", "problem The close way"], True])
        self.assertEqual(found["touched"], ["playing", ["open listen.opus prompt"]])
        self.assertEqual((found["early"], found["again"]), ([], ["dial whep "]))
        self.assertEqual(found["broken"], ["stalled", False])
        self.assertEqual(found["close"], ["playing", ["dial whep ", "load line 3"], None])
        self.assertEqual(found["neither"], ["off", ["problem This browser can"]])
        self.assertEqual(found["slow"][:3], ["dial whep ", "problem The close way", "open listen.opus prompt"])
        self.assertEqual(found["refused"], ["dial whep ", "open listen.opus prompt"])
        self.assertEqual(found["refusedForGood"], [])

    def test_a_wish_dials_another_stream_and_a_cue_goes_back_after_the_last_preview(self):
        found = self.ask(WISHES)
        self.assertEqual((found["off"], found["dialled"]), (True, []))
        self.assertEqual(found["carried"], ["dial whep click", "load line 1"])
        self.assertEqual(found["same"], [True, []])
        self.assertEqual(found["cue"], [True, ["dial whep player,token", "hang up line 1", "load line 2"]])
        self.assertEqual(found["kept"], [])
        self.assertEqual(found["goesBack"][:1], ["dial whep click"])
        self.assertEqual(found["full"], [False, ["dial whep player,token", "problem Too many people"]])
        self.assertEqual(found["elsewhere"], ["off", True, ["empty"]])


if __name__ == "__main__":
    unittest.main()
