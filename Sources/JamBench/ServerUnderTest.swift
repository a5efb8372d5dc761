internal import JamCommand

/// A server of a bench's own, with a kit that is easy to hear.
///
/// Thread: one.
final class ServerUnderTest {
  // The server has to be released before the kit, because it reads the kit's folder.
  private let server: ChildServer
  private let kit: BenchKit

  /// Starts the server and waits until it is ready.
  /// - Parameters:
  ///   - folders: folders of other kits beside the bench's own.
  ///   - more: options of `bandshell serve`.
  init(besides folders: [String] = [], more: [String] = []) throws(ChildProcess.Failure) {
    kit = try BenchKit()
    server = try TestedProgram.server(kitFolders: [kit.folder] + folders, more: more)
  }

  /// The value of the metric `name` (without `bandshell_`), summed over all rooms; nil where
  /// `/metrics` does not have it.
  func metric(_ name: String) -> Double? {
    ServerFigures(port: server.ports.http)?.sum(name)
  }

  var process: ChildProcess { server.process }
  var oscPort: UInt16 { server.ports.osc }
  var httpPort: UInt16 { server.ports.http }

  /// The address of a stream.
  func url(_ target: String) -> String { "http://127.0.0.1:\(server.ports.http)\(target)" }
}
