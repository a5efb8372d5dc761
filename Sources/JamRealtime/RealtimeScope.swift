internal import CRealtime

/// Marks the stretch in which nothing may allocate, lock or call the kernel: the RealtimeSanitizer, where it is linked, stops
/// the process at the first that does.
///
/// Thread: the one that renders. Real-time safe.
public enum RealtimeScope {
  @_noLocks public static func enter() { jam_realtime_enter() }
  @_noLocks public static func exit() { jam_realtime_exit() }
}
