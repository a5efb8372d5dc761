import ArgumentParser
import JamCommand
import JamCore
import JamKit

/// `bandshell instruments`.
struct InstrumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instruments",
    abstract: "What keys play: list instruments, check their files, and import recorded ones.",
    subcommands: [List.self, Check.self, InstrumentsImport.self])

  private static func nothingFound() -> ExitCode {
    Console.error("no instrument was found; name a folder that holds an instrument.json by --kits")
    return .badData
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show the instruments that a server would offer, in their order.")

    @OptionGroup var options: KitFolderOptions

    func run() throws {
      let catalogue = KitCatalogue(scanning: try options.resolved())
      for problem in catalogue.problems { Console.error("\(problem)") }
      guard !catalogue.instruments.isEmpty else { throw InstrumentsCommand.nothingFound() }
      var table = TextTable(["id", "name", "category", "sounds", "author", "licence"], rightAligned: [])
      for instrument in catalogue.instruments {
        let count = instrument.zones.count
        table.add([
          instrument.id, instrument.name, instrument.category,
          count == 0 ? "synth" : "\(count) \(count == 1 ? "zone" : "zones")", instrument.author, instrument.license,
        ])
      }
      print(table.text)
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Tell everything that is wrong with instruments, with file and field.",
      discussion: "Every sound of a sampled instrument is read. Exits with 65 where anything is wrong.")

    @OptionGroup var options: KitFolderOptions

    func run() throws {
      let folders = try options.resolved().flatMap { InstrumentFolder.folders(in: $0) }
      var wrong = 0
      for folder in folders {
        let problems = folder.check()
        for problem in problems { Console.error("\(problem)") }
        if problems.isEmpty { print("\(folder.path): fine") }
        wrong += problems.count
      }
      guard !folders.isEmpty else { throw InstrumentsCommand.nothingFound() }
      guard wrong == 0 else { throw ExitCode.badData }
    }
  }
}
