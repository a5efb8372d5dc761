import ArgumentParser
import JamCommand
import JamImport
import JamKit

/// What an import of a kit or an instrument says, and its options for SoundFonts.
struct SoundFontOptions: ParsableArguments {
  @Flag(help: "Only list the presets of a SoundFont.")
  var list = false

  @Option(help: ArgumentHelp("Which preset of a SoundFont: its name, its number, or BANK:NUMBER.", valueName: "preset"))
  var preset: String?

  static let fileHelp = ArgumentHelp(
    "Which file of the source, a folder: its path in it. Its sounds may lie anywhere in that folder.", valueName: "path"
  )

  /// Writes what a SoundFont offers on standard output.
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
  /// What could not be read or carried over, on standard error.
  static func warn(of problems: [KitError], _ notes: [ImportNote] = []) {
    for problem in problems { Console.warning("\(problem)") }
    for note in notes { Console.warning("\(note)") }
  }

  /// Nothing was made: says why on standard error.
  /// - Returns: what to throw.
  static func refusal(_ error: KitError) -> ExitCode {
    if case .nothingToImport(_, let unread, let notes) = error.reason {
      warn(of: unread)
      for note in notes { Console.warning(note) }
    }
    Console.error("\(error)")
    return ExitCode.badData
  }
}
