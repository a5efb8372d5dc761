import ArgumentParser
import JamCommand
import JamCore
import JamKit
import JamServer
import JamStore

/// `bandshell blocks`.
struct BlocksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blocks", abstract: "List the blocks of a data folder, take one along, bring one.",
    discussion: """
      A block is bars that somebody kept. This is for a folder whose server does not run; of one that runs, GET \
      /search finds them, and GET and PUT /blocks/NAME take one along and bring one.
      """,
    subcommands: [BlocksList.self, BlockExport.self, BlockImport.self])
}

/// `bandshell blocks list`.
struct BlocksList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the blocks that players saved, by their ids.")

  @OptionGroup var options: DataFolderOptions

  func run() throws {
    let open = try options.open()
    defer { withExtendedLifetime(open) {} }
    let items = try ExitCode.badData.ifFailing { try open.catalogue.savedBlocks() }
    guard !items.isEmpty else { return print("no block is kept here: /block/save keeps one") }
    var table = TextTable(["block", "beats", "bpm", "sounds", "shared"], rightAligned: [1, 2])
    for item in items {
      table.add([
        item.id, legible(item.beats), item.bpm == 0 ? "" : legible((item.bpm * 10).rounded() / 10), item.category,
        item.owner.isEmpty ? "yes" : "no",
      ])
    }
    print(table.text)
  }
}

/// `bandshell blocks export`.
struct BlockExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a block with its sounds into a file, for any other server.")

  @OptionGroup var options: DataFolderOptions

  @Argument(help: "The block: room/owner/name, as `blocks list` shows it, or a ready-made one's name.")
  var block: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to be written.", valueName: "file"))
  var output: String

  func run() throws {
    FullDisk.isAnError()
    let open = try options.open()
    defer { withExtendedLifetime(open) {} }
    let (name, bytes) = try BlocksCommand.carryOut { () throws(LibraryFiles.Problem) in
      try open.blockFile(named: block)
    }
    try ExitCode.unavailable.ifFailing { try Files.write(bytes, to: output) }
    print("\(name): \(bytes.count) bytes in \(output)")
  }
}

/// `bandshell blocks import`.
struct BlockImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Keep a block's file in the data folder, with its sounds and kits.")

  @OptionGroup var options: DataFolderOptions

  @Argument(help: ArgumentHelp("The block's file.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The room that it is for.", valueName: "name"))
  var room = "main"

  @Option(
    help: ArgumentHelp("Whose it is to be; without it everybody's, by the name that it has.", valueName: "name"))
  var player: String?

  @Option(help: ArgumentHelp("What it is to be called; without it as the file.", valueName: "name"))
  var name: String?

  func run() throws {
    FullDisk.isAnError()
    let wanted = name ?? BlockImport.name(of: file)
    guard let room = PlayerName(room), ShownName.isValid(wanted),
      !ReadyMadeBlocks.all.contains(where: { $0.name == wanted.lowercased() })
    else {
      throw ValidationError("a block and a room have names of 1–32 characters, and a ready-made block's name is taken")
    }
    var owner: PlayerName?
    if let player {
      owner = PlayerName(player)
      guard owner != nil else { throw ValidationError("--player \(player) is no name") }
    }
    let open = try options.open()
    defer { withExtendedLifetime(open) {} }
    let bytes = try ExitCode.badData.ifFailing { try Files.read(file, limit: BlockFile.mostBytes) }
    let id = try BlocksCommand.carryOut { () throws(LibraryFiles.Problem) in
      try open.keepBlock(bytes, named: wanted, of: owner, in: room)
    }
    print("\(id) is kept: /lane/1/1 \(wanted)")
  }

  /// The name of the block in `a/my beat.block.zip`: my beat.
  private static func name(of path: String) -> String {
    var name = path.split(separator: "/").last.map { String($0) } ?? ""
    for ending in [".zip", ".block"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    return name
  }
}

extension BlocksCommand {
  /// Runs `body`. After a failure this prints the reason, and throws the exit code for it.
  static func carryOut<Answer>(_ body: () throws(LibraryFiles.Problem) -> Answer) throws -> Answer {
    do throws(LibraryFiles.Problem) {
      return try body()
    } catch {
      Console.error(error.text)
      if case .noSpace = error { throw ExitCode.unavailable }
      throw ExitCode.badData
    }
  }
}
