import ArgumentParser
import JamCommand
import JamImport
import JamKit

/// The options of imports for SoundFonts.
struct SoundFontOptions: ParsableArguments {
  @Flag(help: "Only list the presets of a SoundFont.")
  var list = false

  @Option(help: ArgumentHelp("Which preset of a SoundFont: its name, its number, or BANK:NUMBER.", valueName: "preset"))
  var preset: String?

  static let fileHelp = ArgumentHelp(
    "Which file of the source, a folder: its path in it. Its sounds may lie anywhere in that folder.", valueName: "path"
  )

  /// Writes a list of a SoundFont's presets to standard output.
  static func tell(of source: String) throws {
    do throws(KitError) {
      var table = TextTable(["bank:number", "preset"], rightAligned: [0])
      for preset in try SoundFontPreset.all(of: source) {
        table.add(["\(preset.bank):\(preset.program)", preset.name])
      }
      print(table.text)
    } catch {
      Console.error("\(error)")
      throw ExitCode.badData
    }
  }
}

enum ImportReport {
  /// Warns on standard error of parts that could not be read or carried over.
  static func warn(of problems: [KitError], _ notes: [ImportNote] = []) {
    for problem in problems { Console.warning("\(problem)") }
    for note in notes { Console.warning("\(note)") }
  }

  /// Explains on standard error why nothing was made.
  /// - Returns: the exit code to throw.
  static func refusal(_ error: KitError) -> ExitCode {
    if case .nothingToImport(_, let unread, let notes) = error.reason {
      warn(of: unread)
      for note in notes { Console.warning(note) }
    }
    Console.error("\(error)")
    return ExitCode.badData
  }
}
