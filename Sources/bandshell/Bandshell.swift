import ArgumentParser
import CProcess
import Dispatch
import Glibc
import JamCommand

/// Where the process begins.
@main
enum Program {
  /// Not `async`: the runtime would be at work before the check, and it traps where it gets no file,
  /// and waits without end, and without a word, where it gets no thread.
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

/// The command line: what there is to say, and the exit codes of PROTOCOL.md.
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
      BenchStart.self, DoctorCommand.self, MakeCommand.self,
    ],
    defaultSubcommand: nil)

  /// The commit that the program was built from, and its date, in brackets; empty where the build did
  /// not name them.
  private static var build: String {
    let text = String(cString: jam_build())
    return text.isEmpty ? "" : " (\(text))"
  }
}
