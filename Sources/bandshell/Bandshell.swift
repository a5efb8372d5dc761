import ArgumentParser
import CProcess
import Dispatch
import Glibc
import JamCommand
import JamServer

/// The process begins here.
@main
enum Program {
  /// `main` is not `async`, because the runtime would then start its threads before the check.
  /// Without a file the runtime traps, and without a thread it waits for ever, without a message.
  static func main() {
    do throws(StartError) {
      try StartProbe.checkRuntime()
    } catch {
      Console.error(error.text)
      Bandshell.exit(withError: error.exitCode)
    }
    Task { @MainActor in
      await Bandshell.main()
      exit(EXIT_SUCCESS)
    }
    dispatchMain()
  }
}

/// The command line: its commands, its help, and the exit codes of PROTOCOL.md.
struct Bandshell: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bandshell",
    abstract: "A jam server: everybody hits pads, everybody hears the same mix.",
    discussion: """
      Start a server with `bandshell serve`, point an OSC controller at it, and open the page it prints.

      Exit codes: 0 fine, 64 wrong usage, 65 bad data, 69 a port or a device cannot be had, 70 our own bug.
      """,
    version: "bandshell \(Version.text)" + build,
    subcommands: [
      ServeCommand.self, ListenCommand.self, RenderCommand.self, ProjectsCommand.self, TakesCommand.self,
      ExportCommand.self, KitsCommand.self, InstrumentsCommand.self, BlocksCommand.self,
      BenchStart.self, DoctorCommand.self, MonitorCommand.self, MakeCommand.self,
      JamAlongCommand.self,
    ],
    defaultSubcommand: nil)

  /// The commit that the program was built from, and its date, in brackets; empty where the build did
  /// not name them.
  private static var build: String {
    let text = String(cString: jam_build())
    return text.isEmpty ? "" : " (\(text))"
  }
}
