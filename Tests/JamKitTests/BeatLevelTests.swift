import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("The level of a beat")
struct BeatLevelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A kit of the kind of a sliced break: one sound, a hit on each pad by `start` and `decay`, one
  /// choke group.
  private func writeBreak(gain: Double, choke: Int = 1) throws -> KitFolder {
    var sound = Sound.faded(220, seconds: 2)
    // Sixteen hits of an eighth second.
    for n in sound.interleaved.indices { sound.interleaved[n] *= 1 - Float(n % 6_000) / 6_000 }
    try folder.write(try sound.file(), to: "kit/break.flac")
    let categories = ["kick", "kick", "snare", "hat"]
    let pads = (0..<16).map {
      """
      { "pad": \($0 + 1), "file": "break.flac", "name": "P\($0)", "category": "\(categories[$0 % 4])", \
      "choke": \(choke), "voices": 1, "start": \($0 * 125), "decay": 120, "gain": \(gain) }
      """
    }
    try folder.write(
      #"{ "format": 1, "name": "K", "bpm": 120, "pads": [\#(pads.joined(separator: ","))] }"#, to: "kit/kit.json")
    return KitFolder(folder.path + "/kit")
  }

  @Test("a beat that is too loud is a problem, which says by how much; turned down so, it is none")
  func tooLoud() throws {
    let loud = try writeBreak(gain: 9)
    let beat = try #require(BeatLoudness(of: loud.load()))
    #expect(beat.integrated > -15)
    let problems = KitCheck.problems(of: loud)
    #expect(problems.map(\.field) == ["demo beat"])
    let told = try #require(problems.first).description
    #expect(told.contains("turn all pads down by \(tenths(-beat.correction)) dB"), "\(told)")
    #expect(KitCheck.problems(of: try writeBreak(gain: ((9 + beat.correction) * 10).rounded(.down) / 10)) == [])
  }

  @Test("a beat that is too soft is a problem, too")
  func tooSoft() throws {
    let soft = try writeBreak(gain: -24)
    let told = try #require(KitCheck.problems(of: soft).first).description
    #expect(told.contains("LUFS") && told.contains("turn all pads up by"), "\(told)")
  }

  @Test(
    "loudness and true peak have bounds, and a beat whose peaks leave no room may be softer",
    arguments: [
      (-16.9, -1.1, true), (-15.1, -6, true), (-14.9, -6, false), (-17.1, -6, false), (-16, -0.9, false),
      (-25, -1.5, true), (-25, -2.1, false), (-25, -0.9, false), (-14.9, -1.5, false),
    ])
  func bounds(integrated: Double, truePeak: Double, isRight: Bool) {
    #expect((BeatLoudness(integrated: integrated, truePeak: truePeak).problem == nil) == isRight)
  }

  @Test("of hits of one choke group on one step the last pad alone is heard, as in the engine")
  func chokes() throws {
    try folder.write(try Sound.faded(200).file(), to: "kit/kick.flac")
    try folder.write(try Sound.faded(3_000).file(), to: "kit/hat.flac")
    func loudness(choke: Int) throws -> Double {
      try folder.write(
        """
        { "format": 1, "name": "K", "pads": [
          { "pad": 1, "file": "kick.flac", "name": "Kick", "category": "kick", "choke": \(choke), "gain": 6 },
          { "pad": 2, "file": "hat.flac", "name": "Hat", "category": "hat", "choke": \(choke), "gain": -20 }] }
        """, to: "kit/kit.json")
      return try #require(BeatLoudness(of: try KitFolder(folder.path + "/kit").load())).integrated
    }
    // The hat falls on all of the kick's hits but one in two bars.
    let (together, choked) = (try loudness(choke: 0), try loudness(choke: 1))
    #expect(choked < together - 2, "\(choked) and \(together)")
  }

  @Test("a kit of loops alone has no beat to measure")
  func loops() throws {
    try folder.write(try Sound.faded(seconds: 1).file(), to: "kit/a.flac")
    try folder.write(
      #"{ "format": 1, "name": "K", "pads": [{ "pad": 1, "file": "a.flac", "name": "A", "mode": "loop", "gain": 12 }] }"#,
      to: "kit/kit.json")
    let kit = KitFolder(folder.path + "/kit")
    #expect(BeatLoudness(of: try kit.load()) == nil && KitCheck.problems(of: kit) == [])
  }
}
