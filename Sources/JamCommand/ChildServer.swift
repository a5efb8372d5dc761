/// A server of this same program or of one beside it, with nothing of the outside: on free loopback ports, without loudspeakers.
///
/// Thread: one at a time. It ends with the last reference.
public final class ChildServer {
  public let process: ChildProcess
  public let ports: ReadyLine

  /// Starts it and waits until it is ready.
  /// - Parameters:
  ///   - kitFolders: none: the usual ones.
  ///   - rooms: beside main.
  ///   - program: the path of `bandshell`; nil is this very program.
  public init(
    kitFolders: [String] = [], rooms: [String] = [], more: [String] = [], program: String? = nil
  ) throws(ChildProcess.Failure) {
    process = try ChildProcess(
      "server",
      [
        "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none", "--data",
        "none",
      ]
        + kitFolders.flatMap { ["--kits", $0] } + rooms.flatMap { ["--room", $0] } + more, program: program)
    guard let ports = process.line(withinSeconds: 20).flatMap(ReadyLine.init) else {
      throw ChildProcess.Failure(
        description: "a second server did not start: run `bandshell serve` and see what it says")
    }
    self.ports = ports
  }
}
