internal import Glibc
public import JamCore

/// The server's clock in timetags: CLOCK_MONOTONIC plus one offset, which is taken at the start.
///
/// The offset never changes. When the wall clock is set, the results of the clients' `/ping` stay
/// valid, and no timetag jumps.
/// Thread: any.
public struct ServerClock: Hashable, BitwiseCopyable, Sendable {
  /// The moment of `originTag`.
  private let origin: HostTime
  private let originTag: OSCTimetag

  /// - Parameters:
  ///   - origin: a moment on CLOCK_MONOTONIC.
  ///   - wallNanoseconds: the same moment, in nanoseconds since 1970.
  public init(origin: HostTime, wallNanoseconds: Int64) {
    self.origin = origin
    // NTP counts from 1900 (RFC 5905 §6).
    originTag = OSCTimetag(raw: 2_208_988_800 << 32).advanced(byNanoseconds: wallNanoseconds)
  }

  /// Reads both clocks now.
  public init() {
    var monotonic = timespec()
    var wall = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_REALTIME, &wall)
    self.init(
      origin: HostTime(nanoseconds: Int64(monotonic.tv_sec) * 1_000_000_000 + Int64(monotonic.tv_nsec)),
      wallNanoseconds: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec))
  }

  public func timetag(at time: HostTime) -> OSCTimetag {
    originTag.advanced(byNanoseconds: time.nanoseconds &- origin.nanoseconds)
  }

  /// The moment of `tag`, to the nanosecond. The result is meaningless for `immediate`.
  public func time(of tag: OSCTimetag) -> HostTime {
    origin.advanced(byNanoseconds: tag.nanoseconds(since: originTag))
  }
}
