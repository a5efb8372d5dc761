internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Hits that are older than the history and may sound on, by their pads.
///
/// A pad holds a few voices, so a new hit looks at its own pad's hits only. Thread: the room's.
struct LastingHits {
  struct Hit {
    var sequence: UInt64
    var frame: Frames
    var start: VoiceStart
    /// The sound that `start` reads.
    var sound: PlayableSound?
  }

  /// By bus and pad; of one pad by number.
  private var pads: [[Hit]] = []

  /// The lowest number of all.
  var firstSequence: UInt64? { pads.lazy.compactMap { $0.first?.sequence }.min() }

  /// The bus's hits as the engine was told of them, by pad.
  func hits(of bus: PlayerID) -> [(command: EngineCommand, sound: PlayableSound?)] {
    range(of: bus).flatMap { pads[$0] }.map {
      (EngineCommand(sequence: $0.sequence, frame: $0.frame, action: .start($0.start)), $0.sound)
    }
  }

  /// A hit sounds: it ends its choke group's hits, and its pad's oldest beyond the pad's places.
  mutating func begin(_ hit: Hit) {
    let start = hit.start
    if start.choke > 0 {
      for pad in Pad.all where pad != start.pad {
        end(on: LastingHits.index(start.bus, pad)) { $0.choke == start.choke }
      }
    }
    let index = LastingHits.index(start.bus, start.pad)
    if index >= pads.count { pads += Array(repeating: [], count: index + 1 - pads.count) }
    let excess = pads[index].count - max(0, Int(start.voices) - 1)
    if excess > 0 { pads[index].removeFirst(excess) }
    pads[index].append(hit)
  }

  mutating func release(_ bus: PlayerID, _ pad: Pad) { end(on: LastingHits.index(bus, pad)) { $0.isGated } }

  mutating func releaseAll(_ bus: PlayerID) { for index in range(of: bus) { end(on: index) { $0.isGated } } }

  mutating func silence(_ bus: PlayerID) { for index in range(of: bus) { end(on: index) { _ in true } } }

  mutating func silenceAll() { for index in pads.indices { end(on: index) { _ in true } } }

  /// A hit that lasts gets the level as if it had begun with it: the glide to that level is over.
  mutating func setLevel(_ level: Float, _ bus: PlayerID, _ pad: Pad) {
    let index = LastingHits.index(bus, pad)
    guard index < pads.count else { return }
    for hit in pads[index].indices { pads[index][hit].start.level = level }
  }

  /// Drops the hits that are over before `frame`.
  mutating func forget(before frame: Frames) {
    for index in pads.indices {
      remove(on: index) { $0.frame + $0.start.longest < frame }
    }
  }

  /// Gives back the memory that no hit needs any more.
  mutating func compact() { for index in pads.indices where pads[index].isEmpty { pads[index] = [] } }

  private mutating func end(on index: Int, where ends: (VoiceStart) -> Bool) { remove(on: index) { ends($0.start) } }

  private mutating func remove(on index: Int, where isOver: (Hit) -> Bool) {
    guard index < pads.count, !pads[index].isEmpty else { return }
    pads[index].removeAll(where: isOver)
  }

  private static func index(_ bus: PlayerID, _ pad: Pad) -> Int { Int(bus.index) * Pad.placeCount + pad.index }

  private func range(of bus: PlayerID) -> Range<Int> {
    let first = Int(bus.index) * Pad.placeCount
    return Range(from: min(first, pads.count), to: min(first + Pad.placeCount, pads.count))
  }
}

extension VoiceStart {
  /// Frames that it may sound, at the room's lowest pitch; a looped one until it is ended.
  fileprivate var longest: Frames {
    if isLooped || patch != nil && isGated || goesRoundHeld { return .seconds(1_000_000) }
    return Frames(Int64(saturating: Double(Float(sample.frameCount) / rate)) &* 2)
  }
}
