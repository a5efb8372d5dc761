import ArgumentParser
import Glibc
import JamCommand
import JamCore
import JamServer
import JamWire

/// `bandshell export`, and `bandshell takes export`.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a take, or a project's loops, as sound, notes, stems or projects.",
    discussion: """
      The ending of --output says what is written: .wav (24 bits), .flac, .opus, .mid, .stems.zip, .dawproject, \
      .rpp.zip, .labels.txt or .score. Anything else is a folder: the mix comes into it as a WAV file, and what the \
      options below name.

      This is for a folder whose server does not run; of one that runs, GET /takes/ID.wav does the same.

        bandshell export 2026-11-23-193012 -o take.flac
        bandshell export 2026-11-23-193012 -o take --stems --midi --rpp
        bandshell export --project "Monday" --bars 8 -o loops.wav
      """)

  @OptionGroup var options: DataFolderOptions

  @Argument(help: "The take, as `bandshell takes list` shows it.")
  var take: String?

  @Option(help: ArgumentHelp("The loops of a project, once round, in place of a take.", valueName: "name"))
  var project: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file or the folder to be written.", valueName: "path"))
  var output: String

  @Option(help: ArgumentHelp("A stretch of the take, as 3-6; of a project, how many bars.", valueName: "bars"))
  var bars: String?

  @Flag(help: "The WAV file of the mix with floats.")
  var float = false

  @Flag(help: "Into the folder: stems, each a WAV file in its folder “stems”.")
  var stems = false

  @Flag(help: "Into the folder: a MIDI file.")
  var midi = false

  @Flag(help: "Into the folder: a project for programs that read .dawproject, with its stems.")
  var dawproject = false

  @Flag(help: "Into the folder: a project for Reaper, with its stems.")
  var rpp = false

  @Flag(help: "Into the folder: a label track for Audacity.")
  var labels = false

  @OptionGroup var division: StemOptions

  func validate() throws {
    guard (take == nil) != (project == nil) else {
      throw ValidationError(
        "name a take, or a project with --project: `bandshell takes list` and `bandshell project list` show them")
    }
  }

  func run() throws {
    FullDisk.isAnError()
    let open = try options.open(hasCatalogue: true)
    defer { withExtendedLifetime(open) {} }
    let takes = try StartError.told { () throws(StartError) in try open.takes() }
    do {
      let order = try wish.order(in: takes)
      defer { if let scratch = order.scratch { ServerExports.drop(scratch) } }
      try make(order.job, takes)
      print(order.job.outputs.map(\.path).joined(separator: "\n"))
    } catch let refusal as Refusal {
      Console.error(refusal.words)
      throw ExitCode.badData
    } catch let problem as ExportProblem {
      Console.error(problem.text)
      throw ExitCode.badData
    }
  }

  private var wish: ExportWish {
    var wish = ExportWish(of: project.map { .project($0) } ?? .take(take ?? ""), to: output)
    wish.bars = bars
    wish.isMixFloat = float
    wish.by = division.by
    wish.isWet = division.wet
    wish.isStemFloat = division.format == .float32
    let forms = [
      ("stems.zip", stems), ("mid", midi), ("dawproject", dawproject), ("rpp.zip", rpp), ("labels.txt", labels),
    ]
    wish.more = forms.filter(\.1).map(\.0)
    return wish
  }

  private func make(_ job: ExportJob, _ takes: ServerTakes) throws(ExportProblem) {
    let isShown = isatty(2) == 1
    defer { if isShown { ExportCommand.show("\r     \r") } }
    try job.make(
      takes.kitStore, takes.firstKit,
      progress: { part in
        guard isShown else { return }
        ExportCommand.show("\r\(Int(saturating: part * 100)) %")
      })
  }

  /// Writes without a line end, because the next text replaces this one.
  private static func show(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(2, bytes, bytes.count)
  }
}
