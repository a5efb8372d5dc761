import Glibc

/// A program of the system that has run to its end, with its standard output.
///
/// Thread: any that may wait.
struct SystemCommand {
  var status: Int32
  var output: String

  /// The folders of administration programs, which may be missing in PATH.
  private static let folders = ["/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/local/bin"]

  static func path(of program: String) -> String? {
    folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// - Returns: nil where there is no such program, or it could not be started.
  static func run(_ program: String, _ arguments: String...) -> SystemCommand? {
    guard let path = path(of: program) else { return nil }
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { return nil }
    defer { close(pipes[0]) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, pipes[0])

    var process: pid_t = 0
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let result = posix_spawn(&process, path, &actions, nil, words, environ)
    close(pipes[1])
    guard result == 0 else { return nil }

    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(pipes[0], &chunk, chunk.count)
      guard count > 0 else { break }
      output += chunk[0..<count]
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return SystemCommand(status: status >> 8 & 0xff, output: String(decoding: output, as: UTF8.self))
  }
}
