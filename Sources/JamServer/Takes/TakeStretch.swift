import JamCore
import JamStore

/// What is heard of a take: all of it, or the bars to which it was trimmed.
struct TakeStretch: Hashable {
  /// In frames of the recording.
  let first: Int64
  let length: Int64
  /// Nil is all of it.
  let bars: ClosedRange<Int>?
  private let start: Int64

  /// - Parameter wanted: bars of the take, trimmed or not; nil is what is heard of it.
  /// - Throws: `Refusal` where it has fewer, or they are not known yet.
  init(_ take: Catalogue.Take, bars wanted: ClosedRange<Int>?) throws(Refusal) {
    guard let wanted else {
      self.init(take)
      return
    }
    guard let found = take.found else { throw .takesBusy }
    guard wanted.upperBound <= found.bars.count else { throw .takeTooShort(take.id, bars: found.bars.count) }
    var take = take
    take.trim = wanted == 1...found.bars.count ? nil : wanted
    self.init(take)
  }

  init(_ take: Catalogue.Take) {
    let whole = take.length ?? 0
    var (start, end) = (Int64(0), whole)
    bars = take.trim
    if let trim = take.trim, let bars = take.found?.bars, bars.indices.contains(trim.lowerBound - 1) {
      start = trim.lowerBound == 1 ? 0 : bars[trim.lowerBound - 1]
      if bars.indices.contains(trim.upperBound) { end = bars[trim.upperBound] }
    }
    self.start = start
    first = take.first + start
    length = max(0, end - start)
  }

  /// Frames for which one peak stands.
  static let framesPerPeak = Frames.perSecond / 20
  private static let shown = 240

  /// As many peaks of what is heard as a list shows.
  func peaks(_ all: [UInt8]) -> [UInt8] {
    let from = Int(start / TakeStretch.framesPerPeak)
    let to = min(all.count, Int((start + length + TakeStretch.framesPerPeak - 1) / TakeStretch.framesPerPeak))
    guard from < to else { return [] }
    // In order: the guard asked.
    let heard = all[from..<to]
    guard heard.count > TakeStretch.shown else { return Array(heard) }
    return (0..<TakeStretch.shown).map { part in
      let first = from + part * heard.count / TakeStretch.shown
      let last = from + (part + 1) * heard.count / TakeStretch.shown
      // In order: one part behind the other.
      return all[first..<last].max() ?? 0
    }
  }
}
