/// The bytes of a sound file, in a form of which libsndfile reads the whole sound.
///
/// What other programs read and libsndfile loses is put right first: a tag in front, several links
/// of an Ogg file, FLAC inside Ogg, several pieces of sound, a length that was never written or is
/// left open, and padding that is missing. Any other file stays as it is, and is not copied. Thread: any.
package struct SoundFile {
  /// Files whose sounds follow one another; one at least.
  let links: [[UInt8]]
  /// The repairs that were made, in words for the file's owner.
  package let notes: [String]

  package init(_ bytes: [UInt8]) {
    let plain = Self.withoutTag(bytes)
    if OggPages.isOne(plain) {
      let pages = OggPages(plain)
      let ranges = pages.links
      links = ranges.count > 1 ? ranges.map { Self.withoutOgg(Array(plain[$0])) } : [Self.withoutOgg(plain)]
      let count = pages.strayBytes
      notes = count == 0 ? [] : ["\(count) \(count == 1 ? "byte" : "bytes") inside the file cannot be read; left out"]
    } else if let list = ChunkList(plain), let mended = MendedChunks(list, plain) {
      links = [mended.bytes]
      notes = mended.notes
    } else if let open = Self.openSun(plain) {
      links = [open]
      notes = [MendedChunks.lostLength]
    } else if let core = OpenCore(plain) {
      links = [core.bytes]
      notes = core.isLost ? [MendedChunks.lostLength] : []
    } else {
      links = [plain]
      notes = []
    }
  }

  /// The pitch and loop that a file states for samplers, also behind a tag and inside Ogg.
  package static func marks(of bytes: [UInt8]) -> SoundMarks {
    let plain = withoutTag(bytes)
    return SoundMarks(OggPages.isOne(plain) ? withoutOgg(plain) : plain)
  }

  /// Removes an ID3 tag in front, and the zeros that pad it. MPEG files keep their tags, which
  /// belong to the format.
  /// - Source: ID3v2.4.0 main structure, §3.1.
  private static func withoutTag(_ bytes: [UInt8]) -> [UInt8] {
    var start = 0
    while bytes[start...].starts(with: "ID3".utf8), bytes.count - start > 10 {
      let sizes = bytes[start + 6..<start + 10]
      guard sizes.allSatisfy({ $0 < 0x80 }) else { return bytes }
      let footer = bytes[start + 5] & 0x10 != 0 ? 10 : 0
      let length = 10 + sizes.reduce(0) { $0 << 7 | Int($1) } + footer
      guard length < bytes.count - start else { return bytes }
      start += length
      while start < bytes.count, bytes[start] == 0 { start += 1 }
    }
    guard start > 0, containers.contains(where: { bytes[start...].starts(with: $0.utf8) }) else { return bytes }
    return Array(bytes[start...])
  }

  private static let containers = ["RIFF", "RIFX", "RF64", "FORM", "fLaC", "OggS", "caff", "riff", ".snd", "dns."]

  /// Turns FLAC inside Ogg into a FLAC file. Any other file stays as it is.
  /// - Source: RFC 9639 §10.1.
  private static func withoutOgg(_ bytes: [UInt8]) -> [UInt8] {
    let begins = OggPages.firstPacket(of: bytes)
    // The first packet has a name, a version and a count of packets in front of the FLAC file's own
    // beginning.
    guard begins.starts(with: [0x7f] + Array("FLAC".utf8)), begins.dropFirst(9).starts(with: "fLaC".utf8) else {
      return bytes
    }
    let packets = OggPages(bytes).packets
    guard let first = packets.first else { return bytes }
    return Array(first.dropFirst(9)) + packets.dropFirst().joined()
  }

  /// A file of Sun or NeXT whose length is 0 although sound follows: marks its length as unknown.
  private static func openSun(_ bytes: [UInt8]) -> [UInt8]? {
    let isSun = bytes.starts(with: ".snd".utf8)
    guard isSun || bytes.starts(with: "dns.".utf8), bytes.count > 24, bytes[8..<12].allSatisfy({ $0 == 0 }),
      let start = isSun ? bytes.bigEndian(at: 4, bytes: 4) : bytes.littleEndian(at: 4, bytes: 4), start < bytes.count
    else { return nil }
    var open = bytes
    for index in 8..<12 { open[index] = 0xff }
    return open
  }
}
