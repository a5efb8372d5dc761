import ArgumentParser
import JamCommand
import JamDoctor
import JamKit

/// `bandshell doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Look at everything that a jam needs on this machine, and say how to mend it.",
    discussion: """
      Where a server runs already, it is looked at. ✓ is fine, – could be better, ✗ is in the way. \
      Exits with 69 where anything is in the way.
      """)

  @OptionGroup(title: "The server's ports, as for bandshell serve") var places: PortOptions

  @Option(help: ArgumentHelp("A folder of kits; repeat it for more. Without it: as bandshell serve.", valueName: "dir"))
  var kits: [String] = []

  func run() throws {
    var isWell = true
    let doctor = Doctor(kitFolders: kits.isEmpty ? KitSearch.defaultFolders() : kits, ports: try places.ports())
    doctor.examine { finding in
      Console.say(finding.lines)
      if finding.verdict == .bad { isWell = false }
    }
    guard isWell else { throw ExitCode.unavailable }
  }
}
