internal import JamCore

/// Bars of a loop that become a block: of one of its layers, or of all that are not muted.
struct LoopBars {
  private let layers: [Layer]
  /// The length of the loop's bar.
  private let bar: Beats
  /// The bars of the layers.
  private let count: Int
  private let from: Int
  private let bars: Int?

  /// - Parameters:
  ///   - number: the layer's; 0 is all that are not muted.
  ///   - from: the first bar, from 1.
  ///   - bars: nil is all from there on.
  ///   - bar: the length of a bar where the loop begins.
  init(of loop: Loop, layer number: Int, from: Int, _ bars: Int?, bar: Beats) {
    layers = loop.layers(ofBlock: number)
    let whole = layers.flatMap(\.tracks).map(\.length).max() ?? bar
    count = max(1, Int((whole.microBeats + bar.microBeats - 1) / bar.microBeats))
    (self.bar, self.from, self.bars) = (bar, from, bars)
  }

  var length: Beats { bar * (bars ?? count - from + 1) }

  /// Asks whether a block can be made of them.
  func check(_ limits: Limits) throws(Refusal) {
    guard !layers.isEmpty else { throw .nothingSounds }
    guard from <= count, from - 1 + (bars ?? 1) <= count else {
      throw .barsPastEnd(from: from, bars: bars ?? 1, count: count)
    }
    guard length <= limits.blockLength else {
      throw .blockTooLong(mostBars: Int(limits.blockLength.microBeats / bar.microBeats))
    }
    let hits = hits(atMost: limits.hitsPerBlock + 1)
    guard hits.count <= limits.hitsPerBlock else { throw .tooManyHitsInBars(most: limits.hitsPerBlock) }
    guard !hits.isEmpty else { throw .nothingInBars }
  }

  /// The block; nil where none can be made of them.
  func block(_ name: String, of owner: PlayerName, _ limits: Limits) -> Block? {
    var hits = hits(atMost: limits.hitsPerBlock + 1)
    guard !hits.isEmpty, hits.count <= limits.hitsPerBlock else { return nil }
    hits.sort { $0.position < $1.position }
    hits.dropMoves(beyond: limits.movesPerBlock)
    return Block(name: name, owner: owner, length: length, hits: hits)
  }

  /// Track by track.
  private func hits(atMost most: Int) -> [BlockHit] {
    let begin = bar * (from - 1)
    var hits: [BlockHit] = []
    for layer in layers {
      for track in layer.tracks {
        hits += track.hits(from: begin, until: begin + length, atMost: most - hits.count).map { position, hit in
          var voicing = hit.voicing
          voicing.settings.gain = PadSetting.gain.row.kind.bounded(voicing.settings.gain + layer.gain)
          return BlockHit(
            position: position, velocity: hit.velocity, length: hit.length, sound: .voicing(voicing),
            isStep: track.swings, moves: hit.moves)
        }
      }
    }
    return hits
  }
}

extension Track {
  /// Its hits in a range of the loop, once for each round, with places from the range's beginning.
  /// - Parameter most: it ends with that many: a short track goes round very often.
  fileprivate func hits(from begin: Beats, until end: Beats, atMost most: Int) -> [(Beats, LoopHit)] {
    var found: [(Beats, LoopHit)] = []
    guard length > .zero, hits.contains(where: { $0.position < length }) else { return [] }
    let range = Range(from: begin, to: end)
    var cycle = Beats(microBeats: begin.microBeats / length.microBeats * length.microBeats)
    while cycle < end {
      for hit in hits where hit.position < length && range.contains(cycle + hit.position) {
        guard found.count < most else { return found }
        found.append((cycle + hit.position - begin, hit))
      }
      cycle += length
    }
    return found
  }
}
