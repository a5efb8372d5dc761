/// A bundle of messages of one moment, mostly now. It takes as many messages as fit into a datagram
/// on every network.
///
/// Thread: one at a time.
public struct BundleWriter {
  private var bytes: [UInt8] = []
  public private(set) var messages = 0

  private let timetag: OSCTimetag

  /// - Parameter timetag: the moment for which the messages are meant.
  public init(at timetag: OSCTimetag = .immediate) { self.timetag = timetag }

  public var isEmpty: Bool { messages == 0 }

  /// - Returns: false where the message does not fit. Then take the packet and append the message
  ///   again. A message that is too large for any packet gets a packet of its own.
  public mutating func append(_ message: OSCMessage) -> Bool { append(encoded: message.encoded()) }

  mutating func append(encoded message: [UInt8]) -> Bool {
    if messages > 0, bytes.count + 4 + message.count > BundleWriter.mostBytes { return false }
    if messages == 0 {
      bytes.reserveCapacity(BundleWriter.mostBytes)
      bytes += OSCPacket.bundleTag
      bytes.appendLongWord(timetag.raw)
    }
    bytes.appendWord(UInt32(message.count))
    bytes += message
    messages += 1
    return true
  }

  /// Returns the bundle and the number of its messages, and empties the writer. Nil where nothing
  /// was appended.
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
