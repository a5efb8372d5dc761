/// One segment of a tempo map. From its first beat to the next segment, the tempo is a cubic
/// function of the beat.
///
/// A constant tempo has zeros in the higher coefficients. A ramp has several segments, which are so
/// short that five points integrate each of them to far below a thousandth of a frame.
@frozen
public struct TempoSegment: Hashable, BitwiseCopyable, Sendable {
  public var startBeat: Beats
  /// The exact frame of `startBeat`; fractions matter over hours.
  public var startFrame: Double
  /// Beats per minute at x beats into the segment: c0 + c1 x + c2 x² + c3 x³.
  public var c0: Double
  public var c1: Double
  public var c2: Double
  public var c3: Double

  @inlinable public init(
    startBeat: Beats, startFrame: Double, c0: Double, c1: Double = 0, c2: Double = 0, c3: Double = 0
  ) {
    self.startBeat = startBeat
    self.startFrame = startFrame
    self.c0 = c0
    self.c1 = c1
    self.c2 = c2
    self.c3 = c3
  }

  @inlinable public var isConstant: Bool { c1 == 0 && c2 == 0 && c3 == 0 }

  @inlinable public func tempo(_ x: Double) -> Double { c0 + x * (c1 + x * (c2 + x * c3)) }

  /// Frames from the segment's start to `x` beats into it: the integral of 2,880,000 / tempo, by
  /// five-point Gauss–Legendre.
  @inlinable public func frames(_ x: Double) -> Double {
    if isConstant { return x * (2_880_000 / c0) }
    let half = x * 0.5
    let sum =
      0.568_888_888_888_888_9 / tempo(half)
      + 0.478_628_670_499_366_47
      * (1 / tempo(half * 0.461_530_689_894_316_9) + 1 / tempo(half * 1.538_469_310_105_683_1))
      + 0.236_926_885_056_189_08
      * (1 / tempo(half * 0.093_820_154_061_336_01) + 1 / tempo(half * 1.906_179_845_938_664))
    return 2_880_000 * half * sum
  }

  /// The beats from the segment's start to `frames` after it: Newton's method on `frames(_:)`.
  @inlinable public func beats(_ frames: Double) -> Double {
    var x = frames * (c0 / 2_880_000)
    if isConstant { return x }
    var round = 0
    while round < 8 {
      let error = self.frames(x) - frames
      x -= error * tempo(x) / 2_880_000
      if error < 1e-7 && error > -1e-7 { break }
      round += 1
    }
    return x
  }

  /// The same tempos, described from `beat` on.
  func suffix(from beat: Beats) -> TempoSegment {
    let x = (beat - startBeat).value
    return TempoSegment(
      startBeat: beat, startFrame: startFrame + frames(x), c0: tempo(x), c1: c1 + x * (2 * c2 + 3 * c3 * x),
      c2: c2 + 3 * c3 * x, c3: c3)
  }

  /// Multiplies the tempo by `factor`.
  mutating func scale(by factor: Double) {
    c0 *= factor
    c1 *= factor
    c2 *= factor
    c3 *= factor
  }
}
