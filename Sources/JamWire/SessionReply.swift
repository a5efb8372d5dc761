public import JamCore

/// The answers that the OSC edge gives by itself.
public enum SessionReply: Hashable, Sendable {
  case welcome(room: PlayerName, player: PlayerName, version: Int, bpm: Float, beatsPerBar: Int, token: String)
  case pong([OSCArgument], received: OSCTimetag, sent: OSCTimetag)
  case frame(Frames, at: OSCTimetag)
  case cookie(String)
  /// - Parameter player: the player whose lights the controller shows; empty for none.
  case controller(name: String, host: String, port: UInt16, state: String, player: String)
  case controllersEnd(count: Int)
  /// The sender's numbers at that address are read as MIDI's from now on.
  case midiFader(address: String)
  /// - Parameter text: the fault, and how to correct it.
  case error(address: String, text: String, ErrorCode)

  public init(_ refusal: Refusal, address: String) {
    self = .error(address: address, text: refusal.words, refusal.code)
  }
  public init(_ error: WireError) { self = .error(address: error.address, text: error.description, error.code) }
  public init(_ error: OSCError) { self = .error(address: error.address, text: error.description, error.code) }
  public init(_ error: FramingError) { self = .error(address: "/", text: error.description, error.code) }

  public var message: OSCMessage {
    switch self {
    case .welcome(let room, let player, let version, let bpm, let beatsPerBar, let token):
      OSCMessage(
        "/welcome", .string(room.text), .string(player.text), .int32(Int32(clamping: version)), .float(bpm),
        .int32(Int32(clamping: beatsPerBar)), .string(token))
    case .pong(let arguments, let received, let sent):
      OSCMessage("/pong", arguments + [.timetag(received), .timetag(sent)])
    case .frame(let frame, let moment): OSCMessage("/frame/at", .int64(frame.count), .timetag(moment))
    case .cookie(let cookie): OSCMessage("/cookie", .string(cookie))
    case .controller(let name, let host, let port, let state, let player):
      OSCMessage(
        "/controllers/item", .string(name), .string(host), .int32(Int32(port)), .string(state),
        .string(player))
    case .controllersEnd(let count): OSCMessage("/controllers/end", .int32(Int32(clamping: count)))
    case .midiFader(let address):
      OSCMessage(
        "/notice", .string(address), .string(SessionReply.midiWords), .string("values-are-midi"))
    case .error(let address, let text, let code):
      OSCMessage("/error", .string(address), .string(text), .string(code.text))
    }
  }

  private static let midiWords = """
    that number is MIDI's: from now on your whole numbers here are, 127 is the top; a fraction takes \
    that back
    """
}
