/// Why a WebSocket is closed.
///
/// - Source: RFC 6455 §7.4.
public struct WebSocketClose: Hashable, Sendable {
  public var code: UInt16

  public init(code: UInt16) { self.code = code }

  public static let normal = WebSocketClose(code: 1_000)
  /// The server ends.
  public static let goingAway = WebSocketClose(code: 1_001)
  public static let protocolError = WebSocketClose(code: 1_002)
  public static let unsupported = WebSocketClose(code: 1_003)
  /// The peer is too slow, or silent in the middle of a message.
  public static let policy = WebSocketClose(code: 1_008)
  public static let tooLong = WebSocketClose(code: 1_009)
  /// There are too many connections.
  public static let tryAgainLater = WebSocketClose(code: 1_013)

  /// Whether a close frame may carry the code. 1004–1006 and 1015 only describe an end without a
  /// close frame.
  var mayBeSent: Bool {
    switch code {
    case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
    default: false
    }
  }
}

/// The frames that a server sends: whole and unmasked.
///
/// - Source: RFC 6455 §5.2.
public enum WebSocketFrame {
  public static func binary(_ payload: [UInt8]) -> [UInt8] { frame(0x82, payload) }

  /// - Parameter payload: UTF-8.
  public static func text(_ payload: [UInt8]) -> [UInt8] { frame(0x81, payload) }

  /// - Parameter payload: the ping's payload, at most 125 bytes.
  public static func pong(_ payload: UnsafeRawBufferPointer) -> [UInt8] { frame(0x8a, Array(payload)) }

  /// - Parameter reason: for people; cut to the size of a control frame.
  public static func close(_ close: WebSocketClose, reason: String = "") -> [UInt8] {
    var text = reason[...]
    while text.utf8.count > 123 { text.removeLast() }
    return frame(0x88, [UInt8(close.code >> 8), UInt8(close.code & 0xff)] + Array(text.utf8))
  }

  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 10)
    bytes.append(first)
    switch payload.count {
    case ..<126: bytes.append(UInt8(payload.count))
    case ..<65_536: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    default:
      bytes.append(127)
      bytes.appendWord(UInt32(UInt64(payload.count) >> 32))
      bytes.appendWord(UInt32(truncatingIfNeeded: payload.count))
    }
    bytes.append(contentsOf: payload)
    return bytes
  }
}
