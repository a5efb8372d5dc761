internal import JamCore

/// The frames of loops' beats: by the room's clock, and its swing for hits on a grid.
struct LoopClock {
  var map: TempoMapView
  var swing: Float
  /// The loops' hits before this frame have been sent, when they were due or ahead.
  var sent: Frames
  /// Changes took effect up to this frame: what they bring sounds from there on.
  var advanced = Frames.zero

  func frame(at beat: Beats, swings: Bool) -> Frames {
    guard swings, swing > 0 else { return map.frame(at: beat) }
    return map.frame(at: map.line(beat, of: GridLines(.sixteenth), in: GridLines(.sixteenth, swing: swing)))
  }
}

/// A track's place: its layer among the layers, from 0, and its place in it.
struct TrackPlace {
  var layer = 0
  var track = 0
}

/// A hit of a loop, due for sending.
struct DueHit {
  var hit: LoopHit
  /// From 1.
  var layer: Int
  /// The layer's, in dB.
  var gain: Float
  var frame: Frames
}

extension Loop {
  /// The bar line on which it has something to do next.
  var nextTurn: Beats? {
    guard let line = waiting?.line, !waitsForTap else { return pass?.end }
    return min(line, pass?.end ?? line)
  }

  /// The frame of the next hit of any layer.
  var nextFrame: Frames {
    var next = LoopSchedule.never
    for layer in layers.indices {
      guard let count = layers[layer]?.tracks.count else { continue }
      for track in 0..<count {
        if let frame = layers[layer]?.tracks[track].next?.frame { next = min(next, frame) }
      }
    }
    return next
  }

  /// Takes the next hit that sounds up to `last`: layer after layer, track after track.
  /// - Parameter place: where it goes on to look; what lies before has no hit left.
  mutating func takeHit(until last: Frames, from place: inout TrackPlace, _ clock: LoopClock) -> DueHit? {
    while place.layer < layers.count {
      let (layer, track) = (place.layer, place.track)
      guard track < layers[layer]?.tracks.count ?? 0 else {
        place = TrackPlace(layer: layer + 1)
        continue
      }
      guard let next = layers[layer]?.tracks[track].next, next.frame <= last,
        let hit = layers[layer]?.tracks[track].hits[next.index], let gain = layers[layer]?.gain
      else {
        place.track += 1
        continue
      }
      layers[layer]?.tracks[track].goOn(clock)
      return DueHit(hit: hit, layer: layer + 1, gain: gain, frame: next.frame)
    }
    return nil
  }

  /// Finds each track's next hit that was not sent yet.
  mutating func plan(_ clock: LoopClock, isPlaying: Bool) {
    for index in layers.indices {
      guard let layer = layers[index] else { continue }
      let plays = isPlaying && !layer.isMuted
      // Not before the loop began.
      let begin = max(origin, layer.begin)
      for track in layer.tracks.indices {
        layers[index]?.tracks[track].plan(from: begin, origin: origin, isPlaying: plays, clock)
      }
    }
  }
}

extension Looper {
  /// The beat on which its loop or a lane has something to do next.
  var nextTurn: Beats? {
    var next = loop.nextTurn
    for index in lanes.indices {
      guard let turn = lanes[index].nextTurn else { continue }
      next = min(next ?? turn, turn)
    }
    return next
  }

  /// The frame of the next hit of its loop, its lanes and its focus.
  var nextLoopFrame: Frames {
    var next = loop.nextFrame
    for index in lanes.indices {
      next = min(next, lanes[index].row.nextFrame)
    }
    return min(next, focus?.row.nextFrame ?? LoopSchedule.never)
  }

  mutating func planLoops(_ clock: LoopClock, isPlaying: Bool) {
    loop.plan(clock, isPlaying: isPlaying && loop.isPlaying && loop.length > .zero)
    for index in lanes.indices where !lanes[index].row.isEmpty {
      let (begin, origin, plays) = (lanes[index].begin, lanes[index].origin, lanes[index].isPlaying)
      lanes[index].row.plan(from: begin, origin: origin, isPlaying: isPlaying && plays, clock)
    }
    if let origin = focus?.origin { focus?.row.plan(from: origin, origin: origin, isPlaying: isPlaying, clock) }
  }
}

extension Looper {
  /// The next hits of what swings, where another swing puts them.
  mutating func realign(_ clock: LoopClock, at frame: Frames) {
    loop.realign(clock, at: frame)
    for index in lanes.indices { lanes[index].row.steps.realign(clock, at: frame) }
    focus?.row.steps.realign(clock, at: frame)
  }
}

extension Loop {
  fileprivate mutating func realign(_ clock: LoopClock, at frame: Frames) {
    for index in layers.indices where layers[index]?.isSteps == true {
      for track in 0..<(layers[index]?.tracks.count ?? 0) { layers[index]?.tracks[track].realign(clock, at: frame) }
    }
  }
}

extension LaneRow {
  var nextFrame: Frames {
    min(played.next?.frame ?? LoopSchedule.never, steps.next?.frame ?? LoopSchedule.never)
  }

  /// Takes the next hit that sounds up to `last`: those as played first.
  mutating func takeHit(until last: Frames, _ clock: LoopClock) -> (hit: LoopHit, frame: Frames)? {
    played.takeHit(until: last, clock) ?? steps.takeHit(until: last, clock)
  }

  fileprivate mutating func plan(from begin: Beats, origin: Beats, isPlaying: Bool, _ clock: LoopClock) {
    played.plan(from: begin, origin: origin, isPlaying: isPlaying, clock)
    steps.plan(from: begin, origin: origin, isPlaying: isPlaying, clock)
  }
}

extension Track {
  /// At least a frame, at any tempo.
  private static let aboutFrame = Beats(microBeats: 1_000)

  /// A hit whose new place is over already comes at `frame`.
  fileprivate mutating func realign(_ clock: LoopClock, at frame: Frames) {
    guard let next else { return }
    self.next?.frame = max(clock.frame(at: next.cycle + hits[next.index].position, swings: swings), frame)
  }

  /// The number of hits within its length.
  private var audible: Int {
    guard let last = hits.last, last.position >= length else { return hits.count }
    return hits.firstIndex { $0.position >= length } ?? hits.count
  }

  /// Finds the next hit that was not sent yet.
  /// - Parameters:
  ///   - begin: nothing sounds before.
  ///   - origin: every cycle lies a whole number of lengths from it.
  mutating func plan(from begin: Beats, origin: Beats, isPlaying: Bool, _ clock: LoopClock) {
    // A hit that is due and was not sent yet still comes. One that a change has put before itself
    // would come too late.
    let over = max(clock.sent, min(clock.advanced, next?.frame ?? clock.advanced))
    next = nil
    let count = audible
    guard isPlaying, count > 0 else { return }
    let now = clock.map.beat(at: over)
    // Hits sent before the transport's last start do not count.
    let sent = sent.flatMap { $0 < now ? $0 : nil } ?? Beats(microBeats: .min)
    func isOver(_ beat: Beats) -> Bool {
      beat < begin || beat <= sent || clock.frame(at: beat, swings: swings) < over
    }
    var beat = max(now, begin)
    // Swinging hits lie up to a step behind their straight place, and a frame is rounded.
    beat = max(begin, beat - (swings ? Track.step : Track.aboutFrame))
    let into = (beat - origin).microBeats % length.microBeats
    let cycle = beat - Beats(microBeats: into < 0 ? into + length.microBeats : into)
    let first = Range(from: 0, to: count).firstPlace { isOver(cycle + hits[$0].position) }
    var place = (cycle: cycle, index: first)
    while true {
      if place.index == count { place = (place.cycle + length, 0) }
      let beat = place.cycle + hits[place.index].position
      if !isOver(beat) {
        next = NextHit(cycle: place.cycle, index: place.index, frame: clock.frame(at: beat, swings: swings))
        return
      }
      place.index += 1
    }
  }

  /// Takes the next hit, if it sounds up to `last`.
  fileprivate mutating func takeHit(until last: Frames, _ clock: LoopClock) -> (hit: LoopHit, frame: Frames)? {
    guard let next, next.frame <= last else { return nil }
    let hit = hits[next.index]
    goOn(clock)
    return (hit, next.frame)
  }

  /// The time of the next hit, for a plan of other hits: one that is due and was not sent yet still
  /// comes.
  func due(among hits: [LoopHit]) -> NextHit? {
    guard !hits.isEmpty, let next else { return nil }
    return NextHit(cycle: next.cycle, index: 0, frame: next.frame)
  }

  /// The hit after the next one is next.
  fileprivate mutating func goOn(_ clock: LoopClock) {
    guard var next else { return }
    sent = next.cycle + hits[next.index].position
    next.index += 1
    if next.index == hits.count || hits[next.index].position >= length {
      next.index = 0
      next.cycle += length
    }
    // Where another swing held up the hit before it, one that lies at or shortly behind that place
    // comes with it, not in what is over.
    next.frame = max(clock.frame(at: next.cycle + hits[next.index].position, swings: swings), next.frame)
    self.next = next
  }
}
