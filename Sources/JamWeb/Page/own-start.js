// Connects own hits with the page: the pads and keys that play them, the listener whose stream
// leaves them out, and the page's audio context. Loaded once the room is heard; the sounds come
// when own hits are wished for.

import { toast } from "./dom.js";
import { recall } from "./memory.js";
import { OwnChange } from "./own-change.js";
import { OwnHits, channelGain } from "./own-hits.js";
import { AGAIN, OwnSwitch } from "./own-switch.js";
import { pads, soundWith } from "./pads.js";
import { waits } from "./people.js";
import { room } from "./room.js";
import { isSilent, soloElsewhere } from "./silence.js";

const TAKEN =
  "All streams with a mix of one’s own are taken: your hits come with the room, a little later.";
const TOO_LARGE =
  "This kit is too large for this device: its first pads sound at once, the others with the room.";
/// Seconds in which the gain of own hits follows a fader.
const SMOOTH = 0.005;
/// The values of a pad that are its sound.
const OF_SOUND = ["sample", "stretch", "beats"];

/// - `listener`, `hearing`, `speaker`: what plays the room here.
/// - Returns: `look()`, to be called when what is heard may have changed, and once a second;
///   `choose(choice)`; `chooseKeys(on)`; `passed()`, a promise, or null (`Listener`); `silence()`;
///   and `state`.
export function start({ listener, hearing, speaker }) {
  const now = () => performance.now();
  const get = (address, otherwise) => room.get(address, otherwise);
  const decide = new OwnSwitch(recall("own hits", "auto"));
  const hits = new OwnHits({
    get, decide, now, lengthOf: (pad) => pads[pad - 1].milliseconds,
    roundTrip: () => room.clock.roundTrip ?? 0,
    mayPlay: () =>
      !isSilent() && room.get("/role") !== "listener" && !waits(room.player)
      && speaker.context.state === "running",
  });
  const change = new OwnChange({
    decide, listener, late: () => hearing.latency,
    output: () => hearing.output(() => speaker.outputLatency),
    silence: () => hits.silence(), clock: { now, after: (wait, act) => setTimeout(act, wait) },
    told: (state) => room.tell("own hits", [state]),
  });
  hits.playsKeys = recall("own keys", true);
  let made = null;
  /// The player's channel: what own hits go through.
  let output = null;
  let wasRefused = false;

  function look() {
    change.look();
    if (decide.isWished && listener.own !== "nothing") made ??= make().catch(forget);
    if (output) restOrWake();
  }

  function restOrWake() {
    if (decide.isWished) speaker.wake();
    else if (!hits.isSounding) speaker.rest();
  }

  const forget = () => setTimeout(() => { made = null; }, AGAIN);

  /// Fetches what plays own hits, then the sounds.
  async function make() {
    const [{ OwnSounds }, { OwnVoices, settingsOf }, { OwnMoment }] = await Promise.all(
      [import("./own-sounds.js"), import("./own-voice.js"), import("./own-moment.js")]);
    const { context } = speaker;
    const moment = new OwnMoment(context);
    output = context.createGain();
    output.connect(context.destination);
    const gain = () => (soloElsewhere() ? 0 : channelGain(get, room.player));
    const level = () => output.gain.setTargetAtTime(gain(), context.currentTime, SMOOTH);
    const path = (...parts) => room.path(...parts);
    const sounds = new OwnSounds({ context, path, get, changed: () => come(sounds) });
    hits.settingsOf = settingsOf;
    hits.voices = new OwnVoices(context, output);
    hits.voices.moment = () => moment.next();
    hits.sounds = sounds;
    const ask = () => room.token && sounds.look({ player: room.player, token: room.token });
    for (const address of ["connected", "/kit", "/instrument"]) room.on(address, ask);
    room.on("/pad/*", ([value], address) => {
      const [, , number, ...what] = address.split("/");
      const name = what.join("/");
      if (OF_SOUND.includes(name)) ask();
      else hits.told(Number(number), name, value);
    });
    room.on("/pitch", ([semitones]) => { hits.voices.pitch = 2 ** (semitones / 12); });
    for (const address of ["/gain", "/mute", "/master/*", "/player/*", "/mix/*"]) {
      room.on(address, (_, told) => /\/(gain|mute|solo)$/.test(told) && level());
    }
    output.gain.value = gain();
    ask();
  }

  let isTold = false;
  function come(sounds) {
    const { pads: count, ready, bytes, isTooLarge, isDone } = sounds.state;
    if (isTooLarge && !isTold) {
      isTold = true;
      toast(TOO_LARGE, 8);
    }
    if (bytes > 0) decide.canSound = true;
    decide.isSoundless = isDone && bytes === 0;
    if (ready >= count || isTooLarge || isDone) takeKeys();
    look();
  }

  /// Own keys come when the pads' sounds are here.
  let keysCome = null;
  function takeKeys() {
    keysCome ??= import("./own-keys.js").then(({ OwnKeys }) => {
      const { sounds, voices } = hits;
      hits.keys = new OwnKeys(speaker.context, output, { get, sounds, voices });
      hits.keys.prepare();
      room.on("/instrument", () => hits.keys.prepare());
      room.on("/sustain", ([isDown]) => hits.keys.pedal(isDown > 0));
      room.on("/bend", ([bend]) => hits.keys.wheel(bend));
      room.on("/pitch", ([semitones]) => hits.keys.tune(semitones));
      room.on("/note/off", ([player, note]) => player === room.player && hits.toldOff(note));
    }).catch(() => {});
  }

  room.on("refused streams", (wishes) => {
    if (!wishes.includes("own")) return;
    change.refused();
    if (!wasRefused) toast(TAKEN, 8);
    wasRefused = true;
  });
  for (const what of ["disconnected", "quiet", "left"]) room.on(what, () => hits.releaseAll());
  // The room has ended all that this player sounds.
  room.on("/kicked", () => hits.silence());
  // A browser that suspended the context lets it go on by a touch.
  for (const type of ["pointerup", "touchend", "click", "keydown"]) {
    addEventListener(type, () => output && restOrWake(), { capture: true, passive: true });
  }
  soundWith(hits);
  look();
  return {
    look, passed: () => change.passed(), choose: (choice) => { decide.choose(choice); look(); },
    chooseKeys: (on) => { hits.playsKeys = on; },
    silence: () => hits.silence(), get state() { return decide.state(now()); },
  };
}
