internal import JamCore
internal import JamEngine

/// A pass that is over. Hits heard in it may arrive late, or go out a loop later: it takes both.
struct ClosedPass: Equatable, Sendable {
  /// Of the loop's passes, from 1.
  var number: Int
  var start: Beats
  var end: Beats
  /// Of the loop then.
  var origin: Beats
  var length: Beats
  var bars: Int
  /// A layer was made of it.
  var hasLayer: Bool
  /// The loop goes round since.
  var plays = true
  /// The median lateness of its hits: later ones are moved by as much.
  var drift = Beats.zero

  var beats: Range<Beats> { Range(from: start, to: end) }
}

/// A hit of a closed pass, on its way into the layer.
struct LateHit: Equatable, Sendable {
  var hit: CapturedHit
  /// The time of its sound or of its kept place, the later one: until then no layer repeats it.
  var frame: Frames
  var pass: Int
}

/// Late hits join their pass's layer: overdubs are tight from the next pass on, at any latency.
extension Loop {
  /// The closed pass in which `beat` lies.
  func closedPass(at beat: Beats) -> ClosedPass? { closed.last { $0.beats.contains(beat) } }

  /// Whether hits are on their way into the first layer of a pass that is over.
  private func awaitsHits(_ onTheWay: [Beats]) -> Bool {
    let open = closed.filter { !$0.hasLayer }
    guard !open.isEmpty else { return false }
    return late.contains { late in open.contains { $0.number == late.pass } }
      || onTheWay.contains { beat in open.contains { $0.beats.contains(beat) } }
  }

  /// Whether it goes round, or is to, for nothing but hits on their way.
  var mayBeAwaited: Bool { pass == nil && (isAwaited || isPlaying && isEmpty) }

  /// After a pass without a hit, the empty loop goes on while a hit is on its way, and no longer.
  /// - Parameter onTheWay: where its player's hits are recorded that sound a loop later.
  /// - Returns: whether it shows.
  mutating func settleAwaited(_ onTheWay: [Beats]) -> Bool {
    guard mayBeAwaited else { return false }
    let wasAwaited = isAwaited
    setAwaited(isEmpty && awaitsHits(onTheWay))
    if isEmpty && !isAwaited { setPlaying(false) }
    return isAwaited != wasAwaited
  }

  /// The pass that ends at `beat` may still get hits, and `unfinished` ones are not done yet.
  /// - Returns: the frame at which to look at the first of these.
  mutating func close(
    _ pass: Pass, at beat: Beats, unfinished: [CapturedHit], hasLayer: Bool, drift: Beats,
    _ room: PassSurroundings
  ) -> Frames? {
    let oldest = room.view.frame(at: beat) - room.limits.heardBehind
    let waiting = room.onTheWay.min() ?? beat
    let awaited = Set(late.map(\.pass))
    closed.removeAll {
      room.view.frame(at: $0.end) < oldest && $0.end <= waiting && !awaited.contains($0.number)
    }
    closed.append(
      ClosedPass(
        number: passes, start: pass.start, end: beat, origin: origin, length: length, bars: recordedBars,
        hasLayer: hasLayer, drift: drift))
    let new = unfinished.map { LateHit(hit: $0, frame: room.view.frame(at: max($0.sounds, $0.kept)), pass: passes) }
    late += new
    return new.map(\.frame).min()
  }

  /// Takes the late hits that have sounded and were let go of.
  /// - Parameters:
  ///   - sent: the loops' hits before this frame have been sent.
  ///   - patience: a hit held for longer than its loop up to this beat has lost its release.
  ///   - all: includes hits that are still held.
  /// - Returns: the hits with their passes, and the frames at which to look at the others.
  mutating func takeSettled(
    before sent: Frames, patience: Beats, all: Bool
  ) -> (settled: [(hit: CapturedHit, pass: Int)], looks: [Frames]) {
    var settled: [(hit: CapturedHit, pass: Int)] = []
    var looks: [Frames] = []
    let closed = closed
    late.removeAll { late in
      guard let pass = closed.last(where: { $0.number == late.pass }) else { return true }
      let isHeld = late.hit.isHeld && patience - late.hit.sounds < pass.length
      if all || late.frame < sent && !isHeld {
        settled.append((late.hit, pass.number))
        return true
      }
      // A held one is looked at now and then: its release may take long.
      looks.append(isHeld ? max(late.frame, sent + Loop.lookEvery) : late.frame)
      return false
    }
    return (settled, looks)
  }

  /// The change by a late hit.
  enum Settled {
    case nothing
    /// It is the first of its pass.
    case layer(Edit)
    /// It joined the layer that was made of its pass.
    case joined(LoopHit)
  }

  /// Puts a late hit into the layer of its pass.
  /// - Parameter now: nothing of a new layer sounds before.
  mutating func settle(_ hit: CapturedHit, into number: Int, at now: Beats, limits: Limits) -> Settled {
    guard let place = closed.lastIndex(where: { $0.number == number }) else { return .nothing }
    let pass = closed[place]
    let before = LoopEdit(self)
    let isFirst = isUnrecorded
    if isFirst, self.pass == nil {
      // Nothing came in time, so the loop was given up: it goes on as if something had.
      origin = pass.origin
      length = pass.length
      recordedBars = pass.bars
    }
    let new = LoopHit(hit, position: position(of: hit.kept), atMost: pass.length)
    if let layer = layers.firstIndex(where: { $0?.pass == number }) {
      layers[layer]?.insert(new, limits)
      return .joined(new)
    }
    // A layer that was made and is gone was deleted or taken back: then its late hits are, too.
    guard !pass.hasLayer, let free = freeLayer(most: limits.layersPerLoop) else { return .nothing }
    self[free] = Layer(tracks: [Track(hits: [new], length: length)], begin: max(now, pass.end), pass: number)
    if isFirst, pass.plays { setPlaying(true) }
    closed[place].hasLayer = true
    return .layer(isFirst ? .loop(before, LoopEdit(self)) : .layer(free, nil, self[free]))
  }

  /// The loop does not go round any more, or everything of it is gone.
  mutating func endClosedPasses(isCleared: Bool) {
    for index in closed.indices { closed[index].plays = false }
    guard isCleared else { return }
    closed = []
    late = []
  }

  // MARK: Early hits

  /// A pass has begun.
  mutating func findEarlyHits() {
    guard let pass else { return }
    setEarlyHits(captured.contains { pass.isEarly($0.beat) })
  }

  /// The next early hit of the pass under way to come round, and its beat.
  var nextEarly: (index: Int, beat: Beats)? {
    guard let pass, pass.hasEarlyHits else { return nil }
    var next: (index: Int, beat: Beats)?
    for (index, hit) in captured.enumerated() where !hit.isRepeated {
      let beat = earlyPlace(of: hit) ?? LoopSchedule.noBeat
      if beat < next?.beat ?? LoopSchedule.noBeat { next = (index, beat) }
    }
    return next
  }

  /// Where a hit that came early for the pass under way comes round at the end; nil for all others.
  private func earlyPlace(of hit: CapturedHit) -> Beats? {
    // One that was moved onto the line sounds there as its layer's first.
    guard let pass, pass.isEarly(hit.beat), hit.kept < pass.start else { return nil }
    // A first pass that is ended early makes a loop that ends there.
    let end = isUnrecorded ? nextTurn ?? pass.end : pass.end
    return end - (pass.start - hit.kept)
  }

  /// An early hit that itself sounds behind that place does not come round before.
  mutating func addEarly(_ hit: CapturedHit) {
    var hit = hit
    if let place = earlyPlace(of: hit) { hit.isRepeated = place < hit.sounds }
    captured.append(hit)
    setEarlyHits(true)
  }

  /// The last early hit may have come round by now.
  mutating func settleEarlyHits() { if nextEarly == nil { setEarlyHits(false) } }

  /// A first pass may be about to end sooner than it was.
  mutating func endSooner(from now: Beats) {
    guard let pass, isUnrecorded, let line = waiting?.line, line < pass.end else { return }
    passOverEarlyHits(before: now)
  }

  /// Early hits whose place is over come no more.
  mutating func passOverEarlyHits(before now: Beats) {
    while let (index, beat) = nextEarly, beat < now { captured[index].isRepeated = true }
  }
}

extension Pass {
  func isEarly(_ beat: Beats) -> Bool { Range(from: start - Loop.earlyBeats, to: start).contains(beat) }
}

extension Layer {
  mutating func insert(_ hit: LoopHit, _ limits: Limits) {
    guard tracks[0].hits.count < limits.hitsPerLayer else { return }
    tracks[0].hits.place(hit)
    if !hit.moves.isEmpty { tracks[0].hits.dropMoves(beyond: limits.movesPerLayer) }
  }
}

extension CapturedHit {
  /// - Parameter heard: the beat its player heard at the release. Arrivals stray; this does not.
  mutating func release(at beat: Beats, heard to: Beats?) {
    released = self.beat + (heard.flatMap { from in to.map { $0 - from } } ?? beat - sounds)
  }

  /// A finger has it still.
  var isHeld: Bool { start.isGated && released == nil }

  /// The hit sounds after the pass's end, or is still held: it keeps its length beyond the end.
  func isUnfinished(at end: Beats) -> Bool { sounds >= end || isHeld }
}

extension LoopHit {
  /// - Parameter longest: how long it is held at most: until it comes again.
  init(_ hit: CapturedHit, position: Beats, atMost longest: Beats) {
    let held = hit.released.map { min($0 - hit.beat, longest) } ?? longest
    self.init(
      position: position, length: hit.start.isGated ? max(Beats(microBeats: 1), held) : nil,
      sequence: hit.sequence, velocity: hit.velocity, start: hit.start, sound: hit.sound,
      voicing: hit.voicing, moves: hit.gesture.moves)
  }
}
