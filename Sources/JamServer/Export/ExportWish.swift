import Glibc
import JamCommand
package import JamCore
import JamKit
import JamRoom
import JamStore
import JamWire

/// A wish for files of a take, or of a project's loops: one file, or a folder with the mix and other
/// files.
///
/// Thread: any that may wait.
package struct ExportWish {
  package enum Source {
    /// A take, by its id.
    case take(String)
    /// A project, by its name.
    case project(String)
  }

  private let source: Source
  private let output: String
  /// A stretch of a take, as `3-6`; of a project, how many bars.
  package var bars: String?
  /// The WAV file of the mix has floats in place of 24 bits.
  package var isMixFloat = false
  /// The parts that get stems of their own: the raw value of a `StemPlan.Division`.
  package var by = StemPlan.Division.player.rawValue
  /// Stems have inserts, the room's filter and build-ups.
  package var isWet = false
  /// Stems have floats in place of 24 bits.
  package var isStemFloat = true
  /// The forms to write beside the mix, where the output is a folder.
  package var more: [String] = []

  /// - Parameter output: the path of a file or of a folder. Its ending decides.
  package init(of source: Source, to output: String) {
    self.source = source
    self.output = output
  }

  /// The order for all files. A folder for them is created.
  /// - Throws: `Refusal` where the music or a form does not exist, or the folder cannot be created.
  package func order(in takes: ServerTakes) throws(Refusal) -> ServerExports.Order {
    var order = try order(takes, try kind("wav"))
    do throws(Refusal) {
      let outputs = try outputs(order.job.title)
      if case .project = source, case .project(let path, _) = order.job.source {
        order.job.source = .project(path, bars: try barCount())
      }
      order.job.outputs = outputs
    } catch {
      if let scratch = order.scratch { ServerExports.drop(scratch) }
      throw error
    }
    order.job.facts = nil
    order.job.stemFolder = file == nil ? output : nil
    return order
  }

  private func order(_ takes: ServerTakes, _ kind: ExportKind) throws(Refusal) -> ServerExports.Order {
    switch source {
    case .project(let name): return try takes.order(ofProject: name, kind, in: PlayerName("export")!)
    case .take(let id):
      let found: Catalogue.Take?
      do throws(Catalogue.Problem) { found = try takes.catalogue.take(id) } catch {
        throw .takeNotKept(reason: "\(error)")
      }
      guard let found else { throw .noSuchTake(id) }
      guard found.length != nil else { throw .takeNotOver(id) }
      return try takes.order(found, kind)
    }
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
    let name = FileName.portable(title)
    // Stems and Reaper's project are plain files in the folder, and no archives.
    let names = ["stems.zip": "stems", "rpp.zip": "\(name).rpp"]
    var outputs: [ExportMaker.Output] = []
    for form in ["wav"] + more {
      outputs.append(ExportMaker.Output(kind: try kind(form), path: "\(output)/\(names[form] ?? "\(name).\(form)")"))
    }
    return outputs
  }

  private func kind(_ form: String) throws(Refusal) -> ExportKind {
    var options = [(name: "by", value: by), ("wet", isWet ? "1" : "0")]
    options.append(("format", (form == "wav" ? isMixFloat : isStemFloat) ? "float" : "24"))
    if let bars, case .take = source { options.append(("bars", bars)) }
    do throws(ExportKind.Problem) { return try ExportKind(form, options) } catch { throw error.refusal }
  }

  private func barCount() throws(Refusal) -> Int? {
    guard let bars else { return nil }
    guard let count = Int(bars), count >= 1 else { throw .badExportOption("bars=\(bars)") }
    return count
  }
}
