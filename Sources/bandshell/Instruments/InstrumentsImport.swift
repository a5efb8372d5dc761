import ArgumentParser
import JamCommand
import JamCore
import JamImport
import JamKit

/// `bandshell instruments import`.
struct InstrumentsImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn recorded notes that other people have put on keys into an instrument.",
    discussion: """
      The source is an SFZ file, a folder with one, or a preset of a SoundFont (.sf2, .sf3). Its keys, velocities, \
      turns, tuning, gains, releases, and loops while a key is held are carried over. An instrument has \
      \(InstrumentZone.most) zones: of more, as many are taken, spread evenly over the keys. What cannot be read or \
      carried over is named in a warning, and the instrument is made of the rest; where nothing is left, nothing is \
      made and the exit code is 65.

      Where an SFZ file's sounds lie outside of its own folder, as ../Samples, name the folder that holds both, and \
      the file with --file: bandshell instruments import Library --file Programs/Piano.sfz --into my/piano

      bandshell serve --kits DIR finds the instrument in that folder.
      """)

  @Argument(help: ArgumentHelp("What to import: an SFZ file, a folder with one, or a SoundFont.", valueName: "source"))
  var source: String

  @Option(
    help: ArgumentHelp("The instrument's folder, to be made; its name is the instrument's id.", valueName: "dir"))
  var into: String?

  @Option(help: SoundFontOptions.fileHelp)
  var file: String?

  @OptionGroup var soundFont: SoundFontOptions

  func run() throws {
    FullDisk.isAnError()
    if soundFont.list { return try SoundFontOptions.tell(of: source) }
    guard let into else { throw ValidationError("name the instrument's folder with --into") }
    do throws(KitError) {
      let report = try InstrumentImporter.importInstrument(
        from: source, file: file, to: into, preset: soundFont.preset)
      for (source, zone) in report.zones { print("\(zone.low)–\(zone.high)  root \(zone.root), from \(source)") }
      ImportReport.warn(of: report.problems, report.notes)
    } catch {
      throw ImportReport.refusal(error)
    }
  }
}
