internal import JamCore

/// The fixed header of an RTP packet.
///
/// - Source: RFC 3550 §5.1; RFC 7587 §4 for Opus: the clock is 48 kHz whatever the packet holds.
public struct RTPHeader: Hashable, Sendable {
  public var payloadType: UInt8
  public var isMarked = false
  public var sequence: UInt16
  public var timestamp: UInt32
  public var ssrc: UInt32

  /// Bytes that `write` writes.
  public static let byteCount = 12
  /// The dynamic payload type in our session descriptions.
  public static let opusPayloadType: UInt8 = 96

  public init(
    payloadType: UInt8 = RTPHeader.opusPayloadType, isMarked: Bool = false, sequence: UInt16, timestamp: UInt32,
    ssrc: UInt32
  ) {
    self.payloadType = payloadType
    self.isMarked = isMarked
    self.sequence = sequence
    self.timestamp = timestamp
    self.ssrc = ssrc
  }

  /// Writes the header to `output`, which has room for `byteCount`.
  func write(to output: UnsafeMutableRawPointer) {
    output.storeBytes(of: 0x80, as: UInt8.self)
    output.storeBytes(of: payloadType & 0x7f | (isMarked ? 0x80 : 0), toByteOffset: 1, as: UInt8.self)
    output.storeBytes(of: sequence.bigEndian, toByteOffset: 2, as: UInt16.self)
    output.storeBytes(of: timestamp.bigEndian, toByteOffset: 4, as: UInt32.self)
    output.storeBytes(of: ssrc.bigEndian, toByteOffset: 8, as: UInt32.self)
  }
}

/// A received RTP packet, parsed. The payload points into the datagram.
public struct RTPPacket {
  public let header: RTPHeader
  public let payload: UnsafeRawBufferPointer

  /// - Returns: nil where `bytes` are no RTP packet of version 2, or the lengths do not add up.
  /// - Source: RFC 3550 §5.1, §5.3.1 and A.1.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard let first: UInt8 = reader.integer(), let second: UInt8 = reader.integer(), first >> 6 == 2,
      // These values are RTCP packet types, read as if with the marker bit (RFC 5761 §4).
      !(192...223).contains(second),
      let sequence: UInt16 = reader.integer(), let timestamp: UInt32 = reader.integer(),
      let ssrc: UInt32 = reader.integer(), reader.skip(Int(first & 0x0f) * 4)
    else { return nil }
    if first & 0x10 != 0 {
      guard reader.skip(2), let words: UInt16 = reader.integer(), reader.skip(Int(words) * 4) else { return nil }
    }
    var count = reader.remaining
    if first & 0x20 != 0 {
      guard let padding = bytes.last, padding > 0, Int(padding) <= count else { return nil }
      count -= Int(padding)
    }
    guard let payload = reader.slice(count) else { return nil }
    header = RTPHeader(
      payloadType: second & 0x7f, isMarked: second & 0x80 != 0, sequence: sequence, timestamp: timestamp, ssrc: ssrc)
    self.payload = payload
  }
}
