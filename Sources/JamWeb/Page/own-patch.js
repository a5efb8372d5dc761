// @ts-check
// A synthesiser's patch as numbers of Web Audio: what the room's engine computes of the same
// settings. It knows no page and no sound.

/** @typedef {Record<string, any>} Settings By their addresses behind `/instrument/`. */
/** @typedef {{ attack: number, sustain: number, decay: number, release: number }} Envelope */
/** @typedef {{ shape: string, level: number, semitones: number, width: number }} Source */

/// A plain patch, as the server has it: `PatchSettings`.
/** @type {Settings} */
export const PLAIN = {
  gain: -12, mode: "poly", glide: 0, "bend/range": 2, spread: 0,
  "osc1/shape": "saw", "osc1/level": 0.8, "osc1/semitones": 0, "osc1/fine": 0, "osc1/width": 0.5,
  "osc2/shape": "saw", "osc2/level": 0, "osc2/semitones": 0, "osc2/fine": 0, "osc2/width": 0.5,
  "sub/shape": "sine", "sub/level": 0, "sub/octave": -1, "noise/level": 0,
  "filter/mode": "low", "filter/cutoff": 2400, "filter/resonance": 0.1, "filter/tracking": 0.3,
  "filter/envelope": 1, "filter/velocity": 1, "filter/height": 2,
  "amp/attack": 3, "amp/decay": 400, "amp/sustain": 0.8, "amp/release": 250,
  "filter/attack": 2, "filter/decay": 500, "filter/sustain": 0.4, "filter/release": 300,
  "lfo/shape": "sine", "lfo/rate": 5, "lfo/attack": 0,
  "lfo/pitch": 0, "lfo/filter": 0, "lfo/level": 0, "lfo/width": 0,
  "velocity/level": 0.8, "height/mix": 0, "height/level": 0,
  "mod1/source": "off", "mod1/to": "pitch", "mod1/amount": 0,
  "mod2/source": "off", "mod2/to": "pitch", "mod2/amount": 0,
  "mod3/source": "off", "mod3/to": "pitch", "mod3/amount": 0,
  "mod4/source": "off", "mod4/to": "pitch", "mod4/amount": 0,
};

/// The settings of the player's instrument, and its `id`. `get` takes an address and a value where
/// there is none.
/** @param {(address: string, otherwise: any) => any} get @returns {Settings} */
export function settingsOf(get) {
  const id = get("/instrument", "");
  const told = (/** @type {string} */ path) => get(`/instrument/${path}`, PLAIN[path]);
  return { id, ...Object.fromEntries(Object.keys(PLAIN).map((path) => [path, told(path)])) };
}

/** @param {number} x @param {number} low @param {number} high */
const bounded = (x, low, high) => (x > low ? Math.min(x, high) : low);

/// How far a modulation moves each value at its full amount, where it adds.
/** @type {Record<string, number>} */
const WAYS = {
  gain: 24, spread: 1, "osc1/level": 1, "osc1/fine": 100, "osc1/width": 0.45,
  "osc2/level": 1, "osc2/fine": 100, "osc2/width": 0.45, "sub/level": 1, "noise/level": 1,
  "filter/resonance": 1, "filter/envelope": 4, "filter/sustain": 1, "amp/sustain": 1,
  "lfo/pitch": 2, "lfo/filter": 2, "lfo/level": 1, "lfo/width": 0.45,
};

/// The settings as a touch moves them, and the semitones by which the note is moved.
/**
 * @param {Settings} settings @param {number} velocity @param {number} height
 * @returns {{ settings: Settings, pitch: number }}
 */
export function touched(settings, velocity, height) {
  let pitch = 0;
  let moved = settings;
  for (const number of [1, 2, 3, 4]) {
    const source = settings[`mod${number}/source`];
    if (source !== "velocity" && source !== "height") continue;
    const touch = source === "velocity" ? velocity - 1 : height * 2 - 1;
    const way = bounded(settings[`mod${number}/amount`], -1, 1) * touch;
    const target = settings[`mod${number}/to`];
    if (moved === settings) moved = { ...settings };
    if (target === "pitch") pitch += 12 * way;
    else if (target in WAYS) moved[target] += WAYS[target] * way;
    else if (["filter/cutoff", "lfo/rate"].includes(target)) moved[target] *= 2 ** (4 * way);
    else if (/^(amp|filter)\/(attack|decay|release)$/.test(target)) {
      moved[target] = Math.max(1, moved[target]) * 2 ** (5 * way);
    }
  }
  return { settings: moved, pitch: bounded(pitch, -48, 48) };
}

/// The engine lets nothing rise within less than a millisecond, or fall within less than ten.
/// A fall has a thousandth left at the end of its time.
const LEFT = Math.log(1000);

/** @param {Settings} settings @param {string} name @returns {Envelope} */
function envelope(settings, name) {
  const of = (/** @type {string} */ part) => settings[`${name}/${part}`];
  return {
    attack: bounded(of("attack") / 1000, 0.001, 20),
    sustain: bounded(of("sustain"), 0, 1),
    decay: bounded(of("decay") / 1000, 0.01, 20) / LEFT,
    release: bounded(of("release") / 1000, 0.01, 20) / LEFT,
  };
}

/// The level of an envelope, so many seconds after its beginning, while its key is down.
/** @param {Envelope} envelope @param {number} seconds */
export function levelAt({ attack, sustain, decay }, seconds) {
  if (seconds <= 0) return 0;
  if (seconds < attack) return seconds / attack;
  return sustain + (1 - sustain) * Math.exp(-(seconds - attack) / decay);
}

/** @param {Settings} settings @param {string} name @returns {Source} */
const source = (settings, name) => ({
  shape: settings[`${name}/shape`],
  level: bounded(settings[`${name}/level`], 0, 1),
  semitones: bounded(settings[`${name}/semitones`], -24, 24)
    + bounded(settings[`${name}/fine`], -100, 100) / 100,
  width: bounded(settings[`${name}/width`], 0.05, 0.95),
});

/// A note's numbers. Times are in seconds, pitches in semitones, and falls are the time constants
/// of `setTargetAtTime`.
///
/// Filters: the engine's state-variable filter, which goes by trapezoids, has the same poles as a
/// biquad of Web Audio with the same cutoff and Q.
/** @param {Settings} plain @param {number} velocity 0…1 @param {number} height 0…1 */
export function numbersOf(plain, velocity, height = 0.5) {
  const { settings, pitch } = touched(plain, velocity, height);
  const up = height * 2 - 1;
  const mix = bounded(settings["height/mix"], -1, 1) * up;
  const resonance = bounded(settings["filter/resonance"], 0, 1);
  const isFiltered = settings["filter/mode"] !== "off";
  const soft = bounded(settings["velocity/level"], 0, 1);
  // Resonance raises the level, and the gain makes up for half of that.
  const made = isFiltered ? 1 - 0.5 * resonance : 1;
  const gain = 10 ** (bounded(settings.gain, -60, 12) / 20) * made;
  const touch = 1 - soft + soft * velocity * velocity;
  const first = source(settings, "osc1");
  const second = source(settings, "osc2");
  const subOctave = bounded(Math.round(settings["sub/octave"]), -2, 0);
  const lfo = {
    shape: settings["lfo/shape"],
    rate: bounded(settings["lfo/rate"], 0.02, 40),
    attack: bounded(settings["lfo/attack"] / 1000, 0, 20),
    pitch: bounded(settings["lfo/pitch"], 0, 12),
    filter: bounded(settings["lfo/filter"], 0, 4),
    level: bounded(settings["lfo/level"], 0, 1),
    width: bounded(settings["lfo/width"], 0, 0.45),
  };
  return {
    mode: settings.mode,
    glide: bounded(settings.glide / 1000, 0, 20),
    pitch,
    spread: bounded(settings.spread, 0, 1),
    sources: [
      { ...first, level: first.level * (1 - mix) },
      { ...second, level: second.level * (1 + mix) },
      {
        shape: settings["sub/shape"] === "sine" ? "sine" : "pulse", width: 0.5,
        level: bounded(settings["sub/level"], 0, 1), semitones: 12 * subOctave,
      },
    ],
    noise: bounded(settings["noise/level"], 0, 1),
    loudness: gain * touch * (1 + bounded(settings["height/level"], -1, 1) * up),
    amp: envelope(settings, "amp"),
    filter: isFiltered ? {
      mode: settings["filter/mode"],
      q: 1 / (2 - 1.94 * resonance),
      /// Octaves above 10 Hz at middle C, without what moves.
      octaves: Math.log2(bounded(settings["filter/cutoff"], 20, 20_000) / 10)
        + bounded(settings["filter/velocity"], 0, 8) * (velocity - 1)
        + bounded(settings["filter/height"], -4, 4) * up,
      tracking: bounded(settings["filter/tracking"], 0, 1),
      envelope: bounded(settings["filter/envelope"], -8, 8),
      shape: envelope(settings, "filter"),
    } : null,
    lfo: lfo.pitch > 0 || lfo.filter > 0 || lfo.level > 0 || lfo.width > 0 ? lfo : null,
  };
}

/// A hash of a note: the phases of its oscillators follow from it as in the engine.
/** @param {number} own the hit's number @param {number} key the key's note @returns {bigint} */
export function hashOf(own, key) {
  const mask = (1n << 64n) - 1n;
  let x = (BigInt(own & 0xffff) * 251n + BigInt(key) + 17n + 0x9E3779B97F4A7C15n) & mask;
  x = ((x ^ (x >> 30n)) * 0xBF58476D1CE4E5B9n) & mask;
  x = ((x ^ (x >> 27n)) * 0x94D049BB133111EBn) & mask;
  return x ^ (x >> 31n);
}

/// The partials of a wave as the engine has them: the arrays that a PeriodicWave takes.
/** @param {string} shape @param {number} width */
export function partialsOf(shape, width) {
  const count = shape === "sine" ? 1 : shape === "triangle" ? 255 : 800;
  const real = new Float32Array(count + 1);
  const imag = new Float32Array(count + 1);
  for (let n = 1; n <= count; n += 1) {
    let [cosine, sine] = [0, 1];
    if (shape === "triangle") sine = ([0, 8, 0, -8][n % 4] ?? 0) / (Math.PI * Math.PI * n * n);
    else if (shape !== "sine") sine = 2 / Math.PI / n;
    // A pulse is the difference of two saws.
    if (shape === "pulse") {
      const turn = 2 * Math.PI * n * width;
      cosine = -sine * Math.sin(turn);
      sine *= 1 - Math.cos(turn);
    }
    real[n] = cosine;
    imag[n] = sine;
  }
  return { real, imag };
}
