public import JamCore

/// A player's name and token, its rights, and its whereabouts.
public struct Person: Equatable, Sendable {
  public let id: PlayerID
  public internal(set) var name: PlayerName
  /// Resumes the player on another connection.
  public internal(set) var token: String
  /// Came in by hitting a pad, without a name of its own.
  public internal(set) var isGuest: Bool
  /// The name for a guest's return: all of one address are one. Nil keeps nothing of it.
  var guestKey: GuestMemory.Key?
  public internal(set) var role: Role
  /// A host made the player a listener, and only a host makes it a player again.
  var isMadeListener = false
  var hearing = PlayerHearing()
  /// The player's recent addresses; none for the server itself.
  var whereabouts = Whereabouts()
  var presence = Presence.connected
  /// Its last connection ended; it may come back.
  var isAway = false
  /// Gone, but its loop plays on.
  var hasLeft = false
  /// It was kept beyond the process's end, and has not shown up since.
  var isExpected = false
  /// The frame at which it came in: it has heard nothing before.
  var joined: Frames
  /// The frame of the player's last message.
  var lastHeard: Frames

  public var isHost: Bool { role == .host }
  /// The key of the player's quota for saving.
  var saver: String { whereabouts.addresses.first(where: \.isCounted)?.text ?? name.text }

  /// It comes in from there, wherever it was before.
  mutating func arrive(from visitor: Visitor) {
    whereabouts = Whereabouts()
    presence = visitor.presence
    note(visitor)
  }

  /// It takes up the loop that it left.
  mutating func comeBack(token: String, isGuest: Bool, as role: Role, at arrival: Frames) {
    (hasLeft, isAway) = (false, false)
    (self.token, self.isGuest) = (token, isGuest)
    (joined, lastHeard) = (arrival, arrival)
    // A host's word holds for the name: coming back does not lift it.
    if !isMadeListener || role == .host { self.role = role }
  }

  var lightEvent: Event { .playerLight(player: name, hearing.lateness.light) }
  var latencyEvent: Event { .playerLatency(player: name, milliseconds: hearing.latency) }
}

extension Person {
  static let rows: [Row<Person>] = [
    Row(.host) { .bool($0.isHost) },
    Row(.role, kept: .ownRow) { .text($0.role.word) },
    // No part of the music.
    Row(.latency, .float(\.hearing.latency), log: .none, replans: [.latency], kept: .ownRow),
  ]
}
