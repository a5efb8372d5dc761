public import JamCore

/// A whole player, for who looks at all of one: each part is in a table of the room, and this is a copy.
public struct Player: Equatable, Sendable {
  public internal(set) var person: Person
  var channel = Channel()
  var hands: Hands
  var looper = Looper()
  var desk = Desk()

  init(_ person: Person, hands: Hands) {
    self.person = person
    self.hands = hands
  }

  public var id: PlayerID { person.id }
  public var name: PlayerName { person.name }
  public var kitID: String { hands.kitID }

  /// - Returns: nil where it is no setting of a player's, and where there is no such layer.
  func value(of setting: Setting) -> SettingValue? {
    hands.value(of: setting) ?? looper.value(of: setting) ?? channel.value(of: setting) ?? person.value(of: setting)
      ?? desk.value(of: setting)
  }

  /// The value that is kept: of an instrument that is still being read, what was asked for.
  /// - Returns: as `value(of:)`.
  func keptValue(of setting: Setting) -> SettingValue? { hands.keptValue(of: setting) ?? value(of: setting) }
}
