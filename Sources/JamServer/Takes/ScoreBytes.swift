import JamCore
import JamEngine
import JamRoom
import JamWire

/// How log entries stand in a score.
enum ScoreBytes {
  /// A score's first bundle: the engine that plays it, which room it is, and the tempo that it begins with.
  static func begin(_ room: PlayerName, _ tempo: Tempo, engine: Int = Engine.version) -> [UInt8] {
    let messages = [
      OSCMessage(engineAddress, .int32(Int32(engine))),
      OSCMessage("/room/\(room.text)/tempo", .float(Float(tempo.beatsPerMinute))),
    ]
    return ScoreWriter.encode(ScoreBundle(frame: .zero, messages: messages))
  }

  /// The version of the engine. It stands in scores alone.
  static let engineAddress = "/score/engine"

  static func of(_ entry: LogEntry) -> [UInt8] {
    let message: OSCMessage? =
      switch entry.action {
      case .join: OSCMessage("/hello", .string(entry.player.text))
      case .rename(let name): OSCMessage("/player/\(entry.player.text)/hello", .string(name.text))
      case .leave: OSCMessage("/player/\(entry.player.text)/bye")
      case .command(let command): AddressTable.standard.message(for: command, by: entry.player)
      }
    guard let message else { return [] }
    // The number that randomness hangs on.
    let number = OSCMessage("/seq", .int32(Int32(truncatingIfNeeded: entry.sequence)))
    return ScoreWriter.encode(ScoreBundle(frame: entry.frame, messages: [number, message]))
  }
}
