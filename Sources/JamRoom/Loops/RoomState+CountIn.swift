internal import JamCore
internal import JamEngine

/// The bars before a pass, in which the click is on.
extension RoomState {
  /// The click is on from now on until the pass begins, where one waits.
  mutating func countIn(of id: PlayerID, at frame: Frames) {
    let isCountingIn = loopers[id].loop.waitsForPass && channels[id].countIn > 0
    guard isCountingIn != channels[id].isCountingIn else { return }
    countIn(isCountingIn, of: id, at: frame)
    if isCountingIn { tellUnheardClick(of: id) }
  }

  /// The pass has begun, or is not to come: the click is as it was.
  mutating func endCountIn(of id: PlayerID, at frame: Frames) {
    guard channels[id].isCountingIn, loopers[id].loop.waiting?.action.isPass != true else { return }
    countIn(false, of: id, at: frame)
  }

  mutating func countIn(_ isOn: Bool, of id: PlayerID, at frame: Frames) {
    channels[id].isCountingIn = isOn
    commit(.command(.countIn(isOn)), by: id, at: frame, engine: click)
    updateCue(of: id, at: frame)
  }

  /// The player leaves: before its last entry in the log.
  mutating func leaveCountIn(of id: PlayerID, at frame: Frames) {
    guard channels[id].isCountingIn else { return }
    loopers[id].loop.waiting = nil
    endCountIn(of: id, at: frame)
  }
}
