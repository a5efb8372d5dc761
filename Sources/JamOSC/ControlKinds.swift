internal import JamCore
internal import JamWire

/// Recognises packets that are one value of a continuous control, such as a gain, a pan or the
/// tempo. Of such values only the latest counts. Choices, switches and presses are not such values.
/// A bundle of such values without a timetag counts as one value of all its controls.
///
/// A machine without I/O. Thread: one at a time.
struct ControlKinds {
  /// Whether the address is one of a continuous control, by the hash of the address.
  private var known: [Int: Bool] = [:]
  private var packet = OSCPacket()
  private static let mostKnown = 4_096

  /// - Parameters:
  ///   - holds: whether a waiting value of the address with this hash would be replaced.
  ///   - reader: reads the packet's command.
  mutating func kind(
    of bytes: UnsafeRawBufferPointer, replaces holds: (Int) -> Bool, _ reader: inout CommandReader
  ) -> PacketQueue.Kind {
    guard let address = ControlKinds.address(bytes) else { return kind(ofBundle: bytes, &reader) }
    switch known[address] {
    case false?: return .barrier
    case true? where !holds(address): return .value(address: address)
    default: break
    }
    // A value that the reader refuses replaces no other value: the older value stays.
    let isValue = isValue(bytes, &reader)
    if known[address] == nil {
      if known.count >= ControlKinds.mostKnown { known.removeAll(keepingCapacity: true) }
      known[address] = isValue
    }
    return isValue ? .value(address: address) : .barrier
  }

  private mutating func kind(
    ofBundle bytes: UnsafeRawBufferPointer, _ reader: inout CommandReader
  ) -> PacketQueue.Kind {
    guard bytes.first == UInt8(ascii: "#"), bytes.count <= ControlKinds.longestBundle,
      (try? packet.decode(bytes)) != nil, packet.refusals.isEmpty, packet.sequence == nil
    else { return .barrier }
    var hasher = Hasher()
    for element in packet.elements {
      guard element.timetag == .immediate, element.heard == nil, reader.isContinuousValue(element.message)
      else { return .barrier }
      hasher.combine(element.message.address)
    }
    return packet.elements.isEmpty ? .barrier : .value(address: hasher.finalize())
  }

  /// In bytes: the heights of sixteen fingers, with their bends.
  private static let longestBundle = 2_048

  /// The hash of the address of a message with one number; nil for all other packets.
  private static func address(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.first == UInt8(ascii: "/"), let end = bytes.firstIndex(of: 0) else { return nil }
    let types = (end + 4) & ~3
    guard types + 4 < bytes.count, bytes[types] == UInt8(ascii: ","), bytes[types + 2] == 0 else { return nil }
    switch bytes[types + 1] {
    case UInt8(ascii: "f"), UInt8(ascii: "i"), UInt8(ascii: "d"), UInt8(ascii: "h"): break
    default: return nil
    }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    return hasher.finalize()
  }

  private mutating func isValue(_ bytes: UnsafeRawBufferPointer, _ reader: inout CommandReader) -> Bool {
    guard (try? packet.decode(bytes)) != nil, packet.elements.count == 1 else { return false }
    return reader.isContinuousValue(packet.elements[0].message)
  }
}
