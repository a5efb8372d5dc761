import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import JamStore
import Testing

@testable import bandshell

/// Projects that earlier programs wrote, the first of them the first program with projects: every
/// later program opens them.
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
    #expect(try projects.bringNow(golden, named: "Golden").name == "Golden")
    #expect(try projects.file(of: "golden", version: nil).bytes == golden)
    let item = try #require(try projects.listed().first)
    #expect(item.players == ["ann", "bob"] && item.bpm == 133 && item.signature == "7/8" && item.measures == 4)
    let file = try ProjectFile(golden, named: "golden")
    #expect(file.sounds.count == 1)
    #expect(file.items.map(\.name) == ["project", "clock", "part/0", "part/0/music", "part/1", "part/1/music"])
  }

  @Test("the kits and sounds that its music does not name are left out, and the rest is the same project")
  func unneeded() throws {
    let projects = try projects()
    var file = try ProjectFile(try golden(), named: "golden")
    let own = try #require(file.sounds.first)
    // Neither is a sound or a kit: nobody reads them.
    file.sounds[String(repeating: "a", count: 64)] = [1, 2, 3]
    file.kits["none"] = ["kit.json": [1], "a.flac": [2]]
    file.kits["none-2"] = ["kit.json": [1]]
    let brought = try projects.bringNow(try file.encoded(), named: "Golden")
    #expect(brought.unneededKits == 2 && brought.unneededSounds == 1)
    #expect(try projects.file(of: "Golden", version: nil).bytes == golden())
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/sounds")
    #expect(names == ["\(own.key).flac"])
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/kits"))
  }

  @Test("a file whose sound is not what its name says leaves nothing")
  func leftovers() throws {
    let projects = try projects()
    var file = try ProjectFile(try golden(), named: "golden")
    let own = try #require(file.sounds.first)
    file.sounds[own.key] = [1, 2, 3]
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bringNow(try file.encoded(), named: "bad") }
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/sounds"))
    #expect(try projects.listed().isEmpty)
  }

  @Test("a file without its sound, or of a name that is taken, keeps nothing")
  func refusals() throws {
    let projects = try projects()
    var file = try ProjectFile(try golden(), named: "golden")
    file.sounds = [:]
    let bare = try file.encoded()
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bringNow(bare, named: "bare") }
    #expect(try projects.listed().isEmpty)
    _ = try projects.bringNow(try golden(), named: "Golden")
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bringNow(try golden(), named: "GOLDEN") }
    #expect(throws: ServerProjects.FileProblem.self) { try projects.bringNow(try golden(), named: "a/b") }
    #expect(try projects.listed().map(\.name) == ["Golden"])
  }

  @Test(
    """
    a project of the first version, with keys and effects, or with scenes and own sounds, is the music that it was \
    when it is opened: what is kept, read, told and heard of it, of its loops as a file, and of all of it undone and \
    done again
    """, arguments: ["1", "keys", "scenes"])
  func opened(name: String) throws {
    let file = try ProjectFile(
      [UInt8](try Data(contentsOf: GoldenText.folder.appending(path: "projects/\(name).bandshell.zip"))), named: name)
    // It brings its sounds along.
    let sounds = SoundFolder(folder.path + "/own")
    for (hash, bytes) in file.sounds { try sounds.keep(bytes, as: try #require(ContentHash(hash))) }
    let kitStore = GoldenText.kitStore(sounds: sounds)
    let project = KeptProject(file.items, from: kitStore)
    #expect(project.problems == [] && project.isReadable)
    let room = try GoldenRoom(project, kits: kitStore)
    room.noteMusic()
    room.noteRead()
    room.noteHeard("opened")
    room.go(5)
    room.noteHeard("went on")
    room.playEverything()
    room.noteHeard("played")
    room.undoAll()
    room.noteMusic()
    room.go(2)
    room.noteHeard("undone")
    room.redoAll()
    room.noteMusic()
    room.noteKept()
    room.go(2)
    room.noteHeard("done again")
    try GoldenText.check(room.lines + [try loops(of: file, kitStore)], "projects/\(name).txt")
  }

  /// What an export of the project's loops is, once round.
  private func loops(of file: ProjectFile, _ kitStore: KitStore) throws -> String {
    let path = folder.path + "/music"
    try Data(MusicBytes.encoded(file.items)).write(to: URL(filePath: path))
    let replay = try ProjectReplay(path, bars: nil, kitStore: kitStore, firstKit: try kitStore.load("starter"))
    var sound: [Float] = []
    let played = try replay.play(
      title: "golden", stems: nil, isCancelled: { false }, rendered: { _ in }
    ) { sound += $0 }
    return "loops: \(played.bars.count) bars, \(played.hits) hits, \(sound.count / 2) frames \(GoldenText.hash(sound))"
  }

  @Test(
    "a project with keys, scenes or own sounds is the same file when it is taken along again",
    arguments: ["keys", "scenes"])
  func sameFile(name: String) throws {
    let projects = try projects()
    let golden = [UInt8](try Data(contentsOf: GoldenText.folder.appending(path: "projects/\(name).bandshell.zip")))
    // The file says its name, as people wrote it.
    let shown = name.prefix(1).uppercased() + name.dropFirst()
    #expect(try projects.bringNow(golden, named: shown).name == shown)
    #expect(try projects.file(of: shown, version: nil).bytes == golden)
  }
}
