import Foundation
import JamCore
import Testing

@testable import JamStore

/// The same on a real file system.
@Suite struct FolderTests {
  private func folder<R>(_ body: (String) throws -> R) throws -> R {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bandshell-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  @Test("a journal is written into folders that are not there yet, and read again")
  func journal() throws {
    try folder { path in
      let disk = FolderDisk("\(path)/rooms/main")
      let (journal, nothing) = try Journal.open(disk, room: "main")
      #expect(nothing.items.isEmpty && nothing.room == nil)
      #expect(!FileManager.default.fileExists(atPath: path))
      try journal.begin([KeptItem("a", [.integer(1)])])
      try journal.append(KeptChange(items: [KeptItem("b", [.text("two")])]))
      try journal.makeLast()
      let found = try Journal.open(disk, room: "main").found
      #expect(found.items == ["a": [.integer(1)], "b": [.text("two")]])
      let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/rooms/main/1.journal")[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test("a folder has one owner at a time")
  func lock() throws {
    try folder { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      var first: FolderLock? = try FolderLock(path)
      #expect(throws: FolderLock.Problem.taken(process: getpid())) { try FolderLock(path) }
      withExtendedLifetime(first) {}
      first = nil
      _ = try FolderLock(path)
    }
  }

  @Test("the writer's thread writes what was posted last of each room")
  func writer() throws {
    try folder { path in
      let writer = JournalWriter<KeptState>(change: KeptState.change) { _, _ in }
      for room in ["a", "b"] {
        writer.open(try Journal.open(FolderDisk("\(path)/\(room)"), room: room).journal, of: room)
      }
      writer.start()
      var (dice, state) = (Dice(seed: 5), KeptState())
      for _ in 0..<200 {
        state.change(&dice)
        writer.post(state, of: "a")
        writer.post(state, of: "b")
      }
      writer.flush(atMostMilliseconds: 60_000)
      for room in ["a", "b"] {
        #expect(try Journal.open(FolderDisk("\(path)/\(room)"), room: room).found.items == state.items)
      }
      #expect(writer.figures.bytes > 0 && writer.figures.failing.isEmpty)
      writer.close()
    }
  }
}
