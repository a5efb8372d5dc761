/// A server of its own for a bench: on loopback, on free ports, with a kit that is easy to hear.
///
/// Thread: one.
final class ServerUnderTest {
  let process: ChildProcess
  let oscPort: UInt16
  let httpPort: UInt16
  private let kit: BenchKit

  /// Starts it and waits until it is ready.
  init() throws(ChildProcess.Failure) {
    kit = try BenchKit()
    process = try ChildProcess([
      "serve", "--osc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--media", "127.0.0.1:0", "--alsa", "none", "--kits",
      kit.folder,
    ])
    var ports: [String: UInt16] = [:]
    if let line = process.line(withinSeconds: 20), line.hasPrefix("ready ") {
      for word in line.split(separator: " ") {
        let parts = word.split(separator: "=")
        if parts.count == 2 { ports[String(parts[0])] = UInt16(parts[1]) }
      }
    }
    guard let osc = ports["osc"], let http = ports["http"] else {
      throw ChildProcess.Failure(description: "the server did not get ready")
    }
    oscPort = osc
    httpPort = http
  }

  /// The address of a stream.
  func url(_ target: String) -> String { "http://127.0.0.1:\(httpPort)\(target)" }
}
