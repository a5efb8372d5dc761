internal import JamCore

/// Sorts a client's numbered packets: a packet is in order, waits for others, or came before.
///
/// A client may send each bundle twice, a network may change the order, and a program may restart
/// at 1. A missing packet is awaited for as long as Wi-Fi takes to repeat a packet. Then it counts
/// as lost, and if it comes later it is late.
/// A machine without I/O. Thread: one at a time.
struct SequenceWindow<Packet> {
  /// How long a packet waits for the ones before it, in milliseconds.
  static var patience: Double { 20 }
  static var mostHeld: Int { 128 }
  /// A number this far behind means that the client counts from the start again.
  static var restart: Int32 { 1_024 }
  /// The number of remembered numbers.
  private static var memory: Int { 128 }
  /// Within this many milliseconds, an equal number is the same packet.
  private static var sameNumber: Double { 100 }
  /// Within this many milliseconds, an equal number with equal bytes is the same packet.
  private static var sameBytes: Double { 1_500 }
  /// A copy that comes later than this many milliseconds was delayed. If another such copy follows,
  /// and nothing new comes between them, the client has started to count again.
  private static var promptCopy: Double { 250 }
  /// After this many milliseconds a missing number is not late, but belongs to a new count.
  private static var latest: Double { 1_000 }
  /// How many numbers before the first number of a count may still come after it.
  private static var before: Int32 { 16 }

  /// The place of a packet in the sequence.
  enum Place {
    /// Act on the packet now, and then on the packets from `releaseInOrder`.
    case due
    /// Packets before it are missing. Act on the parts that cannot wait, and pass the rest to
    /// `hold`.
    case early
    /// The packet was given up so many milliseconds ago.
    case late(milliseconds: Double)
    case repeated
    /// A new count begins with this packet. Act first on the packets that waited in the old count.
    case restart([Packet])
  }

  private struct Known {
    enum State { case came, missing, beforeTheFirst }
    var number: Int32
    var state: State
    var digest = 0
    /// When the packet came, or was found to be missing.
    var time: HostTime
  }

  /// The next number in order; nil before the first packet.
  private var next: Int32?
  private var highest: Int32 = 0
  /// The newest numbers, each at its number's remainder.
  private var known: [Known?] = []
  private var lastNews = HostTime(nanoseconds: 0)
  private var lastMissing: HostTime?
  /// The number of a delayed copy, with no new number since.
  private var heldUp: Int32?
  private var held: [(number: Int32, packet: Packet, arrival: HostTime)] = []
  /// The count of numbers that were given up.
  private(set) var losses: UInt64 = 0

  /// Finds a packet's place and remembers the packet.
  /// - Parameters:
  ///   - digest: a hash of the packet's bytes.
  ///   - beginsAnew: whether the packet says that its sender has restarted, as `/hello` does.
  mutating func place(of number: Int32, digest: Int, beginsAnew: Bool = false, at now: HostTime) -> Place {
    guard let expected = next else {
      begin(at: number, digest, now)
      return .due
    }
    // Numbers wrap, so the signed difference is compared.
    let ahead = number &- expected
    if let earlier = entry(number) {
      let age = now.milliseconds(since: earlier.time)
      switch earlier.state {
      case .came:
        let isCopy =
          age < Self.sameNumber
          || earlier.digest == digest && age < (beginsAnew ? Self.promptCopy : Self.sameBytes)
        let isAnother = age >= Self.promptCopy && heldUp.map { $0 != number } == true
        guard isCopy, !isAnother else { return beginAnew(number, digest, now) }
        if age >= Self.promptCopy { heldUp = number }
        return .repeated
      case .missing where ahead < 0:
        guard age < Self.latest else { return beginAnew(number, digest, now) }
        note(number, digest, now)
        return .late(milliseconds: age)
      case .beforeTheFirst:
        guard age < Self.latest else { return beginAnew(number, digest, now) }
        note(number, digest, now)
        return .due
      case .missing: break
      }
    } else if ahead < 0 {
      // The number is older than all remembered ones, so it is unknown whether the packet came
      // before.
      guard ahead < -Self.restart || now.milliseconds(since: lastNews) >= Self.sameBytes else { return .repeated }
      return beginAnew(number, digest, now)
    }
    note(number, digest, now)
    guard ahead > 0 else {
      next = number &+ 1
      return .due
    }
    return .early
  }

  /// Stores the rest of an early packet.
  /// - Returns: the packets to act on now, in order. Where too many packets wait, a gap is given
  ///   up.
  mutating func hold(_ packet: Packet, number: Int32, at now: HostTime) -> [Packet] {
    let place = held.firstIndex { $0.number &- number > 0 } ?? held.count
    held.insert((number, packet, now), at: place)
    return held.count > Self.mostHeld ? skipGap() : []
  }

  /// When `expire` must be called.
  var deadline: HostTime? { held.map(\.arrival).min()?.advanced(byMilliseconds: Self.patience) }

  /// Whether a missing number may still come.
  func hasGaps(at now: HostTime) -> Bool { lastMissing.map { now.milliseconds(since: $0) < Self.latest } ?? false }

  /// Gives up packets that were awaited for long enough.
  /// - Returns: the packets to act on now, in order.
  mutating func expire(at now: HostTime) -> [Packet] {
    var ready: [Packet] = []
    while let deadline, deadline <= now { ready += skipGap() }
    return ready
  }

  /// Gives up all missing packets.
  /// - Returns: the packets to act on now, in order.
  mutating func giveUp() -> [Packet] {
    var ready: [Packet] = []
    while !held.isEmpty { ready += skipGap() }
    return ready
  }

  /// The waiting packets that are next in order.
  mutating func releaseInOrder() -> [Packet] {
    var ready: [Packet] = []
    while let first = held.first, first.number == next {
      held.removeFirst()
      next = first.number &+ 1
      ready.append(first.packet)
    }
    return ready
  }

  private mutating func skipGap() -> [Packet] {
    guard let first = held.first, let expected = next else { return [] }
    losses += UInt64(max(0, Int64(first.number &- expected)))
    next = first.number
    return releaseInOrder()
  }

  private mutating func beginAnew(_ number: Int32, _ digest: Int, _ now: HostTime) -> Place {
    let waiting = held.map(\.packet)
    held = []
    begin(at: number, digest, now)
    return .restart(waiting)
  }

  private mutating func begin(at number: Int32, _ digest: Int, _ now: HostTime) {
    known = [Known?](repeating: nil, count: Self.memory)
    (next, highest, lastMissing) = (number &+ 1, number, nil)
    for i in 1...Self.before { remember(Known(number: number &- i, state: .beforeTheFirst, time: now)) }
    note(number, digest, now)
  }

  /// Stores that the number has come.
  private mutating func note(_ number: Int32, _ digest: Int, _ now: HostTime) {
    let skipped = Int(number &- highest) - 1
    if skipped > 0 {
      for i in 0..<min(skipped, Self.memory - 1) {
        remember(Known(number: number &- 1 &- Int32(i), state: .missing, time: now))
      }
      lastMissing = now
    }
    if skipped >= 0 { highest = number }
    remember(Known(number: number, state: .came, digest: digest, time: now))
    (lastNews, heldUp) = (now, nil)
  }

  private mutating func remember(_ entry: Known) { known[Self.slot(entry.number)] = entry }

  private func entry(_ number: Int32) -> Known? { known[Self.slot(number)].flatMap { $0.number == number ? $0 : nil } }

  private static func slot(_ number: Int32) -> Int { Int(UInt32(bitPattern: number)) % memory }
}
