import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import JamStore
import Testing

@testable import bandshell

/// Rooms in the data folder.
@Suite struct RoomStoreTests {
  @Test("rooms that were closed longest ago are forgotten where there are too many, and open ones never")
  func pruning() throws {
    let temporary = try TemporaryFolder()
    func keep(_ room: String, isClosed: Bool, age: Double) throws {
      let path = "\(temporary.path)/rooms/\(BlockFolder.name(of: room))"
      try Journal.open(FolderDisk(path), room: room).journal.begin([KeptItem("closed", [.flag(isClosed)])])
      let day = Date(timeIntervalSinceNow: -age * 86_400)
      try FileManager.default.setAttributes([.modificationDate: day], ofItemAtPath: "\(path)/1.journal")
    }
    try keep("old", isClosed: true, age: 9)
    try keep("older-and-open", isClosed: false, age: 10)
    try keep("new", isClosed: true, age: 1)
    let store = RoomStore(
      in: temporary.path, kitStore: KitStore(catalogue: KitCatalogue(scanning: [])), log: NoLog())
    #expect(store.openRooms.map(\.text) == ["older-and-open"])
    store.prune(keeping: 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(temporary.path)/rooms").count == 3)
    store.prune(keeping: 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(temporary.path)/rooms").sorted()
    #expect(left == ["new", "older-and-open"].map { BlockFolder.name(of: $0) }.sorted())
  }
}
