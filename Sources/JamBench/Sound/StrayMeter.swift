/// What a rendering has that an ideal one has not.
///
/// Each group of four bins may have a gain and a delay of its own, which are found by least squares over all moments: a softer treble is
/// no stray energy, but whatever does not move with the ideal sound is.
struct StrayMeter {
  private static let size = 1_024
  private static let hop = 256
  private static let group = 4
  /// Below 16 kHz.
  private static let bins = 2..<340
  private let spectrum = Spectrum(size: size)
  private let masking = Masking(size: size)

  /// - Returns: the stray energy against the sound's, in dB, and the share of moments in which it is heard.
  func measure(_ rendered: [Float], beside ideal: [Float]) -> (decibels: Double, audible: Double) {
    let starts = stride(from: -Self.size / 2, to: ideal.count - Self.size / 2, by: Self.hop)
    let theirs = starts.map { spectrum.windowed(ideal, from: $0) }
    let ours = starts.map { spectrum.windowed(rendered, from: $0) }
    var stray = theirs.map { _ in [Double](repeating: 0, count: Self.size / 2 + 1) }
    var (strayEnergy, energy) = (0.0, 0.0)
    for first in stride(from: Self.bins.lowerBound, to: Self.bins.upperBound, by: Self.group) {
      let bins = first..<min(first + Self.group, Self.bins.upperBound)
      var (re, im, power) = (0.0, 0.0, 0.0)
      for moment in theirs.indices {
        for bin in bins {
          let (a, b) = (theirs[moment][bin], ours[moment][bin])
          re += a.x * b.x + a.y * b.y
          im += a.x * b.y - a.y * b.x
          power += a.power
        }
      }
      let gain = power > 0 ? SIMD2(re / power, im / power) : SIMD2()
      for moment in theirs.indices {
        for bin in bins {
          let a = theirs[moment][bin]
          let fitted = SIMD2(a.x * gain.x - a.y * gain.y, a.x * gain.y + a.y * gain.x)
          stray[moment][bin] = (ours[moment][bin] - fitted).power
          strayEnergy += stray[moment][bin]
          energy += ours[moment][bin].power
        }
      }
    }
    let powers = ours.map { $0.map(\.power) }
    let loudest = powers.map { $0.reduce(0, +) }.max() ?? 0
    let heard = powers.indices.filter { powers[$0].reduce(0, +) > loudest * 1e-5 }
    let audible = heard.count {
      masking.excess(of: stray[$0], over: powers[$0], floor: loudest * 1e-8, bins: Self.bins) > 0
    }
    return (
      SoundMath.decibels(power: strayEnergy / max(energy, 1e-30)),
      heard.isEmpty ? 0 : Double(audible) / Double(heard.count)
    )
  }
}
