internal import CRealtime
public import JamCore

extension HostTime {
  /// CLOCK_MONOTONIC now. Thread: any. Real-time safe.
  public static var now: HostTime { HostTime(nanoseconds: jam_monotonic_now()) }
}
