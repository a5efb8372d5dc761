internal import JamCore
internal import JamEngine

/// The parts of the room that a loop reads as one of its passes ends.
struct PassSurroundings {
  var view: TempoMapView
  var limits: Limits
  /// The recorded beats of the player's hits that sound a loop later and are on their way.
  var onTheWay: [Beats]
  /// Of its player, and the room's.
  var grid = RecordingGrid()
  var swing: Float = 0

  /// Moves a pass's hits to their kept places, now that all of them tell how late the hand is.
  /// - Returns: how late that is.
  func tidy(_ hits: inout [CapturedHit], of pass: Pass) -> Beats {
    let drift = grid.drift(of: hits.filter(\.isByHand).map(\.beat), view, swing: swing)
    for index in hits.indices where hits[index].isByHand {
      let (before, kept) = (hits[index].kept, grid.place(of: hits[index].beat, view, swing: swing, drift: drift))
      // Across the pass's start, a hit would be heard twice at the pass's end, or not at all.
      hits[index].kept =
        before < pass.start ? min(kept, pass.start - Beats(microBeats: 1)) : max(kept, pass.start)
    }
    return drift
  }
}

/// Passes: the hits of one become a layer.
extension Loop {
  /// A hit this early means the pass's first beat; it sounds at the end of each cycle, as early.
  static let earlyBeats = Beats(microBeats: 125_000)
  /// The time between looks at held hits: 30 times a second.
  static let lookEvery = Frames(1_600)

  /// Carries out what waited for the bar line at `beat`.
  /// - Parameters:
  ///   - bar: the length of the bar that begins there.
  ///   - edits: how many edits its player could take back.
  /// - Returns: the edit; nil where it is none.
  mutating func begin(_ action: LoopAction, at beat: Beats, bar: Beats, edits: Int) -> Edit? {
    switch action {
    case .record, .overdub:
      if isUnrecorded {
        // Steps go on as they are.
        if isEmpty { origin = beat }
        recordedBars = bars
        length = bar * bars
      } else if !isPlaying {
        origin = beat
      }
      beginPass(Pass(start: beat, end: beat + length, isOverdub: action == .overdub, edits: edits))
      findEarlyHits()
      return nil
    case .play:
      if !isPlaying { origin = beat }
      setPlaying(true)
      return nil
    case .stop:
      setPlaying(false)
      endClosedPasses(isCleared: false)
      return nil
    case .clear:
      endClosedPasses(isCleared: true)
      let before = LoopEdit(self)
      layers = []
      setPlaying(false)
      setAwaited(false)
      return .loop(before, LoopEdit(self))
    }
  }

  /// The next pass of an overdub.
  mutating func overdubOn(from pass: Pass, at beat: Beats) {
    if isEmpty { origin = beat }
    beginPass(Pass(start: beat, end: beat + length, isOverdub: true, edits: pass.edits))
  }

  /// Makes a layer of the hits within the pass.
  /// - Returns: the edit, nil without a hit; and the frame at which to look at unfinished hits.
  mutating func finish(_ pass: Pass, at beat: Beats, _ room: PassSurroundings) -> (edit: Edit?, look: Frames?) {
    let wasEmpty = isUnrecorded
    let before = LoopEdit(self)
    if wasEmpty, beat < pass.end, beat > pass.start {
      // A first pass that was ended early makes a shorter loop.
      length = beat - pass.start
      let bar = room.view.signature(at: pass.start).signature.barLength.microBeats
      recordedBars = max(1, Int((beat - pass.start).microBeats / bar))
      if tap?.start == pass.start { tap?.end = beat }
    }
    var within = captured.filter { Range(from: pass.start - Loop.earlyBeats, to: beat).contains($0.beat) }
    let drift = room.tidy(&within, of: pass)
    var hits = within.filter { !$0.isUnfinished(at: beat) }.map { hit in
      LoopHit(hit, position: position(of: hit.kept), atMost: length)
    }.sorted { $0.position < $1.position }
    hits.dropMoves(beyond: room.limits.movesPerLayer)
    // Hits shortly before the next pass belong to this one.
    captured.removeAll { $0.beat < beat }
    closePass()
    let number = hits.isEmpty ? nil : freeLayer(most: room.limits.layersPerLoop)
    let look = close(
      pass, at: beat, unfinished: within.filter { $0.isUnfinished(at: beat) }, hasLayer: number != nil, drift: drift,
      room)
    guard let number else { return (nil, look) }
    self[number] = Layer(tracks: [Track(hits: hits, length: length)], begin: beat, pass: passes)
    return (wasEmpty ? .loop(before, LoopEdit(self)) : .layer(number, nil, self[number]), look)
  }

  /// The pass under way is taken back with the layer that `finish` made of it.
  /// - Parameter edit: that layer's; nil where nothing was hit.
  mutating func takeBack(_ edit: Edit?) {
    // Hits that arrive late for the pass are given up with it; hits from now on are no part of it.
    closed.removeLast()
    switch edit {
    case .layer(let number, let before, _): self[number] = before
    case .loop(let before, _): layers = before.layers
    default: break
    }
  }

  /// A pass, or what waits for one, is given up.
  mutating func giveUpPass() {
    endPass()
    waiting = nil
    captured.removeAll()
    if isEmpty { setPlaying(false) }
  }

  /// The overdub ends; what waits for a bar line still does.
  mutating func endEmptyPass() {
    endPass()
    if waiting == nil { captured.removeAll() }
  }

  /// Forgets the action that waits for a bar line, with the hits of its pass.
  mutating func forgetWaiting() {
    waiting = nil
    captured.removeAll()
  }

  /// Hits are kept only while a pass may take them.
  mutating func forgetUnusedHits() { if !isBusy { captured.removeAll() } }

  /// Bar 1 begins anew, and the loop with it. Of this count of beats nothing was sent.
  mutating func restart() {
    tap = nil
    origin = .zero
    beginLayers(at: .zero)
  }

  /// It plays again, from `line` on.
  mutating func resume(at line: Beats) {
    beginLayers(at: line)
    setPlaying(true)
  }

  private mutating func beginLayers(at beat: Beats) {
    for index in layers.indices { layers[index]?.begin(at: beat) }
  }

  // MARK: Looking

  /// The action that waits for the bar line at `beat`.
  func action(on beat: Beats) -> LoopAction? { waiting.flatMap { $0.line == beat ? $0.action : nil } }

  /// The pass under way, where it ends at `beat`: by its length, or by what waits for that line.
  func passEnding(at beat: Beats) -> Pass? { pass.flatMap { $0.end == beat || action(on: beat) != nil ? $0 : nil } }

  /// The player's orders that go on or are still to come.
  var ordered: [LoopAction] {
    let passing: [LoopAction] = pass.map { [$0.isOverdub ? .overdub : .record] } ?? []
    return passing + (waiting.map { [$0.action] } ?? [])
  }

  /// The beginning of an overdub's pass without a hit, if its player changed something else since
  /// the overdub began; nil where no such overdub is under way.
  /// - Parameter edits: how many its player could take back.
  func emptyOverdub(edits: Int) -> Beats? {
    guard let pass, pass.isOverdub, edits > pass.edits else { return nil }
    let begin = pass.start - Loop.earlyBeats
    return captured.contains { $0.beat >= begin } ? nil : begin
  }

  // MARK: Taking down

  /// The outcome of a hit.
  enum Captured {
    case ignored
    case taken
    /// It came early for the pass under way, and comes round at its end.
    case early
    /// It belongs to a pass that is over.
    case late
  }

  /// Whether a hit may be one of a pass.
  var takesHits: Bool { waiting != nil || pass != nil || !closed.isEmpty }

  /// Remembers a hit for the pass under way or awaited, or for a pass that is over.
  /// - Parameters:
  ///   - frame: where it sounds, or is kept where that comes later.
  ///   - limit: beyond so many hits it takes no more.
  mutating func capture(_ hit: CapturedHit, at frame: Frames, limit: Int) -> Captured {
    if let pass = closedPass(at: hit.beat) {
      guard late.count < limit else { return .ignored }
      late.append(LateHit(hit: hit, frame: frame, pass: pass.number))
      return .late
    }
    guard pass != nil || waiting != nil, captured.count < limit else { return .ignored }
    guard pass?.isEarly(hit.beat) == true else {
      captured.append(hit)
      return .taken
    }
    addEarly(hit)
    return .early
  }

  /// The pad was released, or its loop stopped: each held hit of it ends, as its voices do. A pad
  /// pressed again before its release has several.
  /// - Parameter heard: where its player heard the beat.
  /// - Returns: whether one of them is a hit of a pass that is over.
  mutating func captureRelease(_ pad: Pad, at beat: Beats, heard: Beats?) -> Bool {
    func isMeant(_ hit: CapturedHit) -> Bool { hit.start.pad == pad && hit.isHeld }
    for index in captured.indices where isMeant(captured[index]) { captured[index].release(at: beat, heard: heard) }
    var isOver = false
    for index in late.indices where isMeant(late[index].hit) {
      late[index].hit.release(at: beat, heard: heard)
      isOver = true
    }
    return isOver
  }

  /// Held hits end at `beat`.
  mutating func releaseCaptured(at beat: Beats) {
    for index in captured.indices
    where captured[index].isHeld && captured[index].sounds <= beat {
      captured[index].release(at: beat, heard: nil)
    }
  }

  /// A hit that will not sound is in no layer.
  mutating func forgetCaptured(_ number: UInt32) {
    captured.removeAll { $0.sequence == number }
    late.removeAll { $0.hit.sequence == number }
  }

  // MARK: Edits

  /// All layers as they were, or became. A pass under way goes on.
  mutating func restore(_ edit: LoopEdit, at now: Beats) {
    let (wasEmpty, isPassing) = (isEmpty, pass != nil)
    layers = edit.layers
    beginLayers(at: now)
    // A pass under way needs a length.
    if !isPassing || edit.length > .zero {
      length = edit.length
      recordedBars = edit.bars
    }
    if wasEmpty {
      setPlaying(edit.isPlaying)
      // An origin from before the transport's last start is over.
      origin = edit.origin <= now ? edit.origin : .zero
    }
    // A loop that was there already goes on as before.
    if isEmpty { setPlaying(false) }
  }

  /// A project's loop in place of this one. The count of passes goes on; the told steps stay known.
  mutating func open(_ music: Checkpoint, on line: Beats) {
    var loop = Loop()
    loop.bars = bars
    loop.recordedBars = music.loop.bars
    loop.layers = music.loop.layers
    loop.beginLayers(at: line)
    loop.length = music.loop.length
    loop.origin = music.loop.origin + line
    loop.restoreStepCounts(of: music)
    loop.takeTold(from: self)
    loop.countPasses(from: passes)
    loop.setPlaying(music.loop.isPlaying && !loop.isEmpty)
    self = loop
  }

  /// A layer as it was, or became.
  mutating func restore(_ layer: Layer?, as number: Int, at now: Beats) {
    self[number] = layer
    self[number]?.begin(at: now)
  }
}
