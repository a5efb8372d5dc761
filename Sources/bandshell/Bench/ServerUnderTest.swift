/// A server of its own for a bench, with a kit that is easy to hear.
///
/// Thread: one.
final class ServerUnderTest {
  // First to go: it reads the kit's folder.
  private let server: ChildServer
  private let kit: BenchKit

  /// Starts it and waits until it is ready.
  init() throws(ChildProcess.Failure) {
    kit = try BenchKit()
    server = try ChildServer(kitFolders: [kit.folder])
  }

  var process: ChildProcess { server.process }
  var oscPort: UInt16 { server.ports.osc }

  /// The address of a stream.
  func url(_ target: String) -> String { "http://127.0.0.1:\(server.ports.http)\(target)" }
}
