import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Loops of SoundFonts")
struct SoundFontLoopTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func importing(
    _ path: String, preset: String? = nil
  ) throws -> (report: InstrumentImporter.Report, made: InstrumentDescription) {
    let report = try InstrumentImporter.importInstrument(from: path, to: folder.path + "/made", preset: preset)
    return (report, InstrumentFolder(folder.path + "/made").describe())
  }

  private func importing(_ font: SoundFontBytes) throws -> (
    report: InstrumentImporter.Report, made: InstrumentDescription
  ) {
    try folder.write(font.bytes, to: "font.sf2")
    return try importing(folder.path + "/font.sf2")
  }

  @Test("a zone moves its sample's loop, by frames and by 32,768 of them")
  func offsets() throws {
    let sample = SoundFontBytes.Sample(
      name: "wave", values: SoundFontBytes.tone(441, frames: 80_000), loop: (1_000, 2_000))
    func zone(_ more: [(UInt16, UInt16)]) -> [(UInt16, UInt16)] {
      [SoundFontBytes.keys(60, 60), (54, 1)] + more + [(53, 0)]
    }
    let minus = UInt16(bitPattern: -300)
    for (moved, loop) in [
      ([(2, 100), (3, 50)], (1_100, 2_050)), ([(2, minus), (3, minus)], (700, 1_700)),
      ([(45, 1), (50, 2)], (33_768, 67_536)), ([(2, 10), (50, 1)], (1_010, 34_768)),
    ] as [([(UInt16, UInt16)], (Int, Int))] {
      let font = SoundFontBytes(samples: [sample], presets: [.init(name: "Organ", zones: [zone(moved)])])
      #expect(
        try importing(font).made.layers.first?.first?.loops == [SoundLoop(start: loop.0, end: loop.1)], "\(moved)")
      try KitFolder(folder.path + "/made").delete()
    }
  }

  @Test("a loop of two to seven frames goes round", arguments: [("sf2-tiny-loop", 12, 18), ("sf2-tiny-loop-2", 8, 10)])
  func tiny(name: String, start: Int, end: Int) throws {
    let (report, made) = try importing(casesFolder + "/\(name).sf2")
    #expect(made.layers.first?.first?.loops == [SoundLoop(start: start, end: end)])
    #expect(!report.notes.contains { $0.text.contains("played once") }, "\(report.notes)")
    let loaded = try KitLoader(catalogue: KitCatalogue(scanning: [folder.path + "/made"])).load("made")
    #expect(try #require(loaded.sample(Pad.all[0])).hasLoop)
  }

  @Test("a loop that ends a frame behind its sample ends with it, and that is told")
  func behind() throws {
    let (report, made) = try importing(casesFolder + "/sf2-loop-end-beyond.sf2")
    #expect(made.layers.first?.first?.loops == [SoundLoop(start: 44_331, end: 48_000)])
    #expect(
      report.notes.map(\.text).contains("t: its loop, 44331–48001, ends 1 frame behind its sound; it ends with that"),
      "\(report.notes)")
    try KitFolder(folder.path + "/made").delete()
    for (preset, start, end) in [("0:0", 44_331, 47_999), ("0:1", 46_775, 47_999)] {
      let made = try importing(casesFolder + "/sf2-ff6.sf2", preset: preset).made
      #expect(made.layers.first?.first?.loops == [SoundLoop(start: start, end: end)])
      try KitFolder(folder.path + "/made").delete()
    }
  }

  @Test("a loop of one frame is told as what it is")
  func single() throws {
    let sample = SoundFontBytes.Sample(name: "wave", values: SoundFontBytes.tone(441), loop: (100, 101))
    let font = SoundFontBytes(
      samples: [sample],
      presets: [.init(name: "Organ", zones: [[SoundFontBytes.keys(60, 60), (54, 1), (53, 0)]])])
    #expect(
      try importing(font).report.notes.map(\.text).contains("wave: its loop, 100–101, has no two frames; played once"))
  }

  @Test("a scale tuning that no instrument here has is told")
  func scale() throws {
    let report = try importing(casesFolder + "/sf2-scale-0.sf2").report
    #expect(
      report.notes.map(\.description).contains(
        "Tone: its scale tuning of 0 cents a key not carried over: each key has its own pitch"))
  }

  @Test("a preset's scale tuning adds to its instrument's")
  func presetScale() throws {
    let sample = SoundFontBytes.Sample(name: "wave", values: SoundFontBytes.tone(441))
    let tuning: (UInt16, UInt16) = (56, UInt16(bitPattern: Int16(-50)))
    let zones: [[(UInt16, UInt16)]] = [[SoundFontBytes.keys(55, 65), (53, 0)]]
    let preset = SoundFontBytes.Preset(name: "Organ", zones: zones, generators: [tuning])
    let font = SoundFontBytes(samples: [sample], presets: [preset])
    #expect(
      try importing(font).report.notes.map(\.description).contains(
        "Organ: its scale tuning of 50 cents a key not carried over: each key has its own pitch"))
    let kit = try KitImporter.importKit(from: folder.path + "/font.sf2", to: folder.path + "/kit", levels: false)
    let transposes = kit.pads.map(\.description.settings.transpose)
    #expect(!transposes.isEmpty && transposes.allSatisfy { abs($0) <= 2.5 }, "\(transposes)")
  }

  @Test("the highest key of Debian's whistle sounds at its pitch")
  func whistle() throws {
    let path = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    guard Files.exists(path) else { return }
    let (_, made) = try importing(path, preset: "0:78")
    let zones = try #require(made.instrument).zones
    let index = try #require(zones.pad(of: 104)).index
    let loaded = try KitLoader(catalogue: KitCatalogue(scanning: [folder.path + "/made"])).load("made")
    let view = try #require(loaded.sample(Pad.all[index]))
    #expect(view.hasLoop)
    let zone = zones[index]
    // What goes round, for a second.
    let round = withExtendedLifetime(loaded) { (Int(view.loopStart)..<Int(view.loopEnd)).map { view.left[$0] } }
    let ratio = PortableMath.ratio(semitones: 104 - Double(zone.root) + Double(zone.tune) / 100)
    let plane = (0..<48_000).map { round[Int(Double($0) * ratio) % round.count] }
    let wanted = 440 * PortableMath.ratio(semitones: 104 - 69)
    #expect(abs(pitch(of: plane, near: wanted) / wanted - 1) < 0.005)
  }
}
