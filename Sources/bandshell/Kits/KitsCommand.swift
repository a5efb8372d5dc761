import ArgumentParser
import JamCommand
import JamKit

/// `bandshell kits …`: lists and checks kits, and makes new ones.
struct KitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kits",
    abstract: "List, check, import, slice, export and forge kits.",
    discussion: """
      A kit is a folder with a kit.json and sound files; its name is the kit's id. Without --kits, kits are looked \
      for in the folders of BANDSHELL_KITS (separated by colons) and in the folders Kits and Packs, here or beside \
      the program.
      """,
    subcommands: [
      KitsList.self, KitsCheck.self, KitsPacks.self, KitsImport.self, KitsSlice.self, KitsExport.self, KitsForge.self,
    ])
}

/// The folders in which to look for kits.
struct KitFolderOptions: ParsableArguments {
  @Option(
    name: .customLong("kits"),
    help: ArgumentHelp("A folder of kits, or one kit's folder; may be given more than once.", valueName: "dir"))
  var folders: [String] = []

  @Argument(help: ArgumentHelp("The same as --kits.", valueName: "dir"))
  var arguments: [String] = []

  /// The folders that were named, each once, or else the usual ones.
  /// - Throws: exit code 65 where there is none.
  func resolved() throws -> [String] {
    let named = arguments + folders
    let found = named.isEmpty ? KitSearch.defaultFolders() : named
    guard !found.isEmpty else {
      Console.error("no folder of kits was found; name one, or set BANDSHELL_KITS")
      throw ExitCode.badData
    }
    return KitSearch.distinct(found)
  }
}
