internal import ArgumentParser
internal import JamCommand
internal import JamCore
internal import JamNet

/// `bandshell-bench player-load`: players of a dense room, in a process that `bench` starts beside
/// the server. It prints `ready` and the port on which it takes orders (`PlayerCrowd`).
struct PlayerLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "player-load", abstract: "Players of a dense room, for the benches.",
    shouldDisplay: false)

  @Argument var room: DenseRoom
  @Argument var port: UInt16
  @Option(help: "The number of its first player.")
  var first: Int
  @Option var count: Int

  func run() throws {
    do {
      let numbers = Range(from: max(0, first), to: min(first &+ count, room.players))
      try PlayerCrowd(room, numbers: numbers, port: port).run()
    } catch {
      Console.error("\(error)")
      throw ExitCode.unavailable
    }
  }
}
