import JamCore
import KitTestSupport
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

  private func importing(bytes: [UInt8], preset: String? = nil) throws -> KitImporter.Report {
    try folder.write(bytes, to: "font.sf2")
    let report = try KitImporter.importKit(from: folder.path + "/font.sf2", to: folder.path + "/kit", preset: preset)
    #expect(KitCheck.problems(of: KitFolder(folder.path + "/kit")) == [])
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
    #expect(try KitFolder(folder.path + "/kit").load().sample(Pad.all[0])?.frameCount == 96_000)
    try KitFolder(folder.path + "/kit").delete()
    let wrong = try importing(font((10, 900_000)))
    #expect(
      wrong.notes.contains(
        ImportNote("Organ C3", "wave: its loop, 10–900000, does not lie within its 4000 frames; played once")))
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
    var random = SplitMix(seed: 7)
    for round in 0..<300 {
      var bytes = whole
      if round % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      // The records lie at the end.
      for _ in 0..<4 where bytes.count > 40 {
        let near = max(0, bytes.count - 900)
        let at = round % 2 == 0 ? near + Int(random.next() % UInt64(bytes.count - near)) : Int(random.next() % 40)
        bytes[at] = UInt8(truncatingIfNeeded: random.next())
      }
      try folder.write(bytes, to: "bad.sf2")
      let target = folder.path + "/bad"
      if (try? KitImporter.importKit(from: folder.path + "/bad.sf2", to: target)) != nil {
        try KitFolder(target).delete()
      }
    }
  }
}
