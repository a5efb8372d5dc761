internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import Synchronization

/// The engines of one worker, and the work that is due for them at a given time. It never sleeps,
/// and reads no clock but the CPU's.
///
/// Thread: the worker.
struct RenderRound: ~Copyable {
  static let nanosecondsPerBuffer: Int64 = 2_500_000
  /// The most buffers that one engine may catch up before the others have their turn: 160 ms.
  static let burst = 64

  /// Buffers that a room renders at once while it is silent and nobody follows its tape: 20 ms.
  static let rest = 8

  private struct Place {
    let slot: UnsafeMutablePointer<SlotMemory>
    /// The slot is skipped until this time.
    var due = HostTime(nanoseconds: 0)
    /// Buffers that may be behind by then without being late.
    var resting = 0
  }

  private let places: UnsafeMutablePointer<Place>
  private let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    places = .allocate(capacity: capacity)
  }

  deinit { places.deallocate() }

  mutating func obey(_ request: SlotRequest) {
    switch request {
    case .add(let slot):
      precondition(count < capacity, "more engines than rooms")
      (places + count).initialize(to: Place(slot: slot))
      count += 1
    case .remove(let slot):
      for i in 0..<count where places[i].slot == slot {
        count -= 1
        places[i] = places[count]
        break
      }
      slot.pointee.isRemoved.store(true, ordering: .releasing)
    }
  }

  /// Removes all engines: the worker ends.
  mutating func dismiss() {
    while count > 0 { obey(.remove(places[0].slot)) }
  }

  /// Renders every buffer whose first frame is due at `now`, at most `burst` for each engine, and
  /// wakes their readers.
  /// - Returns: the time when the next buffer of any engine is due; in the past where a catch-up
  ///   was cut. Nil without an engine.
  mutating func render(at now: HostTime) -> HostTime? {
    var next: HostTime?
    // The clock is read only once between two rooms, because for an idle room the reading is most
    // of the cost.
    var clock = ThreadTime.nanoseconds
    for i in 0..<count {
      // A room that is not due is not touched, so that it stays out of the caches.
      if places[i].due <= now { RenderRound.render(&places[i], number: i, at: now, &clock) }
      if next.map({ places[i].due < $0 }) ?? true { next = places[i].due }
    }
    return next
  }

  private static func render(_ place: inout Place, number: Int, at now: HostTime, _ clock: inout Int64) {
    let slot = place.slot
    let tape = slot.pointee.tape
    let anchor = slot.pointee.anchor
    let behind = anchor.frame(at: now).count - tape.end.count
    guard behind >= 0 else { return place.due = anchor.time(of: tape.end) }

    // The buffer that begins now is on time, and so are those of a rest; each other one before it
    // is late.
    let due = Int(behind / Frames.perBuffer) + 1
    let buffers = min(due, burst)
    let start = clock
    for _ in 0..<buffers { slot.pointee.engine.pointee.render() }
    clock = ThreadTime.nanoseconds
    slot.pointee.load.note(nanoseconds: Int(clock - start), buffers: buffers)

    slot.pointee.renderedBuffers.wrappingAdd(buffers, ordering: .relaxed)
    slot.pointee.lateBuffers.wrappingAdd(max(0, min(due - 1 - place.resting, buffers)), ordering: .relaxed)
    if buffers < due { slot.pointee.cutCatchUps.wrappingAdd(1, ordering: .relaxed) }
    slot.pointee.wake._withUnsafeGuaranteedRef { $0.raise() }
    place.resting = 0
    if buffers == due, !tape.isFollowed, slot.pointee.engine.pointee.isAtRest {
      // Each room renders at another time, so that they do not all come at once.
      place.resting = rest - 1 - (Int(tape.end.count / Frames.perBuffer) + number) % rest
    }
    place.due = anchor.time(of: tape.end + Frames(Int64(place.resting) * Frames.perBuffer))
  }
}

/// A request to a worker: plain data on a ring.
enum SlotRequest: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the sender of a slot keeps its memory until `isRemoved` is set.
  case add(UnsafeMutablePointer<SlotMemory>)
  case remove(UnsafeMutablePointer<SlotMemory>)
}
