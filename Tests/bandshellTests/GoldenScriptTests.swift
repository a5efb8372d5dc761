import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import Testing

@testable import bandshell

/// Scripts that a room plays as it would play them live, by the hash of what is heard, to the bit,
/// and of the log.
///
/// After a change that is meant to be heard:
/// `BANDSHELL_GOLDEN=write swift test --filter GoldenScriptTests`, then listen, then commit.
@Suite struct GoldenScriptTests {
  @Test(
    "a live room plays clocks, keys, effects, pads, loops, lanes, scenes, build-ups and undo as it did",
    arguments: ["clock", "effects", "keys", "loops", "pads"])
  func script(name: String) throws {
    let kitStore = GoldenText.kitStore()
    let script = try LiveScript.read(GoldenText.folder.appending(path: "scripts/\(name).script").path)
    let room = OfflineRoom(
      name: script.room, kits: kitStore, firstKit: try kitStore.load("starter"), tempo: script.tempo, isLive: true)
    var playback = LivePlayback(script, in: room)
    var sound: [Float] = []
    playback.play { sound.append(contentsOf: $0) }
    #expect(playback.refusals == [])
    #expect(sound.contains { abs($0) > 0.1 })
    let log = room.log.flatMap { ScoreBytes.of($0) }
    try GoldenText.check(
      [
        "\(sound.count / 2) frames \(sound.withUnsafeBytes { ContentHash($0) })",
        "log of \(room.log.count) lines \(GoldenText.hash(log))",
      ], "scripts/\(name).txt")
  }

  @Test(
    """
    what is told, logged, read and kept of a room while a script is played is what it was, and so are the room \
    that comes back from its journal, and all of it undone and done again
    """, arguments: ["clock", "effects", "keys", "loops", "pads"])
  func seen(name: String) throws {
    let kitStore = GoldenText.kitStore()
    let script = try LiveScript.read(GoldenText.folder.appending(path: "scripts/\(name).script").path)
    let room = try GoldenRoom(kits: kitStore, tempo: script.tempo)
    try room.play(script)
    room.noteKept()
    room.noteMusic()
    room.noteRead()
    let kept = room.kept(kitStore)
    #expect(kept.problems == [])
    let again = try GoldenRoom(kept, kits: kitStore)
    again.noteKept()
    again.welcomeAll()
    again.go(3)
    again.noteHeard("went on")
    again.undoAll()
    again.noteKept()
    again.noteHeard("undone")
    again.redoAll()
    again.noteKept()
    again.go(1)
    again.noteHeard("done again")
    try GoldenText.check(room.lines + ["come back:"] + again.lines, "scripts/\(name).seen.txt")
  }
}
