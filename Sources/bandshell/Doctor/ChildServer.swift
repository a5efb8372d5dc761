import Glibc

/// A server of this same program on free loopback ports, for the doctor's test hit. It ends with the value.
///
/// Thread: one at a time.
final class ChildServer {
  let osc: UInt16
  let http: UInt16
  private let process: pid_t

  /// Starts it and waits for its `ready` line.
  /// - Throws: `TestHit.Trouble` with what it said instead.
  init(kitFolders: [String]) throws(TestHit.Trouble) {
    let folders = kitFolders.flatMap { ["--kits", $0] }
    let arguments =
      [
        "bandshell", "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa",
        "none",
      ]
      + folders
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { throw TestHit.Trouble("no pipe: \(SystemError.text(errno))") }
    defer { close(pipes[0]) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    posix_spawn_file_actions_addclose(&actions, pipes[0])
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/proc/self/exe", &actions, nil, words, environ)
    close(pipes[1])
    guard result == 0 else { throw TestHit.Trouble("no second server could be started: \(SystemError.text(result))") }
    self.process = process

    let line = ChildServer.line(from: pipes[0], milliseconds: 10_000)
    let ports = ChildServer.ports(line)
    osc = ports["osc"] ?? 0
    http = ports["http"] ?? 0
    guard osc > 0, http > 0 else {
      throw TestHit.Trouble("a second server did not start: run `bandshell serve` and see what it says")
    }
  }

  deinit {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }

  /// `ready osc=8000 http=8088 media=8089` by its names.
  static func ports(_ line: String) -> [String: UInt16] {
    var ports: [String: UInt16] = [:]
    guard line.hasPrefix("ready ") else { return ports }
    for word in line.split(separator: " ") {
      let parts = word.split(separator: "=")
      if parts.count == 2, let port = UInt16(parts[1]) { ports[String(parts[0])] = port }
    }
    return ports
  }

  private static func line(from descriptor: Int32, milliseconds: Int32) -> String {
    var bytes: [UInt8] = []
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while bytes.last != UInt8(ascii: "\n"), poll(&request, 1, milliseconds) > 0 {
      var byte: UInt8 = 0
      guard read(descriptor, &byte, 1) == 1 else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
