// Decides how this device hears the room: by WebRTC, muted until the first touch, or by the endless
// Ogg stream where WebRTC does not work. This uses nothing of the page: the constructor takes the
// loudspeaker, the ways to the server, the clock, and the functions to call.

import { Dialler } from "./dialler.js";
import { Wishes } from "./wishes.js";

/// Milliseconds: after FAR_AGAIN a broken endless stream is tried again; after LOST a lost line is
/// dialled again; a line without packets for SILENT counts as lost.
const [FAR_AGAIN, LOST, SILENT] = [1000, 300, 2500];
/// Milliseconds that a cue for previews is kept after the last preview. A room has only eight cues.
const PREVIEW = 20_000;

const FULL = "Too many people are listening to something of their own just now. Try again in half a minute.";
const FAR = "The close way for sound (WebRTC) does not get through this network. Until it does, you hear a second or so late.";
const NEITHER = "This browser can neither do WebRTC here nor play Ogg Opus. Try Chrome, Firefox or a recent Safari.";

export class Listener {
  /// off · connecting · ready (arrives, muted) · playing · stalled
  state = "off";
  #hearing;
  #speaker;
  #ways;
  #clock;
  #told;
  #dialler = new Dialler();
  #wishes = new Wishes();
  #timer = null;
  #lastPreview = null;
  #wasTouched = false;
  #isShut = false;
  #isOff = false;

  /// - `hearing`: computes which frame is heard (`Hearing`); `speaker`: plays the sound
  ///   (`Loudspeaker`).
  /// - `ways`: `canWebRTC`, `line()` makes a line, `path(name, query)`, `isConnected`, `identity`
  ///   of the player, and `isHere`: whether this device should play sound.
  /// - `clock`: `now()` in milliseconds, `after(milliseconds, act)` returns a timer for `forget`.
  /// - `told`: `changed()`, and `problem(text, seconds)`.
  constructor({ hearing, speaker, ways, clock, told }) {
    this.#hearing = hearing;
    this.#speaker = speaker;
    this.#ways = ways;
    this.#clock = clock;
    this.#told = told;
  }

  /// Whether the player switched the sound off, until it is switched on again or the page is
  /// reloaded. A lasting choice is in the settings (`isHere`).
  get isOff() { return this.#isOff; }
  get isWanted() { return !this.#isShut && !this.#isOff && this.#ways.isHere; }
  get hears() { return this.state === "playing"; }

  begin() { this.#show(this.isWanted ? "connecting" : "off"); }

  #show(next) {
    this.state = next;
    this.#told.changed();
  }

  // ---- The content of the stream.

  get #query() { return this.#wishes.query(this.#ways.identity); }
  get #carried() { return JSON.stringify(this.#query); }

  /// Asks for `click`, `preview`, `focus` or `door` on this device's sound, or gives it back. Resolves when
  /// the stream is ready, to whether the stream carries it.
  async want(what, on = true) {
    const before = this.#carried;
    this.#wishes.take(what, on);
    if (this.#carried !== before && this.isWanted && this.state !== "off") await (this.#hearing.far ? this.#startFar() : this.connect());
    return this.#wishes.has(what);
  }

  async preview() {
    this.#clock.forget(this.#lastPreview);
    this.#lastPreview = this.#clock.after(PREVIEW, () => this.want("preview", false));
    return this.want("preview");
  }

  // ---- By WebRTC (the close way).

  async #dial(meanwhile) {
    const next = await this.#ways.line();
    await next.dial(this.#ways.path("whep", this.#query), meanwhile);
    return next;
  }

  async connect() {
    this.#clock.forget(this.#timer);
    if (!this.isWanted) return this.#stop();
    const dial = this.#dialler.begin();
    if (this.#hearing.isNothing) this.#show("connecting");
    if (!this.#ways.canWebRTC) return this.#startFar();
    try {
      const next = await this.#dial(() => this.#dialler.counts(dial) && this.#bridge()).finally(() => this.#dialler.end(dial));
      if (!this.#dialler.counts(dial) || !this.isWanted) return next.hangUp();
      await this.#change(next);
    } catch (problem) {
      const facts = { status: problem.status, asksCue: this.#wishes.asksCue, isConnected: this.#ways.isConnected };
      this.#recover(problem, this.#dialler.failed(dial, facts));
    }
  }

  /// A dial may take long: meanwhile the endless stream is heard.
  #bridge() {
    if (this.#ways.isConnected && !this.#hearing.line?.arrives(this.#clock.now())) this.#sayFar();
  }

  async #change(line) {
    this.#hearing.change(line);
    this.#dialler.forgive();
    this.#speaker.load(line.track);
    line.whenLost(() => this.#dialler.isDialling || this.#later(LOST));
    await this.#play();
  }

  #recover({ status, message }, { act, again }) {
    if (act === "keep the mix") {
      this.#wishes.dropCues();
      this.#told.problem(status === 503 ? FULL : message);
    } else if (act === "wait") {
      this.#show(this.hears ? "stalled" : "connecting");
    } else if (act === "listen from afar") {
      if (status) this.#startFar();
      else this.#sayFar();
      if (again) this.#timer = this.#clock.after(again, () => this.connect());
    }
  }

  #later(wait) {
    this.#clock.forget(this.#timer);
    if (!this.isWanted) return;
    if (this.hears) this.#show("stalled");
    this.#timer = this.#clock.after(wait, () => this.connect());
  }

  /// Dials again: another network, or a server that has come back, may let WebRTC through.
  tryAgain() {
    this.#dialler.forgive();
    if (this.isWanted) this.connect();
  }

  // ---- By the endless stream (from afar).

  /// Starts the endless stream because the network lets no WebRTC through, and says so once.
  #sayFar() {
    if (!this.#hearing.far) this.#told.problem(FAR, 8);
    this.#startFar();
  }

  async #startFar() {
    const { far } = this.#hearing;
    if (far && this.#speaker.hasAddress && !this.#speaker.isBroken && far.query === this.#carried) return;
    if (!this.#speaker.canOgg) {
      this.#hearing.hangUp();
      this.#show("off");
      return this.#told.problem(NEITHER, 10);
    }
    this.#hearing.goFar();
    this.#speaker.forgetTrack();
    // Before the first touch nothing is fetched: the sound would be too old when it is played.
    if (this.#wasTouched) await this.#playFar();
    else this.#show("ready");
  }

  async #playFar() {
    this.#show("connecting");
    this.#hearing.forget();
    this.#hearing.far.ask(this.#carried, this.#clock.now());
    // Some browsers pass on data only in large blocks: `prompt` makes the server fill the first
    // ones quickly.
    this.#speaker.open(this.#ways.path("listen.opus", { ...this.#query, prompt: 1 }));
    await this.#play();
  }

  /// The endless stream ended or broke.
  lostFar() {
    if (!this.#hearing.far || !this.isWanted || !this.#speaker.hasAddress) return;
    this.#speaker.forgetAddress();
    this.#later(FAR_AGAIN);
  }

  // ---- Sound on, sound off.

  async #play() {
    const end = await this.#speaker.play({ isMuted: !this.#wasTouched });
    if (end === "replaced") return;
    // `broken` means that nothing can be fetched or played, not that the browser wants a touch
    // first: the first touch still counts.
    if (end === "broken") return this.#show("stalled");
    if (end === "refused") {
      this.#wasTouched = false;
      this.#speaker.playMuted();
    }
    this.#show(this.#heardState);
  }

  get #arrives() { return this.#hearing.far ? this.#speaker.arrives : this.#hearing.line?.arrives(this.#clock.now()); }
  get #heardState() { return !this.#speaker.isHeard ? "ready" : this.#arrives ? "playing" : "stalled"; }

  #stop() {
    this.#clock.forget(this.#timer);
    this.#dialler.hangUp();
    this.#hearing.hangUp();
    this.#speaker.empty();
    this.#hearing.forget();
    this.#show("off");
  }

  /// Ends the sound, also for later touches: a player who was removed from the room hears nothing
  /// until that player is back.
  hush() {
    this.#isShut = true;
    this.#stop();
  }

  switchOff() {
    this.#isOff = true;
    this.#stop();
  }

  /// Call this when `ways.isHere` has changed, or when the player switches the sound on again.
  chooseEar() {
    this.#isOff = false;
    if (!this.#ways.isHere) return this.#stop();
    this.#wasTouched = true;
    this.connect();
  }

  /// The first touch anywhere on the page lets the browser play sound.
  touch() {
    if (!this.isWanted || (this.hears && this.#speaker.isHeard)) return;
    this.#wasTouched = true;
    if (this.#hearing.far && !this.#speaker.hasAddress) this.#playFar();
    else if (!this.#hearing.isNothing) this.#play();
  }

  /// The page is visible again.
  wake() {
    if (this.#hearing.line && !this.#hearing.line.isConnected) this.connect();
    else if (this.#wasTouched && !this.#speaker.isHeard) this.#play();
  }

  /// Something else paused the audio element, such as a phone call.
  paused() { if (this.hears && this.isWanted) this.#show("ready"); }
  played() { if (this.isWanted && !this.#speaker.isMuted) this.#show(this.#heardState); }

  // ---- Measuring what arrives, and how late. Call `measure` once a second.

  look() { this.#hearing.look(this.#speaker.played, this.#clock.now()); }

  async measure() {
    if (this.#hearing.far) return this.#measureFar();
    const { line } = this.#hearing;
    if (!line) return;
    const stats = await line.stats();
    if (line !== this.#hearing.line) return;
    const now = this.#clock.now();
    const hasArrived = this.#hearing.takeStats(stats, now, () => (this.#speaker.isHeard ? this.#speaker.outputLatency : NaN));
    this.#hearing.measure(now);
    if (this.hears || (hasArrived && (this.state === "stalled" || this.state === "connecting"))) this.#show(this.#heardState);
    else this.#told.changed();
    // While the server is gone, no dial is needed: the page notices when the server returns. A dial
    // that is going on may still succeed.
    if (line.silence(now) > SILENT && this.#ways.isConnected && !this.#dialler.isDialling && this.state !== "connecting") this.#later(0);
  }

  #measureFar() {
    if (!this.hears || this.#speaker.played === 0) return this.#told.changed();
    this.look();
    const now = this.#clock.now();
    this.#hearing.measure(now);
    this.#show("playing");
    if (this.#hearing.isTooLate(now)) this.#playFar();
  }

  /// The control socket is open, perhaps again. After a restart of the server the line would notice
  /// its loss only seconds later.
  /// - Parameter dialled: the dial that was begun before the socket was open.
  async joined(dialled) {
    this.#isShut = false;
    await dialled;
    if (this.isWanted && (!dialled || this.#hearing.isNothing)) this.tryAgain();
  }
}
