import ArgumentParser
import JamCommand
import JamCore
import JamKit
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

/// `bandshell project list`.
struct ProjectsList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the projects, the latest first.")

  @OptionGroup var options: DataFolderOptions

  func run() throws {
    let open = try options.open()
    defer { withExtendedLifetime(open) {} }
    let items = try ProjectsCommand.carryOut { () throws(ServerProjects.FileProblem) in try open.projects.listed() }
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

  @OptionGroup var options: DataFolderOptions

  @Argument(help: "The project's name.")
  var name: String

  @Option(help: ArgumentHelp("A version that was saved; without it the project as it is now.", valueName: "number"))
  var version: Int?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to be written.", valueName: "file"))
  var output: String

  func run() throws {
    FullDisk.isAnError()
    let open = try options.open()
    defer { withExtendedLifetime(open) {} }
    let file = try ProjectsCommand.carryOut(named: name) { () throws(ServerProjects.FileProblem) in
      try open.projects.file(of: name, version: version)
    }
    try ExitCode.unavailable.ifFailing { try Files.write(file.bytes, to: output) }
    print("\(file.name): \(file.bytes.count) bytes in \(output)")
  }
}

/// `bandshell project import`.
struct ProjectImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Keep a project's file in the data folder, with its sounds and kits.")

  @OptionGroup var options: DataFolderOptions

  @Argument(help: ArgumentHelp("The project's file.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("What it is to be called; without it as the file.", valueName: "name"))
  var name: String?

  func run() throws {
    FullDisk.isAnError()
    let open = try options.open()
    defer { withExtendedLifetime(open) {} }
    let wanted = name ?? ProjectImport.name(of: file)
    let bytes = try ExitCode.badData.ifFailing { try Files.read(file, limit: ProjectFile.mostBytes) }
    let kept = try ProjectsCommand.carryOut(named: wanted) { () throws(ServerProjects.FileProblem) in
      try open.projects.bringNow(bytes, named: wanted)
    }
    print("\(kept.name) is kept: /project/open \(kept.name)")
    let (kits, sounds) = (kept.unneededKits, kept.unneededSounds)
    guard kits + sounds > 0 else { return }
    print("left out, for its music names none of them: \(kits) kits, \(sounds) sounds")
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
