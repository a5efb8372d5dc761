public import JamCore

/// What one OSC packet holds: its messages in order, each with the timetag of the innermost bundle around it.
///
/// Decoding is all or nothing for the packet's structure, and by the message for what is inside: one bad message among good ones
/// becomes a refusal. Reuse one packet for many: its memory is kept.
/// Thread: one at a time; no I/O.
public struct OSCPacket: Sendable {
  public struct Element: Hashable, Sendable {
    public var timetag: OSCTimetag
    public var message: OSCMessage
    /// What `/heard h` at the head of its bundle says, or the last of several: an RTP timestamp.
    public var heard: UInt32?

    public init(timetag: OSCTimetag, message: OSCMessage, heard: UInt32? = nil) {
      self.timetag = timetag
      self.message = message
      self.heard = heard
    }
  }

  public private(set) var elements: [Element] = []
  /// Messages that could not be read.
  public private(set) var refusals: [OSCError] = []
  /// The number in `/seq i` at the head of the outermost bundle; that message is no element, nor is `/heard h` behind it.
  public private(set) var sequence: Int32?
  private let depthLimit: Int

  public init(bundleDepth: Int = Limits.standard.bundleDepth) { depthLimit = bundleDepth }

  /// Replaces the contents by what `bytes` hold.
  /// - Parameter limit: the longest packet allowed, in bytes.
  /// - Throws: `OSCError`, with the packet left empty.
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
      // In order: what is claimed was asked.
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

  /// What stands in front of a bundle's messages and is none itself: `/seq i`, then `/heard h`.
  private struct Head {
    /// Only the outermost bundle has a number.
    var mayNumber: Bool
    var heard: UInt32?
    var isOver = false
  }

  private mutating func readMessage(_ bytes: UnsafeRawBufferPointer, timetag: OSCTimetag, _ head: inout Head) {
    do {
      let message = try OSCMessage(bytes: bytes)
      if !head.isOver, read(message, into: &head) { return }
      head.isOver = true
      // Another one holds for what follows it; one that is no timestamp is told as a message, and what follows it has none.
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

  /// What a `/heard` says; nil where it is none.
  private static func heard(_ message: OSCMessage) -> UInt32? {
    guard message.address == "/heard", message.arguments.count == 1, let number = message.arguments[0].number,
      timestamps.contains(number)
    else { return nil }
    return UInt32(truncatingIfNeeded: Int64(number))
  }

  /// Clients without 64-bit integers send the upper half as negative ones.
  static let timestamps = Double(Int32.min)...Double(UInt32.max)

  static let bundleTag: [UInt8] = [0x23, 0x62, 0x75, 0x6e, 0x64, 0x6c, 0x65, 0]

  /// A bundle of messages as bytes.
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

  /// Many messages that are true now, in as few packets as they fit into: hundreds of datagrams at once would overflow a client's
  /// socket. Few of them stand alone, for clients that know no bundles.
  /// - Returns: each packet with the number of messages in it.
  public static func pack(_ messages: [OSCMessage]) -> [(bytes: [UInt8], messages: Int)] {
    pack(encoded: messages.map { $0.encoded() })
  }

  /// The same of messages that are bytes already.
  public static func pack(encoded messages: [[UInt8]]) -> [(bytes: [UInt8], messages: Int)] {
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

  /// Messages that go out one by one.
  private static let loose = 16
}
