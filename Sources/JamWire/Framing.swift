/// How OSC packets are separated on a stream.
///
/// - Source: OSC 1.0 (length prefix), OSC 1.1 with RFC 1055 (SLIP, an END before and after each
///   packet).
public enum Framing: Hashable, Sendable {
  /// A big-endian int32 with the packet's length, then the packet.
  case lengthPrefix
  case slip
  /// One binary message for each packet (RFC 6455); `WebSocketDecoder` reads them.
  case webSocket

  /// The bytes of `packet` on the stream.
  public func frame(_ packet: [UInt8]) -> [UInt8] {
    if self == .webSocket { return WebSocketFrame.binary(packet) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(packet.count + 8)
    switch self {
    case .lengthPrefix:
      bytes.appendWord(UInt32(packet.count))
      bytes.append(contentsOf: packet)
    case .slip:
      bytes.append(Framing.end)
      for byte in packet {
        switch byte {
        case Framing.end: bytes.append(contentsOf: [Framing.escape, Framing.escapedEnd])
        case Framing.escape: bytes.append(contentsOf: [Framing.escape, Framing.escapedEscape])
        default: bytes.append(byte)
        }
      }
      bytes.append(Framing.end)
    case .webSocket: break
    }
    return bytes
  }

  static let end: UInt8 = 0xc0
  static let escape: UInt8 = 0xdb
  static let escapedEnd: UInt8 = 0xdc
  static let escapedEscape: UInt8 = 0xdd
}

/// Why a stream cannot be read any further.
public enum FramingError: Error, Hashable, CustomStringConvertible {
  case tooLong(bytes: Int, limit: Int)
  /// A length that no OSC packet can have.
  case badLength(UInt32)
  case badEscape(UInt8)

  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit): "a packet of \(bytes) bytes or more is too long: \(limit) is the limit"
    case .badLength(let length):
      "\(Int32(bitPattern: length)) is no packet's length: send OSC with a length in front (int32, big-endian), or SLIP"
    case .badEscape(let byte): "the SLIP escape 0xDB 0x\(String(byte, radix: 16)) is unknown"
    }
  }
}
