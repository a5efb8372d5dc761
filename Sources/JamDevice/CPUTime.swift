internal import Glibc

/// Time spent computing. Thread: any. Real-time safe: one system call that waits for nothing.
enum CPUTime {
  /// Nanoseconds of CPU time that the calling thread has used.
  static var thread: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
