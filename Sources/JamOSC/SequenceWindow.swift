internal import JamCore

/// Restores the order of a client's numbered packets and drops repeats, so that a client may send each bundle twice.
///
/// A gap is waited for no longer than a live hit's constant delay allows; then it is taken for a loss.
/// A machine without I/O. Thread: one at a time.
struct SequenceWindow<Packet> {
  /// How long a packet waits for the ones before it.
  static var patience: Double { 3 }  // milliseconds
  static var mostHeld: Int { 32 }
  /// A number this far behind is a client that counts from the start again.
  static var restart: Int32 { 1_024 }

  private var next: Int32?
  private var held: [(number: Int32, packet: Packet, arrival: HostTime)] = []
  private(set) var repeats: UInt64 = 0
  private(set) var losses: UInt64 = 0

  /// Takes a packet in.
  /// - Returns: the packets to act on now, in order.
  mutating func receive(_ packet: Packet, number: Int32, at now: HostTime) -> [Packet] {
    guard let expected = next else {
      next = number &+ 1
      return [packet]
    }
    // Numbers wrap: compare the signed difference.
    let ahead = number &- expected
    if ahead == 0 {
      next = number &+ 1
      return [packet] + releaseInOrder()
    }
    if ahead < 0 {
      guard ahead < -SequenceWindow.restart else {
        repeats += 1
        return []
      }
      let late = held.map(\.packet)
      held = []
      next = number &+ 1
      return late + [packet]
    }
    guard !held.contains(where: { $0.number == number }) else {
      repeats += 1
      return []
    }
    let place = held.firstIndex { $0.number &- number > 0 } ?? held.count
    held.insert((number, packet, now), at: place)
    return held.count > SequenceWindow.mostHeld ? skipGap() : []
  }

  /// When `expire` wants to be called.
  var deadline: HostTime? { held.map(\.arrival).min()?.advanced(byMilliseconds: SequenceWindow.patience) }

  /// Gives up on packets that were waited for long enough.
  /// - Returns: the packets to act on now, in order.
  mutating func expire(at now: HostTime) -> [Packet] {
    var ready: [Packet] = []
    while let deadline, deadline <= now { ready += skipGap() }
    return ready
  }

  private mutating func skipGap() -> [Packet] {
    guard let first = held.first else { return [] }
    losses += 1
    next = first.number
    return releaseInOrder()
  }

  private mutating func releaseInOrder() -> [Packet] {
    var ready: [Packet] = []
    while let first = held.first, first.number == next {
      held.removeFirst()
      next = first.number &+ 1
      ready.append(first.packet)
    }
    return ready
  }
}
