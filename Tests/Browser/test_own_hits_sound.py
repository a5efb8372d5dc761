"""A page's own hits beside the engine's: the same hits, rendered by both without anything else, are as loud, begin as soon
and have the same spectrum.

In the suite some hits of each kit. All of them, and the figures:

    BANDSHELL=… .venv/bin/python Tests/Browser/test_own_hits_sound.py [HITS [KIT…]]
"""

import base64
import collections
import json
import math
import os
import pathlib
import random
import struct
import sys
import tempfile
import unittest

import numpy
import soundfile

from case import BrowserCase
import osc
from server import ROOT, run

RATE = 48_000
# Seconds for each hit: what is left of it then is cut off in both.
WINDOW = 2.0
# Hits of a kit in the suite.
HITS = 6
# Differences that are allowed.
LOUDNESS = 0.5
START = 0.001
BAND = 1.0

THIRDS = [1000 * 2 ** (n / 3) for n in range(-13, 13)]

Hit = collections.namedtuple("Hit", "pad velocity own settings hold")

# The page's part: each hit in a context of its own, by the modules that play it live.
RENDER = """async ([hits, seconds]) => {
  const { OwnVoices } = await import("/own-voice.js");
  const { sounds } = window.own;
  const all = [];
  for (const { pad, velocity, own, settings, hold } of hits) {
    const context = new OfflineAudioContext(2, seconds * 48000, 48000);
    const voices = new OwnVoices(context, context.destination);
    const found = sounds.of(pad, velocity, own);
    if (!found) throw new Error(`pad ${pad} has no sound at ${velocity}`);
    voices.prepare(found, settings, own);
    voices.start(pad, found, settings, velocity, own, 0);
    if (hold) voices.release(pad, hold);
    const buffer = await context.startRendering();
    const both = new Float32Array(2 * buffer.length);
    for (let i = 0; i < buffer.length; i += 1) for (const side of [0, 1]) both[2 * i + side] = buffer.getChannelData(side)[i];
    let text = "";
    const bytes = new Uint8Array(both.buffer);
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    all.push(btoa(text));
  }
  return all;
}"""

# Looks whether the page has every sound of the kit. It fetches FLAC at once: what comes before is looked at in one kit alone.
READY = """async ([kit, isAtOnce]) => {
  const { room } = await import("/room.js");
  if (room.get("/kit") !== kit) return null;
  if (window.own?.kit !== kit) {
    const { OwnSounds } = await import("/own-sounds.js");
    const context = new OfflineAudioContext(2, 48000, 48000);
    const path = (name, query) => room.path(isAtOnce ? name.replace(".opus", ".flac") : name, query);
    window.own?.sounds.stop();
    window.own = { kit, sounds: new OwnSounds({ context, path, get: (...words) => room.get(...words) }) };
    window.own.sounds.look({ player: room.player, token: room.token });
    return null;
  }
  const { state } = window.own.sounds;
  return state.pads > 0 && state.ready === state.pads && (isAtOnce || state.isExact) ? state : null;
}"""

# The names of what a browser fetched, and how many bytes those were.
FETCHED = """() => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/play/"))
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""


def hits_of(kit, count, seed):
    """Random hits with random settings; each has sound within its window."""
    chance = random.Random(f"{kit} {seed}")
    maybe = lambda share, value, otherwise=0: value() if chance.random() < share else otherwise  # noqa: E731
    pads = [entry["pad"] for entry in json.loads((ROOT / "Kits" / kit / "kit.json").read_text())["pads"] if entry]
    hits = []
    for number in range(count):
        mode = chance.choice(["oneshot", "oneshot", "gate"])
        settings = {
            "gain": maybe(0.5, lambda: chance.uniform(-12, 6)), "gain/random": maybe(0.3, lambda: chance.uniform(0, 6)),
            "pan": maybe(0.5, lambda: chance.uniform(-1, 1)), "pan/random": maybe(0.3, lambda: chance.uniform(0, 1)),
            "start": maybe(0.3, lambda: chance.uniform(0, 40)), "decay": maybe(0.3, lambda: chance.uniform(40, 600)),
            "release": maybe(0.5, lambda: chance.uniform(0, 400)), "transpose": maybe(0.5, lambda: chance.uniform(-12, 12)),
            "transpose/random": maybe(0.3, lambda: chance.uniform(0, 6)), "mode": mode,
        }
        # A number that means the same turn, whoever counts the turns.
        own = 12 * chance.randrange(1, 100_000_000) + sum(hit.pad == pads[number % len(pads)] for hit in hits)
        hold = chance.uniform(0.03, 0.5) if mode == "gate" else 0
        hits.append(Hit(pads[number % len(pads)], chance.uniform(0.1, 1), own, settings, hold))
    return hits


def bundle(seconds, *messages):
    frames = round(seconds * RATE)
    whole, part = divmod(frames, RATE)
    tag = struct.pack(">II", whole, math.ceil(part * 2**32 / RATE))
    body = b"#bundle\0" + tag + b"".join(struct.pack(">i", len(each)) + each for each in messages)
    return struct.pack(">i", len(body)) + body


def hit_messages(hit):
    return [osc.message(f"/player/ann/pad/{hit.pad}", float(hit.velocity), hit.own)]


def score(kit, hits):
    """The hits as a score, each in its window."""
    whole = [bundle(0, osc.message("/room/main/tempo", 120.0), osc.message("/player/ann/kit", kit))]
    for number, hit in enumerate(hits):
        start = 0.5 + number * WINDOW
        values = [osc.message(f"/player/ann/pad/{hit.pad}/{name}", value if isinstance(value, str) else float(value))
                  for name, value in hit.settings.items()]
        whole.append(bundle(start - 0.01, osc.message("/player/ann/panic"), *values))
        whole.append(bundle(start, *hit_messages(hit)))
        if hit.hold:
            whole.append(bundle(start + hit.hold, osc.message(f"/player/ann/pad/{hit.pad}", 0.0)))
    return b"".join(whole)


def engine(kit, hits):
    """What the engine plays, dry, window by window."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "score").write_bytes(score(kit, hits))
        done = run("render", str(path / "score"), "-o", str(path / "mix.wav"), "--kits", str(ROOT / "Kits"), "--stems", str(path / "stems"))
        assert done.returncode == 0, done.stderr
        stem, = (each for each in (path / "stems").iterdir() if each.name.startswith("ann"))
        sound, rate = soundfile.read(stem, dtype="float32")
    assert rate == RATE
    size = round((WINDOW - 0.02) * RATE)
    sound = numpy.concatenate([sound, numpy.zeros((round((len(hits) + 1) * WINDOW * RATE), 2), "float32")])
    starts = [round((0.5 + number * WINDOW) * RATE) for number in range(len(hits))]
    return [sound[start:start + size] for start in starts]


def page_sounds(page, hits):
    """What the page plays."""
    names = {"gain/random": "gainRandom", "pan/random": "panRandom", "transpose/random": "transposeRandom"}
    told = [{"pad": hit.pad, "velocity": hit.velocity, "own": hit.own, "hold": hit.hold,
             "settings": {names.get(name, name): value for name, value in hit.settings.items()}} for hit in hits]
    # A few at a time: each is some hundred kilobytes of text.
    texts = [text for at in range(0, len(told), 4) for text in page.evaluate(RENDER, [told[at:at + 4], WINDOW])]
    return [numpy.frombuffer(base64.b64decode(text), "<f4").reshape(-1, 2)[:round((WINDOW - 0.02) * RATE)] for text in texts]


def weighted(sound):
    """The sound with the K-weighting of ITU-R BS.1770-4, at 48 kHz, as a spectrum's power by frequency."""
    power = (numpy.abs(numpy.fft.rfft(sound, axis=0)) ** 2).sum(axis=1)
    z = numpy.exp(-2j * numpy.pi * numpy.fft.rfftfreq(len(sound)))
    shelf = (1.53512485958697 - 2.69169618940638 * z + 1.19839281085285 * z**2) / (1 - 1.69065929318241 * z + 0.73248077421585 * z**2)
    low = (1 - 2 * z + z**2) / (1 - 1.99004745483398 * z + 0.99007225036621 * z**2)
    return power * numpy.abs(shelf * low) ** 2


def loudness(sound):
    return 10 * math.log10(max(weighted(sound).sum() / len(sound) ** 2, 1e-20))


def start(sound):
    """The moment from which on the sound is louder than a thirtieth of its loudest."""
    loud = numpy.abs(sound).max(axis=1)
    return numpy.argmax(loud > loud.max() / 30) / RATE


def bands(sound):
    """The power of each third of an octave, in dB."""
    power = (numpy.abs(numpy.fft.rfft(sound, axis=0)) ** 2).sum(axis=1)
    frequencies = numpy.fft.rfftfreq(len(sound), 1 / RATE)
    edges = [(middle / 2 ** (1 / 6), middle * 2 ** (1 / 6)) for middle in THIRDS]
    return numpy.array([10 * math.log10(max(power[(frequencies >= low) & (frequencies < high)].sum(), 1e-20)) for low, high in edges])


def differences(ours, engines):
    """Loudness in LU, start in seconds, and the worst third of an octave in dB among those that are heard."""
    mine, theirs = bands(ours), bands(engines)
    # A band 40 dB below the loudest is masked, and decays or a codec's noise fill it.
    heard = theirs > theirs.max() - 40
    worst = int(numpy.argmax(numpy.where(heard, numpy.abs(mine - theirs), -1)))
    return loudness(ours) - loudness(engines), start(ours) - start(engines), mine[worst] - theirs[worst], THIRDS[worst]


def kits():
    return sorted(path.parent.name for path in (ROOT / "Kits").glob("*/kit.json"))


class OwnHitSoundTests(BrowserCase):
    def ready(self, page, kit, is_at_once=True):
        self.room(page, f"room.send('/kit', {json.dumps(kit)})")
        self.wait_until(f"all sounds of {kit} are on the page", lambda: page.evaluate(READY, [kit, is_at_once]) is not None)

    def test_all_pads_play_within_a_megabyte_and_a_half(self):
        page = self.connected()
        # The largest kit. A browser keeps 250 entries unless it is told otherwise.
        page.evaluate("performance.setResourceTimingBufferSize(1000)")
        self.ready(page, "room", is_at_once=False)
        fetched = page.evaluate(FETCHED)
        opus = [size for name, size in fetched if ".opus" in name]
        flac = [size for name, size in fetched if ".flac" in name]
        self.assertEqual(len(opus), len(flac), "each sound comes as Opus, and then to the bit")
        self.assertLess(max(n for n, (name, _) in enumerate(fetched) if ".opus" in name),
                        min(n for n, (name, _) in enumerate(fetched) if ".flac" in name))
        self.assertLess(sum(opus[:16]), 500_000, "each pad has one sound")
        self.assertLess(sum(opus), 1_500_000)

    def test_own_hits_sound_as_the_engines(self):
        page = self.connected()
        for kit in kits():
            with self.subTest(kit=kit):
                self.ready(page, kit)
                hits = hits_of(kit, HITS, os.environ.get("BANDSHELL_SEED", "1"))
                for hit, ours, engines in zip(hits, page_sounds(page, hits), engine(kit, hits)):
                    louder, later, brighter, where = differences(ours, engines)
                    self.assertLessEqual(abs(louder), LOUDNESS, f"{hit}: {louder:.2f} LU louder")
                    self.assertLessEqual(abs(later), START, f"{hit}: {later * 1000:.2f} ms later")
                    self.assertLessEqual(abs(brighter), BAND, f"{hit}: {brighter:.2f} dB at {where:.0f} Hz")


def bench(count, names):
    """Prints how far all hits are off."""
    OwnHitSoundTests.setUpClass()
    case = OwnHitSoundTests()
    try:
        case.setUp()
        page = case.connected()
        print("kit\thits\tLU\tms\tdB\tof them within")
        for kit in names or kits():
            case.ready(page, kit)
            hits = hits_of(kit, count, os.environ.get("BANDSHELL_SEED", "1"))
            print(summary(kit, hits, page_sounds(page, hits), engine(kit, hits)), flush=True)
    finally:
        case.doCleanups()
        OwnHitSoundTests.doClassCleanups()


def summary(kit, hits, ours, engines):
    found = [differences(*pair) for pair in zip(ours, engines)]
    worst = [max(found, key=lambda each: abs(each[n]))[n] for n in range(3)]
    within = sum(abs(a) <= LOUDNESS and abs(b) <= START and abs(c) <= BAND for a, b, c, _ in found)
    return f"{kit}\t{len(hits)}\t{worst[0]:.2f}\t{worst[1] * 1000:.2f}\t{worst[2]:.2f}\t{within}"


if __name__ == "__main__":
    bench(int(sys.argv[1]) if len(sys.argv) > 1 else 64, sys.argv[2:])
