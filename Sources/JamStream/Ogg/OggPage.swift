internal import JamCore

/// Builds the pages of one logical Ogg bitstream.
///
/// - Source: RFC 3533 §6.
package struct OggPage {
  package enum Flag {
    package static let continued: UInt8 = 1
    static let beginning: UInt8 = 2
    static let end: UInt8 = 4
  }

  /// Segments in a page's table; a packet of n bytes takes n / 255 + 1 of them.
  static let mostSegments = 255

  private var segments: [UInt8] = []
  private var body: [UInt8] = []

  var isEmpty: Bool { segments.isEmpty }

  /// Adds a whole packet.
  /// - Returns: false where the page has no room for the packet. Then send the page, and begin
  ///   another.
  mutating func append(_ packet: UnsafeRawBufferPointer) -> Bool {
    let needed = packet.count / 255 + 1
    guard segments.count + needed <= OggPage.mostSegments else { return false }
    segments.append(contentsOf: repeatElement(255, count: needed - 1))
    segments.append(UInt8(packet.count % 255))
    body.append(contentsOf: packet)
    return true
  }

  /// The finished page; this one is empty afterwards.
  /// - Parameter granule: the stream's position at the end of the page's last packet.
  mutating func finish(flags: UInt8 = 0, granule: Int64, serial: UInt32, sequence: UInt32) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(27 + segments.count + body.count)
    page.append(contentsOf: "OggS".utf8)
    page.append(0)
    page.append(flags)
    page.append(littleEndian: granule)
    page.append(littleEndian: serial)
    page.append(littleEndian: sequence)
    page.append(littleEndian: UInt32(0))
    page.append(UInt8(segments.count))
    page.append(contentsOf: segments)
    page.append(contentsOf: body)
    let checksum = OggChecksum.of(page)
    for i in 0..<4 { page[22 + i] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(i))) }
    segments.removeAll(keepingCapacity: true)
    body.removeAll(keepingCapacity: true)
    return page
  }
}
