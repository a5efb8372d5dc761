import Glibc

/// The limit of open files: each listener is one.
enum OpenFiles {
  /// Raises the limit as far as this process may.
  static func raiseLimit() {
    var limit = rlimit()
    // A different type in the headers than in the function on Glibc.
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
