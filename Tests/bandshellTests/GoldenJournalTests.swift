import Foundation
import JamCore
import JamKit
import JamRoom
import JamStore
import Testing

@testable import bandshell

/// A journal that the first program with journals wrote: every later one reads it.
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
}
