internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Loops: what a player hits goes round, layer upon layer.
///
/// A layer is an immutable pattern in beats. The room itself hits it, each hit one constant delay before its frame, as if a
/// hand had played it then: a change of the clock never comes too late for what was sent, and the log holds every hit.
extension RoomState {
  // MARK: Commands

  mutating func loop(_ action: LoopAction, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    try roster.requireUnlocked(.loops, id)
    let loop = roster[id].loop
    switch action {
    case .play, .stop, .clear:
      guard !loop.isEmpty || loop.isAwaited || loop.pass != nil || loop.waiting != nil else {
        throw .loopEmpty
      }
    case .record, .overdub:
      guard loop.layerCount < limits.layersPerLoop else {
        throw .loopFull(layers: limits.layersPerLoop)
      }
    }
    let frame = effectFrame(moment)
    if action == .stop {
      if let focus = roster[id].focus, focus.lane > 0 { endFocus(of: id, at: frame, &effects) }
      guard clock.isPlaying else { return stopStandingLoop(of: id, at: frame, &effects) }
    }
    // A bar-line action starts a transport that stands, at bar 1.
    if !clock.isPlaying { try play(by: id, at: moment, &effects) }
    var line = clock.view.barLine(atOrAfter: clock.view.beat(at: frame))
    if action.isPass, loop.pass == nil {
      for _ in 0..<roster[id].countIn { line = clock.view.barLine(atOrAfter: line + Beats(microBeats: 1)) }
    }
    roster[id].loop.waiting = WaitingAction(action: action, line: line)
    commit(.command(.loop(action)), by: roster[id].name, at: frame, &effects)
    countIn(of: id, at: frame, &effects)
    tell(.loopState, of: id, &effects)
    tellEverybodyLoop(of: id, &effects)
    planLoop(of: id)
  }

  /// Without a bar line to wait for: nobody who stops a loop starts the room by it.
  private mutating func stopStandingLoop(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    roster[id].loop.setPlaying(false)
    commit(.command(.loop(.stop)), by: roster[id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  /// The click is on from now on until the pass begins, where one waits.
  private mutating func countIn(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    let waits = roster[id].loop.waiting?.action.isPass == true && roster[id].loop.pass == nil
    let isCountingIn = waits && roster[id].countIn > 0
    guard isCountingIn != roster[id].isCountingIn else { return }
    countIn(isCountingIn, of: id, at: frame, &effects)
    if isCountingIn { tellUnheardClick(of: id, &effects) }
  }

  /// The pass has begun, or is not to come: the click is as it was.
  mutating func endCountIn(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard roster[id].isCountingIn, roster[id].loop.waiting?.action.isPass != true else { return }
    countIn(false, of: id, at: frame, &effects)
  }

  mutating func countIn(_ isOn: Bool, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    roster[id].isCountingIn = isOn
    commitClick(.command(.countIn(isOn)), by: roster[id].name, at: frame, &effects)
    updateCue(of: id, at: frame, &effects)
  }

  /// The player leaves: before its last entry in the log.
  mutating func leaveCountIn(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard roster[id].isCountingIn else { return }
    roster[id].loop.waiting = nil
    endCountIn(of: id, at: frame, &effects)
  }

  mutating func deleteLayer(_ number: Int, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    try roster.requireUnlocked(.loops, id)
    let frame = effectFrame(moment)
    let layer = try layer(number, of: id)
    let before = LoopEdit(roster[id].loop)
    roster[id].loop[number] = nil
    let after = LoopEdit(roster[id].loop)
    // How the loop goes round goes with what was recorded last: another may be begun before this one comes back.
    remember(roster[id].loop.isUnrecorded ? .loop(before, after) : .layer(number, layer, nil), of: id, at: frame)
    commit(.command(.deleteLayer(number)), by: roster[id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  func layer(_ number: Int, of id: PlayerID) throws(Refusal) -> Layer {
    let loop = roster[id].loop
    if let layer = loop[number] { return layer }
    throw .noSuchLayer(number, layers: loop.layers.indices.filter { loop.layers[$0] != nil }.map { $0 + 1 })
  }

  /// - Returns: false where it is no setting of loops.
  mutating func setLoop(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) -> Bool {
    switch (setting, value) {
    case (.layerMute(let number), .bool(let isMuted)):
      try changeLayer(number, of: id, at: frame) { $0.isMuted = isMuted }
    case (.layerGain(let number), .float(let gain)):
      try changeLayer(number, of: id, at: frame) { $0.gain = setting.row.kind.bounded(gain) }
    case (.loopBars, .integer(let bars)):
      try roster.requireUnlocked(.loops, id)
      guard roster[id].loop.isUnrecorded && !roster[id].loop.isAwaited else {
        throw .loopLengthFixed(bars: roster[id].loop.shownBars)
      }
      roster[id].loop.bars = Int(setting.row.kind.bounded(bars))
    default: return false
    }
    commit(.command(.set(setting, value)), by: roster[id].name, at: frame, &effects)
    return true
  }

  private mutating func changeLayer(
    _ number: Int, of id: PlayerID, at frame: Frames, _ change: (inout Layer) -> Void
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let before = try layer(number, of: id)
    var after = before
    change(&after)
    if before.isMuted && !after.isMuted { after.begin = clock.view.beat(at: frame) }
    roster[id].loop[number] = after
    remember(.layer(number, before, after), of: id, at: frame)
  }

  func loopValue(_ setting: Setting, _ player: Player) -> SettingValue? {
    switch setting {
    case .loopBars: .integer(Int32(player.loop.shownBars))
    case .loopState: .text(player.loop.state)
    case .loopLayers: .integer(Int32(player.loop.layerCount))
    case .layerMute(let number): player.loop[number].map { .bool($0.isMuted) }
    case .layerGain(let number): player.loop[number].map { .float($0.gain) }
    default: nil
    }
  }

  /// The settings of the layers that there are.
  func layerSettings(of id: PlayerID) -> [Setting] {
    let loop = roster[id].loop
    return loop.layers.indices.filter { loop.layers[$0] != nil }.flatMap { [.layerMute($0 + 1), .layerGain($0 + 1)] }
  }

  mutating func tellLoop(of id: PlayerID, _ effects: inout [Effect]) {
    tellSteps(of: id, &effects)
    for setting in [.loopState, .loopLayers, .loopBars] + layerSettings(of: id) { tell(setting, of: id, &effects) }
    tellEverybodyLoop(of: id, &effects)
  }

  /// Once for each change.
  private mutating func tellEverybodyLoop(of id: PlayerID, _ effects: inout [Effect]) {
    let event = playerLoop(of: id)
    guard event != roster[id].toldLoop else { return }
    roster[id].toldLoop = event
    effects.append(.tell(event, .everybody))
  }

  private func playerLoop(of id: PlayerID) -> Event {
    let player = roster[id]
    return .playerLoop(
      player: player.name, state: player.loop.state, layers: player.loop.layerCount, bars: player.loop.shownBars)
  }

  /// What everybody's loops do, the empty ones too, and of those who left theirs behind.
  var playerLoops: [Event] { roster.players.compactMap { $0 }.map { playerLoop(of: $0.id) } }

  // MARK: Bar lines

  /// Carries out what waits for bar lines up to `frame`, in order.
  mutating func advanceLoops(until frame: Frames, _ effects: inout [Effect]) {
    defer { schedule.advance(to: frame) }
    guard clock.isPlaying else { return }
    while let next = schedule.nextTurn, clock.view.frame(at: next.beat) <= frame {
      turn(next.player, at: next.beat, &effects)
    }
  }

  private mutating func turn(_ id: PlayerID, at beat: Beats, _ effects: inout [Effect]) {
    turnLanes(of: id, at: beat, &effects)
    if roster[id].loop.nextTurn == beat { turnLoop(of: id, at: beat, &effects) }
    planLoop(of: id)
  }

  private mutating func turnLoop(of id: PlayerID, at beat: Beats, _ effects: inout [Effect]) {
    let waiting = roster[id].loop.waiting
    let isAsked = waiting?.line == beat
    if let pass = roster[id].loop.pass, isAsked || pass.end == beat {
      repeatEarlyHits(of: id, until: clock.view.frame(at: beat), &effects)
      finish(pass, of: id, at: beat)
      do {
        if pass.isOverdub && !isAsked { try overdubOn(from: pass, of: id, at: beat) }
      } catch {
        effects.append(.tell(.refused(.loop(.overdub), error), .player(id)))
      }
      settleAwaited(of: id, &effects)
    }
    if isAsked, let action = waiting?.action {
      roster[id].loop.waiting = nil
      do {
        if changes(action, id) { try roster.requireUnlocked(.loops, id) }
        begin(action, of: id, at: beat)
      } catch {
        effects.append(.tell(.refused(.loop(action), error), .player(id)))
      }
      endCountIn(of: id, at: clock.view.frame(at: beat), &effects)
    }
    if roster[id].loop.pass == nil && roster[id].loop.waiting == nil {
      roster[id].loop.captured.removeAll()
    }
    tellLoop(of: id, &effects)
  }

  /// Whether what waited makes something sound, or takes it away for good: a lock that came meanwhile holds for that.
  private func changes(_ action: LoopAction, _ id: PlayerID) -> Bool {
    switch action {
    case .record, .overdub, .clear: true
    case .play: !roster[id].loop.isPlaying
    case .stop: false
    }
  }

  private mutating func begin(_ action: LoopAction, of id: PlayerID, at beat: Beats) {
    let bar = clock.view.signature(at: beat).signature.barLength
    let edits = roster[id].history.done.count
    guard let edit = roster[id].loop.begin(action, at: beat, bar: bar, edits: edits) else { return }
    remember(edit, of: id, at: clock.view.frame(at: beat))
  }

  private mutating func overdubOn(from pass: Pass, of id: PlayerID, at beat: Beats) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    guard roster[id].loop.freeLayer(most: limits.layersPerLoop) != nil else {
      throw .overdubEnded(layers: limits.layersPerLoop)
    }
    roster[id].loop.overdubOn(from: pass, at: beat)
  }

  /// The transport stopped: what was taken down so far is a layer, and what waited for a bar line is forgotten.
  mutating func stopLoops(_ effects: inout [Effect]) {
    for player in roster.people { stopLanes(of: player.id, &effects) }
    for player in roster.players {
      guard let player else { continue }
      let isBusy = player.loop.pass != nil || player.loop.waiting != nil
      if let pass = player.loop.pass { finish(pass, of: player.id, at: pass.end) }
      settleLateHits(of: player.id, all: true, &effects)
      roster[player.id].loop.endClosedPasses(isCleared: true)
      settleAwaited(of: player.id, &effects)
      guard isBusy else { continue }
      roster[player.id].loop.waiting = nil
      roster[player.id].loop.captured.removeAll()
      endCountIn(of: player.id, at: schedule.sent, &effects)
      tellLoop(of: player.id, &effects)
    }
    planLoops()
  }

  /// The transport started at bar 1: every loop begins there.
  mutating func startLoops() {
    for player in roster.players {
      guard let player else { continue }
      startLanes(of: player.id)
      roster[player.id].loop.restart()
    }
    planLoops()
  }
}
