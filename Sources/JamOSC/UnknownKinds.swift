internal import JamCore

/// The unknown addresses that a sender was already told about. A phone that streams its sensors
/// goes on sending such addresses, and they are dropped before they are read.
///
/// A machine without I/O. Thread: one at a time.
struct UnknownKinds {
  /// How long a refused address is dropped. After that it is read, and refused, once more.
  static let nanoseconds: Int64 = 500_000_000
  private static let depth = 8

  private var kinds: [(hash: Int, until: Int64)] = []
  private var next = 0

  /// Remembers that the address is unknown.
  mutating func note(_ address: String, at now: HostTime) {
    let hash = address.utf8.withContiguousStorageIfAvailable { UnknownKinds.hash(UnsafeRawBufferPointer($0)) }
    guard let hash else { return }
    let kind = (hash, now.nanoseconds + UnknownKinds.nanoseconds)
    if let old = kinds.firstIndex(where: { $0.hash == hash }) {
      kinds[old] = kind
    } else if kinds.count < UnknownKinds.depth {
      kinds.append(kind)
    } else {
      kinds[next] = kind
      next = (next + 1) % UnknownKinds.depth
    }
  }

  /// Whether the packet is a message to a remembered address.
  func contain(_ packet: UnsafeRawBufferPointer, at now: HostTime) -> Bool {
    guard !kinds.isEmpty, packet.first == UInt8(ascii: "/"), let end = packet.firstIndex(of: 0) else { return false }
    let hash = UnknownKinds.hash(UnsafeRawBufferPointer(rebasing: packet[..<end]))
    return kinds.contains { $0.hash == hash && now.nanoseconds < $0.until }
  }

  private static func hash(_ address: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: address)
    return hasher.finalize()
  }
}
