import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Layers that are made for softer hits")
struct DarkerLayerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A low tone with hiss that dies first, as a drum has it.
  private func drum(_ hertz: Double, seed: UInt32 = 1) throws -> [UInt8] {
    var sound = Sound.tone(hertz, seconds: 0.3)
    var state = seed
    for frame in sound.interleaved.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Float(Int32(bitPattern: state)) / 2_147_483_648
      sound.interleaved[frame] = 0.4 * sound.interleaved[frame] + 0.3 * noise * max(0, 1 - Float(frame) / 4_800)
    }
    sound.fadeOut(milliseconds: 100)
    return try sound.file()
  }

  private func load(_ pads: String, limits: Limits = .standard) throws -> LoadedKit {
    try folder.write(#"{ "format": 1, "name": "Kit", "pads": [\#(pads)] }"#, to: "kit/kit.json")
    return try KitFolder(folder.path + "/kit").load(limits: limits)
  }

  /// How much of a sound's power is in the differences of its frames.
  private func brightness(_ sound: SampleMemory) -> Double {
    var (power, difference) = (0.0, 0.0)
    for frame in 1..<Int(sound.view.frameCount) {
      let (x, last) = (Double(sound.view.left[frame]), Double(sound.view.left[frame - 1]))
      power += x * x
      difference += (x - last) * (x - last)
    }
    return difference / power
  }

  @Test("a drum of one sound gets two duller layers below it, each as loud as the sound")
  func drums() throws {
    try folder.write(try drum(200), to: "kit/a.flac")
    let kit = try load(#"{ "pad": 1, "name": "A", "category": "snare", "file": "a.flac", "gain": -3 }"#)
    let layers = kit.layers(Pad.all[0])
    try #require(layers.map(\.upTo) == [0.4, 0.75, 1])
    let sounds = try layers.map { try #require($0.sounds.first) }
    #expect(brightness(sounds[0]) < 0.6 * brightness(sounds[1]) && brightness(sounds[1]) < 0.8 * brightness(sounds[2]))
    let loudness = try zip(layers, sounds).map {
      Double($0.gain) + (try #require(Loudness.momentaryMaximum(of: Sound($1.view))))
    }
    #expect(loudness.allSatisfy { abs($0 - loudness[2]) < 0.1 }, "\(loudness) LUFS")
    #expect(layers[2].gain == 0 && kit.sample(Pad.all[0]) == sounds[2].view)
  }

  @Test("what plays notes, has layers or says 0 stays as it is; what asks for duller layers gets them")
  func others() throws {
    for name in ["a", "b"] { try folder.write(try drum(name == "a" ? 200 : 150), to: "kit/\(name).flac") }
    let kit = try load(
      """
      { "pad": 1, "name": "A", "category": "bass", "file": "a.flac" },
      { "pad": 2, "name": "B", "category": "tom", "file": "a.flac", "darker": 0 },
      { "pad": 3, "name": "C", "category": "tom", "layers": [{ "upTo": 0.5, "files": ["b.flac"] }, { "files": ["a.flac"] }] },
      { "pad": 4, "name": "D", "category": "bass", "file": "a.flac", "darker": 12 },
      { "pad": 5, "name": "E", "category": "hat", "layers": [{ "gain": 4, "files": ["a.flac", "b.flac"] }] },
      { "pad": 6, "name": "F", "category": "tom", "darker": 8, "layers": [{ "upTo": 0.5, "files": ["b.flac"] }, { "files": ["a.flac"] }] }
      """)
    try #require(Pad.all.prefix(6).map { kit.layers($0).count } == [1, 1, 2, 3, 3, 2])
    let (plain, duller) = (kit.layers(Pad.all[2]), kit.layers(Pad.all[5]))
    #expect(duller[0].upTo == 0.5 && brightness(duller[0].sounds[0]) < 0.5 * brightness(plain[0].sounds[0]))
    #expect(duller[1].sounds[0] === plain[1].sounds[0] && plain[0].gain == 0)
    #expect(kit.layers(Pad.all[4]).allSatisfy { $0.sounds.count == 2 && abs($0.gain - 4) < 6 })
  }

  @Test("pads that play parts of one sound share what is made of it, each at the level of its own part")
  func parts() throws {
    var sound = Sound.tone(100, seconds: 1)
    for frame in 24_000..<48_000 { sound.interleaved[frame] = Sound.tone(6_000, seconds: 1).interleaved[frame] }
    try folder.write(try sound.file(), to: "kit/a.flac")
    let kit = try load(
      """
      { "pad": 1, "name": "A", "category": "kick", "file": "a.flac", "decay": 400 },
      { "pad": 2, "name": "B", "category": "hat", "file": "a.flac", "start": 550, "decay": 400 }
      """)
    let (kick, hat) = (kit.layers(Pad.all[0]), kit.layers(Pad.all[1]))
    try #require(kick.count == 3 && hat.count == 3)
    #expect(kick[0].sounds[0] === hat[0].sounds[0])
    // The shelf takes next to nothing from the low part, and nearly all of its 8 dB from the high one.
    #expect((-0.5...2).contains(kick[0].gain) && (5...8.1).contains(hat[0].gain), "\(kick[0].gain), \(hat[0].gain) dB")
    // The two that were made are floats, and twice as large as the file's 16 bits.
    #expect(kit.byteCount == 5 * kick[2].sounds[0].byteCount)
  }

  @Test("the bits are the same on every machine")
  func bits() throws {
    try folder.write(try drum(200), to: "kit/a.flac")
    let kit = try load(#"{ "pad": 1, "name": "A", "category": "snare", "file": "a.flac" }"#)
    let layer = try #require(kit.layers(Pad.all[0]).first)
    let view = try #require(layer.sounds.first).view
    let frames = (0..<Int(view.frameCount)).map { view.left[$0] }
    let hash = "\(frames.withUnsafeBytes { ContentHash($0) })".prefix(16)
    #expect(hash == "efaf23bdf8eaa30a")
    #expect(layer.gain.bitPattern == 1_073_937_308)
  }

  @Test("a kit whose memory does not suffice keeps its drums as they are")
  func memory() throws {
    try folder.write(try drum(200), to: "kit/a.flac")
    try folder.write(try drum(150), to: "kit/b.flac")
    let pads = """
      { "pad": 1, "name": "A", "category": "snare", "file": "a.flac" },
      { "pad": 2, "name": "B", "category": "snare", "file": "b.flac" }
      """
    let one = SampleMemory.leastByteCount(frames: 14_400, channels: 1)
    var limits = Limits.standard
    for (sounds, counts) in [(2, [1, 1]), (3, [1, 1]), (4, [3, 1]), (6, [3, 3]), (9, [3, 3])] {
      limits.kitBytes = sounds * one
      let kit = try load(pads, limits: limits)
      #expect(Pad.all.prefix(2).map { kit.layers($0).count } == counts, "room for \(sounds)")
      #expect(kit.byteCount <= limits.kitBytes)
      // None is rounded before one would be left out.
      let made = kit.layers(Pad.all[0]).dropLast().flatMap(\.sounds)
      #expect(made.allSatisfy { $0.view.shift > 15 })
    }
    limits.kitBytes = 10 * SampleMemory.byteCount(frames: 14_400, channels: 1)
    let made = try load(pads, limits: limits).layers(Pad.all[0]).dropLast().flatMap(\.sounds)
    #expect(made.count == 2 && made.allSatisfy { $0.view.shift == 0 })
  }

  @Test("kit.json says how much duller, and reads back the same when written")
  func description() {
    func read(_ more: String) -> KitDescription {
      let text = #"{ "format": 1, "name": "K", "pads": [{ "pad": 3, "name": "A", "category": "kick", \#(more) }] }"#
      return KitDescription(id: "kit", reading: Array(text.utf8), of: "kit/kit.json")
    }
    let layers = #""layers": [{ "upTo": 0.5, "files": ["a"] }, { "files": ["b"] }]"#
    let cases: [(String, Float)] = [
      (#""file": "a""#, 8), (#""file": "a", "darker": 3.5"#, 3.5), (layers, 0), (layers + #", "darker": 3.5"#, 3.5),
    ]
    for (text, darker) in cases {
      let description = read(text)
      #expect(description.problems == [] && description.remarks == [] && description.pads[2]?.darker == darker)
      #expect(description.json.contains("darker") == (darker == 3.5))
      let copy = KitDescription(id: "kit", reading: Array(description.json.utf8), of: "kit/kit.json")
      #expect(copy.pads == description.pads)
    }
    #expect(
      read(#""file": "a", "darker": 25"#).problems.map(\.description) == [
        "kit/kit.json: pad 3, darker: 25 is out of range; write 0…24 dB"
      ])
  }

  @Test("a kit that is saved keeps a drum as it was heard")
  func saved() throws {
    try folder.write(try drum(200), to: "kit/a.flac")
    let kit = try load(
      """
      { "pad": 1, "name": "A", "category": "snare", "file": "a.flac" },
      { "pad": 2, "name": "B", "category": "snare", "file": "a.flac", "darker": 0 }
      """)
    let pads = Pad.all.map { pad in
      kit.kit[pad].map {
        SavedKit.SavedPad(
          name: $0.name, category: $0.category, key: nil, settings: $0.settings, layers: kit.layers(pad))
      }
    }
    let saved = SavedKit(name: "Mine", description: "", colours: [], pads: pads)
    let loaded = try saved.write(in: folder.path + "/saved", order: 0) { _ in false }.load()
    #expect(
      Pad.all.prefix(2).map { loaded.layers($0).map(\.gain) } == Pad.all.prefix(2).map { kit.layers($0).map(\.gain) })
  }
}
