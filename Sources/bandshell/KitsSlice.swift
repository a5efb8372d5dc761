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
    do throws(KitError) {
      let report = try slice()
      report.tell()
    } catch {
      Console.error("\(error)")
      throw ExitCode.badData
    }
  }

  private func slice() throws(KitError) -> KitImporter.Report {
    let file = String(source.split(separator: "/").last ?? "")
    var order = KitImporter.SliceOrder(name: Files.exists(source) ? PadName.stem(of: file) : source)
    order.pads = pads
    order.beats = beats
    guard !Files.exists(source), let (id, number) = named else {
      return try KitImporter.slice(source, order, to: into)
    }
    guard let pad = Pad(number) else { throw KitError(source, .noPadToSlice(number)) }
    let catalogue = KitCatalogue(scanning: folders.isEmpty ? KitSearch.defaultFolders() : folders)
    guard let folder = catalogue.folder(of: id) else { throw KitError(source, .noKitToSlice(id)) }
    let kit = try folder.load()
    guard let described = kit.kit[pad] else { throw KitError(source, .emptyPadToSlice(Int(pad.number))) }
    order.name = described.name
    order.credits = folder.readDescription().credits
    if beats == nil, described.settings.beats > 0 { order.beats = Double(described.settings.beats) }
    return try KitImporter.slice(pad, of: kit, order, to: into)
  }

  /// The kit and the pad's number, where the source has the form `kit:pad`.
  private var named: (kit: String, pad: Int)? {
    let parts = source.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, KitFolder.isID(String(parts[0])), let number = Int(parts[1]) else { return nil }
    return (String(parts[0]), number)
  }
}
