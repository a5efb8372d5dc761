public import JamCore

/// Finds the packets in a stream's bytes. A machine without I/O; each connection has one.
///
/// The first byte decides the framing: `C0`, `/` or `#` means SLIP, any other byte begins a length.
/// An unfinished packet waits for its rest; at most one packet of the limit's length is stored.
/// After an error the stream is lost, and all further bytes are ignored.
/// Thread: one at a time.
public struct FrameDecoder: Sendable {
  /// Nil before the first byte.
  public private(set) var framing: Framing?
  private let limit: Int
  private var packet: [UInt8] = []
  private var isEscaped = false
  /// For the length prefix: the bytes of the length that have come so far.
  private var length: UInt32 = 0
  private var lengthBytes = 0
  private var failure: FramingError?

  public init(limit: Int = Limits.standard.framedPacketBytes) { self.limit = limit }

  /// The stored bytes of an unfinished packet.
  public var waitingBytes: Int { packet.count + lengthBytes + (isEscaped ? 1 : 0) }

  /// Reads the bytes that have come, and passes on every complete packet.
  /// - Parameter body: receives a packet, which is valid only during the call. A length of 0 gives
  ///   an empty packet.
  /// - Throws: `FramingError`, after the packets before the fault were passed on.
  public mutating func receive(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FramingError) {
    if let failure { throw failure }
    guard let first = bytes.first else { return }
    if framing == nil {
      let isSLIP = first == Framing.end || first == UInt8(ascii: "/") || first == UInt8(ascii: "#")
      framing = isSLIP ? .slip : .lengthPrefix
    }
    do {
      switch framing {
      case .slip: try receiveSLIP(bytes, body)
      default: try receivePrefixed(bytes, body)
      }
    } catch {
      failure = error
      packet = []
      throw error
    }
  }

  private mutating func receiveSLIP(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FramingError) {
    for byte in bytes {
      if isEscaped {
        isEscaped = false
        switch byte {
        case Framing.escapedEnd: packet.append(Framing.end)
        case Framing.escapedEscape: packet.append(Framing.escape)
        default: throw .badEscape(byte)
        }
      } else if byte == Framing.end {
        // Two ENDs in a row end one packet and begin the next.
        if !packet.isEmpty { hand(to: body) }
      } else if byte == Framing.escape {
        isEscaped = true
      } else {
        packet.append(byte)
      }
      guard packet.count <= limit else { throw .tooLong(bytes: packet.count, limit: limit) }
    }
  }

  private mutating func receivePrefixed(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FramingError) {
    var rest = bytes[...]
    while let byte = rest.first {
      if lengthBytes < 4 {
        length = length << 8 | UInt32(byte)
        lengthBytes += 1
        rest = rest.dropFirst()
        if lengthBytes == 4 {
          guard length <= 1 << 24, length % 4 == 0 else { throw .badLength(length) }
          guard length <= limit else { throw .tooLong(bytes: Int(length), limit: limit) }
          if length == 0 {
            hand(to: body)
            lengthBytes = 0
          }
        }
        continue
      }
      let missing = Int(length) - packet.count
      packet.append(contentsOf: rest.prefix(missing))
      rest = rest.dropFirst(missing)
      if packet.count == Int(length) {
        hand(to: body)
        lengthBytes = 0
        length = 0
      }
    }
  }

  private mutating func hand(to body: (UnsafeRawBufferPointer) -> Void) {
    packet.withUnsafeBytes(body)
    packet.removeAll(keepingCapacity: packet.capacity <= 4_096)
  }
}
