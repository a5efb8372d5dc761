import ArgumentParser
import JamCore
import JamRoom

/// The options for stems on the command line.
struct StemOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What has a stem of its own: player, pad, layer, or hand, which is what each player hit by hand and what loops \
      made of it.
      """,
      valueName: "part"))
  var by = StemPlan.Division.player.rawValue

  @Flag(
    help: ArgumentHelp(
      """
      Stems with inserts, the room's filter and build-ups: with delay and reverb their sum is what goes into the \
      limiter.
      """
    ))
  var wet = false

  @Option(help: ArgumentHelp("What stems are written as: 24 bits, or float.", valueName: "24|float"))
  var stemFormat = "float"

  var plan: StemPlan { StemPlan(by: StemPlan.Division(rawValue: by) ?? .player, isShaped: wet) }
  var format: WAVFormat { stemFormat == "24" ? .pcm24 : .float32 }

  func validate() throws {
    guard StemPlan.Division(rawValue: by) != nil else {
      throw ValidationError("--by is player, pad, layer or hand, not “\(by)”")
    }
    guard ["24", "float"].contains(stemFormat) else {
      throw ValidationError("--stem-format is 24 or float, not “\(stemFormat)”")
    }
  }
}
