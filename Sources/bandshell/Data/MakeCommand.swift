import ArgumentParser
import CProcess
import Glibc
import JamCommand
import JamCore
import JamKit
import JamRoom
import JamServer
import JamWire

/// `bandshell make`: the process that a server starts to make files of music. It reports its
/// progress on standard output, line by line.
struct MakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make files for a server.", shouldDisplay: false)

  @Option var parent: Int32
  @Option var data: String
  @Option var kits: [String] = []
  @Option var title: String
  @Option var about: String
  @Option var began: Int64
  @Option var beganFrames: Int64
  @Option var score: String?
  @Option var first: Int64 = 0
  @Option var length: Int64 = 0
  @Option var project: String?
  @Option var bars: Int?
  @Option var facts: String?
  @Option var kind: [String] = []
  @Option var output: [String] = []

  func run() throws {
    jam_end_with_parent(parent)
    jam_be_idle()
    FullDisk.isAnError()
    signal(SIGPIPE, SIG_DFL)
    do throws(ExportProblem) {
      let (kitStore, first) = try kitStore()
      var told = -1.0
      try job().make(
        kitStore, first,
        progress: { part in
          guard part - told >= 0.005 || part == 1 else { return }
          told = part
          MakeCommand.tell("progress \(part)")
        })
    } catch {
      MakeCommand.tell(error.line)
      throw ExitCode.badData
    }
  }

  private func kitStore() throws(ExportProblem) -> (store: KitStore, first: PlayableKit) {
    let store = KitStore(
      catalogue: KitCatalogue(scanning: DataFolder.kitFolders(kits, and: data)), sounds: DataFolder.sounds(in: data),
      savedKits: DataFolder.kits(in: data))
    guard let id = store.kits.first?.id else { throw .unreadable("there are no kits") }
    do throws(KitError) { return (store, try store.load(id)) } catch { throw .unreadable(error.told) }
  }

  private func job() throws(ExportProblem) -> ExportJob {
    var outputs: [ExportMaker.Output] = []
    for (kind, path) in zip(kind, output) {
      do throws(ExportKind.Problem) {
        outputs.append(ExportMaker.Output(kind: try ExportKind(parsing: kind), path: path))
      } catch {
        throw .unwritable(error.refusal.words)
      }
    }
    guard
      let source = score.map({ ExportJob.Source.score($0, first: first, length: length) })
        ?? project.map({ ExportJob.Source.project($0, bars: bars) })
    else { throw .unreadable("there is nothing to be made") }
    return ExportJob(
      source: source, title: title, about: about, began: began, beganFrames: beganFrames, outputs: outputs,
      facts: facts)
  }

  private static func tell(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}
