internal import JamCore

/// A row of blocks, played one after the other without a gap. Empty slots take no time.
struct Lane: Equatable, Sendable {
  /// Slot n at n − 1.
  var slots = [LaneSlot?](repeating: nil, count: Limits.standard.slotsPerLane) {
    didSet { groove = LaneGroove(of: slots) }
  }
  /// The parts of a groove among its slots: lights are read 30 times a second, slots change seldom.
  private(set) var groove = LaneGroove()
  /// The beat at which the first block of a round begins.
  var origin = Beats.zero
  /// Nothing sounds before.
  var begin = Beats.zero
  /// The action that waits for a bar line.
  var waiting: WaitingAction<LaneAction>?
  var isPlaying = false
  var isLooped = false
  /// All of it in a row.
  var row = LaneRow()
  /// A block of a groove that takes its place on the bar line that the lane waits for.
  var coming: ComingBlock?
  /// The slot that plays; 0 is none.
  var current = 0
  private var currentLength = Beats.zero
  /// The beat at which the next one begins, or the lane ends.
  var boundary: Beats?

  var isEmpty: Bool { slots.allSatisfy { $0 == nil } }

  var state: String {
    if waiting != nil { return "waiting" }
    if isEmpty { return "empty" }
    return isPlaying ? isLooped ? "looping" : "playing" : "stopped"
  }

  /// Its action now, or from the next bar line on; nil where it stands or will stop.
  var playing: LaneAction? {
    switch waiting?.action {
    case .play: .play
    case .loop: .loop
    case .stop, .clear: nil
    case nil: isPlaying ? isLooped ? .loop : .play : nil
    }
  }

  /// The beat on which it has something to do next.
  var nextTurn: Beats? { [waiting?.line, isPlaying ? boundary : nil].compactMap { $0 }.min() }

  /// Slots that hold a block, from 1, and where in a round each begins.
  private var places: [(slot: Int, start: Beats, length: Beats)] {
    var start = Beats.zero
    var places: [(slot: Int, start: Beats, length: Beats)] = []
    for case (let index, let slot?) in slots.enumerated() {
      places.append((index + 1, start, slot.length))
      start += slot.length
    }
    return places
  }

  /// - Parameter origin: where the round that it begins in began; nil begins a round.
  mutating func start(_ action: LaneAction, at beat: Beats, inRoundFrom origin: Beats? = nil) {
    guard !isEmpty else { return stop() }
    isPlaying = true
    isLooped = action == .loop
    self.origin = origin ?? beat
    begin = beat
    goOn(at: beat)
  }

  /// Bar 1 begins anew, and the lane with it. Of this count of beats nothing was sent.
  mutating func restart() {
    row.forgetSent()
    if isPlaying { start(isLooped ? .loop : .play, at: .zero) }
  }

  /// Its player's order, which waits for `line`. A lane that plays already goes on, once or round
  /// and round.
  mutating func order(_ action: LaneAction, on line: Beats) {
    let goesOn = isPlaying && action != .stop
    if goesOn { isLooped = action == .loop }
    // There may be nothing to stop. A block that comes waits for its line still.
    let waits = coming != nil || !goesOn && (isPlaying || action != .stop)
    waiting = waits ? WaitingAction(action: action, line: line) : nil
  }

  /// The lane's blocks are others by now: none of a groove comes.
  mutating func giveUpComing() {
    guard coming != nil else { return }
    coming = nil
    // It waited for that block alone.
    if isPlaying, waiting?.action.isPlaying == true { waiting = nil }
  }

  mutating func clear() {
    waiting = nil
    coming = nil
    for place in slots.indices { slots[place] = nil }
  }

  /// The slots as they were, or became. Those that are there already stay: their block and sounds
  /// may have been read since.
  /// - Parameter line: where a lane that stopped without blocks goes on; nil while the transport
  ///   stands.
  mutating func restore(_ edit: LaneEdit, line: Beats?) {
    giveUpComing()
    if let action = edit.playing, isEmpty, let line { waiting = WaitingAction(action: action, line: line) }
    let before = slots
    slots = edit.slots.map { held in before.first { $0 != nil && $0?.id == held?.id } ?? held }
    if isEmpty { waiting = nil }
  }

  /// A scene plays it from `line` on, or stops it where the action is nil. One that goes round
  /// already goes on from its place.
  /// - Returns: whether it does something else now.
  mutating func launch(_ action: LaneAction?, on line: Beats) -> Bool {
    let before = self
    waiting = nil
    coming = nil
    if let action {
      if !isPlaying || !isLooped || action != .loop { start(action, at: line) }
    } else if isPlaying {
      stop()
    }
    return self != before
  }

  mutating func stop() {
    isPlaying = false
    current = 0
    boundary = nil
  }

  /// A block ended at `beat`: the next one plays, or the lane is over.
  mutating func goOn(at beat: Beats) {
    guard isLooped || beat < origin + row.length, row.length > .zero else { return stop() }
    let into = position(of: beat)
    guard let place = places.last(where: { $0.start <= into }) else { return stop() }
    current = place.slot
    currentLength = place.length
    boundary = beat + (place.start + place.length - into)
  }

  /// The place of `beat` in a round.
  private func position(of beat: Beats) -> Beats {
    guard row.length > .zero else { return .zero }
    let into = (beat - origin).microBeats % row.length.microBeats
    return Beats(microBeats: into < 0 ? into + row.length.microBeats : into)
  }

  /// The sounding block lies in another slot than in `before`.
  mutating func follow(from before: [LaneSlot?]) {
    guard current > 0, let sounding = before[current - 1]?.id else { return }
    current = slots.firstIndex { $0?.id == sounding }.map { $0 + 1 } ?? current
  }

  /// The slots changed: the sounding block goes on, and its present successor follows when it ends.
  mutating func compile(at now: Beats) {
    let end = boundary
    var hits: [LoopHit] = []
    let places = places
    for place in places {
      for var hit in slots[place.slot - 1]?.hits ?? [] {
        hit.position += place.start
        hits.append(hit)
      }
    }
    row.set(hits, length: places.last.map { $0.start + $0.length } ?? .zero)
    guard isPlaying else { return }
    guard let end, let first = places.first else { return stop() }
    if let place = places.first(where: { $0.slot == current }) {
      // Another block in its place begins where it began.
      let began = end - currentLength
      origin = began - place.start
      currentLength = place.length
      boundary = began + place.length
      if began + place.length <= now { goOn(at: now) }
    } else {
      // It was taken away: silence until it would have ended.
      let next = places.first { $0.slot > current } ?? first
      origin = end - next.start
      begin = end
    }
  }
}

extension LaneAction {
  /// Whether a lane sounds by it.
  var isPlaying: Bool { self == .play || self == .loop }
}

/// The hits of blocks in a row. Hits as played and hits that swing with the room are two tracks: a
/// swing changes their order.
struct LaneRow: Equatable, Sendable {
  var played = Track(hits: [], length: .zero)
  var steps = Track(hits: [], length: .zero, swings: true)

  var length: Beats { played.length }
  var isEmpty: Bool { played.hits.isEmpty && steps.hits.isEmpty }

  init(_ hits: [LoopHit] = [], length: Beats = .zero) { set(hits, length: length) }

  /// - Parameter hits: by position.
  mutating func set(_ hits: [LoopHit], length: Beats) {
    let (played, steps) = (hits.filter { !$0.isStep }, hits.filter(\.isStep))
    self.played = Track(hits: played, length: length, next: self.played.due(among: played))
    // Sent hits stay sent: a change of the swing does not bring them again.
    self.steps = Track(
      hits: steps, length: length, swings: true, sent: self.steps.sent, next: self.steps.due(among: steps))
  }

  fileprivate mutating func forgetSent() { (played.sent, steps.sent) = (nil, nil) }
}

/// A block on a lane.
struct LaneSlot: Equatable, Sendable {
  /// Tells two of the same block apart: what sounds is followed where it is moved.
  let id: UInt64
  var block: Block
  /// The part of a groove that the block is. Noted here, because the lights ask 30 times a second.
  let part: GroovePart?
  /// From its beginning, with the sounds from when it was put here; empty until those are read.
  var hits: [LoopHit] = []
  /// Tells orders for sounds apart; 0 once they are there.
  var order: UInt64 = 0

  var length: Beats { block.length }

  init(id: UInt64, block: Block, hits: [LoopHit] = []) {
    self.id = id
    self.block = block
    self.hits = hits
    part = GroovePart(of: block)
  }
}

/// A slot of a lane, both from 1.
struct SlotPlace: Equatable, Sendable {
  var lane: Int
  var slot: Int
}

/// A block that goes round on its player's cue alone.
struct Focus: Equatable, Sendable {
  /// 0 where it lies on no lane.
  var lane: Int
  var slot: Int
  var block: Block
  var origin: Beats
  var row: LaneRow
  var order: UInt64 = 0
}
