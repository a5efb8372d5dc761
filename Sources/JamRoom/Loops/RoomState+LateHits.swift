internal import JamCore
internal import JamEngine
internal import JamRealtime

/// A pass that is over. A hit that was heard in it may arrive later, and one that sounds a loop later is sent later: both still belong to it.
struct ClosedPass: Sendable {
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

  var beats: Range<Beats> { Range(from: start, to: end) }
}

/// A hit of a closed pass, on its way into the layer.
struct LateHit: Sendable {
  var hit: CapturedHit
  /// When it sounds: before that its layer does not repeat it.
  var frame: Frames
  var pass: Int
}

/// Hits that come into their layer after the pass in which they were heard: an overdub is tight from the next pass on, at any latency.
extension RoomState {
  /// The closed pass in which `beat` lies.
  private func closedPass(of id: PlayerID, at beat: Beats) -> Int? {
    roster[id].loop.closed.last { $0.beats.contains(beat) }?.number
  }

  /// A hit that was recorded at a beat of a closed pass.
  /// - Returns: false where there is none.
  mutating func captureLate(_ hit: CapturedHit, by id: PlayerID, at frame: Frames) -> Bool {
    guard let pass = closedPass(of: id, at: hit.beat) else { return false }
    guard roster[id].loop.late.count < limits.hitsPerLayer else { return true }
    roster[id].loop.late.append(LateHit(hit: hit, frame: frame, pass: pass))
    schedule.awaitLate(at: frame)
    return true
  }

  /// Whether hits are on their way into the first layer of a pass that is over.
  private func awaitsHits(of id: PlayerID) -> Bool {
    let loop = roster[id].loop
    let open = loop.closed.filter { !$0.hasLayer }
    guard !open.isEmpty else { return false }
    return loop.late.contains { late in open.contains { $0.number == late.pass } }
      || queue.waiting.contains { hit in
        hit.player == id && hit.place.delay > .zero
          && open.contains { $0.beats.contains(hit.place.recorded) }
      }
  }

  /// A pass without a hit is over, or a hit that it waited for came, or will not: an empty loop goes on while one is on its way.
  mutating func settleAwaited(of id: PlayerID, _ effects: inout [Effect]) {
    let loop = roster[id].loop
    guard loop.pass == nil, loop.isAwaited || loop.isPlaying && loop.isEmpty else { return }
    let isAwaited = loop.isEmpty && awaitsHits(of: id)
    roster[id].loop.isAwaited = isAwaited
    if loop.isEmpty && !isAwaited { roster[id].loop.isPlaying = false }
    if loop.isAwaited != isAwaited { tellLoop(of: id, &effects) }
  }

  /// A hit that will not sound is in no layer.
  mutating func forgetCaptured(_ hit: PendingHit, _ effects: inout [Effect]) {
    guard roster.isHere(hit.player) else { return }
    let number = hit.defined ?? UInt32(truncatingIfNeeded: hit.sequence)
    roster[hit.player].loop.captured.removeAll { $0.sequence == number }
    roster[hit.player].loop.late.removeAll { $0.hit.sequence == number }
    settleAwaited(of: hit.player, &effects)
  }

  /// The pass that ends at `beat` may still get hits, and `unfinished` ones are not done yet.
  mutating func close(_ pass: Pass, of id: PlayerID, at beat: Beats, _ unfinished: [CapturedHit], hasLayer: Bool) {
    let loop = roster[id].loop
    let oldest = clock.view.frame(at: beat) - limits.heardBehind
    let waiting = queue.waiting.lazy.filter { $0.player == id && $0.place.delay > .zero }.map(\.place.recorded).min()
    let view = clock.view
    let late = Set(loop.late.map(\.pass))
    roster[id].loop.closed.removeAll {
      view.frame(at: $0.end) < oldest && $0.end <= waiting ?? beat && !late.contains($0.number)
    }
    roster[id].loop.closed.append(
      ClosedPass(
        number: loop.passes, start: pass.start, end: beat, origin: loop.origin, length: loop.length,
        bars: loop.recordedBars, hasLayer: hasLayer))
    for hit in unfinished {
      let frame = clock.view.frame(at: hit.sounds)
      roster[id].loop.late.append(LateHit(hit: hit, frame: frame, pass: loop.passes))
      schedule.awaitLate(at: frame)
    }
  }

  /// Puts what has sounded, and was let go of, into its layers.
  mutating func settleLateHits(_ effects: inout [Effect]) {
    guard let next = schedule.nextLate, next < schedule.sent else { return }
    schedule.forgetLate()
    for id in roster.seated where !roster[id].loop.late.isEmpty { settleLateHits(of: id, &effects) }
  }

  /// How much more than its hit a release may be late and still end it where it was heard.
  private static let releaseStray = Frames.milliseconds(500)

  /// - Parameter all: also those that are still held.
  mutating func settleLateHits(of id: PlayerID, all: Bool = false, _ effects: inout [Effect]) {
    let now = clock.view.beat(at: schedule.sent)
    let patience = clock.view.beat(at: schedule.sent - RoomState.releaseStray)
    var settled = false
    var waiting: [LateHit] = []
    for late in roster[id].loop.late {
      guard let pass = roster[id].loop.closed.last(where: { $0.number == late.pass }) else { continue }
      let isHeld =
        late.hit.start.isGated && late.hit.released == nil && patience - late.hit.sounds < pass.length
      if all || late.frame < schedule.sent && !isHeld {
        put(late.hit, into: pass, of: id, at: max(now, pass.end))
        settled = true
      } else {
        waiting.append(late)
        // A held one is looked at now and then: its release may take long.
        let look = isHeld ? max(late.frame, schedule.sent + RoomState.positionEvery) : late.frame
        schedule.awaitLate(at: look)
      }
    }
    roster[id].loop.late = waiting
    guard settled else { return }
    settleAwaited(of: id, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  private mutating func put(_ hit: CapturedHit, into pass: ClosedPass, of id: PlayerID, at now: Beats) {
    let before = LoopEdit(roster[id].loop)
    let isFirst = roster[id].loop.isUnrecorded
    if isFirst, roster[id].loop.pass == nil {
      // Nothing came in time, so the loop was given up: it goes on as if something had.
      roster[id].loop.origin = pass.origin
      roster[id].loop.length = pass.length
      roster[id].loop.recordedBars = pass.bars
    }
    let position = roster[id].loop.position(of: hit.beat)
    let new = LoopHit(hit, position: position, atMost: pass.length)
    let layer = roster[id].loop.layers.firstIndex { $0?.pass == pass.number }
    if let layer {
      let (limit, pass) = (limits.hitsPerLayer, pass.number)
      roster[id].loop.layers[layer]?.insert(new, limit: limit)
      roster[id].history.amend {
        $0.pass == pass ? $0.insert(new, limit: limit) : ()
      } until: {
        $0.made(pass)
      }
    } else if !pass.hasLayer, let number = freeLayer(of: id) {
      // A layer that was made and is gone was deleted or taken back: then its late hits are, too.
      roster[id].loop[number] = Layer(
        tracks: [Track(hits: [new], length: roster[id].loop.length)], begin: now, pass: pass.number)
      if isFirst, pass.plays { roster[id].loop.isPlaying = true }
      let frame = clock.view.frame(at: now)
      if isFirst {
        remember(.loop(before, LoopEdit(roster[id].loop)), of: id, at: frame)
      } else {
        remember(.layer(number, nil, roster[id].loop[number]), of: id, at: frame)
      }
      let index = roster[id].loop.closed.lastIndex { $0.number == pass.number }
      if let index { roster[id].loop.closed[index].hasLayer = true }
    }
  }

  /// The loop does not go round any more, or everything of it is gone.
  mutating func endClosedPasses(of id: PlayerID, isCleared: Bool) {
    for index in roster[id].loop.closed.indices { roster[id].loop.closed[index].plays = false }
    guard isCleared else { return }
    roster[id].loop.closed = []
    roster[id].loop.late = []
  }

  // MARK: Early hits

  /// A hit so much before a pass is meant for its first beat; it sounds at the end of each cycle, as early as it was.
  static let earlyBeats = Beats(microBeats: 125_000)

  /// The end of the pass under way is the end of a cycle too: hits that came early for it sound there, before their layer is made.
  mutating func repeatEarlyHits(of id: PlayerID, until horizon: Frames, _ effects: inout [Effect]) {
    defer { if roster[id].loop.nextEarly == nil { roster[id].loop.pass?.hasEarlyHits = false } }
    while let (index, beat) = roster[id].loop.nextEarly {
      let frame = clock.view.frame(at: beat)
      guard frame <= horizon, let number = freeLayer(of: id) else { return }
      roster[id].loop.captured[index].isRepeated = true
      // A first pass that is to end sooner than it was: what lies behind is over.
      guard frame >= schedule.sent else { continue }
      let hit = LoopHit(
        roster[id].loop.captured[index], position: .zero, atMost: roster[id].loop.length)
      soundAgain(hit, of: number, gain: 0, by: id, at: frame, &effects)
    }
  }
}

extension Loop {
  /// A pass has begun.
  mutating func findEarlyHits() {
    guard let pass else { return }
    self.pass?.hasEarlyHits = captured.contains { pass.isEarly($0.beat) }
  }

  /// Which early hit of the pass under way comes round next, and where.
  var nextEarly: (index: Int, beat: Beats)? {
    guard let pass, pass.hasEarlyHits else { return nil }
    // A first pass that is ended early makes a loop that ends there.
    let end = isUnrecorded ? nextTurn ?? pass.end : pass.end
    var next: (index: Int, beat: Beats)?
    for (index, hit) in captured.enumerated() where !hit.isRepeated && pass.isEarly(hit.beat) {
      let beat = end - (pass.start - hit.beat)
      if beat < next?.beat ?? LoopSchedule.noBeat { next = (index, beat) }
    }
    return next
  }
}

extension Pass {
  func isEarly(_ beat: Beats) -> Bool { Range(from: start - RoomState.earlyBeats, to: start).contains(beat) }
}

extension Layer {
  mutating func insert(_ hit: LoopHit, limit: Int) {
    if tracks[0].hits.count < limit { tracks[0].hits.place(hit) }
  }
}

extension CapturedHit {
  /// - Parameter heard: what its player was hearing as it let go: it says more than the arrivals, which stray.
  mutating func release(at beat: Beats, heard to: Beats?) {
    released = self.beat + (heard.flatMap { from in to.map { $0 - from } } ?? beat - sounds)
  }

  /// At the pass's end it has not sounded yet, or it is still held: it keeps its length beyond the end.
  func isUnfinished(at end: Beats) -> Bool { sounds >= end || start.isGated && released == nil }
}

extension LoopHit {
  /// - Parameter longest: how long it is held at most: until it comes again.
  init(_ hit: CapturedHit, position: Beats, atMost longest: Beats) {
    let held = hit.released.map { min($0 - hit.beat, longest) } ?? longest
    self.init(
      position: position, length: hit.start.isGated ? max(Beats(microBeats: 1), held) : nil,
      sequence: hit.sequence, velocity: hit.velocity, start: hit.start, sound: hit.sound,
      voicing: hit.voicing)
  }
}

extension LoopEdit {
  mutating func change(_ change: (inout Layer) -> Void) {
    for index in layers.indices {
      guard var layer = layers[index] else { continue }
      change(&layer)
      layers[index] = layer
    }
  }
}

extension Edit {
  /// Whether a layer is there since, made of that pass.
  fileprivate func made(_ pass: Int) -> Bool {
    switch self {
    case .layer(_, nil, let layer?): layer.pass == pass
    case .loop(let before, let after):
      after.layers.contains { $0?.pass == pass } && !before.layers.contains { $0?.pass == pass }
    default: false
    }
  }

  /// Changes every layer that it knows.
  mutating func change(_ change: (inout Layer) -> Void) {
    func changed(_ layer: Layer) -> Layer {
      var layer = layer
      change(&layer)
      return layer
    }
    switch self {
    case .layer(let number, let before, let after): self = .layer(number, before.map(changed), after.map(changed))
    case .loop(var before, var after):
      before.change(change)
      after.change(change)
      self = .loop(before, after)
    case .all(var before, var after):
      before.loop.change(change)
      after.loop.change(change)
      self = .all(before, after)
    case .pad, .kit, .hits, .stepCount, .lanes, .room: break
    }
  }
}
