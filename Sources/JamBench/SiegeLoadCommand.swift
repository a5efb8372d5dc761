internal import ArgumentParser
internal import JamCommand

/// `bandshell-bench siege-load`: sends too much to a server on this machine, for tests. It prints
/// how many packets a second it has sent.
struct SiegeLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "siege-load", abstract: "Far too much for one server, for tests.", shouldDisplay: false)

  @Argument var weapon: SiegeWeapon
  @Argument var port: UInt16
  @Option var seconds = 2.0
  @Option(help: "Of what the bench sends.")
  var share = 1.0

  func run() {
    let sender = SiegeSender(weapon, port: port, seconds: seconds, share: share)
    sender.start()
    sender.join()
    Console.say(BenchReport.number(Double(sender.sent) / max(sender.elapsed, 0.001)))
  }
}

extension SiegeWeapon: ExpressibleByArgument {}
