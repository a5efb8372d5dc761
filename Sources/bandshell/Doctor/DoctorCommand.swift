import ArgumentParser
import JamCommand
import JamDoctor
import JamKit

/// `bandshell doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Look at everything that a jam needs on this machine, and say how to mend it.",
    discussion: "✓ is fine, – could be better, ✗ is in the way. Exits with 69 where anything is in the way.")

  @Option(help: ArgumentHelp("A folder of kits; repeat it for more. Without it: as bandshell serve.", valueName: "dir"))
  var kits: [String] = []

  func run() throws {
    var isWell = true
    Doctor(kitFolders: kits.isEmpty ? KitSearch.defaultFolders() : kits).examine { finding in
      Console.say(finding.lines)
      if finding.verdict == .bad { isWell = false }
    }
    guard isWell else { throw ExitCode.unavailable }
  }
}
