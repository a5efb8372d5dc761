import ArgumentParser
import JamCommand
import JamCore
import JamKit

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
    let entries = KitListEntry.all(in: catalogue) { Console.error("\($0)") }
    if json {
      print("{\"kits\":[\(entries.map(\.json).joined(separator: ","))]}")
    } else if !entries.isEmpty {
      var table = TextTable(
        ["#", "id", "name", "category", "pads", "seconds", "MiB", "folder"], rightAligned: [0, 4, 5, 6])
      for (index, entry) in entries.enumerated() { table.add(["\(index)"] + entry.cells) }
      print(table.text)
    }
    guard !entries.isEmpty else {
      Console.error("no kit was found; make one with bandshell kits import SOURCE -o DIR")
      throw ExitCode.badData
    }
  }
}

extension KitListEntry {
  fileprivate var cells: [String] {
    [
      kit.id, kit.name, kit.category, "\(pads)", seconds.map(tenths) ?? "-",
      byteCount.map { tenths(Double($0) / 1_048_576) } ?? "-", folder,
    ]
  }
}
