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
    try requireUnlocked(.loops, id)
    let loop = self[known: id].loop
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
      if let focus = self[known: id].focus, focus.lane > 0 { endFocus(of: id, at: frame, &effects) }
      guard map.isPlaying else { return stopStandingLoop(of: id, at: frame, &effects) }
    }
    // A bar-line action starts a transport that stands, at bar 1.
    if !map.isPlaying { try play(by: id, at: moment, &effects) }
    var line = map.view.barLine(atOrAfter: map.view.beat(at: frame))
    if action.isPass, loop.pass == nil {
      for _ in 0..<self[known: id].countIn { line = map.view.barLine(atOrAfter: line + Beats(microBeats: 1)) }
    }
    self[known: id].loop.waiting = (action, line)
    commit(.command(.loop(action)), by: self[known: id].name, at: frame, &effects)
    countIn(of: id, at: frame, &effects)
    tell(.loopState, of: id, &effects)
    tellEverybodyLoop(of: id, &effects)
    planLoop(of: id)
  }

  /// Without a bar line to wait for: nobody who stops a loop starts the room by it.
  private mutating func stopStandingLoop(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    self[known: id].loop.isPlaying = false
    commit(.command(.loop(.stop)), by: self[known: id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  /// The click is on from now on until the pass begins, where one waits.
  private mutating func countIn(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    let waits = self[known: id].loop.waiting?.action.isPass == true && self[known: id].loop.pass == nil
    let isCountingIn = waits && self[known: id].countIn > 0
    guard isCountingIn != self[known: id].isCountingIn else { return }
    countIn(isCountingIn, of: id, at: frame, &effects)
    if isCountingIn { tellUnheardClick(of: id, &effects) }
  }

  /// The pass has begun, or is not to come: the click is as it was.
  mutating func endCountIn(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard self[known: id].isCountingIn, self[known: id].loop.waiting?.action.isPass != true else { return }
    countIn(false, of: id, at: frame, &effects)
  }

  mutating func countIn(_ isOn: Bool, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    self[known: id].isCountingIn = isOn
    commitClick(.command(.countIn(isOn)), by: self[known: id].name, at: frame, &effects)
    updateCue(of: id, at: frame, &effects)
  }

  /// The player leaves: before its last entry in the log.
  mutating func leaveCountIn(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard self[known: id].isCountingIn else { return }
    self[known: id].loop.waiting = nil
    endCountIn(of: id, at: frame, &effects)
  }

  mutating func deleteLayer(_ number: Int, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    try requireUnlocked(.loops, id)
    let frame = effectFrame(moment)
    let layer = try layer(number, of: id)
    let before = LoopEdit(self[known: id].loop)
    self[known: id].loop[number] = nil
    let after = LoopEdit(self[known: id].loop)
    // How the loop goes round goes with what was recorded last: another may be begun before this one comes back.
    remember(self[known: id].loop.isUnrecorded ? .loop(before, after) : .layer(number, layer, nil), of: id, at: frame)
    commit(.command(.deleteLayer(number)), by: self[known: id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  func layer(_ number: Int, of id: PlayerID) throws(Refusal) -> Layer {
    let loop = self[known: id].loop
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
      try requireUnlocked(.loops, id)
      guard self[known: id].loop.isUnrecorded && !self[known: id].loop.isAwaited else {
        throw .loopLengthFixed(bars: self[known: id].loop.shownBars)
      }
      self[known: id].loop.bars = Int(setting.row.kind.bounded(bars))
    default: return false
    }
    commit(.command(.set(setting, value)), by: self[known: id].name, at: frame, &effects)
    return true
  }

  private mutating func changeLayer(
    _ number: Int, of id: PlayerID, at frame: Frames, _ change: (inout Layer) -> Void
  ) throws(Refusal) {
    try requireUnlocked(.loops, id)
    let before = try layer(number, of: id)
    var after = before
    change(&after)
    if before.isMuted && !after.isMuted { after.begin = map.view.beat(at: frame) }
    self[known: id].loop[number] = after
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
    let loop = self[known: id].loop
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
    guard event != self[known: id].toldLoop else { return }
    self[known: id].toldLoop = event
    effects.append(.tell(event, .everybody))
  }

  private func playerLoop(of id: PlayerID) -> Event {
    let player = self[known: id]
    return .playerLoop(
      player: player.name, state: player.loop.state, layers: player.loop.layerCount, bars: player.loop.shownBars)
  }

  /// What everybody's loops do, the empty ones too, and of those who left theirs behind.
  var playerLoops: [Event] { players.compactMap { $0 }.map { playerLoop(of: $0.id) } }

  // MARK: Taking down

  /// Remembers a hit while a pass is under way or waited for; what of it the pass holds is found at its end.
  /// - Parameter fixed: the hit that it is, where the pad is another by now.
  mutating func capture(
    _ start: VoiceStart, _ sound: PlayableSound, _ velocity: Velocity, as fixed: LoopHit? = nil, by id: PlayerID,
    at frame: Frames, recorded place: RecordedPlace?
  ) {
    // Almost always: no pass is under way, waited for or over a moment ago.
    guard self[known: id].loop.takesHits else { return }
    let number = fixed?.sequence ?? UInt32(truncatingIfNeeded: lastSequence)
    let voicing = fixed?.voicing ?? voicing(of: start.pad, of: id)
    let sounds = map.view.beat(at: frame)
    let hit = CapturedHit(
      beat: place?.beat ?? sounds, sounds: sounds, heard: place?.heard, sequence: number, velocity: velocity,
      start: start, sound: sound, voicing: voicing)
    guard !captureLate(hit, by: id, at: frame) else { return }
    guard self[known: id].loop.pass != nil || self[known: id].loop.waiting != nil else { return }
    guard self[known: id].loop.captured.count < limits.hitsPerLayer else { return }
    self[known: id].loop.captured.append(hit)
    guard self[known: id].loop.pass?.isEarly(hit.beat) == true else { return }
    self[known: id].loop.pass?.hasEarlyHits = true
    planLoop(of: id)
  }

  func voicing(of pad: Pad, of id: PlayerID) -> Voicing {
    var settings = self[known: id].pads[pad.index].heardSettings
    settings.mute = false
    settings.solo = false
    return Voicing(pad: pad, sample: self[known: id].pads[pad.index].sample, settings: settings)
  }

  /// The pad was let go, or its loop stopped.
  mutating func captureRelease(_ pad: Pad, by id: PlayerID, at frame: Frames, heard: Beats? = nil) {
    let beat = map.view.beat(at: frame)
    func isHeld(_ hit: CapturedHit) -> Bool { hit.start.pad == pad && hit.start.isGated && hit.released == nil }
    if let last = self[known: id].loop.captured.lastIndex(where: isHeld) {
      self[known: id].loop.captured[last].release(at: beat, heard: heard)
    } else if let last = self[known: id].loop.late.lastIndex(where: { isHeld($0.hit) }) {
      self[known: id].loop.late[last].hit.release(at: beat, heard: heard)
      schedule.awaitLate(at: frame)
    }
  }

  // MARK: Bar lines

  /// Carries out what waits for bar lines up to `frame`, in order.
  mutating func advanceLoops(until frame: Frames, _ effects: inout [Effect]) {
    defer { schedule.advance(to: frame) }
    guard map.isPlaying else { return }
    while let next = schedule.nextTurn, map.view.frame(at: next.beat) <= frame {
      turn(next.player, at: next.beat, &effects)
    }
  }

  private mutating func turn(_ id: PlayerID, at beat: Beats, _ effects: inout [Effect]) {
    turnLanes(of: id, at: beat, &effects)
    if self[known: id].loop.nextTurn == beat { turnLoop(of: id, at: beat, &effects) }
    planLoop(of: id)
  }

  private mutating func turnLoop(of id: PlayerID, at beat: Beats, _ effects: inout [Effect]) {
    let waiting = self[known: id].loop.waiting
    let isAsked = waiting?.line == beat
    if let pass = self[known: id].loop.pass, isAsked || pass.end == beat {
      repeatEarlyHits(of: id, until: map.view.frame(at: beat), &effects)
      finish(pass, of: id, at: beat)
      do {
        if pass.isOverdub && !isAsked { try overdubOn(id, from: pass, at: beat) }
      } catch {
        effects.append(.tell(.refused(.loop(.overdub), error), .player(id)))
      }
      settleAwaited(of: id, &effects)
    }
    if isAsked, let action = waiting?.action {
      self[known: id].loop.waiting = nil
      do {
        if changes(action, id) { try requireUnlocked(.loops, id) }
        begin(action, of: id, at: beat)
      } catch {
        effects.append(.tell(.refused(.loop(action), error), .player(id)))
      }
      endCountIn(of: id, at: map.view.frame(at: beat), &effects)
    }
    if self[known: id].loop.pass == nil && self[known: id].loop.waiting == nil {
      self[known: id].loop.captured.removeAll()
    }
    tellLoop(of: id, &effects)
  }

  /// Whether what waited makes something sound, or takes it away for good: a lock that came meanwhile holds for that.
  private func changes(_ action: LoopAction, _ id: PlayerID) -> Bool {
    switch action {
    case .record, .overdub, .clear: true
    case .play: !self[known: id].loop.isPlaying
    case .stop: false
    }
  }

  private mutating func begin(_ action: LoopAction, of id: PlayerID, at beat: Beats) {
    switch action {
    case .record, .overdub:
      if self[known: id].loop.isUnrecorded {
        // Steps go on as they are.
        if self[known: id].loop.isEmpty { self[known: id].loop.origin = beat }
        self[known: id].loop.recordedBars = self[known: id].loop.bars
        self[known: id].loop.length =
          map.view.signature(at: beat).signature.barLength * self[known: id].loop.bars
      } else if !self[known: id].loop.isPlaying {
        self[known: id].loop.origin = beat
      }
      self[known: id].loop.isPlaying = true
      self[known: id].loop.pass = Pass(
        start: beat, end: beat + self[known: id].loop.length, isOverdub: action == .overdub,
        edits: self[known: id].history.done.count)
      self[known: id].loop.findEarlyHits()
    case .play:
      if !self[known: id].loop.isPlaying { self[known: id].loop.origin = beat }
      self[known: id].loop.isPlaying = true
    case .stop:
      self[known: id].loop.isPlaying = false
      endClosedPasses(of: id, isCleared: false)
    case .clear:
      endClosedPasses(of: id, isCleared: true)
      let before = LoopEdit(self[known: id].loop)
      self[known: id].loop.layers = []
      self[known: id].loop.isPlaying = false
      self[known: id].loop.isAwaited = false
      remember(.loop(before, LoopEdit(self[known: id].loop)), of: id, at: map.view.frame(at: beat))
    }
  }

  /// What was hit within the pass becomes a layer.
  mutating func finish(_ pass: Pass, of id: PlayerID, at beat: Beats) {
    let wasEmpty = self[known: id].loop.isUnrecorded
    let before = LoopEdit(self[known: id].loop)
    if wasEmpty, beat < pass.end, beat > pass.start {
      // A first pass that was ended early makes a shorter loop.
      self[known: id].loop.length = beat - pass.start
      let bar = map.view.signature(at: pass.start).signature.barLength.microBeats
      self[known: id].loop.recordedBars = max(1, Int((beat - pass.start).microBeats / bar))
    }
    let loop = self[known: id].loop
    let early = pass.start - RoomState.earlyBeats
    let captured = loop.captured.filter { Range(from: early, to: beat).contains($0.beat) }
    let hits = captured.filter { !$0.isUnfinished(at: beat) }.map { hit in
      LoopHit(hit, position: loop.position(of: hit.beat), atMost: loop.length)
    }.sorted { $0.position < $1.position }
    // What was hit shortly before the next pass belongs to this one.
    self[known: id].loop.captured.removeAll { $0.beat < beat }
    self[known: id].loop.pass = nil
    self[known: id].loop.passes += 1
    let layer = hits.isEmpty ? nil : freeLayer(of: id)
    close(pass, of: id, at: beat, captured.filter { $0.isUnfinished(at: beat) }, hasLayer: layer != nil)
    if let number = layer {
      self[known: id].loop[number] = Layer(
        tracks: [Track(hits: hits, length: self[known: id].loop.length)], begin: beat,
        pass: self[known: id].loop.passes)
      let frame = map.view.frame(at: beat)
      if wasEmpty {
        remember(.loop(before, LoopEdit(self[known: id].loop)), of: id, at: frame)
      } else {
        remember(.layer(number, nil, self[known: id].loop[number]), of: id, at: frame)
      }
    }
  }

  /// The next pass of an overdub.
  private mutating func overdubOn(_ id: PlayerID, from pass: Pass, at beat: Beats) throws(Refusal) {
    try requireUnlocked(.loops, id)
    guard freeLayer(of: id) != nil else {
      throw .overdubEnded(layers: limits.layersPerLoop)
    }
    if self[known: id].loop.isEmpty { self[known: id].loop.origin = beat }
    self[known: id].loop.pass = Pass(
      start: beat, end: beat + self[known: id].loop.length, isOverdub: true, edits: pass.edits)
  }

  func freeLayer(of id: PlayerID) -> Int? {
    let loop = self[known: id].loop
    let number = (loop.layers.firstIndex { $0 == nil } ?? loop.layers.count) + 1
    return number <= limits.layersPerLoop ? number : nil
  }

  /// The transport stopped: what was taken down so far is a layer, and what waited for a bar line is forgotten.
  mutating func stopLoops(_ effects: inout [Effect]) {
    for player in people { stopLanes(of: player.id, &effects) }
    for player in players {
      guard let player else { continue }
      let isBusy = player.loop.pass != nil || player.loop.waiting != nil
      if let pass = player.loop.pass { finish(pass, of: player.id, at: pass.end) }
      settleLateHits(of: player.id, all: true, &effects)
      endClosedPasses(of: player.id, isCleared: true)
      settleAwaited(of: player.id, &effects)
      guard isBusy else { continue }
      self[known: player.id].loop.waiting = nil
      self[known: player.id].loop.captured.removeAll()
      endCountIn(of: player.id, at: schedule.sent, &effects)
      tellLoop(of: player.id, &effects)
    }
    planLoops()
  }

  /// The transport started at bar 1: every loop begins there.
  mutating func startLoops() {
    for player in players {
      guard let player else { continue }
      startLanes(of: player.id)
      self[known: player.id].loop.origin = .zero
      for number in player.loop.layers.indices { self[known: player.id].loop.layers[number]?.begin = .zero }
    }
    planLoops()
  }
}
