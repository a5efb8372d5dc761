internal import JamCore
internal import JamStream

/// Extracts the packets from an Ogg byte stream, which may come in any pieces: a machine without
/// I/O.
///
/// A page with a wrong checksum is skipped, and the search goes on at the next capture pattern.
/// - Source: RFC 3533 §6.
public struct OggDemuxer {
  public struct Packet: Hashable, Sendable {
    public var bytes: [UInt8]
    /// The position of the page, on the last packet that ends on the page; nil on others.
    public var granule: Int64?
  }

  private var buffer: [UInt8] = []
  private var partial: [UInt8] = []
  /// Pages skipped because they were damaged, or of another stream.
  public private(set) var damagedPages = 0
  private var nextSequence: UInt32?
  /// Pages that never came.
  public private(set) var missingPages = 0

  private static let headerBytes = 27

  public init() {}

  /// Takes in bytes.
  /// - Returns: the packets that they complete.
  public mutating func receive(_ bytes: some Collection<UInt8>) -> [Packet] {
    buffer.append(contentsOf: bytes)
    var packets: [Packet] = []
    var start = 0
    while let page = page(at: &start) {
      take(page, into: &packets)
      start = page.upperBound
    }
    buffer.removeFirst(start)
    return packets
  }

  /// The next whole page. `start` moves past bytes that are no page.
  private mutating func page(at start: inout Int) -> Range<Int>? {
    while true {
      while start + 4 <= buffer.count, !isCapture(at: start) { start += 1 }
      guard start + OggDemuxer.headerBytes <= buffer.count else { return nil }
      let segments = Int(buffer[start + 26])
      let bodyStart = start + OggDemuxer.headerBytes + segments
      guard bodyStart <= buffer.count else { return nil }
      // In order: the body begins behind the header.
      let bodyBytes = buffer[start + OggDemuxer.headerBytes..<bodyStart].reduce(0) { $0 + Int($1) }
      let end = bodyStart + bodyBytes
      guard end <= buffer.count else { return nil }
      // In order: the page ends behind its header.
      if isSound(start..<end) { return start..<end }
      damagedPages += 1
      start += 4
    }
  }

  private func isCapture(at i: Int) -> Bool {
    buffer[i] == 0x4f && buffer[i + 1] == 0x67 && buffer[i + 2] == 0x67 && buffer[i + 3] == 0x53
  }

  private func isSound(_ page: Range<Int>) -> Bool {
    let checksum = page.lowerBound + 22..<page.lowerBound + 26
    var copy = Array(buffer[page])
    for i in 22..<26 { copy[i] = 0 }
    return OggChecksum.of(copy) == number(checksum, as: UInt32.self) && copy[4] == 0
  }

  private func number<T: FixedWidthInteger>(_ range: Range<Int>, as: T.Type) -> T {
    buffer[range].reversed().reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
  }

  private mutating func take(_ page: Range<Int>, into packets: inout [Packet]) {
    let start = page.lowerBound
    let granule = number(start + 6..<start + 14, as: Int64.self)
    let sequence = number(start + 18..<start + 22, as: UInt32.self)
    if let nextSequence, sequence != nextSequence {
      missingPages += Int(min(sequence &- nextSequence, 1_000_000))
      partial.removeAll()
    }
    nextSequence = sequence &+ 1
    let isContinued = buffer[start + 5] & OggPage.Flag.continued != 0
    var skipping = isContinued && partial.isEmpty
    if !isContinued { partial.removeAll() }
    let segments = Int(buffer[start + 26])
    var place = start + OggDemuxer.headerBytes + segments
    let firstNew = packets.count
    for i in 0..<segments {
      let length = Int(buffer[start + OggDemuxer.headerBytes + i])
      if !skipping { partial.append(contentsOf: buffer[place..<place + length]) }
      place += length
      if length < 255 {
        if !skipping { packets.append(Packet(bytes: partial, granule: nil)) }
        skipping = false
        partial.removeAll()
      }
    }
    if packets.count > firstNew { packets[packets.count - 1].granule = granule }
  }
}
