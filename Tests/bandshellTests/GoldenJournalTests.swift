import Foundation
import JamCore
import JamKit
import JamRoom
import JamStore
import Testing

@testable import bandshell

/// Journals that earlier programs wrote, the first of them the first program with journals: every
/// later program reads them.
@Suite struct GoldenJournalTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  @Test("a journal of the first version is the room that it was")
  func first() throws {
    let found = try Journal.open(FolderDisk(Self.root.path + "/Golden/journals"), room: "").found
    #expect(found.damagedBytes == 0 && found.room == "main")
    #expect(!KeptRoom.isClosed(found.items))
    let kits = KitStore(catalogue: KitCatalogue(scanning: [Self.root.deletingLastPathComponent().path + "/Kits"]))
    let kept = KeptRoom(found.items, from: kits)
    #expect(kept.problems == [])
    #expect(kept.tempo?.beatsPerMinute == 133)
    #expect(kept.playerNames == ["ann", "bob"])
    #expect(kept.layerCount == 1 && kept.editCount > 10)
  }

  @Test(
    """
    a journal of the first version, with keys and effects, or with scenes, own sounds and a kit that is away, is the \
    room that it was: what is kept, read, told and heard of it, and of all of it undone and done again
    """, arguments: [("1", [String]()), ("keys", []), ("scenes", ["mine"])])
  func comesBack(name: String, away: [String]) throws {
    let folder = GoldenText.folder.appending(path: name == "1" ? "journals" : "journals/\(name)").path
    let found = try Journal.open(FolderDisk(folder), room: "").found
    #expect(found.damagedBytes == 0 && found.room == "main")
    let kitStore = GoldenText.kitStore()
    let kept = KeptRoom(found.items, from: kitStore)
    #expect(kept.problems.count == away.count, "\(kept.problems)")
    #expect(zip(kept.problems, away).allSatisfy { $0.contains($1) }, "\(kept.problems)")
    let room = try GoldenRoom(kept, kits: kitStore)
    room.noteKept()
    room.noteHeard("came back")
    room.welcomeAll()
    room.noteRead()
    room.go(5)
    room.noteHeard("went on")
    room.playEverything()
    room.noteHeard("played")
    room.undoAll()
    room.noteKept()
    room.noteRead()
    room.go(2)
    room.noteHeard("undone")
    room.redoAll()
    room.noteKept()
    room.noteRead()
    room.go(2)
    room.noteHeard("done again")
    room.undoRoom()
    room.noteKept()
    room.noteHeard("the room's undone")
    room.redoRoom()
    room.noteKept()
    room.go(2)
    room.noteHeard("the room's done again")
    try GoldenText.check(room.lines, "journals/\(name).txt")
  }
}
