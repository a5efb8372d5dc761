import JamCore

/// The few functions that make and measure sounds, from additions, multiplications and divisions
/// alone. IEEE 754 fixes the bits of these operations, while libm's results differ between
/// versions. So a recipe gives the same sound on every machine.
package enum PortableMath {
  /// The sine of `turns` full circles, within 1e-11.
  package static func sine(turns: Double) -> Double {
    var turn = turns - turns.rounded()
    if turn > 0.25 { turn = 0.5 - turn } else if turn < -0.25 { turn = -0.5 - turn }
    let x = turn * 6.283_185_307_179_586
    let square = x * x
    // The series up to x^15, from the inside out.
    var sum = -1 / 1_307_674_368_000.0
    sum = sum * square + 1 / 6_227_020_800.0
    sum = sum * square - 1 / 39_916_800.0
    sum = sum * square + 1 / 362_880.0
    sum = sum * square - 1 / 5_040.0
    sum = sum * square + 1 / 120.0
    sum = sum * square - 1 / 6.0
    return x + x * square * sum
  }

  package static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

  /// The tangent of `turns` full circles, for 0…0.25.
  package static func tangent(turns: Double) -> Double { sine(turns: turns) / max(cosine(turns: turns), 1e-9) }

  /// The logarithm to base 2 of a number above 0, within 1e-12.
  package static func logarithm(_ x: Double) -> Double {
    let exponent = Double(x.exponent)
    // On 1…2, by ln m = 2 artanh((m - 1) / (m + 1)).
    let ratio = (x.significand - 1) / (x.significand + 1)
    let square = ratio * ratio
    var sum = 0.0
    var power = ratio
    var n = 1.0
    while n < 26 {
      sum += power / n
      power *= square
      n += 2
    }
    return exponent + sum * 2 * 1.442_695_040_888_963_4
  }

  package static func ratio(semitones: Double) -> Double { Decibels.powerOfTwo(semitones / 12) }

  /// The linear gain of any finite number of decibels.
  package static func gain(_ decibels: Double) -> Double { Decibels.powerOfTwo(decibels * 0.166_096_404_744_368_12) }

  package static func decibels(_ gain: Double) -> Double { logarithm(max(gain, 1e-12)) * 6.020_599_913_279_624 }

  /// The hyperbolic tangent: a soft limit at ±1.
  package static func softLimit(_ x: Double) -> Double {
    if x > 18 { return 1 }
    if x < -18 { return -1 }
    let square = Decibels.powerOfTwo(x * 2.885_390_081_777_926_8)  // e^(2x)
    return (square - 1) / (square + 1)
  }
}
