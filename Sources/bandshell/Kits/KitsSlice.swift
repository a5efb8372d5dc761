import ArgumentParser
import JamCommand
import JamCore
import JamImport
import JamKit

/// `bandshell kits slice`.
struct KitsSlice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slice",
    abstract: "Cut a break at its hits, and lay the pieces on the pads of a new kit.",
    discussion: """
      The pieces lie on the pads in their order: played in time they are the break again, and each cuts off the one \
      before. A piece begins on the frame of its hit. Where there are more hits than pads, those closest together \
      share one. Every piece knows how many beats it is long, so that it follows the room's tempo.

        bandshell kits slice ~/amen_137bpm.wav --into Kits/my-amen
        bandshell kits slice breaks:2 --into Kits/two-bars --pads 8 --beats 4
      """)

  @Argument(
    help: ArgumentHelp("What to cut: a sound file, or a kit's pad as `breaks:2`.", valueName: "file|kit:pad"))
  var source: String

  @Option(help: ArgumentHelp("The kit's folder, to be made; its name is the kit's id.", valueName: "dir"))
  var into: String

  @Option(help: ArgumentHelp("How many pieces at most, 2 to 16.", valueName: "n"))
  var pads = Pad.count

  @Option(
    help: ArgumentHelp(
      "How many beats the whole is long, above 0, 64 at most; without it the pad, the name or the length tells.",
      valueName: "n"))
  var beats: Double?

  @Option(
    name: .customLong("kits"),
    help: ArgumentHelp("Where kits are, for KIT:PAD; may be given more than once.", valueName: "dir"))
  var folders: [String] = []

  func validate() throws {
    guard (2...Pad.count).contains(pads) else {
      throw ValidationError("--pads is \(pads): 2 to \(Pad.count) would be right")
    }
    if let beats, !(beats > 0 && beats <= 64) {
      throw ValidationError("--beats is \(beats): above 0 and 64 at most would be right")
    }
  }

  func run() throws {
    FullDisk.isAnError()
    let report = try ExitCode.badData.ifFailing {
      try KitImporter.slice(
        source, kitFolders: folders.isEmpty ? KitSearch.defaultFolders() : folders, pads: pads, beats: beats, to: into)
    }
    report.tell()
  }
}
