public import ArgumentParser

/// `bandshell-bench`: the benches, and the crowds that they start as processes of their own.
public struct BenchProgram: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "bandshell-bench", abstract: "Measure what this machine can carry.",
    discussion: "`bandshell-bench voices osc` runs two of them.\n\n\(BenchCommand.list)",
    subcommands: [
      BenchCommand.self, ListenerLoadCommand.self, PlayerLoadCommand.self, SiegeLoadCommand.self,
    ],
    defaultSubcommand: BenchCommand.self)

  public init() {}
}
