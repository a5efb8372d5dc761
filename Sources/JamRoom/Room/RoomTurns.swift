internal import JamCore
public import Synchronization

/// How long the turns of a room's thread take: a hit that comes in one waits for its end.
///
/// Thread: its thread writes, any may read.
public final class RoomTurns: Sendable {
  /// Of one part of all turns.
  public final class Part: Sendable {
    public let nanoseconds = Atomic<Int64>(0)
    /// The longest that it took in one turn.
    public let longest = Atomic<Int64>(0)

    /// Thread: the room's.
    func note(_ nanoseconds: Int64) {
      self.nanoseconds.wrappingAdd(nanoseconds, ordering: .relaxed)
      longest.max(nanoseconds, ordering: .relaxed)
    }
  }

  /// Whole turns.
  public let whole = Part()
  /// Reading the sockets.
  public let sockets = Part()
  /// What other threads handed in.
  public let inbox = Part()
  /// Turns by length: as many as took longer than each of `bounds`.
  private let longer: [Part]
  private let turns = Atomic<UInt64>(0)

  /// In nanoseconds.
  static let bounds: [Int64] = [500_000, 1_000_000, 2_000_000, 5_000_000, 20_000_000]

  init() { longer = RoomTurns.bounds.map { _ in Part() } }

  public var count: UInt64 { turns.load(ordering: .relaxed) }

  /// How many turns took longer than so many seconds.
  public var longerThan: [(seconds: Double, turns: Int64)] {
    zip(RoomTurns.bounds, longer).map { (Double($0) / 1e9, $1.nanoseconds.load(ordering: .relaxed)) }
  }

  /// Thread: the room's.
  func note(from start: HostTime, handled: HostTime, to end: HostTime) {
    let length = end.nanoseconds - start.nanoseconds
    turns.wrappingAdd(1, ordering: .relaxed)
    whole.note(length)
    sockets.note(handled.nanoseconds - start.nanoseconds)
    for (bound, part) in zip(RoomTurns.bounds, longer) where length > bound { part.note(1) }
  }
}
