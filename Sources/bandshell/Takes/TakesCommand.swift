import ArgumentParser
import Glibc
import JamCommand
import JamCore
import JamKit
import JamRoom
import JamServer
import JamStore

/// `bandshell takes`.
struct TakesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "takes", abstract: "List the takes of a data folder, and take one along.",
    discussion: """
      A take is what a room played from one quiet to the next. This is for a folder whose server does not run; of one \
      that runs, GET /takes lists them, and GET /takes/ID.wav, .flac, .opus, .mid, .stems.zip, .dawproject, .rpp.zip, \
      .labels.txt and .score take one along.
      """,
    subcommands: [TakesList.self, ExportCommand.self])
}

/// The options that name the data folder and the kits.
struct TakeFolderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data folder of the server; without it the one that `serve` uses without it.", valueName: "dir"))
  var data: String?

  @Option(
    name: .customLong("kits"), help: ArgumentHelp("A folder of kits; may be given more than once.", valueName: "dir"))
  var kits: [String] = []

  /// Opens the folder, and locks it against servers meanwhile.
  /// - Parameter needsKits: whether takes will be played.
  func open(needsKits: Bool = true) throws -> (folder: DataFolder, takes: ServerTakes) {
    do {
      guard let path = data ?? DataFolder.standard else {
        throw ValidationError("there is no home folder: name the data folder with --data DIR")
      }
      guard Files.exists(path) else {
        Console.error("\(path): no such folder; name the data folder of a server with --data DIR")
        throw ExitCode.badData
      }
      guard Files.exists(DataFolder.catalogue(in: path)) else {
        let name = FilePlace(DataFolder.catalogue(in: path)).name
        Console.error("\(path) is no data folder of a server: it has no \(name)")
        throw ExitCode.badData
      }
      let folder = try DataFolder(path)
      let folders = DataFolder.kitFolders(kits.isEmpty ? KitSearch.defaultFolders() : kits, and: path)
      let kitStore = KitStore(
        catalogue: KitCatalogue(scanning: folders), sounds: DataFolder.sounds(in: path),
        savedKits: DataFolder.kits(in: path))
      let first = kitStore.kits.first?.id
      guard first != nil || !needsKits else {
        Console.error("no kits found: name their folder with --kits, or set BANDSHELL_KITS")
        throw ExitCode.badData
      }
      let takes = ServerTakes(
        in: DataFolder.takes(in: path), catalogue: try Catalogue(DataFolder.catalogue(in: path)), kitStore: kitStore,
        firstKit: try first.map { try kitStore.load($0) } ?? .silent, keeping: .all, maintenance: MaintenanceThread(),
        log: NoLog())
      takes.repair()
      return (folder, takes)
    } catch let error as StartError {
      Console.error(error.text)
      throw error.exitCode
    } catch let error as DatabaseError {
      Console.error("\(DataFolder.catalogue(in: data ?? "")): \(error)")
      throw ExitCode.badData
    } catch let error as KitError {
      Console.error("\(error)")
      throw ExitCode.badData
    }
  }
}

/// `bandshell takes list`.
struct TakesList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the takes, the latest first.")

  @OptionGroup var options: TakeFolderOptions

  func run() throws {
    let (folder, takes) = try options.open(needsKits: false)
    defer { withExtendedLifetime(folder) {} }
    let all: [Catalogue.Take]
    do throws(Catalogue.Problem) { all = try takes.catalogue.takes() } catch {
      Console.error("\(error)")
      throw ExitCode.badData
    }
    guard !all.isEmpty else { return print("no take is kept here: whatever a server's rooms play becomes one") }
    var table = TextTable(
      ["take", "name", "room", "length", "bars", "bpm", "star", "players"], rightAligned: [3, 4, 5])
    for take in all {
      let item = takes.item(take)
      table.add([
        item.id, item.name, take.room, TakesList.clock(item.seconds), item.bars == 0 ? "" : "\(item.bars)",
        "\(Int(saturating: Double(item.bpm).rounded()))", item.isStarred ? "*" : "",
        item.players.joined(separator: ", "),
      ])
    }
    print(table.text)
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds.rounded())
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }
}
