// @ts-check
// Changes this device's stream as own hits want it (`OwnSwitch`), so that no own hit is heard twice
// on the way. This knows no page: the constructor takes the listener, and the clock.

/// Milliseconds between two looks while a change waits.
const LOOK = 100;

export class OwnChange {
  #decide;
  #listener;
  #late;
  #output;
  #silence;
  #clock;
  #told;
  #shown = "";

  /// - `late()`: milliseconds from a tap to the ear, or null; `output()`: the output's part of it.
  /// - `silence()`: ends all that sounds here.
  /// - `clock`: `now()` in milliseconds, and `after(milliseconds, act)`.
  /// - `told(state)`: called when the state has changed.
  /**
   * @param {{
   *   decide: import("./own-switch.js").OwnSwitch,
   *   listener: {
   *     own: import("./own-switch.js").Heard, hears: boolean,
   *     want(what: string, on: boolean): unknown,
   *   },
   *   late: () => number | null, output: () => number, silence: () => void,
   *   clock: { now(): number, after(wait: number, act: () => void): unknown },
   *   told?: (state: string) => void,
   * }} parts
   */
  constructor({ decide, listener, late, output, silence, clock, told = () => {} }) {
    this.#decide = decide;
    this.#listener = listener;
    this.#late = late;
    this.#output = output;
    this.#silence = silence;
    this.#clock = clock;
    this.#told = told;
  }

  /// Call this when what is heard may have changed, and once a second.
  look() {
    const decide = this.#decide;
    const now = this.#clock.now();
    decide.hears(this.#listener.own, now);
    if (this.#listener.hears) decide.measure(this.#late(), this.#output(), now);
    const wants = decide.wants(now);
    if (wants !== decide.isAsked) {
      // Hits are not marked from now on, before anything else changes.
      decide.isAsked = wants;
      this.#listener.want("own", wants);
    }
    const state = decide.state(now);
    if (state === this.#shown) return;
    this.#shown = state;
    this.#told(state);
  }

  /// The server has no stream without own hits: the listener has dropped the wish.
  refused() {
    this.#decide.refused(this.#clock.now());
    this.look();
  }

  /// The listener waits for this before it asks for a stream that carries own hits. After that, no
  /// own hit is heard a second time in that stream.
  /// - Returns: a promise; null where there is nothing to wait for.
  passed() {
    if (this.#remains > 0) return this.#wait();
    this.#silence();
    return null;
  }

  get #remains() { return this.#decide.remains(this.#clock.now(), this.#late()); }

  async #wait() {
    for (let wait = this.#remains; wait > 0; wait = this.#remains) {
      // Own hits sound at once again: the change that waited here is not meant any more.
      if (this.#decide.marks(this.#clock.now())) return;
      await new Promise((go) => this.#clock.after(Math.min(wait, LOOK), () => go(undefined)));
    }
    // A sound that goes on here goes on in that stream.
    this.#silence();
  }
}
