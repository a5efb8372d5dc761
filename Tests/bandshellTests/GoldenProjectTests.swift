import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import JamStore
import Testing

@testable import bandshell

/// A project that the first program with projects wrote: every later one opens it.
@Suite struct GoldenProjectTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func projects() throws -> ServerProjects {
    let path = folder.path
    let kits = KitStore(
      catalogue: KitCatalogue(scanning: [Self.root.deletingLastPathComponent().path + "/Kits"]),
      sounds: DataFolder.sounds(in: path), savedKits: DataFolder.kits(in: path))
    return ServerProjects(try Catalogue(DataFolder.catalogue(in: path)), kitStore: kits, log: NoLog())
  }

  private func golden() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Self.root.appending(path: "Golden/projects/1.bandshell.zip")))
  }

  @Test("a project of the first version is the music that it was, and the same file when it is taken along again")
  func first() throws {
    let projects = try projects()
    let golden = try golden()
    #expect(try projects.bring(golden, named: "Golden") == "Golden")
    #expect(try projects.file(of: "golden", version: nil).bytes == golden)
    let item = try #require(try projects.listed().first)
    #expect(item.players == ["ann", "bob"] && item.bpm == 133 && item.signature == "7/8" && item.measures == 4)
    let file = try ProjectFile(golden, named: "golden")
    #expect(file.sounds.count == 1)
    #expect(file.items.map(\.name) == ["project", "clock", "part/0", "part/0/music", "part/1", "part/1/music"])
  }

  @Test("a file without its sound, or of a name that is taken, keeps nothing")
  func refusals() throws {
    let projects = try projects()
    var file = try ProjectFile(try golden(), named: "golden")
    file.sounds = [:]
    let bare = try file.encoded()
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bring(bare, named: "bare") }
    #expect(try projects.listed().isEmpty)
    _ = try projects.bring(try golden(), named: "Golden")
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bring(try golden(), named: "GOLDEN") }
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bring(try golden(), named: "a/b") }
    #expect(try projects.listed().map(\.name) == ["Golden"])
  }
}
