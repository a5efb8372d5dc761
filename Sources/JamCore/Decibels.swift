/// Gains and pans, computed with additions and multiplications alone, so that every machine gets
/// the same bits. A log that is rendered again must give the same samples, and libm differs between
/// versions.
///
/// Thread: any. Real-time safe.
public enum Decibels {
  /// The lowest level, in dB. Every control treats this level as silence.
  @inlinable public static var silence: Float { -60 }
  /// The range of every level control, in dB.
  public static let levels: ClosedRange<Double> = Double(silence)...12

  /// The linear gain of `decibels`; 0 at `silence` and below, and for NaN. Values above 200 count
  /// as 200.
  @inlinable public static func gain(_ decibels: Float) -> Float {
    guard decibels > silence else { return 0 }
    // Most controls stand at 0 dB, and there the gain is exactly 1.
    if decibels == 0 { return 1 }
    // The factor is log2(10) / 20.
    return Float(powerOfTwo(Double(decibels < 200 ? decibels : 200) * 0.166_096_404_744_368_12))
  }

  /// How many times as fast a sound plays to be `semitones` higher.
  @inlinable public static func ratio(semitones: Float) -> Float {
    semitones == 0 ? 1 : Float(powerOfTwo(Double(semitones) / 12))
  }

  /// 2 to the power of `exponent`, with a relative error below 1e-13. Exponents beyond ±1,000 count
  /// as ±1,000, and NaN counts as 0.
  @_noLocks @inlinable public static func powerOfTwo(_ exponent: Double) -> Double {
    let exponent = exponent > 1_000 ? 1_000 : exponent < -1_000 ? -1_000 : exponent == exponent ? exponent : 0
    var whole = Int64(exponent)
    if Double(whole) > exponent { whole -= 1 }
    let x = (exponent - Double(whole) - 0.5) * 0.693_147_180_559_945_3
    // The exponential series on ±0.35, then √2 for the half that was subtracted.
    var sum = 1.0
    var term = 1.0
    var n = 1.0
    while n < 13 {
      term *= x / n
      sum += term
      n += 1
    }
    let scale = Double(bitPattern: UInt64(bitPattern: 1023 &+ whole) << 52)
    return sum * 1.414_213_562_373_095_1 * scale
  }
}

/// The left and right gains of a pan position, with constant power.
@frozen
public struct PanGains: Hashable, BitwiseCopyable, Sendable {
  public var left: Float
  public var right: Float

  @inlinable public init(left: Float, right: Float) {
    self.left = left
    self.right = right
  }

  /// - Parameter pan: −1…1; NaN counts as 0. At 0 both gains are 1, so that a sound in the middle
  ///   keeps its level. Each side rises to √2 at its end.
  /// - Parameter isStereo: balances the channels instead, as JamForge does. The far side fades, the
  ///   near side stays at 1, and the power falls by up to 3 dB.
  @inlinable public init(pan: Float, isStereo: Bool = false) {
    let position = pan < -1 ? -1 : pan > 1 ? 1 : pan == pan ? pan : 0
    let angle = (Double(position) + 1) * 0.785_398_163_397_448_3  // 0…π/2
    let l = PanGains.cosine(angle) * 1.414_213_562_373_095_1
    let r = PanGains.cosine(1.570_796_326_794_896_6 - angle) * 1.414_213_562_373_095_1
    left = Float(isStereo && l > 1 ? 1 : l)
    right = Float(isStereo && r > 1 ? 1 : r)
  }

  /// The cosine on 0…π/2 by its series, within 1e-12.
  @inlinable static func cosine(_ x: Double) -> Double {
    let square = x * x
    var sum = 1.0
    var term = 1.0
    var n = 1.0
    while n < 20 {
      term *= -square / (n * (n + 1))
      sum += term
      n += 2
    }
    return sum < 1e-12 ? 0 : sum
  }
}
