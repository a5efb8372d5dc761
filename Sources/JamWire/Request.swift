public import JamCore

/// What a message asks for.
public enum Request: Hashable, Sendable {
  /// A matter of the connection: who is there, who wants feedback.
  case session(SessionRequest)
  case command(Command)
  /// A pattern, expanded over the sender's own settings.
  case commands([Command])
}

/// What the OSC edge settles itself, or together with a room.
public enum SessionRequest: Hashable, Sendable {
  // Boxed: it is rare, and its four texts would make every request large.
  indirect case hello(name: PlayerName, room: PlayerName?, password: String?, token: String?)
  case password(String)
  case host(String)
  case bye
  case sync
  /// nil is the sender's own port, which may have feedback beside another one; no topics are the standard ones.
  case subscribe(port: UInt16?, andOwn: Bool = false, topics: Topics?)
  case unsubscribe
  case cookie(String)
  case ping([OSCArgument])
  /// Which frame of the room is at which moment of the server's clock.
  case frame
}

/// A request with whom it is for.
public struct AddressedRequest: Hashable, Sendable {
  /// From `/room/<name>/…`; nil is the sender's room.
  public var room: PlayerName?
  /// From `/player/<name>/…`; nil is the sender.
  public var player: PlayerName?
  public var request: Request

  public init(room: PlayerName? = nil, player: PlayerName? = nil, request: Request) {
    self.room = room
    self.player = player
    self.request = request
  }
}
