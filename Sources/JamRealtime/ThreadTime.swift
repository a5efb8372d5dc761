internal import Glibc

/// CPU time of the calling thread: what work costs, however often the thread is interrupted in it.
///
/// Thread: any. Real-time safe: one system call that waits for nothing.
public enum ThreadTime {
  /// Nanoseconds that the thread has run.
  public static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
