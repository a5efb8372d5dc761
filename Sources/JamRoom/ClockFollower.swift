internal import JamCore

/// Finds the tempo and the beat in the ticks of a MIDI clock, which come with jitter, get lost, and drift: a line through the ticks of the
/// last eight seconds, fewer after a change of tempo.
///
/// Frames may have fractions. Thread: any one at a time; no clock of its own.
struct ClockFollower: Sendable {
  private struct Tick: Sendable {
    /// Counts ticks, the lost ones too.
    var number: Int
    var frame: Double
  }

  /// A straight line: where each tick would have come without jitter.
  struct Fit: Sendable {
    /// Frames from tick to tick, and the standard error of it.
    var period: Double
    var periodError: Double
    fileprivate var number: Double
    fileprivate var frame: Double

    func frame(at tick: Int) -> Double { frame + (Double(tick) - number) * period }
    func tick(at frame: Double) -> Double { number + (frame - self.frame) / period }

    var beatsPerMinute: Double { 2_880_000 / (period * Double(MIDIClock.ticksPerQuarter)) }
  }

  private static let window = 8.0 * 48_000
  private static let mostTicks = 1_200
  /// So many ticks must have followed, and more where jitter is large, before a gap is understood: jitter evens out, a lost tick stays lost.
  private static let leastUnsettled = 6
  /// Where jitter is so large that more would be needed, a lost tick is no worse than that, and none is looked for.
  private static let mostUnsettled = 16
  /// What is taken for lost ticks, in the last hundred or so: more is another tempo.
  private static let mostLost = 10.0
  private static let fewest = 24
  /// What no jitter explains moves the line by more than this, in frames.
  private static let least = 5.0

  private var ticks: [Tick] = []
  /// So many of them are counted right.
  private var settled = 0
  private var lately = 0.0
  /// The number of a tick that is on a beat.
  private(set) var downbeat = 0

  var count: Int { ticks.count }

  mutating func tick(at frame: Double) {
    ticks.append(Tick(number: (ticks.last?.number ?? -1) + 1, frame: frame))
    settle()
    // A quarter at a time: shifting is paid seldom.
    guard ticks.count > ClockFollower.mostTicks || frame - ticks[0].frame > ClockFollower.window * 1.25 else { return }
    let first = ticks.firstIndex { frame - $0.frame <= ClockFollower.window } ?? 0
    forget(max(first, ticks.count - ClockFollower.mostTicks * 3 / 4))
  }

  private mutating func forget(_ count: Int) {
    ticks.removeFirst(count)
    settled = max(0, settled - count)
  }

  /// The tick that came last, or that is to come next, is so many ticks behind a beat.
  mutating func mark(_ behind: Int, next: Bool = false) {
    downbeat = (ticks.last?.number ?? -1) + (next ? 1 : 0) - behind
  }

  /// The first tick at or after `number` that is on a beat.
  func beat(atOrAfter number: Double) -> Int {
    let perBeat = MIDIClock.ticksPerQuarter
    return downbeat + Int(((number - Double(downbeat)) / Double(perBeat)).rounded(.up)) * perBeat
  }

  /// Looks again at gaps that enough ticks have followed: where ticks were lost in one, or came twice, those behind it are counted anew.
  private mutating func settle() {
    guard ticks.count > ClockFollower.leastUnsettled * 2 else { return }
    let last = ticks.suffix(ClockFollower.fewest * 2 + 1)
    let gaps = zip(last, last.dropFirst()).map { $1.frame - $0.frame }
    let usual = ClockFollower.median(gaps)
    guard usual > 0 else { return }
    // Of one tick, in shares of a gap; a standard deviation by the median of deviations.
    let jitter = ClockFollower.median(gaps.map { abs($0 - usual) }) * 1.4826 / 2.0.squareRoot() / usual
    // So many that half a gap is six standard deviations of what is compared.
    let needed = max(1, Int((300 * jitter * jitter).rounded(.up)))
    let count = min(max(needed, ClockFollower.leastUnsettled), ClockFollower.mostUnsettled)
    while settled < ticks.count - count {
      if needed <= count { settle(settled, with: needed...count, usual) }
      settled += 1
      lately *= 0.99
    }
    guard abs(lately) > ClockFollower.mostLost else { return }
    lately = 0
    forget(settled)
  }

  /// - Parameter count: of ticks behind it that are looked at: up to the next odd gap, where those are enough.
  private mutating func settle(_ i: Int, with count: ClosedRange<Int>, _ usual: Double) {
    func isOdd(_ i: Int) -> Bool { !(usual * 0.5...usual * 1.5).contains(ticks[i].frame - ticks[i - 1].frame) }
    // At the beginning a line would be too short: small jitter alone is seen through.
    guard i >= (count.lowerBound > 3 ? ClockFollower.fewest : 1), isOdd(i) else { return }
    var end = i + count.lowerBound
    while end < i + count.upperBound, !isOdd(end) { end += 1 }
    var line = ClockFollower.line(ticks[max(0, i - ClockFollower.fewest * 2)..<i], 0)
    if i < ClockFollower.fewest { line.period = usual }
    let off = ticks[i..<end].reduce(0) { $0 + $1.frame - line.frame(at: $1.number) } / Double(end - i)
    let lost = Int((off / line.period).rounded())
    guard lost != 0 else { return }
    lately += Double(lost)
    if downbeat >= ticks[i].number { downbeat += lost }
    for j in i..<ticks.count { ticks[j].number += lost }
  }

  private static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// - Returns: nil until 24 ticks are sure, a beat and a quarter after the first.
  mutating func fit() -> Fit? {
    while true {
      let settled = ticks[..<self.settled]
      guard settled.count >= ClockFollower.fewest else { return nil }
      let jitter = ClockFollower.jitter(settled)
      let fit = ClockFollower.line(settled, jitter)
      guard settled.count >= ClockFollower.fewest * 2, !isStraight(settled, fit, jitter) else { return fit }
      // The tempo has changed: what was before says nothing any more.
      forget(min(settled.count / 2, settled.count - ClockFollower.fewest))
    }
  }

  /// Whether the last beat's ticks lie on the line, but for what jitter explains.
  private func isStraight(_ ticks: ArraySlice<Tick>, _ fit: Fit, _ jitter: Double) -> Bool {
    let last = ticks.suffix(ClockFollower.fewest)
    let off = last.reduce(0) { $0 + $1.frame - fit.frame(at: $1.number) } / Double(last.count)
    let expected = jitter * (1 / Double(last.count) + 4 / Double(ticks.count)).squareRoot()
    return abs(off) <= 4 * expected + ClockFollower.least
  }

  /// Standard deviation of one tick, from neighbours, so that the tempo does not matter.
  private static func jitter(_ ticks: ArraySlice<Tick>) -> Double {
    let gaps = zip(ticks, ticks.dropFirst()).filter { $1.number - $0.number == 1 }.map { $1.frame - $0.frame }
    guard gaps.count > 1 else { return 0 }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    return (gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count) / 2).squareRoot()
  }

  /// Least squares.
  private static func line(_ ticks: ArraySlice<Tick>, _ jitter: Double) -> Fit {
    let count = Double(ticks.count)
    let (first, start) = (ticks.first!.number, ticks.first!.frame)
    let number = ticks.reduce(0) { $0 + Double($1.number - first) } / count
    let frame = ticks.reduce(0) { $0 + ($1.frame - start) } / count
    var (product, square) = (0.0, 0.0)
    for tick in ticks {
      let x = Double(tick.number - first) - number
      product += x * (tick.frame - start - frame)
      square += x * x
    }
    return Fit(
      period: square > 0 ? product / square : 0, periodError: square > 0 ? jitter / square.squareRoot() : 0,
      number: Double(first) + number,
      frame: start + frame)
  }
}
