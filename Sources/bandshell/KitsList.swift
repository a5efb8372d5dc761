import ArgumentParser
import JamCommand
import JamCore
import JamKit
import JamServer

/// `bandshell kits list`.
struct KitsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the kits that a server would offer, in their order.",
    discussion: "Seconds and memory are of all sounds together, each counted once, at 48 kHz.")

  @OptionGroup var options: KitFolderOptions

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false

  func run() throws {
    let catalogue = KitCatalogue(scanning: try options.resolved())
    for problem in catalogue.problems { Console.error("\(problem)") }
    let loader = KitLoader(catalogue: catalogue)
    let rows = catalogue.kits.map { kit -> Row in
      var row = Row(kit: kit, folder: catalogue.folder(of: kit.id)?.path ?? "")
      // A kit that cannot be loaded is listed nevertheless, because a server lists it, too.
      do {
        row.byteCount = try loader.load(kit.id).byteCount
        row.duration = try loader.load(kit.id).duration
      } catch {
        Console.error("\(error)")
      }
      return row
    }
    if json {
      print("{\"kits\":[\(rows.map(\.json).joined(separator: ","))]}")
    } else if !rows.isEmpty {
      var table = TextTable(
        ["#", "id", "name", "category", "pads", "seconds", "MiB", "folder"], rightAligned: [0, 4, 5, 6])
      for (index, row) in rows.enumerated() { table.add(["\(index)"] + row.cells) }
      print(table.text)
    }
    guard !rows.isEmpty else {
      Console.error("no kit was found; make one with bandshell kits import SOURCE -o DIR")
      throw ExitCode.badData
    }
  }
}

/// One kit in the list.
private struct Row {
  let kit: Kit
  let folder: String
  var duration: Frames?
  var byteCount: Int?

  private var pads: Int { kit.pads.count { $0 != nil } }
  private var seconds: Double? { duration.map { Double($0.count) / Double(Frames.perSecond) } }

  var cells: [String] {
    [
      kit.id, kit.name, kit.category, "\(pads)", seconds.map(tenths) ?? "-",
      byteCount.map { tenths(Double($0) / 1_048_576) } ?? "-", folder,
    ]
  }

  /// One JSON object (RFC 8259). Values of a kit that could not be loaded are null.
  var json: String {
    let texts = [
      ("id", kit.id), ("name", kit.name), ("category", kit.category), ("description", kit.description),
      ("folder", folder),
    ].map { "\"\($0)\":\($1.quotedJSON)" }
    let numbers = [
      "\"pads\":\(pads)", "\"seconds\":\(seconds.map { "\($0)" } ?? "null")",
      "\"bytes\":\(byteCount.map { "\($0)" } ?? "null")",
    ]
    return "{\((texts + numbers).joined(separator: ","))}"
  }
}
