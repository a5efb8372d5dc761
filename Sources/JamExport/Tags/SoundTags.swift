internal import Glibc
internal import JamCore

/// The tags of a FLAC or an Ogg Opus file: comments as `TITLE=Harbour`.
///
/// Thread: any; blocks on the disk.
/// - Source: RFC 9639 §8.6 for FLAC; RFC 7845 §5.2 for Opus.
public struct SoundTags: Hashable, Sendable {
  public var title: String
  /// The players. They become one tag, because most programs show only the first of several.
  public var artists: [String]
  public var date: StartTime
  /// nil where the sound has no tempo.
  public var beatsPerMinute: Double?

  public init(title: String, artists: [String], date: StartTime, beatsPerMinute: Double?) {
    self.title = title
    self.artists = artists
    self.date = date
    self.beatsPerMinute = beatsPerMinute
  }

  /// The comments. A tag without a value is left out.
  var comments: [String] {
    let tags = [
      ("TITLE", PlainText.line(title)), ("ARTIST", PlainText.line(artists.joined(separator: ", "))),
      ("DATE", date.date), ("BPM", beatsPerMinute.map { Decimal.shortest($0, digits: 3) } ?? ""),
    ]
    return tags.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1)" }
  }

  /// The bytes that are read to find the tags of a file. Before its sound a file has far fewer.
  private static let headBytes = 1 << 20

  /// Moves a file to another name, with these tags in place of its own. A file that is neither FLAC
  /// nor Opus keeps its bytes.
  /// - Parameters:
  ///   - source: a complete file. It is gone afterwards, also after an error.
  ///   - path: the new name, which appears when the file is complete.
  public func move(_ source: String, to path: String) throws(ExportError) {
    defer { _ = unlink(source) }
    let descriptor = open(source, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(action: .open, path: source, code: errno) }
    defer { _ = close(descriptor) }
    var file = try PartFile(path: path)
    var piece = try SoundTags.piece(of: descriptor, at: 0, source)
    var place = piece.count
    if let (head, used) = rewritten(piece) { piece = head + piece.dropFirst(used) }
    while !piece.isEmpty {
      try file.write(piece)
      piece = try SoundTags.piece(of: descriptor, at: place, source)
      place += piece.count
    }
    try file.finish()
  }

  /// The next bytes of a file, as many as there are up to `headBytes`.
  private static func piece(
    of descriptor: Int32, at place: Int, _ path: String
  ) throws(ExportError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: headBytes) { buffer, count in
      while count < buffer.count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer.dropFirst(count))
        let read = pread(descriptor, rest.baseAddress, rest.count, off_t(place + count))
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        guard read > 0 else { break }
        count += read
      }
    }
    guard code == 0 else { throw .file(action: .read, path: path, code: code) }
    return bytes
  }

  /// The beginning of a file with these tags, and how many bytes of the old file it replaces; nil
  /// where the file has no place for tags.
  func rewritten(_ bytes: [UInt8]) -> (head: [UInt8], used: Int)? {
    bytes.starts(with: "fLaC".utf8) ? flac(bytes) : opus(bytes)
  }

  private func flac(_ bytes: [UInt8]) -> (head: [UInt8], used: Int)? {
    var place = 4
    var blocks: [(type: UInt8, body: [UInt8])] = []
    var vendor: [UInt8] = []
    var isLast = false
    while !isLast {
      guard place + 4 <= bytes.count else { return nil }
      isLast = bytes[place] & 0x80 != 0
      let type = bytes[place] & 0x7f
      let count = bytes.dropFirst(place + 1).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let body = Array(bytes.dropFirst(place + 4).prefix(count))
      guard body.count == count else { return nil }
      place += 4 + count
      if type == 4 { vendor = SoundTags.vendor(in: body) } else { blocks.append((type, body)) }
    }
    // The first block is the stream's own; comments may be anywhere behind it.
    guard blocks.first?.type == 0 else { return nil }
    blocks.insert((4, block(vendor)), at: 1)
    var head = Array("fLaC".utf8)
    for (index, (type, body)) in blocks.enumerated() {
      head.append(type | (index == blocks.count - 1 ? 0x80 : 0))
      head += [16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) }
      head += body
    }
    return (head, place)
  }

  /// Tags that fill one page are replaced by tags that fill one page, so that the pages behind keep
  /// their numbers.
  private func opus(_ bytes: [UInt8]) -> (head: [UInt8], used: Int)? {
    guard let first = SoundTags.page(in: bytes, at: 0),
      let second = SoundTags.page(in: bytes, at: first.end), second.isOnePacket
    else { return nil }
    let old = bytes.dropFirst(second.body)
    guard old.starts(with: "OpusTags".utf8) else { return nil }
    let vendor = SoundTags.vendor(in: Array(old.dropFirst(8).prefix(1_024)))
    let body = Array("OpusTags".utf8) + block(vendor)
    guard body.count < 255 * 255 else { return nil }
    var page = Array(bytes.dropFirst(first.end).prefix(22)) + [0, 0, 0, 0]
    page.append(UInt8(body.count / 255 + 1))
    page += [UInt8](repeating: 255, count: body.count / 255) + [UInt8(body.count % 255)] + body
    let sum = OggChecksum.of(page)
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
    return (Array(bytes.prefix(first.end)) + page, second.end)
  }

  /// A page of Ogg: where its body begins, where it ends, and whether it is exactly one packet.
  private static func page(
    in bytes: [UInt8], at place: Int
  ) -> (body: Int, end: Int, isOnePacket: Bool)? {
    guard place + 27 <= bytes.count, bytes.dropFirst(place).starts(with: "OggS".utf8)
    else { return nil }
    let laces = Array(bytes.dropFirst(place + 27).prefix(Int(bytes[place + 26])))
    let body = place + 27 + Int(bytes[place + 26])
    let end = body + laces.reduce(0) { $0 + Int($1) }
    guard end <= bytes.count, let last = laces.last else { return nil }
    return (body, end, last < 255 && laces.dropLast().allSatisfy { $0 == 255 })
  }

  /// The name of the encoder's library in a block of comments; empty where the block is damaged.
  private static func vendor(in block: [UInt8]) -> [UInt8] {
    let count = block.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    let name = Array(block.dropFirst(4).prefix(count))
    return name.count == count ? name : []
  }

  /// The block of comments: the encoder's name, then each comment, with their lengths in front.
  private func block(_ vendor: [UInt8]) -> [UInt8] {
    var block: [UInt8] = []
    block.appendLittle(UInt32(clamping: vendor.count))
    block += vendor
    block.appendLittle(UInt32(clamping: comments.count))
    for comment in comments {
      block.appendLittle(UInt32(clamping: comment.utf8.count))
      block += comment.utf8
    }
    return block
  }
}
