internal import Glibc

/// CPU time of the calling thread: the cost of its work, without the time in which the thread is
/// interrupted.
///
/// Thread: any. Real-time safe: one system call that never waits.
public enum ThreadTime {
  /// The nanoseconds for which the thread has run.
  public static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
