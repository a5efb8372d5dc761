internal import JamCore

/// One sender's packets that wait for their turn, in the order of their arrival. A newer value of a
/// continuous control replaces the older one, if no other kind of packet came between them.
///
/// A machine without I/O. Thread: one at a time.
struct PacketQueue {
  struct Packet {
    var bytes: [UInt8]
    var arrival: HostTime
    /// Whether the packet holds only hits.
    var isHit = false
  }

  /// How a packet relates to its neighbours.
  enum Kind: Hashable {
    /// The packet sets a continuous control. Of two such packets to the same address, only the
    /// later one counts.
    case value(address: Int)
    /// Any other packet. No packet moves past it.
    case barrier
  }

  private var packets: [Packet?] = []
  private var head = 0
  /// The place in `packets` of each address's last value since the last barrier.
  private var values: [Int: Int] = [:]
  private(set) var count = 0
  private(set) var bytes = 0

  var isEmpty: Bool { count == 0 }

  /// Whether the next packet is a hit.
  var beginsWithHit: Bool { packets.dropFirst(head).first { $0 != nil }??.isHit ?? false }

  /// Whether a value of the control waits that a newer value would replace.
  func holdsValue(of address: Int) -> Bool { values[address] != nil }

  /// - Returns: whether the packet replaced an older one.
  mutating func append(_ packet: Packet, _ kind: Kind) -> Bool {
    var hasReplaced = false
    switch kind {
    case .barrier: values.removeAll(keepingCapacity: true)
    case .value(let address):
      // The newer value goes to the end, because a pattern between the two values may have set the
      // same control.
      if let old = values[address], let packet = packets[old] {
        packets[old] = nil
        count -= 1
        bytes -= packet.bytes.count
        hasReplaced = true
      }
      values[address] = packets.count
    }
    packets.append(packet)
    count += 1
    bytes += packet.bytes.count
    // A flood of one control's values leaves mostly gaps.
    if hasReplaced, packets.count > 64, packets.count > 4 * count { close() }
    return hasReplaced
  }

  mutating func popFirst() -> Packet? {
    while head < packets.count {
      let packet = packets[head].take()
      head += 1
      guard let packet else { continue }
      count -= 1
      bytes -= packet.bytes.count
      if count == 0 { removeAll() } else if head > 512 { close() }
      return packet
    }
    return nil
  }

  mutating func removeAll() {
    packets.removeAll(keepingCapacity: packets.count <= 512)
    values.removeAll(keepingCapacity: true)
    (head, count, bytes) = (0, 0, 0)
  }

  /// Removes the gaps.
  private mutating func close() {
    var places: [Int: Int] = [:]
    for (address, place) in values where place >= head && packets[place] != nil { places[place] = address }
    var kept: [Packet?] = []
    values.removeAll(keepingCapacity: true)
    for place in Range(from: head, to: packets.count) {
      guard let packet = packets[place] else { continue }
      if let address = places[place] { values[address] = kept.count }
      kept.append(packet)
    }
    packets = kept
    head = 0
  }
}
