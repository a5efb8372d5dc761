import ArgumentParser
import JamCommand
import JamCore
import JamKit
import JamRoom
import JamServer
import JamStore

/// `bandshell project`.
struct ProjectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "project", abstract: "List the projects of a data folder, take one along, bring one.",
    discussion: """
      A project is a room's music with a name. This is for a folder whose server does not run; of one that runs, \
      GET /projects lists them, and GET and PUT /projects/NAME take one along and bring one.
      """,
    subcommands: [ProjectsList.self, ProjectExport.self, ProjectImport.self])
}

/// The options that name the data folder and the kits.
struct ProjectFolderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data folder of the server; without it the one that `serve` uses without it.", valueName: "dir"))
  var data: String?

  @Option(
    name: .customLong("kits"), help: ArgumentHelp("A folder of kits; may be given more than once.", valueName: "dir"))
  var kits: [String] = []

  /// Opens the folder, and locks it against servers meanwhile.
  func open() throws -> (folder: DataFolder, projects: ServerProjects) {
    let (folder, kitStore, catalogue) = try openStores()
    return (folder, ServerProjects(catalogue, kitStore: kitStore, log: NoLog()))
  }

  /// Opens the same folder for the library.
  func openLibrary() throws -> (folder: DataFolder, catalogue: Catalogue, files: LibraryFiles) {
    let (folder, kitStore, catalogue) = try openStores()
    return (folder, catalogue, LibraryFiles(kitStore: kitStore))
  }

  private func openStores() throws -> (folder: DataFolder, kitStore: KitStore, catalogue: Catalogue) {
    do {
      guard let path = data ?? DataFolder.standard else {
        throw ValidationError("there is no home folder: name the data folder with --data DIR")
      }
      guard Files.exists(path) else {
        Console.error("\(path): no such folder; name the data folder of a server with --data DIR")
        throw ExitCode.badData
      }
      let folder = try DataFolder(path)
      let folders = DataFolder.kitFolders(kits.isEmpty ? KitSearch.defaultFolders() : kits, and: path)
      let kitStore = KitStore(
        catalogue: KitCatalogue(scanning: folders), sounds: DataFolder.sounds(in: path),
        savedKits: DataFolder.kits(in: path))
      return (folder, kitStore, try Catalogue(DataFolder.catalogue(in: path)))
    } catch let error as StartError {
      Console.error(error.text)
      throw error.exitCode
    } catch let error as DatabaseError {
      Console.error("\(DataFolder.catalogue(in: data ?? "")): \(error)")
      throw ExitCode.badData
    }
  }
}

/// `bandshell project list`.
struct ProjectsList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the projects, the latest first.")

  @OptionGroup var options: ProjectFolderOptions

  func run() throws {
    let (folder, projects) = try options.open()
    defer { withExtendedLifetime(folder) {} }
    let items = try ProjectsCommand.carryOut { () throws(ServerProjects.FileProblem) in try projects.listed() }
    guard !items.isEmpty else { return print("no project is kept here: /project/save keeps one") }
    var table = TextTable(["name", "bars", "bpm", "signature", "versions", "players"], rightAligned: [1, 2, 4])
    for item in items {
      let bpm = Double(item.bpm)
      table.add([
        item.name, "\(item.measures)", bpm == bpm.rounded() ? "\(Int(saturating: bpm))" : "\(item.bpm)", item.signature,
        "\(item.versions)", item.players.joined(separator: ", "),
      ])
    }
    print(table.text)
  }
}

/// `bandshell project export`.
struct ProjectExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a project with its sounds into a file, for any other server.")

  @OptionGroup var options: ProjectFolderOptions

  @Argument(help: "The project's name.")
  var name: String

  @Option(help: ArgumentHelp("A version that was saved; without it the project as it is now.", valueName: "number"))
  var version: Int?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to be written.", valueName: "file"))
  var output: String

  func run() throws {
    FullDisk.isAnError()
    let (folder, projects) = try options.open()
    defer { withExtendedLifetime(folder) {} }
    let file = try ProjectsCommand.carryOut(named: name) { () throws(ServerProjects.FileProblem) in
      try projects.file(of: name, version: version)
    }
    do throws(KitError) {
      try Files.write(file.bytes, to: output)
    } catch {
      Console.error("\(error)")
      throw ExitCode.unavailable
    }
    print("\(file.name): \(file.bytes.count) bytes in \(output)")
  }
}

/// `bandshell project import`.
struct ProjectImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Keep a project's file in the data folder, with its sounds and kits.")

  @OptionGroup var options: ProjectFolderOptions

  @Argument(help: ArgumentHelp("The project's file.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("What it is to be called; without it as the file.", valueName: "name"))
  var name: String?

  func run() throws {
    FullDisk.isAnError()
    let (folder, projects) = try options.open()
    defer { withExtendedLifetime(folder) {} }
    let wanted = name ?? ProjectImport.name(of: file)
    let bytes: [UInt8]
    do throws(KitError) {
      bytes = try Files.read(file, limit: ProjectFile.mostBytes)
    } catch {
      Console.error("\(error)")
      throw ExitCode.badData
    }
    let kept = try ProjectsCommand.carryOut(named: wanted) { () throws(ServerProjects.FileProblem) in
      try projects.bring(bytes, named: wanted)
    }
    print("\(kept) is kept: /project/open \(kept)")
  }

  /// The name of the project in `a/Harbour.bandshell.zip`: Harbour.
  private static func name(of path: String) -> String {
    var name = path.split(separator: "/").last.map { String($0) } ?? ""
    for ending in [".zip", ".bandshell"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    return name
  }
}

extension ProjectsCommand {
  /// Runs `body`. After a failure this prints the reason, and throws the exit code for it.
  fileprivate static func carryOut<Answer>(
    named name: String = "", _ body: () throws(ServerProjects.FileProblem) -> Answer
  ) throws -> Answer {
    do throws(ServerProjects.FileProblem) {
      return try body()
    } catch {
      Console.error(ServerProjects.words(error, name))
      if case .noSpace = error { throw ExitCode.unavailable }
      throw ExitCode.badData
    }
  }
}
