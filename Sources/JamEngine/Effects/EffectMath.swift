internal import JamCore

/// The mathematics of the effects. It uses only additions, multiplications, divisions and roots, so
/// that every machine gets the same bits.
///
/// Real-time safe.
enum EffectMath {
  typealias Two = SIMD2<Float>
  typealias Four = SIMD4<Float>

  /// A feedback state below this becomes zero: −300 dBFS. No state falls from here to a denormal
  /// within four frames.
  static var floor: Float { @_noLocks @inline(__always) get { 1e-15 } }

  /// Turns tiny values into zero.
  @_noLocks @inline(__always) static func flushed(_ x: Four) -> Four {
    Four().replacing(with: x, where: Signal.magnitude(x) .>= Four(repeating: floor))
  }

  @_noLocks @inline(__always) static func flushed(_ x: Two) -> Two {
    let size = x.replacing(with: -x, where: x .< Two())
    return Two().replacing(with: x, where: size .>= Two(repeating: floor))
  }

  /// log2, within 3.2e-7, for values above 1e-30.
  @_noLocks @inline(__always) static func log2(_ x: Four) -> Four {
    let bits = unsafeBitCast(x, to: SIMD4<Int32>.self)
    // The exponent is written into the low bits of the number 2²³, and so becomes a whole number.
    let exponent = unsafeBitCast((bits &>> 23) | 0x4B00_0000, to: Four.self) - 8_388_735
    let mantissa = unsafeBitCast((bits & 0x007F_FFFF) | 0x3F80_0000, to: Four.self)
    let t = mantissa - 1.5
    var sum = 0.014_778_72 * t - 0.025_123_2
    sum = sum * t + 0.037_462_94
    sum = sum * t - 0.070_589_68
    sum = sum * t + 0.142_526_37
    sum = sum * t - 0.320_632_33
    sum = sum * t + 0.961_795_97
    return exponent + (sum * t + 0.584_962_77)
  }

  /// 2 to the power of `x`, with a relative error within 1e-7. Values beyond ±100 count as ±100.
  @_noLocks @inline(__always) static func exp2(_ x: Four) -> Four {
    let x = Signal.smaller(Signal.larger(x, Four(repeating: -100)), Four(repeating: 100))
    // Adding 1.5 · 2²³ rounds the fraction away, and the low bits are the whole number.
    let shifted = x + 12_582_912
    let whole = unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- 0x4B40_0000
    let t = x - (shifted - 12_582_912)
    var sum = 0.000_154_697_3 * t + 0.001_340_043_2
    sum = sum * t + 0.009_618_025
    sum = sum * t + 0.055_503_27
    sum = sum * t + 0.240_226_51
    sum = sum * t + 0.693_147_2
    sum = sum * t + 1
    return sum * unsafeBitCast((whole &+ 127) &<< 23, to: Four.self)
  }

  /// sin(2π · phase / 2³²), within 2e-6, continuous everywhere.
  @_noLocks @inline(__always) static func sine(_ phase: UInt32) -> Float {
    // In quarters of a turn, −2 … 2, folded to −1 … 1.
    var x = Float(Int32(bitPattern: phase)) * (1 / 1_073_741_824)
    if x > 1 { x = 2 - x }
    if x < -1 { x = -2 - x }
    let square = x * x
    return x * (1.570_796_3 + square * (-0.645_963_7 + square * (0.079_689_7 + square * -0.004_673_77)))
      + x * square * square * square * square * 0.000_151_485
  }

  /// sin and cos of `x`, for 0 … π/2, within 1e-12.
  @_noLocks private static func series(_ x: Double) -> (sine: Double, cosine: Double) {
    var (sine, cosine, term, n) = (0.0, 0.0, 1.0, 0.0)
    while n < 20 {
      cosine += term
      term *= x / (n + 1)
      sine += term
      term *= -x / (n + 2)
      n += 2
    }
    return (sine, cosine)
  }

  /// tan(π · hertz / the sample rate): the coefficient of a trapezoidal filter's corner.
  @_noLocks static func tangent(hertz: Float) -> Float {
    let bounded = Double(hertz > 1 ? (hertz < 22_000 ? hertz : 22_000) : 1)
    let (sine, cosine) = series(bounded / Double(Frames.perSecond) * 3.141_592_653_589_793)
    return Float(sine / cosine)
  }

  /// The coefficient of a one-pole filter with this corner: the share of the way to its input that
  /// it goes with each frame.
  @_noLocks static func onePole(hertz: Float) -> Float {
    // 2π · log2(e)
    let octaves = -Double(bounded(hertz, 1, 24_000)) / Double(Frames.perSecond) * 9.064_720_283_654_388
    return Float(1 - Decibels.powerOfTwo(octaves))
  }

  /// The same for a time constant: after so many ms, 37 % of the way is left.
  @_noLocks static func onePole(milliseconds: Float) -> Float {
    let frames = Double(milliseconds > 0.01 ? milliseconds : 0.01) * Double(Frames.perSecond) / 1_000
    return Float(1 - Decibels.powerOfTwo(-1.442_695_040_888_963_4 / frames))
  }

  /// Octaves from 1 up to `x`, which must be above 0.
  @_noLocks static func octaves(_ x: Float) -> Float { log2(Four(repeating: x > 1e-20 ? x : 1e-20)).x }

  /// Bounds `x`. NaN becomes the lower bound.
  @_noLocks @inline(__always) static func bounded(_ x: Float, _ low: Float, _ high: Float) -> Float {
    x > low ? (x < high ? x : high) : low
  }
}
