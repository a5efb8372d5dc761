// Decides how this device hears the room: by WebRTC, muted until the first touch, or by the endless
// Ogg stream where WebRTC does not work. This uses nothing of the page: the constructor takes the
// loudspeaker, the ways to the server, the clock, and the functions to call.

import { Dialler } from "./dialler.js";
import { Wishes } from "./wishes.js";

/// Milliseconds: after FAR_AGAIN a broken endless stream is tried again; after LOST a lost line is
/// dialled again; a line without packets for SILENT counts as lost.
const [FAR_AGAIN, LOST, SILENT] = [1000, 300, 2500];
/// Milliseconds that a cue for previews is kept after the last preview. A room has only sixteen
/// cues.
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
  /// The query of the stream that is heard; null where none is.
  #heard = null;
  /// The query of the last endless stream for one player alone, where nothing of it came.
  #unheard = null;
  #wasTouched = false;
  #isShut = false;
  #isOff = false;

  /// - `hearing`: computes which frame is heard (`Hearing`); `speaker`: plays the sound
  ///   (`Loudspeaker`).
  /// - `ways`: `canWebRTC`, `line()` makes a line, `path(name, query)`, `isConnected`, `identity`
  ///   of the player, and `isHere`: whether this device should play sound. `passed(query)` resolves
  ///   when a stream of that query repeats nothing that this device has played itself; it is null
  ///   where that is so already.
  /// - `clock`: `now()` in milliseconds, `after(milliseconds, act)` returns a timer for `forget`.
  /// - `told`: `changed()`, `problem(text, seconds)`, and `refused(wishes)`, which gets `own` or
  ///   `mix` where the server has no stream left for them.
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
  /// How the player's own hits are heard: `without` where the stream leaves out those that the page
  /// plays, `mix`, or `nothing`. A stream that stalls goes on as it was.
  get own() {
    if (!this.#heard || (this.state !== "playing" && this.state !== "stalled")) return "nothing";
    // The cue of somebody whose token counts no longer says nothing about this player's hits.
    const { token } = this.#ways.identity;
    return this.#heard.without && this.#heard.token === token ? "without" : "mix";
  }

  begin() { this.#show(this.isWanted ? "connecting" : "off"); }

  #show(next) {
    this.state = next;
    this.#told.changed();
  }

  // ---- The content of the stream.

  get #query() { return this.#wishes.query(this.#ways.identity); }
  get #carried() { return JSON.stringify(this.#query); }

  /// Asks for one of the wishes on this device's sound (`Wishes`), or gives it back. Resolves when
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

  async #dial(query, meanwhile) {
    const next = await this.#ways.line();
    await next.dial(this.#ways.path("whep", query), meanwhile);
    return next;
  }

  async connect() {
    this.#clock.forget(this.#timer);
    if (!this.isWanted) return this.#stop();
    const dial = this.#dialler.begin();
    if (this.#hearing.isNothing) this.#show("connecting");
    if (!(await this.#passes(() => this.#dialler.counts(dial)))) return this.#dialler.end(dial);
    if (!this.#ways.canWebRTC) {
      this.#dialler.end(dial);
      return this.#startFar();
    }
    const query = this.#query;
    try {
      const meanwhile = () => this.#dialler.counts(dial) && this.#bridge();
      const next = await this.#dial(query, meanwhile).finally(() => this.#dialler.end(dial));
      if (!this.#dialler.counts(dial) || !this.isWanted) return next.hangUp();
      if (JSON.stringify(query) !== this.#carried) {
        // While the endless stream was heard, something else was wished for.
        next.hangUp();
        return await this.connect();
      }
      await this.#change(next, query);
    } catch (problem) {
      const { status } = problem;
      const facts = { status, asksCue: "token" in query, isConnected: this.#ways.isConnected };
      await this.#recover(problem, this.#dialler.failed(dial, facts));
    }
  }

  /// Waits until the stream that is wished for repeats nothing that this device has played itself.
  /// - Parameter counts: whether the change is still meant.
  /// - Returns: whether it is.
  async #passes(counts) {
    const passed = this.#ways.passed?.(this.#query);
    if (!passed) return true;
    await passed;
    return counts() && this.isWanted;
  }

  /// A dial may take long: meanwhile the endless stream is heard.
  #bridge() {
    if (this.#ways.isConnected && !this.#hearing.line?.arrives(this.#clock.now())) this.#sayFar();
  }

  async #change(line, query) {
    this.#hearing.change(line);
    this.#heard = query;
    this.#dialler.forgive();
    this.#speaker.load(line.track);
    line.whenLost(() => this.#dialler.isDialling || this.#later(LOST));
    await this.#play();
  }

  async #recover({ status, message }, { act, again }) {
    if (act === "keep the mix") {
      this.#drop(status === 503 ? FULL : message);
      // The stream that is heard may be another one than is wished for now.
      if (JSON.stringify(this.#heard) !== this.#carried) await this.connect();
    } else if (act === "wait") {
      this.#show(this.hears ? "stalled" : "connecting");
    } else if (act === "listen from afar") {
      if (status) this.#startFar();
      else this.#sayFar();
      if (again) this.#timer = this.#clock.after(again, () => this.connect());
    }
  }

  /// The server has no such cue: `problem` says so, where the player asked for something.
  #drop(problem) {
    const dropped = this.#wishes.drop();
    const lasting = dropped.filter((wish) => wish === "own" || wish === "mix");
    if (lasting.length > 0) this.#told.refused(lasting);
    if (dropped.some((wish) => wish !== "own" && wish !== "mix")) this.#told.problem(problem);
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
    const isOn = () =>
      far && this.#speaker.hasAddress && !this.#speaker.isBroken && far.query === this.#carried;
    if (isOn() || !(await this.#passes(() => this.#hearing.far === far)) || isOn()) return;
    if (!this.#speaker.canOgg) {
      this.#hearing.hangUp();
      this.#show("off");
      return this.#told.problem(NEITHER, 10);
    }
    this.#hearing.goFar();
    this.#heard = null;
    this.#speaker.forgetTrack();
    // Before the first touch nothing is fetched: the sound would be too old when it is played.
    if (this.#wasTouched) await this.#playFar();
    else this.#show("ready");
  }

  async #playFar() {
    this.#show("connecting");
    this.#hearing.forget();
    this.#heard = this.#query;
    this.#hearing.far.ask(this.#carried, this.#clock.now());
    // Some browsers pass on data only in large blocks: `prompt` makes the server fill the first
    // ones quickly.
    this.#speaker.open(this.#ways.path("listen.opus", { ...this.#query, prompt: 1 }));
    await this.#play();
  }

  /// The endless stream ended or broke.
  lostFar() {
    if (!this.#hearing.far || !this.isWanted || !this.#speaker.hasAddress) return;
    if (this.#speaker.played === 0 && this.#ways.isConnected) this.#nothingCame();
    this.#speaker.forgetAddress();
    this.#later(FAR_AGAIN);
  }

  /// A browser does not tell why. Of streams for one player alone, the server may have none left;
  /// but the network may have failed as well, so it is asked once more.
  #nothingCame() {
    if (!this.#heard?.token) return;
    const isAgain = this.#unheard === this.#carried;
    this.#unheard = isAgain ? null : this.#carried;
    if (isAgain) this.#drop(FULL);
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
    this.#heard = null;
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
    if (this.#hearing.far && !this.#speaker.hasAddress) this.#touchFar();
    else if (!this.#hearing.isNothing) this.#play();
  }

  /// Right behind a stream without own hits the touch waits, and the next one counts.
  #touchFar() { if (!this.#ways.passed?.(this.#query)) this.#playFar(); }

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
    this.#unheard = null;
    this.look();
    const now = this.#clock.now();
    this.#hearing.measure(now);
    this.#show("playing");
    // Where something else is wished for, that change is on its way.
    if (this.#hearing.isTooLate(now) && this.#hearing.far.query === this.#carried) this.#playFar();
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
