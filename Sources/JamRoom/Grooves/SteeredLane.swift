internal import JamCore

/// The lane of a part of a groove that somebody steers.
struct SteeredLane {
  var owner: PlayerID
  /// From 1.
  var number: Int
  var block: Block
  /// The number of the block: the one that was put last has the greatest.
  var newest: UInt64
  /// Whether it sounds, or will from the next bar line on.
  var sounds: Bool
  /// Whether it plays now.
  var isPlaying: Bool

  /// - Returns: nil where the looper has no such part.
  init?(_ part: GroovePart, of owner: PlayerID, _ looper: Looper) {
    guard let lane = looper.lane(of: part), let block = looper.groove(part) else { return nil }
    self.owner = owner
    self.block = block
    number = lane + 1
    newest = looper.lanes[lane].groove.newest
    sounds = looper.lanes[lane].playing != nil
    isPlaying = looper.lanes[lane].isPlaying
  }
}
