import ArgumentParser
import JamDoctor
import JamNet

/// Where a server listens: options that `serve` and `doctor` share.
struct PortOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("OSC over UDP and TCP. Port 0 takes a free one.", valueName: "host:port"))
  var osc = "*:8000"

  @Option(help: ArgumentHelp("The page and the streams.", valueName: "host:port"))
  var http = "*:8088"

  @Option(help: ArgumentHelp("RTP, over UDP.", valueName: "host:port"))
  var media = "*:8089"

  // Checked here, because an error that `run` throws is shown with the usage of another command.
  mutating func validate() throws {
    if let clash = try ports().clash { throw ValidationError(clash) }
  }

  /// - Throws: `ValidationError` that names the option.
  func ports() throws -> ServerPorts {
    ServerPorts(
      osc: try Listening(osc, option: "--osc"), http: try Listening(http, option: "--http"),
      media: try Listening(media, option: "--media"))
  }
}
