public import JamCore

/// Finds the packets in a stream's bytes: a machine without I/O, one per connection.
///
/// The first byte tells the framing: `C0`, `/` or `#` is SLIP, anything else a length. Half a packet waits for its rest; at most
/// one packet of the limit's length is kept. After an error the stream is lost, and so is everything that comes.
/// Thread: one at a time.
public struct FrameDecoder: Sendable {
  /// nil until the first byte came.
  public private(set) var framing: Framing?
  private let limit: Int
  private var packet: [UInt8] = []
  private var isEscaped = false
  /// Length-prefix: the four bytes, as far as they came.
  private var length: UInt32 = 0
  private var lengthBytes = 0
  private var failure: FramingError?

  public init(limit: Int = Limits.standard.framedPacketBytes) { self.limit = limit }

  /// Bytes that wait for the rest of their packet.
  public var waitingBytes: Int { packet.count + lengthBytes + (isEscaped ? 1 : 0) }

  /// Takes in what has arrived and hands out every packet that is complete.
  /// - Parameter body: a packet, valid during the call; empty where a length of 0 said so.
  /// - Throws: `FramingError`, after the packets before the fault were handed out.
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
        // Two ENDs in a row are the end of one packet and the beginning of the next.
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
