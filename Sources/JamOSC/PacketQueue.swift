internal import JamCore

/// One sender's packets that wait for their turn, in the order in which they came. A continuous control's
/// older value goes where a newer one comes and nothing stands between them.
///
/// A machine without I/O. Thread: one at a time.
struct PacketQueue {
  struct Packet {
    var bytes: [UInt8]
    var arrival: HostTime
    /// It holds hits and nothing else.
    var isHit = false
  }

  /// What a packet is to those around it.
  enum Kind: Hashable {
    /// Sets a continuous control: of two in a row to the same address the later alone counts.
    case value(address: Int)
    /// Everything else: nothing moves past it.
    case barrier
  }

  private var packets: [Packet?] = []
  private var head = 0
  /// By address, where in `packets` its last value stands; of what came behind the last barrier.
  private var values: [Int: Int] = [:]
  private(set) var count = 0
  private(set) var bytes = 0

  var isEmpty: Bool { count == 0 }

  /// Whether the next packet is a hit.
  var beginsWithHit: Bool { packets.dropFirst(head).first { $0 != nil }??.isHit ?? false }

  /// Whether a value of the control waits that a newer one would replace.
  func holdsValue(of address: Int) -> Bool { values[address] != nil }

  /// - Returns: whether the packet took the place of an older one.
  mutating func append(_ packet: Packet, _ kind: Kind) -> Bool {
    var hasReplaced = false
    switch kind {
    case .barrier: values.removeAll(keepingCapacity: true)
    case .value(let address):
      // The newer one goes to the end: a pattern between the two may have set the same control.
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
    // Of a flood of one control's values nothing but gaps is left.
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

  /// Closes the gaps.
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
