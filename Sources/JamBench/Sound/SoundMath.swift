internal import Glibc

/// Small functions that every part of the bench of sound needs.
enum SoundMath {
  static func decibels(power: Double) -> Double { power > 0 ? 10 * log10(power) : -200 }
  static func decibels(_ amplitude: Double) -> Double { amplitude > 0 ? 20 * log10(amplitude) : -200 }

  static func peak(_ signal: some Collection<Float>) -> Double { Double(signal.reduce(0) { max($0, abs($1)) }) }

  static func energy(_ signal: some Collection<Float>) -> Double { signal.reduce(0.0) { $0 + Double($1) * Double($1) } }

  /// The sine of `hertz` in `signal`, by least squares: the amplitudes of cosine and sine.
  static func tone(_ hertz: Double, in signal: some Collection<Float>) -> (cosine: Double, sine: Double) {
    let turn = 2 * Double.pi * hertz / Double(SoundStage.rate)
    // The normal equations of two unknowns, because a window need not contain whole periods.
    var (cc, cs, ss, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (frame, value) in signal.enumerated() {
      let (c, s) = (cos(turn * Double(frame)), sin(turn * Double(frame)))
      cc += c * c
      cs += c * s
      ss += s * s
      xc += c * Double(value)
      xs += s * Double(value)
    }
    let determinant = cc * ss - cs * cs
    guard determinant > 0 else { return (0, 0) }
    return ((xc * ss - xs * cs) / determinant, (xs * cc - xc * cs) / determinant)
  }

  static func amplitude(_ hertz: Double, in signal: some Collection<Float>) -> Double {
    let (c, s) = tone(hertz, in: signal)
    return (c * c + s * s).squareRoot()
  }

  /// `signal` without the frequencies below `hertz`: a linear-phase filter of 1,023 taps
  /// (Blackman), about 280 Hz wide.
  static func highPassed(_ signal: [Float], above hertz: Double) -> [Double] {
    let reach = 511
    let cutoff = hertz / Double(SoundStage.rate)
    let taps = (-reach...reach).map { k -> Double in
      let place = Double(k + reach) / Double(2 * reach)
      let window = 0.42 - 0.5 * cos(2 * .pi * place) + 0.08 * cos(4 * .pi * place)
      let low = k == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * Double(k)) / (.pi * Double(k))
      return (k == 0 ? 1 : 0) - low * window
    }
    return signal.indices.map { n in
      var sum = 0.0
      for k in max(-reach, n - signal.count + 1)...min(reach, n) { sum += taps[k + reach] * Double(signal[n - k]) }
      return sum
    }
  }

  /// The share of frames outside one standard deviation, beside that of noise: 1 is as dense as
  /// noise.
  static func echoDensity(_ window: [Float]) -> Double {
    let deviation = (energy(window) / Double(max(1, window.count))).squareRoot()
    guard deviation > 0 else { return 0 }
    let outside = Double(window.count { abs(Double($0)) > deviation })
    return outside / Double(window.count) / erfc(0.5.squareRoot())
  }
}
