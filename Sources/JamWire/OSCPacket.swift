public import JamCore

/// The content of one OSC packet: its messages in order, each with the timetag of the innermost
/// bundle around it.
///
/// A fault in the packet's structure refuses the whole packet. A fault within one message only
/// refuses that message. Reuse one value for many packets, because it keeps its memory.
/// Thread: one at a time; no I/O.
public struct OSCPacket: Sendable {
  public struct Element: Hashable, Sendable {
    public var timetag: OSCTimetag
    public var message: OSCMessage
    /// The RTP timestamp of `/heard h` at the beginning of the message's bundle; of several, the
    /// last one before the message.
    public var heard: UInt32?

    public init(timetag: OSCTimetag, message: OSCMessage, heard: UInt32? = nil) {
      self.timetag = timetag
      self.message = message
      self.heard = heard
    }
  }

  public private(set) var elements: [Element] = []
  /// The errors of messages that could not be read.
  public private(set) var refusals: [OSCError] = []
  /// The number of `/seq i` at the beginning of the outermost bundle. Neither this message nor a
  /// `/heard h` after it is an element.
  public private(set) var sequence: Int32?
  private let depthLimit: Int

  public init(bundleDepth: Int = Limits.standard.bundleDepth) { depthLimit = bundleDepth }

  /// Replaces the contents with those of `bytes`.
  /// - Parameter limit: the longest allowed packet, in bytes.
  /// - Throws: `OSCError`; the packet is then empty.
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer, limit: Int = Limits.standard.datagramBytes
  ) throws(OSCError) {
    elements.removeAll(keepingCapacity: true)
    refusals.removeAll(keepingCapacity: true)
    sequence = nil
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limit else { throw .tooLong(bytes: bytes.count, limit: limit) }
    guard bytes[0] == UInt8(ascii: "#") else {
      let message = try OSCMessage(bytes: bytes)
      elements.append(Element(timetag: .immediate, message: message))
      return
    }
    do {
      try readBundle(bytes, depth: 1)
    } catch {
      elements.removeAll(keepingCapacity: true)
      refusals.removeAll(keepingCapacity: true)
      sequence = nil
      throw error
    }
  }

  /// - Source: OSC 1.0, "OSC Bundles".
  private mutating func readBundle(_ bytes: UnsafeRawBufferPointer, depth: Int) throws(OSCError) {
    guard depth <= depthLimit else { throw .bundleTooDeep(limit: depthLimit) }
    guard bytes.count % 4 == 0 else { throw .unaligned(bytes: bytes.count, address: "#bundle") }
    guard bytes.count >= 16 else { throw .bundleTruncated }
    guard bytes.starts(with: OSCPacket.bundleTag) else { throw .notOSC }
    let timetag = OSCTimetag(raw: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    var position = 16
    var head = Head(mayNumber: depth == 1)
    while position < bytes.count {
      guard position + 4 <= bytes.count else { throw .bundleTruncated }
      let claimed = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
      position += 4
      guard (0...bytes.count - position).contains(claimed) else {
        throw .elementPastEnd(claimed: claimed, available: bytes.count - position)
      }
      // The bounds are in order, because the claimed size was checked.
      let element = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + claimed)])
      if element.first == UInt8(ascii: "#") {
        head.isOver = true
        try readBundle(element, depth: depth + 1)
      } else {
        readMessage(element, timetag: timetag, &head)
      }
      position += claimed
    }
  }

  /// The messages that may stand before a bundle's elements, and are not elements: `/seq i`, then
  /// `/heard h`.
  private struct Head {
    /// Only the outermost bundle may have a number.
    var mayNumber: Bool
    var heard: UInt32?
    var isOver = false
  }

  private mutating func readMessage(_ bytes: UnsafeRawBufferPointer, timetag: OSCTimetag, _ head: inout Head) {
    do {
      let message = try OSCMessage(bytes: bytes)
      if !head.isOver, read(message, into: &head) { return }
      head.isOver = true
      // A later `/heard` holds for the messages after it. One without a valid timestamp becomes an
      // element, and the messages after it have no timestamp.
      if head.heard != nil, message.address == "/heard" {
        head.heard = OSCPacket.heard(message)
        if head.heard != nil { return }
      }
      elements.append(Element(timetag: timetag, message: message, heard: head.heard))
    } catch {
      head.isOver = true
      refusals.append(error)
    }
  }

  private mutating func read(_ message: OSCMessage, into head: inout Head) -> Bool {
    guard message.arguments.count == 1, let number = message.arguments[0].number else { return false }
    if head.mayNumber, message.address == "/seq" {
      head.mayNumber = false
      sequence = Int32(exactly: number)
      return sequence != nil
    }
    head.heard = OSCPacket.heard(message)
    guard head.heard != nil else { return false }
    head.isOver = true
    return true
  }

  /// The timestamp of a `/heard`; nil for any other message.
  private static func heard(_ message: OSCMessage) -> UInt32? {
    guard message.address == "/heard", message.arguments.count == 1, let number = message.arguments[0].number,
      timestamps.contains(number)
    else { return nil }
    return UInt32(truncatingIfNeeded: Int64(number))
  }

  /// Clients without 64-bit integers send the upper half of the range as negative numbers.
  static let timestamps = Double(Int32.min)...Double(UInt32.max)

  static let bundleTag: [UInt8] = [0x23, 0x62, 0x75, 0x6e, 0x64, 0x6c, 0x65, 0]

  /// The bytes of a bundle with these messages.
  public static func encode(_ messages: [OSCMessage], at timetag: OSCTimetag = .immediate) -> [UInt8] {
    var bytes = bundleTag
    bytes.appendLongWord(timetag.raw)
    for message in messages {
      let start = bytes.count
      bytes.appendWord(0)
      message.append(to: &bytes)
      withUnsafeBytes(of: UInt32(bytes.count - start - 4).bigEndian) {
        bytes.replaceSubrange(Range(from: start, to: start + 4), with: $0)
      }
    }
    return bytes
  }

  /// Packs messages that are true now into as few packets as possible, because hundreds of
  /// datagrams at once would overflow a client's socket. A small number of messages is not packed,
  /// for clients that cannot read bundles.
  /// - Returns: each packet, with the number of its messages.
  public static func pack(_ messages: [OSCMessage]) -> [(bytes: [UInt8], messages: Int)] {
    pack(encoded: messages.map { $0.encoded() })
  }

  /// Packs messages that are already encoded.
  private static func pack(encoded messages: [[UInt8]]) -> [(bytes: [UInt8], messages: Int)] {
    guard messages.count > loose else { return messages.map { ($0, 1) } }
    var packets: [(bytes: [UInt8], messages: Int)] = []
    var bundle = BundleWriter()
    for message in messages where !bundle.append(encoded: message) {
      if let packet = bundle.take() { packets.append(packet) }
      _ = bundle.append(encoded: message)
    }
    if let packet = bundle.take() { packets.append(packet) }
    return packets
  }

  /// Up to so many messages are sent one by one.
  private static let loose = 16
}
