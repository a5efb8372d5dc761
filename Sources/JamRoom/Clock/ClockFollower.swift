internal import JamCore

/// Finds the tempo and the beat in a MIDI clock's ticks, which come with jitter, get lost, and
/// drift: a line through the ticks of the last eight seconds, fewer after a change of tempo.
///
/// A stalled network holds ticks back and lets them through at once. Each tick of such a heap
/// counts, but the heap does not tell when they were sent: at most its last tick stays a point of
/// the line. Frames may have fractions. Thread: any one at a time; no clock of its own.
struct ClockFollower: Equatable, Sendable {
  private struct Tick: Equatable, Sendable {
    /// Counts ticks, the lost ones and those of heaps too.
    var number: Int
    var frame: Double
    /// Counts ticks that came.
    var received = 0
    /// It is the last of a heap: late by up to one tick, with a count that is right.
    var endsHeap = false
  }

  private struct Correction: Equatable, Sendable {
    var number: Int
    var ticks: Int
    /// The gap behind the tick before it, in frames, and the usual gap then.
    var gap: Double
    var usual: Double
    /// Of the tick.
    var received: Int
  }

  /// A straight line: where each tick would have come without jitter.
  struct Fit: Equatable, Sendable {
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
  /// So many later ticks, more with large jitter, explain a gap: jitter evens out, a loss stays.
  private static let leastUnsettled = 6
  /// Jitter may be so large that more are needed. A lost tick is no worse then, and is not sought.
  private static let mostUnsettled = 16
  /// If several seem lost at once, a mistake is no longer as small as jitter.
  private static let mostUnsettledBehindLong = 64
  /// In the last hundred ticks or so, more corrections to one side than this are another tempo.
  private static let mostCorrections = 10
  /// Ticks with gaps that differ more, as a share, are another tempo's; the ticks counted in
  /// meanwhile were not lost.
  private static let anotherTempo = 0.15
  /// The largest distance from that tempo's gap for a gap in which nothing was lost.
  private static let whole = 0.4
  /// No gap holds more: ten seconds of ticks at 300 bpm.
  private static let mostLostAtOnce = 1_200.0
  private static let fewest = 24
  /// A shift of the line that jitter does not explain is larger than this, in frames.
  private static let least = 5.0
  /// A quarter tick at 300 bpm, in frames. While the tempo is unknown, a closer tick was held back.
  private static let heapGap = 100.0
  /// Jitter, as a share of a tick, that makes neighbours late and soon often.
  private static let largeJitter = 0.35
  /// After a pause this long, in frames, a clock goes on or begins anew. The slack bounds how far,
  /// in ticks and as a share of the tempo, a clock that goes on may be off.
  private static let pause = 24_000.0
  private static let pauseSlack = (ticks: 0.2, tempo: 0.12)

  private var ticks: [Tick] = []
  /// So many of them are counted right.
  private var settled = 0
  /// The gap from tick to tick of late, in frames; 0 while it is not known.
  private var usual = 0.0
  /// Of one tick, as a share of that gap.
  private var jitter = 0.0
  /// Lost ticks that were counted in and doubled ones that were taken out: their tick and count.
  private var corrections: [Correction] = []
  /// The end of a heap that is no point of the line, by its number.
  private var leftOut: Int?
  /// The number of ticks that came, less one.
  private var received = -1
  /// The number of a tick that is on a beat.
  private(set) var downbeat = 0
  /// The downbeat's place in the room's count, in quarter notes; nil while nobody has told it.
  var place: Beats?
  /// The number of the tick at which that was said.
  private var marked = 0

  /// Of points of the line.
  var count: Int { ticks.count }

  mutating func tick(at frame: Double) {
    received += 1
    let number = (ticks.last?.number ?? -1) + 1
    if let last = ticks.last, frame - last.frame > ClockFollower.window { beginAnew(ticks.count, at: number) }
    switch place(at: frame) {
    case .behind: ticks.append(Tick(number: number, frame: frame, received: received))
    case .inHeap: ticks[ticks.count - 1] = Tick(number: number, frame: frame, received: received, endsHeap: true)
    case .afterHeap:
      leftOut = number - 1
      ticks[ticks.count - 1] = Tick(number: number, frame: frame, received: received)
    }
    settle()
    // A quarter at a time: shifting is paid seldom.
    guard ticks.count > ClockFollower.mostTicks || frame - ticks[0].frame > ClockFollower.window * 1.25 else { return }
    let first = ticks.firstIndex { frame - $0.frame <= ClockFollower.window } ?? 0
    forget(max(first, ticks.count - ClockFollower.mostTicks * 3 / 4))
  }

  private enum Place {
    /// A point of its own.
    case behind
    /// The tick before it was held back and is no point: this one may be.
    case inHeap
    /// The same, and this one came in its time.
    case afterHeap
  }

  /// The place of a tick that comes at `frame`.
  private func place(at frame: Double) -> Place {
    guard let last = ticks.last else { return .behind }
    let gap = frame - last.frame
    if usual == 0, gap < ClockFollower.heapGap { return .inHeap }
    if gap < usual * 0.5, ticks.count > 1 {
      // It catches up with the clock; a faster clock would not be late.
      let late = last.frame - ClockFollower.line(ticks.dropLast(), 0).frame(at: last.number)
      if late > usual * (jitter < ClockFollower.largeJitter ? 0.5 : 2) { return .inHeap }
    }
    // Steady ticks need no late one. With heaps alone, the last tick of each is all there is.
    guard last.endsHeap, !ticks.dropLast().suffix(ClockFollower.fewest).contains(where: \.endsHeap) else {
      return .behind
    }
    return leftOut.map { last.number - $0 < ClockFollower.fewest * 2 } ?? false ? .behind : .afterHeap
  }

  private mutating func forget(_ count: Int) {
    ticks.removeFirst(count)
    settled = max(0, settled - count)
  }

  /// Forgets the first `count` points, and the beat, too, unless it was marked since.
  /// - Parameter number: of the first tick behind it.
  private mutating func beginAnew(_ count: Int, at number: Int) {
    forget(count)
    (usual, corrections) = (0, [])
    if marked < number { (downbeat, place) = (number, nil) }
  }

  /// The tick that came last, or that is to come next, is so many ticks behind a beat.
  /// - Parameter place: of that beat, in the room's count.
  mutating func mark(_ behind: Int, next: Bool = false, at place: Beats? = nil) {
    marked = (ticks.last?.number ?? -1) + (next ? 1 : 0)
    (downbeat, self.place) = (marked - behind, place)
  }

  /// The number of ticks that came, or were lost, since the last mark.
  var sinceMark: Int { max(0, (ticks.last?.number ?? -1) + 1 - marked) }

  /// The frame for the next tick; nil while no gap is usual.
  var nextFrame: Double? { usual > 0 ? ticks.last.map { $0.frame + usual } : nil }

  /// The tick's distance behind the downbeat, in quarter notes.
  func beats(from tick: Int) -> Beats { Beats(nearest: Double(tick - downbeat) / Double(MIDIClock.ticksPerQuarter)) }

  /// The first tick at or after `number` that is on a beat.
  func beat(atOrAfter number: Double) -> Int {
    let perBeat = MIDIClock.ticksPerQuarter
    return downbeat &+ Int(saturating: ((number - Double(downbeat)) / Double(perBeat)).rounded(.up)) &* perBeat
  }

  /// Looks again at gaps that enough ticks followed: lost or doubled ticks in one are corrected.
  private mutating func settle() {
    guard ticks.count > ClockFollower.leastUnsettled * 2 else { return }
    let last = ticks.suffix(ClockFollower.fewest * 2 + 1)
    func steps(_ span: Int) -> [(ticks: Double, frames: Double)] {
      zip(last, last.dropFirst(span)).map { (Double($1.number - $0.number), $1.frame - $0.frame) }
    }
    // Over several ticks, for a sender that wakes up every 30 ms sends one tick or two.
    usual = steps(ClockFollower.leastUnsettled).map { $0.frames / $0.ticks }.median
    guard usual > 0 else { return }
    // A standard deviation by the median of deviations.
    jitter =
      steps(1).map { abs($0.frames - $0.ticks * usual) }.median * 1.4826 / 2.0.squareRoot() / usual
    // So many that half a gap is six standard deviations of the compared value.
    let needed = max(1, Int(saturating: (300 * jitter * jitter).rounded(.up)))
    // While the clock begins anew, no gap is usual yet.
    while usual > 0, settled < ticks.count {
      let most = isLong(settled) ? ClockFollower.mostUnsettledBehindLong : ClockFollower.mostUnsettled
      let count = min(max(needed, ClockFollower.leastUnsettled), most)
      guard settled < ticks.count - count else { break }
      // In order: asked here.
      if needed <= count { settle(settled, with: needed...count) }
      settled += 1
    }
    weighCorrections()
  }

  /// How many frames later than its count says the tick `i` follows the tick before it.
  private func lateness(_ i: Int) -> Double {
    ticks[i].frame - ticks[i - 1].frame - Double(ticks[i].number - ticks[i - 1].number) * usual
  }

  /// Whether several ticks seem to be lost in front of it.
  private func isLong(_ i: Int) -> Bool { i > 0 && lateness(i) > usual * 2 }

  /// - Parameter count: ticks to look at behind `i`: up to the next odd gap, if those are enough.
  private mutating func settle(_ i: Int, with count: ClosedRange<Int>) {
    func isOdd(_ i: Int) -> Bool { abs(lateness(i)) > usual * 0.5 }
    // At the beginning a line would be too short: small jitter alone is seen through.
    guard i >= (count.lowerBound > 3 ? ClockFollower.fewest : 1) else { return }
    let isPause = ticks[i].frame - ticks[i - 1].frame >= ClockFollower.pause
    guard isOdd(i) || isPause else { return }
    var end = i + count.lowerBound
    while end < i + count.upperBound, !isOdd(end) { end += 1 }
    // Across many ticks a short line points beside them.
    let isFar = ticks[i].frame - ticks[i - 1].frame > usual * Double(ClockFollower.fewest)
    // In order: `i` is 1 at least.
    var line = ClockFollower.line(ticks[(isFar ? 0 : max(0, i - ClockFollower.fewest * 2))..<i], 0)
    if i < ClockFollower.fewest { line.period = usual }
    let off = ticks[Range(from: i, to: end)].reduce(0) { $0 + $1.frame - line.frame(at: $1.number) } / Double(end - i)
    // Ticks all on one frame make a line without meaning: the share is infinite or no number.
    let share = (off / line.period).rounded()
    guard abs(share) <= ClockFollower.mostLostAtOnce else { return }
    if isPause, !goesOn(ticks[Range(from: i, to: end)], line, off: off / line.period - share) {
      settled = i
      return beginAnew(i, at: ticks[i - 1].number + 1)
    }
    // The ends of two heaps may lie a tick nearer or further apart than they were sent.
    guard abs(share) > (ticks[i - 1].endsHeap ? 1 : 0) else { return }
    correct(i, by: Int(share))
  }

  /// Whether a clock that was silent goes on along its line: in its tempo, and on its ticks.
  private func goesOn(_ ticks: ArraySlice<Tick>, _ line: Fit, off: Double) -> Bool {
    guard abs(off) <= ClockFollower.pauseSlack.ticks + jitter else { return false }
    guard let first = ticks.first, let last = ticks.last, last.number > first.number else { return true }
    let count = Double(last.number - first.number)
    let period = (last.frame - first.frame) / count
    return abs(period / line.period - 1) <= ClockFollower.pauseSlack.tempo + 4 * jitter / count
  }

  /// Counts the ticks from the point `i` on anew.
  private mutating func correct(_ i: Int, by lost: Int) {
    let came = Double(max(1, ticks[i].received - ticks[i - 1].received))
    corrections.append(
      Correction(
        number: ticks[i].number, ticks: lost, gap: (ticks[i].frame - ticks[i - 1].frame) / came, usual: usual,
        received: ticks[i].received))
    if downbeat >= ticks[i].number { downbeat += lost }
    if marked >= ticks[i].number { marked += lost }
    for j in Range(from: i, to: ticks.count) { ticks[j].number += lost }
  }

  /// If nearly all gaps seem to hold lost or doubled ticks, another tempo began. Once its gaps are
  /// known, the seemingly lost ticks are gaps like all others: each tick counted after all, and the
  /// beat stays where it was.
  private mutating func weighCorrections() {
    guard let latest = corrections.last, settled > 0 else { return }
    let last = ticks[settled - 1].number
    let recent = corrections.filter { $0.number >= last - 100 }
    let isMany = abs(recent.reduce(0) { $0 + $1.ticks.signum() }) > ClockFollower.mostCorrections
    if isMany || received - latest.received >= ClockFollower.leastUnsettled * 2, takeBackCorrections() { return }
    corrections = isMany ? [] : recent
    if isMany { forget(settled) }
  }

  /// - Returns: false where the tempo is the one before.
  private mutating func takeBackCorrections() -> Bool {
    let gap = gapOfLate
    guard gap > 0 else { return false }
    let before = corrections.filter { abs(gap / $0.usual - 1) > ClockFollower.anotherTempo }
    let whole = before.count { abs($0.gap / gap - 1) < ClockFollower.whole }
    guard let first = before.first, whole * 4 >= before.count * 3 else { return false }
    let taken = before.reduce(0) { $0 + $1.ticks }
    for j in ticks.indices { ticks[j].number -= taken }
    if downbeat >= first.number { downbeat -= taken }
    if marked >= first.number { marked -= taken }
    corrections = []
    forget(settled)
    return true
  }

  /// From tick to tick that came, in frames, over the last dozen; 0 where there are fewer.
  private var gapOfLate: Double {
    let span = ClockFollower.leastUnsettled
    let last = ticks.suffix(span * 2 + 1)
    guard last.count == span * 2 + 1 else { return 0 }
    return zip(last, last.dropFirst(span)).map { first, second in
      (second.frame - first.frame) / Double(max(1, second.received - first.received))
    }.median
  }

  /// - Returns: nil until 24 ticks are sure, a beat and a quarter after the first.
  mutating func fit() -> Fit? {
    while true {
      let settled = ticks[..<self.settled]
      guard settled.count >= ClockFollower.fewest else { return nil }
      let jitter = ClockFollower.jitter(settled)
      let fit = ClockFollower.line(settled, jitter)
      guard settled.count >= ClockFollower.fewest * 2, !isStraight(settled, fit, jitter) else { return fit }
      // The tempo has changed: earlier points do not count any more.
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
    guard ticks.count > 2, let first = ticks.first, let last = ticks.last, last.number > first.number else { return 0 }
    let mean = (last.frame - first.frame) / Double(last.number - first.number)
    let off = zip(ticks, ticks.dropFirst()).reduce(0.0) {
      let off = $1.1.frame - $1.0.frame - Double($1.1.number - $1.0.number) * mean
      return $0 + off * off
    }
    return (off / Double(ticks.count - 1) / 2).squareRoot()
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
