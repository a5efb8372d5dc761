internal import JamCore

/// The grooves of others, noted once at each look for all players.
struct OtherGrooves {
  /// The parts of players who have left.
  var left = GrooveLights()
  /// The first of those.
  var leftPlayer: PlayerID?
  /// The first two players who are here and whose groove sounds: one of them is not the asker.
  private var first: PlayerID?
  private var second: PlayerID?

  @inline(__always) mutating func noteLeft(_ id: PlayerID, _ looper: UnsafePointer<Looper>) {
    let before = left
    PlayerLights.grooves(of: looper, into: &left)
    if leftPlayer == nil, left != before { leftPlayer = id }
  }

  @inline(__always) mutating func noteSounding(_ id: PlayerID) {
    if first == nil { first = id } else if second == nil { second = id }
  }

  /// The player with a groove that is told to a player without one.
  @inline(__always) func player(for id: PlayerID) -> PlayerID? {
    leftPlayer ?? (first == id ? second : first)
  }
}
