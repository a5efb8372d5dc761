import JamCore
import JamStore

/// The part of a take that is heard: all of it, or the bars to which somebody trimmed it.
struct TakeStretch: Hashable {
  /// The first frame, counted in the recording.
  let first: Int64
  let length: Int64
  /// The bars that are heard; nil is all of them.
  let bars: ClosedRange<Int>?
  private let start: Int64

  /// - Parameter wanted: bars of the whole take, even where it is trimmed; nil is the part that is
  ///   heard.
  /// - Throws: `Refusal` where the take has fewer bars, or its bars are not known yet.
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

  /// The number of frames that one peak stands for.
  static let framesPerPeak = Frames.perSecond / 20
  private static let shown = 240

  /// The peaks of the part that is heard, reduced to the number that a list shows.
  func peaks(_ all: [UInt8]) -> [UInt8] {
    let from = Int(start / TakeStretch.framesPerPeak)
    let to = min(all.count, Int((start + length + TakeStretch.framesPerPeak - 1) / TakeStretch.framesPerPeak))
    guard from < to else { return [] }
    // In order: the guard has checked `from < to`.
    let heard = all[from..<to]
    guard heard.count > TakeStretch.shown else { return Array(heard) }
    return (0..<TakeStretch.shown).map { part in
      let first = from + part * heard.count / TakeStretch.shown
      let last = from + (part + 1) * heard.count / TakeStretch.shown
      // In order: `first <= last` holds, because `part` grows.
      return all[first..<last].max() ?? 0
    }
  }
}
