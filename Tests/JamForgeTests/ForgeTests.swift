import KitTestSupport
import Testing

@testable import JamForge
@testable import JamKit

@Suite("Forge")
struct ForgeTests {
  @Test("sine, tangent, logarithm and powers are as exact as promised")
  func mathematics() {
    // Identities, so that no library has to be believed.
    for n in -100...100 {
      let x = Double(n) / 37
      let s = PortableMath.sine(turns: x)
      let c = PortableMath.cosine(turns: x)
      #expect(abs(s * s + c * c - 1) < 1e-10)
      #expect(abs(PortableMath.sine(turns: x + x) - 2 * s * c) < 1e-10)
      #expect(abs(PortableMath.logarithm(PortableMath.ratio(semitones: x * 12)) - x) < 1e-11)
    }
    #expect(abs(PortableMath.sine(turns: 1.0 / 12) - 0.5) < 1e-11)
    #expect(abs(PortableMath.tangent(turns: 0.125) - 1) < 1e-10)
    #expect(abs(PortableMath.gain(-20) - 0.1) < 1e-12 && abs(PortableMath.decibels(0.1) + 20) < 1e-9)
    #expect(abs(PortableMath.softLimit(0.5) - 0.462_117_157_260_009_8) < 1e-12)
    #expect(PortableMath.softLimit(100) == 1 && PortableMath.softLimit(-100) == -1)
  }

  @Test("noise is even, without offset, and the same for the same seed")
  func noise() {
    var noise = Noise(seed: 7)
    var twin = Noise(seed: 7)
    let values = (0..<20_000).map { _ in noise.next() }
    #expect(values == (0..<20_000).map { _ in twin.next() })
    #expect(values.allSatisfy { abs($0) <= 1 })
    #expect(abs(values.reduce(0, +) / 20_000) < 0.02)
    #expect(abs(values.reduce(0) { $0 + $1 * $1 } / 20_000 - 1.0 / 3) < 0.01)
  }

  @Test("envelopes go through their points on their own scale")
  func envelopes() {
    let decibels = Envelope(.decibels, [.init(milliseconds: 0, value: 0), .init(milliseconds: 10, value: -40)])
      .render(count: 1_920)
    #expect(abs(decibels[480] - 0.1) < 1e-6 && abs(decibels[1_500] - 0.01) < 1e-9)
    let bend = Envelope(.semitones, [.init(milliseconds: 0, value: 12), .init(milliseconds: 10, value: -12)])
      .render(count: 1_000)
    #expect(abs(bend[0] - 2) < 1e-9 && abs(bend[480] - 1) < 1e-6 && abs(bend[960] - 0.5) < 1e-9)
    let plain = Envelope(.plain, [.init(milliseconds: 5, value: 1), .init(milliseconds: 10, value: 3)]).render(
      count: 1_000)
    #expect(plain[0] == 1 && abs(plain[720] - 2) < 1e-9 && plain[999] == 3)
    let late = Envelope(.decibels, [.init(milliseconds: 0, value: -90), .init(milliseconds: 1, value: 0)]).render(
      count: 200)
    #expect(late[0] < 1e-4 && late[48] > 0.004 && abs(late[150] - 1) < 1e-9)
  }

  @Test("filters pass what they should and hold back the rest", arguments: FilterRecipe.Kind.allCases, [6, 12, 24])
  func filters(kind: FilterRecipe.Kind, slope: Int) {
    guard slope > 6 || kind == .low || kind == .high else { return }
    func gain(_ hertz: Double) -> Double {
      let recipe = FilterRecipe(kind: kind, hertz: Envelope(.hertz, constant: 1_000), slope: slope)
      var filter = Filter(recipe, count: 1)
      var peak = 0.0
      for n in 0..<19_200 {
        let value = filter.next(PortableMath.sine(turns: hertz * Double(n) / Forge.rate), frame: n)
        if n > 9_600 { peak = max(peak, abs(value)) }
      }
      return PortableMath.decibels(peak)
    }
    let far = Double(slope) * -3.3219  // a decade away, in octaves
    switch kind {
    case .low:
      #expect(abs(gain(100)) < 0.2 && abs(gain(10_000) - far) < 2.5)
    case .high:
      #expect(abs(gain(10_000)) < 0.2 && abs(gain(100) - far) < 2.5)
    case .band:
      #expect(abs(gain(1_000)) < 0.2 && gain(100) < -15 && gain(10_000) < -15)
    case .notch:
      #expect(gain(1_000) < -40 && abs(gain(50)) < 0.3 && abs(gain(20_000)) < 0.3)
    }
  }

  @Test("saws and pulses have no strong partials below their note", arguments: [SourceRecipe.saw, .pulse(0.3)])
  func aliasing(source: SourceRecipe) {
    var layer = LayerRecipe()
    layer.source = source
    layer.notes = [3_001]
    var recipe = SoundRecipe()
    recipe.layers = [layer]
    let spectrum = Spectrum(Forge.render(recipe).interleaved[5_000..<40_000], isWindowed: true)
    #expect(spectrum.share(20..<2_800) < 1e-5)
    #expect(abs(spectrum.peak(20..<20_000) - 3_001) < 3)
  }

  @Test(
    "notes are equally tempered",
    arguments: [("A4", 440.0), ("C4", 261.625_565), ("F#2", 92.498_606), ("Bb1", 58.270_470)])
  func notes(name: String, hertz: Double) throws {
    #expect(abs(try #require(FieldReader.hertz(ofNote: name)) - hertz) < 1e-5)
  }

  @Test("words that are no notes are refused", arguments: ["", "H4", "c4", "A", "A##4", "A10", "A4x"])
  func noNotes(name: String) {
    #expect(FieldReader.hertz(ofNote: name) == nil)
  }

  @Test("what nobody hears of a fade is cut off, and what is left ends without a click", arguments: [-1.5, -20])
  func tail(peak: Double) {
    var layer = LayerRecipe()
    layer.source = .sine
    layer.amplitude = Envelope(.decibels, [.init(milliseconds: 0, value: 0), .init(milliseconds: 780, value: -78)])
    var recipe = SoundRecipe()
    recipe.peak = peak
    recipe.fadeMilliseconds = 300
    recipe.layers = [layer]
    let sound = Forge.render(recipe)
    let plane = sound.plane(0)
    // -80 dB of full scale.
    let last = (plane.lastIndex { abs($0) > 1e-4 } ?? 0) + 1
    #expect(plane.count - last <= 240)
    #expect(plane.count < 34_000 && plane.count > 10_000)
    #expect(abs(plane.last ?? 1) < 1e-6)
    let steps = zip(plane, plane.dropFirst()).suffix(480).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) < 3e-5)
  }

  @Test("a sound ends in silence, at its peak, without offset, mono or stereo", arguments: [false, true])
  func finishing(isStereo: Bool) {
    var layer = LayerRecipe()
    layer.width = 0.5
    layer.amplitude = Envelope(.decibels, [.init(milliseconds: 0, value: 0), .init(milliseconds: 200, value: -80)])
    var recipe = SoundRecipe()
    recipe.isStereo = isStereo
    recipe.peak = -6
    recipe.layers = [layer]
    recipe.chain = [
      .delay(milliseconds: 30, feedback: 0.4, low: 4_000, level: -10),
      .reverb(seconds: 0.3, low: 5_000, high: 200, level: -12),
    ]
    let sound = Forge.render(recipe)
    #expect(sound.channels == (isStereo ? 2 : 1) && sound.rate == 48_000)
    #expect(sound.frames < 48_000 && sound.frames > 9_000)
    let peaks = (0..<sound.channels).map { PortableMath.decibels(SoundMeasure.truePeak(sound.plane($0))) }
    #expect(abs((peaks.max() ?? 0) + 6) < 0.05)
    #expect(sound.interleaved.prefix(sound.channels).allSatisfy { $0 == 0 })
    #expect(sound.interleaved.suffix(sound.channels).allSatisfy { abs($0) < 1e-6 })
    #expect(abs(SoundMeasure.offset(sound.plane(0))) < 0.001)
    if isStereo { #expect(sound.plane(0) != sound.plane(1)) }
  }

  @Test("a reverb dies away in its time")
  func reverb() {
    var buffer = StereoBuffer(count: 96_000)
    buffer.left[0] = 1
    var reverb = Reverb(seconds: 0.5, low: 20_000)
    reverb.add(to: &buffer, high: 20, gain: 1)
    func level(_ range: Range<Int>) -> Double {
      PortableMath.decibels(
        range.reduce(0) { $0 + buffer.left[$1] * buffer.left[$1] + buffer.right[$1] * buffer.right[$1] }) / 2
    }
    // Half the time lies between the two windows: half of 60 dB.
    let fall = level(9_600..<14_400) - level(33_600..<38_400)
    #expect(abs(fall - 30) < 4)
  }

  @Test("everything that is wrong with a recipe is told at once, a field that nobody knows too")
  func wrongRecipe() {
    let text = """
      { "format": 1, "sounds": {
        "a.wav": { "layers": [{ "source": "sine" }] },
        "b.flac": { "seconds": 99, "layers": [] },
        "c.flac": { "layers": [
          { "source": "theremin", "notes": "H2", "amplitude": [[5, 0], [1, 0]], "fliters": [] },
          { "level": "high", "filters": [{ "kind": "low", "hertz": 1, "slope": 13 }] }],
          "chain": [{ "effect": "reverb", "seconds": 0 }, {}] } } }
      """
    let error = #expect(throws: KitProblems.self) { try Recipe.read(Array(text.utf8), of: "recipe.json") }
    #expect(
      error?.problems.map(\.description) == [
        "recipe.json: a.wav: \"a.wav\" is out of range; write a name ending in .flac",
        "recipe.json: b.flac, seconds: 99 is out of range; write 0.01…20 s",
        "recipe.json: b.flac, layers: is missing; add one layer at least",
        "recipe.json: c.flac, layer 1, source: \"theremin\" is out of range; write one of sine triangle saw pulse noise fm modes cluster",
        "recipe.json: c.flac, layer 1, amplitude: is wrong at point 2; write a number or a list of [ms, value] in order of time, values -120…24",
        "recipe.json: c.flac, layer 1, notes: is something else; write hertz (5…20000) or notes as \"C4\", 16 at most",
        "recipe.json: c.flac, layer 1, fliters: no such field; did you mean filters?",
        "recipe.json: c.flac, layer 2, source: is missing; add what sounds, as \"sine\"",
        "recipe.json: c.flac, layer 2, level: is a text; write a number",
        "recipe.json: c.flac, layer 2, filter 1, hertz: 1 is out of range; write 10…30000",
        "recipe.json: c.flac, layer 2, filter 1, slope: 13 is out of range; write 6, 12 or 24 dB an octave",
        "recipe.json: c.flac, chain 1, seconds: 0 is out of range; write 0.05…20 s",
        "recipe.json: c.flac, chain 2, effect: is missing; add which one, as \"reverb\"",
      ])
  }

  @Test("a softer blow is darker and shorter, another take is no copy")
  func variations() throws {
    let text = #"""
      { "format": 1, "sounds": {
        "a.flac": { "seconds": 0.5, "layers": [
          { "source": "noise", "seed": 3, "amplitude": [[0, 0], [300, -90]] },
          { "source": "sine", "notes": 200, "amplitude": [[0, 0], [300, -90]] }] },
        "again.flac": { "like": "a.flac", "seed": 9 }, "same.flac": { "like": "a.flac", "peak": -7.5 },
        "soft.flac": { "like": "a.flac", "force": 0.2 } } }
      """#
    let recipe = try Recipe.read(Array(text.utf8), of: "recipe.json")
    let made = Dictionary(uniqueKeysWithValues: recipe.sounds.map { ($0.file, Forge.render($0.sound)) })
    let (hard, soft) = (try #require(made["a.flac"]), try #require(made["soft.flac"]))
    #expect(Spectrum(soft.interleaved[...]).centroid < Spectrum(hard.interleaved[...]).centroid * 0.8)
    #expect(soft.frames < hard.frames * 9 / 10)
    #expect(made["again.flac"]?.interleaved != hard.interleaved)
    let same = try #require(made["same.flac"])
    #expect(zip(same.interleaved, hard.interleaved).allSatisfy { abs($0 * 2 - $1) < 0.01 })
  }

  @Test("a sound that is like none of the recipe is told")
  func wrongVariation() {
    let text = #"{ "sounds": { "b.flac": { "like": "a.flac", "force": 2 } } }"#
    let error = #expect(throws: KitProblems.self) { try Recipe.read(Array(text.utf8), of: "recipe.json") }
    #expect(
      error?.problems.map(\.description) == [
        "recipe.json: b.flac, like: \"a.flac\" is out of range; write a sound of this recipe that has layers",
        "recipe.json: b.flac, force: 2 is out of range; write 0…1",
      ])
  }

  @Test("forging writes what the recipe makes, and nothing for a broken one")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{ "sounds": { "a.flac": { "seconds": 0.1, "layers": [{ "source": "noise", "amplitude": [[0, 0], [80, -80]] }] } } }"#,
      to: "kit/recipe.json")
    let forge = try KitForge(folder.path + "/kit")
    #expect(forge.files == ["a.flac"] && KitForge.folders(in: folder.path) == [folder.path + "/kit"])
    #expect(try forge.forge("a.flac") > 1_000)
    let first = try Files.read(folder.path + "/kit/a.flac", limit: 1 << 20)
    _ = try forge.forge("a.flac")
    #expect(try Files.read(folder.path + "/kit/a.flac", limit: 1 << 20) == first)
    #expect(throws: KitError.self) { try forge.forge("b.flac") }
    #expect(throws: KitProblems.self) { try KitForge(folder.path) }
  }
}
