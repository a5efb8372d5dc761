internal import JamCore

/// A player's groove as its lights show it, small enough to be compared at every look: with the
/// parts of players who have left, as far as the player has none of its own.
struct GrooveLights: Equatable, Sendable {
  /// A bit for each part that is there, and for each that sounds or will.
  private var parts: UInt8 = 0
  private var playing: UInt8 = 0
  private var waits = false
  /// The number of the block that came last: another groove has another one.
  private var newest: UInt64 = 0
  /// Another player with a groove.
  private var other: PlayerID?
  /// Whether a part of the player's own sounds or will.
  private(set) var sounds = false

  /// Notes the parts of a lane. Read through an address, as all lights are.
  @inline(__always) mutating func put(_ lane: UnsafePointer<Lane>) {
    let groove = lane.pointee.groove
    guard groove.parts != 0 else { return }
    newest = max(newest, groove.newest)
    parts |= groove.parts
    let starts = lane.pointee.waiting?.action.isPlaying
    if starts ?? lane.pointee.isPlaying { playing |= groove.parts }
    if starts == true { waits = true }
  }

  /// Adds the parts that the player has not itself.
  /// - Parameters:
  ///   - left: the parts of players who have left.
  ///   - other: another player with a groove, told to a player who has none.
  @inline(__always) mutating func add(_ left: GrooveLights, of other: PlayerID?) {
    sounds = playing != 0
    if parts == 0 { self.other = other }
    let missing = left.parts & ~parts
    guard missing != 0 else { return }
    parts |= missing
    playing |= left.playing & missing
    waits = waits || left.waits
    newest = max(newest, left.newest)
  }

  var glow: Glow { waits ? .waiting : playing != 0 ? .on : .off }
}
