internal import Glibc
public import JamCore

/// The server's clock in timetags: CLOCK_MONOTONIC plus one offset, which is taken at the start.
///
/// The offset never changes. When the wall clock is set, the results of the clients' `/ping` stay
/// valid, and no timetag jumps. `WallClockWatch` follows the wall clock for senders that never ping.
/// Thread: any.
public struct ServerClock: Hashable, BitwiseCopyable, Sendable {
  /// The moment of `originTag`.
  private let origin: HostTime
  private let originTag: OSCTimetag

  /// - Parameters:
  ///   - origin: a moment on CLOCK_MONOTONIC.
  ///   - wallNanoseconds: the same moment, in nanoseconds since 1970.
  public init(origin: HostTime, wallNanoseconds: Int64) {
    self.init(origin: origin, originTag: OSCTimetag(unixNanoseconds: wallNanoseconds))
  }

  private init(origin: HostTime, originTag: OSCTimetag) {
    self.origin = origin
    self.originTag = originTag
  }

  /// Reads both clocks now.
  public init() {
    let (origin, wall) = ServerClock.now()
    self.init(origin: origin, wallNanoseconds: wall)
  }

  /// The same moment on CLOCK_MONOTONIC, and on the wall clock in nanoseconds since 1970.
  public static func now() -> (time: HostTime, wallNanoseconds: Int64) {
    var monotonic = timespec()
    var wall = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_REALTIME, &wall)
    return (
      HostTime(nanoseconds: Int64(monotonic.tv_sec) * 1_000_000_000 + Int64(monotonic.tv_nsec)),
      Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
    )
  }

  /// The clock that is so far ahead of this one.
  func advanced(byNanoseconds nanoseconds: Int64) -> ServerClock {
    ServerClock(origin: origin, originTag: originTag.advanced(byNanoseconds: nanoseconds))
  }

  public func timetag(at time: HostTime) -> OSCTimetag {
    originTag.advanced(byNanoseconds: time.nanoseconds &- origin.nanoseconds)
  }

  /// The moment of `tag`, to the nanosecond. The result is meaningless for `immediate`.
  public func time(of tag: OSCTimetag) -> HostTime {
    origin.advanced(byNanoseconds: tag.nanoseconds(since: originTag))
  }
}
