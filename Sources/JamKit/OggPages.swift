internal import JamCore

/// The pages of an Ogg file.
/// - Source: RFC 3533 §6.
struct OggPages {
  struct Page {
    var place: Range<Int>
    var begins: Bool
    var serial: UInt32
    /// Whether it begins with the rest of a packet.
    var continues: Bool
    /// The packets in it, or parts of them; the last one goes on in the next page where `isOpen`.
    var packets: [Range<Int>]
    var isOpen: Bool
  }

  private let bytes: [UInt8]
  private(set) var pages: [Page] = []

  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "OggS".utf8) }

  /// Of the first page alone, without looking at the others.
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
  /// begin together, so they are one link. The last one takes what is no page, so that a damaged
  /// file stays one.
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

  /// The packets of the stream that begins first, each whole.
  var packets: [[UInt8]] {
    guard let serial = pages.first?.serial else { return [] }
    var packets: [[UInt8]] = []
    var open = false
    for page in pages where page.serial == serial {
      for (index, packet) in page.packets.enumerated() {
        if index == 0, page.continues {
          // What it goes on with may be lost.
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
