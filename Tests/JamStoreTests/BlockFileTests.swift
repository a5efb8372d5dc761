import Testing

@testable import JamStore

/// A block in one file.
@Suite("Block files") struct BlockFileTests {
  private let file = BlockFile(
    block: Array("{}".utf8), sounds: ["a": [1, 2], "b": [3]], kits: ["my-kit": ["kit.json": [4], "x/y.flac": [5]]])

  private func problem(_ entries: [(String, [UInt8])]) throws -> BlockFile.Problem? {
    var zip = ZipWriter()
    for (name, bytes) in entries { try zip.add(name, bytes) }
    do throws(BlockFile.Problem) {
      _ = try BlockFile(zip.finish(), named: "f")
      return nil
    } catch {
      return error
    }
  }

  @Test("what was packed is there again, and the same block is the same bytes")
  func roundTrip() throws {
    let bytes = try file.encoded()
    #expect(try BlockFile(bytes, named: "f") == file)
    #expect(try BlockFile(bytes, named: "g").encoded() == bytes)
  }

  @Test("no byte of it may be missing")
  func cut() throws {
    let bytes = try file.encoded()
    for count in bytes.indices {
      #expect(throws: BlockFile.Problem.self) { try BlockFile(Array(bytes[..<count]), named: "f") }
    }
  }

  @Test("what has no place in it is refused by name")
  func strangers() throws {
    #expect(try problem([]) == .noBlock)
    #expect(try problem([("sounds/a.flac", [])]) == .noBlock)
    for name in ["music.journal", "sounds/a.wav", "sounds/a/b.flac", "kits/x", "notes.txt"] {
      #expect(try problem([("block.json", [1]), (name, [])]) == .unknown(name))
    }
  }

  @Test("a kit's file holds its files as they are")
  func kit() throws {
    let files: [String: [UInt8]] = ["kit.json": [1], "a.flac": [2, 3], "deep/b.flac": []]
    let bytes = try KitFile.encoded(files)
    #expect(try KitFile.files(in: bytes, named: "f") == files && KitFile.isOne(bytes))
    #expect(try KitFile.encoded(KitFile.files(in: bytes, named: "f")) == bytes)
    #expect(!KitFile.isOne([0x1f, 0x8b]) && !KitFile.isOne([]))
    #expect(throws: ZipError.self) { try KitFile.files(in: Array(bytes.dropLast()), named: "f") }
  }
}
