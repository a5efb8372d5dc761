public import Glibc

/// Another process, mostly of this program. Its standard output is read line by line.
///
/// Thread: any, but one at a time. The process is ended with the last reference.
public final class ChildProcess {
  public let id: pid_t
  private let output: Int32
  private var pending: [UInt8] = []
  private var isReaped = false

  public struct Failure: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
  }

  /// Starts a program with other arguments.
  /// - Parameters:
  ///   - name: the program's name for errors.
  ///   - program: the program's path; nil is this program itself.
  public init(
    _ name: String, _ arguments: [String], program: String? = nil, showsErrors: Bool = false
  ) throws(Failure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw Failure(description: "no pipe: \(SystemError.text(errno))")
    }
    // The actions below make copies for the child, which stay open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    if !showsErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    let (id, code) = Spawn.start(
      program ?? "/proc/self/exe", [program ?? "bandshell"] + arguments, &actions)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw Failure(description: "no second \(name) could be started: \(SystemError.text(code))")
    }
    self.id = id
    output = ends[0]
  }

  deinit {
    stop()
    close(output)
  }

  /// The next line of the process's output; nil at its end, or when none came in time.
  public func line(withinSeconds seconds: Int) -> String? {
    var left = seconds * 10
    while left > 0 {
      if let end = pending.firstIndex(of: 10) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 100) > 0 else {
        left -= 1
        continue
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(output, &bytes, bytes.count)
      guard count > 0 else { return nil }
      pending += bytes.prefix(count)
    }
    return nil
  }

  /// Ends the process, and waits for its end.
  public func stop() {
    guard !isReaped else { return }
    isReaped = true
    kill(id, SIGTERM)
    for _ in 0..<50 {
      if waitpid(id, nil, WNOHANG) == id { return }
      usleep(100_000)
    }
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// The resources that an ended process has used.
  public struct Usage {
    public var isSuccess: Bool
    public var cpuSeconds: Double
    /// The most bytes of memory that were ever resident.
    public var mostBytes: Int
  }

  /// Waits for the process's end, however long that takes.
  public func end() -> Usage {
    while line(withinSeconds: 3_600) != nil {}
    var (status, usage): (Int32, rusage) = (0, rusage())
    guard !isReaped, wait4(id, &status, 0, &usage) == id else {
      return Usage(isSuccess: false, cpuSeconds: 0, mostBytes: 0)
    }
    isReaped = true
    let seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    return Usage(isSuccess: status == 0, cpuSeconds: seconds, mostBytes: usage.ru_maxrss * 1_024)
  }

  /// CPU time so far of the process's threads with that name, in seconds.
  public func cpuSeconds(ofThread name: String) -> Double {
    // The kernel keeps 15 characters of a thread's name.
    let name = String(name.prefix(15))
    guard let tasks = opendir("/proc/\(id)/task") else { return 0 }
    defer { closedir(tasks) }
    var nanoseconds = 0.0
    while let entry = readdir(tasks) {
      let task = "/proc/\(id)/task/" + withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
      guard ChildProcess.content(task + "/comm").dropLast() == name else { continue }
      nanoseconds += ChildProcess.content(task + "/schedstat").split(separator: " ").first.flatMap { Double($0) } ?? 0
    }
    return nanoseconds / 1e9
  }

  /// CPU time of the process so far, in seconds.
  public var cpuSeconds: Double {
    let fields = ChildProcess.content("/proc/\(id)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Bytes of memory that are resident now.
  public var residentBytes: Int {
    let fields = ChildProcess.content("/proc/\(id)/statm").split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
  }

  private static func content(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
