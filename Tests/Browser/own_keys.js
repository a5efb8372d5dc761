// Beside test_own_keys.py: renders the page's own notes offline, and measures notes. Evaluated in the
// page, which serves the modules.
(() => {
  const RATE = 48000;

  /// K-weighting at 48 kHz (ITU-R BS.1770-4): a shelf, then a high-pass.
  const WEIGHTS = [
    [[1.53512485958697, -2.69169618940638, 1.19839281085285], [-1.69065929318241, 0.73248077421585]],
    [[1, -2, 1], [-1.99004745483398, 0.99007225036621]],
  ];
  function weighted(channel) {
    let x = channel;
    for (const [b, a] of WEIGHTS) {
      const y = new Float64Array(x.length);
      let [x1, x2, y1, y2] = [0, 0, 0, 0];
      for (let i = 0; i < x.length; i += 1) {
        const v = b[0] * x[i] + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
        [x2, x1, y2, y1] = [x1, x[i], y1, v];
        y[i] = v;
      }
      x = y;
    }
    return x;
  }
  function power(channels) {
    let sum = 0;
    for (const channel of channels) for (let i = 0; i < channel.length; i += 1) sum += (channel[i] * channel[i]) / channel.length;
    return sum;
  }

  const BINS = 32768;
  const [COSINES, SINES] = [Math.cos, Math.sin].map((of) => Float64Array.from({ length: BINS / 2 }, (_, k) => of((-2 * Math.PI * k) / BINS)));

  function transform(re, im) {
    const n = re.length;
    for (let i = 1, j = 0; i < n; i += 1) {
      let bit = n >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) { [re[i], re[j]] = [re[j], re[i]]; [im[i], im[j]] = [im[j], im[i]]; }
    }
    for (let length = 2; length <= n; length <<= 1) {
      const half = length >> 1;
      const turns = n / length;
      for (let start = 0; start < n; start += length) for (let k = 0; k < half; k += 1) {
        const [c, s] = [COSINES[k * turns], SINES[k * turns]];
        const [i, j] = [start + k, start + k + half];
        const r = re[j] * c - im[j] * s;
        const m = re[j] * s + im[j] * c;
        re[j] = re[i] - r; im[j] = im[i] - m; re[i] += r; im[i] += m;
      }
    }
  }

  /// The power of each bin of 1.5 Hz, of a stretch under a bell: left, and right as the imaginary part.
  function spectrum(channels) {
    const [re, im] = channels.map((channel) => {
      const under = new Float64Array(BINS);
      const length = Math.min(BINS, channel.length);
      for (let i = 0; i < length; i += 1) under[i] = channel[i] * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));
      return under;
    });
    transform(re, im);
    // The sum of a bin and its mirror holds the power of both channels.
    return Float64Array.from({ length: BINS / 2 }, (_, i) => {
      const mirror = (BINS - i) % BINS;
      return re[i] * re[i] + im[i] * im[i] + re[mirror] * re[mirror] + im[mirror] * im[mirror];
    });
  }

  /// The frequency of the highest peak within so many cents of a frequency.
  function peakNear(powers, hertz, cents) {
    const bin = RATE / BINS;
    const [low, high] = [-1, 1].map((side) => (hertz * 2 ** ((side * cents) / 1200)) / bin);
    let best = Math.max(1, Math.floor(low));
    for (let i = best; i <= Math.ceil(high); i += 1) if (powers[i] > powers[best]) best = i;
    const [a, b, c] = [-1, 0, 1].map((side) => Math.log(powers[best + side] + 1e-30));
    const shift = (a - c) / (2 * (a - 2 * b + c) || 1);
    return { hertz: (best + Math.max(-0.5, Math.min(0.5, shift))) * bin, power: powers[best] };
  }

  /// What is measured of one note: its stretch of the channels, from its onset on.
  window.measure = (channels, { note, hold, length, settle }) => {
    const all = channels.map((channel) => channel.subarray(0, length * RATE));
    const loudness = -0.691 + 10 * Math.log10(power(all.map(weighted)) + 1e-15);
    // The moment at which the level of 2 ms first comes to half of its highest.
    const step = RATE / 500;
    const levels = [];
    for (let i = 0; i + step <= hold * RATE; i += 24) {
      let sum = 0;
      for (const channel of all) for (let frame = i; frame < i + step; frame += 1) sum += channel[frame] * channel[frame];
      levels.push(Math.sqrt(sum));
    }
    const highest = levels.reduce((a, b) => Math.max(a, b), 0);
    const attack = (1000 * (24 * levels.findIndex((level) => level >= highest / 2))) / RATE;
    const powers = spectrum(all.map((channel) => channel.subarray(0, hold * RATE)));
    let [sum, weight] = [0, 0];
    for (let i = 1; i < powers.length; i += 1) { sum += powers[i] * i; weight += powers[i]; }
    const later = spectrum(all.map((channel) => channel.subarray(settle * RATE, hold * RATE)));
    const tone = 440 * 2 ** ((note - 69) / 12);
    const partials = [];
    for (let n = 1; n <= 8 && n * tone < 12000; n += 1) partials.push(peakNear(later, n * tone, n === 1 ? 60 : 45));
    // Thirds of an octave.
    const thirds = [];
    for (let third = 0; third < 30; third += 1) {
      const [low, high] = [third, third + 1].map((x) => Math.round((25 * 2 ** (x / 3) * BINS) / RATE));
      let total = 1e-20;
      for (let i = low; i < Math.min(high, powers.length); i += 1) total += powers[i];
      thirds.push(10 * Math.log10(total));
    }
    return { loudness, attack, centroid: (sum / weight) * (RATE / BINS), partials, thirds };
  };

  /// Renders what one player's keys are told: [[at, what, key, value, own]].
  window.renderOwn = async (settings, events, seconds) => {
    const { OwnSynth } = await import("/own-synth.js");
    const { PLAIN } = await import("/own-patch.js");
    const context = new OfflineAudioContext(2, seconds * RATE, RATE);
    const synth = new OwnSynth(context, context.destination);
    const whole = { id: "test", ...PLAIN, ...settings };
    for (const [at, what, key, value, own] of events) {
      if (what === "press") synth.press(key, value, own, whole, at);
      else if (what === "release") synth.release(key, at);
      else if (what === "y") synth.height(key, value, whole, at);
      else if (what === "bend") synth.bend(key, value, at);
      else if (what === "pitch") synth.tune(2 ** (value / 12), at);
    }
    const buffer = await context.startRendering();
    return [buffer.getChannelData(0), buffer.getChannelData(1)];
  };

  /// The channels of a WAV file.
  async function channelsOf(url) {
    const bytes = await (await fetch(url)).arrayBuffer();
    const buffer = await new OfflineAudioContext(2, 1, RATE).decodeAudioData(bytes);
    return [buffer.getChannelData(0), buffer.getChannelData(buffer.numberOfChannels - 1)];
  }

  /// The engine's notes and the page's, in stretches [{ at, length, hold, settle, note }], in seconds:
  /// what is measured of the engine's, and how far the page's is from that.
  window.compare = async (url, settings, events, seconds, stretches) => {
    const engine = await channelsOf(url);
    const page = await renderOwn(settings, events, seconds);
    return stretches.map((each) => {
      const part = (channels) => channels.map((channel) => {
        const whole = new Float32Array(each.length * RATE);
        whole.set(channel.subarray(Math.round(each.at * RATE), Math.round((each.at + each.length) * RATE)));
        return whole;
      });
      const [a, b] = [engine, page].map((channels) => measure(part(channels), each));
      const best = a.partials.reduce((best, partial, index) => (partial.power > a.partials[best].power ? index : best), 0);
      const loud = a.thirds.flatMap((level, index) => (level > Math.max(...a.thirds) - 40 ? [index] : []));
      return {
        engine: { loudness: a.loudness, attack: a.attack, centroid: a.centroid },
        cents: 1200 * Math.log2(b.partials[best].hertz / a.partials[best].hertz), attack: b.attack - a.attack, loudness: b.loudness - a.loudness,
        centroid: b.centroid / a.centroid - 1, thirds: Math.max(...loud.map((index) => Math.abs(b.thirds[index] - a.thirds[index]))),
      };
    });
  };
})();
