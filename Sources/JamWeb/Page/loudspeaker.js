// The page's audio element, behind the interface that the listener needs: it plays a track or an
// address, or is silent.

/// The shortest delay that the output can have. Of itself Chromium takes blocks of 10 ms on Linux.
/// A phone may not keep up with shorter ones.
const LATENCY = matchMedia("(pointer: coarse)").matches ? "interactive" : 0;

export class Loudspeaker {
  #audio;
  #context = null;
  /// Whether the context tells the output's delay: nothing else in this browser does.
  #tellsDelay = false;

  constructor(audio) { this.#audio = audio; }

  get canOgg() { return this.#audio.canPlayType('audio/ogg; codecs="opus"') !== ""; }
  get isHeard() { return !this.#audio.muted && !this.#audio.paused; }
  get isMuted() { return this.#audio.muted; }
  /// Whether data from the address is there to be played.
  get arrives() { return this.#audio.readyState > 2; }
  /// How much of the address's stream was played, in milliseconds.
  get played() { return this.#audio.currentTime * 1000; }
  get hasAddress() { return Boolean(this.#audio.getAttribute("src")); }
  get isBroken() { return this.#audio.error !== null; }

  /// Milliseconds from the browser to the ear, as the browser tells; NaN where it does not tell,
  /// and 0 until the page may play sound.
  get outputLatency() {
    this.#tellsDelay = true;
    return (this.context.outputLatency ?? NaN) * 1000;
  }

  /// The page's one audio context: it tells the output's delay, and plays the player's own hits.
  /// It runs once somebody has touched the page.
  get context() {
    this.#context ??= new AudioContext({ latencyHint: LATENCY });
    if (this.#context.state !== "running") this.#context.resume().catch(() => {});
    return this.#context;
  }

  /// Lets the context go on, as far as the browser allows.
  wake() { return this.context; }

  /// Lets the context rest until it is needed again.
  rest() {
    if (this.#tellsDelay || this.#context?.state !== "running") return;
    this.#context.suspend().catch(() => {});
  }

  load(track) {
    this.forgetAddress();
    this.#audio.srcObject = new MediaStream([track]);
  }

  open(address) {
    this.#audio.srcObject = null;
    this.#audio.muted = false;
    this.#audio.src = address;
  }

  forgetTrack() { this.#audio.srcObject = null; }
  forgetAddress() { this.#audio.removeAttribute("src"); }

  empty() {
    this.#audio.pause();
    this.forgetTrack();
    this.forgetAddress();
  }

  /// - Returns: `played`; `replaced`, by another load; `refused`, until somebody touches the page;
  ///   or `broken`.
  async play({ isMuted }) {
    this.#audio.muted = isMuted;
    try {
      await this.#audio.play();
      return "played";
    } catch (problem) {
      return { AbortError: "replaced", NotAllowedError: "refused" }[problem.name] ?? "broken";
    }
  }

  /// Plays muted: browsers allow this before somebody touches the page.
  playMuted() {
    this.#audio.muted = true;
    this.#audio.play().catch(() => {});
  }
}
