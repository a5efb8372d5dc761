import ArgumentParser
import JamCommand
import JamKit
import JamServer

/// The options that name the data folder and the kits.
struct DataFolderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data folder of the server; without it the one that `serve` uses without it.", valueName: "dir"))
  var data: String?

  @Option(
    name: .customLong("kits"), help: ArgumentHelp("A folder of kits; may be given more than once.", valueName: "dir"))
  var kits: [String] = []

  /// Opens the folder, and locks it against servers meanwhile.
  func open(hasCatalogue: Bool = false) throws -> RestingFolder {
    guard let path = data ?? DataFolder.standard else {
      throw ValidationError("there is no home folder: name the data folder with --data DIR")
    }
    return try StartError.told { () throws(StartError) in
      try RestingFolder(
        path, kitFolders: kits.isEmpty ? KitSearch.defaultFolders() : kits, hasCatalogue: hasCatalogue)
    }
  }
}
