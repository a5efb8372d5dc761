internal import JamCore
@testable internal import JamExport
internal import Testing

@Suite("Tags of sound files") struct SoundTagsTests {
  private let tags = SoundTags(
    title: "Harbour\nat night", artists: ["ann", "Jörg"], date: StartTime(unixSeconds: 86_400 * 31),
    beatsPerMinute: 97.3)
  private let told = ["TITLE=Harbour at night", "ARTIST=ann, Jörg", "DATE=1970-02-01", "BPM=97.3"]
  private let sound = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  /// The encoder's name and the comments, read without the writer's code.
  private func read(_ block: some Collection<UInt8>) -> [String] {
    var rest = Array(block)
    func number() -> Int {
      defer { rest.removeFirst(4) }
      return Int(rest[0]) | Int(rest[1]) << 8 | Int(rest[2]) << 16 | Int(rest[3]) << 24
    }
    func text() -> String {
      let count = number()
      defer { rest.removeFirst(count) }
      return String(decoding: rest.prefix(count), as: UTF8.self)
    }
    let vendor = text()
    let count = number()
    let texts = [vendor] + (0..<count).map { _ in text() }
    #expect(rest.isEmpty)
    return texts
  }

  private func page(_ number: UInt8, _ packet: [UInt8]) -> [UInt8] {
    var page = Array("OggS".utf8) + [0, 0] + [UInt8](repeating: 0, count: 8) + [1, 2, 3, 4, number, 0, 0, 0]
    page += [0, 0, 0, 0, UInt8(packet.count / 255 + 1)]
    page += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)] + packet
    let sum = OggChecksum.of(page)
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
    return page
  }

  @Test("a FLAC file gets them in front of its other blocks, and keeps its sound and its encoder's name")
  func flac() throws {
    let stream = [UInt8](1...34)
    let head = Array("fLaC".utf8) + [0, 0, 0, 34] + stream
    let comments: [UInt8] = [3, 0, 0, 0] + Array("lib".utf8) + [0, 0, 0, 0]
    let table: [UInt8] = [3, 0, 0, 5, 9, 8, 7, 6, 5]
    let folder = Folder()
    folder.write("a.untagged", head + table + [0x84, 0, 0, 11] + comments + sound)
    try tags.move("\(folder.path)/a.untagged", to: "\(folder.path)/a.flac")
    #expect(folder.names == ["a.flac"])
    let bytes = folder.bytes("a.flac")
    #expect(bytes.starts(with: head))
    let block = bytes.dropFirst(head.count)
    #expect(block.first == 4)
    let count = Int(block[head.count + 2]) << 8 | Int(block[head.count + 3])
    #expect(read(block.dropFirst(4).prefix(count)) == ["lib"] + told)
    // The other block is the last one now.
    #expect(block.dropFirst(4 + count).elementsEqual([0x83, 0, 0, 5, 9, 8, 7, 6, 5] + sound))
  }

  @Test("an Opus file gets them in its second page, and all other pages stay as they are")
  func opus() throws {
    let first = page(0, Array("OpusHead".utf8) + [1, 2])
    let old = Array("OpusTags".utf8) + [3, 0, 0, 0] + Array("lib".utf8) + [UInt8](repeating: 0, count: 600)
    let folder = Folder()
    folder.write("a.untagged", first + page(1, old) + sound)
    try tags.move("\(folder.path)/a.untagged", to: "\(folder.path)/a.opus")
    #expect(folder.names == ["a.opus"])
    let bytes = folder.bytes("a.opus")
    let packet = Array(bytes.dropFirst(first.count + 28).prefix(Int(bytes[first.count + 27])))
    #expect(packet.starts(with: "OpusTags".utf8))
    #expect(read(packet.dropFirst(8)) == ["lib"] + told)
    #expect(bytes == first + page(1, packet) + sound)
  }

  @Test("long tags have several laces, and a page that fits no other stays")
  func longTags() throws {
    var long = tags
    long.artists = [String(repeating: "a", count: 2_000)]
    let first = page(0, Array("OpusHead".utf8) + [1, 2])
    let old = page(1, Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8))
    let (head, used) = try #require(long.rewritten(first + old))
    #expect(used == first.count + old.count)
    let laces = Int(head[first.count + 26])
    let packet = Array(head.dropFirst(first.count + 27 + laces))
    #expect(packet.count / 255 + 1 == laces && head == first + page(1, packet))
    #expect(read(packet.dropFirst(8))[2] == "ARTIST=\(String(repeating: "a", count: 2_000))")
    long.artists = [String(repeating: "a", count: 70_000)]
    #expect(long.rewritten(first + old) == nil)
  }

  @Test("a whole tempo has no digits behind the point, and what is not known has no tag")
  func someTags() {
    let tags = SoundTags(title: "", artists: [], date: StartTime(), beatsPerMinute: 120)
    #expect(tags.comments == ["DATE=1970-01-01", "BPM=120"])
    var silent = tags
    silent.beatsPerMinute = nil
    #expect(silent.comments == ["DATE=1970-01-01"])
  }

  @Test("a file that is neither, or damaged, keeps its bytes")
  func others() throws {
    let folder = Folder()
    for bytes in [[], Array("RIFF".utf8), Array("fLaC".utf8) + [0, 0, 0, 34, 1], Array("OggS".utf8)] {
      #expect(tags.rewritten(bytes) == nil)
      folder.write("a", bytes)
      try tags.move("\(folder.path)/a", to: "\(folder.path)/b")
      #expect(folder.names == ["b"] && folder.bytes("b") == bytes)
    }
    #expect(throws: ExportError.self) { try tags.move("\(folder.path)/none", to: "\(folder.path)/c") }
    #expect(folder.names == ["b"])
  }
}
