// @ts-check
// What becomes of a sound that was just recorded by hand: where it begins and ends, how loud it is,
// which pitch it has, and how far that is from a note. It uses nothing of the page.

/// Below this peak nothing was recorded (−50 dB).
const SILENT = 0.003;
/// Seconds of one look at the loudness.
const LOOK = 0.004;
/// A sound has begun where at least half of the next STAYS seconds is loud: a finger's tap on the
/// device is shorter.
const STAYS = 0.03;
/// Seconds that stay before the first loud moment, and behind the last one.
const [BEFORE, BEHIND] = [0.004, 0.04];

/// The largest absolute value of all channels in frames [from, to).
/** @param {Float32Array[]} channels @param {number} from @param {number} to */
function peak(channels, from, to) {
  let most = 0;
  for (const channel of channels) {
    const end = Math.min(to, channel.length);
    for (let i = from; i < end; i += 1) most = Math.max(most, Math.abs(channel[i]));
  }
  return most;
}

/// The part of a recording that sounds, as frames [from, to), and its peak; null where nothing
/// does. Noise and a finger's tap at the beginning are no part of it.
/**
 * @param {Float32Array[]} channels @param {number} rate frames per second
 * @returns {{ from: number, to: number, peak: number } | null}
 */
export function soundingPart(channels, rate) {
  const length = channels[0]?.length ?? 0;
  const step = Math.max(1, Math.round(rate * LOOK));
  const count = Math.ceil(length / step);
  const look = (/** @type {number} */ at) => peak(channels, at * step, (at + 1) * step);
  const looks = Array.from({ length: count }, (_, at) => look(at));
  const most = looks.reduce((a, b) => Math.max(a, b), 0);
  if (most < SILENT) return null;
  // The quietest fifth of a recording is its noise, unless it is loud throughout.
  const noise = [...looks].sort((a, b) => a - b)[Math.floor(looks.length / 5)];
  const loud = Math.max(most * 0.02, Math.min(noise * 2.5, most * 0.15));
  const isLoud = looks.map((each) => each > loud);
  const span = Math.max(1, Math.round(STAYS / LOOK));
  const stays = (/** @type {number} */ at) => {
    const next = isLoud.slice(at, at + span);
    return next.filter(Boolean).length * 2 >= next.length;
  };
  const lasting = isLoud.findIndex((each, at) => each && stays(at));
  const first = lasting < 0 ? isLoud.indexOf(true) : lasting;
  const last = isLoud.lastIndexOf(true);
  const from = Math.max(0, Math.round(first * step - BEFORE * rate));
  const to = Math.min(length, Math.round((last + 1) * step + BEHIND * rate));
  return { from, to, peak: peak(channels, from, to) };
}

/// How many times as loud a recording becomes: its peak comes to −3 dB, by +24 dB at most.
/** @param {number} peak */
export const gainFor = (peak) => Math.min(16, 0.708 / Math.max(peak, SILENT));

// ---- The pitch. Source: A. de Cheveigné, H. Kawahara, "YIN, a fundamental frequency estimator
// for speech and music", JASA 111 (2002).

/// The lowest and the highest pitch that is looked for, in hertz.
const [LOWEST, HIGHEST] = [60, 1000];
/// The rate at which it is looked for, and the frames of one look, at that rate.
const [RATE, WINDOW] = [16000, 1024];
/// The difference below which a look has a pitch.
const SURE = 0.15;
/// So many looks at most, over the whole sound.
const LOOKS = 48;

/// All channels as one, at about RATE.
/** @param {Float32Array[]} channels @param {number} rate @returns {[Float32Array, number]} */
function reduced(channels, rate) {
  const every = Math.max(1, Math.round(rate / RATE));
  const count = Math.floor(channels[0].length / every);
  const mono = new Float32Array(count);
  for (let at = 0; at < count; at += 1) {
    let sum = 0;
    for (const channel of channels) {
      for (let i = at * every; i < (at + 1) * every; i += 1) sum += channel[i];
    }
    mono[at] = sum / (every * channels.length);
  }
  return [mono, rate / every];
}

/// The period at `from`, in frames with fractions; 0 where there is none.
/**
 * @param {Float32Array} mono @param {number} from
 * @param {number} shortest @param {number} longest
 */
function period(mono, from, shortest, longest) {
  const differences = new Float32Array(longest + 2);
  let sum = 0;
  for (let lag = 1; lag <= longest + 1; lag += 1) {
    let total = 0;
    for (let i = from; i < from + WINDOW; i += 1) {
      const apart = mono[i] - mono[i + lag];
      total += apart * apart;
    }
    sum += total;
    differences[lag] = sum > 0 ? (total * lag) / sum : 1;
  }
  for (let lag = shortest; lag <= longest; lag += 1) {
    if (differences[lag] >= SURE) continue;
    while (lag < longest && differences[lag + 1] < differences[lag]) lag += 1;
    const [a, b, c] = [differences[lag - 1], differences[lag], differences[lag + 1]];
    const bend = a - 2 * b + c;
    return lag + (bend > 0 ? (a - c) / (2 * bend) : 0);
  }
  return 0;
}

/// The pitch of a sound in hertz; null where it has none that holds, as with drums and speech.
/** @param {Float32Array[]} channels @param {number} rate frames per second */
export function pitchIn(channels, rate) {
  const [mono, slow] = reduced(channels, rate);
  const [shortest, longest] = [Math.floor(slow / HIGHEST), Math.ceil(slow / LOWEST)];
  const reach = WINDOW + longest + 2;
  if (mono.length < reach) return null;
  const stride = Math.max(WINDOW / 2, Math.ceil((mono.length - reach) / LOOKS));
  /** @type {{ loud: number, from: number }[]} */
  const looks = [];
  for (let from = 0; from + reach <= mono.length; from += stride) {
    let power = 0;
    for (let i = from; i < from + WINDOW; i += 1) power += mono[i] * mono[i];
    looks.push({ loud: Math.sqrt(power / WINDOW), from });
  }
  const most = looks.reduce((a, { loud }) => Math.max(a, loud), 0);
  const heard = looks.filter(({ loud }) => loud > most * 0.15);
  const periods = heard.map(({ from }) => period(mono, from, shortest, longest));
  const found = periods.filter((each) => each > 0);
  const pitches = found.map((each) => slow / each).sort((a, b) => a - b);
  if (pitches.length < 2 || pitches.length < heard.length * 0.6) return null;
  const middle = pitches[Math.floor(pitches.length / 2)];
  // Six tenths of a semitone: singers waver by less.
  const near = pitches.filter((each) => Math.abs(Math.log2(each / middle)) < 0.05);
  return near.length >= pitches.length * 0.7 ? middle : null;
}

/// The nearest note to a pitch, as a MIDI number, and how many semitones higher it is.
/// - notes: the pitches of the scale, 0…11; where its nearest note is more than a semitone away,
///   and where there are none, every note counts.
/** @param {number} hertz @param {Iterable<number>} notes */
export function nearestNote(hertz, notes) {
  const exact = 69 + 12 * Math.log2(hertz / 440);
  const scale = new Set(notes);
  const apart = (/** @type {number} */ note) => Math.abs(note - exact);
  const notesBy = [-1, 0, 1, 2].map((step) => Math.floor(exact) + step);
  const around = notesBy.filter((note) => apart(note) <= 1);
  const inScale = around.filter((note) => scale.has(((note % 12) + 12) % 12));
  const note = (inScale.length ? inScale : around).reduce((a, b) => (apart(b) < apart(a) ? b : a));
  return { note, semitones: note - exact };
}

/// Frames on either side of a place that its value is made of.
const TAPS = 12;

/// A channel at another pitch: `semitones` higher, and as much shorter.
/** @param {Float32Array} channel @param {number} semitones */
export function transposed(channel, semitones) {
  const ratio = 2 ** (semitones / 12);
  const count = Math.max(1, Math.floor(channel.length / ratio));
  const moved = new Float32Array(count);
  for (let at = 0; at < count; at += 1) {
    const place = at * ratio;
    const whole = Math.floor(place);
    let [sum, weight] = [0, 0];
    for (let i = whole - TAPS + 1; i <= whole + TAPS; i += 1) {
      const apart = place - i;
      const x = Math.PI * apart;
      const tap = (apart === 0 ? 1 : Math.sin(x) / x) * (0.5 + 0.5 * Math.cos(x / TAPS));
      weight += tap;
      if (i >= 0 && i < channel.length) sum += channel[i] * tap;
    }
    moved[at] = sum / weight;
  }
  return moved;
}
