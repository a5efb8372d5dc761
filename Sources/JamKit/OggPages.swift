internal import JamCore

/// The pages of an Ogg file.
/// - Source: RFC 3533 §6.
struct OggPages {
  struct Page {
    var place: Range<Int>
    var begins: Bool
    var serial: UInt32
    /// Whether the page begins with the rest of a packet.
    var continues: Bool
    /// The packets in the page, or parts of them. Where `isOpen`, the last one goes on in the next
    /// page.
    var packets: [Range<Int>]
    var isOpen: Bool
  }

  private let bytes: [UInt8]
  private(set) var pages: [Page] = []

  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "OggS".utf8) }

  /// The first packet of the first page. No other page is read.
  static func firstPacket(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard bytes.count > 27 else { return [] }
    let start = 27 + Int(bytes[26])
    return start <= bytes.count ? bytes[start...] : []
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var position = 0
    while let page = page(at: position) {
      pages.append(page)
      position = page.place.upperBound
    }
  }

  private func page(at start: Int) -> Page? {
    guard start <= bytes.count - 27, bytes[start..<start + 4].elementsEqual("OggS".utf8) else { return nil }
    let table = start + 27
    let count = Int(bytes[start + 26])
    guard table + count <= bytes.count else { return nil }
    var position = table + count
    var packets: [Range<Int>] = []
    var begin = position
    var isOpen = false
    // In order, here and below: a position only grows.
    for length in bytes[table..<table + count] {
      guard Int(length) <= bytes.count - position else { return nil }
      position += Int(length)
      // A segment of 255 bytes goes on in the next one.
      isOpen = length == 255
      if !isOpen {
        packets.append(begin..<position)  // In order: as above.
        begin = position
      }
    }
    if isOpen { packets.append(begin..<position) }  // In order: as above.
    return Page(
      place: start..<position,  // In order: as above.
      begins: bytes[start + 5] & 2 != 0,
      serial: UInt32(bytes.littleEndian(at: start + 14, bytes: 4) ?? 0), continues: bytes[start + 5] & 1 != 0,
      packets: packets, isOpen: isOpen)
  }

  /// The file's links, which follow one another (RFC 3533 §4). Streams that lie beside each other
  /// begin together, so they are one link. Bytes that are no page belong to the last link, so that
  /// a damaged file stays in one piece.
  var links: [Range<Int>] {
    var starts: [Int] = []
    var isBeginning = false
    for page in pages {
      if page.begins, !isBeginning { starts.append(page.place.lowerBound) }
      isBeginning = page.begins
    }
    guard !starts.isEmpty else { return [0..<bytes.count] }
    starts[0] = 0
    return zip(starts, starts.dropFirst() + [bytes.count]).map { Range(from: $0, to: $1) }
  }

  /// The packets of the stream that begins first, each in one piece.
  var packets: [[UInt8]] {
    guard let serial = pages.first?.serial else { return [] }
    var packets: [[UInt8]] = []
    var open = false
    for page in pages where page.serial == serial {
      for (index, packet) in page.packets.enumerated() {
        if index == 0, page.continues {
          // The beginning of this packet may be lost. Its rest is dropped then.
          if open, let last = packets.indices.last { packets[last] += bytes[packet] }
        } else {
          packets.append(Array(bytes[packet]))
        }
      }
      open = page.isOpen
    }
    return packets
  }
}
