import ArgumentParser
import Glibc
import JamCommand
import JamCore
import JamExport
import JamKit
import JamRoom
import JamServer
import JamStore
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

  @OptionGroup var options: TakeFolderOptions

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
    let (folder, takes) = try options.open()
    defer { withExtendedLifetime(folder) {} }
    do {
      let isProject = project != nil
      var order = try order(takes, try kind("wav"))
      defer { if let scratch = order.scratch { ServerExports.drop(scratch) } }
      let outputs = try outputs(order.job.title)
      if isProject, case .project(let path, _) = order.job.source {
        order.job.source = .project(path, bars: try barCount())
      }
      order.job.outputs = outputs
      order.job.facts = nil
      order.job.stemFolder = file == nil ? output : nil
      try make(order.job, takes)
      print(outputs.map(\.path).joined(separator: "\n"))
    } catch let refusal as Refusal {
      Console.error(refusal.words)
      throw ExitCode.badData
    } catch let problem as ExportProblem {
      Console.error(problem.text)
      throw ExitCode.badData
    }
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

  private func order(_ takes: ServerTakes, _ kind: ExportKind) throws(Refusal) -> ServerExports.Order {
    if let project { return try takes.order(ofProject: project, kind, in: PlayerName("export")!) }
    let id = take ?? ""
    let found: Catalogue.Take?
    do throws(Catalogue.Problem) { found = try takes.catalogue.take(id) } catch {
      throw .takeNotKept(reason: "\(error)")
    }
    guard let found else { throw .noSuchTake(id) }
    guard found.length != nil else { throw .takeNotOver(id) }
    return try takes.order(found, kind)
  }

  /// The form that the ending of `output` names; nil where `output` is a folder.
  private var file: String? {
    let name = FilePlace(output).name
    let endings = ExportForm.allCases.map(\.rawValue) + ["midi", "ogg"]
    return endings.first { name.hasSuffix(".\($0)") && name.count > $0.count + 1 }
  }

  private func outputs(_ title: String) throws(Refusal) -> [ExportMaker.Output] {
    if let file { return [ExportMaker.Output(kind: try kind(file), path: output)] }
    // A name with an unknown ending is most probably a mistake in a file's name. It is a folder
    // only where it exists, or ends with a slash.
    if !output.hasSuffix("/"), !Files.exists(output), let ending = FilePlace(output).ending {
      throw .noSuchForm(ending)
    }
    guard mkdir(output, 0o755) == 0 || errno == EEXIST else {
      throw .takeNotKept(reason: "\(output): \(SystemError.text(errno))")
    }
    let name = StemFiles.fileName(title)
    var outputs = [ExportMaker.Output(kind: try kind("wav"), path: "\(output)/\(name).wav")]
    if stems { outputs.append(ExportMaker.Output(kind: try kind("stems.zip"), path: "\(output)/stems")) }
    if midi { outputs.append(ExportMaker.Output(kind: try kind("mid"), path: "\(output)/\(name).mid")) }
    if dawproject {
      outputs.append(ExportMaker.Output(kind: try kind("dawproject"), path: "\(output)/\(name).dawproject"))
    }
    if rpp { outputs.append(ExportMaker.Output(kind: try kind("rpp.zip"), path: "\(output)/\(name).rpp")) }
    if labels { outputs.append(ExportMaker.Output(kind: try kind("labels.txt"), path: "\(output)/\(name).labels.txt")) }
    return outputs
  }

  private func kind(_ form: String) throws(Refusal) -> ExportKind {
    var options = [(name: "by", value: division.by), ("wet", division.wet ? "1" : "0")]
    let isMix = form == "wav"
    options.append(("format", (isMix ? float : division.format == .float32) ? "float" : "24"))
    if let bars, project == nil { options.append(("bars", bars)) }
    do throws(ExportKind.Problem) { return try ExportKind(form, options) } catch { throw error.refusal }
  }

  private func barCount() throws(Refusal) -> Int? {
    guard let bars else { return nil }
    guard let count = Int(bars), count >= 1 else { throw .badExportOption("bars=\(bars)") }
    return count
  }
}
