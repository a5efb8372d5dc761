/// A server of this program or of one beside it. It is independent of the machine: on free loopback
/// ports, without loudspeakers, and without a data folder.
///
/// Thread: any, but one at a time. The server ends with the last reference.
public final class ChildServer {
  public let process: ChildProcess
  public let ports: ReadyLine

  /// Starts the server and waits until it is ready.
  /// - Parameters:
  ///   - kitFolders: the folders of kits; the usual ones where this is empty.
  ///   - rooms: the rooms beside main.
  ///   - program: the path of `bandshell`; nil is this program itself.
  public init(
    kitFolders: [String] = [], rooms: [String] = [], more: [String] = [], program: String? = nil
  ) throws(ChildProcess.Failure) {
    process = try ChildProcess(
      "server",
      [
        "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none", "--data",
        "none", "--mdns", "off",
      ]
        + kitFolders.flatMap { ["--kits", $0] } + rooms.flatMap { ["--room", $0] } + more, program: program)
    guard let ports = process.line(withinSeconds: 20).flatMap(ReadyLine.init) else {
      throw ChildProcess.Failure(
        description: "a second server did not start: run `bandshell serve` and see what it says")
    }
    self.ports = ports
  }
}
