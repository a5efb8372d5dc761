internal import JamCore

/// The effects of a step: engine commands, lines of the log, events and orders.
///
/// It is no part of what a room is. Two rooms are equal, whatever they have just asked for.
struct Outbox: Equatable, Sendable {
  /// In the order in which they must be carried out.
  private(set) var effects: [Effect] = []

  var isEmpty: Bool { effects.isEmpty }

  mutating func append(_ effect: Effect) { effects.append(effect) }

  mutating func append(_ more: [Effect]) { effects += more }

  /// Turns the asker's events, from effect `mark` on, to `player`: the asker may be gone by now.
  mutating func redirect(from mark: Int, to player: PlayerID) {
    for index in effects.indices.dropFirst(mark) {
      if case .tell(let event, .asker) = effects[index] { effects[index] = .tell(event, .player(player)) }
    }
  }

  /// Takes out the effects, and leaves the memory of `spare` to append to.
  /// - Parameter spare: an empty array whose memory is used again.
  /// - Returns: the effects, in their order.
  mutating func take(leaving spare: [Effect] = []) -> [Effect] {
    let taken = effects
    effects = spare
    return taken
  }

  static func == (one: Outbox, other: Outbox) -> Bool { true }
}
