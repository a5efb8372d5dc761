internal import JamCore

/// What each player's loop does next, side by side, so that looking at all of them is cheap.
struct LoopPlan: Sendable {
  /// The frame of the next hit, by `PlayerID.index`; `never` while nothing plays.
  var frames: [Frames]
  /// The bar line that is waited for, by `PlayerID.index`; `noBeat` is none.
  var turns: [Beats]

  static let never = Frames(.max)
  static let noBeat = Beats(microBeats: .max)

  init(players: Int) {
    frames = Array(repeating: LoopPlan.never, count: players)
    turns = Array(repeating: LoopPlan.noBeat, count: players)
  }
}

extension Loop {
  /// The bar line on which it has something to do next.
  var nextTurn: Beats? {
    guard let line = waiting?.line else { return pass?.end }
    return min(line, pass?.end ?? line)
  }

  /// The frame of the next hit of any layer.
  var nextFrame: Frames {
    var next = LoopPlan.never
    for index in layers.indices {
      if let frame = layers[index]?.next?.frame { next = min(next, frame) }
    }
    return next
  }

  /// Finds each layer's next hit at or after `sent`: what is before it was sent.
  mutating func plan(from sent: Frames, _ map: TempoMapView, isPlaying: Bool) {
    for index in layers.indices {
      guard let layer = layers[index] else { continue }
      guard isPlaying, !layer.isMuted else {
        layers[index]?.next = nil
        continue
      }
      // Not before the loop began.
      let begin = max(origin, layer.begin)
      let beat = max(map.beat(at: sent), begin)
      let cycle = beat - position(of: beat)
      layers[index]?.next = layer.first(in: cycle, from: begin, sent: sent, length: length, map)
    }
  }
}

extension Layer {
  /// The first hit from beat `begin` and frame `sent` on, in the cycle or in a later one.
  fileprivate func first(
    in cycle: Beats, from begin: Beats, sent: Frames, length: Beats, _ map: TempoMapView
  ) -> (cycle: Beats, index: Int, frame: Frames) {
    func isOver(_ beat: Beats) -> Bool { beat < begin || map.frame(at: beat) < sent }
    var low = 0
    var high = hits.count
    while low < high {
      let middle = (low + high) / 2
      if isOver(cycle + hits[middle].position) { low = middle + 1 } else { high = middle }
    }
    var next = (cycle: cycle, index: low)
    while true {
      if next.index == hits.count { next = (next.cycle + length, 0) }
      let beat = next.cycle + hits[next.index].position
      if !isOver(beat) { return (next.cycle, next.index, map.frame(at: beat)) }
      next.index += 1
    }
  }

  /// The hit after the next one is next.
  mutating func goOn(by length: Beats, _ map: TempoMapView) {
    guard var next else { return }
    next.index += 1
    if next.index == hits.count {
      next.index = 0
      next.cycle += length
    }
    next.frame = map.frame(at: next.cycle + hits[next.index].position)
    self.next = next
  }
}
