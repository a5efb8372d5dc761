/// Functions that every machine computes to the same bits: additions and multiplications alone.
enum Polynomial {
  /// sin(2π · `turns`), within 1e-12.
  static func sine(turns: Double) -> Double {
    var x = turns - Double(Int64(turns))
    if x > 0.5 { x -= 1 }
    if x < -0.5 { x += 1 }
    // Folded to a quarter turn, where the series is short.
    if x > 0.25 { x = 0.5 - x }
    if x < -0.25 { x = -0.5 - x }
    let angle = x * 6.283_185_307_179_586
    var term = angle
    var sum = angle
    for n in stride(from: 3.0, to: 25, by: 2) {
      term *= -angle * angle / (n * (n - 1))
      sum += term
    }
    return sum
  }

  /// The modified Bessel function of order 0, for |x| up to about 10.
  static func bessel(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for n in 1..<40 {
      let half = x / 2 / Double(n)
      term *= half * half
      sum += term
    }
    return sum
  }
}
