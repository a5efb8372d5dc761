internal import JamCore
internal import JamEngine

/// A player's step grid: a view of its loop in sixteenths, and the layer that holds what was set by hand.
struct StepGrid: Equatable, Sendable {
  /// Of all pads that have no number of their own.
  var count = 16
  /// By pad; 0 is `count`.
  var counts = [Int](repeating: 0, count: Pad.count)
  /// The velocities that were told last.
  var shown: [StepPlace: Float] = [:]

  static let range = Limits.stepCounts
  static func takes(_ count: Int, ofPad: Bool) -> Bool { range.contains(count) || ofPad && count == 0 }

  /// How many steps of the pad go round.
  func count(of pad: Pad) -> Int { own(pad) == 0 ? count : own(pad) }
  func length(of pad: Pad) -> Beats { Track.step * count(of: pad) }
  /// Of that pad alone; 0 is none. Keys have none.
  func own(_ pad: Pad) -> Int { pad.isKey ? 0 : counts[pad.index] }
}

/// A step of a pad, from 1.
struct StepPlace: Hashable, Comparable, Sendable {
  var pad: Pad
  var step: Int

  static func < (a: StepPlace, b: StepPlace) -> Bool { (a.pad.index, a.step) < (b.pad.index, b.step) }
}

extension Track {
  /// A sixteenth.
  static let step = Beats(microBeats: 250_000)

  /// The steps, from 1, at which `hit` shows in a grid of `count`.
  func steps(of hit: LoopHit, count: Int) -> [Int] {
    let step = Int((hit.position.microBeats + Track.step.microBeats / 2) / Track.step.microBeats)
    guard steps == nil else { return step < count ? [step + 1] : [] }
    // What was recorded comes again with its loop, and the grid shows as much as fits it.
    let round = max(1, Int(length.microBeats / Track.step.microBeats))
    guard round < count else { return [step % count + 1] }
    return stride(from: step % round, to: count, by: round).map { $0 + 1 }
  }
}

extension Loop {
  /// The velocity of every step that is set, whoever set it: a hand or a recorded pass.
  var steps: [StepPlace: Float] {
    var steps: [StepPlace: Float] = [:]
    for case let layer? in layers {
      for track in layer.tracks {
        for hit in track.hits {
          let pad = hit.start.pad
          for step in track.steps(of: hit, count: grid.count(of: pad)) {
            let place = StepPlace(pad: pad, step: step)
            steps[place] = max(steps[place] ?? 0, hit.velocity.value)
          }
        }
      }
    }
    return steps
  }

  /// Another hit at a step: what is there goes.
  /// - Returns: how the layers change; nil where there is no layer free for the grid.
  func changes(at place: StepPlace, to hit: LoopHit?, begin: Beats, mostLayers: Int) -> [HitChange]? {
    var changes: [HitChange] = []
    for case (let index, let layer?) in layers.enumerated() {
      for track in layer.tracks {
        let removed = track.hits.filter {
          $0.start.pad == place.pad && track.steps(of: $0, count: grid.count(of: place.pad)).contains(place.step)
        }
        guard !removed.isEmpty else { continue }
        changes.append(HitChange(layer: index + 1, of: layer, track, removed: removed))
      }
    }
    guard let hit else { return changes }
    if let own = changes.firstIndex(where: { $0.track.steps != nil }) {
      changes[own].added = [hit]
      return changes
    }
    let free = (layers.firstIndex { $0 == nil } ?? layers.count) + 1
    let number = layers.firstIndex { $0?.isSteps == true }.map { $0 + 1 } ?? free
    guard number <= mostLayers else { return nil }
    let layer = self[number] ?? Layer(tracks: [], isSteps: true, begin: begin)
    let track =
      layer.tracks.first { $0.steps == place.pad }
      ?? Track(hits: [], length: grid.length(of: place.pad), steps: place.pad, swings: true)
    changes.append(HitChange(layer: number, of: layer, track, added: [hit]))
    return changes
  }

  /// How many steps of the pad go round.
  func stepCount(of pad: Pad) -> Int { grid.count(of: pad) }

  /// - Parameter pad: nil is all that have no number of their own.
  /// - Returns: 0 for a pad that has none of its own.
  func chosenStepCount(of pad: Pad?) -> Int { pad.map { grid.own($0) } ?? grid.count }

  mutating func restoreStepCounts(of state: Checkpoint) {
    grid.count = state.stepCount
    grid.counts = state.stepCounts
  }

  /// Steps in an empty loop go round at once.
  mutating func startSteps(from origin: Beats, bar: Beats) {
    if pass == nil {
      self.origin = origin
      length = bar * bars
    }
    setPlaying(true)
  }

  // MARK: What was told

  /// The velocity that was told of a step; 0 is a step that is not set.
  func toldVelocity(at place: StepPlace) -> Float { grid.shown[place] ?? 0 }

  /// Which of `steps` are other than was told.
  func untold(_ steps: [StepPlace: Float]) -> [StepPlace] {
    guard grid.shown != steps else { return [] }
    return Set(grid.shown.keys).union(steps.keys).filter { grid.shown[$0] != steps[$0] }.sorted()
  }

  mutating func noteTold(_ steps: [StepPlace: Float]) { grid.shown = steps }

  /// Clients know what they were told of the loop that was there before.
  mutating func takeTold(from loop: Loop) { grid.shown = loop.grid.shown }

  /// - Parameters:
  ///   - pad: nil is all that have no number of their own.
  ///   - now: steps that come in do not sound before.
  mutating func setStepCount(_ count: Int, of pad: Pad?, at now: Beats = .zero) {
    if let pad { if !pad.isKey { grid.counts[pad.index] = count } } else { grid.count = count }
    for index in layers.indices {
      guard let tracks = layers[index]?.tracks else { continue }
      if let layer = layers[index], layer.isSteps, !layer.isDue(before: now) {
        layers[index]?.begin = max(now, layer.begin)
      }
      for (place, track) in tracks.enumerated() {
        guard let pad = track.steps else { continue }
        layers[index]?.tracks[place].length = grid.length(of: pad)
      }
    }
  }

  /// Carries a change out, or takes it back.
  mutating func apply(_ change: HitChange, isUndone: Bool, at now: Beats) {
    let (removed, added) = isUndone ? (change.added, change.removed) : (change.removed, change.added)
    var layer = self[change.layer] ?? change.shell
    // What comes in does not sound before `now`; what is there, and due before it, does.
    if self[change.layer] == nil || !added.isEmpty && !layer.isDue(before: now) { layer.begin = now }
    let place = layer.tracks.firstIndex { $0.steps == change.track.steps } ?? layer.tracks.count
    if place == layer.tracks.count { layer.tracks.append(change.track) }
    if let pad = change.track.steps { layer.tracks[place].length = grid.length(of: pad) }
    layer.tracks[place].hits.removeAll { hit in removed.contains { $0.sequence == hit.sequence } }
    for hit in added { layer.tracks[place].hits.place(hit) }
    if layer.tracks[place].hits.isEmpty { layer.tracks.remove(at: place) }
    self[change.layer] = layer.tracks.isEmpty ? nil : layer
    if isEmpty { setPlaying(false) }
  }
}

extension Layer {
  /// Whether one of its hits comes before `beat` that was not sent yet.
  fileprivate func isDue(before beat: Beats) -> Bool {
    tracks.contains { track in
      guard let next = track.next else { return false }
      return next.cycle + track.hits[next.index].position < beat
    }
  }
}

/// What an edit of the grid changes in one track of a layer.
struct HitChange: Equatable, Sendable {
  var layer: Int
  /// The layer and the track without their hits, to make them anew.
  var shell: Layer
  var track: Track
  var removed: [LoopHit]
  var added: [LoopHit]

  /// It is of a recorded layer, not of the step grid's own.
  var isRecorded: Bool { track.steps == nil }

  init(layer number: Int, of layer: Layer, _ track: Track, removed: [LoopHit] = [], added: [LoopHit] = []) {
    self.layer = number
    shell = layer
    shell.tracks = []
    self.track = track
    self.track.hits = []
    self.track.next = nil
    self.removed = removed
    self.added = added
  }
}
