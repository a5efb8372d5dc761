public import JamCore

/// Notices that the machine's wall clock was set, and follows it once it has settled.
///
/// CLOCK_MONOTONIC is slewed together with the wall clock, so their difference is constant until
/// somebody sets the wall clock (NTP after the start of a small board) or the machine sleeps.
/// Thread: one.
public struct WallClockWatch: Sendable {
  /// The server's clock. It never changes.
  public let server: ServerClock
  /// The wall clock as it was when it last held still.
  public private(set) var wall: ServerClock
  public private(set) var report = ClockReport()

  /// The difference of the clocks at the last look, less the difference at the start.
  private var seen: Int64 = 0
  /// When the difference last changed at once; nil while nothing has to settle.
  private var changed: HostTime?

  /// A smaller change between two looks is no step.
  static let leastStep: Int64 = 50_000_000
  /// A step counts when the difference has held for this time.
  static let settlingMilliseconds = 3_000.0

  public init(_ server: ServerClock) {
    self.server = server
    wall = server
  }

  /// Looks at both clocks. Call it about once a second, or more often.
  /// - Parameters:
  ///   - wallNanoseconds: the wall clock at `now`, in nanoseconds since 1970.
  /// - Returns: the step that is followed from now on.
  public mutating func look(at now: HostTime, wallNanoseconds: Int64) -> ClockStep? {
    let tag = OSCTimetag(unixNanoseconds: wallNanoseconds)
    let ahead = tag.nanoseconds(since: server.timetag(at: now))
    if (ahead &- seen).magnitude > UInt64(WallClockWatch.leastStep) { changed = now }
    seen = ahead
    guard let time = changed, now.milliseconds(since: time) >= WallClockWatch.settlingMilliseconds else { return nil }
    changed = nil
    let step = ClockStep(nanoseconds: ahead &- report.aheadNanoseconds, time: time)
    // The clock was set back to where it was, or one look was interrupted.
    guard step.nanoseconds.magnitude > UInt64(WallClockWatch.leastStep) else { return nil }
    wall = server.advanced(byNanoseconds: ahead)
    report.steps += 1
    report.aheadNanoseconds = ahead
    report.last = step
    return step
  }

  /// The clock for the timetags of a sender. One that pinged has the server's clock, any other one
  /// the wall clock.
  public func clock(hasPinged: Bool) -> TimetagClock {
    hasPinged ? TimetagClock(server, or: wall) : TimetagClock(wall, or: server)
  }
}
