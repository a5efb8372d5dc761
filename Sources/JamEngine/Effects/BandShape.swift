/// Coefficients of one trapezoidal state variable filter: a₁, a₂, a₃ for its states, m₀, m₁, m₂ for
/// its output, two unused.
///
/// Real-time safe.
/// - Source: A. Simper, "Solving the continuous SVF equations using trapezoidal integration",
///   Cytomic 2013.
enum BandShape {
  typealias Eight = SIMD8<Float>

  /// Passes everything unchanged.
  static var neutral: Eight { @_noLocks get { shape(g: 0.1, k: 1, 1, 0, 0) } }

  @_noLocks static func isNeutral(_ shape: Eight) -> Bool { shape[3] == 1 && shape[4] == 0 && shape[5] == 0 }

  /// The same filter, but its output is the unchanged input.
  @_noLocks static func silenced(_ shape: Eight) -> Eight {
    Eight(shape[0], shape[1], shape[2], 1, 0, 0, 0, 0)
  }

  @_noLocks static func lowShelf(hertz: Float, decibels: Float) -> Eight {
    let (amplitude, root) = amplitude(decibels)
    let k: Float = 1.414_213_6
    return shape(
      g: EffectMath.tangent(hertz: hertz) / root, k: k, 1, k * (amplitude - 1), amplitude * amplitude - 1)
  }

  @_noLocks static func highShelf(hertz: Float, decibels: Float) -> Eight {
    let (amplitude, root) = amplitude(decibels)
    let k: Float = 1.414_213_6
    let square = amplitude * amplitude
    return shape(
      g: EffectMath.tangent(hertz: hertz) * root, k: k, square, k * (1 - amplitude) * amplitude, 1 - square)
  }

  @_noLocks static func peak(hertz: Float, q: Float, decibels: Float) -> Eight {
    let (amplitude, _) = amplitude(decibels)
    let k = 1 / (EffectMath.bounded(q, 0.1, 20) * amplitude)
    return shape(g: EffectMath.tangent(hertz: hertz), k: k, 1, k * (amplitude * amplitude - 1), 0)
  }

  /// The same filter with its output times `gain`; a gain of 1 changes no bit.
  @_noLocks static func amplified(_ shape: Eight, by gain: Float) -> Eight {
    Eight(shape[0], shape[1], shape[2], shape[3] * gain, shape[4] * gain, shape[5] * gain, 0, 0)
  }

  /// Off at 20 kHz and above. It fades in over the first third of an octave.
  @_noLocks static func lowPass(hertz: Float, resonance: Float) -> Eight {
    guard hertz < 20_000 else { return shape(g: EffectMath.tangent(hertz: 20_000), k: 1.414_213_6, 1, 0, 0) }
    let wet = EffectMath.bounded(3 * EffectMath.octaves(20_000 / (hertz > 20 ? hertz : 20)), 0, 1)
    return shape(g: EffectMath.tangent(hertz: hertz), k: damping(resonance), 1 - wet, 0, wet)
  }

  /// Off at 20 Hz and below. It fades in over the first third of an octave.
  @_noLocks static func highPass(hertz: Float, resonance: Float) -> Eight {
    guard hertz > 20 else { return shape(g: EffectMath.tangent(hertz: 20), k: 1.414_213_6, 1, 0, 0) }
    let wet = EffectMath.bounded(3 * EffectMath.octaves(hertz / 20), 0, 1)
    let k = damping(resonance)
    return shape(g: EffectMath.tangent(hertz: hertz), k: k, 1, -k * wet, -wet)
  }

  /// A resonance of 0 has no peak, 1 has a peak of 15 dB.
  @_noLocks private static func damping(_ resonance: Float) -> Float {
    1.414_213_6 / EffectMath.exp2(SIMD4(repeating: 3 * EffectMath.bounded(resonance, 0, 1))).x
  }

  /// The square root of a band's gain, and the square root of that. Both are exactly 1 at 0 dB.
  @_noLocks private static func amplitude(_ decibels: Float) -> (Float, Float) {
    guard decibels != 0 else { return (1, 1) }
    let octaves = EffectMath.bounded(decibels, -24, 24) * 0.083_048_2
    return (EffectMath.exp2(SIMD4(repeating: octaves)).x, EffectMath.exp2(SIMD4(repeating: octaves / 2)).x)
  }

  @_noLocks private static func shape(g: Float, k: Float, _ m0: Float, _ m1: Float, _ m2: Float) -> Eight {
    let a1 = 1 / (1 + g * (g + k))
    return Eight(a1, g * a1, g * g * a1, m0, m1, m2, 0, 0)
  }
}
