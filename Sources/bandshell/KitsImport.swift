import ArgumentParser
import JamCommand
import JamCore
import JamImport
import JamKit

/// `bandshell kits import`.
struct KitsImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn other people's sounds into a kit.",
    discussion: """
      What the source is shows by itself:
        a Hydrogen drum kit    an .h2drumkit file, or a folder with drumkit.xml
        an SFZ instrument      an .sfz file, or a folder with one; the sixteen lowest keys become pads
        a SoundFont            an .sf2 or .sf3 file: one preset, a drum set by the keys of General MIDI, others as a scale
        a recording            any other file: cut at its onsets, up to sixteen pieces
        a kit's file           a zip with a kit.json, as `kits export` writes it
        a folder of sounds     files in the order of their names (2 before 10); categories are guessed from the names

      Sounds may be of any format that libsndfile reads (WAV, AIFF, FLAC, OGG, MP3 …), of any rate, mono or stereo; they are \
      stored as FLAC. What cannot be read or carried over is named in a warning, and the kit is made of the rest; where \
      nothing is left, nothing is made and the exit code is 65.
      """)

  @Argument(help: ArgumentHelp("What to import: a file or a folder.", valueName: "source"))
  var source: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The kit's folder, to be made; its name is the kit's id.", valueName: "dir")
  )
  var output: String?

  @Flag(help: "Cut silence of more than 2 ms from the beginning of sounds.")
  var trim = false

  @Flag(
    name: .customLong("no-beats"),
    help: "Let no loop follow the room's tempo by the beats that its name or length tells.")
  var ignoresBeats = false

  @Flag(help: "Only list the presets of a SoundFont.")
  var list = false

  @Option(help: ArgumentHelp("Which preset of a SoundFont: its name, its number, or BANK:NUMBER.", valueName: "preset"))
  var preset: String?

  func run() throws {
    FullDisk.isAnError()
    if list { return try listPresets() }
    guard let output else { throw ValidationError("name the kit's folder with --output") }
    if try importFile(to: output) { return }
    do throws(KitError) {
      let report = try KitImporter.importKit(
        from: source, to: output, preset: preset, trim: trim, guessesBeats: !ignoresBeats)
      report.tell()
      for source in report.leftOut { Console.warning("\(source): left out, all 16 pads are taken") }
    } catch {
      if case .nothingToImport(_, let unread) = error.reason { for problem in unread { Console.warning("\(problem)") } }
      Console.error("\(error)")
      throw ExitCode.badData
    }
  }

  private func listPresets() throws {
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

extension KitImporter.Report {
  /// The pads on standard output, and what came of the rest on standard error.
  func tell() {
    for pad in pads {
      let number = (pad.pad.number < 10 ? " " : "") + String(pad.pad.number)
      print("\(number)  \(pad.description.name) (\(pad.description.category.rawValue)) from \(pad.source)")
    }
    for problem in problems { Console.warning("\(problem)") }
    for note in notes { Console.warning("\(note)") }
  }
}
