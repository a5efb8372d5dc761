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
    // In a score it was allowed when it was played.
    switch action {
    case _ where !rolls: break
    case .play, .stop, .clear:
      guard !loop.isEmpty || loop.pass != nil || loop.waiting != nil else {
        throw Refusal("your loop is empty: /loop/record takes down what you hit from the next bar line on")
      }
    case .record, .overdub:
      guard loop.layerCount < limits.layersPerLoop else {
        throw Refusal("a loop has \(limits.layersPerLoop) layers at most: delete one first")
      }
    }
    let frame = effectFrame(moment)
    // A bar-line action starts a transport that stands, at bar 1.
    if !map.isPlaying { try play(by: id, at: moment, &effects) }
    let line = map.view.barLine(atOrAfter: map.view.beat(at: frame))
    self[known: id].loop.waiting = (action, line)
    commit(.command(.loop(action)), by: self[known: id].name, at: frame, &effects)
    tell(.loopState, of: id, &effects)
    planLoops()
  }

  mutating func deleteLayer(_ number: Int, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    try requireUnlocked(.loops, id)
    let frame = effectFrame(moment)
    guard rolls else { return commit(.command(.deleteLayer(number)), by: self[known: id].name, at: frame, &effects) }
    let layer = try layer(number, of: id)
    self[known: id].loop[number] = nil
    remember(.layer(number, layer, nil), of: id, at: frame)
    commit(.command(.deleteLayer(number)), by: self[known: id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoops()
  }

  func layer(_ number: Int, of id: PlayerID) throws(Refusal) -> Layer {
    let loop = self[known: id].loop
    if let layer = loop[number] { return layer }
    let numbers = loop.layers.indices.filter { loop.layers[$0] != nil }.map { "\($0 + 1)" }.joined(separator: ", ")
    throw Refusal("there is no layer \(number): \(numbers.isEmpty ? "your loop is empty" : "there are \(numbers)")")
  }

  /// - Returns: false where it is no setting of loops.
  mutating func setLoop(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) -> Bool {
    switch (setting, value) {
    // In a score each hit has its layer's gain.
    case (.layerMute(let number), .bool(let isMuted)):
      if rolls { try changeLayer(number, of: id, at: frame) { $0.isMuted = isMuted } }
    case (.layerGain(let number), .float(let gain)):
      if rolls { try changeLayer(number, of: id, at: frame) { $0.gain = min(max(gain, -60), 12) } }
    case (.loopBars, .integer(let bars)):
      try requireUnlocked(.loops, id)
      guard !rolls || self[known: id].loop.isEmpty else {
        throw Refusal("your loop has \(self[known: id].loop.bars) bars as long as it has layers: /loop/clear first")
      }
      self[known: id].loop.bars = Int(min(max(bars, 1), 64))
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
    case .loopBars: .integer(Int32(player.loop.bars))
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

  func tellLoop(of id: PlayerID, _ effects: inout [Effect]) {
    for setting in [.loopState, .loopLayers, .loopBars] + layerSettings(of: id) { tell(setting, of: id, &effects) }
  }

  // MARK: Taking down

  /// Remembers a hit while a pass is under way or waited for; what of it the pass holds is found at its end.
  mutating func capture(
    _ start: VoiceStart, _ sound: PlayableSound, _ velocity: Velocity, by id: PlayerID, recorded beat: Beats
  ) {
    let number = UInt32(truncatingIfNeeded: lastSequence)
    if !rolls {
      // A score's hits of loops name any that was played.
      playedHits[number] = LoopHit(
        position: .zero, length: nil, sequence: number, velocity: velocity, start: start, sound: sound)
    }
    guard self[known: id].loop.pass != nil || self[known: id].loop.waiting != nil else { return }
    guard self[known: id].loop.captured.count < limits.hitsPerLayer else { return }
    self[known: id].loop.captured.append(
      CapturedHit(beat: beat, sequence: number, velocity: velocity, start: start, sound: sound))
  }

  /// The pad was let go, or its loop stopped.
  mutating func captureRelease(_ pad: Pad, by id: PlayerID, at frame: Frames) {
    guard !self[known: id].loop.captured.isEmpty else { return }
    let last = self[known: id].loop.captured.lastIndex {
      $0.start.pad == pad && $0.start.isGated && $0.released == nil
    }
    if let last { self[known: id].loop.captured[last].released = map.view.beat(at: frame) }
  }

  // MARK: Bar lines

  /// Carries out what waits for bar lines up to `frame`, in order.
  mutating func advanceLoops(until frame: Frames, _ effects: inout [Effect]) {
    guard map.isPlaying else { return }
    while let (id, beat) = nextTurn, map.view.frame(at: beat) <= frame { turn(id, at: beat, &effects) }
  }

  /// Whose loop has something to do next, and on which bar line.
  private var nextTurn: (PlayerID, Beats)? {
    var next: (PlayerID, Beats)?
    for player in players {
      guard let player else { continue }
      let beats = [player.loop.waiting?.line, player.loop.pass?.end].compactMap { $0 }
      guard let beat = beats.min(), next == nil || beat < next!.1 else { continue }
      next = (player.id, beat)
    }
    return next
  }

  private mutating func turn(_ id: PlayerID, at beat: Beats, _ effects: inout [Effect]) {
    let waiting = self[known: id].loop.waiting
    let isAsked = waiting?.line == beat
    if let pass = self[known: id].loop.pass, isAsked || pass.end == beat {
      finish(pass, of: id, at: beat, goesOn: pass.isOverdub && !isAsked)
    }
    if isAsked, let action = waiting?.action {
      self[known: id].loop.waiting = nil
      begin(action, of: id, at: beat)
    }
    if self[known: id].loop.pass == nil && self[known: id].loop.waiting == nil {
      self[known: id].loop.captured.removeAll()
    }
    tellLoop(of: id, &effects)
    planLoops()
  }

  private mutating func begin(_ action: LoopAction, of id: PlayerID, at beat: Beats) {
    switch action {
    case .record, .overdub:
      if self[known: id].loop.isEmpty {
        self[known: id].loop.origin = beat
        self[known: id].loop.length =
          map.view.signature(at: beat).signature.barLength * self[known: id].loop.bars
      } else if !self[known: id].loop.isPlaying {
        self[known: id].loop.origin = beat
      }
      self[known: id].loop.isPlaying = true
      self[known: id].loop.pass = Pass(
        start: beat, end: beat + self[known: id].loop.length, isOverdub: action == .overdub)
    case .play:
      if !self[known: id].loop.isPlaying { self[known: id].loop.origin = beat }
      self[known: id].loop.isPlaying = true
    case .stop:
      self[known: id].loop.isPlaying = false
    case .clear:
      let before = LoopEdit(self[known: id].loop)
      self[known: id].loop.layers = []
      self[known: id].loop.isPlaying = false
      remember(.loop(before, LoopEdit(self[known: id].loop)), of: id, at: map.view.frame(at: beat))
    }
  }

  /// What was hit within the pass becomes a layer.
  private mutating func finish(_ pass: Pass, of id: PlayerID, at beat: Beats, goesOn: Bool) {
    let wasEmpty = self[known: id].loop.isEmpty
    let before = LoopEdit(self[known: id].loop)
    if wasEmpty, beat < pass.end, beat > pass.start {
      // A first pass that was ended early makes a shorter loop.
      self[known: id].loop.length = beat - pass.start
      let bar = map.view.signature(at: pass.start).signature.barLength.microBeats
      self[known: id].loop.bars = max(1, Int((beat - pass.start).microBeats / bar))
    }
    let loop = self[known: id].loop
    let early = pass.start - RoomState.earlyBeats
    let hits = loop.captured.filter { (early..<beat).contains($0.beat) }.map { hit in
      LoopHit(
        position: loop.position(of: hit.beat),
        length: hit.start.isGated ? max(Beats(microBeats: 1), (hit.released ?? beat) - hit.beat) : nil,
        sequence: hit.sequence, velocity: hit.velocity, start: hit.start, sound: hit.sound)
    }.sorted { $0.position < $1.position }
    self[known: id].loop.captured.removeAll { $0.beat < beat - RoomState.earlyBeats }
    self[known: id].loop.pass = nil
    if !hits.isEmpty, let number = freeLayer(of: id) {
      self[known: id].loop[number] = Layer(hits: hits, begin: beat)
      let frame = map.view.frame(at: beat)
      if wasEmpty {
        remember(.loop(before, LoopEdit(self[known: id].loop)), of: id, at: frame)
      } else {
        remember(.layer(number, nil, self[known: id].loop[number]), of: id, at: frame)
      }
    }
    if goesOn, freeLayer(of: id) != nil {
      if self[known: id].loop.isEmpty { self[known: id].loop.origin = beat }
      self[known: id].loop.pass = Pass(start: beat, end: beat + self[known: id].loop.length, isOverdub: true)
    } else if self[known: id].loop.isEmpty {
      self[known: id].loop.isPlaying = false
    }
  }

  /// A hit so much before a pass is meant for its first beat; it sounds at the end of each cycle, as early as it was.
  private static let earlyBeats = Beats(microBeats: 125_000)

  private func freeLayer(of id: PlayerID) -> Int? {
    let loop = self[known: id].loop
    let number = (loop.layers.firstIndex { $0 == nil } ?? loop.layers.count) + 1
    return number <= limits.layersPerLoop ? number : nil
  }

  /// The transport stopped: what was taken down so far is a layer, and what waited for a bar line is forgotten.
  mutating func stopLoops(_ effects: inout [Effect]) {
    for player in players {
      guard let player, player.loop.pass != nil || player.loop.waiting != nil else { continue }
      if let pass = player.loop.pass { finish(pass, of: player.id, at: pass.end, goesOn: false) }
      self[known: player.id].loop.waiting = nil
      self[known: player.id].loop.captured.removeAll()
      tellLoop(of: player.id, &effects)
    }
    planLoops()
  }

  /// The transport started at bar 1: every loop begins there.
  mutating func startLoops() {
    for player in players {
      guard let player else { continue }
      self[known: player.id].loop.origin = .zero
      for number in player.loop.layers.indices { self[known: player.id].loop.layers[number]?.begin = .zero }
    }
    planLoops()
  }

  /// A pass or what waits for one is given up.
  /// - Returns: false where there is neither.
  mutating func giveUpPass(of id: PlayerID, _ effects: inout [Effect]) -> Bool {
    guard self[known: id].loop.pass != nil || self[known: id].loop.waiting != nil else { return false }
    self[known: id].loop.pass = nil
    self[known: id].loop.waiting = nil
    self[known: id].loop.captured.removeAll()
    if self[known: id].loop.isEmpty { self[known: id].loop.isPlaying = false }
    tellLoop(of: id, &effects)
    planLoops()
    return true
  }

  // MARK: Playing

  /// Hits everything of the loops up to one constant delay after `now`.
  mutating func playLoops(at now: Frames, _ effects: inout [Effect]) {
    let horizon = now + RoomState.liveDelay
    advanceLoops(until: horizon, &effects)
    defer { loopsSent = horizon + Frames(1) }
    guard let nextLoop, nextLoop <= horizon else { return }
    for player in players {
      guard let player, let next = player.loop.nextFrame, next <= horizon else { continue }
      for number in 1...player.loop.layers.count {
        while let next = self[known: player.id].loop[number]?.next, next.frame <= horizon {
          // What a stalled thread missed is not caught up in a burst.
          if next.frame > now - RoomState.mostLate {
            loopHit(number, next.index, by: player.id, at: next.frame, &effects)
          }
          let following = following(next, in: number, of: player.id)
          self[known: player.id].loop[number]?.next = following
        }
      }
    }
    updateNextLoop()
  }

  private static let mostLate = Frames.milliseconds(50)

  private mutating func loopHit(
    _ number: Int, _ index: Int, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let layer = self[known: id].loop[number], layer.hits.indices.contains(index) else { return }
    var hold: Int64 = 0
    if let length = layer.hits[index].length {
      let beat = map.view.beat(at: frame)
      hold = max(1, Int64((map.view.exactFrame(at: beat + length) - map.view.exactFrame(at: beat)).rounded()))
    }
    sound(
      layer.hits[index], of: number, hold: Int32(clamping: hold), gain: layer.gain, by: id, at: frame, &effects)
  }

  /// A loop's hit that a score holds.
  mutating func loopHit(
    _ number: Int, hit: UInt32, hold: Int32, gain: Float, by id: PlayerID, at frame: Frames,
    _ effects: inout [Effect]
  ) {
    guard let played = playedHits[hit] else { return }
    sound(played, of: number, hold: hold, gain: gain, by: id, at: frame, &effects)
  }

  private mutating func sound(
    _ hit: LoopHit, of number: Int, hold: Int32, gain: Float, by id: PlayerID, at frame: Frames,
    _ effects: inout [Effect]
  ) {
    var start = hit.start
    let linear = Decibels.gain(gain)
    start.gain.left *= linear
    start.gain.right *= linear
    start.isGated = false
    start.holdFrames = hold
    var duration = RoomState.duration(of: start)
    if hold > 0 { duration = min(duration, Frames(Int64(hold))) }
    if hit.sound.use.count == 0 { effects.append(.keep(hit.sound)) }
    hit.sound.use.retain()
    hits += 1
    let name = self[known: id].name
    commit(
      .command(.loopHit(layer: number, hit: hit.sequence, hold: hold, gain: gain)), by: name, at: frame,
      engine: .start(start),
      &effects)
    let shown = PendingHit(
      frame: frame, sequence: lastSequence, player: id, name: name, pad: start.pad, velocity: hit.velocity,
      duration: duration)
    show(shown, &effects)
  }

  /// The hits that come next, after any change of the clock or of a loop.
  mutating func planLoops() {
    for player in players {
      guard let player, !player.loop.layers.isEmpty else { continue }
      for number in 1...player.loop.layers.count { planLayer(number, of: player.id) }
    }
    updateNextLoop()
  }

  private mutating func planLayer(_ number: Int, of id: PlayerID) {
    let loop = self[known: id].loop
    guard let layer = loop[number] else { return }
    guard map.isPlaying, loop.isPlaying, !layer.isMuted, loop.length > .zero else {
      self[known: id].loop[number]?.next = nil
      return
    }
    // From what was sent on, and not before the loop began.
    let begin = max(loop.origin, layer.begin)
    let beat = max(map.view.beat(at: loopsSent), begin)
    let cycle = beat - loop.position(of: beat)
    var next = (cycle: cycle, index: 0, frame: map.view.frame(at: cycle + layer.hits[0].position))
    while next.frame < loopsSent || next.cycle + layer.hits[next.index].position < begin {
      next = following(next, in: number, of: id)!
    }
    self[known: id].loop[number]?.next = next
  }

  private func following(
    _ current: (cycle: Beats, index: Int, frame: Frames), in number: Int, of id: PlayerID
  ) -> (cycle: Beats, index: Int, frame: Frames)? {
    let loop = self[known: id].loop
    guard let layer = loop[number] else { return nil }
    var next = current
    next.index += 1
    if next.index == layer.hits.count {
      next.index = 0
      next.cycle += loop.length
    }
    next.frame = map.view.frame(at: next.cycle + layer.hits[next.index].position)
    return next
  }

  private mutating func updateNextLoop() {
    nextLoop = nil
    guard map.isPlaying && rolls else { return }
    for player in players {
      guard let player else { continue }
      var next: Frames?
      for layer in player.loop.layers {
        if let frame = layer?.next?.frame { next = min(next ?? frame, frame) }
      }
      self[known: player.id].loop.nextFrame = next
      if let next { nextLoop = min(nextLoop ?? next, next) }
    }
  }

  /// When loops have something to do next; nil while they have nothing.
  var loopDeadline: Frames? {
    guard map.isPlaying else { return nil }
    let turn = nextTurn.map { map.view.frame(at: $0.1) }
    let next = [turn, nextLoop].compactMap { $0 }.min()
    return next.map { $0 - RoomState.liveDelay }
  }

  /// Where in their loops the players are.
  func tellLoopPositions(at now: Frames, _ effects: inout [Effect]) {
    guard map.isPlaying else { return }
    let beat = map.view.beat(at: now)
    for player in people where player.loop.isPlaying && player.loop.length > .zero {
      let position = player.loop.position(of: beat)
      effects.append(
        .tell(.loopPosition(Float(position.value / player.loop.length.value)), .player(player.id)))
    }
  }
}
