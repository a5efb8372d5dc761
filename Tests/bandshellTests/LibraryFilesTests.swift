import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import JamStore
import KitTestSupport
import Testing

@testable import bandshell

/// Blocks and kits as files, without a server.
@Suite("Library files") struct LibraryFilesTests {
  private static let kits = URL(filePath: #filePath).appending(path: "../../../Kits").standardized.path
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ data: String) throws -> LibraryFiles {
    let path = "\(folder.path)/\(data)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return LibraryFiles(
      kitStore: KitStore(
        catalogue: KitCatalogue(scanning: DataFolder.kitFolders([Self.kits], and: path)),
        sounds: DataFolder.sounds(in: path), savedKits: DataFolder.kits(in: path)))
  }

  private func block(_ samples: SampleID...) -> Block {
    var block = Block(
      name: "my beat", owner: PlayerName("ann"), length: Beats(4),
      hits: samples.enumerated().map { index, sample in
        BlockHit(
          position: Beats(index), velocity: .full,
          sound: .voicing(Voicing(pad: Pad(1)!, sample: sample, settings: PadSettings())))
      })
    block.bpm = 97.5
    return block
  }

  private func problem(_ body: () throws -> Void) -> LibraryFiles.Problem? {
    do { try body() } catch { return error as? LibraryFiles.Problem }
    return nil
  }

  @Test("a kit that was saved travels in a block's file, and a kit of another content keeps its id")
  func kits() throws {
    let here = try files("here")
    try here.bringKit(here.file(ofKit: "dub"), as: "mine")
    let bytes = try here.file(of: block(.pad(Pad(2)!, of: "mine"), .pad(Pad(3)!, of: "house")))
    let there = try files("there")
    try there.bringKit(there.file(ofKit: "chip"), as: "mine")
    let brought = try there.block(in: bytes, named: "their beat")
    #expect(brought.hits.map(\.sound.sample) == [.pad(Pad(2)!, of: "mine-2"), .pad(Pad(3)!, of: "house")])
    #expect(brought.name == "their beat" && brought.owner?.text == "ann" && brought.bpm == 97.5)
    #expect(try there.file(ofKit: "mine") == here.file(ofKit: "chip"))
    #expect(try there.file(ofKit: "mine-2") == here.file(ofKit: "dub"))
    // Once more, and it is the same one.
    let again = try there.block(in: bytes, named: "again")
    #expect(again.hits.map(\.sound.sample) == brought.hits.map(\.sound.sample))
  }

  @Test("a block that lacks something is refused by name, and leaves nothing")
  func lacks() throws {
    let hash = String(repeating: "a", count: 64)
    let files = try files("here")
    for (sample, word) in [
      (SampleID.own(hash), "own/\(hash)"), (.pad(Pad(1)!, of: "nosuch"), "nosuch"),
    ] {
      let bytes = try BlockFile(block: Array(block(sample).json.utf8), sounds: [:], kits: [:]).encoded()
      let found = problem { _ = try files.block(in: bytes, named: "x") }
      guard case .unusable(let text)? = found else {
        Issue.record("\(String(describing: found))")
        continue
      }
      #expect(text.contains("lacks") && text.contains(word))
    }
    let wrong = BlockFile(block: Array(block(.own(hash)).json.utf8), sounds: [hash: [1, 2, 3]], kits: [:])
    let bytes = try wrong.encoded()
    #expect(problem { _ = try files.block(in: bytes, named: "x") } != nil)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/here/sounds/\(hash).flac"))
  }

  @Test("a kit's file may lie in one folder and hold other things, which are left out")
  func loose() throws {
    let files = try files("here")
    let plain = try KitFile.files(in: files.file(ofKit: "starter"), named: "f")
    var loose: [String: [UInt8]] = ["my kit/read me.txt": [1], "other/x": [2]]
    for (name, bytes) in plain { loose["my kit/\(name)"] = bytes }
    try files.bringKit(KitFile.encoded(loose), as: "loose")
    #expect(try KitFile.files(in: files.file(ofKit: "loose"), named: "f") == plain)
  }

  @Test("a disk that takes nothing is no fault of the file: there is no space for it")
  func full() throws {
    let (here, there) = (try files("here"), try files("there"))
    let kit = try there.file(ofKit: "dub")
    try there.bringKit(kit, as: "mine")
    let bytes = try there.file(of: block(.pad(Pad(2)!, of: "mine")))
    // Nothing can be written below what is no folder.
    try Data().write(to: URL(filePath: DataFolder.kits(in: "\(folder.path)/here")))
    let found = [
      problem { try here.bringKit(kit, as: "mine") }, problem { _ = try here.block(in: bytes, named: "x") },
    ]
    for problem in found {
      guard case .noSpace(let text)? = problem else {
        Issue.record("\(String(describing: problem))")
        continue
      }
      #expect(text.contains("mine") && !text.contains(folder.path))
    }
  }

  @Test("a kit is taken once: another one of its id is refused, and the first stays")
  func taken() throws {
    let files = try files("here")
    let (dub, chip) = (try files.file(ofKit: "dub"), try files.file(ofKit: "chip"))
    try files.bringKit(dub, as: "mine")
    try files.bringKit(dub, as: "mine")
    for id in ["mine", "house"] {
      let found = problem { try files.bringKit(chip, as: id) }
      guard case .taken? = found else {
        Issue.record("\(id): \(String(describing: found))")
        continue
      }
    }
    #expect(try files.file(ofKit: "mine") == dub)
    #expect(problem { _ = try files.file(ofKit: "nosuch") } == .notThere("there is no kit nosuch: /kits lists them"))
  }
}

extension BlockSound {
  fileprivate var sample: SampleID? { if case .voicing(let voicing) = self { voicing.sample } else { nil } }
}
