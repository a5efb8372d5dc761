internal import Glibc

/// The number of files and connections that the process may have open.
public enum OpenFiles {
  /// The present limit.
  public static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit as far as the system allows. Each Ogg listener needs a connection, and the
  /// usual limit of 1,024 only serves programs that use `select`. Thread: any.
  public static func raiseLimit() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
  }
}
