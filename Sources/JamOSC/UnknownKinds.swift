internal import JamCore

/// The addresses that a sender was told of that there are none: a phone that streams its sensors goes on
/// sending them, and they are dropped before they are read.
///
/// A machine without I/O. Thread: one at a time.
struct UnknownKinds {
  /// So long after it was refused the same address is dropped; then it is read, and refused, once more.
  static let nanoseconds: Int64 = 500_000_000
  private static let depth = 8

  private var kinds: [(hash: Int, until: Int64)] = []
  private var next = 0

  /// Notes that there is no such address.
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

  /// Whether the packet is a message to one of them.
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
