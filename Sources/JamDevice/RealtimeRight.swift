internal import Glibc

/// Whether this process may schedule in real time, and how to grant it.
///
/// - Source: sched(7), "Privileges and resource limits".
public struct RealtimeRight: Sendable {
  /// The SCHED_FIFO priority to ask for: below the kernel's own threads, within the limit that the
  /// system sets for ordinary users.
  public let priority: Int

  public static var current: RealtimeRight {
    let wanted = 70
    var limit = rlimit()
    let known = getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit) == 0
    // A limit of 0 only binds processes without CAP_SYS_NICE, so it is worth asking.
    guard known, limit.rlim_cur > 0, limit.rlim_cur < wanted else { return RealtimeRight(priority: wanted) }
    return RealtimeRight(priority: Int(limit.rlim_cur))
  }

  /// Tries the priority on a thread of its own, which ends at once. Thread: any but a real-time
  /// one.
  /// - Returns: nil where it is granted, else the text of `warning`.
  public func check() -> String? {
    let probe = RenderWorker(name: "render probe", capacity: 1)
    let refusal = probe.start(priority: priority)
    probe.stop()
    return warning(refusal: refusal)
  }

  func warning(refusal: Int32?) -> String? {
    guard let refusal else { return nil }
    return
      "real-time scheduling was refused (\(String(cString: strerror(refusal)))): sound may come late when the machine "
      + "is busy. To grant it, run `sudo setcap cap_sys_nice+ep \(RealtimeRight.program)` after each build, or add the "
      + "line `\(RealtimeRight.user) - rtprio \(priority)` to /etc/security/limits.conf and log in again; "
      + "in a container, start it with `--cap-add SYS_NICE`"
  }

  private static var program: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      let length = readlink("/proc/self/exe", buffer.baseAddress!, Int(PATH_MAX))
      guard length > 0 else { return "bandshell" }
      buffer[length] = 0
      return String(cString: buffer.baseAddress!)
    }
  }

  private static var user: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "*" }
    return String(cString: name)
  }
}
