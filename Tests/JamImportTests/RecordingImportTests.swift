import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("Recording import")
struct RecordingImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Decaying hits of several pitches and loudnesses over faint noise.
  private func recording(_ hits: [(seconds: Double, level: Double)], length: Double, channels: Int = 1) -> Sound {
    var sound = Sound(
      interleaved: [Float](repeating: 0, count: Int(length * 44_100) * channels), channels: channels, rate: 44_100)
    var seed: UInt32 = 1
    for n in sound.interleaved.indices {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      sound.interleaved[n] = (Float(seed >> 8) / 16_777_216 - 0.5) * 2e-4
    }
    for (index, hit) in hits.enumerated() {
      let start = Int(hit.seconds * 44_100)
      let hertz = [55.0, 180, 3_000, 800][index % 4]
      for n in 0..<min(22_050, sound.frames - start) {
        let time = Double(n) / 44_100
        let value = hit.level * PortableMath.gain(-120 * time) * PortableMath.sine(turns: hertz * time + 0.2)
        for channel in 0..<channels { sound.interleaved[(start + n) * channels + channel] += Float(value) }
      }
    }
    return sound
  }

  @Test("onsets are found within 5 ms, soft ones too, and no others", arguments: [1, 2])
  func onsets(channels: Int) {
    let hits = [(0.1, 0.8), (0.5, 0.2), (0.75, 0.5), (0.85, 0.7), (1.4, 0.05), (2.0, 0.9)].map {
      (seconds: $0.0, level: $0.1)
    }
    let sound = recording(hits, length: 2.6, channels: channels)
    let found = OnsetDetector(sound).onsets().map { Double($0) / 44_100 }
    #expect(found.count == hits.count, "\(found)")
    for (found, hit) in zip(found, hits) { #expect(hit.seconds - found >= 0 && hit.seconds - found < 0.006) }
  }

  @Test("hits closer than 60 ms are one; steady sound and silence have no onset within")
  func gaps() {
    let close = recording([(0.1, 0.5), (0.14, 0.8), (0.5, 0.5)].map { (seconds: $0.0, level: $0.1) }, length: 1)
    #expect(OnsetDetector(close).onsets().count == 2)
    #expect(OnsetDetector(.tone(50, seconds: 2)).onsets() == [0])
    #expect(OnsetDetector(.tone(3_000, seconds: 2)).onsets() == [0])
    #expect(OnsetDetector(recording([], length: 1)).onsets() == [])
  }

  @Test("each piece is a pad, trimmed, without clicks, and the seventeenth is named")
  func pieces() throws {
    let hits = (0..<18).map { (number: Int) -> (seconds: Double, level: Double) in
      (seconds: 0.2 + Double(number) * 0.6, level: 0.3 + Double(number) * 0.03)
    }
    try folder.write(try recording(hits, length: 11.5).file(), to: "drum break.flac")
    let report = try KitImporter.importKit(
      from: folder.path + "/drum break.flac", to: folder.path + "/kit", levels: false)
    #expect(report.kind == .recording && report.pads.count == 16 && report.leftOut.count == 2)
    #expect(report.pads[0].description.name == "Drum break 1" && report.pads[15].description.name == "Drum break 16")
    #expect(KitCheck.faults(of: KitFolder(folder.path + "/kit")) == [])
    let kit = try KitFolder(folder.path + "/kit").load()
    for pad in Pad.all {
      let sound = Sound(try #require(kit.sample(pad)))
      #expect(sound.frames > 12_000 && sound.frames < 29_000)
      #expect(abs(sound.interleaved[0]) < 0.01 && abs(sound.interleaved[sound.frames - 1]) < 0.001)
    }
  }

  @Test("one hit is one pad; silence is an error, and so is what is no sound")
  func few() throws {
    try folder.write(try recording([(0.1, 0.5)], length: 1).file(), to: "Kick.flac")
    let report = try KitImporter.importKit(from: folder.path + "/Kick.flac", to: folder.path + "/kit", levels: false)
    #expect(report.pads.map(\.description.name) == ["Kick"] && report.pads[0].description.category == .kick)
    try folder.write(try recording([], length: 1).file(), to: "silence.flac")
    let silence = #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/silence.flac", to: folder.path + "/none", levels: false)
    }
    #expect(silence?.description.contains("holds nothing above silence, so nothing was imported") == true)
    try folder.write("text", to: "readme.txt")
    #expect(throws: KitError.self) {
      try KitImporter.importKit(from: folder.path + "/readme.txt", to: folder.path + "/none", levels: false)
    }
    #expect(Files.names(in: folder.path)?.contains("none") == false)
  }

  /// 300 Hz that swells from silence over `attack` s and falls as long, after a pause of half a second.
  private func swell(attack: Double) -> Sound {
    var sound = Sound(
      interleaved: [Float](repeating: 0, count: Int((0.5 + 2 * attack) * 44_100)), channels: 1, rate: 44_100)
    for n in sound.interleaved.indices {
      let time = Double(n) / 44_100 - 0.5
      let level = max(0, min(time, 2 * attack - time) / attack)
      sound.interleaved[n] = Float(0.5 * level * level * level * PortableMath.sine(turns: 300 * time))
    }
    return sound
  }

  @Test("a sound that only swells is one pad from where it begins, and is told", arguments: [1.0, 3])
  func slowAttack(attack: Double) throws {
    let sound = swell(attack: attack)
    #expect(OnsetDetector(sound).onsets() == [])
    try folder.write(try sound.file(), to: "Riser.flac")
    let report = try KitImporter.importKit(from: folder.path + "/Riser.flac", to: folder.path + "/kit", levels: false)
    #expect(report.pads.map(\.description.name) == ["Riser"] && report.pads[0].description.category == .riser)
    #expect(
      report.notes.map(\.description) == [
        "Riser.flac: no hit found in it: it became one pad, as a whole",
        "Riser.flac: each piece is faded in over 1 ms, out over 5 ms, and cut where it is 60 dB below its peak",
      ])
    let frames = try KitFolder(folder.path + "/kit").load().sample(Pad.all[0])?.frameCount ?? 0
    // Without what is 60 dB below its peak.
    #expect(frames > Int(attack * 1.7 * 48_000) && frames < Int(attack * 2 * 48_000))
  }

  @Test("a short pause within a swell, and what is too faint for a hit, make no piece")
  func noPieces() throws {
    let one = swell(attack: 1)
    var gap = one
    for n in Int(1.2 * 44_100)..<Int(1.4 * 44_100) {
      gap.interleaved[n] *= max(0, abs(Float(n) / 44_100 - 1.3) - 0.09) * 100
    }
    #expect(OnsetDetector(gap).soundings().count == 1)
    var faint = one
    faint.interleaved += one.interleaved.map { $0 * 0.01 }
    faint.interleaved += one.interleaved
    #expect(OnsetDetector(faint).soundings().count == 2)
    #expect(OnsetDetector(one).soundings().map { $0.lowerBound > 22_050 } == [true])
    try folder.write(try recording([(0.2, 0.5), (0.7, 0.5)], length: 1.2).file(), to: "plain.flac")
    let plain = try KitImporter.importKit(from: folder.path + "/plain.flac", to: folder.path + "/plain", levels: false)
    #expect(plain.pads.count == 2 && plain.notes.map(\.subject) == ["plain.flac"])
  }

  @Test("swells with pauses are cut where they begin, and one before the first hit is no less a piece")
  func swells() throws {
    let one = swell(attack: 1)
    var two = one
    two.interleaved += one.interleaved
    try folder.write(try two.file(), to: "two.flac")
    let report = try KitImporter.importKit(from: folder.path + "/two.flac", to: folder.path + "/two", levels: false)
    #expect(
      report.notes.contains(ImportNote("two.flac", "no hit found in it: cut where its sound begins after a pause")))
    #expect(report.pads.count + report.notes.count { $0.text.contains("is the same as") } == 2)
    var hit = one
    hit.interleaved += recording([(0.3, 0.5)], length: 1).interleaved
    try folder.write(try hit.file(), to: "hit.flac")
    let mixed = try KitImporter.importKit(from: folder.path + "/hit.flac", to: folder.path + "/mixed", levels: false)
    #expect(mixed.pads.count == 2)
    #expect(
      mixed.notes.count == 2 && mixed.notes[0].text.hasPrefix("no hit found where it begins: what sounds from 0.6"))
  }
}
