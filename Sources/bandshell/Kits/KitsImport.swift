import ArgumentParser
import JamCommand
import JamCore
import JamImport
import JamKit
import JamServer

/// `bandshell kits import`.
struct KitsImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn other people's sounds into a kit.",
    discussion: """
      What the source is shows by itself:
        a Hydrogen drum kit    an .h2drumkit file, or a folder with drumkit.xml
        an SFZ instrument      an .sfz file, or a folder with one; the sixteen lowest keys become pads. Where its sounds
                               lie outside of its own folder, name the folder that holds both, and the file with --file
        a SoundFont            an .sf2 or .sf3 file: one preset, a drum set by the keys of General MIDI, others as a \
      scale
        a recording            any other file: cut at its onsets, up to sixteen pieces
        a kit's file           a zip with a kit.json, as `kits export` writes it
        a folder of sounds     files in the order of their names (2 before 10); categories are guessed from the names

      A folder or a Hydrogen kit of more than sixteen sounds becomes several kits, DIR, DIR-2 and so on: any pad may \
      have any kit's sound.

      Sounds may be of any format that libsndfile reads (WAV, AIFF, FLAC, OGG, MP3 …), of any rate, mono or stereo; \
      they are stored as FLAC. What cannot be read or carried over is named in a warning, and the kit is made of the \
      rest; where nothing is left, nothing is made and the exit code is 65.
      """)

  @Argument(help: ArgumentHelp("What to import: a file or a folder.", valueName: "source"))
  var source: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The kit's folder, to be made; its name is the kit's id.", valueName: "dir")
  )
  var output: String?

  @Option(help: SoundFontOptions.fileHelp)
  var file: String?

  @Flag(help: "Cut silence of more than 2 ms from the beginning of sounds.")
  var trim = false

  @Flag(
    name: .customLong("no-beats"),
    help: "Let no loop follow the room's tempo by the beats that its name or length tells.")
  var ignoresBeats = false

  @Flag(
    name: .customLong("keep-level"),
    help: "Leave the pads' gains as they are, also where the kit is louder or softer than others.")
  var keepsLevel = false

  @OptionGroup var soundFont: SoundFontOptions

  func run() throws {
    FullDisk.isAnError()
    if soundFont.list { return try SoundFontOptions.tell(of: source) }
    guard let output else { throw ValidationError("name the kit's folder with --output") }
    if file == nil,
      let folder = try ExitCode.badData.ifFailing({ try KitFolder.make(ofFile: source, at: output) })
    {
      return print("\(folder.id): a kit in \(output)")
    }
    do throws(KitError) {
      let report = try KitImporter.importKit(
        from: source, file: file, to: output, preset: soundFont.preset, trim: trim, guessesBeats: !ignoresBeats,
        levels: !keepsLevel)
      report.tell()
      for kit in report.following {
        let id = KitFolder(kit.path).id
        print("\(id): a kit of the \(kit.sounds == 1 ? "sound" : "\(kit.sounds) sounds") that found no pad here")
        print("    /pad/1/sample \(id)/1 puts its first one on a pad")
      }
      for source in report.leftOut { Console.warning("\(source): left out, all 16 pads are taken") }
    } catch {
      throw ImportReport.refusal(error)
    }
  }
}

extension KitImporter.Report {
  /// Lists the pads on standard output, and warns of problems on standard error.
  func tell() {
    for pad in pads {
      let number = (pad.pad.number < 10 ? " " : "") + String(pad.pad.number)
      print("\(number)  \(pad.description.name) (\(pad.description.category.rawValue)) from \(pad.source)")
    }
    ImportReport.warn(of: problems, notes)
  }
}
