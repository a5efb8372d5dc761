internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import Synchronization

/// One worker's engines, and what is to be done for them at a given time. It sleeps nowhere and reads no clock but the CPU's.
///
/// Thread: the worker.
struct RenderRound: ~Copyable {
  static let nanosecondsPerBuffer: Int64 = 2_500_000
  /// Buffers that one engine may catch up before the others have their turn: 160 ms.
  static let burst = 64

  private let seats: UnsafeMutablePointer<UnsafeMutablePointer<SeatMemory>>
  private let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    seats = .allocate(capacity: capacity)
  }

  deinit { seats.deallocate() }

  mutating func obey(_ request: SeatRequest) {
    switch request {
    case .sit(let seat):
      precondition(count < capacity, "more engines than rooms")
      (seats + count).initialize(to: seat)
      count += 1
    case .leave(let seat):
      for i in 0..<count where seats[i] == seat {
        count -= 1
        seats[i] = seats[count]
        break
      }
      seat.pointee.hasLeft.store(true, ordering: .releasing)
    }
  }

  /// Everybody leaves: the worker ends.
  mutating func dismiss() {
    while count > 0 { obey(.leave(seats[0])) }
  }

  /// Renders every buffer whose first frame is due at `now`, at most `burst` for each engine, and wakes their readers.
  /// - Returns: when the next buffer of any engine is due; in the past where a catch-up was cut. Nil without an engine.
  mutating func render(at now: HostTime) -> HostTime? {
    var next: HostTime?
    // Read once between two rooms: of an idle one, reading it is most of the cost.
    var clock = CPUTime.thread
    for i in 0..<count {
      let due = RenderRound.render(seats[i], at: now, &clock)
      if next.map({ due < $0 }) ?? true { next = due }
    }
    return next
  }

  private static func render(
    _ seat: UnsafeMutablePointer<SeatMemory>, at now: HostTime, _ clock: inout Int64
  ) -> HostTime {
    let tape = seat.pointee.tape
    let anchor = seat.pointee.anchor
    let behind = anchor.frame(at: now).count - tape.end.count
    guard behind >= 0 else { return anchor.time(of: tape.end) }

    // The buffer that begins now is on time; each one before it is late.
    let due = Int(behind / Frames.perBuffer) + 1
    let buffers = min(due, burst)
    let start = clock
    for _ in 0..<buffers { seat.pointee.engine.pointee.render() }
    clock = CPUTime.thread
    seat.pointee.load.note(nanoseconds: Int(clock - start), buffers: buffers)

    seat.pointee.renderedBuffers.wrappingAdd(buffers, ordering: .relaxed)
    seat.pointee.lateBuffers.wrappingAdd(min(due - 1, buffers), ordering: .relaxed)
    if buffers < due { seat.pointee.cutCatchUps.wrappingAdd(1, ordering: .relaxed) }
    seat.pointee.wake._withUnsafeGuaranteedRef { $0.raise() }
    return anchor.time(of: tape.end)
  }
}

/// What a worker is told: plain data on a ring.
enum SeatRequest: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: whoever sends a seat keeps its memory until `hasLeft` is set.
  case sit(UnsafeMutablePointer<SeatMemory>)
  case leave(UnsafeMutablePointer<SeatMemory>)
}
