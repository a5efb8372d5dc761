internal import JamCore
internal import JamEngine

/// Orders for build-ups, as players give them: what lies before them is carried out first.
extension RoomState {
  func checkBuildUp(by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    try checkTakeFromClock(by: id)
  }

  mutating func buildUp(to bpm: Float?, over bars: Int, _ curve: TempoCurve, by id: PlayerID, at moment: Moment) {
    takeFromClock()
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    orderBuildUp(to: bpm, over: bars, curve, by: id, at: notBeforeSent(frame))
  }

  /// Of a drop, and of a cancel of what runs. `settleBuildUp` drops build-ups that may not begin or
  /// whose drop is over: they do not count.
  func checkEndBuildUp(by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    let frame = effectFrame(moment)
    guard let buildUp = clock.buildUps.current, whyNotBegin(buildUp, at: frame) == nil else { throw .noBuildUp }
    guard let drop = buildUp.drop else { return }
    let line = max(buildUp.nextBar, clock.view.barLine(atOrAfter: drop))
    // Up to there everything is sent: the drop is on its way.
    if clock.view.frame(at: line) <= notBeforeSent(frame) { throw .noBuildUp }
  }

  /// The old tempo on the next bar line.
  mutating func drop(by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    orderDrop(by: id, at: notBeforeSent(frame))
  }

  func checkCancelBuildUp(by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    if !isToCome(\.isBuildUp) { try checkEndBuildUp(by: id, at: moment) }
  }

  /// The old tempo now. Build-ups that wait for their timetag do not come.
  mutating func cancelBuildUp(by id: PlayerID, at moment: Moment) {
    if isToCome(\.isBuildUp) {
      withdrawScheduled(where: \.isBuildUp)
      // Of one that runs the end is told below.
      if clock.buildUps.current == nil { tellBuildUp(at: .zero) }
    }
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    callOffBuildUp(by: id, at: notBeforeSent(frame))
  }

  func checkSetBuildUp(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    if clock.buildUps.parts.setting(setting, to: value) == nil { throw .notSettable }
    try roster.requireUnlocked(.tempo, id)
  }

  /// A switch of one of the parts; what runs follows.
  /// - Returns: false, with nothing changed, for another setting.
  mutating func setBuildUp(_ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames) -> Bool {
    guard let parts = clock.buildUps.parts.setting(setting, to: value) else { return false }
    settleBuildUp(at: frame)
    put(parts, setting, to: value, by: id, at: setting == .buildUpHold ? notBeforeSent(frame) : frame)
    return true
  }

  /// Checks a build-up that begins, before anything of it is sent. The tempo may be locked by now,
  /// or its player a listener: then it ends at `frame`, and so does the one that it would replace.
  mutating func allowBuildUp(at frame: Frames) {
    guard let order = clock.buildUps.current, isBeginning(order, at: frame) else { return }
    clock.buildUps.current?.isAllowed = true
    guard let id = order.player, let refusal = whyNotBegin(order, at: frame) else { return }
    let frame = notBeforeSent(notBeforeAdvanced(frame))
    let command = Command.buildUp(bpm: Float(order.target.beatsPerMinute), bars: order.bars, order.curve)
    outbox.append(.tell(.refused(command, refusal), .player(id)))
    advanceLoops(until: frame)
    callOffBuildUp(by: id, at: frame)
  }

  private func isBeginning(_ order: BuildUp, at frame: Frames) -> Bool {
    !order.isAllowed && clock.view.frame(at: order.start) - HitQueue.ahead + RoomState.liveDelay <= frame
  }

  private func whyNotBegin(_ order: BuildUp, at frame: Frames) -> Refusal? {
    // Of one who left it goes on.
    guard let id = order.player, isBeginning(order, at: frame) else { return nil }
    do throws(Refusal) {
      try roster.requireUnlocked(.tempo, id)
      try roster.requirePlaying(id)
    } catch { return error }
    return nil
  }

  /// A command for `frame` finds what lies before it done.
  mutating func settleBuildUp(at frame: Frames) {
    allowBuildUp(at: frame)
    buildUpOn(at: frame)
  }
}
