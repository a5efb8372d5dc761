internal import JamCore

/// What comes round by time alone: when positions are told and lost releases are looked for.
struct Pulse: Equatable, Sendable {
  /// The frame of the last tick.
  private(set) var ticked = Frames.zero
  var nextPosition: Frames = .zero
  var nextHousekeeping: Frames = .zero
  var nextHistories: Frames = .zero
  /// Which version of the room's history was told.
  var toldRoomHistory = 0
  /// A pad may have become one that follows the tempo: it is looked at with the next tick.
  var hasToFit = false
  /// The clock stands again after beats were moved: what goes round is put where they are now.
  var hasToAlign = false
  /// When the pitch of something that goes round was last set: once that has stood for a moment, it is
  /// put where the clock is.
  var retuned: Frames?

  /// The pad is another: whoever sets its sound, its beats or its mode calls this.
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
