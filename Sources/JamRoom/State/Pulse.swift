internal import JamCore

/// The times of regular work: telling positions, and looking for lost releases.
struct Pulse: Equatable, Sendable {
  /// The frame of the last tick.
  private(set) var ticked = Frames.zero
  var nextPosition: Frames = .zero
  var nextHousekeeping: Frames = .zero
  var nextHistories: Frames = .zero
  /// The version of the room's history that was told last.
  var toldRoomHistory = 0
  /// The room's lights as they were told; nil before the first look.
  var toldLights: RoomLights?
  /// A pad may have become one that follows the tempo: it is looked at with the next tick.
  var hasToFit = false
  /// The clock stands again after beats were moved: what goes round is put where they are now.
  var hasToAlign = false
  /// The time of the last change of a loop's pitch: once it has stood for a moment, the loop moves
  /// to the clock's place.
  var retuned: Frames?

  /// The pad has changed: each setter of its sound, its beats or its mode calls this.
  mutating func noteFit(of pad: PadState) {
    if pad.settings.beats > 0 || pad.fit != 1 { hasToFit = true }
  }

  /// A clock that runs backwards stands still here.
  /// - Returns: the moment of the tick.
  mutating func tick(at time: Frames) -> Frames {
    ticked = max(time, ticked)
    return ticked
  }
}
