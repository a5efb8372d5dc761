internal import JamCore

/// Finds a tempo in one player's taps: the average of the last eight.
///
/// A tap that a network held up does not tell the tempo: the next taps show its place. Thread: any
/// one at a time; no clock of its own.
struct TapAverage: Hashable, Sendable {
  enum Outcome: Hashable {
    /// The first of a run.
    case begins
    /// Frames from beat to beat.
    case beat(Double)
    /// It says nothing, or not yet.
    case nothing
  }

  /// A finger that bounced, or taps that came together: nobody taps 600 bpm.
  private static let shortest = Frames.milliseconds(100)
  private static let longest = Frames.seconds(3.5)
  private static let most = 8
  /// A gap outside these shares of the average is another tempo, or a tap held up for long.
  private static let near = 0.5...1.75
  /// A gap off by more than this share is another tempo, unless the next gap makes up for it.
  private static let doubtful = 0.25
  /// Two gaps that differ by no more than this share are meant to be the same.
  private static let alike = 0.2

  private var taps: [Frames] = []
  /// The last tap came early or late.
  private var isLastDoubtful = false
  /// The last gap that was not near, and the average before it.
  private var broken: Broken?

  private struct Broken: Hashable {
    var gap: Double
    var mean: Double
  }

  var count: Int { taps.count }

  mutating func tap(at time: Frames) -> Outcome {
    guard let last = taps.last else { return begin(at: time) }
    let gap = time - last
    if gap >= .zero, gap < TapAverage.shortest { return .nothing }
    guard gap > .zero, gap <= TapAverage.longest else {
      broken = nil
      return begin(at: time)
    }
    if taps.count == 1 { return second(Double(gap.count), at: time) }
    putDoubtfulInPlace(before: time)
    return add(Double((time - taps[taps.count - 1]).count), at: time)
  }

  private mutating func begin(at time: Frames) -> Outcome {
    (taps, isLastDoubtful) = ([time], false)
    return .begins
  }

  /// The first tap behind a broken run may have been held up: then no gap before was like this.
  private mutating func second(_ gap: Double, at time: Frames) -> Outcome {
    if let former = broken, !isAlike(gap, former.gap), !isAlike(gap, former.mean) {
      broken = Broken(gap: gap, mean: former.mean)
      taps = [time]
      return .nothing
    }
    broken = nil
    taps.append(time)
    return .beat(gap)
  }

  private mutating func add(_ gap: Double, at time: Frames) -> Outcome {
    let mean = TapAverage.mean(taps)
    guard TapAverage.near.contains(gap / mean) else {
      broken = Broken(gap: gap, mean: mean)
      return begin(at: time)
    }
    isLastDoubtful = taps.count > 3 && abs(gap / mean - 1) > TapAverage.doubtful
    taps.append(time)
    if taps.count > TapAverage.most { taps.removeFirst() }
    return isLastDoubtful ? .nothing : .beat(TapAverage.mean(taps))
  }

  /// If two gaps together are two beats, the tap between them was meant in their middle.
  private mutating func putDoubtfulInPlace(before time: Frames) {
    guard isLastDoubtful, taps.count > 2 else { return }
    isLastDoubtful = false
    let steady = taps.dropLast()
    let both = (time - steady[steady.count - 1]).count
    guard isAlike(Double(both) / 2, TapAverage.mean(steady)) else { return }
    taps[taps.count - 1] = steady[steady.count - 1] + Frames(both / 2)
  }

  private func isAlike(_ gap: Double, _ other: Double) -> Bool { abs(gap / other - 1) <= TapAverage.alike }

  private static func mean(_ taps: some BidirectionalCollection<Frames>) -> Double {
    guard let first = taps.first, let last = taps.last, taps.count > 1 else { return 0 }
    return Double((last - first).count) / Double(taps.count - 1)
  }
}
