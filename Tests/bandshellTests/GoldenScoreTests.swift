import Foundation
import JamCore
import JamDevice
import JamKit
import JamRoom
@testable import JamServer
import Testing

@testable import bandshell

/// Sessions that three players jammed on the shipped kits, rendered from their scores, by the hash of what is heard: to the bit.
///
/// Whatever decides how a hit sounds may move; what was decided once must sound as it did. After a change that is meant to be heard:
/// `BANDSHELL_GOLDEN=write swift test --filter GoldenScoreTests`, then listen, then commit.
@Suite struct GoldenScoreTests {
  private static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("a recorded session sounds as it did", arguments: ["loops", "lanes", "build-up"])
  func session(name: String) throws {
    let golden = Self.top.appending(path: "Tests/Golden/scores")
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: [Self.top.appending(path: "Kits").path]))
    let file = try ScoreFile(path: golden.appending(path: "\(name).score").path)
    let room = OfflineRoom(name: file.room, kits: kitStore, firstKit: try kitStore.load("starter"), tempo: file.tempo)
    var playback = ScorePlayback(file, in: room)
    var sound: [Float] = []
    playback.play { sound.append(contentsOf: $0) }
    #expect(playback.refusals == [])
    #expect(sound.contains { abs($0) > 0.1 })
    let hash = sound.withUnsafeBytes { ContentHash($0) }
    let line = "\(sound.count / 2) frames \(hash)\n"
    let told = golden.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["BANDSHELL_GOLDEN"] == "write" {
      try Data(line.utf8).write(to: told)
    }
    #expect(try String(contentsOf: told, encoding: .utf8) == line)
  }
}
