import Foundation
import JamCore
import JamDevice
import JamKit
import JamRoom
@testable import JamServer
import Testing

@testable import bandshell

/// Sessions that some players jammed on the shipped kits, with keys, scenes and a sound of their
/// own, rendered from their scores, by the hash of what is heard: to the bit.
///
/// Whatever decides how a hit sounds may move; what was decided once must sound as it did. After a
/// change that is meant to be heard: `BANDSHELL_GOLDEN=write swift test --filter GoldenScoreTests`,
/// then listen, then commit.
@Suite struct GoldenScoreTests {
  @Test("a recorded session sounds as it did", arguments: ["loops", "lanes", "build-up", "keys", "scenes"])
  func session(name: String) throws {
    let golden = GoldenText.folder.appending(path: "scores")
    let kitStore = GoldenText.kitStore()
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

  @Test(
    "a stretch of a recorded session has its bars, players and notes, and sounds as it did in a room as a take",
    arguments: ["keys", "scenes"])
  func take(name: String) throws {
    let kitStore = GoldenText.kitStore()
    let replay = TakeReplay(
      score: GoldenText.folder.appending(path: "scores/\(name).score").path, first: 24_000, length: 336_000,
      kitStore: kitStore, firstKit: try kitStore.load("starter"))
    var sound: [Float] = []
    let played = try replay.play(title: name) { sound += $0 }
    // They come player by player, in an order of players that differs from run to run.
    let ordered = played.notes.sorted {
      ($0.beat, $0.player.text, $0.pad.number) < ($1.beat, $1.player.text, $1.pad.number)
    }
    let notes = ordered.map { note in
      let (velocity, length) = (note.velocity.value.bitPattern, note.length?.microBeats ?? 0)
      return "\(note.player) \(note.pad.number) \(note.beat.microBeats) \(velocity) \(length)"
    }
    let room = try GoldenRoom(kits: kitStore)
    try room.play(TakeNotes(take: name, notes: ordered), with: played.players)
    try GoldenText.check(
      [
        "bars \(played.bars), tempo \(played.tempo)", "players \(played.players.map(\.text).joined(separator: " "))",
        "\(played.hits) hits, \(notes.count) notes \(GoldenText.hash(Array(notes.joined(separator: "\n").utf8)))",
        "\(sound.count / 2) frames \(GoldenText.hash(sound))",
      ] + room.lines, "scores/\(name).take.txt")
  }
}
