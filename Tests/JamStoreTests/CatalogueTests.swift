import Foundation
import JamCore
import Testing

@testable import JamStore

/// The projects of a server, in one file.
@Suite struct CatalogueTests {
  private let folder = Folder()
  private var path: String { "\(folder.path)/projects.db" }

  /// Goes with the test.
  private final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bandshell-\(UUID().uuidString)").path
    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func facts(_ tempo: Double = 120, sounds: [String] = []) -> Catalogue.Facts {
    Catalogue.Facts(
      measures: 4, tempo: tempo, signature: "4/4", players: ["ann", "Zoë"], kits: ["starter"], sounds: sounds)
  }

  private func problem(_ body: () throws -> Void) -> Catalogue.Problem? {
    do { try body() } catch { return error as? Catalogue.Problem }
    return nil
  }

  @Test("what was put is there, also after the file was closed and opened again")
  func putting() throws {
    let awkward = "O'Brien \"x\" %_ 🎹"
    do {
      let catalogue = try Catalogue(path)
      try catalogue.put("Song", facts(), [1, 2, 3], at: 10)
      try catalogue.put(awkward, facts(96.5), [], at: 20)
    }
    let catalogue = try Catalogue(path)
    #expect(try catalogue.projects().map(\.name) == [awkward, "Song"])
    #expect(try catalogue.project(named: "SONG")?.facts == facts())
    #expect(try catalogue.content(of: "song")?.bytes == [1, 2, 3])
    #expect(try catalogue.content(of: awkward)?.bytes == [])
    #expect(try catalogue.project(named: awkward)?.facts.tempo == 96.5)
    try catalogue.put("sONG", facts(90), [4], at: 30)
    #expect(try catalogue.projects().map(\.name) == ["Song", awkward])
    #expect(try catalogue.content(of: "Song")?.bytes == [4])
  }

  @Test("names that readers take for the same are one, however they are encoded")
  func names() throws {
    let catalogue = try Catalogue(path)
    try catalogue.put("Caf\u{e9}", facts(), [1], at: 1)
    #expect(try catalogue.content(of: "cafe\u{301}")?.bytes == [1])
    #expect(try catalogue.freeName(like: "CAFÉ") == "CAFÉ 2")
    try catalogue.put("CAFÉ 2", facts(), [1], at: 1)
    #expect(try catalogue.freeName(like: "café") == "café 3")
    let long = String(repeating: "x", count: 32)
    try catalogue.put(long, facts(), [1], at: 1)
    #expect(try catalogue.freeName(like: long) == String(repeating: "x", count: 30) + " 2")
  }

  @Test("versions are numbered from one and never twice, and those that nobody has named go first")
  func versions() throws {
    let catalogue = try Catalogue(path, mostVersions: 3)
    #expect(try catalogue.save("a", facts(), [1], label: "", at: 1) == 1)
    #expect(try catalogue.save("a", facts(), [2], label: "kept", at: 2) == 2)
    #expect(try catalogue.save("a", facts(), [3], label: "", at: 3) == 3)
    #expect(try catalogue.save("a", facts(), [4], label: "", at: 4) == 4)
    #expect(try catalogue.save("a", facts(), [5], label: "", at: 5) == 5)
    #expect(try catalogue.versions(of: "A").map(\.number) == [5, 4, 2])
    #expect(try catalogue.versions(of: "a").last?.label == "kept")
    // The one that was saved just now stays, whatever the others are called.
    for number in 6...8 { #expect(try catalogue.save("b", facts(), [1], label: "n\(number)", at: 1) == number - 5) }
    #expect(try catalogue.save("b", facts(), [9], label: "", at: 1) == 4)
    #expect(try catalogue.versions(of: "b").map(\.number) == [4, 3, 2])
    #expect(try catalogue.content(of: "a", version: 2)?.bytes == [2])
    #expect(try catalogue.content(of: "a", version: 1) == nil)
    #expect(try catalogue.content(of: "a")?.bytes == [5])
    #expect(try catalogue.project(named: "a")?.versions == 3)
    #expect(problem { _ = try catalogue.versions(of: "none") } == .noSuchProject)
  }

  @Test("a project gets another name, and goes with its versions")
  func renaming() throws {
    let catalogue = try Catalogue(path)
    _ = try catalogue.save("a", facts(sounds: ["one"]), [1], label: "", at: 1)
    try catalogue.put("a", facts(sounds: ["two"]), [1], at: 1)
    try catalogue.put("b", facts(), [2], at: 2)
    #expect(problem { try catalogue.rename("a", to: "B") } == .nameTaken)
    try catalogue.rename("a", to: "A")
    #expect(try catalogue.project(named: "a")?.name == "A")
    try catalogue.rename("A", to: "c")
    #expect(try catalogue.content(of: "c", version: 1)?.bytes == [1])
    #expect(try catalogue.wantedSounds() == ["one", "two"])
    try catalogue.delete("C")
    #expect(try catalogue.wantedSounds() == [])
    #expect(try catalogue.projects().map(\.name) == ["b"])
    #expect(problem { try catalogue.delete("c") } == .noSuchProject)
    #expect(problem { try catalogue.rename("c", to: "d") } == .noSuchProject)
    // What comes by that name is another.
    #expect(try catalogue.save("c", facts(), [7], label: "", at: 1) == 1)
  }

  @Test("there are so many projects at most, and those that are there can still be kept")
  func limit() throws {
    let catalogue = try Catalogue(path, mostProjects: 2)
    for name in ["a", "b"] { try catalogue.put(name, facts(), [1], at: 1) }
    #expect(problem { try catalogue.put("c", facts(), [1], at: 1) } == .tooMany(most: 2))
    #expect(problem { _ = try catalogue.save("c", facts(), [1], label: "", at: 1) } == .tooMany(most: 2))
    try catalogue.put("a", facts(), [2], at: 2)
    #expect(try catalogue.content(of: "a")?.bytes == [2])
  }

  @Test("a file that is none of ours, or a newer version's, is refused and left as it is")
  func strangers() throws {
    let garbage = Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    try garbage.write(to: URL(fileURLWithPath: path))
    #expect(throws: DatabaseError.self) { try Catalogue(path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == garbage)
    for stump in [Data([7]), Data("hello".utf8)] {
      try stump.write(to: URL(fileURLWithPath: path))
      #expect(throws: DatabaseError.self) { try Catalogue(path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == stump)
    }
    for statement in ["PRAGMA user_version = -1", "PRAGMA application_id = 5", "PRAGMA application_id = 0"] {
      try FileManager.default.removeItem(atPath: path)
      do {
        let database = try Database(path, migrations: ["CREATE TABLE a (b)"])
        _ = try database.rows(statement)
      }
      let theirs = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(throws: DatabaseError.self) { try Catalogue(path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == theirs, "\(statement)")
    }
    try FileManager.default.removeItem(atPath: path)
    do {
      let tables = ["a", "c", "e", "g"].map { "CREATE TABLE \($0) (b)" }
      let database = try Database(path, migrations: tables)
      try database.run("INSERT INTO a VALUES (1)")
    }
    let newer = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      _ = try Catalogue(path)
      Issue.record("a newer version's file was opened")
    } catch {
      #expect(error == .newerVersion(found: 4, known: 3))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == newer)
  }

  @Test("what was written by an older version is carried over step by step, whole or not at all")
  func migration() throws {
    do {
      let old = try Database(path, migrations: ["CREATE TABLE a (b)"])
      try old.run("INSERT INTO a VALUES (?)", .integer(5))
    }
    #expect(throws: DatabaseError.self) {
      try Database(path, migrations: ["", "ALTER TABLE a ADD COLUMN c DEFAULT 7", "no such statement"])
    }
    do {
      let new = try Database(path, migrations: ["", "ALTER TABLE a ADD COLUMN c DEFAULT 7"])
      #expect(try new.rows("SELECT b, c FROM a") == [[.integer(5), .integer(7)]])
    }
    #expect(throws: DatabaseError.newerVersion(found: 2, known: 1)) { try Database(path, migrations: [""]) }
  }

  @Test("a full disk loses nothing that was there, and is told as one")
  func fullDisk() throws {
    let database = try Database(path, migrations: ["CREATE TABLE a (b)"])
    try database.run("INSERT INTO a VALUES (?)", .bytes([1]))
    let pages = try database.rows("PRAGMA page_count")[0][0].integer
    _ = try database.rows("PRAGMA max_page_count = \(pages + 2)")
    let large = [UInt8](repeating: 7, count: 1 << 20)
    #expect(throws: DatabaseError.full) {
      try database.transaction { () throws(DatabaseError) in
        try database.run("INSERT INTO a VALUES (?)", .bytes([2]))
        try database.run("INSERT INTO a VALUES (?)", .bytes(large))
      }
    }
    #expect(try database.rows("SELECT b FROM a") == [[.bytes([1])]])
    try database.run("INSERT INTO a VALUES (?)", .bytes([3]))
  }

  @Test("what is large, and what is nothing, comes back as it was")
  func contents() throws {
    let database = try Database(path, migrations: ["CREATE TABLE a (b)"])
    let large = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for value: Database.Value in [.bytes(large), .bytes([]), .text(""), .text("a\"'\u{1F3B9}"), .number(0.1), .null] {
      try database.run("DELETE FROM a")
      try database.run("INSERT INTO a VALUES (?)", value)
      #expect(try database.rows("SELECT b FROM a") == [[value]])
    }
  }

  @Test("it is as durable as the journal: a log that is undone, and every sync that there is")
  func durability() throws {
    let database = try Database(path, migrations: ["CREATE TABLE a (b)"])
    #expect(try database.rows("PRAGMA journal_mode") == [[.text("delete")]])
    // 3 is EXTRA: the folder is synced, too.
    #expect(try database.rows("PRAGMA synchronous") == [[.integer(3)]])
    #expect(try database.rows("PRAGMA foreign_keys") == [[.integer(1)]])
  }
}
