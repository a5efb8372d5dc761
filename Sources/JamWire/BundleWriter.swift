/// A bundle of messages that are true now, as many as fit into a datagram of every network.
///
/// Thread: one at a time.
public struct BundleWriter {
  private var bytes: [UInt8] = []
  public private(set) var messages = 0

  public init() {}

  public var isEmpty: Bool { messages == 0 }

  /// - Returns: false where the message does not fit: take the packet, then append again. One that fits into
  ///   none stands alone.
  public mutating func append(_ message: OSCMessage) -> Bool { append(encoded: message.encoded()) }

  mutating func append(encoded message: [UInt8]) -> Bool {
    if messages > 0, bytes.count + 4 + message.count > BundleWriter.mostBytes { return false }
    if messages == 0 {
      bytes.reserveCapacity(BundleWriter.mostBytes)
      bytes += OSCPacket.bundleTag
      bytes.appendLongWord(OSCTimetag.immediate.raw)
    }
    bytes.appendWord(UInt32(message.count))
    bytes += message
    messages += 1
    return true
  }

  /// The bundle, with the number of messages in it; the writer is empty afterwards. Nil where nothing was appended.
  public mutating func take() -> (bytes: [UInt8], messages: Int)? {
    guard messages > 0 else { return nil }
    defer {
      bytes = []
      messages = 0
    }
    return (bytes, messages)
  }

  private static let mostBytes = 1_200
}
