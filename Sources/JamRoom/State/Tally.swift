/// What a room counts.
struct Tally: Equatable, Sendable {
  /// The number of the last command that was stamped.
  var sequence: UInt64 = 0
  var hits: UInt64 = 0
  var lateHits: UInt64 = 0
  /// Orders for stretched sounds, of all players: whoever takes a place does not get what was ordered for who had it before.
  var stretchOrders: UInt64 = 0

  /// The next command has `number`.
  mutating func count(from number: UInt64) { sequence = number - 1 }

  mutating func next() -> UInt64 {
    sequence += 1
    return sequence
  }
}
