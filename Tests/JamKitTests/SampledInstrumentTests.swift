import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Sampled instruments")
struct SampledInstrumentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try Sound.faded(440, seconds: 0.5).file(), to: "piano/a.flac")
    try folder.write(try Sound.faded(220, seconds: 0.5).file(), to: "piano/b.flac")
  }

  private func write(_ zones: String, _ more: String = "") throws -> InstrumentFolder {
    try folder.write(#"{ "format": 1, "name": "Piano", \#(more) "zones": [\#(zones)] }"#, to: "piano/instrument.json")
    return InstrumentFolder(folder.path + "/piano")
  }

  private func problems(_ zones: String, _ more: String = "") throws -> [String] {
    try write(zones, more).check().map { "\($0)".replacing(folder.path + "/piano/", with: "") }
  }

  @Test("zones have their keys, tuning, gain and layers; settings that are left out are those of recorded sounds")
  func reading() throws {
    let folder = try write(
      """
      { "root": 69, "low": 60, "high": 72, "tune": -12.5, "gain": -3, "file": "a.flac", "loop": [2000, 22000] },
      { "root": 57, "low": 40, "high": 59, "layers": [
        { "upTo": 0.5, "gain": -2, "files": ["b.flac", "a.flac"], "loops": [[100, 20000], null] }, { "files": ["b.flac"] }] }
      """, #""patch": { "amp/release": 400 },"#)
    let description = folder.describe()
    #expect(description.problems == [] && folder.check() == [])
    let instrument = try #require(description.instrument)
    #expect(
      instrument.zones == [
        InstrumentZone(root: 69, low: 60, high: 72, tune: -12.5, gain: -3), InstrumentZone(root: 57, low: 40, high: 59),
      ])
    #expect(instrument.isSampled && instrument.patch.gain == 0 && instrument.patch.amp.release == 400)
    #expect(
      description.layers[0] == [LayerDescription(files: ["a.flac"], loops: [SoundLoop(start: 2_000, end: 22_000)])])
    #expect(description.layers[1][0].loops == [SoundLoop(start: 100, end: 20_000), nil])
    #expect(instrument.zones.pad(of: 59) == Pad(2) && instrument.zones.pad(of: 60) == Pad(1))
    #expect(instrument.zones.pad(of: 39) == nil && instrument.zones.pad(of: 73) == nil)
    #expect(instrument.zones[0].transpose(to: 70) == 0.875)
  }

  @Test("what is written of it is read again the same")
  func writing() throws {
    let first = try write(
      """
      { "root": 69, "low": 60, "high": 72, "tune": -12.5, "gain": -3, "file": "a.flac", "loop": [2000, 22000] },
      { "root": 57, "low": 40, "high": 59, "layers": [
        { "upTo": 0.5, "gain": -2, "files": ["b.flac", "a.flac"], "loops": [[100, 20000], null] }, { "files": ["b.flac"] }] }
      """, #""patch": { "gain": -4.5 },"#
    ).describe()
    let text = InstrumentWriter.json(try #require(first.instrument), first.layers)
    let second = InstrumentDescription(id: "piano", reading: Array(text.utf8), of: "instrument.json")
    #expect(second.instrument == first.instrument && second.layers == first.layers)
  }

  @Test("a zone that names no keys has those that lie nearest to its root")
  func spread() throws {
    let zones = try #require(
      try write(
        #"{ "root": 60, "file": "a.flac" }, { "root": 48, "file": "b.flac" }, { "root": 67, "high": 70, "file": "a.flac" }"#
      ).describe().instrument
    ).zones
    #expect(zones.map(\.low) == [55, 24, 64] && zones.map(\.high) == [63, 54, 70])
  }

  @Test("what cannot be is told with its file and its field")
  func wrong() throws {
    #expect(
      try problems(
        #"{ "root": 60, "low": 50, "high": 62, "file": "a.flac" }, { "root": 64, "low": 62, "file": "b.flac" }"#)
        == [
          "instrument.json: zones[1], low: 62 is out of range; write more than 62, where zones[0] ends: two zones have no key in common"
        ])
    #expect(
      try problems(#"{ "root": 60, "low": 0, "high": 128, "file": "a.flac" }"#)
        == ["instrument.json: zones[0], high: 128 is out of range; write 0…127"])
    #expect(
      try problems(#"{ "root": 60, "low": 30, "high": 70, "file": "a.flac" }"#)
        == ["instrument.json: zones[0], low: 30 is out of range; write a note within 24 semitones of its root, 60"])
    #expect(
      try problems(#"{ "root": 60, "low": 70, "high": 62, "file": "a.flac" }"#)
        == ["instrument.json: zones[0], low: 70 is out of range; write its high, 62, or less"])
    #expect(
      try problems(#"{ "root": 60, "file": "a.flac", "loop": [100, 30000] }"#)
        == ["a.flac: loop: 30000 is out of range; write 24000, the sound's last frame, at most"])
    #expect(
      try problems(#"{ "root": 60, "file": "a.flac", "loop": [100, 100] }"#)
        == [
          "instrument.json: zones[0], loop: is a list; write two frames of the file, the second one the greater, as [2000, 96000]"
        ])
    #expect(
      try problems(#"{ "root": 60, "file": "c.flac" }"#)
        == [
          "c.flac: zones[0], layers[0], files[0]: no such file; put it into the kit's folder or correct its name in kit.json"
        ])
    #expect(try problems(#"{ "file": "a.flac" }"#).map { $0.prefix(32) } == ["instrument.json: zones[0], root:"])
    #expect(
      try problems(#"{ "root": 60, "file": "a.flac" }"#, #""patch": { "filter/cutoff": 400 },"#)
        == ["instrument.json: patch, filter/cutoff: cannot stand beside zones; keep one of them"])
    #expect(
      try problems("") == ["instrument.json: zones: a list of 0 is out of range; write 1–16 zones"])
    let seventeen = (0..<17).map { #"{ "root": \#(30 + $0), "file": "a.flac" }"# }.joined(separator: ",")
    #expect(try problems(seventeen) == ["instrument.json: zones: a list of 17 is out of range; write 1–16 zones"])
    #expect(
      try problems(#"{ "root": 60, "file": "../b.flac" }"#).first?.hasPrefix(
        "instrument.json: zones[0], file: ../b.flac leads out")
        == true)
  }

  @Test("values that are no sound are told")
  func noSound() throws {
    var sound = Sound.tone(440, seconds: 0.1)
    sound.interleaved[100] = .nan
    try folder.write(try sound.file(SoundFormat(code: 0x01_0006)), to: "piano/nan.wav")
    #expect(
      try problems(#"{ "root": 60, "file": "nan.wav" }"#)
        == ["nan.wav: zones[0], layers[0], files[0]: is damaged (it holds values that are no sound); save it again"])
  }

  @Test("a catalogue lists it among the instruments, and loads it by its id as a kit; a kit of that id wins")
  func catalogue() throws {
    _ = try write(#"{ "root": 69, "low": 60, "high": 72, "file": "a.flac" }"#)
    var loader = KitLoader(catalogue: KitCatalogue(scanning: [folder.path]))
    #expect(loader.catalogue.instruments.map(\.id) == ["piano"] && loader.catalogue.kits.isEmpty)
    let loaded = try loader.load("piano")
    #expect(loaded.zones.map(\.root) == [69] && loaded.sample(Pad.all[0])?.frameCount == 24_000)
    try folder.writeKit("other/piano", sounds: [("a.flac", try Sound.tone().file())])
    loader = KitLoader(catalogue: KitCatalogue(scanning: [folder.path, folder.path + "/other"]))
    #expect(loader.catalogue.instruments.isEmpty)
    let told = loader.catalogue.problems.map(\.description)
    #expect(told.count == 1 && told[0].hasSuffix("/piano: kit piano is there twice; keep one"))
  }

  @Test(
    "a loop of any rate goes round in tune, however short it is",
    arguments: [
      (44_100, 100.0, 441), (44_100, 100.0, 44_100), (48_000, 480.0, 100), (22_050, 441.0, 50), (96_000, 100.0, 960),
    ])
  func pitch(rate: Int, hertz: Double, frames: Int) throws {
    // Whole periods: the loop itself is in tune.
    let periods = (hertz * Double(frames) / Double(rate)).rounded()
    #expect(periods > 0)
    let sound = Sound.tone(hertz, seconds: 1.5, rate: rate)
    let start = rate / 10
    let loop = try #require(SoundLoop(start: start, end: start + frames))
    let (looped, round) = try sound.looped(loop, named: "test")
    let exact = periods * 48_000 / hertz
    let repeated = Double(round.count) / (Double(frames) * 48_000 / Double(rate))
    let cents = 1_200 * (Double(round.count) / (repeated.rounded() * exact) - 1) / 0.693_147
    #expect(abs(cents) < 0.1, "\(cents) cents")
    #expect(round.count >= 9_600 || frames * 48_000 / rate == round.count)
    #expect(looped.frames == Int(round.upperBound) && round.count >= 128)
    #expect(looped.rate == 48_000)
  }
}
