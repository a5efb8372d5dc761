import ArgumentParser
import JamCore
import JamKit

/// `bandshell kits list`.
struct KitsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the kits that a server would offer, in their order.")

  @OptionGroup var options: KitFolderOptions

  func run() throws {
    let catalogue = KitCatalogue(scanning: try options.resolved())
    for problem in catalogue.problems { Console.error("\(problem)") }
    let width = catalogue.kits.map(\.id.count).max() ?? 0
    for (index, kit) in catalogue.kits.enumerated() {
      let number = String(repeating: " ", count: index < 10 ? 1 : 0) + String(index)
      let id = kit.id + String(repeating: " ", count: width - kit.id.count)
      let pads = kit.pads.count { $0 != nil }
      print("\(number)  \(id)  \(kit.name), \(pads) pads\(kit.description.isEmpty ? "" : ": " + kit.description)")
    }
    guard !catalogue.kits.isEmpty else {
      Console.error("no kit was found; make one with bandshell kits import FOLDER -o DIR")
      throw ExitCode.badData
    }
  }
}
