import ArgumentParser
import JamCommand
import JamCore
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

/// `bandshell takes list`.
struct TakesList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the takes, the latest first.")

  @OptionGroup var options: DataFolderOptions

  func run() throws {
    let open = try options.open(hasCatalogue: true)
    defer { withExtendedLifetime(open) {} }
    let takes = try StartError.told { () throws(StartError) in try open.takes(needsKits: false) }
    let all = try ExitCode.badData.ifFailing { try takes.catalogue.takes() }
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
