import ArgumentParser
import JamCommand
import JamKit
import JamStore

/// `bandshell kits export`.
struct KitsExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a kit with its sounds into one file, for any other server.",
    discussion:
      "The file is a zip of kit.json and the sounds that this names. `kits import` makes a kit's folder of it again.")

  @Argument(help: "The kit's id, as `kits list` shows it.")
  var kit: String

  @Option(
    name: .customLong("kits"),
    help: ArgumentHelp("A folder of kits, or one kit's folder; may be given more than once.", valueName: "dir"))
  var folders: [String] = []

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to be written.", valueName: "file"))
  var output: String

  func run() throws {
    FullDisk.isAnError()
    let catalogue = KitCatalogue(scanning: folders.isEmpty ? KitSearch.defaultFolders() : folders)
    guard let folder = catalogue.folder(of: kit) else {
      Console.error("there is no kit \(kit): `bandshell kits list` shows them")
      throw ExitCode.badData
    }
    let bytes = try ExitCode.badData.ifFailing { try KitFile.encoded(try folder.bundle()) }
    try ExitCode.unavailable.ifFailing { try Files.write(bytes, to: output) }
    print("\(kit): \(bytes.count) bytes in \(output)")
  }
}
