internal import Glibc
public import JamCore

/// The difference between a clock that counts from 1900 and CLOCK_MONOTONIC.
public struct WallClock: Hashable, BitwiseCopyable, Sendable {
  public let offsetNanoseconds: Int64

  public init(offsetNanoseconds: Int64) { self.offsetNanoseconds = offsetNanoseconds }

  /// The clock that shows `ntp` at `time`. A server uses one such clock from its start to its end.
  public init(ntp: NTPTime, at time: HostTime) { offsetNanoseconds = ntp.unixNanoseconds &- time.nanoseconds }

  /// The wall clock as it is set now. Thread: any.
  public static var current: WallClock {
    var wall = timespec()
    var host = timespec()
    clock_gettime(CLOCK_MONOTONIC, &host)
    clock_gettime(CLOCK_REALTIME, &wall)
    return WallClock(
      offsetNanoseconds: (Int64(wall.tv_sec) - Int64(host.tv_sec)) * 1_000_000_000 + Int64(wall.tv_nsec)
        - Int64(host.tv_nsec))
  }

  public func ntp(at time: HostTime) -> NTPTime {
    NTPTime(unixNanoseconds: time.nanoseconds &+ offsetNanoseconds)
  }
}
