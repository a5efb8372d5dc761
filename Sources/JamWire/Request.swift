public import JamCore

/// A message's request.
public enum Request: Hashable, Sendable {
  /// A request about the connection: its player, and its feedback.
  case session(SessionRequest)
  case command(Command)
  /// A pattern's commands, one for each matched setting of the sender.
  case commands([Command])
}

/// The requests that the OSC edge handles by itself, or together with a room.
public enum SessionRequest: Hashable, Sendable {
  // Indirect: the request is rare, and its four texts would make every request large.
  indirect case hello(name: PlayerName, room: PlayerName?, password: String?, token: String?)
  case password(String)
  case host(String)
  case bye
  case sync
  /// Asks for the value at one address; see `Question`.
  indirect case ask(Question)
  /// Port nil is the sender's own port. `andOwn` adds the sender's own port to another one. Topics
  /// nil are the standard topics.
  case subscribe(port: UInt16?, andOwn: Bool = false, topics: Topics?)
  case unsubscribe
  /// Asks for the controllers that announce themselves.
  case controllers
  /// The sender's lights go to the controller of that name, or no more.
  indirect case controllerLights(name: String, isOn: Bool)
  case cookie(String)
  case ping([OSCArgument])
  /// Asks for a frame of the room, and for the moment of that frame on the server's clock.
  case frame
  /// How the room's sound reaches the sender's player; nil is that it does not sound there.
  case hearing(HearingReport?)
}

/// A request, with the room and the player that it is for.
public struct AddressedRequest: Hashable, Sendable {
  /// From `/room/<name>/…`; nil is the sender's room.
  public var room: PlayerName?
  /// From `/player/<name>/…`; nil is the sender.
  public var player: PlayerName?
  /// From an address of the table's `/seat/<n>/…`: the request names `PlayerName.anybody`, or a
  /// setting of that seat.
  public var seat: Int?
  /// From `/seat/<n>` in front of another address: the player there acts.
  public var actingSeat: Int?
  /// Whether the request came to `/n/<address>`, where values are shares of their ranges.
  public var isShare: Bool
  public var request: Request

  public init(
    room: PlayerName? = nil, player: PlayerName? = nil, seat: Int? = nil, actingSeat: Int? = nil,
    isShare: Bool = false, request: Request
  ) {
    self.room = room
    self.player = player
    self.seat = seat
    self.actingSeat = actingSeat
    self.isShare = isShare
    self.request = request
  }

  /// Whether the sender asked for a seat in any way.
  public var isOfSeat: Bool { seat != nil || actingSeat != nil }
}
