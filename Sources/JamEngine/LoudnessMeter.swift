internal import JamCore

/// The loudness of the mix: over the last 0.4 s (momentary) and 3 s (short-term), as mean squares.
///
/// Real-time safe except for `init` and `deinit`.
/// - Source: EBU Tech 3341 §2.2; the windows move by a tenth of a second.
struct LoudnessMeter: ~Copyable {
  /// Frames of a step, and steps of the windows.
  private static var step: Int { @_noLocks get { 4_800 } }
  private static var short: Int { @_noLocks get { 30 } }
  private static var moment: Int { @_noLocks get { 4 } }

  /// The mean squares of the last steps, as a ring.
  private let steps: UnsafeMutablePointer<Double>
  private var place = 0
  private var weighting = KWeighting()
  private var energy = 0.0
  private var frames = 0
  /// Consecutive silent steps that were begun. Beyond `short` of them nothing need be done.
  private var silentSteps = LoudnessMeter.short + 1
  private(set) var momentary: Float = 0
  private(set) var shortTerm: Float = 0

  init() {
    steps = .allocate(capacity: Self.short)
    steps.initialize(repeating: 0, count: Self.short)
  }

  deinit { steps.deallocate() }

  @_noLocks mutating func hear(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames count: Int
  ) {
    energy += weighting.energy(left: left, right: right, frames: count)
    silentSteps = 0
    advance(count)
  }

  /// Counts a silent block.
  @_noLocks mutating func rest(_ count: Int) {
    guard silentSteps <= Self.short else { return }
    weighting = KWeighting()
    if frames == 0 && energy == 0 { silentSteps &+= 1 }
    advance(count)
  }

  @_noLocks private mutating func advance(_ count: Int) {
    frames &+= count
    guard frames >= Self.step else { return }
    steps[place] = energy / Double(frames)
    energy = 0
    frames = 0
    momentary = mean(of: Self.moment)
    shortTerm = mean(of: Self.short)
    place = place &+ 1 < Self.short ? place &+ 1 : 0
  }

  /// The mean of the last `count` steps, including the one at `place`.
  @_noLocks private func mean(of count: Int) -> Float {
    var sum = 0.0
    var i = 0
    while i < count {
      let index = place &- i
      sum += steps[index < 0 ? index &+ Self.short : index]
      i &+= 1
    }
    return Float(sum / Double(count))
  }
}
