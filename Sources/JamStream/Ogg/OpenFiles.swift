internal import Glibc

/// How many files and connections the process may have open.
public enum OpenFiles {
  /// How many there may be at once.
  public static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Takes as many as the system lets it: each Ogg listener is one, and the usual limit of 1,024 is there for programs that
  /// use `select`. Thread: any.
  public static func raiseLimit() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
  }
}
