import ArgumentParser

/// The command line: what there is to say, and the exit codes of PROTOCOL.md.
@main
struct Bandshell: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bandshell",
    abstract: "A jam server: everybody hits pads, everybody hears the same mix.",
    discussion: """
      Start a server with `bandshell serve`, point an OSC controller at it, and open the page it prints.

      Exit codes: 0 fine, 64 wrong usage, 65 bad data, 69 a port or a device cannot be had, 70 our own bug.
      """,
    version: "bandshell \(Bandshell.version)",
    subcommands: [
      ServeCommand.self, ListenCommand.self, RenderCommand.self, KitsCommand.self, BenchCommand.self,
      DoctorCommand.self, ListenerLoadCommand.self,
    ],
    defaultSubcommand: nil)

  static let version = "0.1.0"
}
