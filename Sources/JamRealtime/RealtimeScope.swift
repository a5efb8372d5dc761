internal import CRealtime

/// Marks a section in which no code may allocate, lock or call the kernel. Where the
/// RealtimeSanitizer is linked, it stops the process at the first violation.
///
/// Thread: the one that renders. Real-time safe.
public enum RealtimeScope {
  @_noLocks public static func enter() { jam_realtime_enter() }
  @_noLocks public static func exit() { jam_realtime_exit() }
}
