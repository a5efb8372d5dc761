import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import JamWire
import Testing

@testable import bandshell

/// Where a rendering begins and ends: with the sound.
@Suite struct RenderEndTests {
  private static let kits = KitStore(
    catalogue: KitCatalogue(
      scanning: [
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
          .path
          + "/Kits"
      ]))

  /// A held pad that is let go of in full sound, and nothing behind it but what `more` says.
  private static func score(_ more: ScoreBundle...) -> [ScoreBundle] {
    [
      ScoreBundle(
        frame: .zero,
        messages: [
          OSCMessage("/player/ann/pad/12/mode", .string("gate")), OSCMessage("/player/ann/pad/12", .float(1)),
        ]),
      ScoreBundle(frame: Frames(9_001), messages: [OSCMessage("/player/ann/pad/12", .float(0))]),
    ] + more
  }

  private func play(_ bundles: [ScoreBundle]) throws -> [Float] {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/test.score"
    try Data(bundles.flatMap { ScoreWriter.encode($0) }).write(to: URL(filePath: path))
    let file = try ScoreFile(path: path)
    var playback = ScorePlayback(
      file, in: OfflineRoom(name: file.room, kits: Self.kits, firstKit: try Self.kits.load("starter")))
    var samples: [Float] = []
    playback.play { samples += $0 }
    #expect(playback.refusals == [])
    return samples
  }

  private func playLive(_ text: String) throws -> [Float] {
    let script = try LiveScript(text: text, path: "test")
    var playback = LivePlayback(
      script,
      in: OfflineRoom(name: script.room, kits: Self.kits, firstKit: try Self.kits.load("starter"), isLive: true))
    var samples: [Float] = []
    playback.play { samples += $0 }
    #expect(playback.refusals == [])
    return samples
  }

  /// Nothing is missing of what a longer rendering has, and what that has behind it is silence.
  private func expectWhole(_ short: [Float], of long: [Float]) {
    #expect(short.count < long.count)
    #expect(long.starts(with: short))
    #expect(short.dropLast(2 * 240).contains { abs($0) > 0.05 })
    #expect(long.dropFirst(short.count).allSatisfy { abs($0) < 0x1p-24 })
  }

  @Test("a held pad that is released last rings out in a score")
  func score() throws {
    // Something that makes no sound, two seconds later.
    let later = ScoreBundle(frame: .seconds(2), messages: [OSCMessage("/player/ann/gain", .float(0))])
    expectWhole(try play(Self.score()), of: try play(Self.score(later)))
  }

  @Test("a held pad that is released last rings out in a script, and so does the room's filter", arguments: [0, 0.9])
  func live(modulation: Double) throws {
    let script = """
      0        /modulation \(modulation)
      0        /player/ann/pad/12/mode gate
      0        /player/ann/pad/12 1
      0.1875   /player/ann/pad/12 0
      """
    expectWhole(try playLive(script), of: try playLive(script + "\n2 end"))
  }

  @Test("an echo that comes long behind its sound is part of the rendering, in a script and in a score")
  func echo() throws {
    let script = """
      0   /player/ann/send/delay 1
      0   /room/fx/delay/beats 4
      0   /room/fx/delay/feedback 0
      0   /player/ann/pad/9 1
      """
    let live = try playLive(script)
    // Two seconds behind the hit.
    #expect(live.dropFirst(2 * 95_000).prefix(2 * 5_000).contains { abs($0) > 0.01 })
    expectWhole(live, of: try playLive(script + "\n9 end"))
    let score = try play([
      ScoreBundle(
        frame: .zero,
        messages: [
          OSCMessage("/player/ann/send/delay", .float(1)), OSCMessage("/room/fx/delay/beats", .float(4)),
          OSCMessage("/room/fx/delay/feedback", .float(0)), OSCMessage("/player/ann/pad/9", .float(1)),
        ])
    ])
    #expect(score.dropFirst(2 * 95_000).prefix(2 * 5_000).contains { abs($0) > 0.01 })
  }

  @Test("a score that begins with the master's level begins with it")
  func masterGain() throws {
    let master = ScoreBundle(frame: .zero, messages: [OSCMessage("/master/gain", .float(-12))])
    let plain = try play(Self.score())
    let quiet = try play([master] + Self.score())
    let gain = Decibels.gain(-12)
    // Before the limiter has anything to do in either.
    #expect(zip(quiet, plain).prefix(2 * 240).allSatisfy { abs($0 - $1 * gain) < 1e-6 })
    #expect(plain.prefix(2 * 240).contains { abs($0) > 0.001 })
  }
}
