import JamCore
import JamEngine
import JamRoom
import JamWire

/// Encodes log entries as bundles of a score.
enum ScoreBytes {
  /// A score's first bundle: the version of the engine that plays it, the room's name, and the
  /// tempo at the beginning.
  static func begin(_ room: PlayerName, _ tempo: Tempo, engine: Int = Engine.version) -> [UInt8] {
    let messages = [
      OSCMessage(engineAddress, .int32(Int32(engine))),
      OSCMessage("/room/\(room.text)/tempo", .float(Float(tempo.beatsPerMinute))),
    ]
    return ScoreWriter.encode(ScoreBundle(frame: .zero, messages: messages))
  }

  /// The address of the engine's version. Only scores use it.
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
    // The engine derives its random choices from this number, so a replay needs it.
    let number = OSCMessage("/seq", .int32(Int32(truncatingIfNeeded: entry.sequence)))
    return ScoreWriter.encode(ScoreBundle(frame: entry.frame, messages: [number, message]))
  }
}
