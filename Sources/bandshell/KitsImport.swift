import ArgumentParser
import JamCore
import JamKit

/// `bandshell kits import`.
struct KitsImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn a folder of sound files into a kit.",
    discussion: """
      Any format that libsndfile reads (WAV, AIFF, FLAC, OGG, MP3 …), any rate, mono or stereo. Files go in the order of \
      their names (2 before 10) to pads 1–16; categories are guessed from the names. Sounds are stored as FLAC.

      A file that cannot be read is named in a warning, and the kit is made of the others; where none can be read, nothing \
      is made and the exit code is 65.
      """)

  @Argument(help: ArgumentHelp("The folder of sound files.", valueName: "folder"))
  var source: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The kit's folder, to be made; its name is the kit's id.", valueName: "dir")
  )
  var output: String

  func run() throws {
    do throws(KitError) {
      let report = try KitImporter.importFolder(source, to: output)
      for pad in report.pads {
        let number = (pad.pad.number < 10 ? " " : "") + String(pad.pad.number)
        print("\(number)  \(pad.description.name) (\(pad.description.category.rawValue)) from \(pad.source)")
      }
      for problem in report.problems { Console.warning("\(problem)") }
      for file in report.leftOut { Console.warning("\(file): left out, all 16 pads are taken") }
    } catch {
      if case .nothingToImport(let unread) = error.reason { for problem in unread { Console.warning("\(problem)") } }
      Console.error("\(error)")
      throw ExitCode.badData
    }
  }
}
