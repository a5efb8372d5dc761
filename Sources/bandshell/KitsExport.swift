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
    let bytes: [UInt8]
    do {
      bytes = try KitFile.encoded(try folder.bundle())
    } catch {
      Console.error("\(error)")
      throw ExitCode.badData
    }
    try BlocksCommand.write(bytes, to: output)
    print("\(kit): \(bytes.count) bytes in \(output)")
  }
}

extension KitsImport {
  /// Makes a kit's folder from a kit's file.
  /// - Returns: false where the source is not a zip with a `kit.json`; nothing is written then.
  func importFile(to output: String) throws -> Bool {
    guard !Files.isFolder(source), let bytes = try? Files.read(source, limit: KitFile.mostBytes), KitFile.isOne(bytes)
    else { return false }
    do {
      let files = try KitFile.files(in: bytes, named: source)
      guard files.keys.contains(where: { "/\($0.lowercased())".hasSuffix("/kit.json") }) else { return false }
      let parts = output.split(separator: "/")
      let parent = (output.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
      guard !Files.exists(output) else { throw KitError(output, .alreadyThere) }
      let folder = try KitFolder.write(
        try KitFolder.bundle(of: files, named: source), as: String(parts.last ?? ""), in: parent)
      print("\(folder.id): a kit in \(output)")
      return true
    } catch {
      Console.error("\(error)")
      throw ExitCode.badData
    }
  }
}
