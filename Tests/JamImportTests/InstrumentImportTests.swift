import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Importing sampled instruments")
struct InstrumentImportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, hertz) in [("low", 220.0), ("soft", 440), ("hard", 440), ("again", 440), ("high", 880)] {
      try folder.write(try Sound.faded(hertz, rate: 44_100).file(), to: "in/Samples/\(name).flac")
    }
  }

  private func importText(_ text: String) throws -> InstrumentImporter.Report {
    try folder.write(text, to: "in/Grand Piano.sfz")
    return try InstrumentImporter.importInstrument(
      from: folder.path + "/in/Grand Piano.sfz", to: folder.path + "/grand")
  }

  private var made: InstrumentDescription { InstrumentFolder(folder.path + "/grand").describe() }

  @Test("keys, centres, velocities, turns, tuning, gains, loops and releases are carried over")
  func everything() throws {
    let report = try importText(
      #"""
      <control> default_path=Samples\
      <global> ampeg_release=0.4
      <group> lokey=48 hikey=62 pitch_keycenter=57
      <region> sample=low.flac loop_mode=loop_continuous loop_start=2000 loop_end=8999 volume=-6
      <group> lokey=63 hikey=75 pitch_keycenter=a4 tune=25
      <region> sample=soft.flac hivel=63
      <region> sample=hard.flac lovel=64 seq_length=2 seq_position=1 volume=3
      <region> sample=again.flac lovel=64 seq_length=2 seq_position=2 volume=3
      <group> lokey=76 hikey=96 pitch_keycenter=81 transpose=-1
      <region> sample=high.flac offset=100 end=9099
      """#)
    // A loop's sound ends where the loop does, and is no loss.
    #expect(report.problems == [] && report.notes.allSatisfy { $0.text.contains("it would click") }, "\(report.notes)")
    #expect(InstrumentFolder(folder.path + "/grand").check() == [])
    let instrument = try #require(made.instrument)
    #expect(instrument.name == "Grand Piano" && instrument.patch.amp.release == 400)
    #expect(instrument.zones.map(\.root) == [57, 69, 82] && instrument.zones.map(\.tune) == [0, 25, 0])
    #expect(instrument.zones.map(\.low) == [48, 63, 76] && instrument.zones.map(\.high) == [62, 75, 96])
    #expect(instrument.zones.map(\.gain) == [-6, 3, 0])
    #expect(made.layers[0].map(\.loops) == [[SoundLoop(start: 2_000, end: 9_000)]])
    #expect(made.layers[1].map(\.files.count) == [1, 2] && made.layers[1].map(\.gain) == [-3, 0])
    let loaded = try KitLoader(catalogue: KitCatalogue(scanning: [folder.path + "/grand"])).load("grand")
    let (low, high) = (try #require(loaded.sample(Pad.all[0])), try #require(loaded.sample(Pad.all[2])))
    #expect(low.hasLoop && !high.hasLoop)
    let frames: Int = 9_000 * 48_000 / 44_100
    #expect(abs(Int(high.frameCount) - frames) < 3)
  }

  @Test("it is as loud at full velocity as the instruments that come along")
  func level() throws {
    _ = try importText(#"<region> sample=Samples/soft.flac key=69 volume=-3"#)
    let instrument = try #require(made.instrument)
    let loaded = try KitLoader(catalogue: KitCatalogue(scanning: [folder.path + "/grand"])).load("grand")
    let view = try #require(loaded.sample(Pad.all[0]))
    let loudness = try #require(Loudness.momentaryMaximum(of: Sound(view)))
    let heard = loudness + Double(instrument.zones[0].gain + instrument.patch.gain)
    #expect(abs(heard + 16) < 0.2, "\(heard) LUFS")
  }

  @Test("a single note has the keys within its reach, and that is told")
  func reach() throws {
    let report = try importText(#"<region> sample=Samples/soft.flac pitch_keycenter=69"#)
    #expect(made.instrument?.zones == [InstrumentZone(root: 69, low: 45, high: 93)])
    #expect(
      report.notes.map(\.description)
        == ["keys 0–127: became 45–93: a recorded note is moved by 24 semitones at most"])
  }

  @Test("of more than sixteen zones as many are left, spread evenly, and every key plays")
  func thinning() throws {
    let text = (0..<44).map {
      "<region> sample=Samples/soft.flac lokey=\(20 + 2 * $0) hikey=\(21 + 2 * $0) pitch_keycenter=\(20 + 2 * $0)"
    }.joined(separator: "\n")
    let report = try importText(text)
    let zones = try #require(made.instrument).zones
    #expect(zones.count == 16 && zones.first?.low == 20 && zones.last?.high == 107)
    #expect((20...107).allSatisfy { zones.pad(of: $0) != nil })
    #expect(zones.map(\.root) == zones.map(\.root).sorted())
    let steps = zip(zones, zones.dropFirst()).map { $1.root - $0.root }
    #expect(steps.allSatisfy { (4...8).contains($0) }, "\(steps)")
    #expect(
      report.notes.map(\.description)
        == ["Grand Piano: 28 of its 44 zones left out, evenly: an instrument has 16"])
  }

  @Test("layers that split the keys at other places are cut where any of them does")
  func segments() throws {
    _ = try importText(
      """
      <region> sample=Samples/soft.flac lokey=60 hikey=66 pitch_keycenter=63 hivel=63
      <region> sample=Samples/low.flac lokey=67 hikey=72 pitch_keycenter=70 hivel=63
      <region> sample=Samples/hard.flac lokey=60 hikey=72 pitch_keycenter=66 lovel=64
      """)
    let zones = try #require(made.instrument).zones
    #expect(zones.map(\.low) == [60, 67] && zones.map(\.high) == [66, 72])
    #expect(zones.map(\.root) == [66, 66] && made.layers.map(\.count) == [2, 2])
  }

  @Test("a loop past its sound's end, and what is lacking, are told; nothing at all is an error")
  func wrong() throws {
    let report = try importText(
      """
      <region> sample=Samples/soft.flac key=60 loop_mode=loop_continuous loop_start=100 loop_end=99999
      <region> sample=Samples/gone.flac key=70
      """)
    #expect(report.notes.map(\.description).contains { $0.contains("its loop, 100–100000, does not lie within") })
    #expect(report.problems.map { "\($0)".suffix(31) }.count == 1)
    #expect(made.instrument?.zones.count == 1 && made.layers[0][0].loops == [])
    try folder.write("<group> key=60", to: "empty/x.sfz")
    let error = #expect(throws: KitError.self) {
      try InstrumentImporter.importInstrument(from: folder.path + "/empty/x.sfz", to: folder.path + "/none")
    }
    #expect(error?.description.contains("holds no region with a sound that can be read") == true)
    let folderError = #expect(throws: KitError.self) {
      try InstrumentImporter.importInstrument(from: folder.path + "/in/Samples", to: folder.path + "/none")
    }
    #expect(folderError?.reason == .noInstrument)
  }

  @Test("a SoundFont's preset keeps its loops, which a kit of it plays out")
  func soundFont() throws {
    let path = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    guard Files.exists(path) else { return }
    let report = try InstrumentImporter.importInstrument(from: path, to: folder.path + "/grand", preset: "0:48")
    #expect(report.problems == [])
    #expect(InstrumentFolder(folder.path + "/grand").check() == [])
    let zones = try #require(made.instrument).zones
    #expect((40...90).allSatisfy { zones.pad(of: $0) != nil })
    #expect(made.layers.joined().contains { $0.loops.contains { $0 != nil } })
  }
}
