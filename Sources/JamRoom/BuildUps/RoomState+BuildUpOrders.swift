internal import JamCore
internal import JamEngine

/// Orders for build-ups, as players give them: what lies before them is carried out first.
extension RoomState {
  mutating func buildUp(
    to bpm: Float?, over bars: Int, _ curve: TempoCurve, by id: PlayerID, at moment: Moment
  ) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    try takeFromClock(by: id)
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    orderBuildUp(to: bpm, over: bars, curve, by: id, at: notBeforeSent(frame))
  }

  /// The old tempo on the next bar line.
  mutating func drop(by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    try requireBuildUp()
    orderDrop(by: id, at: notBeforeSent(frame))
  }

  /// The old tempo now.
  mutating func cancelBuildUp(by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    try requireBuildUp()
    callOffBuildUp(by: id, at: notBeforeSent(frame))
  }

  private func requireBuildUp() throws(Refusal) {
    if clock.buildUps.current == nil { throw .noBuildUp }
  }

  /// A switch of one of the parts; what runs follows.
  mutating func setBuildUp(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames
  ) throws(Refusal) {
    guard let parts = clock.buildUps.parts.setting(setting, to: value) else { throw .notSettable }
    try roster.requireUnlocked(.tempo, id)
    settleBuildUp(at: frame)
    put(parts, setting, to: value, by: id, at: setting == .buildUpHold ? notBeforeSent(frame) : frame)
  }

  /// A build-up that is to begin, before anything of it is sent: the tempo may be locked by now, or who ordered it a listener. Then it ends
  /// at `frame`, and with it the one whose place it was to take.
  mutating func allowBuildUp(at frame: Frames) {
    guard let order = clock.buildUps.current, !order.isAllowed,
      clock.view.frame(at: order.start) - HitQueue.ahead + RoomState.liveDelay <= frame
    else { return }
    clock.buildUps.current?.isAllowed = true
    // Of one who left it goes on.
    guard let id = order.player else { return }
    let frame = notBeforeSent(notBeforeAdvanced(frame))
    do throws(Refusal) {
      try roster.requireUnlocked(.tempo, id)
      try roster.requirePlaying(id)
    } catch {
      let command = Command.buildUp(bpm: Float(order.target.beatsPerMinute), bars: order.bars, order.curve)
      outbox.append(.tell(.refused(command, error), .player(id)))
      advanceLoops(until: frame)
      callOffBuildUp(by: id, at: frame)
    }
  }

  /// A command for `frame` finds what lies before it done.
  mutating func settleBuildUp(at frame: Frames) {
    allowBuildUp(at: frame)
    buildUpOn(at: frame)
  }
}
