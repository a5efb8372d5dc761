import JamCore
import KitTestSupport
import TestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("SoundFont import")
struct SoundFontImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func importing(_ font: SoundFontBytes, preset: String? = nil) throws -> KitImporter.Report {
    try importing(bytes: font.bytes, preset: preset)
  }

  private func importing(
    bytes: [UInt8], preset: String? = nil, name: String = "font.sf2"
  ) throws -> KitImporter.Report {
    try folder.write(bytes, to: name)
    let report = try KitImporter.importKit(
      from: folder.path + "/\(name)", to: folder.path + "/kit", preset: preset, levels: false)
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/kit")) == [])
    return report
  }

  private func drums(_ keys: [Int]) -> SoundFontBytes {
    SoundFontBytes(
      samples: keys.map {
        SoundFontBytes.Sample(name: "s\($0)", values: SoundFontBytes.tone(Double(100 + 10 * $0)), root: UInt8($0))
      },
      presets: [
        .init(name: "Piano", zones: [[(53, 0)]]),
        .init(
          name: "Standard", bank: 128,
          zones: keys.enumerated().map { index, key -> [(UInt16, UInt16)] in
            [SoundFontBytes.keys(key, key), (53, UInt16(index))]
          }),
      ])
  }

  @Test("a drum set's keys go to pads by what General MIDI calls them; hats cut each other off")
  func drumSet() throws {
    let report = try importing(drums([36, 38, 42, 46, 49]))
    #expect(report.kind == .soundFont && report.problems == [])
    #expect(report.pads.map(\.description.name) == ["Kick", "Snare", "Closed hat", "Open hat", "Crash"])
    #expect(report.pads.map(\.description.category) == [.kick, .snare, .hat, .hat, .cymbal])
    #expect(report.pads.map(\.description.settings.choke) == [0, 0, 1, 1, 0])
    #expect(report.pads.allSatisfy { $0.description.settings.transpose == 0 })
  }

  @Test("of more than sixteen drums, hats and a clap come before the second kick, and the rest is named")
  func many() throws {
    let report = try importing(drums(Array(35...55)))
    #expect(report.pads.count == 16 && report.leftOut.contains("key 47 (Low-mid tom)"))
    #expect(Set(report.pads.map(\.description.category)).isSuperset(of: [.kick, .snare, .clap, .hat, .tom, .cymbal]))
  }

  @Test(
    "any other preset becomes a scale, each note by the sample that is for its key; found by name and number",
    arguments: ["keys", "0:5", "5"])
  func scale(wanted: String) throws {
    let font = SoundFontBytes(
      samples: [.init(values: SoundFontBytes.tone(262)), .init(values: SoundFontBytes.tone(523), root: 72)],
      presets: [
        .init(name: "Other", zones: [[(53, 0)]]),
        .init(
          name: "Keys", program: 5,
          zones: [[SoundFontBytes.keys(0, 65), (53, 0)], [SoundFontBytes.keys(66, 127), (53, 1)]]),
      ])
    let report = try importing(font, preset: wanted)
    #expect(report.pads.count == 16)
    #expect(report.pads.prefix(3).map(\.description.name) == ["Keys C3", "Keys D3", "Keys E3"])
    #expect(
      report.pads.map(\.description.settings.transpose) == [-12, -10, -8, -7, -5, -3, -1, 0, 2, 4, 5, -5, -3, -1, 0, 2])
    #expect(report.pads.allSatisfy { $0.description.settings.mode == .gate })
  }

  @Test("velocity ranges become layers, and two sides one stereo sound")
  func layers() throws {
    let font = SoundFontBytes(
      samples: [
        .init(values: SoundFontBytes.tone(200), link: 1, kind: 4),
        .init(values: SoundFontBytes.tone(210), link: 0, kind: 2),
        .init(values: SoundFontBytes.tone(400)),
      ],
      presets: [
        .init(
          name: "Set", bank: 128,
          zones: [
            [SoundFontBytes.keys(36, 36), SoundFontBytes.velocities(64, 127), (53, 0)],
            [SoundFontBytes.keys(36, 36), SoundFontBytes.velocities(64, 127), (53, 1)],
            [SoundFontBytes.keys(36, 36), SoundFontBytes.velocities(0, 63), (53, 2)],
          ])
      ])
    _ = try importing(font)
    let kit = try KitFolder(folder.path + "/kit").load()
    #expect(kit.layers(Pad.all[0]).map(\.upTo) == [0.496, 1])
    #expect(kit.layers(Pad.all[0]).map { $0.sounds.first?.view.isStereo } == [false, true])
  }

  @Test("a loop is played out and told; one past the sample's end is told, and played once")
  func loops() throws {
    func font(_ loop: (Int, Int)) -> SoundFontBytes {
      SoundFontBytes(
        samples: [.init(name: "wave", values: SoundFontBytes.tone(441, frames: 4_000), loop: loop)],
        presets: [.init(name: "Organ", zones: [[SoundFontBytes.keys(48, 48), (54, 1), (53, 0)]])])
    }
    let long = try importing(font((100, 1_100)))
    #expect(long.notes.contains(ImportNote("Organ C3", "wave: its loop is played out for 2 s and faded")))
    // An octave deeper it lasts twice as long: 2 s.
    #expect(try KitFolder(folder.path + "/kit").load().sample(Pad.all[0])?.frameCount == 48_000)
    try KitFolder(folder.path + "/kit").delete()
    let wrong = try importing(font((10, 900_000)))
    #expect(
      wrong.notes.contains(
        ImportNote("Organ C3", "wave: its loop, 10–900000, does not lie within its frames 0–4000; played once")))
  }

  @Test("a loop is played out for 2 s as it is heard, and keys far below its note are sounds of their own")
  func deepLoops() throws {
    // A wave of six frames at 48 kHz, as sets of chip sounds have them.
    let wave: [Int16] = [0, 8_000, 8_000, 0, -8_000, -8_000]
    let values = (0..<8).flatMap { _ in wave }
    let font = SoundFontBytes(
      samples: [.init(name: "chip", values: values, loop: (12, 18), rate: 48_000, root: 108)],
      presets: [.init(name: "Tone", zones: [[SoundFontBytes.keys(36, 40), (54, 1), (53, 0)]])])
    let report = try importing(font)
    #expect(report.pads.map(\.description.name) == ["Tone C2", "Tone D2", "Tone E2"])
    let text = "chip: its loop is played out for 2 s and faded"
    #expect(report.notes.filter { $0.text == text }.count == 3, "\(report.notes)")
    #expect(!report.notes.contains { $0.text.hasPrefix("left out") || $0.text.hasPrefix("cut") })
    let kit = try KitFolder(folder.path + "/kit").load()
    for (pad, semitones) in zip(Pad.all, [-72.0, -70, -68]) {
      let sound = Sound(try #require(kit.memory(pad)))
      #expect(report.pads[pad.index].description.settings.transpose == 0)
      #expect(abs(Double(sound.frames) / 48_000 - 2) < 0.05, "\(sound.frames) frames")
      let wanted = 8_000 * PortableMath.ratio(semitones: semitones)
      let found: Double = pitch(of: Array(sound.plane(0)[..<64_000]), near: wanted)
      #expect(abs(found / wanted - 1) < 0.005)
    }
  }

  /// Drums of an `.sf3`: each sample a file of its own.
  private func compressed(_ sounds: [(key: Int, file: [UInt8])]) -> SoundFontBytes {
    var font = drums(sounds.map(\.key))
    for (index, sound) in sounds.enumerated() {
      font.samples[index].file = sound.file
      font.samples[index].kind = 0x11
      font.samples[index].rate = 48_000
    }
    return font
  }

  private static let vorbis = SoundFormat(code: 0x20_0060)

  @Test("an .sf3's samples are Ogg Vorbis: each sounds at its pitch and for its length")
  func vorbis() throws {
    let wanted: [(key: Int, hertz: Double, seconds: Double)] = [(36, 110, 0.5), (38, 880, 0.2), (42, 6_000, 0.1)]
    let font = compressed(
      try wanted.map { ($0.key, try Sound.faded($0.hertz, seconds: $0.seconds).file(Self.vorbis)) })
    let report = try importing(bytes: font.bytes, name: "font.sf3")
    #expect(report.kind == .soundFont && report.problems == [])
    #expect(report.pads.map(\.description.name) == ["Kick", "Snare", "Closed hat"])
    let kit = try KitFolder(folder.path + "/kit").load()
    for (pad, (_, hertz, seconds)) in zip(Pad.all, wanted) {
      let view = try #require(kit.sample(pad))
      #expect(Int(view.frameCount) == Int(seconds * 48_000), "\(hertz) Hz")
      let plane = (0..<Int(view.frameCount)).map { view.left[$0] }
      #expect(abs(pitch(of: plane, near: hertz) / hertz - 1) < 0.001, "\(hertz) Hz")
      // As loud as it was: a third of full scale.
      let peak: Float = plane.reduce(0) { max($0, abs($1)) }
      #expect(abs(peak - 1 / 3) < 0.1, "\(hertz) Hz")
    }
  }

  @Test("an .sf3's loop counts from its sample's beginning, wherever it lies; one past the end is told")
  func vorbisLoops() throws {
    func font(_ loop: (Int, Int)) throws -> SoundFontBytes {
      let file = try Sound.tone(480, seconds: 0.25).file(Self.vorbis)
      let sample = SoundFontBytes.Sample(name: "wave", values: [], loop: loop, rate: 48_000, kind: 0x11, file: file)
      // Another one lies in front.
      return SoundFontBytes(
        samples: [sample, sample],
        presets: [.init(name: "Organ", zones: [[SoundFontBytes.keys(48, 48), (54, 1), (53, 1)]])])
    }
    let held = try importing(bytes: font((1_000, 11_000)).bytes, name: "font.sf3")
    #expect(held.notes.contains(ImportNote("Organ C3", "wave: its loop is played out for 2 s and faded")))
    // An octave deeper it lasts twice as long: 2 s.
    #expect(try KitFolder(folder.path + "/kit").load().sample(Pad.all[0])?.frameCount == 48_000)
    try KitFolder(folder.path + "/kit").delete()
    let wrong = try importing(bytes: font((1_000, 12_005)).bytes, name: "font.sf3")
    #expect(
      wrong.notes.contains(
        ImportNote("Organ C3", "wave: its loop, 1000–12005, does not lie within its frames 0–12000; played once")))
  }

  @Test("an .sf3's sample that is damaged, no sound or has eight channels is told by file, and costs its pad alone")
  func badVorbis() throws {
    let good = try Sound.faded(110).file(Self.vorbis)
    var broken = good
    for n in 200..<min(1_200, broken.count) { broken[n] = 0x55 }
    let eight = Sound(interleaved: [Float](repeating: 0.1, count: 8 * 4_800), channels: 8, rate: 48_000)
    let font = compressed([
      (36, good), (38, broken), (42, Array("no sound at all".utf8)), (46, try eight.file(Self.vorbis)),
      (49, try Sound.faded(5_000, seconds: 0.1, rate: 192_000).file(Self.vorbis)),
    ])
    let report = try importing(bytes: font.bytes, name: "font.sf3")
    #expect(report.pads.map(\.description.name) == ["Kick", "Crash"])
    #expect(try KitFolder(folder.path + "/kit").load().sample(Pad.all[1])?.frameCount == 4_800)
    let told = report.problems.map { $0.description.replacing(folder.path + "/", with: "") }
    #expect(told.count == 3)
    for (text, (sample, reason)) in zip(told, [("s38", "is "), ("s42", "is not a sound"), ("s46", "has 8 channels")]) {
      #expect(text.hasPrefix("font.sf3: sample \(sample)") && text.contains(": \(reason)"), "\(text)")
    }
  }

  @Test("samples that lie about their end, are empty, or are not there, cost their zone alone")
  func lies() throws {
    var font = drums([36, 38, 42])
    font.samples[1].claimedEnd = 4_000_000
    font.samples[2].claimedEnd = 0
    font.presets[1].zones.append([SoundFontBytes.keys(39, 39), (53, 99)])
    let report = try importing(font)
    #expect(report.pads.map(\.description.name) == ["Kick"])
    #expect(report.problems.count == 2)
    #expect(report.problems.contains { $0.field == "end" && $0.file.hasSuffix("font.sf2: sample s38") })
    #expect(report.notes.contains(ImportNote("Standard", "a zone left out: it names sample 99, and there are 3")))
  }

  @Test("a preset that is not there, and a file that is no SoundFont, make nothing")
  func nothing() throws {
    #expect(throws: KitError.self) { try importing(drums([36]), preset: "Nope") }
    #expect(throws: KitError.self) { try importing(bytes: Array("RIFF....WAVE".utf8)) }
    var font = drums([36])
    font.presets[1].instrument = 77
    #expect(throws: KitError.self) { try importing(font, preset: "128:0") }
    #expect(Files.names(in: folder.path) == ["font.sf2"])
  }

  @Test("cut or changed anywhere, it is refused or read, and never read beyond its end")
  func hostile() throws {
    let whole = drums([36, 42]).bytes
    let packed = try compressed([(36, Sound.faded().file(Self.vorbis)), (42, Sound.faded(880).file(Self.vorbis))]).bytes
    var random = SplitMix(seed: 7)
    var (read, refused) = (0, 0)
    for round in 0..<300 {
      var bytes = round % 5 == 0 ? packed : whole
      if round % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      // The records lie at the end.
      for _ in 0..<4 where bytes.count > 40 {
        let near = max(0, bytes.count - 900)
        let at = round % 2 == 0 ? near + Int(random.next() % UInt64(bytes.count - near)) : Int(random.next() % 40)
        bytes[at] = UInt8(truncatingIfNeeded: random.next())
      }
      try folder.write(bytes, to: "bad.sf2")
      let target = folder.path + "/bad"
      do throws(KitError) {
        let report = try KitImporter.importKit(from: folder.path + "/bad.sf2", to: target, levels: false)
        read += 1
        #expect(!report.pads.isEmpty && KitCheck.faults(of: KitFolder(target)) == [], "round \(round)")
        try KitFolder(target).delete()
      } catch {
        refused += 1
        #expect(error.file.contains("/bad"), "round \(round): \(error)")
      }
      #expect(folder.everything == ["bad.sf2"], "round \(round)")
    }
    #expect(read > 20 && refused > 20, "\(read), \(refused)")
  }
}
