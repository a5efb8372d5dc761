internal import JamCore
public import Synchronization

/// The lengths of turns of a room's thread: a hit that comes in one waits for its end.
///
/// The length of a turn by the clock holds what others took of the core meanwhile. The thread's own
/// CPU time does not, so it tells on a busy machine, too, what the room itself costs.
/// Thread: its thread writes, any may read.
public final class RoomTurns: Sendable {
  /// Of one part of all turns.
  public final class Part: Sendable {
    public let nanoseconds = Atomic<Int64>(0)
    /// The longest that it took in one turn.
    public let longest = Atomic<Int64>(0)
    /// The longest since `takeLongest`.
    private let latest = Atomic<Int64>(0)

    /// The longest that it took in one turn since the last call, in nanoseconds; 0 where there was
    /// no turn. The first call tells of all turns until then.
    public func takeLongest() -> Int64 { latest.exchange(0, ordering: .relaxed) }

    /// Thread: the room's.
    func note(_ nanoseconds: Int64) {
      self.nanoseconds.wrappingAdd(nanoseconds, ordering: .relaxed)
      longest.max(nanoseconds, ordering: .relaxed)
      latest.max(nanoseconds, ordering: .relaxed)
    }
  }

  /// Turns by length: as many as took longer than each of `bounds`.
  private struct Counts: Sendable {
    private let counts: [Part] = RoomTurns.bounds.map { _ in Part() }

    var all: [(seconds: Double, turns: Int64)] {
      zip(RoomTurns.bounds, counts).map {
        (Double($0) / 1e9, $1.nanoseconds.load(ordering: .relaxed))
      }
    }

    /// Thread: the room's.
    func note(_ length: Int64) {
      for (bound, part) in zip(RoomTurns.bounds, counts) where length > bound { part.note(1) }
    }
  }

  /// Whole turns.
  public let whole = Part()
  /// The thread's own CPU time in whole turns, with the wait that begins each.
  public let computing = Part()
  /// Reading the sockets.
  public let sockets = Part()
  /// Calls from other threads.
  public let inbox = Part()
  private let long = Counts()
  private let longComputing = Counts()
  private let turns = Atomic<UInt64>(0)

  /// In nanoseconds.
  static let bounds: [Int64] = [500_000, 1_000_000, 2_000_000, 5_000_000, 20_000_000]

  init() {}

  public var count: UInt64 { turns.load(ordering: .relaxed) }

  /// The number of turns longer than so many seconds.
  public var longerThan: [(seconds: Double, turns: Int64)] { long.all }

  /// The number of turns with more than so many seconds of the thread's own CPU time.
  public var computedLongerThan: [(seconds: Double, turns: Int64)] { longComputing.all }

  /// - Parameter computed: the nanoseconds of its CPU time that the thread has spent in the turn.
  ///
  /// Thread: the room's.
  func note(from start: HostTime, handled: HostTime, to end: HostTime, computed: Int64) {
    let length = end.nanoseconds - start.nanoseconds
    turns.wrappingAdd(1, ordering: .relaxed)
    whole.note(length)
    computing.note(computed)
    sockets.note(handled.nanoseconds - start.nanoseconds)
    long.note(length)
    longComputing.note(computed)
  }
}
