internal import Glibc
public import JamCore
public import JamEngine
public import JamRealtime
internal import Synchronization

/// The render threads of the server. Each pulls its share of the rooms' engines, one buffer at a
/// time, when the buffer's first frame is due.
///
/// A late wake-up is caught up and counted. Rooms come and go while others play; no worker ever
/// waits for them.
/// Thread: any, except for `start` and `stop`, which belong to the composition root.
public final class RenderWorkers: Sendable {
  private struct Table {
    var slots: [ObjectIdentifier: EngineSlot] = [:]
    var isRunning = false
  }

  private let workers: [RenderWorker]
  private let origin: HostTime
  private let table = Mutex(Table())

  /// One worker for every core except one, which serves sockets and encoders.
  public static var standardCount: Int { Swift.max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1) }

  /// - Parameters:
  ///   - origin: the time when the server's frame 0 was due. The buffers of all rooms are due in
  ///     step with it.
  public init(count: Int = RenderWorkers.standardCount, origin: HostTime, limits: Limits = .standard) {
    workers = (0..<Swift.max(1, count)).map { RenderWorker(name: "render \($0)", capacity: limits.rooms) }
    self.origin = origin
  }

  deinit { stop() }

  public var count: Int { workers.count }

  /// Starts the threads.
  /// - Returns: nil, or a text for the log that says that real-time scheduling was refused, and how
  ///   to grant it.
  public func start() -> String? {
    let right = RealtimeRight.current
    var refusal: Int32?
    for worker in workers { refusal = worker.start(priority: right.priority) ?? refusal }
    table.withLock { $0.isRunning = true }
    return right.warning(refusal: refusal)
  }

  /// Ends the threads and lets every engine go. Call it once; the threads cannot be started again.
  public func stop() {
    table.withLock { $0.isRunning = false }
    for worker in workers { worker.stop() }
    table.withLock { $0.slots = [:] }
  }

  /// The clock of a room that opens at `time`. Its buffers are due together with those of the other
  /// rooms, so that a worker wakes once for all.
  public func anchor(openingAt time: HostTime) -> ClockAnchor {
    let since = Swift.max(0, time.nanoseconds - origin.nanoseconds)
    let buffers = (since + RenderRound.nanosecondsPerBuffer - 1) / RenderRound.nanosecondsPerBuffer
    return ClockAnchor(origin: origin.advanced(byNanoseconds: buffers * RenderRound.nanosecondsPerBuffer))
  }

  /// Gives an engine to the worker that has the fewest. Keep its rings until `remove` or `stop` has
  /// returned; the slot keeps the rest.
  /// - Parameters:
  ///   - tape: the tape that the engine writes; its end tells which buffer comes next.
  ///   - wake: raised after each round in which the tape grew.
  public func add(_ engine: EngineOwner, tape: MixTapeOwner, anchor: ClockAnchor, wake: WakeSignal) -> EngineSlot {
    table.withLock { table in
      var taken = [Int](repeating: 0, count: workers.count)
      for slot in table.slots.values { taken[slot.worker] += 1 }
      let worker = taken.indices.min { taken[$0] < taken[$1] } ?? 0
      let slot = EngineSlot(engine: engine, tape: tape, anchor: anchor, wake: wake, worker: worker)
      table.slots[ObjectIdentifier(slot)] = slot
      workers[worker].add(slot.memory)
      return slot
    }
  }

  /// Takes an engine off its worker. When this returns, nobody renders the engine any more. It
  /// waits for the worker: at most a buffer's time, on a machine that keeps up.
  public func remove(_ slot: EngineSlot) {
    let isRunning = table.withLock { table in
      guard table.slots[ObjectIdentifier(slot)] != nil else { return false }
      workers[slot.worker].remove(slot.memory)
      return table.isRunning
    }
    // Before the start no worker answers, so the slot stays in the table until the end.
    guard isRunning else { return }
    workers[slot.worker].waitUntilRemoved(slot.memory)
    table.withLock { $0.slots[ObjectIdentifier(slot)] = nil }
  }

  /// Makes every worker's next sleep end this much too late, as on a busy machine: for tests.
  public func oversleep(milliseconds: Double) {
    for worker in workers { worker.oversleep(nanoseconds: Int64(milliseconds * 1_000_000)) }
  }
}
