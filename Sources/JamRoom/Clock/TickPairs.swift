internal import JamCore

/// Whether a clock's ticks come in pairs, two close together and then a gap, as where the same
/// clock comes by two cables.
struct TickPairs: Equatable, Sendable {
  private(set) var arePairs = false
  private var last: Frames?
  /// The latest gaps between ticks, in frames.
  private var gaps: [Int64] = []

  /// So many gaps are looked at.
  private static let window = 48
  /// One in so many pairs may be otherwise.
  private static let exceptions = 8
  /// The gap in a pair is at most this part of the one behind it.
  private static let share: Int64 = 4

  mutating func tick(at frame: Frames) {
    defer { last = frame }
    guard let last else { return }
    gaps.append((frame - last).count)
    guard gaps.count == TickPairs.window else { return }
    let pairs = stride(from: 0, to: TickPairs.window, by: 2).map { (gaps[$0], gaps[$0 + 1]) }
    let first = pairs.count { $0.0 >= 0 && $0.0 < $0.1 / TickPairs.share }
    let second = pairs.count { $0.1 >= 0 && $0.1 < $0.0 / TickPairs.share }
    arePairs = max(first, second) * TickPairs.exceptions >= pairs.count * (TickPairs.exceptions - 1)
    gaps.removeAll(keepingCapacity: true)
  }
}
