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
    /// Bytes that are no page lie in front of it.
    var followsGap = false
  }

  private let bytes: [UInt8]
  private(set) var pages: [Page] = []
  /// How many bytes between its pages belong to none.
  private(set) var strayBytes = 0

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
    var failures = 0
    while failures < Self.mostFailures, let begin = nextBegin(from: position) {
      guard var page = self.page(at: begin), isWhole(page.place) else {
        failures += 1
        position = begin + 1
        continue
      }
      let end = pages.last?.place.upperBound ?? 0
      page.followsGap = begin > end
      strayBytes += begin - end
      pages.append(page)
      position = page.place.upperBound
    }
  }

  /// Beginnings of pages that are none: more are no damage any more, but made to cost time.
  private static let mostFailures = 64

  /// Whether a page's checksum is right.
  private func isWhole(_ place: Range<Int>) -> Bool {
    // The checksum itself counts as zero.
    let field = Range(from: place.lowerBound + 22, to: place.lowerBound + 26)
    let sum = OggChecksum.of(place.lazy.map { field.contains($0) ? 0 : bytes[$0] })
    return bytes.littleEndian(at: field.lowerBound, bytes: 4) == UInt64(sum)
  }

  /// Where the next page may begin, at `position` or behind it.
  private func nextBegin(from position: Int) -> Int? {
    var position = position
    while position <= bytes.count - 27 {
      if bytes[position] == 0x4f, bytes[position..<position + 4].elementsEqual("OggS".utf8) { return position }
      position += 1
    }
    return nil
  }

  private func page(at start: Int) -> Page? {
    // In front of the flags is the version, and there is but one.
    guard start <= bytes.count - 27, bytes[start + 4] == 0 else { return nil }
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
  /// begin together, so they are one link. What is no page between two links belongs to neither.
  /// The last link takes what is behind it, so that a damaged file stays one.
  var links: [Range<Int>] {
    var starts: [Int] = []
    // Where the page in front of each begin ends.
    var ends: [Int] = []
    var isBeginning = false
    var end = 0
    for page in pages {
      if page.begins, !isBeginning || page.followsGap {
        starts.append(page.place.lowerBound)
        ends.append(end)
      }
      isBeginning = page.begins
      end = page.place.upperBound
    }
    guard !starts.isEmpty else { return [0..<bytes.count] }
    starts[0] = 0
    return zip(starts, ends.dropFirst() + [bytes.count]).map { Range(from: $0, to: $1) }
  }

  /// The packets of the stream that begins first, each in one piece.
  var packets: [[UInt8]] {
    guard let serial = pages.first?.serial else { return [] }
    var packets: [[UInt8]] = []
    var open = false
    for page in pages where page.serial == serial {
      // A packet whose end is lost is none.
      if page.followsGap, open {
        _ = packets.popLast()
        open = false
      }
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
