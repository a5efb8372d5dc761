public import JamCore

/// A copy of a whole player, for readers of all its parts: each part is in a table of the room.
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
}
