import JamCore
import KitTestSupport
import Testing

@testable import JamImport
@testable import JamKit

@Suite("The level of imports")
struct ImportLevelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func importKit(
    _ factor: Float, levels: Bool, to name: String = "kit"
  ) throws -> (report: KitImporter.Report, kit: KitFolder) {
    for (name, hertz) in [("kick", 80.0), ("snare", 300), ("hat", 3_000)] {
      var sound = Sound.faded(hertz, seconds: 0.4)
      for n in sound.interleaved.indices { sound.interleaved[n] *= factor }
      try folder.write(try sound.file(SoundFormat(code: 0x01_0006)), to: "in/\(name).wav")
    }
    let place = folder.path + "/\(name)-\(levels)"
    return (try KitImporter.importKit(from: folder.path + "/in", to: place, levels: levels), KitFolder(place))
  }

  @Test(
    "an import brings the beat to the loudness of all kits, by one gain for all pads", arguments: [2.5, 0.1] as [Float])
  func levelled(factor: Float) throws {
    let plain = try importKit(factor, levels: false)
    #expect(KitCheck.problems(of: plain.kit).map(\.field) == ["demo beat"])
    let levelled = try importKit(factor, levels: true)
    #expect(KitCheck.problems(of: levelled.kit) == [])
    let gains = { (report: KitImporter.Report) in report.pads.map { Double($0.description.settings.gain) } }
    let changes = zip(gains(levelled.report), gains(plain.report)).map { ($0 - $1) * 10 }.map { $0.rounded() }
    #expect(Set(changes).count == 1 && (changes[0] < 0) == (factor > 1), "\(changes)")
    let note = try #require(levelled.report.notes.last?.description)
    #expect(note.contains("turned \(factor > 1 ? "down" : "up") by \(tenths(abs(changes[0]) / 10)) dB"), "\(note)")
    // The report shows what was written.
    let beat = try #require(BeatLoudness(of: try levelled.kit.load()))
    #expect(abs(beat.integrated - BeatLoudness.target) <= BeatLoudness.tolerance || beat.truePeak > -2, "\(beat)")
  }

  @Test("a beat that is right is left as it is")
  func right() throws {
    let first = try importKit(2.5, levels: true)
    let gain = try #require(first.report.pads.first).description.settings.gain
    let right = try importKit(2.5 * Decibels.gain(gain), levels: true, to: "right")
    #expect(first.report.notes.contains { $0.text.contains("LUFS") })
    #expect(!right.report.notes.contains { $0.text.contains("LUFS") }, "\(right.report.notes)")
  }
}
