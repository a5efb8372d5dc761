internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Loops: what a player hits goes round, layer upon layer.
///
/// A layer is an immutable pattern in beats. The room plays each hit one constant delay ahead, as a
/// hand would: no clock change comes too late for hits on their way, and the log holds every hit.
extension RoomState {
  func checkLoop(_ action: LoopAction, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let loop = loopers[id].loop
    switch action {
    case .play, .stop, .clear:
      guard !loop.hasNothing else { throw .loopEmpty }
    case .record, .overdub:
      guard loop.layerCount < limits.layersPerLoop else {
        throw .loopFull(layers: limits.layersPerLoop)
      }
    }
    if action != .stop, !clock.isPlaying { try checkPlay(by: id) }
  }

  mutating func loop(_ action: LoopAction, by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    if loopers[id].loop.pass == nil { loopers[id].replaced = nil }
    let isNoStart = action == .stop || !action.isPass && loopers[id].loop.isEmpty
    if loopers[id].loop.waitsForTap, isNoStart { return giveUpTap(action, of: id, at: frame) }
    if action == .stop {
      if let focus = loopers[id].focus, focus.lane > 0 { endFocus(of: id, at: frame) }
      guard clock.isPlaying else { return stopStandingLoop(of: id, at: frame) }
    }
    // A bar-line action starts a transport that stands, at bar 1.
    if !clock.isPlaying { play(by: id, at: moment) }
    var line = clock.barLine(atOrAfter: frame)
    if action.isPass, loopers[id].loop.pass == nil {
      for _ in 0..<channels[id].countIn { line = clock.view.barLine(atOrAfter: line + Beats(microBeats: 1)) }
    }
    loopers[id].loop.waiting = WaitingAction(action: action, line: line)
    loopers[id].loop.endSooner(from: clock.view.beat(at: frame))
    commit(.command(.loop(action)), by: id, at: frame)
    countIn(of: id, at: frame)
    tell(.loopState, of: id)
    tellEverybodyLoop(of: id)
    planLoop(of: id)
  }

  /// No tap begins a pass any more, and nothing starts.
  private mutating func giveUpTap(_ action: LoopAction, of id: PlayerID, at frame: Frames) {
    _ = giveUpPass(of: id)
    commit(.command(.loop(action)), by: id, at: frame)
  }

  /// Without a bar line to wait for: nobody who stops a loop starts the room by it.
  private mutating func stopStandingLoop(of id: PlayerID, at frame: Frames) {
    loopers[id].loop.setPlaying(false)
    commit(.command(.loop(.stop)), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }

  /// A layer that its player may change.
  @discardableResult
  func requireLayer(_ number: Int, by id: PlayerID) throws(Refusal) -> Layer {
    try roster.requireUnlocked(.loops, id)
    return try loopers[id].loop.layer(number)
  }

  mutating func deleteLayer(_ number: Int, by id: PlayerID, at moment: Moment) {
    guard let edit = loopers[id].loop.delete(number) else { return }
    let frame = effectFrame(moment)
    remember(edit, of: id, at: frame)
    commit(.command(.deleteLayer(number)), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }

  func checkSetLoop(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    switch (setting, value) {
    case (.layerMute(let number), .bool), (.layerGain(let number), .float): try requireLayer(number, by: id)
    case (.loopBars, .integer):
      try roster.requireUnlocked(.loops, id)
      let loop = loopers[id].loop
      guard !loop.isLengthFixed else { throw .loopLengthFixed(bars: loop.shownBars) }
    default: throw .notSettable
    }
  }

  mutating func setLoop(_ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames) {
    if case (.loopBars, .integer(let bars)) = (setting, value) {
      loopers[id].loop.bars = Int(setting.row.kind.bounded(bars))
    } else {
      let now = clock.view.beat(at: frame)
      guard let edit = loopers[id].loop.set(setting, to: value, at: now) else { return }
      remember(edit, of: id, at: frame)
    }
    commit(.command(.set(setting, value)), by: id, at: frame)
    // Of a layer: what everybody draws of the loop.
    if setting != .loopBars { tellEverybodyLoop(of: id) }
    planLoop(of: id)
  }
}
